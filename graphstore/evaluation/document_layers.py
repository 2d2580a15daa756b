"""Other ways to lay a graph or pages over documents, to compare with: HippoRAG's, pages of documents and of groups."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from graphstore.encoders import Encoder
from graphstore.retrieval.corpus_view import CorpusView
from graphstore.retrieval.directed import Diffusion
from graphstore.retrieval.document_base import scaled
from graphstore.retrieval.questions import Question
from graphstore.retrieval.restart import csr, top

DAMPING = 0.5
SYNONYM = 0.8  # cosine from which two phrases are joined
PASSAGE = 0.05  # weight of a passage among the seeds
LINKED = 5  # phrases that a question is linked to
_BLOCK = 1024
_ROUNDS = 10
_GROUP = 12  # documents a group, in the mean
_JOINED = 3  # entities that an entity is joined to

Scores = NDArray[np.float64]


@dataclass(frozen=True)
class Phrases:
    """HippoRAG's graph: written names and passages, a passage joined to its names, names to those that mean the same.

    Its published settings: damping .5, synonyms from a cosine of .8, passages among the seeds at .05 of their dense
    score. Without a model there are no triples; a question is linked to the five names nearest to it instead of to
    those of the five nearest triples, each weighed by its rarity.

    Source: Gutiérrez et al. (2024), "HippoRAG"; (2025), "From RAG to Memory" (HippoRAG 2).

    :param vectors: Of the names. *Shape:* ``(names, d)``
    :param frequency: Passages of each name. *Shape:* ``(names,)``
    :param walk: Over passages, then names.
    """

    n: int
    vectors: NDArray[np.float32]
    frequency: NDArray[np.int64]
    walk: Diffusion

    @classmethod
    def of(cls, view: CorpusView, encoder: Encoder) -> Phrases:
        """The graph over a view's documents and the names as they are written in them."""
        forms, n = view.snapshot.forms, len(view.snapshot.documents)
        rows = np.repeat(np.arange(n), np.diff(view.links.indptr))
        rows = np.repeat(rows, np.diff(forms.starts))
        shape = (n, len(forms.texts))
        held = csr(sparse.csr_array((np.ones(len(rows)), (rows, forms.ids)), shape=shape))
        held.data[:] = 1.0
        vectors = encoder.encode(forms.texts)
        both = csr(
            sparse.vstack([sparse.hstack([sparse.csr_array((n, n)), held]), sparse.hstack([held.T, _alike(vectors)])])
        )
        frequency = np.bincount(held.indices, minlength=len(forms.texts))
        return cls(n, vectors, frequency, Diffusion(both))

    def scores(self, question: Question, dense: Scores) -> Scores:
        """Probability of each passage."""
        restart = np.zeros(self.walk.n)
        restart[: self.n] = PASSAGE * scaled(dense)
        near = (self.vectors @ question.vector).astype(np.float64)
        best = top(near, LINKED)
        restart[self.n + best] = np.maximum(near[best], 0) / np.maximum(self.frequency[best], 1)
        return np.asarray(self.walk.scores(restart, damping=DAMPING)[: self.n], dtype=np.float64)


@dataclass(frozen=True)
class Groups:
    """Documents in groups of similar ones, a page each.

    :param centres: Unit vectors. *Shape:* ``(groups, d)``
    :param group: Of each document. *Shape:* ``(n,)``
    """

    centres: NDArray[np.float32]
    group: NDArray[np.intp]

    @classmethod
    def of(cls, view: CorpusView) -> Groups:
        """Groups by spherical k-means on the documents' first chunks, from seeded documents."""
        vectors = _first_chunks(view)
        count = max(1, len(vectors) // _GROUP)
        centres = vectors[np.random.default_rng(0).choice(len(vectors), size=count, replace=False)]
        group = np.zeros(len(vectors), dtype=np.intp)
        for _ in range(_ROUNDS):
            group = np.argmax(vectors @ centres.T, axis=1)
            sums = np.zeros_like(centres)
            np.add.at(sums, group, vectors)
            length = np.linalg.norm(sums, axis=1, keepdims=True)
            centres = np.where(length > 0, sums / np.maximum(length, 1e-9), centres).astype(np.float32)
        return cls(centres, group)

    def scores(self, question: Question, base: Scores) -> Scores:
        """How well its group's page fits, and the document itself."""
        by_group = scaled((self.centres @ question.vector).astype(np.float64))
        return np.asarray(by_group[self.group] + base, dtype=np.float64)


def document_pages(view: CorpusView, question: Question) -> Scores:
    """How well a page of each document fits: its words, and its first chunk."""
    near = (_first_chunks(view) @ question.vector).astype(np.float64)
    return scaled(view.snapshot.words.scores(question.tokens)) + scaled(near)


def with_entity_edges(view: CorpusView) -> CorpusView:
    """The view with each entity joined to the three that it shares most documents with, rare ones first.

    A document is then linked to what its entities are joined to as well. For following links only: names and pages are
    not those of the view.
    """
    rare = csr(view.links.copy())
    rare.data = (view.rarity[rare.indices] > 0).astype(np.float64)
    shared = csr(rare.T @ rare)
    shared.setdiag(0)
    weight = shared.data * view.rarity[shared.indices]
    keep = np.zeros(len(weight), dtype=np.bool_)
    for entity in np.flatnonzero(np.diff(shared.indptr)):
        start, end = shared.indptr[entity], shared.indptr[entity + 1]
        keep[start + np.argsort(-weight[start:end], kind="stable")[:_JOINED]] = True
    shared.data = np.where(keep & (weight > 0), 1.0, 0.0)
    shared.eliminate_zeros()
    about = csr(
        sparse.csr_array((view.own.astype(np.float64), view.links.indices, view.links.indptr), view.links.shape)
    )
    joined = csr(rare @ shared + rare)
    joined.data[:] = 1.0
    joined.sort_indices()
    own = _aligned(joined, about)
    frequency = np.bincount(joined.indices, minlength=joined.shape[1])
    return replace(view, links=joined, own=own, number=np.zeros(joined.nnz, dtype=np.int64), frequency=frequency)


def _aligned(links: sparse.csr_array, about: sparse.csr_array) -> NDArray[np.bool_]:
    """Whether each link is one of ``about``."""
    width = links.shape[1]
    mine = np.repeat(np.arange(links.shape[0]), np.diff(links.indptr)) * width + links.indices
    theirs = np.repeat(np.arange(about.shape[0]), np.diff(about.indptr)) * width + about.indices
    return np.asarray(np.isin(mine, theirs[about.data > 0]))


def _first_chunks(view: CorpusView) -> NDArray[np.float32]:
    """The vector of each document's first chunk; zeros without one. *Shape:* ``(n, d)``"""
    chunks = view.snapshot.chunks
    out = np.zeros((len(chunks.starts) - 1, chunks.rows.shape[1]), dtype=np.float32)
    filled = np.flatnonzero(np.diff(chunks.starts))
    out[filled] = chunks.rows[chunks.starts[filled]]
    return out


def _alike(vectors: NDArray[np.float32]) -> sparse.csr_array:
    """Cosines of names that mean the same. *Shape:* ``(names, names)``, CSR"""
    blocks = []
    for start in range(0, len(vectors), _BLOCK):
        near = vectors[start : start + _BLOCK] @ vectors.T
        near[np.arange(len(near)), start + np.arange(len(near))] = 0
        blocks.append(sparse.csr_array(np.where(near >= SYNONYM, near, 0).astype(np.float64)))
    return csr(sparse.vstack(blocks))
