"""A statement's plan as rows of a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

_MEASURED = ("rows", "db hits")


def plan_table(plan: Mapping[str, Any]) -> tuple[tuple[str, ...], list[list[Any]]]:
    """Columns and rows of a plan, the last step first as the server prints it; measured ones if it was profiled.

    A step reads the one below it; of two that it joins, the second stands first, indented.
    """
    rows = list(_steps(plan, 0))
    columns = ("operator", "details", "estimated rows", *_MEASURED)
    if all(value is None for row in rows for value in row[3:]):
        return columns[:3], [row[:3] for row in rows]
    return columns, rows


def _steps(plan: Mapping[str, Any], depth: int) -> Iterator[list[Any]]:
    arguments = plan.get("args", {})
    estimated = arguments.get("EstimatedRows")
    yield [
        "| " * depth + str(plan["operatorType"]).partition("@")[0],
        str(arguments.get("Details", "")),
        None if estimated is None else round(estimated),
        arguments.get("Rows"),
        arguments.get("DbHits"),
    ]
    children: list[Mapping[str, Any]] = list(plan.get("children", ()))
    for other in children[1:]:
        yield from _steps(other, depth + 1)
    for first in children[:1]:
        yield from _steps(first, depth)
