"""Signals: what speaks for a tool, each a function of snapshot and request, and the mix that adds them up.

A new signal is a function ``Evidence → scores`` and a line in :data:`MIX`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from graphstore.retrieval.ppr import top
from graphstore.retrieval.tool_needs import Needed, needed, needs, supplies
from graphstore.retrieval.tool_snapshot import ToolSnapshot
from graphstore.tokens import tokenise
from graphstore.toolgraph.clauses import clauses

if TYPE_CHECKING:
    from graphstore.encoders import Encoder

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
VOTE_TEMPERATURE = 0.06
"""Scale of cosine differences in the vote of a clause."""
ITEM_SEEDS = 6
"""Tools that the item–item model is asked about."""
WHOLE = 1024
"""Tools up to which clauses are compared with the usage of all of them."""
LIKELIEST = 300
"""Of more tools, those that are."""
DAMPING = 0.5
"""Probability of following an edge: the walk stays near its seeds."""
_SEVERAL = 2
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
    :param clause_vectors: Unit vectors of its clauses; ``None`` where it is taken as one. *Shape:* ``(c, d)``
    """

    snapshot: ToolSnapshot
    text: str
    vector: NDArray[np.float32]
    clause_vectors: NDArray[np.float32] | None = None

    @classmethod
    def of(cls, snapshot: ToolSnapshot, text: str, encoder: Encoder) -> Evidence:
        """The evidence of a request, which is encoded together with its clauses."""
        parts = clauses(text)
        if len(parts) < _SEVERAL:
            return cls(snapshot, text, encoder.encode([text])[0])
        vectors = encoder.encode([text, *parts])
        return cls(snapshot, text, vectors[0], vectors[1:])

    @cached_property
    def asks(self) -> NDArray[np.float32]:
        """Unit vectors of the clauses, or of the whole if it is one. *Shape:* ``(c, d)``"""
        return self.vector[None] if self.clause_vectors is None else self.clause_vectors

    @cached_property
    def clauses(self) -> tuple[str, ...]:
        """The text of each of :attr:`asks`."""
        return (self.text,) if self.clause_vectors is None else clauses(self.text)

    @cached_property
    def tokens(self) -> list[str]:
        """Tokens of the request."""
        return tokenise(self.text)

    @cached_property
    def bm25(self) -> Scores:
        """BM25 of the whole request on the tools' own texts. *Shape:* ``(n,)``"""
        return self.snapshot.catalog.scores(self.tokens)

    @cached_property
    def cosine(self) -> Scores:
        """Cosine of the whole request and the tools' own texts. *Shape:* ``(n,)``"""
        return np.asarray(self.snapshot.vectors @ self.vector, dtype=np.float64)

    @cached_property
    def clause_bm25(self) -> Scores:
        """BM25 of the clause that fits best. *Shape:* ``(n,)``"""
        if self.clause_vectors is None:
            return self.bm25
        of_clauses = [self.snapshot.catalog.scores(tokenise(clause)) for clause in self.clauses]
        return np.asarray(np.max(of_clauses, axis=0))

    @cached_property
    def clause_cosines(self) -> NDArray[np.float32]:
        """Cosine of each clause and the tools' own texts. *Shape:* ``(c, n)``"""
        return np.asarray(self.asks @ self.snapshot.vectors.T)

    @cached_property
    def hybrid(self) -> Scores:
        """How well the tools' own texts fit, by words and by meaning, in [0, 1]. *Shape:* ``(n,)``"""
        return scaled(self.words + self.meaning)

    @cached_property
    def words(self) -> Scores:
        """How well the words of the tools' own texts fit, in [0, 1]. *Shape:* ``(n,)``"""
        return scaled(self.bm25)

    @cached_property
    def meaning(self) -> Scores:
        """How well the tools' own texts fit in meaning, in [0, 1]. *Shape:* ``(n,)``"""
        return scaled(self.cosine)

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
        """The nearest past stages, nearest first, and their cosines."""
        return self.snapshot.nearest.top(self.vector, NEAREST)

    def votes_of_nearest(self, temperature: float) -> Scores:
        """What each of the nearest stages counts: ``exp((cos − max) / temperature)``, in (0, 1]."""
        cosines = self.nearest[1]
        return np.asarray(np.exp((cosines - cosines.max(initial=-1.0)) / temperature))

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
        stages, votes = self.nearest[0][:NEAREST_SEEDS], self.votes_of_nearest(TEMPERATURE)[:NEAREST_SEEDS]
        halves = 1.0 + (len(stages) > 0 and len(seeds) > 0)
        if len(seeds):
            restart[self.seeds] = seeds / seeds.sum() / halves
        if len(stages):
            restart[n + stages] = votes / votes.sum() / halves
        if not restart.any():
            return restart
        return self.snapshot.diffusion.scores(restart, damping=DAMPING, tol=_TOLERANCE).astype(np.float64)

    @cached_property
    def candidates(self) -> NDArray[np.intp]:
        """Numbers of the tools that clauses are compared with one by one: all, or the likeliest of many; ascending."""
        n = len(self.snapshot.tools)
        if n <= WHOLE:
            return np.arange(n)
        return np.sort(top(hybrid(self) + past(self) + walk(self), LIKELIEST))

    @cached_property
    def used_for(self) -> NDArray[np.float32]:
        """Cosine of each clause with the nearest one that each candidate was used for, or −1. *Shape:* ``(c, m)``"""
        return self.snapshot.used.best(self.asks, self.candidates)

    def asked_for(self, tools: NDArray[np.intp]) -> Scores:
        """How well each clause asks for each of some tools: by what they say and were used for. *Shape:* ``(c, t)``"""
        ascending = np.argsort(tools)
        used = np.empty((len(self.asks), len(tools)))
        used[:, ascending] = self.snapshot.used.best(self.asks, tools[ascending])
        own = (self.asks @ self.snapshot.vectors[tools].T).astype(np.float64)
        return np.where(used < -1 + 1e-6, own, (used + own) / 2)  # no history says nothing

    def over_all(self, of_candidates: Scores, rest: float = 0.0) -> Scores:
        """Values of candidates as values of all tools. *Shape:* ``(n,)``"""
        out = np.full(len(self.snapshot.tools), rest)
        out[self.candidates] = of_candidates
        return out


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


def text(evidence: Evidence) -> Scores:
    """The tool's own text by the whole request and by its best clause. *Shape:* ``(n,)``, in [0, 1]"""
    best_clause = scaled(evidence.clause_bm25) + scaled(evidence.clause_cosines.max(axis=0).astype(np.float64))
    return scaled(evidence.words + evidence.meaning + best_clause)


def past(evidence: Evidence) -> Scores:
    """Votes of the nearest past requests for the tools that solved them. *Shape:* ``(n,)``, in [0, 1]"""
    return scaled(np.asarray(evidence.voters.T @ evidence.votes_of_nearest(TEMPERATURE)))


def usage(evidence: Evidence) -> Scores:
    """How near a clause comes to one that the tool was used for. *Shape:* ``(n,)``, in [0, 1]"""
    if not len(evidence.snapshot.used.vectors):
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
    return scaled(item_scores(evidence))


def item_scores(evidence: Evidence) -> Scores:
    """The item–item model's sums for the best tools of the other signals, cubed. *Shape:* ``(n,)``"""
    if not evidence.snapshot.usage.nnz:
        return np.zeros(len(evidence.snapshot.tools))
    known = scaled(direct(evidence)) + votes(evidence) + walk(evidence)
    best = top(known, ITEM_SEEDS)
    weights = np.zeros(len(known))
    weights[best] = (known[best] / max(known[best[0]], 1e-12)) ** SHARPNESS
    return evidence.snapshot.items.scores(weights, evidence.candidates)


def experience(evidence: Evidence) -> Scores:
    """BM25 over the tool's text and past requests that it helped to solve. *Shape:* ``(n,)``, in [0, 1]"""
    return scaled(evidence.snapshot.experience.scores(evidence.tokens))


def walk(evidence: Evidence) -> Scores:
    """Visits of the walk on the fused graph. *Shape:* ``(n,)``, in [0, 1]"""
    return scaled(evidence.visits[: len(evidence.snapshot.tools)])


def direct(evidence: Evidence) -> Scores:
    """The signals that look at one tool at a time, added up. *Shape:* ``(n,)``"""
    return np.asarray(np.sum([weight * signal(evidence) for signal, weight in DIRECT.items()], axis=0))


def softmax(values: NDArray[np.float32], temperature: float) -> Scores:
    """Each row as probabilities. *Shape:* as the values"""
    weights = np.exp((values - values.max(axis=1, keepdims=True)) / temperature).astype(np.float64)
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


Signal = Callable[[Evidence], Scores]

DIRECT: Mapping[Signal, float] = {text: 1.0, past: 1.5, usage: 1.0, experience: 0.5}
RELATED: Mapping[Signal, float] = {votes: 1.0, walk: 1.0, items: 0.5, needs: 30.0, supplies: 2.4}
"""Weights of the mix without training: what looks at one tool at a time, scaled to [0, 1] together, and the rest."""


def contributions(evidence: Evidence) -> dict[Signal, Scores]:
    """What each signal adds to the tools' scores in the mix without training. *Shape:* ``(n,)`` each"""
    parts = {signal: weight * signal(evidence) for signal, weight in DIRECT.items()}
    most = max(float(np.sum(list(parts.values()), axis=0).max(initial=0.0)), 1e-12)
    parts = {signal: part / most for signal, part in parts.items()}
    return parts | {signal: weight * signal(evidence) for signal, weight in RELATED.items()}
