"""Numbers of things in words for people."""

from __future__ import annotations


def counted(number: int, what: str) -> str:
    """A number and what is counted, in the plural unless it is one.

    >>> counted(1, "document"), counted(2_000, "page"), counted(0, "matching line")
    ('1 document', '2,000 pages', '0 matching lines')
    """
    return f"{number:,} {what}{'' if number == 1 else 's'}"
