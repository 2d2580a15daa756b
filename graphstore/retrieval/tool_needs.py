"""What the likely tools need: declared needs, followed from tool to tool.

A request names the tool that does what is asked, seldom those that must be called before it. So the tools that fit the
request's words best are taken as *entries*, each with its share of a softmax, and each passes its share on to what it
needs, times the strength of each need on the way; of several ways the strongest counts. A tool's score is the sum over
the entries: the probability that it is needed, if exactly one entry is meant and needs hold independently. An entry
that needs nothing passes nothing on and keeps nothing: where few tools declare their needs, this signal says little.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from graphstore.retrieval.ppr import top

if TYPE_CHECKING:
    from graphstore.retrieval.tool_evidence import Evidence, Scores

ENTRIES = 10
"""Tools that could be the one that is meant."""
TEMPERATURE = 0.18
"""Scale of the entries' scores, which are a sum of up to 3. With the strengths of needs (see ``tool_snapshot``) chosen
on half of ToolLinkOS's main tools, mean average precision without history: .903 at .1, .908 here, .887 at .3."""
_FAINTEST = 0.05
"""Ways weaker than this are not followed: what is reached by them ranks below anything else."""


@dataclass(frozen=True, slots=True)
class Needed:
    """Scores of needed tools, and whom each is needed by.

    :param scores: *Shape:* ``(n,)``, in [0, 1]; all 0 if no tool needs another.
    :param by: Needed tool → tool that needs it directly → the part of its score that came from there.
    """

    scores: Scores
    by: Mapping[int, Mapping[int, float]]


@dataclass(frozen=True, slots=True)
class Way:
    """The strongest way to a tool.

    :param strength: Product of the needs on it; 1 for the start itself.
    :param last: The tool before the last one: the one that needs it directly; ``None`` for the start.
    """

    strength: float
    last: int | None


def needs(evidence: Evidence) -> Scores:
    """What the likely tools need, and they themselves if they need anything. *Shape:* ``(n,)``, in [0, 1]"""
    return evidence.needed.scores


def supplies(evidence: Evidence) -> Scores:
    """What produces what the likely tools' parameters need, by their schemas alone. *Shape:* ``(n,)``, in [0, 1]"""
    return evidence.supplied.scores


def needed(requires: sp.csr_array, fit: Scores, *, own: bool = True) -> Needed:
    """What the tools that fit best need.

    :param requires: Strength of each need, from row to column, in (0, 1). *Shape:* ``(n, n)``
    :param fit: How well each tool fits the request. *Shape:* ``(n,)``
    :param own: Whether an entry keeps its share too.
    """
    scores = np.zeros(len(fit))
    by: dict[int, dict[int, float]] = {}
    if not requires.nnz:
        return Needed(scores, by)
    for entry, share in zip(*entries(fit), strict=True):
        if requires.indptr[entry] == requires.indptr[entry + 1]:
            continue
        for tool, way in strongest_ways(requires, int(entry)).items():
            if way.last is not None or own:
                scores[tool] += share * way.strength
            if way.last is not None:
                of_tool = by.setdefault(tool, {})
                of_tool[way.last] = of_tool.get(way.last, 0.0) + float(share) * way.strength
    return Needed(scores, by)


def entries(fit: Scores) -> tuple[NDArray[np.intp], Scores]:
    """The tools that could be meant, best first, and the probability of each; they sum to 1."""
    best = top(fit, ENTRIES)
    weights = np.exp((fit[best] - fit[best].max(initial=-np.inf)) / TEMPERATURE)
    return best, np.asarray(weights / weights.sum())


def strongest_ways(requires: sp.csr_array, start: int, *, faintest: float = _FAINTEST) -> dict[int, Way]:
    """The strongest way from a tool to each tool that it needs, itself the first; of equal ways that of lower numbers.

    Dijkstra's algorithm with products of strengths in place of sums of lengths, so a cycle never makes a way stronger.

    :param requires: Strength of each need, from row to column, in (0, 1). *Shape:* ``(n, n)``
    :param faintest: Least strength of a way that is followed.
    """
    settled: dict[int, Way] = {}
    open_ways: list[tuple[float, int, int]] = [(-1.0, start, -1)]
    while open_ways:
        negative, tool, last = heappop(open_ways)
        if tool in settled:
            continue
        settled[tool] = Way(-negative, None if last < 0 else last)
        span = slice(requires.indptr[tool], requires.indptr[tool + 1])
        for other, strength in zip(requires.indices[span].tolist(), requires.data[span].tolist(), strict=True):
            if other not in settled and -negative * strength >= faintest:
                heappush(open_ways, (negative * strength, other, tool))
    return settled
