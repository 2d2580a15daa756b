"""Usage vectors: how people ask for each tool, read off the clauses of past requests.

Each past path is aligned to its request's clauses (:func:`graphstore.toolgraph.clauses.align`); the vector of the
clause that a call answers becomes a usage vector of the tool called. A request is later compared, clause by clause,
with the usage vectors of every tool: someone has asked for this before in words that no catalog holds.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from graphstore.retrieval.halves import Halves, Vectors, products
from graphstore.retrieval.tool_clauses import Calls, Clauses, split

MOST = 128
"""Usage vectors of one tool, spread evenly over its past stages: a hub needs no more to be recognised."""
WIDE = 32_768
"""Usage vectors up to which they are kept apart as float32; of more the clauses' own float16 are read in place."""
_APART = 4.0  # twice the range of cosines, so that one sort keeps tools apart


@dataclass(frozen=True, slots=True)
class Compared:
    """Cosines of queries and the usage vectors of some tools.

    :param cosines: Of each query and usage vector; those of one tool stand together. *Shape:* ``(q, m)``
    :param lengths: Usage vectors of each tool that has any. *Shape:* ``(u,)``
    :param used: Numbers of these among the tools. *Shape:* ``(u,)``
    :param tools: How many tools there are.
    """

    cosines: Vectors
    lengths: NDArray[np.int64]
    used: NDArray[np.intp]
    tools: int

    def best(self) -> NDArray[np.float32]:
        """Cosine of each query with the nearest usage vector of each tool; −1 without any. *Shape:* ``(q, tools)``"""
        out = np.full((len(self.cosines), self.tools), -1.0, dtype=np.float32)
        if len(self.used):
            out[:, self.used] = np.maximum.reduceat(self.cosines, self._edges, axis=1)
        return out

    def nearest(self, query: int, tool: int) -> int | None:
        """Which of a tool's usage vectors is nearest to a query, from 0; ``None`` without any.

        :param tool: Its number among the tools.
        """
        place = int(np.searchsorted(self.used, tool))
        if place == len(self.used) or self.used[place] != tool:
            return None
        start = int(self._edges[place])
        return int(np.argmax(self.cosines[query, start : start + int(self.lengths[place])]))

    def last(self, queries: int) -> Compared:
        """The same for the last queries only."""
        return replace(self, cosines=self.cosines[-queries:])

    def shares(self, temperature: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """How a vote of each query is shared among all usage vectors, summed by tool. *Shape:* ``(q, tools)`` each

        A usage vector counts ``exp((cos − max) / temperature)``. The second is the same at half the temperature.
        """
        if not len(self.used):
            nothing = np.zeros((len(self.cosines), self.tools))
            return nothing, nothing
        weights = np.exp((self.cosines - self.cosines.max(axis=1, keepdims=True)) / np.float32(temperature))
        return self._shared(weights), self._shared(weights * weights)

    def nearest_few(self, few: int) -> NDArray[np.float64]:
        """Mean of each tool's few largest cosines, each usage vector with its nearest query; −1 without any.

        *Shape:* ``(tools,)``
        """
        out = np.full(self.tools, -1.0)
        owner = np.repeat(np.arange(len(self.used)), self.lengths)
        # by tool, and of one tool the largest first
        ordered = owner - np.sort(owner - self.cosines.max(axis=0, initial=-1.0).astype(np.float64) / _APART)
        rank = np.arange(len(owner)) - np.repeat(self._edges, self.lengths)
        first = rank < few
        sums = np.bincount(owner[first], ordered[first] * _APART, len(self.used))
        out[self.used] = sums / np.minimum(self.lengths, few)
        return out

    @property
    def _edges(self) -> NDArray[np.int64]:
        return np.asarray(np.cumsum(self.lengths) - self.lengths)

    def _shared(self, weights: Vectors) -> NDArray[np.float64]:
        sums = np.add.reduceat(weights, self._edges, axis=1, dtype=np.float64)
        out = np.zeros((len(weights), self.tools))
        out[:, self.used] = sums / sums.sum(axis=1, keepdims=True)
        return out


@dataclass(frozen=True, slots=True)
class UsageVectors:
    """Clauses that tools were used for; those of one tool stand together, tools in the order of their numbers.

    :param vectors: Unit vectors. *Shape:* ``(m, d)``, or ``(any, d)`` with ``rows``
    :param rows: Where in them each usage vector stands; ``None`` if in order. *Shape:* ``(m,)``
    :param starts: Where each tool's usage vectors begin, and the end. *Shape:* ``(n + 1,)``
    :param stages: Number of the stage that each is a clause of. *Shape:* ``(m,)``
    :param places: Of that clause in the stage's request, from 0. *Shape:* ``(m,)``
    """

    vectors: Vectors | Halves
    rows: NDArray[np.intp] | None
    starts: NDArray[np.int64]
    stages: NDArray[np.int32]
    places: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.stages)

    def compared(self, queries: Vectors, tools: NDArray[np.intp]) -> Compared:
        """Cosines of queries and the usage vectors of some tools.

        :param queries: Unit vectors. *Shape:* ``(q, d)``
        :param tools: Numbers of tools, ascending.
        """
        lengths = self.starts[tools + 1] - self.starts[tools]
        used = np.flatnonzero(lengths)
        if not len(used):
            return Compared(np.empty((len(queries), 0), np.float32), lengths[used], used, len(tools))
        whole = len(tools) == len(self.starts) - 1
        cosines = self._cosines(slice(None) if whole else self._of(tools[used]), queries)
        return Compared(np.ascontiguousarray(cosines.T), lengths[used], used, len(tools))

    def best(self, queries: Vectors, tools: NDArray[np.intp]) -> NDArray[np.float32]:
        """Cosine of each query with the nearest usage vector of each tool; −1 without any. *Shape:* ``(q, tools)``

        :param queries: Unit vectors. *Shape:* ``(q, d)``
        :param tools: Numbers of tools, ascending.
        """
        return self.compared(queries, tools).best()

    def _cosines(self, numbers: slice | NDArray[np.int64], queries: Vectors) -> Vectors:
        """Cosine of each of some usage vectors with each query. *Shape:* ``(numbers, q)``"""
        if self.rows is None:
            return np.asarray(self.vectors[numbers] @ queries.T)
        return products(self.vectors.astype(np.float16, copy=False), self.rows[numbers], queries)

    def _of(self, tools: NDArray[np.intp]) -> NDArray[np.int64]:
        starts, lengths = self.starts[tools], self.starts[tools + 1] - self.starts[tools]
        before = np.cumsum(lengths) - lengths
        return np.repeat(starts - before, lengths) + np.arange(int(lengths.sum()))


def gather(clauses: Clauses, called: Calls, tools: int) -> UsageVectors:
    """The usage vectors of all tools.

    :param tools: How many there are.
    """
    kept = called[_spread(split(called)[0], tools)]
    tool, stages, places = split(kept)
    rows = clauses.starts[stages] + places
    apart = len(kept) <= WIDE
    return UsageVectors(
        vectors=clauses.vectors[rows].astype(np.float32) if apart else clauses.vectors,
        rows=None if apart else rows,
        starts=np.searchsorted(tool, np.arange(tools + 1)),
        stages=stages.astype(np.int32),
        places=places.astype(np.int8),
    )


def _spread(tools: NDArray[np.int64], n: int) -> NDArray[np.int64]:
    """Rows to keep, :data:`MOST` a tool, evenly spaced; ``tools`` ascending."""
    counts = np.bincount(tools, minlength=n)
    rank = np.arange(len(tools)) - np.repeat(np.cumsum(counts) - counts, counts)
    size = np.maximum(np.repeat(counts, counts), 1)
    # row r of c is kept if it is the first whose share of MOST reaches the next whole number
    kept = (rank * MOST) // size != ((rank - 1) * MOST) // size
    return np.flatnonzero(kept | (size <= MOST))
