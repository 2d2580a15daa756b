"""How much two different names say for being one name (RESOLUTION steps 3 to 5).

Scores are on the scale on which an equal full name is 1; what reaches .8 with its context is linked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rapidfuzz.distance import Levenshtein

from graphstore.corpusmap.keys import is_han, is_word, numbers, without_legal_form
from graphstore.corpusmap.types import CODE, EMAIL, ORGANISATION, PERSON, TOPIC

THRESHOLD = 0.8
"""What evidence and context must reach in an open corpus."""

MARGIN = 0.15
"""Candidates closer than this cannot be told apart."""

_VOWELS = str.maketrans("", "", "aeiouyáéíóúäöüàèìòùâêîôûhj ")


@dataclass(frozen=True, slots=True)
class Evidence:
    """A score in [0, 1], its reason, and whether it holds only while nothing else competes."""

    score: float
    reason: str
    unique: bool = False


def compare(a: str, b: str, kind_a: str, kind_b: str) -> Evidence | None:
    """Evidence that two keys of several words name one thing, or ``None``; symmetric.

    Vetoed: differing numbers or codes, differing types, and person names that differ in a full word.
    """
    if numbers(a) != numbers(b) or not _compatible(kind_a, kind_b) or is_han(a) or is_han(b):
        return None
    words_a, words_b = a.split(" "), b.split(" ")
    if len(words_a) > 1 and sorted(words_a) == sorted(words_b):
        return Evidence(0.9, "the same words in another order")
    person = PERSON in (kind_a, kind_b)
    if person and min(len(words_a), len(words_b)) > 1:
        return _persons(words_a, words_b) or _one_edit(a, b)
    if ORGANISATION in (kind_a, kind_b) and without_legal_form(a) == without_legal_form(b):
        return Evidence(0.85, "the same name but for the legal form", unique=True)
    return _one_edit(a, b) if not person else None


def _compatible(a: str, b: str) -> bool:
    if {a, b} & {CODE, EMAIL}:
        return False
    return a == b or TOPIC in (a, b)


def _persons(a: list[str], b: list[str]) -> Evidence | None:
    if a[-1] != b[-1]:
        return None
    short, long = sorted((a, b), key=len)
    if short[0] == long[0] and len(short) == 2 and len(long) == 3:
        return Evidence(0.85, "one middle name more", unique=True)
    if (
        len(short) == len(long)
        and short[1:] == long[1:]
        and 1 in (len(short[0]), len(long[0]))
        and short[0][0] == long[0][0]
    ):
        return Evidence(0.8, "initial and surname", unique=True)
    return None


def _one_edit(a: str, b: str) -> Evidence | None:
    if min(len(a), len(b)) >= 8 and a[0] == b[0] and Levenshtein.distance(a, b, score_cutoff=1) == 1:
        return Evidence(0.75, "one letter differs", unique=True)
    return None


def blocks(key: str) -> Iterator[str]:
    """Keys of the blocks that hold every name with which :func:`compare` may find evidence."""
    words = key.split(" ")
    if len(words) > 1:
        yield "s:" + " ".join(sorted(words))
        yield f"p:{words[0][0]} {words[-1]}"
        bare = without_legal_form(key)
        yield "g:" + bare
    if len(key) >= 8 and len(skeleton := key.translate(_VOWELS)) >= 4:
        yield "k:" + skeleton


def parts(key: str) -> Iterator[str]:
    """The single words by which a name of several words may be called: first, last, initials."""
    words = key.split(" ")
    if len(words) > 1:
        yield words[0]
        yield words[-1]
        yield "".join(word[0] for word in words)
        yield "".join(word[0] for word in words if word not in ("of", "the", "and", "for", "de"))


def part_evidence(word: str, key: str, kind: str) -> Evidence | None:
    """Evidence that one word stands for a longer name: surname, acronym, an organisation's first word."""
    words = key.split(" ")
    if kind == PERSON:
        if words[-1] == word:
            return Evidence(0.65, "surname only", unique=True)
        return Evidence(0.5, "first name only", unique=True) if words[0] == word else None
    if 2 <= len(word) <= 8 and word in {*parts(key)} - {words[0], words[-1]}:
        return Evidence(0.75, "acronym", unique=True)
    if kind == ORGANISATION and words[0] == word:
        return Evidence(0.6, "an organisation's first word", unique=True)
    return None


def context_score(shared: int, same_folder: bool) -> float:
    """Context in [0, 1]; .5 says nothing either way. Shared other names and a shared folder speak for one thing."""
    return 0.5 + 0.1 * min(shared, 3) + (0.05 if same_folder else 0.0)


def total(evidence: Evidence, context: float) -> float:
    """Evidence and context together, in [0, 1]."""
    return round(min(1.0, max(0.0, evidence.score + context - 0.5)), 4)


def is_partial(key: str, kind: str) -> bool:
    """Whether a key alone is too little to name a person across documents: a first name or a surname."""
    return kind == PERSON and is_word(key)
