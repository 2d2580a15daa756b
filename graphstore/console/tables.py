"""Tables that fit a terminal, printed while rows still arrive."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from graphstore.console.cells import cell, cut, number, visible, width

_SAMPLE = 50  # rows that decide the widths of the columns
_PATIENCE = 0.3  # seconds until the rows at hand decide
_NARROWEST = 6  # columns a cell needs; where there is no room for it, each row becomes a block
_LINES = 4  # lines that a cell may take; what is left out is marked by …
_MORE = "…"


@dataclass(frozen=True, slots=True)
class Surface:
    """What a table is drawn on.

    :param fit: Columns of the terminal; ``None`` means unlimited, and then no cell is wrapped or cut.
    :param ascii_only: Whether it knows ASCII characters only.
    """

    fit: int | None = None
    ascii_only: bool = False


UNLIMITED = Surface()


def table(columns: Sequence[str], rows: Iterable[Sequence[Any]], surface: Surface = UNLIMITED) -> Iterator[str]:
    """Lines of a table; a head is printed for no rows too.

    The first rows decide the widths; longer cells of later rows are wrapped into them.
    """
    fit = surface.fit
    names = [visible(name) for name in columns]
    source = iter(rows)
    sample = _sample(source)
    texts = [[cell(value) for value in row] for row in sample]
    bar, rule = (" | ", "-") if surface.ascii_only else (" │ ", "─")
    wanted = [max([width(name), *(width(row[index]) for row in texts), 1]) for index, name in enumerate(names)]
    widths = _widths(wanted, None if fit is None else fit - len(bar) * (len(names) - 1))
    if widths is None:
        yield from _blocks(names, sample, source, fit or 0, bar, rule)
        return
    wrap = fit is not None
    yield from _row(names, [False] * len(names), widths, bar, wrap)
    yield _joint(bar, rule).join(rule * size for size in widths)
    for row in _chained(sample, source):
        yield from _row([cell(value) for value in row], [number(value) for value in row], widths, bar, wrap)


def _sample(source: Iterator[Sequence[Any]]) -> list[Sequence[Any]]:
    sample: list[Sequence[Any]] = []
    started = time.monotonic()
    for row in source:
        sample.append(row)
        if len(sample) >= _SAMPLE or time.monotonic() - started > _PATIENCE:
            break
    return sample


def _chained(sample: list[Sequence[Any]], source: Iterator[Sequence[Any]]) -> Iterator[Sequence[Any]]:
    yield from sample
    yield from source


def _widths(wanted: list[int], room: int | None) -> list[int] | None:
    """Widths that fill ``room`` at most: narrow columns get what they want, wide ones share the rest evenly."""
    if room is None or sum(wanted) <= room:
        return wanted
    left, open_columns, widths = room, sorted(range(len(wanted)), key=wanted.__getitem__), list(wanted)
    while open_columns:
        index = open_columns.pop(0)
        widths[index] = min(wanted[index], left // (len(open_columns) + 1))
        left -= widths[index]
    narrow = any(size < min(_NARROWEST, want) for size, want in zip(widths, wanted, strict=True))
    return None if narrow else widths


def _row(texts: Sequence[str], right: Sequence[bool], widths: Sequence[int], bar: str, wrap: bool) -> Iterator[str]:
    pieces = [_wrapped(text, size) if wrap else [text] for text, size in zip(texts, widths, strict=True)]
    for line in range(max((len(piece) for piece in pieces), default=0)):
        parts = [
            _padded(piece[line] if line < len(piece) else "", size, at_right)
            for piece, size, at_right in zip(pieces, widths, right, strict=True)
        ]
        yield bar.join(parts).rstrip()


def _wrapped(text: str, columns: int) -> list[str]:
    lines: list[str] = []
    while width(text) > columns and len(lines) < _LINES - 1:
        line, text = _broken(text, columns)
        lines.append(line)
    if width(text) > columns:
        text = cut(text, columns - 1)[0] + _MORE
    return [*lines, text]


def _broken(text: str, columns: int) -> tuple[str, str]:
    """A line of ``text`` and the rest: broken at a space if there is one in the line's second half."""
    line, rest = cut(text, columns)
    if not line:  # a wide character and a column of one
        return text[:1], text[1:]
    space = line.rfind(" ")
    if rest.startswith(" "):
        return line, rest.lstrip(" ")
    if space > len(line) // 2:
        return line[:space], (line[space:] + rest).lstrip(" ")
    return line, rest


def _padded(text: str, size: int, right: bool) -> str:
    space = " " * max(size - width(text), 0)
    return space + text if right else text + space


def _joint(bar: str, rule: str) -> str:
    return rule + ("+" if rule == "-" else "┼") + rule


def _blocks(
    names: list[str], sample: list[Sequence[Any]], source: Iterator[Sequence[Any]], fit: int, bar: str, rule: str
) -> Iterator[str]:
    """Each row as lines of ``column │ value``, for more columns than the terminal has room for."""
    size = min(max(map(width, names)), max(fit // 3, 1))
    room = max(fit - size - len(bar), 1)
    for count, row in enumerate(_chained(sample, source), start=1):
        title = f"{rule}{rule} {count} "
        yield title + rule * max(fit - len(title), 0)
        for name, value in zip(names, row, strict=True):
            yield from _row([name, cell(value)], [False, False], [size, room], bar, True)
