"""Signals: what speaks for a tool, each a function of snapshot and request, and the mix that adds them up.

A new signal is a function ``Evidence → scores`` and a line in :data:`MIX`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from graphstore.retrieval.ppr import top
from graphstore.retrieval.tool_needs import Needed, needed, needs, supplies
from graphstore.retrieval.tool_snapshot import ToolSnapshot
from graphstore.tokens import tokenise

Scores = NDArray[np.float64]

SEEDS = 5
"""Tools that the walk starts from."""
SHARPNESS = 3.0
"""Power of their hybrid scores: the best seed counts well above the fifth."""
NEAREST = 50
"""Past requests that vote."""
NEAREST_SEEDS = 20
"""Past stages that the walk starts from."""
TEMPERATURE = 0.05
"""Scale of cosine differences in the votes of past requests."""
DAMPING = 0.5
"""Probability of following an edge: the walk stays near its seeds."""
_TOLERANCE = 1e-4  # of sixty answers none differed from those at 1e-6


@dataclass(frozen=True, slots=True)
class Cosines:
    """Cosines with many vectors, of which few are wanted: ``cosines[numbers]``."""

    vectors: NDArray[np.float32]
    vector: NDArray[np.float32]

    def __getitem__(self, numbers: NDArray[np.intp]) -> Scores:
        return np.asarray(self.vectors[numbers] @ self.vector, dtype=np.float64)


@dataclass(frozen=True)
class Evidence:
    """A request beside a snapshot, with what several signals share computed once.

    :param vector: Unit vector of the request. *Shape:* ``(d,)``
    """

    snapshot: ToolSnapshot
    text: str
    vector: NDArray[np.float32]

    @cached_property
    def tokens(self) -> list[str]:
        """Tokens of the request."""
        return tokenise(self.text)

    @cached_property
    def hybrid(self) -> Scores:
        """How well the tools' own texts fit, by words and by meaning, in [0, 1]. *Shape:* ``(n,)``"""
        return scaled(self.words + self.meaning)

    @cached_property
    def words(self) -> Scores:
        """How well the words of the tools' own texts fit, in [0, 1]. *Shape:* ``(n,)``"""
        return scaled(self.snapshot.catalog.scores(self.tokens))

    @cached_property
    def meaning(self) -> Scores:
        """How well the tools' own texts fit in meaning, in [0, 1]. *Shape:* ``(n,)``"""
        return scaled((self.snapshot.vectors @ self.vector).astype(np.float64))

    @cached_property
    def needed(self) -> Needed:
        """What the tools that fit best declare to need."""
        return needed(self.snapshot.requires, self.words + 2 * self.meaning)

    @cached_property
    def supplied(self) -> Needed:
        """What produces what the parameters of the tools that fit best need."""
        return needed(self.snapshot.produces, self.words + 2 * self.meaning, own=False)

    @cached_property
    def seeds(self) -> NDArray[np.intp]:
        """The tools that the request itself names or resembles, best first."""
        best = top(self.hybrid, SEEDS)
        return best[self.hybrid[best] > 0]

    @property
    def alike(self) -> Cosines:
        """Cosine of the request and each past stage's, computed for those that are asked for."""
        return Cosines(self.snapshot.stage_vectors, self.vector)

    @cached_property
    def nearest(self) -> tuple[NDArray[np.intp], Scores]:
        """The nearest past stages, nearest first, and their votes ``exp((cos − max) / TEMPERATURE)`` in (0, 1]."""
        stages, best = self.snapshot.nearest.top(self.vector, NEAREST)
        return stages, np.exp((best - best.max(initial=-1.0)) / TEMPERATURE)

    @cached_property
    def voters(self) -> sp.csc_array:
        """Which tools the nearest past stages used, and how much. *Shape:* ``(nearest, n)``"""
        return sp.csc_array(self.snapshot.usage[self.nearest[0]])

    @cached_property
    def visits(self) -> Scores:
        """Personalised PageRank over tools and stages, zeros without any seed. *Shape:* ``(n + s,)``"""
        n = len(self.snapshot.tools)
        restart = np.zeros(n + len(self.snapshot.stages))
        seeds = self.hybrid[self.seeds] ** SHARPNESS
        stages, votes = (part[:NEAREST_SEEDS] for part in self.nearest)
        halves = 1.0 + (len(stages) > 0 and len(seeds) > 0)
        if len(seeds):
            restart[self.seeds] = seeds / seeds.sum() / halves
        if len(stages):
            restart[n + stages] = votes / votes.sum() / halves
        if not restart.any():
            return restart
        return self.snapshot.diffusion.scores(restart, damping=DAMPING, tol=_TOLERANCE).astype(np.float64)


def scaled(values: Scores) -> Scores:
    """Values moved and stretched to [0, 1]; equal values become all 1 if positive, else all 0.

    >>> scaled(np.array([2.0, 4.0, 3.0])).tolist(), scaled(np.array([0.0, 0.0])).tolist()
    ([0.0, 1.0, 0.5], [0.0, 0.0])
    """
    low, high = values.min(initial=np.inf), values.max(initial=-np.inf)
    if high > low:
        return np.asarray((values - low) / (high - low))
    return np.full(len(values), float(high > 0))


def hybrid(evidence: Evidence) -> Scores:
    """The tool's own text: BM25 and cosine, each scaled to [0, 1]. *Shape:* ``(n,)``, in [0, 1]"""
    return evidence.hybrid


def past(evidence: Evidence) -> Scores:
    """Votes of the nearest past requests for the tools that solved them. *Shape:* ``(n,)``, in [0, 1]"""
    return scaled(np.asarray(evidence.voters.T @ evidence.nearest[1]))


def experience(evidence: Evidence) -> Scores:
    """BM25 over the tool's text and past requests that it helped to solve. *Shape:* ``(n,)``, in [0, 1]"""
    return scaled(evidence.snapshot.experience.scores(evidence.tokens))


def walk(evidence: Evidence) -> Scores:
    """Visits of the walk on the fused graph. *Shape:* ``(n,)``, in [0, 1]"""
    return scaled(evidence.visits[: len(evidence.snapshot.tools)])


Signal = Callable[[Evidence], Scores]

MIX: Mapping[Signal, float] = {hybrid: 1 / 3, past: 1 / 2, experience: 1 / 3, walk: 1.0, needs: 5.0, supplies: 1.5}
"""Weights of the mix without training. These and the constants above were chosen on 500 tasks held out of UltraTool's
history (all of it, a tenth and a fiftieth of the rest loaded), not on its test requests; that of needs on a fifth of
the main tools that ToolLinkOS's first fold does not hold out (all, a third and a tenth of the tools declaring), that
of supplies on the like of WorkBench, TRAJECT-Bench and ToolLinkOS, with and without history."""


def contributions(evidence: Evidence) -> dict[Signal, Scores]:
    """What each signal adds to the tools' scores. *Shape:* ``(n,)`` each"""
    return {signal: weight * signal(evidence) for signal, weight in MIX.items()}
