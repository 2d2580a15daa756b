"""Entities by meaning: those of the documents near to what is asked, ranked by what documents say of each.

Everything is of what the reader may see: the documents, the names, and the vectors, which are made anew of visible
sentences where some are hidden. So the answer equals that of a store of the visible documents alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from graphstore.corpusmap.entity_vectors import directions, evidence
from graphstore.corpusmap.keys import name_key
from graphstore.retrieval.corpus_view import CorpusView
from graphstore.retrieval.documents import DocumentSearch
from graphstore.retrieval.questions import require_question
from graphstore.retrieval.restart import top
from graphstore.tokens import has_words
from graphstore.visibility import OWNER, Visibility

if TYPE_CHECKING:
    from graphstore.db import Database

NEAR = 100  # documents nearest to what is asked, whose entities are compared with it
CALLED = 200  # entities with the words asked for in their name: those that most documents mention
NAMED = 1.0  # what a name adds to a cosine: whoever asks by name means it


def entities_like(
    db: Database, search: DocumentSearch, query: str, *, k: int, type: str | None = None, who: Visibility = OWNER
) -> list[dict[str, Any]]:
    """At most ``k`` entities that have a page for the reader, best first: ``id, name, type, documents, score``.

    Those come first one of whose names holds every word that is asked for; then, and among them, those of which
    documents say what is nearest to it. Signs alone are near to nothing.

    :param search: Of the store's current version.
    :raises SeedError: nothing is asked.
    :raises StaleVersion: another process wrote since ``search`` was read.
    """
    require_question(query)
    view = search.view(who)
    vector = search.encoder.encode([query])[0]
    pages = view.frequency >= 2
    if type is not None:
        pages &= np.array([kind == type for kind in view.snapshot.entities.types], dtype=np.bool_)
    named = numbers = _called(view, query, pages)
    if has_words(query):
        numbers = np.union1d(named, _near(view, vector, pages)).astype(np.int64)
    ids = [view.snapshot.entities.ids[i] for i in numbers]
    scores = _cosines(db, view, ids, vector) + NAMED * np.isin(numbers, named)
    found = [(float(score), view.named(int(i))) for score, i in zip(scores, numbers, strict=True)]
    found.sort(key=lambda each: (-round(each[0], 6), each[1].name, each[1].id))
    return [
        {"id": each.id, "name": each.name, "type": each.type, "documents": each.documents, "score": score}
        for score, each in found[:k]
    ]


def _near(view: CorpusView, vector: NDArray[np.float32], pages: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Numbers of the entities that the documents nearest to a vector mention, by their best piece or sentence."""
    held = view.snapshot
    scores = np.maximum(*(each.best(each.rows @ vector, otherwise=-1.0) for each in (held.chunks, held.sentences)))
    if view.visible is not None:
        scores = np.where(view.visible, scores, -np.inf)
    mentioned = view.links[top(scores, NEAR)].indices
    return np.unique(mentioned[pages[mentioned]]).astype(np.int64)


def _called(view: CorpusView, query: str, pages: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Numbers of the entities one of whose names, as visible documents write them, holds every word of a query."""
    words = name_key(query).split()
    names = [name for name in view.names.numbers if all(word in name for word in words)] if words else []
    found = np.unique([i for name in names for i in view.names.standing_for(name)]).astype(np.int64)
    found = found[pages[found]]
    return np.sort(found[np.argsort(-view.frequency[found], kind="stable")[:CALLED]])


def _cosines(db: Database, view: CorpusView, ids: Sequence[str], vector: NDArray[np.float32]) -> NDArray[np.float64]:
    """Cosine of each entity with a vector; 0 for one of which nothing is said. *Shape:* ``(entities,)``"""
    version, seen = view.snapshot.version, {"ids": list(ids), **view.who.parameters}
    _, (rows,) = db.read_consistent([("retrieve/corpus_entity_vectors", seen)], expect=version)
    known = {row["id"]: np.array(row["embedding"], dtype=np.float32) for row in rows}
    if partly := [each for each in ids if each not in known]:
        _, (rows,) = db.read_consistent([evidence(partly, view.who)], expect=version)
        known |= directions(rows, len(vector))
    return np.array([float(known[each] @ vector) if each in known else 0.0 for each in ids])
