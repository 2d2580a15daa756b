"""What the words of a name are called by their first letters."""

from __future__ import annotations

from collections.abc import Iterable

from graphstore.corpusmap.words import ARTICLES, LOOSE

_SMALL = ARTICLES | LOOSE | frozenset(("of", "and", "de"))
"""Words whose initials an acronym leaves out, as a rule."""


def initials(words: Iterable[str]) -> str:
    """The first letters of the words of a name, small ones left out."""
    return "".join(word[0] for word in words if word not in _SMALL)
