"""Metrics of a clustering against the true one: pairwise and B-cubed precision, recall and F1."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

Pairs = Iterable[tuple[int, int]]
Item = TypeVar("Item", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Figures:
    """Precision and recall, each in [0, 1]; 1 where there is nothing to be wrong about."""

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        """Their harmonic mean."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


def pairwise(found: Pairs, gold: Pairs) -> Figures:
    """Of pairs, in any order of their two.

    >>> pairwise([(1, 2), (3, 4)], [(2, 1), (5, 6)]).f1
    0.5
    """
    ours, true = ({(min(a, b), max(a, b)) for a, b in pairs} for pairs in (found, gold))
    right = len(ours & true)
    return Figures(right / len(ours) if ours else 1.0, right / len(true) if true else 1.0)


def b_cubed(found: Mapping[Item, Hashable], gold: Mapping[Item, Hashable]) -> Figures:
    """The mean over items of how pure and how whole an item's own cluster is.

    Source: Bagga and Baldwin (1998), "Algorithms for scoring coreference chains".

    :param found: Cluster of every item; the same items as in ``gold``.
    """
    if found.keys() != gold.keys():
        raise ValueError("found and gold speak of different items")
    ours, true = Counter(found.values()), Counter(gold.values())
    both = Counter((found[item], gold[item]) for item in gold)
    count = len(gold) or 1
    precision = sum(shared * shared / ours[cluster] for (cluster, _), shared in both.items()) / count
    recall = sum(shared * shared / true[cluster] for (_, cluster), shared in both.items()) / count
    return Figures(precision, recall) if gold else Figures(1.0, 1.0)


def pairs_of(clusters: Iterable[Sequence[int]]) -> list[tuple[int, int]]:
    """Every pair within each cluster."""
    return [(a, b) for members in clusters for index, a in enumerate(members) for b in members[index + 1 :]]


def clusters_of(size: int, pairs: Pairs) -> dict[int, int]:
    """Cluster of each of ``size`` items, when the items of each pair are one: named by its least item."""
    parent = list(range(size))

    def root(item: int) -> int:
        while parent[item] != item:
            parent[item] = parent[parent[item]]
            item = parent[item]
        return item

    for a, b in pairs:
        low, high = sorted((root(a), root(b)))
        parent[high] = low
    return {item: root(item) for item in range(size)}
