"""More of what the learned mix sees: how the tools of a request stand beside each other by one kind of evidence.

They are views of what the signals are made of (``tool_signals``) at other sharpness; how often, not only how nearly, a
clause was asked before, by its vectors and by its words; the tool's name by itself; and the company that a tool keeps:
tools that follow or precede the likeliest, solved with them, or share their domain or their family. None of them is
part of the mix without training.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import scipy.sparse as sp

from graphstore.retrieval.ppr import top
from graphstore.retrieval.tool_evidence import Evidence, Scores, scaled
from graphstore.retrieval.tool_signals import ITEM_SEEDS, VOTE_TEMPERATURE, softmax

TEMPERATURES = (0.02, 0.05, 0.1)
"""Scales of cosine differences at which past requests vote: the nearest alone, some, many."""
CLOSEST = (1, 3, 10)
"""Numbers of past requests that vote alike."""
COMPANY = 10
"""Likeliest tools whose domains and families count."""
_SHARP, _FLAT = 0.03, 0.12
OFTEN = 0.1
"""Scale of cosine differences at which all past clauses vote; half of it is the second, sharper one."""
SEVERAL = 3
"""Nearest past clauses of a tool whose mean counts."""
_FEW = 5.0  # solved stages by which a rare tool's share of them is held back


def beside(evidence: Evidence, mixed: Scores) -> Scores:
    """The values of every tool, one row for each view. *Shape:* ``(views, n)``

    :param mixed: Score of the mix without training. *Shape:* ``(n,)``
    """
    share, of_votes = _votes(evidence)
    past = list(_past(evidence))
    likely = scaled(share) + scaled(past[1])
    company = [*_joined(evidence, mixed), *_company(evidence, likely)]
    return np.stack([share, *of_votes, *past, *company, *_often(evidence), *_words(evidence)])


def _votes(evidence: Evidence) -> tuple[Scores, list[Scores]]:
    """The clauses' votes, and other ways to count them."""
    own = evidence.clause_cosines[:, evidence.candidates]
    used = evidence.used_for
    fit = np.maximum(used, own)
    shares = softmax(fit, VOTE_TEMPERATURE)
    behind = fit - fit.max(axis=1, keepdims=True)
    ahead = np.array([np.searchsorted(np.sort(-row), -row) for row in fit])
    views = [
        softmax(fit, _SHARP).max(axis=0),
        softmax(fit, _FLAT).max(axis=0),
        shares.sum(axis=0),
        softmax(own, VOTE_TEMPERATURE).max(axis=0),
        softmax(np.maximum(used, 0), VOTE_TEMPERATURE).max(axis=0),
    ]
    views = [evidence.over_all(view) for view in views]
    views.append(evidence.over_all(-ahead.min(axis=0).astype(np.float64), -float(len(evidence.snapshot.tools))))
    views.append(evidence.over_all(behind.max(axis=0).astype(np.float64), -1.0))
    return evidence.over_all(shares.max(axis=0)), views


def _past(evidence: Evidence) -> Iterator[Scores]:
    """Which share of the nearest past requests each tool helped to solve, and how near the nearest of these is."""
    solved = sp.csr_array(evidence.voters)
    stages, n = solved.shape
    voters, tools = np.repeat(np.arange(stages), np.diff(solved.indptr)), solved.indices
    for temperature in TEMPERATURES:
        votes = evidence.votes_of_nearest(temperature)
        yield np.bincount(tools, votes[voters], n) / max(float(votes.sum()), 1.0)
    for count in CLOSEST:
        among = min(count, stages)
        yield np.bincount(tools[voters < among], minlength=n) / max(among, 1)
    nearest = np.full(n, -1.0)
    np.maximum.at(nearest, tools, evidence.nearest[1][voters])
    yield nearest


def _joined(evidence: Evidence, mixed: Scores) -> Iterator[Scores]:
    """How often each tool stands next to the likeliest ones in a path, and which share of its stages they solved."""
    snapshot = evidence.snapshot
    fit = scaled(mixed)
    best = np.sort(top(fit, ITEM_SEEDS))
    weights = np.zeros(len(fit))
    weights[best] = fit[best] ** 3
    yield np.asarray(weights @ snapshot.graph.forward + weights @ snapshot.graph.backward)
    together = snapshot.items.gram[best]
    yield np.asarray(weights[best] @ together) / (snapshot.popularity + _FEW)


def _company(evidence: Evidence, likely: Scores) -> Iterator[Scores]:
    """Which share of the likeliest tools is of each tool's domain, and of its family."""
    best = top(likely, COMPANY)
    weights = likely[best] ** 2
    weights = weights / max(float(weights.sum()), 1e-12)
    for kinds in (evidence.snapshot.domains, evidence.snapshot.families):
        sums: Scores = np.zeros(int(kinds.max(initial=0)) + 1)
        np.add.at(sums, kinds[best], weights)
        sums[0] = 0.0  # tools that name none share none
        yield sums[kinds]


def _often(evidence: Evidence) -> Iterator[Scores]:
    """How often, and how nearly, a clause was asked before of each tool: all usage vectors vote, not the nearest."""
    before = evidence.asked_before
    flat, sharp = before.shares(OFTEN)
    yield evidence.over_all(sharp.max(axis=0))
    yield evidence.over_all(flat.max(axis=0))
    yield evidence.over_all(flat.sum(axis=0))
    yield evidence.over_all(before.nearest_few(SEVERAL), -1.0)


def _words(evidence: Evidence) -> Iterator[Scores]:
    """How well the tools' names fit, whole and by the best clause, and the clauses that they were used for."""
    names, asked_for = evidence.snapshot.names, evidence.snapshot.asked_for
    yield names.scores(evidence.tokens)
    yield evidence.of_best_clause(names.scores)
    yield names.held(set(evidence.tokens))
    yield asked_for.scores(evidence.tokens)
    yield evidence.of_best_clause(asked_for.scores)
