"""Figures as aligned lines of text. Shared by evaluations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

ALPHA = 0.01


def aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Rows as lines: the first column to the left, the others to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for first, *cells in rows:
        yield "  ".join(
            [first.ljust(widths[0]), *(c.rjust(w) for c, w in zip(cells, widths[1:], strict=True))]
        ).rstrip()


def mark(row: Mapping[str, Any]) -> str:
    """``*`` where the product is better beyond chance, ``†`` where it is worse, a blank where neither is shown."""
    if row["p_holm"] >= ALPHA:
        return " "
    return "*" if row["difference"] > 0 else "†"


def cell(value: float | None, name: str) -> str:
    """A figure: three decimals, or a whole number of tokens."""
    if value is None:
        return "–"
    return f"{value:,.0f}" if name.startswith("tokens") else f"{value:.3f}"
