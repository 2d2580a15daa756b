"""Reasons: which transitions, similarities and past requests a tool's score comes from.

Shares are those of the mix without training, of which each part can be named; the learned mix weighs the same evidence.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping

import numpy as np
import scipy.sparse as sp

from graphstore.models import Because, Via
from graphstore.retrieval.tool_evidence import DAMPING, TEMPERATURE, Evidence, Scores, Signal
from graphstore.retrieval.tool_needs import Needed, needs, supplies
from graphstore.retrieval.tool_signals import past, usage, votes, walk
from graphstore.toolgraph.fusion import column

_MOST = 5
_MOST_REQUESTS = 3
_LEAST_SHARE = 0.005
_LEAST_FLOW = 1e-4  # what is below the last decimal that is shown adds nothing
_DECIMALS = 4


def because(evidence: Evidence, tool: int, parts: Mapping[Signal, Scores]) -> tuple[Because, ...]:
    """The strongest reasons for a tool, by the share of its score that they carry.

    The part of the score that comes from the tool's own text is no reason of this kind: that is ``ToolHit.seed``.

    :param tool: Its number in the snapshot.
    :param parts: What each signal adds to the scores.
    """
    total = sum(float(part[tool]) for part in parts.values())
    if total <= 0:
        return ()
    shares: defaultdict[tuple[Via, int], float] = defaultdict(float)
    for via, source, share in _past_shares(evidence, tool):
        shares[via, source] += share * float(parts[past][tool]) / total
    known = {source for _, source in shares}
    of_walk = float(parts[walk][tool]) / total
    for via, source, share in _walk_shares(evidence, tool, of_walk, known):
        shares[via, source] += share * of_walk
    for signal, needed in ((needs, evidence.needed), (supplies, evidence.supplied)):
        for source, share in _needs_shares(needed, tool):
            shares["REQUIRES", source] += share * float(parts[signal][tool]) / total
    if found := _clause(evidence, tool):
        used, of_votes = found
        part = float(parts[usage][tool]) + (float(parts[votes][tool]) if of_votes else 0.0)
        shares["CLAUSE", int(evidence.snapshot.used.stages[used])] += part / total
    large = ((key, share) for key, share in shares.items() if share >= _LEAST_SHARE)
    ranked = sorted(large, key=lambda item: (-round(item[1], _DECIMALS), item[0]))
    return tuple(_reason(evidence, tool, *key, share) for key, share in _varied(ranked))


def _varied(ranked: list[tuple[tuple[Via, int], float]]) -> list[tuple[tuple[Via, int], float]]:
    """The first reasons, past requests only up to their number: many alike would hide the transitions."""
    requests = [item for item in ranked if item[0][0] == "PAST"][_MOST_REQUESTS:]
    return [item for item in ranked if item not in requests][:_MOST]


def _past_shares(evidence: Evidence, tool: int) -> Iterator[tuple[Via, int, float]]:
    stages, votes = evidence.nearest[0], evidence.votes_of_nearest(TEMPERATURE)
    voters, usage = column(evidence.voters, tool)
    shares = votes[voters] * usage
    if shares.any():
        for voter, share in zip(voters, shares / shares.sum(), strict=True):
            yield "PAST", int(stages[voter]), float(share)


def _clause(evidence: Evidence, tool: int) -> tuple[int, bool] | None:
    """The row of the usage vector that a clause is nearest to, and whether it decides the tool's vote.

    ``None`` for a tool that no clause was compared with, or that was never used.
    """
    place = _place(evidence, tool)
    if place is None:
        return None
    used = evidence.used_for[:, place]
    row = evidence.asked_before.nearest(int(used.argmax()), place)
    if row is None:
        return None
    first = int(evidence.snapshot.used.starts[tool])
    return first + row, float(used.max()) >= float(evidence.clause_cosines[:, tool].max())


def _place(evidence: Evidence, tool: int) -> int | None:
    """The number of a tool among those that clauses were compared with; ``None`` for another."""
    place = int(np.searchsorted(evidence.candidates, tool))
    return place if place < len(evidence.candidates) and evidence.candidates[place] == tool else None


def _needs_shares(needed: Needed, tool: int) -> Iterator[tuple[int, float]]:
    """Shares of a tool's score as a needed one, by the tool that needs it; what it has as an entry is left out."""
    for source, part in needed.by.get(tool, {}).items():
        yield source, part / float(needed.scores[tool])


def _walk_shares(
    evidence: Evidence, tool: int, weight: float, known: Collection[int]
) -> Iterator[tuple[Via, int, float]]:
    """Shares of the walk's visits to a tool, by the node that they came from; what began there is left out.

    :param weight: The walk's share of the tool's score: what is too little of it to be told is passed over.
    :param known: Past stages that speak for the tool otherwise too, so that little may add to much.
    """
    visits, graph = evidence.visits, evidence.snapshot.graph
    n = len(evidence.snapshot.tools)
    if not visits[tool]:
        return
    incoming: tuple[tuple[Via, sp.csc_array, Scores], ...] = (
        ("NEXT", graph.forward, visits[:n]),
        ("PREVIOUS", graph.backward, visits[:n]),
        ("SIMILAR", graph.similar, visits[:n]),
        ("PAST", graph.solving, visits[n:]),
    )
    for via, part, visited in incoming:
        sources, probabilities = column(part, tool)
        flows = DAMPING * probabilities * visited[sources] / visits[tool]
        seen = np.flatnonzero(flows >= _LEAST_FLOW)  # a hub has ten thousand stages, nearly all far from this request
        for source, flow in zip(sources[seen].tolist(), flows[seen].tolist(), strict=True):
            if flow * weight >= _LEAST_SHARE or (via == "PAST" and source in known):
                yield via, source, flow


def _reason(evidence: Evidence, tool: int, via: Via, source: int, share: float) -> Because:
    weight = round(min(share, 1.0), _DECIMALS)
    if via not in ("PAST", "CLAUSE"):
        return Because(evidence.snapshot.tools[source].id, via, weight)
    stage = evidence.snapshot.stages[source]
    path = stage.path_with(evidence.snapshot.tools[tool].id)
    place = _place(evidence, tool) if via == "CLAUSE" else None
    clause = None if place is None else evidence.clauses[int(evidence.used_for[:, place].argmax())]
    return Because(stage.id, via, weight, request=stage.request, path=path, clause=clause)
