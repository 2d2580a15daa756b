"""A snapshot made of an earlier one and of what was written since: what did not change is taken over, not made again.

A fresh snapshot grows from an empty one by the same code, so it is the same, bit for bit. Texts are cut into words,
names normalised and titles looked for in what is new only; all else is copied to its new place.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from graphstore.corpusmap.keys import name_key
from graphstore.encoders.sketches import WIDTH
from graphstore.names import normalise
from graphstore.retrieval.bm25 import BM25, recount
from graphstore.retrieval.corpus_snapshot import CorpusSnapshot, Forms, Texts, Things, Vectors, empty_snapshot
from graphstore.retrieval.new_titles import TextsOf, grown_titles
from graphstore.retrieval.prompt_tokens import estimated_tokens
from graphstore.retrieval.restart import Links, csr
from graphstore.retrieval.splices import Grouped, Places, starts_of
from graphstore.retrieval.title_spans import spellings, without_brackets
from graphstore.tokens import tokenise

Row: TypeAlias = Mapping[str, Any]

BLOCK = 500  # documents a row: lists travel an order of magnitude faster than a row a link
_STORED = ("ids", "paths", "titles", "acl", "dates", "known")


def statements(since: int = -1) -> tuple[tuple[str, dict[str, Any]], ...]:
    """What is read of a store: all that was written since a version."""
    many = {"block": BLOCK, "since": since}
    return (
        ("retrieve/corpus_documents", many),
        ("retrieve/corpus_entities", {"since": since}),
        ("retrieve/corpus_links", many),
        ("retrieve/corpus_vectors", many),
    )


def build_snapshot(
    version: int,
    results: Sequence[Sequence[Row]],
    dimensions: int,
    before: CorpusSnapshot | None = None,
    *,
    gone: Collection[str] = (),
    entities_gone: Collection[str] = (),
    texts_of: TextsOf | None = None,
) -> CorpusSnapshot:
    """The snapshot made of the rows of :func:`statements`.

    :param dimensions: Of the store's vectors.
    :param before: The snapshot of an earlier version, where the rows are what was written since.
    :param gone: Ids of its documents that are no more; ``entities_gone`` those of entities.
    :param texts_of: Reads texts of documents that were not written since, by id: a new title may stand in them.
    """
    before = before or empty_snapshot(dimensions)
    blocks, entities, links, vectors = results
    new = _columns(blocks)
    documents = Places.of(before.documents.ids, new["ids"], gone)
    texts = _texts(before.documents, new, documents)
    things, known = _things(before.entities, entities, entities_gone)
    matrix, own, forms = _links(before, links, documents, things)
    chunks, sentences, sketches = _vectors(before, vectors, documents, dimensions)
    read = [f"{title}\n{text}" for title, text in zip(new["titles"], new["texts"], strict=True)]
    words = recount(before.words.postings, documents.before, map(tokenise, read), len(texts))
    titles = grown_titles(before, texts, documents, new["texts"], texts_of)
    return CorpusSnapshot(version, texts, known, matrix, own, forms, chunks, sentences, sketches, BM25(words), titles)


def title_keys(title: str) -> list[str]:
    """The normalised names that a title gives its document: itself, and without what brackets add.

    >>> title_keys("Inception (film)")
    ['inception', 'inception (film']
    """
    return sorted({key for key in map(normalise, (title, without_brackets(title))) if key})


def _joined(rows: Sequence[Row], field: str) -> list[Any]:
    return [value for row in rows for value in row.get(field, ())]


def _columns(blocks: Sequence[Row]) -> dict[str, list[Any]]:
    """What is stored of new documents, in the order of their ids, which is not quite the server's."""
    columns = {field: _joined(blocks, field) for field in (*_STORED, "texts")}
    order = sorted(range(len(columns["ids"])), key=columns["ids"].__getitem__)
    return {field: [column[i] for i in order] for field, column in columns.items()}


def _texts(before: Texts, new: Mapping[str, list[Any]], places: Places) -> Texts:
    titles = new["titles"]
    made: dict[str, list[Any]] = {
        "tokens": [estimated_tokens(f"{title}\n{text}") for title, text in zip(titles, new["texts"], strict=True)],
        "keys": [title_keys(title) for title in titles],
        "words": [sorted(set(tokenise(title))) for title in titles],
        "spellings": [spellings(title) for title in titles],
    }
    made |= {field: new[field] for field in _STORED}
    return Texts(**{field: places.listed(getattr(before, field), values) for field, values in made.items()})


def _things(before: Things, rows: Sequence[Row], gone: Collection[str]) -> tuple[Places, Things]:
    rows = sorted(rows, key=lambda row: str(row["id"]))
    places = Places.of(before.ids, [row["id"] for row in rows], gone)
    fields = (("ids", "id"), ("names", "name"), ("types", "type"), ("records", "record"))
    columns = {name: places.listed(getattr(before, name), [row.get(field) for row in rows]) for name, field in fields}
    return places, Things(**columns)


def _links(
    before: CorpusSnapshot, rows: Sequence[Row], documents: Places, things: Places
) -> tuple[Links, NDArray[np.bool_], Forms]:
    """Links in the order of documents and entities, whether each is its document's own, and their forms."""
    number = {id: i for i, id in enumerate(things.ids)}
    place = {documents.ids[i]: n for n, i in enumerate(documents.new.tolist())}
    at = np.array([place[id] for id in _joined(rows, "documents")], dtype=np.int64)
    to = np.array([number[id] for id in _joined(rows, "entities")], dtype=np.int64)
    order = np.lexsort((to, at))
    weights = np.array(_joined(rows, "weights"), dtype=np.float64)
    own = np.array(_joined(rows, "own"), dtype=np.bool_)
    written = before.links.nnz + np.arange(len(at))  # whose forms are whose
    new = Grouped.by(at[order], len(place), to[order], weights[order], own[order], written[order])
    # unlike a document, an entity that was written anew keeps the links that are known
    moved = np.array([number.get(id, -1) for id in before.entities.ids], dtype=np.int64)
    old = Grouped(
        before.links.indptr.astype(np.int64),
        (moved[before.links.indices], before.links.data, before.own, np.arange(before.links.nnz)),
    )
    linked = old.spliced(new, documents.order)
    linked = linked.kept(linked.values[0] >= 0)
    to, weights, own, written = linked.values
    shape = (len(documents.ids), len(things.ids))
    matrix = csr(sparse.csr_array((weights, to, linked.starts), shape=shape))
    return matrix, own, _forms(before.forms, _joined(rows, "names"), written)


def _forms(before: Forms, names: Sequence[Sequence[str]], links: NDArray[np.int64]) -> Forms:
    """The forms of links, numbered as they come.

    :param names: Of each new link.
    :param links: Numbers of the links, those known before, then the new ones, in the order in which they come.
    """
    number = {form: i for i, form in enumerate(before.texts)} if names else {}
    ids = np.array([number.setdefault(form, len(number)) for forms in names for form in forms], dtype=np.int32)
    texts = list(number) if names else before.texts
    keys = [*before.keys, *(name_key(form) for form in texts[len(before.texts) :])]
    new = Grouped(starts_of(np.array([len(forms) for forms in names], dtype=np.int64)), (ids,))
    every = Grouped(before.starts, (before.ids,)).spliced(new, links)
    used, first, each = np.unique(every.values[0], return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty(len(order), dtype=np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    chosen = used[order].tolist()
    return Forms([texts[i] for i in chosen], [keys[i] for i in chosen], place[each], every.starts)


def _vectors(
    before: CorpusSnapshot, rows: Sequence[Row], documents: Places, dimensions: int
) -> tuple[Vectors, Vectors, Vectors]:
    """The vectors of chunks, of sentences and of words."""
    place = {documents.ids[i]: n for n, i in enumerate(documents.new.tolist())}
    owner = np.array([place[id] for id in _joined(rows, "documents")], dtype=np.int64)
    # a chunk that was written past graphstore has no vector: zeros are near to nothing
    nothing = [0.0] * dimensions
    chunks = np.array([each or nothing for each in _joined(rows, "embeddings")], dtype=np.float32)
    sentences, of_sentences = _unpacked(_joined(rows, "sentences"), owner, np.empty((0, dimensions), np.float16))
    sketches, of_sketches = _unpacked(_joined(rows, "words"), owner, np.empty((0, WIDTH), np.int8))
    return (
        _spliced(before.chunks, chunks.reshape(-1, dimensions), owner, documents),
        _spliced(before.sentences, sentences.astype(np.float32), of_sentences, documents),
        _spliced(before.sketches, sketches, of_sketches, documents),
    )


def _unpacked(
    stored: Sequence[bytes | None], owner: NDArray[np.int64], none: NDArray[Any]
) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Vectors that were stored side by side, and whose each is.

    :param owner: Of each byte array.
    :param none: No vector of the kind. *Shape:* ``(0, d)``
    """
    packed = [np.frombuffer(each or b"", dtype=none.dtype).reshape(-1, none.shape[1]) for each in stored]
    return np.concatenate([none, *packed]), np.repeat(owner[: len(packed)], [len(each) for each in packed])


def _spliced(before: Vectors, rows: NDArray[Any], owner: NDArray[np.int64], documents: Places) -> Vectors:
    """The vectors of documents known before and of new ones, in the order of all.

    :param owner: The number among the new documents that each new row belongs to.
    """
    new = Grouped.by(owner, len(documents.new), rows)
    every = Grouped(before.starts, (before.rows,)).spliced(new, documents.order)
    return Vectors(every.values[0], every.starts)
