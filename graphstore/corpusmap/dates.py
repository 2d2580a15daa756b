"""The dates that a statement speaks of: days that it names, in English, Chinese, Japanese and Korean forms.

A weekday, "yesterday" or "next week" is no date: what says no more has its document's date. Weeks, months and quarters
are no days either.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from datetime import date

_MONTHS = {
    name: index
    for index, names in enumerate(
        ("january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug",
         "september sept sep", "october oct", "november nov", "december dec"), start=1)
    for name in names.split()
}  # fmt: skip
_VERBS = ("may", "march")
"""Small letters in which a month without a year is none: "it may 5 times", "they march 10 km"."""
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_ERAS = {"明治": 1867, "大正": 1911, "昭和": 1925, "平成": 1988, "令和": 2018}
"""The year before the first of each Japanese era."""
_ERA = "|".join(_ERAS)
_HAN_DIGITS = "〇零一二三四五六七八九"
_NARROW = {0xFF10 + digit: str(digit) for digit in range(10)} | {0xFF0F: "/", 0xFF0E: "."}
_DATE = re.compile(
    rf"""(?<![\d-])(?P<y1>\d{{4}})-(?P<m1>\d{{2}})-(?P<d1>\d{{2}})(?!\d)
    | (?<!\d)(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?\s+(?P<m2>{_MONTH})\b\.?(?:,?\s+(?P<y2>\d{{4}}))?
    | \b(?P<m3>{_MONTH})\.?\s+(?P<d3>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?\s+(?P<y3>\d{{4}}))?
    | (?:(?:(?P<e4>{_ERA})\s*(?P<n4>\d{{1,2}}|元)|(?P<y4>\d{{4}}))\s*年\s*)?
      (?<!\d)(?P<m4>\d{{1,2}})\s*月\s*(?P<d4>\d{{1,2}})\s*[日号]
    | (?:(?P<y5>\d{{4}})\s*년\s*)?(?<!\d)(?P<m5>\d{{1,2}})\s*월\s*(?P<d5>\d{{1,2}})\s*일
    | (?:(?P<y6>[{_HAN_DIGITS}]{{4}})年)?(?<![{_HAN_DIGITS}十])(?P<m6>十?[一二三四五六七八九]|十)月
      (?P<d6>(?:[二三]?十)?[一二三四五六七八九]|[二三]?十)[日号]
    | (?<![\d./-])(?P<y7>\d{{4}})(?P<mark>[./])(?P<m7>\d{{1,2}})(?P=mark)(?P<d7>\d{{1,2}})(?![\d/-]|\.\d)""",
    re.VERBOSE | re.IGNORECASE,
)


def statement_date(sentence: str, document_date: str | None) -> str | None:
    """ISO date that a sentence names first, else the document's own; a missing year is the document's.

    >>> statement_date("The launch moves to 3 May.", "2026-02-11T09:00:00")
    '2026-05-03'
    """
    return next(
        (found[2] for found in dates_in(sentence, document_date)), document_date[:10] if document_date else None
    )


def dates_in(sentence: str, document_date: str | None) -> list[tuple[int, int, str]]:
    """Start, end and ISO form of every date that a sentence names, in order; a missing year is the document's.

    >>> dates_in("From 3 May to 2026-06-01.", "2026-02-11")
    [(5, 10, '2026-05-03'), (14, 24, '2026-06-01')]
    """
    dates: list[tuple[int, int, str]] = []
    for found in _DATE.finditer(sentence.translate(_NARROW)):
        parts = {key[0]: value for key, value in found.groupdict().items() if value and key != "mark"}
        year = _year(parts)
        if year is None:
            if not document_date or parts["m"] in _VERBS:
                continue
            year = int(document_date[:4])
        with suppress(ValueError):
            day = date(year, _number(parts["m"]), _number(parts["d"]))
            dates.append((found.start(), found.end(), day.isoformat()))
    return dates


def _year(parts: Mapping[str, str]) -> int | None:
    if era := parts.get("e"):
        return _ERAS[era] + (1 if parts["n"] == "元" else int(parts["n"]))
    written = parts.get("y")
    if written is None:
        return None
    return int("".join(_digit(char) for char in written))


def _digit(char: str) -> str:
    return str(max(0, _HAN_DIGITS.index(char) - 1)) if char in _HAN_DIGITS else char


def _number(written: str) -> int:
    """A month's name, or a number of a month or day in digits or Chinese numerals."""
    if written.casefold() in _MONTHS:
        return _MONTHS[written.casefold()]
    if "十" in written:
        tens, _, ones = written.partition("十")
        return 10 * int(_digit(tens) if tens else 1) + int(_digit(ones) if ones else 0)
    return int("".join(_digit(char) for char in written))
