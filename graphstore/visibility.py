"""Who reads, and at what date: which documents exist for a reader.

Two rules, the same in Python and in Cypher (parameters ``$reader`` and ``$as_of``):

*Permission.* A document is visible if its ``acl`` is empty or names one of the reader's principals. The local owner
sees all.

*Time.* Of a document the store holds one text: the one it had when it was last changed. It was known from that day on:
the day of ``modified``, else of ``created``, else of ``loaded``. With ``as_of`` a document is visible from that day on,
the day included, as written in its date (zones are not converted). What it said before it was changed is not kept, so
that before that day it is not there at all: rather nothing than a text that nobody could have read then.

What is not visible contributes nothing: not a count, a name, a score, a reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from graphstore.errors import SettingsError

_DAY = len("2026-01-05")


@dataclass(frozen=True, slots=True)
class Visibility:
    """Who reads, and at what date.

    Make it with :meth:`of`, which brings principals and date into one form, so that equal readers are equal.

    :param principals: Of the reader, groups too; ``None`` is the local owner, who sees all. An empty tuple is a reader
        without any, who sees open documents.
    :param as_of: A day, ``YYYY-MM-DD``; ``None`` is now, undated documents included.
    """

    principals: tuple[str, ...] | None = None
    as_of: str | None = None

    @classmethod
    def of(cls, reader: Sequence[str] | None = None, as_of: str | None = None) -> Visibility:
        """What is visible to a reader at a date.

        :param reader: Principals and groups, in any order; one alone may be given as a text.
        :param as_of: A date, or a time of which the day counts, as ISO 8601.
        :raises SettingsError: ``as_of`` is no date.

        >>> Visibility.of(["bob", "ann", "bob"], "2026-03-01T09:00:00")
        Visibility(principals=('ann', 'bob'), as_of='2026-03-01')
        """
        names = (reader,) if isinstance(reader, str) else reader
        return cls(None if names is None else tuple(sorted(set(names))), None if as_of is None else day_of(as_of))

    @property
    def parameters(self) -> dict[str, Any]:
        """Parameters ``reader`` and ``as_of`` of a statement."""
        return {"reader": None if self.principals is None else list(self.principals), "as_of": self.as_of}

    @property
    def sees_all(self) -> bool:
        """Whether every document is visible."""
        return self.principals is None and self.as_of is None

    def may_read(self, acl: Sequence[str] | None) -> bool:
        """Whether permission is given."""
        return self.principals is None or not acl or any(name in self.principals for name in acl)

    def sees(self, acl: Sequence[str] | None, since: str | None) -> bool:
        """Whether a document is visible.

        :param acl: Who may read it; empty means everybody.
        :param since: The day from which it was known, of :func:`known_since`.
        """
        return self.may_read(acl) and (self.as_of is None or bool(since and since <= self.as_of))


OWNER = Visibility()
"""The local owner, now."""


def known_since(modified: str | None, created: str | None, loaded: str | None) -> str | None:
    """The day from which a document's text was known, ``YYYY-MM-DD``; ``None`` if nothing says.

    >>> known_since(None, "2026-01-05T23:30:00-08:00", "2026-12-02T05:34:00+00:00")
    '2026-01-05'
    """
    date = modified or created or loaded
    return date[:_DAY] if date else None


def day_of(written: str) -> str:
    """The day, ``YYYY-MM-DD``, of a date or time as ISO 8601, as written: zones are not converted.

    :raises SettingsError: it is none.
    """
    try:
        return datetime.fromisoformat(written.strip()).date().isoformat()
    except ValueError:
        raise SettingsError(f"{written!r} is no date; write it as 2026-03-01") from None
