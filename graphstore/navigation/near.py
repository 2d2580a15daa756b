"""What is near an entity or a document on the map, as one reader may see it. Pure."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphstore.retrieval.corpus_view import CorpusView


@dataclass(frozen=True, slots=True)
class Near:
    """A neighbour.

    :param number: Of the entity or document in the snapshot.
    :param shared: Numbers of what both share: documents, or entities, the rarest first.
    """

    number: int
    score: float
    shared: tuple[int, ...]


def near_entity(view: CorpusView, entity: int, k: int) -> list[Near]:
    """At most ``k`` entities that share visible documents with an entity, nearest first, ties by number.

    The score is the number of shared documents over the geometric mean of what each has (Ochiai's coefficient): in
    (0, 1], 1 where both are in the same documents. An entity that is everywhere is near to nothing.
    """
    documents = _documents_of(view, entity)
    found = np.concatenate([_entities_of(view, int(d)) for d in documents] or [np.empty(0, np.int64)])
    shared = np.bincount(found, minlength=len(view.frequency))
    near = np.flatnonzero((shared > 0) & (view.frequency >= 2))
    near = near[near != entity]
    score = shared[near] / np.sqrt(view.frequency[near] * max(len(documents), 1))
    return [
        Near(
            int(near[i]), float(score[i]), tuple(np.intersect1d(documents, _documents_of(view, int(near[i]))).tolist())
        )
        for i in np.lexsort((near, -score))[:k]
    ]


def near_document(view: CorpusView, document: int, k: int) -> list[Near]:
    """At most ``k`` visible documents that share rare entities with a document, nearest first, ties by number.

    The score is the sum of the squared rarities of the shared entities, the weights that diffusion uses.
    """
    rare = [int(e) for e in _entities_of(view, document) if view.rarity[e] > 0]
    score = np.zeros(view.links.shape[0])
    for entity in rare:
        score[_documents_of(view, entity)] += view.rarity[entity] ** 2
    score[document] = 0.0
    near = np.flatnonzero(score > 0)
    best = near[np.lexsort((near, -np.round(score[near], 12)))[:k]]
    out = []
    for other in best.tolist():
        both = set(_entities_of(view, other).tolist())
        shared = sorted((e for e in rare if e in both), key=lambda e: (-view.rarity[e], e))
        out.append(Near(other, float(score[other]), tuple(shared)))
    return out


def _documents_of(view: CorpusView, entity: int) -> NDArray[np.int64]:
    back = view.back[0]
    return np.asarray(back.indices[back.indptr[entity] : back.indptr[entity + 1]], dtype=np.int64)


def _entities_of(view: CorpusView, document: int) -> NDArray[np.int64]:
    links = view.links
    return np.asarray(links.indices[links.indptr[document] : links.indptr[document + 1]], dtype=np.int64)
