"""How each method orders the documents of one snapshot for a question: the product, and what it is compared with.

All of them see the same documents, entities and vectors; none asks a model. ``graph`` is the product's own search.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphstore.encoders import Encoder
from graphstore.evaluation.document_layers import Groups, Phrases, document_pages, with_entity_edges
from graphstore.retrieval.corpus_snapshot import CorpusSnapshot
from graphstore.retrieval.corpus_view import CorpusView, view_for
from graphstore.retrieval.document_base import Evidence
from graphstore.retrieval.document_paths import follow
from graphstore.retrieval.document_ranking import FIRST, PATH, Ranking, entities_of, rank, read
from graphstore.retrieval.questions import Question, read_question
from graphstore.retrieval.restart import top

GRAPH, HYBRID, COVERAGE = "graph", "hybrid", "token-coverage"
Scores = NDArray[np.float64]


@dataclass(frozen=True)
class Asked:
    """A question with what every method may look at.

    :param evidence: Of the question itself; its base is hybrid search.
    :param ranking: The product's.
    """

    question: Question
    evidence: Evidence
    ranking: Ranking


class Methods:
    """The methods on one snapshot; what one of them needs is made when it is first asked."""

    def __init__(self, snapshot: CorpusSnapshot, encoder: Encoder) -> None:
        self.view: CorpusView = view_for(snapshot)
        self.numbers = {id: number for number, id in enumerate(snapshot.documents.ids)}
        self.encoder = encoder
        self._phrases: Phrases | None = None
        self._groups: Groups | None = None
        self._joined: CorpusView | None = None

    def asked(self, text: str) -> Asked:
        """A question, read once for all methods."""
        question = read_question(text, self.encoder)
        return Asked(question, read(self.view, question)[2], rank(self.view, question))

    def ranking(self, method: str, asked: Asked, k: int) -> list[int]:
        """The best ``k`` documents by one of :data:`METHODS`, best first, ties by number."""
        return [int(i) for i in top(METHODS[method](self, asked), k)]

    def phrases(self) -> Phrases:
        """The graph of phrases and passages."""
        if self._phrases is None:
            self._phrases = Phrases.of(self.view, self.encoder)
        return self._phrases

    def groups(self) -> Groups:
        """Documents in groups."""
        if self._groups is None:
            self._groups = Groups.of(self.view)
        return self._groups

    def joined(self) -> CorpusView:
        """The view with entity–entity edges."""
        if self._joined is None:
            self._joined = with_entity_edges(self.view)
        return self._joined


def _bm25(methods: Methods, asked: Asked) -> Scores:
    return methods.view.snapshot.words.scores(asked.question.tokens)


def _dense(methods: Methods, asked: Asked) -> Scores:
    chunks = methods.view.snapshot.chunks
    return chunks.best(chunks.rows @ asked.question.vector, otherwise=-1.0)


def _hipporag(methods: Methods, asked: Asked) -> Scores:
    return methods.phrases().scores(asked.question, _dense(methods, asked))


def _groups(methods: Methods, asked: Asked) -> Scores:
    return methods.groups().scores(asked.question, asked.evidence.base)


def _edges(methods: Methods, asked: Asked) -> Scores:
    """The product's beam over entities that are joined to each other too."""
    own = asked.ranking
    given, weight = entities_of(own.named), own.weights["path"]
    paths = follow(
        methods.joined(), asked.question, asked.evidence, own.starts, given=given, direct=own.direct, weight=weight
    )
    return own.direct + weight * paths.score


def _random(methods: Methods, asked: Asked) -> Scores:
    """Hybrid search, with links followed from as many documents as the product's, chosen by chance."""
    base = asked.evidence.base
    chance = np.random.default_rng(zlib.crc32(asked.question.text.encode()))
    chosen = chance.choice(len(base), size=min(FIRST, len(base)), replace=False)
    starts = {int(i): float(base.max()) for i in chosen}
    named = entities_of(asked.ranking.named)
    paths = follow(methods.view, asked.question, asked.evidence, starts, given=named, direct=base)
    return base + PATH * paths.score


def _covered(methods: Methods, asked: Asked) -> Scores:
    """The product, its question read once more, with its words one by one."""
    return rank(methods.view, read_question(asked.question.text, methods.encoder, sketched=True)).scores


METHODS: Mapping[str, Callable[[Methods, Asked], Scores]] = {
    GRAPH: lambda _, asked: asked.ranking.scores,
    "bm25": _bm25,
    "dense": _dense,
    HYBRID: lambda _, asked: asked.evidence.base,
    "hipporag": _hipporag,
    "document-pages": lambda methods, asked: document_pages(methods.view, asked.question),
    "group-pages": _groups,
    "entity-edges": _edges,
    "random": _random,
    COVERAGE: _covered,
}
"""Name → scores of all documents.

``bm25``, ``dense`` (best chunk), ``hybrid`` (the product's base: words, best chunk, best sentence); ``hipporag``:
personalised PageRank over phrases and passages; ``document-pages``: a page a document, its title and first chunk;
``group-pages``: a page a group of similar documents; ``entity-edges``: the product with entities joined that stand in
one document; ``random``: the product's beam from random candidates; ``token-coverage``: the product with that option.
"""
