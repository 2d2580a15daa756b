"""The builder that asks a language model: catalog, extract, resolve (render is the local one: pages infer nothing).

What a model says is never taken on trust: a name or a statement that does not stand in the document word for word is
dropped and counted, a type that the catalog does not hold counts as none, and an entity that was not among the
candidates is no answer.
"""

from __future__ import annotations
