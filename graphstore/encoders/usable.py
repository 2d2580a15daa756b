"""Vectors that an index can find: Neo4j stores zeros, NaN and other sizes without a word and never returns them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from graphstore.errors import LoadError

if TYPE_CHECKING:
    from graphstore.encoders import Encoder

_SHOWN = 80


def usable(encoder: Encoder, texts: Sequence[str], vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """The vectors, if each of them can be found.

    :param texts: What was encoded, a text a row.
    :param vectors: What the encoder gave. *Shape:* ``(n, d)``
    :raises LoadError: one is of another size, of zeros or no number; the message names the encoder and the text.
    """
    if vectors.shape[1] != encoder.dimensions:
        raise LoadError(f"{encoder.name} gave vectors of {vectors.shape[1]} dimensions, not {encoder.dimensions}")
    lengths = np.linalg.norm(vectors, axis=1)
    for lost in np.flatnonzero(~(np.isfinite(lengths) & (lengths > 0))).tolist():
        raise LoadError(f"{encoder.name} gave no usable vector for {texts[lost][:_SHOWN]!r}: reword it")
    return vectors
