"""The report of an evaluation of entities as lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

_PARTS = ("types", "types_gold_types", "scripts")
_SHOWN = 12


def lines_of(report: Mapping[str, Any]) -> Iterator[str]:
    """Lines: what was asked, a row a method, then what the report has besides."""
    pairs = f", {report['pairs']} true pairs" if "pairs" in report else ""
    yield f"{report['dataset']}: {report['questions']} {report.get('items', 'records')}{pairs}, {report['protocol']}"
    yield from _rows(report["methods"])
    for part in _PARTS:
        if part in report:
            yield part.replace("_", " ") + ":"
            yield from _rows(report[part])
    for row in report.get("calibration", ()):
        yield f"confidence from {row['from']:.2f}: {row['links']} links, {row['right']:.4f} right"
    for row in report.get("false_merges", ())[:_SHOWN]:
        things = " | ".join(", ".join(names) for names in row["things"][:5])
        yield f"joined wrongly ({row['wrong_pairs']} pairs, topic {row['topic']}): {things}"


def _rows(rows: Mapping[str, Mapping[str, float]]) -> Iterator[str]:
    width = max(map(len, rows), default=0)
    for name, figures in rows.items():
        yield f"{name:<{width}} " + "  ".join(f"{key} {_number(value)}" for key, value in figures.items())


def _number(value: float | None) -> str:
    if value is None:
        return "-"
    return str(value) if isinstance(value, int) else f"{value:.4f}"
