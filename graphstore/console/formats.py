"""Rows as text in the formats that ``graphstore query`` and the console know."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Literal, get_args

from graphstore.console.cells import cell, finite
from graphstore.console.tables import UNLIMITED, Surface, table

Format = Literal["table", "json", "jsonl", "csv", "markdown"]
FORMATS: tuple[Format, ...] = get_args(Format)
Rows = Iterable[Sequence[Any]]

_MARKDOWN = str.maketrans({character: f"\\{character}" for character in "\\|`*_<["})


def lines(form: Format, columns: Sequence[str], rows: Rows, surface: Surface = UNLIMITED) -> Iterator[str]:
    """Lines of the rows in a format, each as soon as its row is there.

    ``json`` is one array, ``jsonl`` one object a row and line. In ``csv`` (RFC 4180, but lines end with a line feed)
    null is empty and lists and maps are JSON. ``table`` is for people: it shortens what does not fit; the others hold
    every value whole.

    :param surface: What a table is drawn on.
    """
    if not columns:  # a statement that returns nothing has no head either
        yield from ["[]"] if form == "json" else []
    elif form == "table":
        yield from table(columns, rows, surface)
    else:
        yield from _WRITERS[form](columns, rows)


def _jsonl(columns: Sequence[str], rows: Rows) -> Iterator[str]:
    for row in rows:
        yield _json({name: finite(value) for name, value in zip(columns, row, strict=True)})


def _json_array(columns: Sequence[str], rows: Rows) -> Iterator[str]:
    previous = None
    for text in _jsonl(columns, rows):
        yield "[" if previous is None else f"{previous},"
        previous = text
    if previous is None:
        yield "[]"
    else:
        yield previous
        yield "]"


def _csv(columns: Sequence[str], rows: Rows) -> Iterator[str]:
    yield _csv_line(columns)
    for row in rows:
        yield _csv_line([_csv_cell(value) for value in row])


def _csv_line(values: Sequence[Any]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="").writerow(values)
    return buffer.getvalue()


def _csv_cell(value: Any) -> Any:
    if isinstance(value, bool | list | dict):
        return _json(finite(value))
    return finite(value)


def _markdown(columns: Sequence[str], rows: Rows) -> Iterator[str]:
    yield _markdown_line(columns)
    yield "|" + " --- |" * len(columns)
    for row in rows:
        yield _markdown_line(row)


def _markdown_line(values: Sequence[Any]) -> str:
    return "|" + "".join(f" {_markdown_cell(value)} |" for value in values)


def _markdown_cell(value: Any) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        return cell(value).translate(_MARKDOWN)
    parts = value.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "<br>".join(cell(part).translate(_MARKDOWN) for part in parts)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


_WRITERS: dict[str, Callable[[Sequence[str], Rows], Iterator[str]]] = {
    "json": _json_array,
    "jsonl": _jsonl,
    "csv": _csv,
    "markdown": _markdown,
}
