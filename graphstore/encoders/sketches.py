"""Short vectors of words in their context: what a question's words are compared with, one by one.

A word's vector is the mean of the states of its tokens, in the encoding of the text that it stands in. Of its 384
numbers 32 sums with random signs are kept, a byte each: their cosine is that of the vectors, give or take a tenth. The
signs come from a hash, so that they are the same everywhere and for every encoder, and nothing is fitted.

Source: Achlioptas (2003), "Database-friendly random projections".
"""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from graphstore.tokens import tokenise

WIDTH = 32
_LARGEST = 127
_WORD = re.compile(r"[^\W_]+")


def word_spans(text: str) -> list[tuple[int, int]]:
    """Where the words of a text stand, function words left out; a run of Chinese or Japanese is one.

    >>> word_spans("Who led it?")
    [(4, 7)]
    """
    return [found.span() for found in _WORD.finditer(text) if tokenise(found[0])]


def sketches(vectors: NDArray[np.float32]) -> NDArray[np.int8]:
    """The short forms of vectors, of equal length but for rounding; zeros of zeros. *Shape:* ``(n, 32)``

    :param vectors: *Shape:* ``(n, d)``
    """
    sums = vectors @ _signs(vectors.shape[1])
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    return np.asarray(np.rint(sums * (_LARGEST / np.maximum(lengths, 1e-9))), dtype=np.int8)


def nearest(words: NDArray[np.int8], asked: NDArray[np.int8], starts: NDArray[np.int64]) -> NDArray[np.float32]:
    """The cosine of each asked word's nearest among the words of each text. *Shape:* ``(texts, asked)``

    :param words: Those of the texts, those of one text side by side; each text has some. *Shape:* ``(m, 32)``
    :param starts: Where each text's words begin.
    """
    cosines = words.astype(np.float32) @ asked.T.astype(np.float32)
    return np.asarray(np.maximum.reduceat(cosines, starts, axis=0) / _LARGEST**2, dtype=np.float32)


@lru_cache(maxsize=4)
def _signs(dimensions: int) -> NDArray[np.float32]:
    bits = np.frombuffer(hashlib.shake_256(b"graphstore").digest(dimensions * WIDTH // 8), dtype=np.uint8)
    return (np.unpackbits(bits).reshape(dimensions, WIDTH) * 2.0 - 1.0).astype(np.float32)
