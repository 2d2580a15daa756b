"""The dates that a statement speaks of."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import date

_MONTHS = {
    name: index
    for index, names in enumerate(
        ("january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug",
         "september sept sep", "october oct", "november nov", "december dec"), start=1)
    for name in names.split()
}  # fmt: skip
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DATE = re.compile(
    rf"""(?<![\d-])(?P<y1>\d{{4}})-(?P<m1>\d{{2}})-(?P<d1>\d{{2}})(?!\d)
    | (?<!\d)(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?\s+(?P<m2>{_MONTH})\b\.?(?:,?\s+(?P<y2>\d{{4}}))?
    | \b(?P<m3>{_MONTH})\.?\s+(?P<d3>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?\s+(?P<y3>\d{{4}}))?
    | (?:(?P<y4>\d{{4}})\s*年\s*)?(?<!\d)(?P<m4>\d{{1,2}})\s*月\s*(?P<d4>\d{{1,2}})\s*[日号]""",
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
    for found in _DATE.finditer(sentence):
        parts = {key[0]: value for key, value in found.groupdict().items() if value}
        year = parts.get("y") or (document_date[:4] if document_date else None)
        if year is None:
            continue
        month = _MONTHS.get(parts["m"].casefold()) or int(parts["m"])
        with suppress(ValueError):
            dates.append((found.start(), found.end(), date(int(year), month, int(parts["d"])).isoformat()))
    return dates
