"""From token states to vectors, and from token counts to chunks. Pure functions of arrays."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from graphstore.errors import LoadError


def unit(rows: NDArray[np.float64]) -> NDArray[np.float32]:
    """Rows scaled to length one; a row of zeros stays what it is. *Shape:* as given."""
    norms = np.linalg.norm(rows, axis=-1, keepdims=True)
    scaled: NDArray[np.float64] = np.divide(rows, norms, out=np.zeros_like(rows), where=norms > 0)
    return scaled.astype(np.float32)


def text_vector(states: NDArray[np.float32]) -> NDArray[np.float32]:
    """Unit vector of a text: the mean of all its token states, the framing ones included.

    :param states: *Shape:* ``(tokens, d)``, without padding.
    :returns: *Shape:* ``(d,)``

    Source: Reimers and Gurevych (2019), section 3 (mean pooling).
    """
    return unit(states.mean(axis=0, dtype=np.float64))


def span_vectors(
    states: NDArray[np.float32], offsets: NDArray[np.int64], spans: Sequence[tuple[int, int]]
) -> NDArray[np.float32]:
    """Unit vectors of spans of a text: the mean of the states of the tokens that touch the span.

    :param states: States of the text's own tokens, the framing ones left out. *Shape:* ``(tokens, d)``
    :param offsets: Their ``(start, end)`` characters, ascending; rows past the states are
        ignored. *Shape:* ``(at least tokens, 2)``
    :param spans: ``(start, end)`` characters.
    :returns: *Shape:* ``(spans, d)``; zeros where no token touches the span.
    """
    first, last = token_ranges(offsets[: len(states)], spans)
    sums = np.zeros((len(states) + 1, states.shape[1]))
    np.cumsum(states, axis=0, dtype=np.float64, out=sums[1:])
    totals = sums[last] - sums[first]
    totals[last <= first] = 0.0  # exactly: the difference of two equal sums is, of two unequal ones is not
    return unit(totals)


def token_ranges(
    offsets: NDArray[np.int64], spans: Sequence[tuple[int, int]]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each span its first token and the one after its last. *Shape:* ``(spans,)`` each."""
    edges = np.asarray(spans, dtype=np.int64).reshape(-1, 2)
    first = np.searchsorted(offsets[:, 1], edges[:, 0], side="right")
    last = np.searchsorted(offsets[:, 0], edges[:, 1], side="left")
    return first.astype(np.int64), last.astype(np.int64)


def pack(offsets: NDArray[np.int64], sentences: Sequence[tuple[int, int]], budget: int) -> list[tuple[int, int]]:
    """Ranges of sentences whose tokens, those between sentences included, number at most ``budget``.

    Greedy: a range ends where the next sentence would not fit. A sentence over the budget is a range by itself.

    :param offsets: Characters of the whole text's tokens. *Shape:* ``(tokens, 2)``
    :returns: ``(first, last + 1)`` sentence indices that cover all sentences.
    """
    first, last = token_ranges(offsets, sentences)
    ranges: list[tuple[int, int]] = []
    begin = 0
    for index in range(1, len(sentences)):
        if last[index] - first[begin] > budget:
            ranges.append((begin, index))
            begin = index
    return [*ranges, (begin, len(sentences))] if sentences else []


def refuse_blank(texts: Sequence[str]) -> None:
    """Nothing, if every text has something to read.

    :raises LoadError: A text is blank; named by its index.
    """
    for index, text in enumerate(texts):
        if not text.strip():
            raise LoadError(f"text {index} of {len(texts)} is blank and has no vector: leave it out or give it words")


def refuse_unequal(texts: Sequence[str], spans: Sequence[object]) -> None:
    """Nothing, if there is one list of spans a text.

    :raises LoadError: The numbers differ.
    """
    if len(texts) != len(spans):
        raise LoadError(f"{len(texts)} texts but {len(spans)} lists of spans: give one list for each text")
