"""Which of a question's words documents hold: letter for letter, or nearly, by the nearest word in its context."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphstore.encoders.sketches import nearest
from graphstore.retrieval.corpus_snapshot import Vectors
from graphstore.retrieval.splices import Grouped

NEAR = (0.5, 0.9)  # cosines from which on a word is held a little, and wholly


@dataclass(frozen=True)
class HeldWords:
    """The words of a question, and the documents that hold each.

    :param exact: Which documents hold each word. *Shape:* ``(words, n)``
    :param worth: Rarity of each word; sums to 1. *Shape:* ``(words,)``
    """

    exact: NDArray[np.bool_]
    worth: NDArray[np.float64]

    def together(self, start: int, reached: NDArray[np.int64]) -> NDArray[np.float64]:
        """The share of the words, by rarity, that a document and each of others hold together.

        *Shape:* ``(reached,)``
        """
        return np.asarray(self.worth @ (self.exact[:, [start]] | self.exact[:, reached]), dtype=np.float64)


class NearlyHeld(HeldWords):
    """The same, where a word that a document does not hold counts by its nearest word there.

    :param vectors: Short vectors of the documents' words; a document without any holds words letter for letter.
    :param asked: Short vectors of the question's words; zeros of those without one. *Shape:* ``(words, 32)``
    """

    def __init__(
        self, exact: NDArray[np.bool_], worth: NDArray[np.float64], vectors: Vectors, asked: NDArray[np.int8]
    ) -> None:
        super().__init__(exact, worth)
        self._vectors = vectors
        self._asked = asked
        self._held = exact.astype(np.float32)
        self._known = np.diff(vectors.starts) == 0  # what there is to know

    def together(self, start: int, reached: NDArray[np.int64]) -> NDArray[np.float64]:
        """As for :class:`HeldWords`. *Shape:* ``(reached,)``"""
        self._look_at(np.unique([start, *reached.tolist()]))
        both = np.maximum(self._held[:, [start]], self._held[:, reached])
        return np.asarray(self.worth @ both, dtype=np.float64)

    def _look_at(self, documents: NDArray[np.int64]) -> None:
        """Nothing; how nearly these documents hold the words is known."""
        new = documents[~self._known[documents]]
        if not len(new):
            return
        every = Grouped(self._vectors.starts, (self._vectors.rows,))
        words = every.spliced(Grouped(np.zeros(1, dtype=np.int64), (self._vectors.rows[:0],)), new)
        least, whole = NEAR
        near = (nearest(words.values[0], self._asked, words.starts[:-1]) - least) / (whole - least)
        self._held[:, new] = np.maximum(self._held[:, new], np.clip(near, 0, 1).T)
        self._known[new] = True
