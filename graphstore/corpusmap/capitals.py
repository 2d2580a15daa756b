"""Capitalised phrases: every place where a name could stand, found without a model.

A *segment* is a run of adjoining capitalised words; a *chain* joins segments through small words and punctuation
(``Invasion | of the | Neptune Men``). A name known from elsewhere matches a window of whole segments only: a
capitalised word that adjoins it would make it a longer, different name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from graphstore.corpusmap.keys import PARTED
from graphstore.corpusmap.words import COMMON, FUNCTION, LOOSE, TIGHT, TIMES

_HAN = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
_TOKEN = re.compile(rf"(?:[^\W\d_{_HAN}]\.){{2,}}|(?<![^\W\d_]['’])[^\W_{_HAN}]+(?:['’](?!s\b)[^\W_{_HAN}]+)*[+#]*")
_JOIN = re.compile(r"\s|\s?[-‐–]\s?|\s?&\s?|\.\s|\.|/")
_POSSESSIVE = re.compile(r"\s?['’]s?\s")
_HYPHEN = re.compile("[-‐–]")
_COMMA = re.compile(r"\s?[,:]\s|\s[–—-]\s|[\"'“”‘’]\s?|\s[\"'“”‘’]|,|:\s?")
_BEFORE_PERIOD = frozenset("st dr mt jr sr mr mrs ms prof inc ltd co corp vs no vol ft".split())  # noqa: SIM905
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)")
_REGNAL = re.compile(r"(?=[,;:.)\]]|\s?\(|$| (?:of|the|and|was|is|in|de|von|van|di|da) )")
"""What stands behind the number of a king, and hardly behind the pronoun."""
_SEASONS = frozenset(("spring", "summer", "autumn", "winter", "christmas", "easter"))
"""Times that are surnames, too, or begin names."""
_INITIAL = re.compile(r"\. ?[A-Z]\.")
_SYLLABLE = re.compile(r"[^\W\d_]{2,7}")
_NO_SYLLABLE = frozenset("based born era like led made old owned run style type wide".split())  # noqa: SIM905
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_LINKS = 4
_WINDOW = 5
_COMMAS = 1


@dataclass(frozen=True, slots=True)
class Chain:
    """Segments and how they are joined.

    :param segments: Start and end offsets of each.
    :param joins: Between neighbours: ``t`` tight (inside names), ``l`` loose, ``c`` punctuation, ``n`` a number that
        belongs to the left part. One fewer than segments.
    :param initial: Whether the first word begins its sentence, where a capital says nothing.
    :param line: Whether the chain fills its line: a heading, a label, a cell.
    """

    segments: tuple[tuple[int, int], ...]
    joins: str
    initial: bool
    line: bool

    def windows(self) -> Iterator[tuple[int, int]]:
        """Start and end of every run of whole segments that may be a name, longest first."""
        count = len(self.segments)
        for size in range(min(count, _WINDOW), 0, -1):
            for first in range(count - size + 1):
                last = first + size - 1
                if self.joins[first:last].count("c") > _COMMAS:
                    continue
                if last + 1 < count and self.joins[last] == "n":
                    continue  # "Apollo" is not meant in "Apollo 11"
                if first > 0 and self.joins[first - 1] == "n":
                    continue
                yield self.segments[first][0], self.segments[last][1]


def chains(text: str, sentences: list[tuple[int, int]]) -> list[Chain]:
    """The chains of a text, in order; none crosses a sentence."""
    out: list[Chain] = []
    for start, end in sentences:
        out.extend(_Sentence(text, start, end).chains())
    return out


class _Sentence:
    """Builds the chains of one sentence, token by token."""

    def __init__(self, text: str, start: int, end: int) -> None:
        self.text, self.start, self.end = text, start, end
        self.found: list[Chain] = []
        self.segments: list[tuple[int, int]] = []
        self.joins: list[str] = []
        self.links: list[str] = []
        self.previous: tuple[int, int, str] | None = None
        self.initial = False

    def chains(self) -> list[Chain]:
        first = True
        for token in _TOKEN.finditer(self.text, self.start, self.end):
            word = token.group()
            kind = self._of_name(token) or _kind(word, first)
            self._take(token.start(), token.end(), word, kind, first)
            self.previous = (token.start(), token.end(), kind)
            first = False
        self._close()
        return self.found

    def _of_name(self, token: re.Match[str]) -> str | None:
        """``cap`` for what is part of a name by what stands beside it: Henry I, I. V. Sasi, 2nd Earl, Donna Summer."""
        word = token.group()
        season = word.istitle() and word.casefold() in _SEASONS
        if (season and self._before_capital(token)) or (word == "I" and _INITIAL.match(self.text, token.end())):
            return "cap"
        if not self.segments or not self.previous:
            return None
        gap = self.text[self.previous[1] : token.start()]
        if self.links or self.previous[2] != "cap":
            return "cap" if season and gap == " " and set(self.links) == {"t"} else None  # Leon de Winter
        if _ORDINAL.fullmatch(word) and gap in (" ", ", "):
            return "cap" if self._before_capital(token) else None
        if gap == "-" and _SYLLABLE.fullmatch(word) and word.islower() and word not in _NO_SYLLABLE:
            return "cap" if " " in self.text[self.segments[-1][0] : self.previous[1]] else None  # Kim Ki-young
        return "cap" if gap == " " and (season or (word == "I" and _REGNAL.match(self.text, token.end()))) else None

    def _before_capital(self, token: re.Match[str]) -> bool:
        following = self.text[token.end() : token.end() + 2]
        return following[:1] == " " and following[1:].isupper()

    def _take(self, start: int, end: int, word: str, kind: str, first: bool) -> None:
        gap = self.text[self.previous[1] : start] if self.previous else ""
        if kind == "low":
            if (
                not self.segments
                or word.casefold() not in TIGHT | LOOSE
                or len(self.links) >= _LINKS
                or not self._joined(gap)
            ):
                self._close()
            else:
                self.links.append("t" if word.casefold() in TIGHT else "l")
            return
        if not self.segments:
            if kind == "num":
                return
            self._open(start, end, first)
            return
        if not self.links and self.previous and self.previous[2] == "cap" and kind == "cap" and self._adjoins(gap):
            self.segments[-1] = (self.segments[-1][0], end)
            return
        join = self._join(gap, word, kind)
        if join is None:
            self._close()
            if kind == "cap":
                self._open(start, end, first)
            return
        self.segments.append((start, end))
        self.joins.append(join)
        self.links = []

    def _open(self, start: int, end: int, first: bool) -> None:
        self.segments, self.joins, self.links, self.initial = [(start, end)], [], [], first

    def _adjoins(self, gap: str) -> bool:
        if not _JOIN.fullmatch(gap):
            return False
        if not gap.startswith("."):
            return True
        before = self.text[self.segments[-1][0] : self.segments[-1][1]]
        if is_part(before):
            return False  # "Rev A. Rev B": the letter is no initial
        word = before.rsplit(" ", 1)[-1]
        return len(word) == 1 or word.casefold() in _BEFORE_PERIOD

    def _joined(self, gap: str) -> bool:
        return bool(gap.isspace() or _JOIN.fullmatch(gap) or _COMMA.fullmatch(gap))

    def _join(self, gap: str, word: str, kind: str) -> str | None:
        if kind == "num" and not self.links and _JOIN.fullmatch(gap):
            return "n" if word.isdigit() and not _YEAR.fullmatch(word) else "l"
        if _POSSESSIVE.fullmatch(gap):
            return "t"
        if not self._joined(gap):
            return None
        if self.links and not _COMMA.fullmatch(gap):
            return "l" if "l" in self.links else "t"
        return "l" if self.links else "c"

    def _close(self) -> None:
        if self.segments:
            segments = tuple(self.segments)
            self.found.append(Chain(segments, "".join(self.joins), self.initial, self._fills_line(segments)))
        self.segments, self.joins, self.links = [], [], []

    def _fills_line(self, segments: tuple[tuple[int, int], ...]) -> bool:
        before = self.text[self.text.rfind("\n", 0, segments[0][0]) + 1 : segments[0][0]]
        stop = self.text.find("\n", segments[-1][1])
        after = self.text[segments[-1][1] : stop if stop >= 0 else len(self.text)].strip()
        return not before.strip(" #*-|>_\t.0123456789") and (not after or after[0] in ":|*#")


def _kind(word: str, first: bool) -> str:
    if word[0].isdigit():
        return "num"
    if not word[0].isupper() and not word[0].istitle():
        return "low"
    folded = word.casefold()
    if folded in TIMES or (first and folded in FUNCTION) or folded in ("i", "he", "she", "it", "they", "we"):
        return "low"
    return "cap"


def is_part(name: str) -> bool:
    """Whether a name ends in the letter of a part or a revision, not in an initial.

    >>> is_part("Gearbox Rev A"), is_part("Rev. B"), is_part("Mark J"), is_part("Harold D")
    (True, True, False, False)
    """
    *before, kind, letter = ["", "", *name.split()]
    return len(letter) == 1 and kind.casefold().rstrip(".") in PARTED and (any(before) or kind.casefold() != "mark")


def is_plain_word(text: str) -> bool:
    """Whether only its first letter is why a name is taken for one, which at the beginning of a sentence says nothing.

    >>> is_plain_word("Follow"), is_plain_word("DGIA"), is_plain_word("Project-Atlas"), is_plain_word("Follow-up")
    (True, False, False, True)
    """
    if " " in text:
        return False
    parts = _HYPHEN.split(text)
    written = all(part[:1].isupper() and len(part) > 1 for part in parts)
    return not ((len(text) > 1 and text.isupper()) or (len(parts) > 1 and written))


def is_phrase(words: str) -> bool:
    """Whether a run of capitalised words can be a name that a model missed: two words or more, not all common."""
    tokens = words.casefold().split()
    return len(tokens) >= 2 and sum(token not in COMMON for token in tokens) >= 2
