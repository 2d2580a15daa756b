"""Text of records as vectors and marks: n-grams weighed by rarity, and codes.

Unicode is kept: a value in any script has grams, and no value but a blank one folds to nothing.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

GRAM = 3
"""Characters of a gram; a word is framed by spaces, so that its ends have grams of their own."""

_APART = re.compile(r"[\W_]+")
_SPLIT = re.compile(r"[\s/,;:()|&\"']+")
_DIGIT = re.compile(r"\d")
_LETTER = re.compile(r"[^\W\d_]")
_NO_SPACES = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\u0e00-\u0e7f]{2,}")
_HYPHENS = re.compile(r"[\-_\u2010-\u2015\u2212]+")
_QUANTITY = re.compile(r"\d{1,3}[^\W\d_]{1,3}")
_SHORTEST = 4
_SLICE = 1 << 16


def fold(text: str) -> str:
    """The text in which written forms are compared: NFKC, case folded, what separates words made one space.

    >>> fold("Łódź – Fabryczna"), fold("C++")
    ('łódź fabryczna', 'c++')
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    spaced = " ".join(_APART.sub(" ", folded).split())
    # Symbols tell names apart where hardly anything else is left: "C++" and "C#".
    return spaced if len(spaced) > 2 else " ".join(folded.split())


def grams(folded: str) -> Iterator[str]:
    """The grams of each word of a folded text, its frame included."""
    for word in folded.split(" ") if folded else ():
        framed = f" {word} "
        for start in range(max(1, len(framed) - GRAM + 1)):
            yield framed[start : start + GRAM]


def words(folded: str) -> Iterator[str]:
    """The words of a folded text; runs of a script without spaces give their pairs of characters."""
    for word in folded.split(" ") if folded else ():
        yield word
        for run in _NO_SPACES.findall(word):
            yield from (run[start : start + 2] for start in range(len(run) - 1))


def tfidf(rows: Sequence[Iterable[str]]) -> sp.csr_array:
    """Unit rows (n, terms) of terms weighed by rarity and by the logarithm of their count; an empty row is zero."""
    vocabulary: dict[str, int] = {}
    indices: list[int] = []
    counts: list[int] = []
    ends = [0]
    for terms in rows:
        found = Counter(terms)
        indices.extend(vocabulary.setdefault(term, len(vocabulary)) for term in found)
        counts.extend(found.values())
        ends.append(len(indices))
    columns = np.asarray(indices, dtype=np.int64)
    rarity = np.log((1 + len(rows)) / np.maximum(1, np.bincount(columns, minlength=len(vocabulary))))
    data = (1 + np.log(np.asarray(counts, dtype=np.float64))) * rarity[columns]
    norms = np.sqrt(np.add.reduceat(np.append(data**2, 0.0), ends[:-1])) if len(rows) else np.zeros(0)
    sizes = np.diff(ends)
    norms[(sizes == 0) | (norms == 0)] = 1.0
    data /= np.repeat(norms, sizes)
    return sp.csr_array((data, columns, np.asarray(ends)), shape=(len(rows), max(1, len(vocabulary))))


def cosines(vectors: sp.csr_array, left: Ints, right: Ints) -> Floats:
    """Cosines (pairs,) of the unit rows named on either side."""
    found = np.zeros(len(left))
    for first in range(0, len(left), _SLICE):
        part = slice(first, first + _SLICE)
        product: Any = vectors[left[part]].multiply(vectors[right[part]])
        found[part] = np.asarray(product.sum(axis=1)).ravel()
    return found


def codes(text: str) -> frozenset[str]:
    """Words of letters and digits, as model numbers and the numbers of reports are, without their hyphens.

    A short number with its ending or unit (``24th``, ``100W``) is none.

    >>> sorted(codes("Sony DSC-W170/B camera, 10 megapixels, SR-2023-052"))
    ['dscw170', 'sr2023052']
    """
    tokens = _SPLIT.split(unicodedata.normalize("NFKC", text).casefold())
    found = (_HYPHENS.sub("", token).strip(".!?#+*<>") for token in tokens)
    return frozenset(code for code in found if _is_code(code))


def _is_code(word: str) -> bool:
    mixed = len(word) >= _SHORTEST and _DIGIT.search(word) and _LETTER.search(word)
    return bool(mixed) and not _QUANTITY.fullmatch(word)


def shape(code: str) -> str:
    """The form of a code: its letters kept, each digit a 9. Two codes of one form number things of one kind.

    >>> shape("sr2023052")
    'sr9999999'
    """
    return _DIGIT.sub("9", code)


def akin(code: str, others: Iterable[str]) -> bool:
    """Whether a code equals another one, or one of the two goes on where the other ends (``FS105``, ``FS105NA``).

    What goes on must not begin with a digit: ``AB12`` and ``AB123`` are two.
    """
    return any(code == other or _goes_on(code, other) or _goes_on(other, code) for other in others)


def _goes_on(short: str, long: str) -> bool:
    if len(short) < _SHORTEST or not long.startswith(short) or len(long) == len(short):
        return False
    return bool(_LETTER.search(short)) and not (long[len(short)].isdigit() and short[-1].isdigit())
