"""How much two names of people say for being one person's."""

from __future__ import annotations

import re
from typing import NamedTuple

from graphstore.corpusmap.words import BEFORE, NICKNAMES, NOBILITY, PARTICLES, POSTS, SUFFIXES


class Grade(NamedTuple):
    """How much two names say for being one person's.

    :param agrees: Whether it holds only where documents of both agree in something else, too.
    :param apart: Whether one document that holds both names says that they are two people.
    """

    score: float
    reason: str
    agrees: bool = True
    apart: bool = False


_MIDDLE_NAMES = 2
_BEFORE = 3
"""Words before a full name that may say what its bearer does: "City Councilman"."""

_SEVERAL = 2
"""Initials that are enough without anything else: many a J. Rao, hardly a second P. V. Rao."""

_NUMERAL = re.compile(r"(?=[ivx])x{0,3}(?:i[xv]|v?i{0,3})")


def same_person(a: list[str], b: list[str]) -> Grade | None:
    """Evidence that two names, each of several words, are of one person, but for a slip of the pen; ``None`` if not.

    Surnames must be equal, and so must all that both write out: a differing full word is another person.
    """
    if _generation(a) and _generation(b) and _generation(a) != _generation(b):
        return None
    bare_a, bare_b = without_titles(a), without_titles(b)
    if min(len(bare_a), len(bare_b)) < 2 or bare_a[0] in NOBILITY or bare_b[0] in NOBILITY:
        return None
    if bare_a == bare_b:
        if bool(_generation(a)) != bool(_generation(b)):
            son = bool({_generation(a), _generation(b)} & {"jr", "junior"})  # beside whom the bare name is the father's
            return Grade(0.9, "the same name but for Jr. or Sr.", apart=son)
        return Grade(0.9, "the same name but for a title", agrees=False)
    if bare_a[-1] != bare_b[-1]:
        return None
    short, long = sorted((bare_a, bare_b), key=len)
    return _same_length(short, long) if len(short) == len(long) else _fuller(short, long)


def without_titles(words: list[str]) -> list[str]:
    """The words of a name without posts before and suffixes behind it; two stay."""
    kept = len(words)
    while kept > 2 and words[kept - 1].replace(".", "") in SUFFIXES:
        kept -= 1
    first = 0
    while kept - first > 2 and words[first] in POSTS:
        first += 1
    bare = words[first:kept]
    if len(bare) > 3 and bare[1] == "the":  # Vincent "the Chin" Gigante
        return [bare[0], *bare[3:]]
    return bare


def surname(words: list[str]) -> str:
    """The last word of a name that is no suffix."""
    return without_titles(words)[-1]


def starts(words: list[str]) -> tuple[str, ...]:
    """Letters of which one person's names share one: of the first two words, and of what the first stands for."""
    words = without_titles(words)
    forms = (words[0], *sorted(NICKNAMES.get(words[0], ())), *words[1:2])
    particle = ("",) if words[0] in PARTICLES or any(word in PARTICLES for word in words[1:-1]) else ()
    return tuple(dict.fromkeys((*(form[0] for form in forms), *particle)))


def _generation(words: list[str]) -> str:
    return words[-1] if words[-1] in ("jr", "sr", "junior", "senior") else ""


def _same_length(a: list[str], b: list[str]) -> Grade | None:
    differing = [(x, y) for x, y in zip(a, b, strict=True) if x != y]
    if all(1 in (len(x), len(y)) and x[0] == y[0] for x, y in differing):
        if a[0] == b[0]:
            return Grade(0.9, "the same name with an initial", agrees=False)
        return Grade(0.8, "initial and surname", agrees=len(differing) < _SEVERAL)
    if a[1:] == b[1:] and is_nickname(a[0], b[0]):
        return Grade(0.8, "a short form of the first name")
    return None


def _fuller(short: list[str], long: list[str]) -> Grade | None:
    """A name with one or two more words than the other."""
    if short[0] in PARTICLES:
        return Grade(0.65, "surname only") if long[-len(short) :] == short else None
    middle = len(long) - len(short)
    numbered = bool(_NUMERAL.fullmatch(short[-1]))  # George V is not George Tupou V
    if middle > _MIDDLE_NAMES or numbered or not _in_order(short[1:], long[1:]):
        return _behind(short, long)
    if short[0][0] == long[0][0] and len(short) > 2 and len(short[1]) == 1 and long[1][0] != short[1]:
        return None  # George W. Bush is not George H. W. Bush
    if short[0] == long[0]:
        return Grade(0.85, "one middle name more")
    if long[-len(short) :] == short and long[middle - 1] not in BEFORE and (len(long[0]) == 1 or len(short) > 2):
        return Grade(0.8, "called by the middle name")
    if short[0][0] == long[0][0] and 1 in (len(short[0]), len(long[0])):
        return Grade(0.75, "initial, surname and one middle name more")
    if is_nickname(short[0], long[0]):
        return Grade(0.75, "a short form of the first name, and a middle name")
    return _behind(short, long)


def _behind(short: list[str], long: list[str]) -> Grade | None:
    """A whole name behind words that may say what its bearer does; or they are first names, of someone else."""
    before = len(long) - len(short)
    whole = min(map(len, short)) > 1 and long[before:] == short and before <= _BEFORE
    return Grade(0.65, "the same name behind other words") if whole and long[before - 1] not in BEFORE else None


def _in_order(short: list[str], long: list[str]) -> bool:
    """Whether the words of one stand in the other in their order; an initial stands for a word."""
    rest = iter(long)
    return all(any(word == other or (len(word) == 1 and other[0] == word) for other in rest) for word in short)


def is_nickname(a: str, b: str) -> bool:
    """Whether two first names are forms of one.

    >>> is_nickname("bob", "robert"), is_nickname("bob", "bill")
    (True, False)
    """
    return bool(NICKNAMES.get(a, frozenset()) & NICKNAMES.get(b, frozenset()))
