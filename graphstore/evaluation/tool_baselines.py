"""Baselines for tools: what the product must beat, each a ranking from one kind of evidence alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from graphstore.retrieval.exposure import exposed
from graphstore.retrieval.ppr import top
from graphstore.retrieval.tool_evidence import Evidence, Scores
from graphstore.retrieval.tool_signals import hybrid, past, walk


def popularity(evidence: Evidence) -> Scores:
    """Solved stages that used the tool, whatever is asked. *Shape:* ``(n,)``"""
    return evidence.snapshot.popularity


def bm25(evidence: Evidence) -> Scores:
    """BM25 on the catalog's text. *Shape:* ``(n,)``"""
    return evidence.snapshot.catalog.scores(evidence.tokens)


def dense(evidence: Evidence) -> Scores:
    """Cosine of request and catalog text. *Shape:* ``(n,)``"""
    return np.asarray(evidence.snapshot.vectors @ evidence.vector, dtype=np.float64)


def past_requests(evidence: Evidence) -> Scores:
    """Votes of the nearest past requests; tools without a vote in the order of hybrid. *Shape:* ``(n,)``"""
    return past(evidence) + 1e-6 * evidence.hybrid


BASELINES: Mapping[str, Callable[[Evidence], Scores]] = {
    "popularity": popularity,
    "bm25": bm25,
    "dense": dense,
    "hybrid": hybrid,
    "past-requests": past_requests,
    "ppr": walk,
    "exposure": exposed,
}
"""Name → scores of all tools; ``ppr`` is the diffusion over history without the rest of the mix. A tool whose score is
−∞ is not offered at all."""

SETS = frozenset({"exposure"})
"""Baselines that show all tools of a set, not its best k."""


def ranked(evidence: Evidence, baseline: str, k: int) -> tuple[list[str], list[str]]:
    """Ids of the first k tools by a baseline, equal ones in the order of their ids; and of all that it shows."""
    scores = BASELINES[baseline](evidence)
    count = int(np.isfinite(scores).sum())
    order = [evidence.snapshot.tools[number].id for number in top(scores, count if baseline in SETS else k).tolist()]
    offered = order[:count]
    return offered[:k], offered
