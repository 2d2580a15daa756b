"""The corpus map as arrays: all that an answer is computed from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from graphstore.corpusmap.keys import name_key
from graphstore.names import normalise
from graphstore.retrieval.bm25 import BM25
from graphstore.retrieval.prompt_tokens import estimated_tokens
from graphstore.retrieval.restart import Links, csr
from graphstore.retrieval.title_spans import TitleSpans, title_spans
from graphstore.tokens import tokenise

Row: TypeAlias = Mapping[str, Any]

BLOCK = 500  # documents a row: lists travel an order of magnitude faster than a row a link
STATEMENTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("retrieve/corpus_documents", {"block": BLOCK}),
    ("retrieve/corpus_entities", {}),
    ("retrieve/corpus_links", {"block": BLOCK}),
    ("retrieve/corpus_vectors", {"block": BLOCK}),
)


@dataclass(frozen=True)
class Texts:
    """What is known of documents, one entry a document, in the order of their ids.

    :param acl: Who may see it; empty means everybody.
    :param dates: When it was changed, else made; ``None`` if nothing says.
    :param known: The day from which it was known (``graphstore.visibility``).
    :param tokens: About how many tokens reading it costs.
    """

    ids: list[str]
    paths: list[str]
    titles: list[str]
    acl: list[list[str]]
    dates: list[str | None]
    known: list[str | None]
    tokens: list[int]

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

    :param rows: *Shape:* ``(m, d)``, float32
    :param starts: Where each document's rows begin, and the end. *Shape:* ``(n + 1,)``
    """

    rows: NDArray[np.float32]
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
    words: BM25
    titles: TitleSpans


def build_snapshot(version: int, results: Sequence[Sequence[Row]], dimensions: int) -> CorpusSnapshot:
    """The snapshot made of the rows of :data:`STATEMENTS`."""
    blocks, entities, links, vectors = results
    read = [f"{title}\n{text}" for title, text in zip(_joined(blocks, "titles"), _joined(blocks, "texts"), strict=True)]
    columns = {field: _joined(blocks, field) for field in ("ids", "paths", "titles", "acl", "dates", "known")}
    documents = Texts(**columns, tokens=[estimated_tokens(text) for text in read])
    ids, names, types = ([row[field] for row in entities] for field in ("id", "name", "type"))
    things = Things(ids, names, types, [row.get("record") for row in entities])
    matrix, own, forms = _links(links, documents, things)
    position = {id: i for i, id in enumerate(documents.ids)}
    chunks, sentences = _vectors(vectors, position, dimensions)
    words = BM25(map(tokenise, read))
    titles = title_spans(documents.titles, _joined(blocks, "texts"))
    return CorpusSnapshot(version, documents, things, matrix, own, forms, chunks, sentences, words, titles)


def title_keys(title: str) -> list[str]:
    """The normalised names that a title gives its document: itself, and without what brackets add.

    >>> title_keys("Inception (film)")
    ['inception', 'inception (film']
    """
    whole = normalise(title)
    short = normalise(title.split("(", 1)[0]) if title.rstrip().endswith(")") else whole
    return sorted({key for key in (whole, short) if key})


def _joined(rows: Sequence[Row], field: str) -> list[Any]:
    return [value for row in rows for value in row[field]]


def _links(rows: Sequence[Row], documents: Texts, things: Things) -> tuple[Links, NDArray[np.bool_], Forms]:
    document = {id: i for i, id in enumerate(documents.ids)}
    entity = {id: i for i, id in enumerate(things.ids)}
    at = np.array([document[id] for id in _joined(rows, "documents")], dtype=np.int64)
    to = np.array([entity[id] for id in _joined(rows, "entities")], dtype=np.int64)
    order = np.lexsort((to, at))
    indptr = np.zeros(len(documents) + 1, dtype=np.int64)
    np.cumsum(np.bincount(at, minlength=len(documents)), out=indptr[1:])
    weights = np.array(_joined(rows, "weights"), dtype=np.float64)[order]
    matrix = csr(sparse.csr_array((weights, to[order], indptr), shape=(len(documents), len(things))))
    own = np.array(_joined(rows, "own"), dtype=np.bool_)[order]
    names = _joined(rows, "names")
    return matrix, own, written([names[i] for i in order.tolist()])


def written(names: Sequence[Sequence[str]]) -> Forms:
    """The forms of links given in the order of their data."""
    number: dict[str, int] = {}
    ids = [number.setdefault(form, len(number)) for forms in names for form in forms]
    starts = np.zeros(len(names) + 1, dtype=np.int64)
    np.cumsum([len(forms) for forms in names], out=starts[1:])
    return Forms(list(number), [name_key(form) for form in number], np.array(ids, dtype=np.int32), starts)


def _vectors(rows: Sequence[Row], position: Mapping[str, int], dimensions: int) -> tuple[Vectors, Vectors]:
    owner = np.array([position[id] for id in _joined(rows, "documents")], dtype=np.int64)
    embeddings = _joined(rows, "embeddings")
    packed = [np.frombuffer(b or b"", dtype=np.float16).reshape(-1, dimensions) for b in _joined(rows, "sentences")]
    # a chunk that was written past graphstore has no vector: zeros are near to nothing
    nothing = [0.0] * dimensions
    chunks = np.array([e or nothing for e in embeddings], dtype=np.float32).reshape(-1, dimensions)
    sentences = np.concatenate(packed).astype(np.float32) if packed else np.empty((0, dimensions), np.float32)
    sentence_owner = np.repeat(owner, [len(p) for p in packed])
    return grouped(chunks, owner, len(position)), grouped(sentences, sentence_owner, len(position))


def grouped(rows: NDArray[np.float32], owner: NDArray[np.int64], n: int) -> Vectors:
    """Rows put in the order of the documents they belong to.

    :param owner: The document of each row. *Shape:* ``(m,)``
    """
    order = np.argsort(owner, kind="stable")
    starts = np.zeros(n + 1, dtype=np.int64)
    np.cumsum(np.bincount(owner, minlength=n), out=starts[1:])
    return Vectors(np.ascontiguousarray(rows[order]), starts)
