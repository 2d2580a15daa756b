"""Questions to documents and entity pages: seed, follow shared names, diffuse, rank."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from graphstore.errors import SeedError
from graphstore.models import DocumentHit, PageHit, SearchResult
from graphstore.pages.paths import page_path
from graphstore.progress import Progress
from graphstore.retrieval.corpus_cache import load_snapshot
from graphstore.retrieval.corpus_snapshot import CorpusSnapshot
from graphstore.retrieval.corpus_view import CorpusView, view_for
from graphstore.retrieval.document_base import Question, gather
from graphstore.retrieval.document_paths import Paths, follow
from graphstore.retrieval.engine import LOCAL, Engine
from graphstore.retrieval.page_ranking import rank_pages
from graphstore.retrieval.restart import top
from graphstore.tokens import tokenise

if TYPE_CHECKING:
    from graphstore.db import Database
    from graphstore.encoders import Encoder

FIRST = 5  # best documents from which links are followed
NAMED = 8  # further ones whose title, or whose entity, the question names
NAMED_SHARE = 0.25  # an entity that the question names leads on unless in more than this share of documents
BOOST = 1.0  # what a document gains whose title the question names
PATH = 1.0  # weight of the best path into a document
VIEWS = 8  # readers whose view is kept


class DocumentSearch:
    """Answers questions from one version of the corpus map. Safe to share between threads."""

    def __init__(self, snapshot: CorpusSnapshot, encoder: Encoder) -> None:
        self._snapshot = snapshot
        self._encoder = encoder
        self._views: OrderedDict[frozenset[str] | None, CorpusView] = OrderedDict()
        self._lock = threading.Lock()

    @classmethod
    def read(
        cls,
        db: Database,
        encoder: Encoder,
        *,
        cache: Path | None = None,
        progress: Progress | None = None,
    ) -> DocumentSearch:
        """The search over the store's current version, from the cache folder where it holds that version.

        :raises ConnectError: the store is unreachable, or written faster than it can be read.
        """
        return cls(load_snapshot(db, encoder.dimensions, cache=cache, progress=progress), encoder)

    @property
    def version(self) -> int:
        """The ``graph_version`` that is answered from."""
        return self._snapshot.version

    def search(
        self, query: str, *, k: int = 10, reader: Sequence[str] | None = None, engine: Engine = LOCAL
    ) -> SearchResult:
        """Candidate pages and documents, at most ``k`` of each, best first; ties in the order of ids.

        :param reader: Principals and groups; ``None`` is the owner, who sees all.
        :param engine: Where probability spreads.
        :raises SeedError: the question is blank.
        """
        if not query.strip():
            raise SeedError("the question is blank: ask something")
        if not len(self._snapshot.documents) or k <= 0:
            return SearchResult(query, (), ())
        view = self._view(reader)
        question = Question(query, tokenise(query), self._encoder.encode([query])[0])
        scores, paths, named = rank(view, question)
        documents = [self._document(view, int(i), float(scores[i]), paths) for i in top(scores, k) if view.sees(int(i))]
        best = rank_pages(view, engine.documents(view), scores, named, k)
        pages = [_page(view, entity, score) for entity, score in best]
        return SearchResult(query, tuple(pages), tuple(documents))

    def _view(self, reader: Sequence[str] | None) -> CorpusView:
        key = None if reader is None else frozenset(reader)
        with self._lock:
            if key not in self._views:
                self._views[key] = view_for(self._snapshot, reader)
                while len(self._views) > VIEWS:
                    self._views.popitem(last=False)
            self._views.move_to_end(key)
            return self._views[key]

    def _document(self, view: CorpusView, i: int, score: float, paths: Paths) -> DocumentHit:
        known, things = self._snapshot.documents, self._snapshot.entities
        via = (things.ids[paths.name[i]],) if paths.name[i] >= 0 else ()
        return DocumentHit(known.ids[i], known.paths[i], known.titles[i], score, via)


def _page(view: CorpusView, entity: int, score: float) -> PageHit:
    known = view.named(entity)
    return PageHit(known.id, known.name, known.type, score, page_path(known.name, known.id))


def rank(view: CorpusView, question: Question) -> tuple[NDArray[np.float64], Paths, Mapping[str, Sequence[int]]]:
    """Final scores of all documents, the paths behind them, and the entities that the question names.

    Final = base, + 1 if the question names the title, + the best path into the document.
    """
    named = view.names.found_in(question.text)
    question = replace(question, tokens=[*question.tokens, *_other_names(view, question, named)])
    evidence = gather(view, question)
    titled = _titled(view.titles.found_in(question.text))
    boosted = evidence.base.copy()
    boosted[titled] += BOOST
    paths = follow(view, question, evidence, _starts(view, boosted, titled, named))
    # a document that answers by itself was not reached through a name, though one may lead to it
    name = np.where(PATH * paths.score > boosted, paths.name, -1)
    return boosted + PATH * paths.score, replace(paths, name=name), named


def _other_names(view: CorpusView, question: Question, named: Mapping[str, Sequence[int]]) -> list[str]:
    """Words of the further names of what the question names: a document may know it by a code name only."""
    found = {entity for entities in named.values() if len(entities) == 1 for entity in entities}
    words = [word for entity in sorted(found) for form in view.named(entity).forms for word in tokenise(form)]
    return [word for word in dict.fromkeys(words) if word not in set(question.tokens)]


def _titled(found: Mapping[str, Sequence[int]]) -> list[int]:
    """Documents whose title the question names; a title of very many documents names none."""
    return sorted({i for documents in found.values() if len(documents) <= NAMED for i in documents})


def _starts(
    view: CorpusView,
    boosted: NDArray[np.float64],
    titled: Sequence[int],
    named: Mapping[str, Sequence[int]],
) -> dict[int, float]:
    """Documents from which links are followed, each with its prior: its own score."""
    back = view.back[0]
    about = [
        back.indices[back.indptr[e] : back.indptr[e + 1]]
        for found in named.values()
        for e in found
        if 0 < view.frequency[e] <= max(view.most, NAMED_SHARE * view.n)
    ]
    candidates = np.unique(np.concatenate([np.empty(0, np.int32), *about])).astype(np.int64)
    further = [*sorted(titled, key=lambda i: (-boosted[i], i)), *candidates[top(boosted[candidates], NAMED)].tolist()]
    chosen = dict.fromkeys([*top(boosted, FIRST).tolist(), *list(dict.fromkeys(further))[:NAMED]])
    return {int(i): float(boosted[i]) for i in chosen if view.sees(int(i)) and boosted[i] > 0}
