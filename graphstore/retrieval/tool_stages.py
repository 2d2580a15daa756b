"""Solved stages as numbers: made of their rows, or of those that changed and of what was made of the others before."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from graphstore.retrieval.nearest import Nearest
from graphstore.retrieval.tool_clauses import Calls, Clauses, calls, calls_after
from graphstore.retrieval.tool_order import places
from graphstore.retrieval.tool_rows import Since
from graphstore.toolgraph.fusion import sparse
from graphstore.toolgraph.mining import usage

Row = Mapping[str, Any]
Numbers = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class PastStage:
    """A solved stage.

    :param paths: The paths that solved it: the ``shortest_solvable_path`` first, then shorter before longer.
    """

    id: str
    request: str
    paths: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, row: Row) -> PastStage:
        """From a row of ``retrieve/tool_solved_stages``."""
        return cls(row["id"], row["request"], _paths(row["paths"]))

    def path_with(self, tool: str) -> tuple[str, ...] | None:
        """The first of its paths that uses a tool."""
        return next((path for path in self.paths if tool in path), None)


@dataclass(frozen=True, slots=True)
class Change:
    """What became of tools and stages.

    :param tools: The new number of each tool; they stay in order.
    :param since: What became of the stages.
    :param stale: New numbers of the stages that were written, or that used tools with other vectors now; ascending.
    :param stages: The new number of each earlier stage, in order; −1 for one that did not stay as it was.
    """

    tools: Numbers
    since: Since
    stale: Numbers
    stages: Numbers

    @classmethod
    def of(cls, usage: sp.csr_array, since: Since, tools: Numbers, moved: Numbers) -> Change:
        """The change of tools and stages.

        :param usage: Which tools each stage used before. *Shape:* ``(s, n)``
        :param moved: Numbers before of tools whose vectors are others now.
        """
        again = np.empty(0, dtype=np.intp)
        if len(moved):
            used = np.diff(usage[:, moved].indptr) > 0
            again = np.flatnonzero((since.numbers >= 0) & used[since.numbers])
        stale = np.union1d(since.written, again)
        stays = since.numbers >= 0
        stays[stale] = False
        stages = np.full(usage.shape[0], -1, dtype=np.intp)
        stages[since.numbers[stays]] = np.flatnonzero(stays)
        return cls(tools, since, stale, stages)

    def touched(self, before: sp.csr_array, after: sp.csr_array) -> Numbers:
        """New numbers of the tools that stages which did not stay as they are used, before or after."""
        was = self.tools[before[np.flatnonzero(self.stages < 0)].indices]
        return np.union1d(was, after[self.stale].indices)


@dataclass(frozen=True, slots=True)
class Past:
    """All solved stages, sorted by id. They grow: :meth:`after` has work for those that changed alone.

    :param nearest: Finds the nearest of the stages' requests, and holds their unit vectors.
    :param clauses: Of the stages' requests.
    :param called: For which of these each tool was called.
    :param usage: How much each tool belongs to each stage's solutions, in [0, 1]. *Shape:* ``(s, n)``
    :param places: Where in each stage's paths each tool is first called, in (0, 1). *Shape:* ``(s, n)``
    """

    stages: tuple[PastStage, ...]
    nearest: Nearest
    clauses: Clauses
    called: Calls
    usage: sp.csr_array
    places: sp.csc_array

    @classmethod
    def of(cls, rows: Sequence[Row], index: Mapping[str, int], vectors: NDArray[np.float32]) -> Past:
        """All stages.

        :param rows: Of ``retrieve/tool_solved_stages``.
        :param index: Number of each tool.
        :param vectors: Unit vectors of the tools' own texts. *Shape:* ``(n, d)``
        """
        dimensions = vectors.shape[1]
        clauses = Clauses.of([_clause_vectors(row, dimensions) for row in rows], dimensions)
        return cls(
            stages=tuple(map(PastStage.of, rows)),
            nearest=Nearest([row["embedding"] for row in rows], dimensions),
            clauses=clauses,
            called=calls(clauses, np.arange(len(rows)), [_tools(row, index) for row in rows], vectors),
            usage=_by_stage(rows, index, _shares),
            places=sp.csc_array(_by_stage(rows, index, _places)),
        )

    def after(
        self, rows: Sequence[Row], change: Change, index: Mapping[str, int], vectors: NDArray[np.float32]
    ) -> Past:
        """All stages, where some of them changed since these."""
        since = change.since
        written = [rows[number] for number in since.written.tolist()]
        made = dict(zip(since.written.tolist(), map(PastStage.of, written), strict=True))
        clauses = self._clauses(since, [_clause_vectors(row, vectors.shape[1]) for row in written])
        stale = [_tools(rows[number], index) for number in change.stale.tolist()]
        new = calls(clauses, change.stale, stale, vectors)
        places = _by_stage(written, index, _places)
        return Past(
            stages=tuple(made.get(now) or self.stages[was] for now, was in enumerate(since.numbers.tolist())),
            nearest=self._nearest(since, [row["embedding"] for row in written]),
            clauses=clauses,
            called=calls_after(self.called, change.tools, change.stages, new),
            usage=_merged(self.usage, _by_stage(written, index, _shares), change),
            places=sp.csc_array(_merged(sp.csr_array(self.places), places, change)),
        )

    def shares(self, other: Past) -> bool:
        """Whether both hold what they have in common in the same place."""
        return self.nearest.shares(other.nearest) and self.clauses.shares(other.clauses)

    def _nearest(self, since: Since, written: Sequence[NDArray[np.float32] | None]) -> Nearest:
        # a stage of the same request as before, in a new run, keeps the vector that it has
        return self.nearest.after(*_added(since, written, self.nearest))

    def _clauses(self, since: Since, written: Sequence[NDArray[np.float16]]) -> Clauses:
        return self.clauses.after(*_added(since, written, self.clauses))


def _added(since: Since, written: Sequence[Any], held: Nearest | Clauses) -> tuple[Numbers, list[Any]]:
    """Of each stage the number of what is held of it, −1 for one of which that is not what was written; and that."""
    numbers, new = since.numbers.copy(), []
    for number, vectors in zip(since.written.tolist(), written, strict=True):
        if numbers[number] < 0 or not np.array_equal(held[int(numbers[number])], vectors):
            numbers[number] = -1
            new.append(vectors)
    return numbers, new


def _merged(before: sp.csr_array, new: sp.csr_array, change: Change) -> sp.csr_array:
    """The rows of a matrix with those put in place that were written."""
    columns = change.tools[before.indices].astype(before.indices.dtype)
    old = sp.csr_array((before.data, columns, before.indptr), shape=(before.shape[0], new.shape[1]))
    order = change.since.numbers.copy()
    order[change.since.written] = before.shape[0] + np.arange(new.shape[0])
    return sp.csr_array(sp.vstack([old, new], format="csr")[order])


def _by_stage(
    rows: Sequence[Row], index: Mapping[str, int], of_tools: Callable[[Row], Mapping[str, float]]
) -> sp.csr_array:
    """A number for each stage and tool that its paths hold. *Shape:* ``(s, n)``"""
    numbers, columns, values = [], [], []
    for number, row in enumerate(rows):
        for tool, value in of_tools(row).items():
            numbers.append(number)
            columns.append(index[tool])
            values.append(value)
    return sparse(numbers, columns, values, (len(rows), len(index)))


def _shares(row: Row) -> Mapping[str, float]:
    return usage((path["tools"], path["count"] * path["efficiency"]) for path in row["paths"])


def _places(row: Row) -> Mapping[str, float]:
    return places(
        (path["tools"], path.get("steps") or range(len(path["tools"])), path["count"] * path["efficiency"])
        for path in row["paths"]
    )


def _clause_vectors(row: Row, dimensions: int) -> NDArray[np.float16]:
    """Of a request of one clause that is its own; one without a vector has none."""
    written = row.get("clauses")
    if written is not None and len(written):
        return np.frombuffer(written, dtype=np.float16).reshape(-1, dimensions)
    if row["embedding"] is None:
        return np.empty((0, dimensions), dtype=np.float16)
    return np.array(row["embedding"], dtype=np.float16).reshape(1, dimensions)


def _tools(row: Row, index: Mapping[str, int]) -> list[list[int]]:
    return [[index[tool] for tool in path["tools"]] for path in row["paths"]]


def _paths(paths: Sequence[Row]) -> tuple[tuple[str, ...], ...]:
    ranked = sorted(paths, key=lambda path: (not path["shortest"], len(path["tools"]), -path["count"], path["tools"]))
    return tuple(tuple(path["tools"]) for path in ranked)
