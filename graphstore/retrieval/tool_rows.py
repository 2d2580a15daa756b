"""The rows that a snapshot is made of, kept so that a later state can be read as what changed since."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

Row = dict[str, Any]

CHANGED: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "retrieve/tool_catalog": ("retrieve/tool_catalog_changed", ("id",)),
    "retrieve/tool_solved_stages": ("retrieve/tool_stages_changed", ("id",)),
    "retrieve/tool_next": ("retrieve/tool_next_changed", ("source", "target")),
}
"""Statement → the one that returns its rows that were written since a version, and what identifies a row. The rows of
other statements are few, and read whole."""


@dataclass(frozen=True, slots=True)
class ToolRows:
    """The rows of statements at one version.

    :param rows: Statement → its rows, sorted by what identifies them.
    """

    rows: Mapping[str, list[Row]]

    @classmethod
    def read(cls, names: Sequence[str], results: Sequence[list[Row]]) -> ToolRows:
        """The rows of statements that were read whole."""
        return cls({name: _sorted(name, rows) for name, rows in zip(names, results, strict=True)})

    def after(self, names: Sequence[str], results: Sequence[list[Row]]) -> ToolRows:
        """The rows with those put in place that were written since, or that are few and were read whole."""
        found = dict(zip(names, results, strict=True))
        return ToolRows({name: self._merged(name, found[name]) for name in self.rows})

    def share(self, name: str, vectors: NDArray[np.float32]) -> None:
        """Let the rows hold the lines of a matrix as their vectors, so that these are in memory once."""
        for row, vector in zip(self.rows[name], vectors, strict=True):
            if row["embedding"] is not None:
                row["embedding"] = vector

    def _merged(self, name: str, written: list[Row]) -> list[Row]:
        if name not in CHANGED or not written:
            return self.rows[name] if name in CHANGED else written
        key = itemgetter(*CHANGED[name][1])
        merged = {key(row): row for row in self.rows[name]}
        merged.update((key(row), row) for row in written)
        return _sorted(name, [row for row in merged.values() if not _unsolved(row)])


def packed(row: Row) -> Row:
    """The row with its vector as float32: a list of numbers takes eight times the memory."""
    if row.get("embedding") is not None:
        row["embedding"] = np.array(row["embedding"], dtype=np.float32)
    return row


def _sorted(name: str, rows: list[Row]) -> list[Row]:
    # as Python orders texts, which is not quite as the server does
    return sorted(rows, key=itemgetter(*CHANGED[name][1])) if name in CHANGED else rows


def _unsolved(row: Row) -> bool:
    return "paths" in row and (not row["paths"] or row["embedding"] is None)
