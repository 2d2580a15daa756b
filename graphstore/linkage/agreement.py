"""How far the records of a pair agree, column by column, in steps.

What a column holds is told from its values: numbers (years, postcodes, birthdays) are equal, one digit off, or not;
everything else is compared by rarity-weighed grams, which no order of words changes. A missing value says nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from rapidfuzz.distance import OSA

from graphstore.linkage.text import Floats, Ints, akin, codes, cosines, fold, grams, shape, tfidf

Record = Mapping[str, str]

CODES = "codes"
WHOLE = "all columns"

_STEPS = (0.15, 0.3, 0.45, 0.6, 0.75, 0.9)
_WORDS = ("differs", "hardly alike", "hardly alike", "somewhat alike", "alike", "much alike", "nearly equal", "equal")
_NUMBER_WORDS = ("differs", "one digit off", "equal")
_CODE_WORDS = ("differ", "alike", "equal")
_NUMBERS = 0.7
_MOSTLY = 0.5
_SLIP = 5
_RARE = 5


@dataclass(frozen=True, slots=True)
class Agreement:
    """One kind of agreement.

    :param levels: Per pair, 0 (differs) to ``len(words) - 1`` (equal), or -1 where a value is missing.
    :param words: What each level is called.
    :param share: How much of its weight counts: what repeats other columns does not count whole.
    """

    name: str
    levels: Ints
    words: tuple[str, ...]
    share: float = 1.0


def columns(records: Sequence[Record]) -> dict[str, list[str]]:
    """The columns that at least two records fill, with their values; in order of first appearance."""
    names = dict.fromkeys(name for record in records for name in record)
    found = {name: [record.get(name) or "" for record in records] for name in names}
    return {name: values for name, values in found.items() if sum(1 for value in values if value.strip()) > 1}


def is_of_numbers(values: Sequence[str], share: float = _NUMBERS) -> bool:
    """Whether a column holds numbers: more than this share of its text is digits, and few of its values hold codes.

    Codes are no numbers, though they may be mostly digits: ``SR-2023-052``.
    """
    written = [value for value in values if value.strip()]
    text = "".join(written).replace(" ", "")
    digits = sum(char.isdigit() for char in text)
    return digits > share * len(text) and sum(bool(codes(value)) for value in written) <= _MOSTLY * len(written)


def agreements(records: Sequence[Record], left: Ints, right: Ints, alike: Floats) -> list[Agreement]:
    """Every kind of agreement of the pairs: of the whole records, of each column, of the codes in their texts.

    :param left: First record of each pair.
    :param right: Second record of each pair.
    :param alike: Cosine of each pair's whole texts.
    """
    words = tuple(f"{step / 10:.1f} alike" for step in range(10))
    found = [Agreement(WHOLE, np.clip(np.floor(alike * 10), 0, 9).astype(np.int64), words, share=0.5)]
    for name, values in columns(records).items():
        folded = [fold(value) for value in values]
        compare = _numbers if is_of_numbers(values) else _texts
        found.append(compare(name, folded, left, right))
    return [*found, Agreement(CODES, code_levels(records, left, right), _CODE_WORDS)]


def _texts(name: str, folded: list[str], left: Ints, right: Ints) -> Agreement:
    values, missing = np.asarray(folded, dtype=object), np.asarray([not value for value in folded])
    levels = np.digitize(cosines(tfidf([grams(value) for value in folded]), left, right), _STEPS).astype(np.int64)
    levels[np.asarray(values[left] == values[right], dtype=bool)] = len(_STEPS) + 1
    levels[missing[left] | missing[right]] = -1
    return Agreement(name, levels, _WORDS)


def _numbers(name: str, folded: list[str], left: Ints, right: Ints) -> Agreement:
    return Agreement(
        name,
        np.fromiter((_number_level(folded[a], folded[b]) for a, b in _pairs(left, right)), np.int64, len(left)),
        _NUMBER_WORDS,
    )


def _number_level(a: str, b: str) -> int:
    if not a or not b:
        return -1
    if a == b:
        return 2
    # Of a long number one digit may be a slip; 1998 and 1999 are two years.
    return int(min(len(a), len(b)) >= _SLIP and OSA.distance(a, b, score_cutoff=1) <= 1)


def code_levels(records: Sequence[Record], left: Ints, right: Ints) -> Ints:
    """0 where each record has rare codes and none of the other's, 1 where one goes on, 2 where one is equal, else -1.

    A code that many records hold (``1080p``) names a kind, not a thing. Columns of numbers hold no codes.
    """
    all_codes = text_codes(records)
    often = Counter(code for mine in all_codes for code in mine)
    rare = [frozenset(code for code in mine if often[code] <= _RARE) for mine in all_codes]
    return np.fromiter((_code_level(rare[a], rare[b]) for a, b in _pairs(left, right)), np.int64, len(left))


def text_codes(records: Sequence[Record]) -> list[frozenset[str]]:
    """The codes in each record's columns of text."""
    texts = [name for name, values in columns(records).items() if not is_of_numbers(values, _MOSTLY)]
    return [frozenset[str]().union(*(codes(record.get(name) or "") for name in texts)) for record in records]


def codes_differ(a: frozenset[str], b: frozenset[str]) -> bool:
    """Whether both sides have codes of one form, none of them in common: ``SR-2023-052`` and ``SR-2023-053``."""
    forms = {shape(code) for code in a}.intersection(shape(code) for code in b)
    return any(a_form.isdisjoint(b_form) for a_form, b_form in ((_of(a, form), _of(b, form)) for form in forms))


def _of(codes: frozenset[str], form: str) -> frozenset[str]:
    return frozenset(code for code in codes if shape(code) == form)


def _code_level(a: frozenset[str], b: frozenset[str]) -> int:
    if not a or not b:
        return -1
    if a & b:
        return 2
    return int(any(akin(code, b) for code in a))


def _pairs(left: Ints, right: Ints) -> zip[tuple[int, int]]:
    return zip(left.tolist(), right.tolist(), strict=True)
