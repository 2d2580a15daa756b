"""Baselines for tools: what the fused graph must beat, each a ranking of all tools from one kind of evidence alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from graphstore.retrieval.ppr import top
from graphstore.retrieval.tool_signals import Evidence, Scores, hybrid, past, walk


def popularity(evidence: Evidence) -> Scores:
    """Solved stages that used the tool, whatever is asked. *Shape:* ``(n,)``"""
    return np.asarray(evidence.snapshot.usage.sum(axis=0), dtype=np.float64)


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
    "past requests": past_requests,
    "walk": walk,
}
"""Name → scores of all tools; ``walk`` is the diffusion without the rest of the mix."""


def ranked(evidence: Evidence, baseline: str, k: int) -> list[str]:
    """Ids of the first k tools by a baseline, equal ones in the order of their ids."""
    scores = BASELINES[baseline](evidence)
    return [evidence.snapshot.tools[number].id for number in top(scores, k).tolist()]
