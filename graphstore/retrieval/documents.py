"""Questions to documents and entity pages: seed, follow shared names, diffuse, rank."""

from __future__ import annotations

import threading
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from graphstore.errors import GraphStoreError, SettingsError
from graphstore.models import DocumentHit, PageHit, SearchResult
from graphstore.pages.paths import page_path
from graphstore.progress import Progress
from graphstore.retrieval.corpus_cache import drop_others, keep_snapshot, load_snapshot
from graphstore.retrieval.corpus_reading import read_snapshot
from graphstore.retrieval.corpus_snapshot import CorpusSnapshot
from graphstore.retrieval.corpus_view import CorpusView, view_for
from graphstore.retrieval.document_ranking import Ranking, entities_of, rank
from graphstore.retrieval.engine import LOCAL, Engine
from graphstore.retrieval.explained import explanation, trail
from graphstore.retrieval.narrowing import EVERYTHING, Filters, within
from graphstore.retrieval.page_ranking import rank_pages
from graphstore.retrieval.questions import read_question, require_question
from graphstore.retrieval.restart import top
from graphstore.tokens import has_words
from graphstore.visibility import OWNER, Visibility

if TYPE_CHECKING:
    from graphstore.db import Database
    from graphstore.encoders import Encoder

VIEWS = 8  # readers whose view is kept
KEPT_EVERY = 10  # refreshes after which the cache folder gets the version: writing it takes as long as one of them


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchOptions:
    """What of an answer is wanted.

    :param k: Pages, and documents, at most.
    :param max_tokens: The most tokens of the answer.
    :param explain: Whether to say how it came about.
    :param token_coverage: Whether words that two documents hold nearly, by their short vectors, count as held.
    """

    k: int = 10
    filters: Filters = EVERYTHING
    max_tokens: int | None = None
    explain: bool = False
    token_coverage: bool = False


class DocumentSearch:
    """Answers questions from one version of the corpus map. Safe to share between threads.

    :ivar snapshot: That version.
    :ivar encoder: Of its vectors, and of questions.
    """

    def __init__(
        self, snapshot: CorpusSnapshot, encoder: Encoder, *, store: str | None = None, refreshes: int = 0
    ) -> None:
        """:param store: Identity of the store that the snapshot is of.

        :param refreshes: How many there were since the cache folder held what is searched.
        """
        self.snapshot = snapshot
        self.encoder = encoder
        self._store = store
        self._refreshes = refreshes
        self._views: OrderedDict[Visibility, CorpusView] = OrderedDict()
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
        store = db.store_id
        return cls(load_snapshot(db, encoder.dimensions, cache=cache, progress=progress), encoder, store=store)

    def refresh(self, db: Database, *, cache: Path | None = None) -> DocumentSearch:
        """The search over the store's current version; of documents and entities only what was written since is read.

        Equal to :meth:`read`. In another store, and after writes by others' statements, all is read.

        :param cache: The folder from which older versions go: what is not there any more stays in no cache.
        """
        store = db.store_id
        if store != self._store:
            return self.read(db, self.encoder, cache=cache)
        snapshot = read_snapshot(db, self.encoder.dimensions, self.snapshot)
        if cache is not None:
            drop_others(cache, store, snapshot.version)
        refreshed = DocumentSearch(snapshot, self.encoder, store=store, refreshes=self._refreshes + 1)
        if refreshed._refreshes >= KEPT_EVERY:
            refreshed.keep(db, cache=cache)
        return refreshed

    def keep(self, db: Database, *, cache: Path | None) -> None:
        """Nothing; the cache folder holds this version, where it is the store's: the next process begins with it.

        Only after a refresh is there anything to do. Where the store cannot be reached nothing is kept.
        """
        if cache is None or self._store is None or not self._refreshes:
            return
        with suppress(GraphStoreError):
            # a stream is not tried again: who closes waits for no server that is gone
            now = [(row["store"], row["version"]) for row in db.stream("maintain/graph_version")]
            if now == [(self._store, self.version)]:
                keep_snapshot(db, cache, self._store, self.snapshot)
                self._refreshes = 0

    @property
    def version(self) -> int:
        """The ``graph_version`` that is answered from."""
        return self.snapshot.version

    def search(
        self,
        query: str,
        *,
        k: int = 10,
        who: Visibility = OWNER,
        options: SearchOptions | None = None,
        engine: Engine = LOCAL,
    ) -> SearchResult:
        """Candidate pages and documents, at most ``k`` of each, best first; ties in the order of ids.

        Of a question of signs alone ("???", "+") only what it names: to the encoder all signs are alike.

        :param who: Who reads, and at what date: all of the answer is of what is visible then.
        :param options: Filters, a budget, an explanation; their ``k`` counts.
        :param engine: Where probability spreads.
        :raises SeedError: the question is blank.
        :raises SettingsError: token coverage is asked for, and the store holds no vectors of words.
        """
        require_question(query)
        options = options or SearchOptions(k=k)
        if not len(self.snapshot.documents) or options.k <= 0:
            return SearchResult(query, (), ())
        if options.token_coverage and not len(self.snapshot.sketches.rows):
            raise SettingsError("the store holds no vectors of words: `graphstore build words` makes them")
        view = self.view(who)
        ranking = rank(view, read_question(query, self.encoder, sketched=options.token_coverage))
        kept = options.filters.documents(view)
        if not has_words(query):
            kept = _named(view, ranking) if kept is None else kept & _named(view, ranking)
        shown = _shown(view, ranking, kept, options.k)
        documents = [_document(view, i, ranking) for i in shown]
        pages = _pages(view, ranking, kept, options, engine)
        result = within(SearchResult(query, tuple(pages), tuple(documents)), options.max_tokens)
        if not options.explain:
            return result
        given = shown[: len(result.documents)]
        told = explanation(view, ranking.paths, ranking.titled, ranking.named, given, ranking.starts, ranking.weights)
        return replace(result, explanation=told)

    def types(self, who: Visibility = OWNER) -> list[str]:
        """The types of which the reader has a page, sorted."""
        view = self.view(who)
        types = zip(view.snapshot.entities.types, view.frequency, strict=True)
        return sorted({kind for kind, documents in types if kind and documents > 1})

    def folders(self, who: Visibility = OWNER) -> list[str]:
        """The folders, at any depth, in which the reader has documents, sorted."""
        view = self.view(who)
        ways = [path.strip("/").split("/") for i, path in enumerate(view.snapshot.documents.paths) if view.sees(i)]
        return sorted({"/".join(parts[:depth]) for parts in ways for depth in range(1, len(parts))})

    def view(self, who: Visibility = OWNER) -> CorpusView:
        """The corpus map as one reader may see it at a date."""
        with self._lock:
            if who not in self._views:
                self._views[who] = view_for(self.snapshot, who)
                while len(self._views) > VIEWS:
                    self._views.popitem(last=False)
            self._views.move_to_end(who)
            return self._views[who]


def _named(view: CorpusView, ranking: Ranking) -> NDArray[np.bool_]:
    """The visible documents that a question names: by their title, or by an entity. *Shape:* ``(n,)``"""
    entities = np.array(sorted(entities_of(ranking.named)), dtype=np.int64)
    out = np.asarray(view.back[0][entities].sum(axis=0)).ravel() > 0
    out[ranking.titled] = True
    return out if view.visible is None else out & view.visible


def _shown(view: CorpusView, ranking: Ranking, kept: NDArray[np.bool_] | None, k: int) -> list[int]:
    """The documents that are shown, of those kept, best first."""
    if kept is None:
        return [int(i) for i in top(ranking.scores, k) if view.sees(int(i))]
    among = np.flatnonzero(kept)
    return [int(i) for i in among[top(ranking.scores[among], k)]]


def _document(view: CorpusView, i: int, ranking: Ranking) -> DocumentHit:
    known, things, paths = view.snapshot.documents, view.snapshot.entities, ranking.paths
    via = (things.ids[paths.name[i]],) if paths.name[i] >= 0 else ()
    return DocumentHit(
        known.ids[i],
        known.paths[i],
        known.titles[i],
        float(ranking.scores[i]),
        via,
        known.dates[i],
        known.tokens[i],
        trail(view, paths, i),
    )


def _pages(
    view: CorpusView, ranking: Ranking, shown: NDArray[np.bool_] | None, options: SearchOptions, engine: Engine
) -> list[PageHit]:
    of_type: NDArray[np.bool_] | None = None if options.filters.type is None else options.filters.entities(view)
    if shown is not None:  # a page is shown if it links a document that is
        rows = np.repeat(np.arange(len(view.snapshot.documents)), np.diff(view.links.indptr))
        linked = np.bincount(view.links.indices, weights=shown[rows], minlength=len(view.snapshot.entities)) > 0
        of_type = linked if of_type is None else of_type & linked
    best = rank_pages(view, engine.documents(view), ranking.scores, ranking.named, options.k, of_type)
    return [_page(view, entity, score) for entity, score in best]


def _page(view: CorpusView, entity: int, score: float) -> PageHit:
    known = view.named(entity)
    back = view.back[0]
    documents = back.indices[back.indptr[entity] : back.indptr[entity + 1]].tolist()
    dates = [date for date in (view.snapshot.documents.dates[i] for i in documents) if date]
    path = page_path(known.name, known.id)
    return PageHit(known.id, known.name, known.type, score, path, len(documents), max(dates, default=None))
