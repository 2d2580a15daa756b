"""The corpus map as arrays: all that an answer is computed from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from graphstore.encoders.sketches import WIDTH
from graphstore.retrieval.bm25 import BM25, NOTHING
from graphstore.retrieval.restart import Links, csr
from graphstore.retrieval.title_spans import TitleSpans


@dataclass(frozen=True)
class Texts:
    """What is known of documents, one entry a document, in the order of their ids.

    :param acl: Who may see it; empty means everybody.
    :param dates: When it was changed, else made; ``None`` if nothing says.
    :param known: The day from which it was known (``graphstore.visibility``).
    :param tokens: About how many tokens reading it costs.
    :param keys: The normalised names that its title gives it.
    :param words: The words of its title, each once, sorted.
    :param spellings: How its title may stand in a text.
    """

    ids: list[str]
    paths: list[str]
    titles: list[str]
    acl: list[list[str]]
    dates: list[str | None]
    known: list[str | None]
    tokens: list[int]
    keys: list[list[str]]
    words: list[list[str]]
    spellings: list[list[str]]

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True)
class Things:
    """What is known of entities, one entry an entity, in the order of their ids.

    :param names: As the owner sees them; a reader may know the entity by another one.
    :param records: Name, further names and readers of its record in a registry, where it has one.
    """

    ids: list[str]
    names: list[str]
    types: list[str | None]
    records: list[tuple[str, list[str], list[str]] | None]

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True)
class Forms:
    """How documents write the names of what they mention.

    :param texts: Every written form, once.
    :param keys: The exact key of each form.
    :param ids: Numbers of forms, those of one link side by side. *Shape:* ``(m,)``
    :param starts: Where each link's forms begin, and the end; links as in their data. *Shape:* ``(links + 1,)``
    """

    texts: list[str]
    keys: list[str]
    ids: NDArray[np.int32]
    starts: NDArray[np.int64]

    def of(self, link: int) -> list[str]:
        """The forms that one link's document uses."""
        return [self.texts[i] for i in self.ids[self.starts[link] : self.starts[link + 1]]]


@dataclass(frozen=True)
class Vectors:
    """Unit vectors that belong to documents, those of one document side by side.

    :param rows: *Shape:* ``(m, d)``, float32; int8 of words
    :param starts: Where each document's rows begin, and the end. *Shape:* ``(n + 1,)``
    """

    rows: NDArray[Any]
    starts: NDArray[np.int64]

    def best(self, scores: NDArray[np.floating[Any]], otherwise: float = 0.0) -> NDArray[np.float64]:
        """Each document's highest score; ``otherwise`` where it has no vectors. *Shape:* ``(n,)`` or ``(n, q)``

        :param scores: One a row, and a column a question where there are several. *Shape:* ``(m,)`` or ``(m, q)``
        """
        out = np.full((len(self.starts) - 1, *scores.shape[1:]), otherwise)
        filled = np.flatnonzero(np.diff(self.starts))
        if len(filled):
            out[filled] = np.maximum.reduceat(scores, self.starts[filled], axis=0)
        return out


@dataclass(frozen=True)
class CorpusSnapshot:
    """One version of the corpus map.

    :param links: Weight of each document's link to an entity. *Shape:* ``(documents, entities)``, CSR
    :param own: Whether the link's document is about the entity (it is its title), aligned with ``links.data``.
    :param chunks: Vectors of chunks; a document scores by its best one.
    :param sentences: Vectors of sentences.
    :param sketches: Short vectors of words; of those documents only for which they were asked.
    :param titles: Where titles stand in texts.
    """

    version: int
    documents: Texts
    entities: Things
    links: Links
    own: NDArray[np.bool_]
    forms: Forms
    chunks: Vectors
    sentences: Vectors
    sketches: Vectors
    words: BM25
    titles: TitleSpans


def empty_snapshot(dimensions: int) -> CorpusSnapshot:
    """The snapshot of a store without documents.

    :param dimensions: Of the store's vectors.
    """
    none = np.zeros(1, dtype=np.int64)
    vectors = Vectors(np.empty((0, dimensions), dtype=np.float32), none)
    places = TitleSpans(*(np.empty(0, dtype=np.int32) for _ in range(4)))
    return CorpusSnapshot(
        version=-1,
        documents=Texts(*([] for _ in range(10))),
        entities=Things([], [], [], []),
        links=csr(sparse.csr_array((0, 0), dtype=np.float64)),
        own=np.empty(0, dtype=np.bool_),
        forms=Forms([], [], np.empty(0, dtype=np.int32), none),
        chunks=vectors,
        sentences=vectors,
        sketches=Vectors(np.empty((0, WIDTH), dtype=np.int8), none),
        words=BM25(NOTHING),
        titles=places,
    )
