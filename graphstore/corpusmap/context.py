"""How much two groups of documents speak of the same: by the names that they share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from graphstore.corpusmap.evidence import context_score

if TYPE_CHECKING:
    from graphstore.corpusmap.registry import Entry, Registry

_SIDE = 40
"""Documents of a side that are looked at, by id: cost must not grow with how common a name is."""

_PAIRS = 400


def said_in(entry: Entry) -> Iterator[str]:
    """Names, phrases, departments and folders of a document."""
    yield from (name.key for name in entry.extraction.names)
    yield from (window.key for window in entry.extraction.windows)
    yield from (q.partition(":")[2] for name in entry.extraction.names for q in name.qualifiers)
    yield from entry.folder.split("/")


def shared_context(registry: Registry, a: Iterable[str], b: Iterable[str], without: frozenset[str]) -> float:
    """Context between two groups of documents, in [0, 1]: that of their two likest, names compared left out.

    A group is about many things; that one document of it is about the same as one of the other group is what counts.
    """
    of_a, of_b = sorted(a)[:_SIDE], sorted(b)[:_SIDE]
    of_b = of_b[: max(1, _PAIRS // max(1, len(of_a)))] if len(of_a) > 1 else of_b
    entries = registry.entries
    right = [(entries[d].context - without, entries[d].folder) for d in of_b]
    best = 0.5
    for document in of_a:
        left, folder = entries[document].context - without, entries[document].folder
        for names, other in right:
            best = max(best, context_score(left, names, bool(folder) and folder == other))
    return best
