"""The likely order of execution of the tools of an answer.

For two tools a and b, three things say which comes first, added up as one number (positive: a comes first)::

    log((n_ab + p) / (n_ba + p)) + (place of b - place of a) + 6 (clause place of b - clause place of a)

``n_ab`` are the past stages in which a came before b, each counted by how much its request is like this one, relative
to the most similar of the stages that used both: in which order two tools are used is a matter of what is asked. A tool
that produces what another's parameter needs counts as a part of one more such stage. A *place* is where in a path a
tool is first called, from 0 to 1, the mean over its stages. A *clause place* is where in the request the tool is asked
for: the mean over the clauses, each weighted by how well it asks for the tool.

The tools are put in one by one, best first, each where most speaks for it among those that stand already: so what is
doubtful never changes the order of what is sure. What a tool declares to need always comes before it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from graphstore.models import When
from graphstore.retrieval.ppr import top
from graphstore.retrieval.tool_needs import strongest_ways
from graphstore.toolgraph.fusion import column

if TYPE_CHECKING:
    from graphstore.retrieval.tool_evidence import Cosines, Evidence, Scores

TEMPERATURE = 0.03
"""Scale of cosine differences between the requests of stages that used both of two tools."""
PRIOR = 0.2
"""Stages added to both counts. This, the temperatures and the weight were chosen on tasks held out of the histories of
UltraTool and TRAJECT-Bench: Kendall's τ of the needed tools among ten is .78 in both, .67 and .68 without clauses."""
CLAUSES = 6.0
"""Weight of where the request asks for the tools."""
CLAUSE_TEMPERATURE = 0.1
"""Scale of cosine differences between the clauses of a request."""
_MOST_STAGES = 2000
_TOLD = 1.0
"""Least number by which a tool is said to come before or after the best one: odds of 2.7 to 1."""
_SAME = 1e-9


@dataclass(frozen=True, slots=True)
class Placed:
    """Where a tool of an answer stands in the likely order.

    :param position: From 1.
    :param when: Whether it comes before or after the best tool, where enough speaks for either.
    """

    position: int
    when: When | None


def placed(evidence: Evidence, hits: NDArray[np.intp], asked: Scores | None = None) -> list[Placed]:
    """The place of each tool of an answer.

    :param hits: Numbers of the tools, best first.
    :param asked: How well each clause of the request asks for each of them, as a cosine. *Shape:* ``(c, hits)``
    """
    if not len(hits):
        return []
    lead = leads(evidence, hits, asked)
    needed = _needed(evidence.snapshot.requires, hits)
    sequence = sequenced(lead, needed)
    positions = {hit: position for position, hit in enumerate(sequence, start=1)}
    return [Placed(positions[i], _when(i, positions, lead, needed)) for i in range(len(hits))]


def leads(evidence: Evidence, hits: NDArray[np.intp], asked: Scores | None = None) -> Scores:
    """How much speaks for the first tool of each pair to come before the second. *Shape:* ``(hits, hits)``

    Antisymmetric: what speaks for one order speaks as much against the other.
    """
    snapshot = evidence.snapshot
    columns = [column(snapshot.past.places, int(hit)) for hit in hits]
    before = _before(columns, evidence.alike) + snapshot.produces[hits][:, hits].toarray().T
    usual = np.array([data.mean() if len(data) else 0.5 for _, data in columns])
    lead = np.log((before + PRIOR) / (before.T + PRIOR)) + _differences(usual)
    if asked is not None:
        lead += CLAUSES * _differences(clause_places(asked))
    return np.asarray(lead)


def clause_places(asked: Scores) -> Scores:
    """Where in the request each tool is asked for, from 0 (the first clause) to 1. *Shape:* ``(hits,)``

    :param asked: How well each clause asks for each tool, as a cosine. *Shape:* ``(c, hits)``
    """
    weights = np.exp((asked - asked.max(axis=0)) / CLAUSE_TEMPERATURE)
    where = np.linspace(0, 1, len(asked)) if len(asked) > 1 else np.array([0.5])
    return np.asarray(where @ weights / weights.sum(axis=0))


def sequenced(lead: Scores, needed: NDArray[np.bool_]) -> list[int]:
    """The numbers ``0 … hits - 1`` in the likely order; where nothing speaks for either, the better hit comes first.

    :param lead: Of :func:`leads`.
    :param needed: Whether the first tool of a pair must come before the second.
    """
    sequence: list[int] = []
    for hit in range(len(lead)):
        earliest = max((at + 1 for at, other in enumerate(sequence) if needed[other, hit]), default=0)
        latest = min((at for at, other in enumerate(sequence) if needed[hit, other]), default=len(sequence))
        # what speaks for each gap: all before it come before the tool, all after it after
        gaps = np.concatenate([[0.0], np.cumsum(2 * lead[sequence, hit])])[earliest : max(earliest, latest) + 1]
        best = np.flatnonzero(gaps >= gaps.max() - _SAME)[-1]
        sequence.insert(earliest + int(best), hit)
    return sequence


def places(paths: Iterable[tuple[Sequence[str], Sequence[int], float]]) -> dict[str, float]:
    """Where in the paths of one stage each tool is first called: the weighted mean over the paths that hold it.

    :param paths: Tools, the step of each, and weight (runs × efficiency) of each path.
    :returns: Tool id → place in (0, 1); the middle of its step if the path is cut into as many parts as it has steps.

    >>> places([(["find", "open", "find"], [0, 1, 2], 1.0), (["open"], [0], 1.0)])
    {'find': 0.16666666666666666, 'open': 0.5}
    """
    sums: defaultdict[str, float] = defaultdict(float)
    weights: defaultdict[str, float] = defaultdict(float)
    for tools, steps, weight in paths:
        first: dict[str, int] = {}
        for tool, step in zip(tools, steps, strict=True):
            first.setdefault(tool, step)
        for tool, step in first.items():
            sums[tool] += weight * (step + 0.5) / (steps[-1] + 1)
            weights[tool] += weight
    return {tool: total / weights[tool] for tool, total in sums.items()}


def _before(columns: Sequence[tuple[NDArray[np.int32], Scores]], alike: Cosines | Scores) -> Scores:
    """How often the first tool of each pair came before the second, in stages like this one. *Shape:* ``(hits, hits)``

    :param columns: For each tool the stages that used it, ascending, and its place in each.
    :param alike: Cosine of the request and each stage's.
    """
    shared = np.flatnonzero(np.bincount(np.concatenate([stages for stages, _ in columns])) > 1)
    cosines = alike[shared]
    kept = np.sort(top(cosines, _MOST_STAGES))
    shared, cosines = shared[kept], cosines[kept]
    at = np.full((len(columns), len(shared)), np.nan)
    for hit, (stages, of_tool) in enumerate(columns):
        place = np.searchsorted(shared, stages)
        known = np.flatnonzero(shared[np.minimum(place, len(shared) - 1)] == stages) if len(shared) else place[:0]
        at[hit, place[known]] = of_tool[known]
    out = np.zeros((len(columns), len(columns)))
    for hit, mine in enumerate(at):
        used = np.flatnonzero(~np.isnan(mine))
        others, cosine = at[:, used], cosines[used]
        both = ~np.isnan(others)
        nearest = np.where(both, cosine, -np.inf).max(axis=1, keepdims=True, initial=-1.0)
        before = mine[used] < others - _SAME  # never so where the other was not used
        out[hit] = np.exp((cosine - nearest) / TEMPERATURE, out=np.zeros(before.shape), where=before).sum(axis=1)
    return out


def _needed(requires: sp.csr_array, hits: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Whether the second tool of each pair needs the first, directly or not; of two that need each other neither."""
    out = np.zeros((len(hits), len(hits)), dtype=bool)
    number = {int(hit): i for i, hit in enumerate(hits)}
    for hit, i in number.items():
        for other in strongest_ways(requires, hit):
            if other in number and other != hit:
                out[number[other], i] = True
    return np.asarray(out & ~out.T)


def _when(hit: int, positions: Mapping[int, int], lead: Scores, needed: NDArray[np.bool_]) -> When | None:
    """Whether a tool comes before or after the best one, if a declared need or the numbers say so clearly."""
    earlier = positions[hit] < positions[0]
    if needed[hit, 0] or (earlier and lead[hit, 0] >= _TOLD):
        return "before"
    if needed[0, hit] or (not earlier and lead[0, hit] >= _TOLD):
        return "after"
    return None


def _differences(where: Scores) -> Scores:
    return np.asarray(where[None, :] - where[:, None])
