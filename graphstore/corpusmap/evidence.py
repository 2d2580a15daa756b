"""How much two different names say for being one name (RESOLUTION steps 3 to 5).

Scores are on the scale on which an equal full name is 1; what reaches .8 with its context is linked.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz.distance import Levenshtein

from graphstore.corpusmap.keys import is_han, is_word, numbers, without_legal_form
from graphstore.corpusmap.types import CODE, EMAIL, ORGANISATION, PERSON, PLACE, TOPIC
from graphstore.corpusmap.words import NOBILITY

THRESHOLD = 0.8
"""What evidence and context must reach in an open corpus."""

MARGIN = 0.15
"""Candidates closer than this cannot be told apart."""

_LONG = 8
_VOWELS = str.maketrans("", "", "aeiouyáéíóúäöüàèìòùâêîôûhj ")


@dataclass(frozen=True, slots=True)
class Evidence:
    """A score in [0, 1] and its reason.

    :param unique: Whether it holds only while no third name has as good a claim.
    :param apart: Whether one document that holds both names says that they are two things.
    """

    score: float
    reason: str
    unique: bool = False
    apart: bool = False


def compare(a: str, b: str, kind_a: str, kind_b: str) -> Evidence | None:
    """Evidence that two keys of several words name one thing, or ``None``; symmetric.

    Vetoed: differing numbers or codes, differing types, and person names that differ in a full word.
    """
    if numbers(a) != numbers(b) or {kind_a, kind_b} & {CODE, EMAIL} or is_han(a) or is_han(b):
        return None
    words_a, words_b = a.split(" "), b.split(" ")
    if len(words_a) > 1 and sorted(words_a) == sorted(words_b) and _compatible(kind_a, kind_b):
        return Evidence(0.9, "the same words in another order", unique=True, apart=True)
    if ORGANISATION in (kind_a, kind_b) and without_legal_form(a) == without_legal_form(b):
        return Evidence(0.85, "the same name but for the legal form", unique=True)
    if kind_a == kind_b == PERSON:
        return (_persons(words_a, words_b) or _one_edit(a, b)) if min(len(words_a), len(words_b)) > 1 else None
    return _one_edit(a, b) if PERSON not in (kind_a, kind_b) and _compatible(kind_a, kind_b) else None


def _compatible(a: str, b: str) -> bool:
    return a == b or TOPIC in (a, b)


def _persons(a: list[str], b: list[str]) -> Evidence | None:
    if a[-1] != b[-1] or a[0] in NOBILITY or b[0] in NOBILITY:
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
    if min(len(a), len(b)) >= _LONG and a[0] == b[0] and Levenshtein.distance(a, b, score_cutoff=1) == 1:
        return Evidence(0.75, "one letter differs", unique=True, apart=True)
    return None


@lru_cache(maxsize=1 << 18)
def blocks(key: str) -> tuple[str, ...]:
    """Keys of the blocks that hold every name with which :func:`compare` may find evidence."""
    words = key.split(" ")
    found: list[str] = []
    if len(words) > 1:
        found += ["s:" + " ".join(sorted(words)), f"p:{words[0][0]} {words[-1]}", "g:" + without_legal_form(key)]
    if len(key) >= _LONG and len(skeleton := key.translate(_VOWELS)) >= _LONG // 2:
        found.append("k:" + skeleton)
    return tuple(found)


@lru_cache(maxsize=1 << 18)
def parts(key: str) -> tuple[str, ...]:
    """The single words by which a name of several words may be called: first, last, initials; each once."""
    words = key.split(" ")
    if len(words) < 2:
        return ()
    every = "".join(word[0] for word in words)
    content = "".join(word[0] for word in words if word not in ("of", "the", "and", "for", "de"))
    return tuple(dict.fromkeys((words[0], words[-1], every, content)))


def part_evidence(word: str, key: str, kind: str) -> Evidence | None:
    """Evidence that one word stands for a longer name: surname, acronym, an organisation's first word."""
    first, _, rest = key.partition(" ")
    if kind == PERSON:
        if rest.endswith(word) and rest.rsplit(" ", 1)[-1] == word:
            return Evidence(0.65, "surname only", unique=True)
        return Evidence(0.5, "first name only", unique=True) if first == word else None
    if word == first:
        return Evidence(0.6, "an organisation's first word", unique=True) if kind == ORGANISATION else None
    if 2 <= len(word) <= 8 and kind != PLACE and rest.rsplit(" ", 1)[-1] != word and word in parts(key):
        return Evidence(0.75, "acronym", unique=True)
    return None


def context_score(a: frozenset[str], b: frozenset[str], same_folder: bool) -> float:
    """Context in [0, 1]; .5 says nothing either way.

    Half the cosine between the names that both sides hold: a name that stands in many documents shares some with
    everyone, which must not count. A shared folder adds .05.
    """
    cosine = len(a & b) / math.sqrt(len(a) * len(b)) if a and b else 0.0
    return 0.5 + min(0.5 * cosine, 0.3) + (0.05 if same_folder else 0.0)


def total(evidence: Evidence, context: float) -> float:
    """Evidence and context together, in [0, 1]."""
    return round(min(1.0, max(0.0, evidence.score + context - 0.5)), 4)


def is_partial(key: str, kind: str) -> bool:
    """Whether a key alone is too little to name a person across documents: a first name or a surname."""
    return kind == PERSON and is_word(key)
