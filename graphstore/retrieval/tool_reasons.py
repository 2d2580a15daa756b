"""Reasons: which transitions, similarities and past requests a tool's score comes from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

import numpy as np
import scipy.sparse as sp

from graphstore.models import Because, Via
from graphstore.retrieval.tool_signals import DAMPING, Evidence, Scores, Signal, past, walk

_MOST = 5
_LEAST_SHARE = 0.005
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
    for via, source, share in _walk_shares(evidence, tool):
        shares[via, source] += share * float(parts[walk][tool]) / total
    ranked = sorted(shares.items(), key=lambda item: (-round(item[1], _DECIMALS), item[0]))
    return tuple(_reason(evidence, *key, share) for key, share in ranked[:_MOST] if share >= _LEAST_SHARE)


def _past_shares(evidence: Evidence, tool: int) -> Iterator[tuple[Via, int, float]]:
    stages, votes = evidence.nearest
    votes = votes * evidence.snapshot.usage[stages][:, [tool]].toarray().ravel()
    if votes.any():
        for stage, share in zip(stages, votes / votes.sum(), strict=True):
            yield "PAST", int(stage), float(share)


def _walk_shares(evidence: Evidence, tool: int) -> Iterator[tuple[Via, int, float]]:
    """Shares of the walk's visits to a tool, by the node that they came from; what began there is left out."""
    visits, graph = evidence.visits, evidence.snapshot.graph
    n = len(evidence.snapshot.tools)
    if not visits[tool]:
        return
    columns: tuple[tuple[Via, sp.csr_array], ...] = (
        ("NEXT", graph.forward),
        ("PREVIOUS", graph.backward),
        ("SIMILAR", graph.similar),
    )
    for via, part in columns:
        flow = DAMPING * part[:, [tool]].toarray().ravel() * visits[:n] / visits[tool]
        for source in np.flatnonzero(flow):
            yield via, int(source), float(flow[source])
    solved = DAMPING * graph.transition[n:, [tool]].toarray().ravel() * visits[n:] / visits[tool]
    for stage in np.flatnonzero(solved):
        yield "PAST", int(stage), float(solved[stage])


def _reason(evidence: Evidence, via: Via, source: int, share: float) -> Because:
    weight = round(min(share, 1.0), _DECIMALS)
    if via != "PAST":
        return Because(evidence.snapshot.tools[source].id, via, weight)
    stage = evidence.snapshot.stages[source]
    return Because(stage.id, via, weight, request=stage.request, path=stage.path)
