"""What a pattern found: a name at a place in a text."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Found:
    """A name at a place in a text.

    :param qualifier: What tells it from others of the same name.
    :param whole: The fuller name that the text has for the same thing, if this is a short one.
    """

    start: int
    end: int
    type: str
    qualifier: str | None = None
    whole: str | None = None
