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

import numpy as np
from numpy.typing import NDArray

from graphstore.retrieval.ppr import top

Vectors = NDArray[np.float32]

LEAST = 8192
"""Vectors below which all are compared: the product takes a millisecond."""
LEADING = 128
"""Coordinates that are read of each at the most; an even number."""
_SAMPLE = 8192  # vectors that the principal directions are those of
_TRIED = 1024  # likely ones whose cosines tell how near the k-th is at least: of fifty only, three times as many pass
_WORTH = 0.25  # share of candidates above which comparing all is faster
_SLACK = 1e-5  # more than float32 loses in a turn


class Nearest:
    """An index of unit vectors.

    :param vectors: *Shape:* ``(n, d)``
    :param before: An index of other vectors whose directions are taken over: they only decide how fast this is.
    """

    def __init__(self, vectors: Vectors, before: Nearest | None = None) -> None:
        self._vectors = vectors
        self._turn: Vectors | None = None
        if len(vectors) < LEAST or vectors.shape[1] <= LEADING:
            return
        kept = before._turn if before is not None and before._turn is not None else _directions(vectors)
        self._turn = kept
        # each half by itself, as memory is read by lines
        self._halves = [np.ascontiguousarray(vectors @ part) for part in np.split(kept, 2, axis=1)]
        squares = np.cumsum([np.einsum("ij,ij->i", half, half) for half in self._halves], axis=0)
        self._rests = np.sqrt(np.maximum(np.einsum("ij,ij->i", vectors, vectors) - squares, 0))

    def top(self, query: Vectors, k: int) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """Numbers of the k nearest, nearest first, equal ones by number; and their cosines. *Shape:* ``(min(k, n),)``

        :param query: A unit vector. *Shape:* ``(d,)``
        """
        candidates = self._candidates(query, k)
        if candidates is None:
            cosines = (self._vectors @ query).astype(np.float64)
            best = top(cosines, k)
            return best, cosines[best]
        cosines = (self._vectors[candidates] @ query).astype(np.float64)
        best = top(cosines, k)
        return candidates[best], cosines[best]

    def _candidates(self, query: Vectors, k: int) -> NDArray[np.intp] | None:
        """Numbers of all that may be among the k nearest, ascending; ``None`` where that is too many to be worth it."""
        if self._turn is None or k < 1:
            return None
        first, second = np.split(query @ self._turn, 2)
        rests = np.sqrt(np.maximum(query @ query - np.cumsum([first @ first, second @ second]), 0)).astype(np.float32)
        known = self._halves[0] @ first
        tried = min(max(k, _TRIED), len(known))
        likely = np.argpartition(known, len(known) - tried)[len(known) - tried :]
        least = float(np.sort(self._vectors[likely] @ query)[-min(k, tried)]) - _SLACK
        most = _WORTH * len(known)
        found = np.flatnonzero(known + rests[0] * self._rests[0] >= least)
        if len(found) > most:  # to read all in order is faster than many apart
            found = np.flatnonzero(known + self._halves[1] @ second + rests[1] * self._rests[1] >= least)
            return found if len(found) <= most else None
        bound = known[found] + self._halves[1][found] @ second + rests[1] * self._rests[1][found]
        return np.asarray(found[bound >= least])


def _directions(vectors: Vectors) -> Vectors:
    """The leading principal directions of evenly spaced vectors. *Shape:* ``(d, LEADING)``"""
    sample = vectors[:: max(1, len(vectors) // _SAMPLE)].astype(np.float64)
    _, found = np.linalg.eigh(sample.T @ sample)
    return np.ascontiguousarray(found[:, ::-1][:, :LEADING], dtype=np.float32)
