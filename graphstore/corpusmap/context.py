"""How much two groups of documents speak of the same: by the names that they share."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from graphstore.corpusmap.entries import Entry
    from graphstore.corpusmap.registry import Registry

SIDE = 40
"""Documents of a side that are looked at, by id: cost must not grow with how common a name is."""

_PAIRS = 400


def said_in(entry: Entry) -> Iterator[str]:
    """Names, phrases, departments and folders of a document."""
    extraction = entry.extraction
    yield from (name.key for name in extraction.names)
    yield from (window.key for window in extraction.windows)
    yield from (q.partition(":")[2] for name in extraction.names for q in name.qualifiers)
    yield from entry.folder.split("/")


def shared_context(registry: Registry, a: Iterable[str], b: Iterable[str], without: frozenset[str]) -> float:
    """Context between two groups of documents, in [0, 1]: that of their two likest, names compared left out.

    A group is about many things; that one document of it is about the same as one of the other group is what counts.
    """
    return likest(registry, a, b, without)[0]


def likest(registry: Registry, a: Iterable[str], b: Iterable[str], without: frozenset[str]) -> tuple[float, float]:
    """Context between two groups of documents, and the cosine of their two likest, which has no upper bound but 1."""
    of_a, of_b = sorted(a)[:SIDE], sorted(b)[:SIDE]
    of_b = of_b[: max(1, _PAIRS // max(1, len(of_a)))] if len(of_a) > 1 else of_b
    entries = registry.entries
    right = [(entries[d].context, entries[d].folder) for d in of_b]
    said = frozenset().union(*(names for names, _ in right))
    folders = {folder for _, folder in right if folder}
    best = (0.5, 0.0)
    for document in of_a:
        left, folder = entries[document].context, entries[document].folder
        if folder not in folders and said.isdisjoint(left):
            continue  # as most are: nothing that the two sides share
        for names, other in right:
            near = bool(folder) and folder == other
            if near or not left.isdisjoint(names):
                mine, theirs = left - without, names - without
                best = max(best, (context_score(mine, theirs, near), likeness(mine, theirs)))
    return best


def context_score(a: frozenset[str], b: frozenset[str], same_folder: bool) -> float:
    """Context in [0, 1]; .5 says nothing either way.

    Half the cosine between the names that both sides hold: a name that stands in many documents shares some with
    everyone, which must not count. A shared folder adds .05.
    """
    return 0.5 + min(likeness(a, b), 0.3) + (0.05 if same_folder else 0.0)


def likeness(a: frozenset[str], b: frozenset[str]) -> float:
    """Cosine of two sets of names, in [0, 1]."""
    return len(a & b) / math.sqrt(len(a) * len(b)) if a and b else 0.0
