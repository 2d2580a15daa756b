"""Rows of delimited text (CSV with any delimiter), streamed: what is broken is named, and the rest is read."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from graphstore.records import Rejected

from .lines import LIMIT, Line, lines, open_stream

_DELIMITERS = ",;\t|%^~:"
_SAMPLE = 20
_OPEN = "a quote is opened and not closed at the end of its value"


def delimited_rows(path: Path) -> Iterator[tuple[int, list[str] | Rejected]]:
    """Each row with the number of its first line; the first row is the header, blank ones are left out.

    A value in quotes may hold line ends. A quote that is never closed, or only inside a later row's value, would
    take in the rows behind it: then the line that opens it is rejected alone, and a row begins on the next.
    Bytes that are not UTF-8 stand in the values as half surrogates.

    :raises LoadError: The file cannot be opened or read, is damaged gzip, or is UTF-16.
    """
    with open_stream(path) as stream:
        text = _Text(lines(stream))
        mark = delimiter(text.ahead(_SAMPLE))
        reader = _reader(text, mark)
        while True:
            text.begin_row()
            try:
                row = next(reader)
                reason = _OPEN if text.ran_out or not _well_quoted(text.row, mark) else None
            except StopIteration:
                return
            except csv.Error as error:
                row, reason = [], f"not readable as delimited text ({error})"
            if reason is not None:
                yield text.begun, Rejected(str(path), text.begun, reason)
                text.again_from_second_line()
                reader = _reader(text, mark)
            elif text.too_long is not None:
                reason = f"longer than {LIMIT >> 20} MiB: skipped"
                yield text.too_long, Rejected(str(path), text.too_long, reason)
            elif any(value.strip() for value in row):
                yield text.begun, row


def delimiter(head: Iterable[str]) -> str:
    """The character that cuts the most of these lines into as many fields as the first, and into more than one.

    >>> delimiter(["id%title%year", "0%Of, by and for%1999"])
    '%'
    """
    written = [line for line in head if line.strip()]

    def cut(mark: str) -> tuple[int, int]:
        counts = [len(row) for row in _reader(written, mark)]
        return (sum(count == counts[0] for count in counts), counts[0]) if counts and counts[0] > 1 else (0, 0)

    try:
        return max(_DELIMITERS, key=lambda mark: (*cut(mark), -_DELIMITERS.index(mark)))
    except csv.Error:
        return _DELIMITERS[0]


def _reader(text: Iterable[str], mark: str, *, strict: bool = False) -> Iterator[list[str]]:
    return csv.reader(text, delimiter=mark, skipinitialspace=True, strict=strict)


def _well_quoted(row: list[Line], mark: str) -> bool:
    """Whether each quote of a row over several lines stands at an end of a value."""
    if len(row) == 1:
        return True
    try:
        return len(list(_reader(map(_decoded, row), mark, strict=True))) == 1
    except csv.Error:
        return False


class _Text(Iterator[str]):
    """Lines as text; those of the row that is being read are held, so that they can be read again.

    :ivar row: The lines since the row began.
    :ivar ran_out: Whether a line was asked for after the last one.
    """

    def __init__(self, source: Iterator[Line]) -> None:
        self._source = source
        self._waiting: list[Line] = []
        self.begin_row()

    def begin_row(self) -> None:
        self.row: list[Line] = []
        self.ran_out = False

    def __next__(self) -> str:
        line = self._waiting.pop() if self._waiting else next(self._source, None)
        if line is None:
            self.ran_out = True
            raise StopIteration
        self.row.append(line)
        return _decoded(line)

    def ahead(self, count: int) -> list[str]:
        """The next lines, which are handed out again afterwards."""
        head = list(islice(self._source, count))
        self._waiting = head[::-1]
        return [_decoded(line) for line in head]

    def again_from_second_line(self) -> None:
        """Hands out all lines of the row but its first once more."""
        self._waiting.extend(self.row[:0:-1])

    @property
    def begun(self) -> int:
        """The line where the row begins, from 1."""
        return self.row[0].number

    @property
    def too_long(self) -> int | None:
        """The first line of the row that is longer than the limit, and so was handed out blank."""
        return next((line.number for line in self.row if line.raw is None), None)


def _decoded(line: Line) -> str:
    return "\n" if line.raw is None else line.raw.decode("utf-8", "surrogateescape") + "\n"
