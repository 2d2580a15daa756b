"""Statements: the sentences around a name, verbatim, as a reader wants to see them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from graphstore.corpusmap.dates import statement_date
from graphstore.records import SourceDocument

_STATEMENTS = 6
_MARKS = re.compile(r"(?:(?:#{1,6}|[-*+•>]|\[[ xX]\]|\d{1,3}[.)])\s+|>)+")
"""Marks of a heading, a list or a quotation, which are no part of what is said."""
_RULE = re.compile(r"\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*")
"""The line below the head of a table."""


@dataclass(frozen=True, slots=True)
class Text:
    """What statements are cut from.

    :param date: The document's own date, ISO 8601.
    """

    text: str
    date: str | None
    title: str = ""


def text_of(document: SourceDocument) -> Text:
    """A document's text, title and date: when it was last changed, else made."""
    return Text(document.text, document.modified or document.created, document.title)


def statements(spans: Iterable[tuple[int, int]], text: Text, sentences: Sequence[tuple[int, int]]) -> dict[str, Any]:
    """Parallel lists ``statements, starts, ends, dates``: the sentences around some spans, verbatim and in text order.

    Without marks of headings, lists and quotations. A sentence that only repeats the name or the title, or is the head
    of a table, is none. Dated ones come before others where there are too many.
    """
    starts = [start for start, _ in sentences]
    found: dict[int, tuple[int, int]] = {}
    for start, end in spans:
        index = bisect_right(starts, start) - 1
        if start >= 0 and index >= 0 and start < sentences[index][1] and index not in found:
            bare = _bare(text.text, sentences[index])
            if not _is_name(text, bare, (start, end)) and not _says_nothing(text, bare):
                found[index] = bare
    dates = {index: statement_date(_cut(text, span), text.date) for index, span in found.items()}
    default = statement_date("", text.date)
    chosen = sorted(sorted(found, key=lambda index: (dates[index] == default, index))[:_STATEMENTS])
    return {
        "statements": [_cut(text, found[index]) for index in chosen],
        "starts": [found[index][0] for index in chosen],
        "ends": [found[index][1] for index in chosen],
        "dates": [dates[index] or "" for index in chosen],
    }


def _bare(text: str, span: tuple[int, int]) -> tuple[int, int]:
    marks = _MARKS.match(text, *span)
    return (marks.end(), span[1]) if marks and marks.end() < span[1] else span


def _is_name(text: Text, span: tuple[int, int], name: tuple[int, int]) -> bool:
    return _cut(text, span).strip("*_.:;,。：； ") == _cut(text, name)


def _says_nothing(text: Text, span: tuple[int, int]) -> bool:
    if " ".join(text.title.split()).casefold().startswith(" ".join(_cut(text, span).split()).casefold()):
        return True
    if "|" not in text.text[span[0] : span[1]]:
        return False
    line_end = text.text.find("\n", span[1])
    below = text.text[line_end + 1 : line_end + 400].split("\n", 1)[0] if line_end >= 0 else ""
    return bool(below and _RULE.fullmatch(below))


def _cut(text: Text, span: tuple[int, int]) -> str:
    return text.text[span[0] : span[1]]
