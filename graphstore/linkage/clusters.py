"""Pairs into one-to-one matches, or into groups without chaining."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from graphstore.linkage.text import Floats, Ints

_MOST = 3.0
"""Log odds beyond this count as this much: no pair decides alone. A pair that was not compared counts against."""


def mutual_best(left: Ints, right: Ints, scores: Floats, size: int) -> NDArray[np.bool_]:
    """Which pairs (pairs,) are the best of both their records; of equal ones the first.

    :param size: How many records there are.
    """
    taken = np.zeros(len(scores), dtype=np.bool_)
    best: dict[int, int] = {}
    for index in np.lexsort((right, left, -scores)).tolist():
        a, b = int(left[index]), int(right[index])
        taken[index] = best.setdefault(a, index) == index and best.setdefault(b, index) == index
        best.setdefault(b, index)
    return taken


def best_of_either(left: Ints, right: Ints, scores: Floats, size: int) -> Floats:
    """The score (pairs,) of the best pair that either record of each pair is in."""
    best = np.full(size, -np.inf)
    np.maximum.at(best, left, scores)
    np.maximum.at(best, right, scores)
    either: Floats = np.maximum(best[left], best[right])
    return either


def groups(
    left: Ints,
    right: Ints,
    odds: Floats,
    size: int,
    *,
    cut: float = 0.0,
    apart: Callable[[int, int], bool] | None = None,
) -> list[list[int]]:
    """Groups of records, each sorted, in order of their first; a record without partner is a group of its own.

    Groups are joined best first while the log odds between them are above the cut on average over *all* their pairs, so
    that no chain of neighbours joins what is unlike at its ends.

    :param odds: Log odds (pairs,) that the two are one thing.
    :param cut: In log odds.
    :param apart: Whether two records are known to be two things: no group holds them both.
    """
    forest = _Groups(cut, apart)
    for a, b, odd in zip(left.tolist(), right.tolist(), np.clip(odds, -_MOST, _MOST).tolist(), strict=True):
        forest.compare(a, b, odd)
    forest.join()
    alone = [[record] for record in range(size) if record not in forest.home]
    return sorted([*alone, *(sorted(members) for members in forest.members.values())])


@dataclass(slots=True)
class _Groups:
    """Groups under way: their members, and the sum and number of compared pairs between them."""

    cut: float
    apart: Callable[[int, int], bool] | None
    members: dict[int, list[int]] = field(default_factory=dict)
    home: set[int] = field(default_factory=set)
    between: dict[int, dict[int, tuple[float, int]]] = field(default_factory=dict)
    version: dict[int, int] = field(default_factory=dict)

    def compare(self, a: int, b: int, odd: float) -> None:
        for record in (a, b):
            if record not in self.home:
                self.home.add(record)
                self.members[record], self.between[record], self.version[record] = [record], {}, 0
        self.between[a][b] = self.between[b][a] = (odd, 1)

    def join(self) -> None:
        queue = [self._entry(a, b) for a in self.between for b in self.between[a] if a < b]
        queue = [entry for entry in queue if -entry[0] > self.cut]
        heapq.heapify(queue)
        while queue:
            _, a, b, version_a, version_b = heapq.heappop(queue)
            if (self.version.get(a), self.version.get(b)) == (version_a, version_b) and not self._are_apart(a, b):
                for entry in self._merge(a, b):
                    heapq.heappush(queue, entry)

    def _are_apart(self, a: int, b: int) -> bool:
        apart = self.apart
        return apart is not None and any(apart(x, y) for x in self.members[a] for y in self.members[b])

    def _merge(self, a: int, b: int) -> Iterator[tuple[float, int, int, int, int]]:
        """Put ``b`` into ``a``, and what may be joined to it next."""
        self.members[a] += self.members.pop(b)
        self.version[a] += 1
        del self.version[b]
        for other, (odd, count) in self.between.pop(b).items():
            del self.between[other][b]
            if other != a:
                known, counted = self.between[a].get(other, (0.0, 0))
                self.between[a][other] = self.between[other][a] = (known + odd, counted + count)
        for other in self.between[a]:
            entry = self._entry(min(a, other), max(a, other))
            if -entry[0] > self.cut:
                yield entry

    def _entry(self, a: int, b: int) -> tuple[float, int, int, int, int]:
        odd, count = self.between[a][b]
        pairs = len(self.members[a]) * len(self.members[b])
        mean = (odd - _MOST * (pairs - count)) / pairs
        return -mean, a, b, self.version[a], self.version[b]
