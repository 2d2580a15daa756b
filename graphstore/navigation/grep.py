"""Lines that match a pattern, within a time. Pure.

A pattern is matched line by line, as grep does. The engine is the package ``regex``: it gives up a match when its time
is over, so that a pattern which backtracks without end costs the time allowed and no more, and lets other threads run
meanwhile. What costs time and memory without a look at the clock is refused: many counted repetitions, and recursion.
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import regex

from graphstore.errors import SettingsError
from graphstore.navigation.budget import in_line
from graphstore.navigation.records import Line

LONGEST_PATTERN = 500
_MOST_REPEATS = 20_000
"""Counts of a pattern multiplied: the engine writes a text out as often as it must be repeated when it reads it."""
_WIDTH = 240  # characters of a long line that are shown
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_COUNT = re.compile(r"\{([\d\s]+)")
_RECURSION = re.compile(r"\(\?(?:R|[+-]?\d|&|P>)")


class OutOfTime(Exception):
    """The time for a search is over."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """What is looked for.

    :param literal: Text that a matching document holds, to ask the store for; ``None`` for a regular expression.
    """

    shown: str
    literal: str | None
    case: bool
    compiled: Any

    @classmethod
    def of(cls, pattern: str, *, expression: bool = False, case: bool = False) -> Pattern:
        """A pattern, compiled.

        :param expression: Read it as a regular expression, not word for word.
        :param case: Tell capitals from small letters.
        :raises SettingsError: It is empty, longer than :data:`LONGEST_PATTERN`, of several lines, no expression, or one
            that costs without bound.
        """
        if not pattern.strip() or len(pattern) > LONGEST_PATTERN or "\n" in pattern:
            raise SettingsError(f"a pattern is one line of 1 to {LONGEST_PATTERN} characters, not blank")
        if expression:
            _require_bounded(pattern)
        flags = regex.VERSION0 | (0 if case else regex.IGNORECASE)
        try:
            compiled = regex.compile(pattern if expression else regex.escape(pattern, literal_spaces=True), flags)
        except (regex.error, RecursionError, OverflowError, ValueError) as error:
            raise SettingsError(f"{in_line(pattern)!r} is no regular expression: {in_line(str(error))}") from None
        return cls(pattern, None if expression else pattern, case, compiled)


def _require_bounded(pattern: str) -> None:
    """:raises SettingsError: to read the expression, or to follow it, would take time and memory that no clock ends."""
    if _RECURSION.search(pattern):
        raise SettingsError(f"{in_line(pattern)!r} recurs: write out what it looks for")
    repeats = 1
    for digits in _COUNT.findall(pattern):
        repeats *= max(1, int("".join(digits.split()) or 1))  # of any length: a pattern is short
        if repeats > _MOST_REPEATS:
            raise SettingsError(f"{in_line(pattern)!r} repeats more than {_MOST_REPEATS:,} times: give smaller counts")


@dataclass(frozen=True, slots=True)
class Watch:
    """A time to stop at.

    :param end: On the clock of :func:`time.monotonic`.
    """

    end: float

    @classmethod
    def start(cls, seconds: float) -> Watch:
        """A watch that stops so many seconds from now."""
        return cls(time.monotonic() + seconds)

    @property
    def left(self) -> float:
        """Seconds that are left.

        :raises OutOfTime: None.
        """
        if (left := self.end - time.monotonic()) <= 0:
            raise OutOfTime
        return left


def matching_lines(pattern: Pattern, text: str, watch: Watch) -> dict[int, tuple[int, int]]:
    """Number of each matching line, from 1, and the span of its first match in it.

    :raises OutOfTime: The time is over.
    """
    out: dict[int, tuple[int, int]] = {}
    try:
        if not _anywhere(pattern, text, watch):
            return out
        for number, line in enumerate(lines_of(text), start=1):
            if match := pattern.compiled.search(line, timeout=watch.left, concurrent=True):
                out[number] = match.span()
    except TimeoutError:
        raise OutOfTime from None
    return out


def lines_of(text: str) -> list[str]:
    """The lines of a text, without their ends; numbered as in :mod:`graphstore.navigation.sections`."""
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    return lines[:-1] if len(lines) > 1 and not lines[-1] else lines


def with_context(
    lines: Sequence[str], matches: dict[int, tuple[int, int]], shown: Sequence[int], context: int
) -> list[Line]:
    """Matching lines and those around them, in order, each once.

    :param lines: Of the text, as :func:`lines_of` gives them.
    :param shown: Numbers of the matching lines to show.
    :param context: Lines before and after each.
    """
    numbers = sorted({n for at in shown for n in range(max(1, at - context), min(len(lines), at + context) + 1)})
    return [Line(number=n, text=_window(lines[n - 1], matches.get(n)), matches=n in matches) for n in numbers]


def _anywhere(pattern: Pattern, text: str, watch: Watch) -> bool:
    """Whether a literal is in the text at all: most documents are done with one look."""
    if pattern.literal is None:
        return True
    return pattern.compiled.search(text, timeout=watch.left, concurrent=True) is not None


def _window(line: str, span: tuple[int, int] | None) -> str:
    """The line; of a long one what stands around the match, its beginning for a line of context."""
    width = _WIDTH // 2 if _CJK.search(line) else _WIDTH
    if len(line) <= width:
        return line
    start, end = span or (0, 0)
    first = max(0, min(start - max(0, width - (end - start)) // 2, len(line) - width))
    return ("…" if first else "") + line[first : first + width] + ("…" if first + width < len(line) else "")
