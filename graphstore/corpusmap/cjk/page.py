"""What was found on one page: names that do not overlap, and more places of each."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from graphstore.corpusmap.found import Found
from graphstore.corpusmap.types import CODE, EMAIL, PERSON, TOPIC

_FULL_WIDTH = {0xFF01 + offset: 0x21 + offset for offset in range(94)} | {0x3000: 0x20}
Fits = Callable[[str, int, int, str], bool]
"""Whether a place of a known name is a whole one: the page's text, start, end, type."""


class Page:
    """A text, and the names that were found in it so far, the first one at a place keeping it.

    :param text: Read with full-width letters, digits and marks in their narrow forms: as long as what was written.
    """

    def __init__(self, text: str) -> None:
        self.text = text.translate(_FULL_WIDTH)
        self.found: list[Found] = []
        self._taken = bytearray(len(text) + 1)

    def free(self, start: int, end: int) -> bool:
        """Whether nothing was found there yet."""
        return start < end and self._taken.find(1, start, end) < 0

    def add(self, start: int, end: int, kind: str, whole: str | None = None) -> bool:
        """Take in a name, unless it overlaps an earlier one.

        :param whole: The fuller name that the page has for the same thing.
        """
        if not self.free(start, end):
            return False
        self.found.append(Found(start, end, kind, whole=whole))
        self._taken[start:end] = b"\1" * (end - start)
        return True

    def add_groups(self, pattern: re.Pattern[str], kind: str) -> None:
        """Take in the group ``name`` of every match."""
        for match in pattern.finditer(self.text):
            self.add(*match.span("name"), kind)

    def written(self, *kinds: str) -> set[str]:
        """The distinct forms of the names of these types."""
        return {self.text[each.start : each.end] for each in self.found if each.type in kinds and not each.whole}

    def spread(self, fits: Fits) -> None:
        """Take in every other place of the names that were found, longest first."""
        forms: dict[str, tuple[str, str | None]] = {}
        for each in self.found:
            if each.type not in (TOPIC, CODE, EMAIL):
                forms.setdefault(self.text[each.start : each.end], (each.type, each.whole))
        for form in sorted(forms, key=lambda form: (-len(form), form)):
            kind, whole = forms[form]
            if len(form) > 1:
                self.spread_form(form, kind, whole, fits)

    def spread_form(self, form: str, kind: str, whole: str | None, fits: Fits) -> None:
        """Take in every place of one form where it stands whole."""
        at = self.text.find(form)
        while at >= 0:
            if fits(self.text, at, at + len(form), kind):
                self.add(at, at + len(form), kind, whole)
            at = self.text.find(form, at + len(form))


def bearer(surname: str, people: Iterable[str]) -> str | None:
    """The only person of this surname, or ``None``."""
    fitting = {name for name in people if name.startswith(surname) and len(name) > len(surname)}
    return fitting.pop() if len(fitting) == 1 else None


def people(page: Page) -> set[str]:
    """The persons that the page calls by name."""
    return page.written(PERSON)
