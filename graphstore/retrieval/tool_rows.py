"""The rows that a snapshot is made of, kept so that a later state can be read as what changed since."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from sys import intern
from typing import Any

import numpy as np
from numpy.typing import NDArray

Row = dict[str, Any]

_BLOCK = 40 << 20  # bytes: above what the C library ever keeps for itself; pages that are not written to cost nothing
_ALIGNED = 64

CHANGED: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "retrieve/tool_catalog": ("retrieve/tool_catalog_changed", ("id",)),
    "retrieve/tool_solved_stages": ("retrieve/tool_stages_changed", ("id",)),
    "retrieve/tool_next": ("retrieve/tool_next_changed", ("source", "target")),
}
"""Statement → the one that returns its rows that were written since a version, and what identifies a row."""
NOTED: Mapping[str, str] = {
    "retrieve/tool_similar": "similar",
    "retrieve/tool_tried": "tried",
    "retrieve/tool_requires": "requires",
}
"""Statement → the column of ``retrieve/tool_changes`` that tells when one of its rows was last written: they are read
whole then, and not before."""


@dataclass(frozen=True, slots=True)
class Since:
    """What became of the rows of an earlier state.

    :param numbers: For each row that of the one which had its key before; −1 for a new one. *Shape:* ``(rows,)``
    :param written: Numbers of the rows that are new or were written since, ascending.
    """

    numbers: NDArray[np.intp]
    written: NDArray[np.intp]

    @classmethod
    def nothing(cls, rows: int) -> Since:
        """All rows are new."""
        return cls(np.full(rows, -1, dtype=np.intp), np.arange(rows))


@dataclass(frozen=True, slots=True)
class ToolRows:
    """The rows of statements at one version.

    :param rows: Statement → its rows, sorted by what identifies them.
    :param since: Of statements whose rows are known one by one: what became of those before.
    """

    rows: Mapping[str, list[Row]]
    since: Mapping[str, Since] = field(default_factory=dict)

    @classmethod
    def read(cls, names: Sequence[str], results: Sequence[list[Row]]) -> ToolRows:
        """The rows of statements that were read whole."""
        return cls({name: _sorted(name, rows) for name, rows in zip(names, results, strict=True)})

    def after(self, names: Sequence[str], results: Sequence[list[Row]]) -> ToolRows:
        """The rows with those put in place that were written since or read whole; of others, as they are."""
        found = dict(zip(names, results, strict=True))
        merged = {name: _merged(name, self.rows[name], found[name]) for name in names if name in CHANGED}
        rows = {
            name: merged[name][0] if name in merged else found.get(name, known) for name, known in self.rows.items()
        }
        return ToolRows(rows, {name: since for name, (_, since) in merged.items()})

    def share(
        self,
        name: str,
        numbers: NDArray[np.intp],
        vector: Callable[[int], NDArray[np.float32]],
        clauses: Callable[[int], NDArray[np.float16]] | None = None,
    ) -> None:
        """Let some rows hold lines of matrices as their vectors, so that these are in memory once."""
        rows = self.rows[name]
        for number in numbers.tolist():
            if rows[number]["embedding"] is not None:
                rows[number]["embedding"] = vector(number)
            if clauses is not None:
                rows[number]["clauses"] = clauses(number)


class Packed:
    """Rows in a tenth of the memory that they come in: call it with each as it arrives.

    Vectors are float32, and what many rows repeat (names of fields, ids of tools, paths) is in memory once. Vectors
    lie in a few large blocks, which go back to the system when the rows let go of them; a hundred thousand small pieces
    would stay, as holes.
    """

    def __init__(self) -> None:
        self._block = np.empty(0, dtype=np.uint8)
        self._used = 0
        self._paths: dict[tuple[Any, ...], Row] = {}

    def __call__(self, row: Row) -> Row:
        """The row, packed."""
        row = {intern(name): value for name, value in row.items()}
        if row.get("embedding") is not None:
            row["embedding"] = self._kept(np.array(row["embedding"], dtype=np.float32))
        if row.get("clauses"):
            row["clauses"] = self._kept(np.frombuffer(row["clauses"], dtype=np.float16))
        if "paths" in row:
            row["paths"] = [self._path(path) for path in row["paths"]]
        return row

    def _path(self, path: Row) -> Row:
        """A path, packed; the same one for all stages that it solved alike."""
        kept = {intern(name): value for name, value in path.items()}
        kept["tools"] = tuple(map(intern, kept["tools"]))
        steps = kept.pop("steps", None)
        if steps and steps[-1] < len(steps) - 1:  # else each tool is a step of its own
            kept["steps"] = tuple(steps)
        return self._paths.setdefault(tuple(kept.items()), kept)

    def _kept(self, values: NDArray[Any]) -> NDArray[Any]:
        size = values.nbytes
        if self._used + size > len(self._block):
            self._block, self._used = np.empty(max(_BLOCK, size), dtype=np.uint8), 0
        kept = self._block[self._used : self._used + size].view(values.dtype)
        kept[:] = values
        self._used += -(-size // _ALIGNED) * _ALIGNED
        return kept


def _merged(name: str, before: list[Row], written: list[Row]) -> tuple[list[Row], Since]:
    """Rows with those put in place that were written since; but for copying references, work for these alone."""
    key = itemgetter(*CHANGED[name][1])
    rows: list[Row] = []
    numbers, places, done = [np.empty(0, dtype=np.intp)], [], 0
    for row in sorted(written, key=key):
        at = bisect_left(before, key(row), lo=done, key=key)
        known = at < len(before) and key(before[at]) == key(row)
        rows += before[done:at]
        numbers.append(np.arange(done, at))
        if not _unsolved(row):
            places.append(len(rows))
            rows.append(row)
            numbers.append(np.array([at if known else -1]))
        done = at + known
    numbers.append(np.arange(done, len(before)))
    rows += before[done:]
    return rows, Since(np.concatenate(numbers), np.array(places, dtype=np.intp))


def _sorted(name: str, rows: list[Row]) -> list[Row]:
    # as Python orders texts, which is not quite as the server does
    return sorted(rows, key=itemgetter(*CHANGED[name][1])) if name in CHANGED else rows


def _unsolved(row: Row) -> bool:
    return "paths" in row and (not row["paths"] or row["embedding"] is None)
