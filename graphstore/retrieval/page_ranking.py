"""Which entity pages help with a question: those it names, and those its best documents share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from graphstore.retrieval.corpus_view import CorpusView
from graphstore.retrieval.document_base import scaled
from graphstore.retrieval.engine import Walk
from graphstore.retrieval.restart import top

SEEDS = 10  # documents from which probability spreads
NAMED = 1.0  # what being named in the question adds to a share of at most 1
TOLERANCE = 1e-2  # L1 error of the probabilities: the order of the first pages does not need more


def rank_pages(
    view: CorpusView,
    walk: Walk,
    scores: NDArray[np.float64],
    named: Mapping[str, Sequence[int]],
    k: int,
    shown: NDArray[np.bool_] | None = None,
) -> list[tuple[int, float]]:
    """Up to ``k`` entities that have a page for the reader, best first, each with its score.

    Score = probability of a diffusion from the best documents (weighted by their scores) and from the named entities,
    scaled to 0–1, plus 1 for a name in the question, shared by the entities of that name.

    :param walk: Over documents, then entities, as the view's reader sees them.
    :param scores: Final scores of the documents. *Shape:* ``(n,)``
    :param named: Names found in the question, each with the entities of that name.
    :param shown: Entities whose pages are wanted; ``None`` for all. *Shape:* ``(entities,)``
    """
    n, entities = len(view.snapshot.documents), len(view.snapshot.entities)
    has_page = view.frequency >= 2
    boost = np.zeros(entities)
    for found in named.values():
        pages = [entity for entity in found if has_page[entity]]
        boost[pages] = np.maximum(boost[pages], NAMED / max(len(pages), 1))
    best = top(scores, SEEDS)
    restart = np.zeros(n + entities)
    restart[best] = np.maximum(scores[best], 0)
    restart[n:] += boost * restart.sum() / max(boost.sum(), 1.0)
    if not restart.any():
        return []
    spread = walk.scores(restart, tol=TOLERANCE)[n:].astype(np.float64)
    wanted = has_page if shown is None else has_page & shown
    total = np.where(wanted, scaled(spread) + boost, 0.0)
    return [(int(i), float(total[i])) for i in top(total, k) if total[i] > 0]
