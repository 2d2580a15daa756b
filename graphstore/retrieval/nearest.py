"""The nearest of many vectors, exactly, without reading all of each.

The vectors are turned so that their first coordinates carry most of what tells them apart (their principal directions).
With v = (a, b), a the first of them, and the query turned likewise into (p, q)::

    p·a − |q||b|  ≤  cosine  ≤  p·a + |q||b|

so whatever cannot reach the k-th best cosine by this bound is never looked at further. It is asked twice, with half of
the leading coordinates for all vectors and with the other half for those that are left. Vectors of sentences have most
of their weight in a third of their coordinates; where that is not so, all are compared.

Source: the bound is Cauchy and Schwarz's; as a filter of inner products: Teflioudi et al. (2015), "LEMP".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from graphstore.retrieval.grown import Grown
from graphstore.retrieval.ppr import top

Vectors: TypeAlias = NDArray[np.float32]
Numbers: TypeAlias = NDArray[np.intp]

LEAST = 8192
"""Vectors below which all are compared: the product takes a millisecond."""
LEADING = 128
"""Coordinates that are read of each at the most; an even number."""
_SAMPLE = 8192  # vectors that the principal directions are those of
_TRIED = 1024  # likely ones whose cosines tell how near the k-th is at least: of fifty only, three times as many pass
_WORTH = 0.25  # share of candidates above which comparing all is faster
_SLACK = 1e-5  # more than float32 loses in a turn
_NOWHERE = -4.0  # below any cosine, whatever is added to bound it


class Nearest:
    """An index of unit vectors, which grows: :meth:`after` makes the next one with work for the new vectors alone.

    Its answers depend on the vectors and their numbers only, not on how it came to hold them.

    :param vectors: One each; ``None`` for zeros.
    :param dimensions: d.
    """

    def __init__(self, vectors: Sequence[Vectors | None], dimensions: int) -> None:
        self._turn: Vectors | None = None
        count = len(vectors)
        if count < LEAST or dimensions <= LEADING:
            self._grown = Grown(count, (dimensions, np.float32))
        else:
            half, rest = (LEADING // 2, np.float32), (1, np.float32)
            self._grown = Grown(count, (dimensions, np.float32), half, half, rest, rest)
        self._hold(np.full(count, -1, dtype=np.intp), vectors, None)

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, numbers: int | Numbers) -> Vectors:
        """Some of the vectors. *Shape:* ``(d,)`` for one number, ``(numbers, d)`` for several"""
        return np.asarray(self._grown.parts[0][self._rows[numbers]])

    def after(self, numbers: Numbers, new: Sequence[Vectors | None]) -> Nearest:
        """The index of some of the vectors and of new ones between them.

        :param numbers: Of those that stay, in their new order; −1 for each new one.
        :param new: One for each −1.
        """
        kept = len(numbers) - len(new)
        dimensions = self._grown.parts[0].shape[1]
        large = len(numbers) >= LEAST and dimensions > LEADING
        where = None if large and self._turn is None else self._grown.reserve(len(new), kept)
        if where is None:
            added = iter(new)
            every = [self[number] if number >= 0 else next(added) for number in numbers.tolist()]
            return Nearest(every, dimensions)
        other = Nearest.__new__(Nearest)
        other._grown, other._turn = self._grown, self._turn
        other._hold(numbers, new, self._rows, where)
        return other

    def shares(self, other: Nearest) -> bool:
        """Whether both hold what they have in common in the same place."""
        return self._grown is other._grown

    def top(self, query: Vectors, k: int) -> tuple[Numbers, NDArray[np.float64]]:
        """Numbers of the k nearest, nearest first, equal ones by number; and their cosines. *Shape:* ``(min(k, n),)``

        :param query: A unit vector. *Shape:* ``(d,)``
        """
        k = min(k, len(self))
        if k < 1:
            return np.empty(0, dtype=np.intp), np.empty(0)
        lines = self._candidates(query, k)
        vectors = self._grown.parts[0][slice(len(self._numbers)) if lines is None else lines]
        cosines = vectors @ query
        if lines is None:
            cosines[self._gone] = _NOWHERE
        near = np.flatnonzero(cosines >= np.partition(cosines, len(cosines) - k)[len(cosines) - k] - _SLACK)
        numbers = self._numbers[near if lines is None else lines[near]].astype(np.intp)
        order = np.argsort(numbers)
        # not as a product of matrices, where the last bits depend on which line of how many a vector is
        exact = np.einsum("ij,j->i", vectors[near[order]], query).astype(np.float64)
        best = top(exact, k)
        return numbers[order[best]], exact[best]

    def _hold(
        self, numbers: Numbers, new: Sequence[Vectors | None], before: Numbers | None, where: slice | None = None
    ) -> None:
        """Write the new vectors behind the others, and note which lines are whose."""
        where = self._grown.reserve(len(new)) if where is None else where
        assert where is not None
        lines = self._grown.parts[0][where]
        for line, vector in zip(lines, new, strict=True):
            line[:] = 0.0 if vector is None else vector
        rows = np.arange(where.start, where.stop)
        self._rows = np.empty(len(numbers), dtype=np.intp)
        self._rows[numbers < 0] = rows
        if before is not None:
            self._rows[numbers >= 0] = before[numbers[numbers >= 0]]
        self._numbers = np.full(where.stop, -1, dtype=np.int32)
        self._numbers[self._rows] = np.arange(len(self._rows))
        self._gone = np.flatnonzero(self._numbers < 0)
        if len(self._grown.parts) > 1:
            self._turn_lines(where, lines)

    def _turn_lines(self, where: slice, lines: Vectors) -> None:
        if self._turn is None:
            self._turn = _directions(lines)
        halves, rests = self._grown.parts[1:3], self._grown.parts[3:]
        # each half by itself, as memory is read by lines
        squares = np.zeros(len(lines), dtype=np.float32)
        whole = np.einsum("ij,ij->i", lines, lines)
        for half, rest, part in zip(halves, rests, np.split(self._turn, 2, axis=1), strict=True):
            np.matmul(lines, part, out=half[where])
            squares += np.einsum("ij,ij->i", half[where], half[where])
            rest[where, 0] = np.sqrt(np.maximum(whole - squares, 0))

    def _candidates(self, query: Vectors, k: int) -> Numbers | None:
        """Lines of all that may be among the k nearest, ascending; ``None`` where that is too many to be worth it."""
        if self._turn is None or k < 1:
            return None
        end = len(self._numbers)
        vectors, halves, rests = (
            self._grown.parts[0],
            self._grown.parts[1:3],
            [r[:end, 0] for r in self._grown.parts[3:]],
        )
        first, second = np.split(query @ self._turn, 2)
        own = np.sqrt(np.maximum(query @ query - np.cumsum([first @ first, second @ second]), 0)).astype(np.float32)
        known = halves[0][:end] @ first
        known[self._gone] = _NOWHERE
        tried = min(max(k, _TRIED), len(self))
        likely = np.argpartition(known, end - tried)[end - tried :]
        least = float(np.sort(vectors[likely] @ query)[-min(k, tried)]) - _SLACK
        most = _WORTH * end
        found = self._held(known + own[0] * rests[0] >= least)
        if len(found) > most:  # to read all in order is faster than many apart
            found = self._held(known + halves[1][:end] @ second + own[1] * rests[1] >= least)
            return found if len(found) <= most else None
        bound = known[found] + halves[1][found] @ second + own[1] * rests[1][found]
        return np.asarray(found[bound >= least])

    def _held(self, passed: NDArray[np.bool_]) -> Numbers:
        passed[self._gone] = False  # lines of another state: they may be in the midst of being written
        return np.flatnonzero(passed)


def _directions(vectors: Vectors) -> Vectors:
    """The leading principal directions of evenly spaced vectors. *Shape:* ``(d, LEADING)``"""
    sample = vectors[:: max(1, len(vectors) // _SAMPLE)].astype(np.float64)
    _, found = np.linalg.eigh(sample.T @ sample)
    return np.ascontiguousarray(found[:, ::-1][:, :LEADING], dtype=np.float32)
