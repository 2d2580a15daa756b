"""Titles and sentences cut so that the encoder reads them whole: it reads some 250 tokens and forgets the rest."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator

_TITLE = 80
_SENTENCE = 150
"""Estimated tokens: with those of a title, fewer than the default encoder reads at once."""
_HAN = "\\u3040-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uac00-\\ud7af"
_TOKEN = re.compile(rf"[{_HAN}]|[^\W{_HAN}]{{1,4}}|[^\w\s]")
"""About a token: a character of a script without spaces, up to four letters or digits, a mark."""


def short_title(title: str) -> str:
    """A title, cut where it would leave no room for the text."""
    starts = _starts(title, 0, len(title), _TITLE)
    return title if len(starts) <= _TITLE else title[: _cut(title, 0, starts[_TITLE])].rstrip()


def heading(title: str) -> str:
    """What stands before each piece of a document: its title on a line of its own, or nothing where it has none."""
    return short_title(title) + "\n" if title.strip() else ""


def readable_spans(text: str, spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The sentences, those too long for the encoder split at a line, else at a blank, without surrounding blanks."""
    return [piece for span in spans for piece in _pieces(text, *span)]


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    tokens = _starts(text, start, end, _SENTENCE)
    while (first := bisect_left(tokens, start)) + _SENTENCE < len(tokens):
        cut = _cut(text, start, tokens[first + _SENTENCE])
        yield start, start + len(text[start:cut].rstrip())
        start = cut + len(text[cut:end]) - len(text[cut:end].lstrip())
    yield start, end


def _starts(text: str, start: int, end: int, most: int) -> list[int]:
    """Where the tokens begin; nothing where there cannot be more than so many."""
    return [] if end - start <= most else [token.start() for token in _TOKEN.finditer(text, start, end)]


def _cut(text: str, start: int, limit: int) -> int:
    """The last border of a line, else of a word, before a limit; the limit if there is none."""
    for mark in "\n", " ":
        if (at := text.rfind(mark, start + 1, limit)) > start:
            return at
    return limit
