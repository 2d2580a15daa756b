"""What the learned mix sees of a candidate: every signal's value, its share of the best, and its rank.

A value says how well a tool fits; its share and its rank say how it stands beside the others of the same request, which
is comparable from request to request. The last columns are the same for all candidates of a request: how near anything
past comes to it at all, so that trees can trust history less where it is far.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphstore.retrieval.ppr import top
from graphstore.retrieval.tool_beside import beside
from graphstore.retrieval.tool_evidence import Evidence, Scores, scaled
from graphstore.retrieval.tool_signals import DIRECT, RELATED, direct, item_scores, softmax, usage

CANDIDATES = 40
"""Tools of a request that are weighed; the rest keep the order of the mix without training."""
_SHARP = 0.02  # temperature of past requests that are all but the same
_SHARP_VOTE = 0.03
_FURTHEST = 50  # ranks beyond are alike
_DIGITS = 9


@dataclass(frozen=True, slots=True)
class Candidates:
    """The likeliest tools of a request.

    :param tools: Their numbers, best first by the mix without training.
    :param rows: Their features; the first column is the scaled score of that mix. *Shape:* ``(c, f)``
    :param mixed: Score of that mix for every tool. *Shape:* ``(n,)``
    :param near: Cosine of the request and the nearest past one; −1 if there is none.
    """

    tools: NDArray[np.intp]
    rows: Scores
    mixed: Scores
    near: float = -1.0


def candidates(evidence: Evidence, mixed: Scores) -> Candidates:
    """The candidates of a request.

    :param mixed: Score of the mix without training for every tool. *Shape:* ``(n,)``
    """
    tools = top(mixed, CANDIDATES)
    values = np.concatenate([_values(evidence, mixed), beside(evidence, mixed)])
    own = values[:, tools]
    ranks = _ranks(values, own)
    levels = np.repeat(_levels(evidence)[:, None], len(tools), axis=1)
    rows = np.concatenate([scaled(values, own), 1 / (1 + ranks), np.log1p(ranks), own, levels])
    return Candidates(tools, np.ascontiguousarray(rows.T), mixed, float(evidence.nearest[1].max(initial=-1.0)))


def _values(evidence: Evidence, mixed: Scores) -> Scores:
    """Each signal's value of every tool. *Shape:* ``(signals, n)``"""
    snapshot = evidence.snapshot
    n = len(snapshot.tools)
    whole = evidence.over_all(evidence.used_for_whole.astype(np.float64), -1)
    nearest = evidence.votes_of_nearest(_SHARP)
    recent = np.asarray(evidence.voters.T @ nearest) / max(float(nearest.sum()), 1.0)
    return np.stack(
        [
            mixed,
            evidence.bm25,
            evidence.cosine,
            evidence.clause_bm25,
            evidence.clause_cosines.max(axis=0).astype(np.float64),
            *(evidence.value(signal) for signal in (*DIRECT, *RELATED)),
            evidence.over_all(evidence.used_for.max(axis=0).astype(np.float64), -1),
            whole,
            recent,
            evidence.over_all(softmax(evidence.used_for, _SHARP_VOTE).max(axis=0)),
            evidence.visits[:n],
            evidence.value(item_scores),
            snapshot.popularity,
            evidence.value(direct),
        ]
    )


def _levels(evidence: Evidence) -> Scores:
    """How near anything comes to the request. *Shape:* ``(levels,)``"""
    near = evidence.nearest[1]
    return np.array(
        [
            near.max(initial=-1.0),
            evidence.used_for.max(initial=-1.0),
            float(evidence.value(usage).sum()) / max(len(evidence.snapshot.tools), 1),
            evidence.cosine.max(initial=-1.0),
            float(len(evidence.asks)),
        ]
    )


def _ranks(values: Scores, own: Scores) -> Scores:
    """How many tools are better than each of some, by each signal, at most so many as count. *Shape:* as ``own``"""
    worse = -values
    if values.shape[1] > _FURTHEST:  # the largest last would take twice as long: nearly all are equal and small
        worse = np.partition(worse, _FURTHEST, axis=1)[:, :_FURTHEST]
    better = np.round(worse, _DIGITS)[:, None, :] < np.round(-own, _DIGITS)[:, :, None]
    return np.asarray(better.sum(axis=2), dtype=np.float64)
