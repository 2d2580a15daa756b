"""Documents that call a project by its name alone: which of them mean it."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b

from graphstore.corpusmap.context import SIDE
from graphstore.corpusmap.entries import Entry
from graphstore.corpusmap.packing import pack
from graphstore.corpusmap.registry import Registry


def is_of_project(registry: Registry, document: str, name: str, project: str) -> bool:
    """Whether a document that has the name alone is about what the project's documents are about.

    It is in the folder of one of these, shares a name with one, or with a document that has the name alone, too, and
    shares one. Of each kind the first documents are looked at, those of :func:`around`.

    :param name: Key of the name.
    :param project: Key of the whole name.
    """
    without = frozenset({name, project})
    entry = registry.entries[document]
    theirs = [other for _, other in _first(registry, project)]
    said = frozenset().union(*(other.context for other in theirs)) - without
    mine = entry.context - without
    if not said.isdisjoint(mine) or any(entry.folder == other.folder != "" for other in theirs):
        return True
    alone = (other.context - without for id, other in _first(registry, name) if id != document)
    return any(not mine.isdisjoint(context) and not said.isdisjoint(context) for context in alone)


def around(registry: Registry, name: str, project: str) -> str:
    """Digest of all that decides what documents with the name alone mean, besides themselves.

    While it is the same, one more document with either name does not have the others decided again.
    """
    rows = [[id, entry.folder, sorted(entry.context)] for key in (name, project) for id, entry in _first(registry, key)]
    return blake2b(pack(rows).encode(), digest_size=8).hexdigest()


def _first(registry: Registry, key: str) -> Iterator[tuple[str, Entry]]:
    return ((document, registry.entries[document]) for document in registry.key_docs.first(key, SIDE))
