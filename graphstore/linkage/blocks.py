"""Pairs of records worth comparing: those that share a rare word, or two words that are rare together.

Blocks are capped, so that the pairs of a record do not grow with the registry.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from itertools import chain, combinations

import numpy as np
import scipy.sparse as sp

from graphstore.linkage.text import Floats, Ints, cosines, words

BLOCK = 128
"""Most records of a block; a word that more records hold says nothing alone, only with a second one."""

FLOOR = 0.25
"""Whole records less alike than this are not compared further."""

_TOGETHER = 10
"""How many of a record's common words, the rarest ones, are taken two by two."""

_HALF = 3


def candidates(
    texts: Sequence[str], vectors: sp.csr_array, sources: Sequence[Hashable] | None
) -> tuple[Ints, Ints, Floats]:
    """First and second records (pairs,), the first always before the second, with the cosines of their whole texts.

    :param texts: Folded.
    :param vectors: Unit rows, one a record.
    :param sources: Where each record is from; if given, only records of different sources are compared.
    """
    left, right = _sharing(_keys(texts))
    if sources is not None:
        known: dict[Hashable, int] = {}
        where = np.asarray([known.setdefault(source, len(known)) for source in sources], dtype=np.int64)
        apart = where[left] != where[right]
        left, right = left[apart], right[apart]
    alike = cosines(vectors, left, right)
    near = alike >= FLOOR
    return left[near], right[near], alike[near]


def _keys(texts: Sequence[str]) -> list[list[str]]:
    """The block keys of each record, all of which at least two and at most :data:`BLOCK` records have."""
    single = [sorted(set(_features(text))) for text in texts]
    often = Counter(chain.from_iterable(single))
    double: list[list[str]] = []
    for features in single:
        common = sorted((often[feature], feature) for feature in features if often[feature] > BLOCK)[:_TOGETHER]
        double.append([f"{a}\n{b}" for a, b in combinations(sorted(feature for _, feature in common), 2)])
    together = Counter(chain.from_iterable(double))
    return [
        [key for key in mine if 1 < often[key] <= BLOCK] + [key for key in pairs if 1 < together[key] <= BLOCK]
        for mine, pairs in zip(single, double, strict=True)
    ]


def _features(text: str) -> Iterator[str]:
    """Each word, and both its ends: one slip leaves one of them whole."""
    for word in words(text):
        yield word
        half = max(_HALF, len(word) // 2)
        if len(word) > half + 1:
            yield f"{word[:half]}…"
            yield f"…{word[-half:]}"


def _sharing(keys: Sequence[Sequence[str]]) -> tuple[Ints, Ints]:
    vocabulary: dict[str, int] = {}
    columns = [vocabulary.setdefault(key, len(vocabulary)) for mine in keys for key in mine]
    ends = np.concatenate([[0], np.cumsum([len(mine) for mine in keys], dtype=np.int64)])
    shape = (len(keys), max(1, len(vocabulary)))
    held = sp.csr_array((np.ones(len(columns), dtype=np.int32), np.asarray(columns, dtype=np.int64), ends), shape=shape)
    shared = sp.triu(held @ held.T, k=1, format="coo")
    order = np.lexsort((shared.col, shared.row))
    return shared.row[order].astype(np.int64), shared.col[order].astype(np.int64)
