"""Signals: what speaks for a tool, each a function of snapshot and request, and the mix that adds them up.

A new signal is a function ``Evidence → scores`` and a line in :data:`DIRECT` or :data:`RELATED`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from graphstore.retrieval.ppr import top
from graphstore.retrieval.tool_evidence import SHARPNESS, Evidence, Scores, Signal, scaled
from graphstore.retrieval.tool_needs import needs, supplies

_DECIMALS = 6  # so that the last bits of a float never order two equal tools
VOTE_TEMPERATURE = 0.06
"""Scale of cosine differences in the vote of a clause."""
ITEM_SEEDS = 6
"""Tools that the item–item model is asked about."""


def hybrid(evidence: Evidence) -> Scores:
    """The tool's own text: BM25 and cosine, each scaled to [0, 1]. *Shape:* ``(n,)``, in [0, 1]"""
    return evidence.hybrid


def text(evidence: Evidence) -> Scores:
    """The tool's own text by the whole request and by its best clause. *Shape:* ``(n,)``, in [0, 1]"""
    best_clause = scaled(evidence.clause_bm25) + scaled(evidence.clause_cosines.max(axis=0).astype(np.float64))
    return scaled(evidence.words + evidence.meaning + best_clause)


def past(evidence: Evidence) -> Scores:
    """Votes of the nearest past requests for the tools that solved them. *Shape:* ``(n,)``, in [0, 1]"""
    return evidence.past


def usage(evidence: Evidence) -> Scores:
    """How near a clause comes to one that the tool was used for. *Shape:* ``(n,)``, in [0, 1]"""
    if not len(evidence.snapshot.used):
        return np.zeros(len(evidence.snapshot.tools))
    return evidence.over_all(scaled(np.maximum(evidence.used_for.max(axis=0), 0.0).astype(np.float64)))


def votes(evidence: Evidence) -> Scores:
    """The largest share of a clause's vote, which it splits among tools by what they were used for and say.

    *Shape:* ``(n,)``, in [0, 1]
    """
    fit = np.maximum(evidence.used_for, evidence.clause_cosines[:, evidence.candidates])
    return scaled(evidence.over_all(softmax(fit, VOTE_TEMPERATURE).max(axis=0)))


def items(evidence: Evidence) -> Scores:
    """What the likeliest tools bring along, by past solutions alone. *Shape:* ``(n,)``, in [0, 1]"""
    return scaled(evidence.value(item_scores))


def item_scores(evidence: Evidence) -> Scores:
    """The item–item model's sums for the best tools of the other signals, cubed. *Shape:* ``(n,)``"""
    if not evidence.snapshot.usage.nnz:
        return np.zeros(len(evidence.snapshot.tools))
    known = scaled(evidence.value(direct)) + evidence.value(votes) + evidence.value(walk)
    best = top(known, ITEM_SEEDS)
    weights = np.zeros(len(known))
    weights[best] = (known[best] / max(known[best[0]], 1e-12)) ** SHARPNESS
    return evidence.snapshot.items.scores(weights, evidence.candidates)


def experience(evidence: Evidence) -> Scores:
    """BM25 over the tool's text and past requests that it helped to solve. *Shape:* ``(n,)``, in [0, 1]"""
    return scaled(evidence.snapshot.experience.scores(evidence.tokens))


def walk(evidence: Evidence) -> Scores:
    """Visits of the walk on the fused graph. *Shape:* ``(n,)``, in [0, 1]"""
    return evidence.walked


def direct(evidence: Evidence) -> Scores:
    """The signals that look at one tool at a time, added up. *Shape:* ``(n,)``"""
    return np.asarray(np.sum([_weight(evidence, signal) * evidence.value(signal) for signal in DIRECT], axis=0))


def _weight(evidence: Evidence, signal: Signal) -> float:
    """What a signal counts: those that look at past stages one by one less where there are few."""
    weight = DIRECT[signal] if signal in DIRECT else RELATED[signal]
    stages = len(evidence.snapshot.stages)
    return weight * stages / (stages + ENOUGH) if signal in (past, usage, items) else weight


def softmax(values: NDArray[np.float32], temperature: float) -> Scores:
    """Each row as probabilities. *Shape:* as the values"""
    weights = np.exp((values - values.max(axis=1, keepdims=True)) / temperature).astype(np.float64)
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


DIRECT: Mapping[Signal, float] = {text: 1.0, past: 1.5, usage: 1.0, experience: 0.5}
RELATED: Mapping[Signal, float] = {votes: 1.0, walk: 1.0, items: 0.5, needs: 30.0, supplies: 2.4}
"""Weights of the mix without training: what looks at one tool at a time, scaled to [0, 1] together, and the rest."""
ENOUGH = 150.0
"""Past stages at which what was asked before has half its weight: of thirty, the nearest is seldom near. Chosen on
tasks held out of UltraTool's history with a hundredth to a tenth of the rest: Full@10 .83 at 25 stages, else .78."""


def contributions(evidence: Evidence) -> dict[Signal, Scores]:
    """What each signal adds to the tools' scores in the mix without training. *Shape:* ``(n,)`` each"""
    parts = {signal: _weight(evidence, signal) * evidence.value(signal) for signal in DIRECT}
    most = max(float(np.sum(list(parts.values()), axis=0).max(initial=0.0)), 1e-12)
    parts = {signal: part / most for signal, part in parts.items()}
    return parts | {signal: _weight(evidence, signal) * evidence.value(signal) for signal in RELATED}


def mixed(parts: Iterable[Scores]) -> Scores:
    """The score of the mix without training.

    :param parts: Of :func:`contributions`. *Shape:* ``(n,)`` each
    """
    return np.asarray(np.round(np.sum(list(parts), axis=0), _DECIMALS))
