"""How much two different names say for being one name (RESOLUTION steps 3 to 5).

Scores are on the scale on which an equal full name is 1; what reaches .8 with its context is linked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz.distance import OSA

from graphstore.corpusmap.initials import initials
from graphstore.corpusmap.keys import is_han, is_word, numbers, without_legal_form
from graphstore.corpusmap.persons import same_person, starts, surname
from graphstore.corpusmap.types import CODE, EMAIL, ORGANISATION, PERSON, PLACE, PROJECT, TOPIC
from graphstore.corpusmap.words import BEFORE, CARE, GENERIC, SPELLINGS

THRESHOLD = 0.8
"""What evidence and context must reach in an open corpus."""

MARGIN = 0.15
"""Candidates closer than this cannot be told apart."""

SLIP = "one letter differs"
"""The reason that two names are one but for a slip of the pen."""

_LONG = 8
_WORDS = 4
"""Words of two names together from which on one of them may be the other with more words."""
_LEAST, _LEAST_ALONE = 4, 9
"""Letters of the shorter of two words of which one may be a slip; in names of several words and of one."""

_SLIPPED = 5
"""Letters of the longer one."""

_OF_SLIPS = ("e:", "f:")
"""What the blocks begin with that only slips are looked for in."""

OF_PEOPLE = "p:"
"""What the blocks begin with in which people are looked for, by a beginning of the first name and the surname."""

_PLURAL = 4
"""Letters of a word that may have an ending."""

_LETTERS = 3
"""Of an acronym, from which on it is enough by itself."""

DOCUMENT, CONTEXT, WHOLE, NOBODY = "document", "context", "whole", "nobody"
"""What evidence may need: a document with both names; that, or something shared; that, or enough of the whole name; or
that the word is no part of a person's name."""

_SPELLED = frozenset(SPELLINGS.values())


@dataclass(frozen=True, slots=True)
class Evidence:
    """A score in [0, 1] and its reason.

    :param unique: Whether it holds only while no third name has as good a claim.
    :param apart: Whether one document that holds both names says that they are two things.
    :param needs: What must be there besides: ``document``, ``context``, ``whole``, ``nobody`` or nothing.
    """

    score: float
    reason: str
    unique: bool = False
    apart: bool = False
    needs: str = ""


CALLED = Evidence(0.7, "the project's name alone", unique=True, needs=NOBODY)
"""A name that may be a project's, or the word for something else: what surrounds it has to agree."""


def compare(a: str, b: str, kind_a: str, kind_b: str) -> Evidence | None:
    """Evidence that two keys of several words name one thing, or ``None``; symmetric.

    Vetoed: differing numbers or codes, differing types, and person names that differ in a full word.
    """
    if numbers(a) != numbers(b) or {kind_a, kind_b} & {CODE, EMAIL} or is_han(a) or is_han(b):
        return None
    words_a, words_b = a.split(" "), b.split(" ")
    if len(words_a) > 1 and sorted(words_a) == sorted(words_b) and _compatible(kind_a, kind_b):
        needs = CONTEXT if PERSON in (kind_a, kind_b) else ""  # Keith David is not David Keith
        return Evidence(0.9, "the same words in another order", unique=True, apart=True, needs=needs)
    if ORGANISATION in (kind_a, kind_b) and without_legal_form(a) == without_legal_form(b):
        needs = CONTEXT if {kind_a, kind_b} & {PERSON, PLACE} else ""
        return Evidence(0.85, "the same name but for the legal form", unique=True, needs=needs)
    if kind_a == kind_b == PERSON:
        return _persons(words_a, words_b)
    if PERSON in (kind_a, kind_b) or not _compatible(kind_a, kind_b):
        return None
    if min(len(words_a), len(words_b)) > 1 and (project_name(a) == b or project_name(b) == a):
        return CALLED
    return _things(words_a, words_b) or _extended(words_a, words_b, kind_a, kind_b)


def _compatible(a: str, b: str) -> bool:
    return a == b or TOPIC in (a, b)


def _persons(a: list[str], b: list[str]) -> Evidence | None:
    if min(len(a), len(b)) < 2:
        return None
    if grade := same_person(a, b):
        return Evidence(grade.score, grade.reason, True, grade.apart, CONTEXT if grade.agrees else "")
    return _one_edit(a, b)


def _things(a: list[str], b: list[str]) -> Evidence | None:
    if spelled(a) == spelled(b):
        return Evidence(0.9, "the same name, spelled otherwise", unique=True)
    if len(a) > 1 and respelled([*a[:-1], _singular(a[-1])]) == respelled([*b[:-1], _singular(b[-1])]):
        return Evidence(0.75, "one of the two in the plural", unique=True, apart=True)
    return _one_edit(a, b)


def _singular(word: str) -> str:
    return word[:-1] if len(word) > _PLURAL and word.endswith("s") and not word.endswith("ss") else word


def _extended(a: list[str], b: list[str], kind_a: str, kind_b: str) -> Evidence | None:
    """A name with words before or behind it that only say where or what it is."""
    if kind_a != kind_b or len(a) + len(b) < _WORDS:
        return None
    generic = GENERIC.get(kind_a, frozenset())
    short, long = sorted((respelled(a), respelled(b)), key=len)
    before = len(long) - len(short)
    within = before > 0 and long[before:] == short and long[before - 1] not in BEFORE
    if before <= 2 and len(short) > 1 and within and _has_place(short, kind_a, generic):
        return Evidence(0.65, "the same name without its place", unique=True)
    if before > 0 and long[: len(short)] == short and generic.issuperset(long[len(short) :]):
        return Evidence(0.65, "the same name but for what kind of thing it is", unique=True)
    if kind_a == PLACE and len(core := _without(short, CARE)) > 1 and core == _without(long, CARE):
        return Evidence(0.65, "the same name but for what kind of thing it is", unique=True)
    return None


def _has_place(name: list[str], kind: str, generic: frozenset[str]) -> bool:
    """Whether what stands before a name may be where it is: of an organisation, or a place that says what it is."""
    return kind == ORGANISATION or (kind == PLACE and len(_without(name, generic)) < len(name))


def _without(words: list[str], generic: frozenset[str]) -> list[str]:
    """A name without words behind it that say what it is; one word stays."""
    kept = len(words)
    while kept > 1 and words[kept - 1] in generic:
        kept -= 1
    return words[:kept]


def _one_edit(a: list[str], b: list[str]) -> Evidence | None:
    """One letter too few, too many, wrong or swapped with its neighbour, in one word; the first letter is as it was."""
    differing = [(x, y) for x, y in zip(a, b, strict=False) if x != y]
    if len(a) != len(b) or len(differing) != 1:
        return None
    x, y = differing[0]
    length = min(len(" ".join(a)), len(" ".join(b)))
    if length < _LONG or min(len(x), len(y)) < _least(a) or max(len(x), len(y)) < _SLIPPED or a[0][0] != b[0][0]:
        return None
    if OSA.distance(x, y, score_cutoff=1) != 1:
        return None
    return Evidence(0.75, SLIP, unique=True, apart=True)


def _least(words: list[str]) -> int:
    return _LEAST if len(words) > 1 else _LEAST_ALONE


def spelled(words: list[str]) -> str:
    """A name with its words in the form by which they are compared."""
    return " ".join(respelled(words))


def respelled(words: list[str]) -> list[str]:
    """The words of a name in the form by which they are compared."""
    return [SPELLINGS.get(word, word) for word in words]


@lru_cache(maxsize=1 << 14)
def blocks(key: str) -> tuple[str, ...]:
    """Keys of the blocks that a name lies in."""
    words = key.split(" ")
    return tuple(dict.fromkeys((*_whole_blocks(key, words), *_slip_blocks(key, words, own=True))))


def sought(key: str) -> tuple[str, ...]:
    """Keys of the blocks that hold every name with which :func:`compare` may find evidence; its own are among them."""
    words = key.split(" ")
    return tuple(dict.fromkeys((*_whole_blocks(key, words), *_slip_blocks(key, words, own=False))))


def _whole_blocks(key: str, words: list[str]) -> Iterator[str]:
    if len(words) > 1:
        yield "s:" + " ".join(sorted(words))
        yield "g:" + without_legal_form(key)
        yield "x:" + spelled([words[-2], _singular(words[-1])])
        yield "y:" + spelled(words[:2])
        yield from (f"{OF_PEOPLE}{start} {surname(words)}" for start in starts(words))
    else:
        yield "g:" + key
    if spelled(words) != key or any(word in _SPELLED for word in words):
        yield "t:" + spelled(words)


def _slip_blocks(key: str, words: list[str], *, own: bool) -> Iterator[str]:
    """One slip leaves the other words as they are, and nearly a half of its own: the first, or the last.

    Blocks are for words of one length, so that few names share them. A slip may change it by one.

    :param own: For words as long as they are only.
    """
    if len(key) < _LONG:
        return
    least = _least(words)
    for index, word in enumerate(words):
        if len(word) >= least:
            rest = " ".join((*words[:index], "", *words[index + 1 :]))
            for length in (len(word),) if own else range(max(least, len(word) - 1), len(word) + 2):
                half = length // 2
                yield f"e:{rest}|{length}|{word[:half]}"
                yield f"f:{rest}|{length}|{word[half + 1 - length :]}"


def mates(key: str, members: Callable[[str], Iterable[str]]) -> set[str]:
    """Every name with which :func:`compare` may find evidence.

    Names that differ in one word are many (all that Anna is called besides), slips among them few: those are told by
    one quick comparison of letters, so that what is left does not grow with the names that merely begin alike.

    :param members: The names in a block.
    """
    found: set[str] = set()
    for block in sought(key):
        others = members(block)
        if others and block.startswith(_OF_SLIPS):
            others = [other for other in others if OSA.distance(key, other, score_cutoff=1) <= 1]
        found.update(others)
    found.discard(key)
    return found


def is_part(short: str, long: str) -> bool:
    """Whether the words of one name begin or end the other, or are its initials."""
    return long.startswith(short + " ") or long.endswith(" " + short) or (is_word(short) and short in parts(long))


@lru_cache(maxsize=1 << 14)
def parts(key: str) -> tuple[str, ...]:
    """The single words by which a name of several words may be called: first, last, initials; each once."""
    words = key.split(" ")
    if len(words) < 2:
        return ()
    every = "".join(word[0] for word in words)
    return tuple(dict.fromkeys((words[0], surname(words), words[-1], every, initials(words))))


def part_evidence(word: str, key: str, kind: str) -> Evidence | None:
    """Evidence that one word stands for a longer name: surname, acronym, a project's or a part of an organisation's."""
    words = key.split(" ")
    if kind == PROJECT and project_name(key) == word:
        return CALLED
    if kind == PERSON:
        if word == surname(words):
            return Evidence(0.65, "surname only", unique=True)
        return Evidence(0.5, "first name only", unique=True) if words[0] == word else None
    if word == words[0]:
        return Evidence(0.6, "an organisation's first word", unique=True, needs=WHOLE) if kind == ORGANISATION else None
    if word == words[-1]:
        last = kind == ORGANISATION and words[-2] not in BEFORE  # America is not the Bank of America
        return Evidence(0.6, "an organisation's last word", unique=True, needs=WHOLE) if last else None
    if 2 <= len(word) <= _LONG and kind != PLACE and word in parts(key):
        return _acronym(word, words, kind)
    return None


def project_name(key: str) -> str | None:
    """What a project is called, without the word: ``kestrel`` of ``project kestrel``."""
    return key.removeprefix("project ") if key.startswith("project ") else None


def _acronym(word: str, words: list[str], kind: str) -> Evidence | None:
    """Initials: alone where they are three or more, small words left out; two letters are those of too many things."""
    if len(word) < _LETTERS and kind != ORGANISATION:
        return None
    usual = len(word) >= _LETTERS and word == initials(words)
    return Evidence(0.75, "acronym", unique=True, needs="" if usual else DOCUMENT)


def total(evidence: Evidence, context: float) -> float:
    """Evidence and context together, in [0, 1]."""
    return round(min(1.0, max(0.0, evidence.score + context - 0.5)), 4)


def is_partial(key: str, kind: str) -> bool:
    """Whether a key alone is too little to name a person across documents: a first name or a surname."""
    return kind == PERSON and is_word(key)
