"""Paths side by side: what they have in common stands in one row."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

Step = tuple[str, ...]
"""Tools that are called together, sorted; most steps hold one."""


def steps_of(tools: Sequence[str], numbers: Sequence[int] | None) -> tuple[Step, ...]:
    """The steps of a path.

    :param numbers: Step of each tool, ascending; without them each tool is a step.

    >>> steps_of(["find", "open", "copy", "send"], [0, 1, 1, 2])
    (('find',), ('open', 'copy'), ('send',))
    """
    steps: list[list[str]] = []
    last = None
    for tool, number in zip(tools, numbers or range(len(tools)), strict=True):
        if number != last:
            steps.append([])
        steps[-1].append(tool)
        last = number
    return tuple(tuple(step) for step in steps)


def side_by_side(paths: Sequence[Sequence[Step]]) -> list[tuple[Step | None, ...]]:
    """Rows of a table with a column a path; ``None`` where a path makes no such step.

    Each path is laid beside those before it so that as many equal steps as possible share a row. Read down, a column
    gives its path.

    >>> side_by_side([[("find",), ("send",)], [("find",), ("open",), ("send",)]])
    [(('find',), ('find',)), (None, ('open',)), (('send',), ('send',))]
    """
    rows: list[list[Step | None]] = []
    for column, path in enumerate(paths):
        known = [next(step for step in row if step is not None) for row in rows]
        merged: list[list[Step | None]] = []
        matcher = SequenceMatcher(None, known, list(path), autojunk=False)
        for _, first, last, start, end in matcher.get_opcodes():
            equal = known[first:last] == list(path[start:end])
            if equal:
                merged += [[*row, step] for row, step in zip(rows[first:last], path[start:end], strict=True)]
            else:
                merged += [[*row, None] for row in rows[first:last]]
                merged += [[*[None] * column, step] for step in path[start:end]]
        rows = merged
    return [tuple(row) for row in rows]
