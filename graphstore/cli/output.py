"""How results are printed: JSON for machines, short lines for people."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from graphstore.models import LoadReport
    from graphstore.navigation.records import Answer

_SHOWN = 20


def print_json(value: Any) -> None:
    """Print one JSON value on one line; a half surrogate, which no encoding has, is written as an escape."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    click.echo(text if text.isascii() or _is_unicode(text) else json.dumps(value, default=str))


def _is_unicode(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def print_answer(answer: Answer, *, as_json: bool) -> None:
    """Print what navigation answers: to be read, or as JSON."""
    if as_json:
        print_json(answer.to_dict())
    else:
        click.echo(answer.markdown)


def print_lines(value: Any, lines: Callable[[Any], Iterable[str]], *, as_json: bool) -> None:
    """Print a value as JSON, or the lines that are made of it."""
    if as_json:
        print_json(value)
        return
    for line in lines(value):
        click.echo(line)


def report_load(
    report: LoadReport, *, as_json: bool, allow_failures: bool, more: Mapping[str, Any] | None = None
) -> int:
    """Print what a load did; the exit status: 1 if records failed, unless that is allowed.

    :param more: Put beside it in JSON.
    """
    if as_json:
        print_json({**report.to_dict(), **(more or {})})
    else:
        click.echo(summary(report))
    for text in report.warnings[:_SHOWN]:
        click.echo(f"warning: {text}", err=True)
    for text in report.rejected[:_SHOWN]:
        click.echo(f"skipped: {text}", err=True)
    for kind, texts in (("warnings", report.warnings), ("skipped records", report.rejected)):
        if len(texts) > _SHOWN:
            click.echo(f"… {len(texts) - _SHOWN} more {kind}; --json lists all", err=True)
    return 1 if report.rejected and not allow_failures else 0


def summary(report: LoadReport) -> str:
    """One line that counts what a load did."""
    parts = [f"{report.created} new", f"{report.changed} changed", f"{report.unchanged} unchanged"]
    if report.moved:
        parts.append(f"{report.moved} moved")
    if report.removed:
        parts.append(f"{report.removed} removed")
    if report.rejected:
        parts.append(f"{len(report.rejected)} skipped")
    return f"{report.kind}: {report.read} read, {', '.join(parts)}"
