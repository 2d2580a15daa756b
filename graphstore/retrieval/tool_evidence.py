"""What is known of a request beside a snapshot: its vectors, and what several signals share, each computed once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from graphstore.retrieval.nearest import Nearest
from graphstore.retrieval.ppr import top
from graphstore.retrieval.tool_needs import Needed, needed
from graphstore.retrieval.tool_snapshot import ToolSnapshot
from graphstore.retrieval.tool_usage import Compared
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
WHOLE = 1024
"""Tools up to which clauses are compared with the usage of all of them."""
LIKELIEST = 300
"""Of more tools, those that are."""
DAMPING = 0.5
"""Probability of following an edge: the walk stays near its seeds."""
_SEVERAL = 2
_BLOCK = 512  # tools compared at a time: 800 kB of 384 coordinates
_TOLERANCE = 1e-4  # of sixty answers none differed from those at 1e-6


@dataclass(frozen=True, slots=True)
class Cosines:
    """Cosines with many vectors, of which few are wanted: ``cosines[numbers]``."""

    vectors: Nearest
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

    def value(self, signal: Signal) -> Scores:
        """What a signal says, computed once: others build on it. *Shape:* ``(n,)``"""
        if signal not in self._values:
            self._values[signal] = signal(self)
        return self._values[signal]

    @cached_property
    def _values(self) -> dict[Signal, Scores]:
        return {}

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
    def _queries(self) -> NDArray[np.float32]:
        """The vector of the whole, then those of its clauses if it has several. *Shape:* ``(1 or 1 + c, d)``"""
        whole = self.vector[None]
        return whole if self.clause_vectors is None else np.concatenate([whole, self.clause_vectors])

    @cached_property
    def _cosines(self) -> NDArray[np.float32]:
        """Cosine of each of :attr:`_queries` and the tools' own texts: in one product, which reads these once."""
        vectors, queries = self.snapshot.vectors, np.ascontiguousarray(self._queries.T)
        # twice as fast as the other way round, and by blocks that stay in the processor's own memory again by a third
        out = np.empty((len(vectors), queries.shape[1]), dtype=np.float32)
        for start in range(0, len(vectors), _BLOCK):
            np.matmul(vectors[start : start + _BLOCK], queries, out=out[start : start + _BLOCK])
        return np.ascontiguousarray(out.T)

    @cached_property
    def cosine(self) -> Scores:
        """Cosine of the whole request and the tools' own texts. *Shape:* ``(n,)``"""
        return np.asarray(self._cosines[0], dtype=np.float64)

    @cached_property
    def clause_bm25(self) -> Scores:
        """BM25 of the clause that fits best. *Shape:* ``(n,)``"""
        if self.clause_vectors is None:
            return self.bm25
        return self.of_best_clause(self.snapshot.catalog.scores)

    def of_best_clause(self, scores: Callable[[list[str]], Scores]) -> Scores:
        """The largest score that tokens of a clause have. *Shape:* as the scores"""
        return np.asarray(np.max([scores(tokens) for tokens in self.clause_tokens], axis=0))

    @cached_property
    def clause_tokens(self) -> list[list[str]]:
        """Tokens of each clause."""
        return [self.tokens] if self.clause_vectors is None else [tokenise(clause) for clause in self.clauses]

    @cached_property
    def clause_cosines(self) -> NDArray[np.float32]:
        """Cosine of each clause and the tools' own texts. *Shape:* ``(c, n)``"""
        return self._cosines[-len(self.asks) :]

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
        return Cosines(self.snapshot.past.nearest, self.vector)

    @cached_property
    def nearest(self) -> tuple[NDArray[np.intp], Scores]:
        """The nearest past stages, nearest first, and their cosines."""
        return self.snapshot.past.nearest.top(self.vector, NEAREST)

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
    def past(self) -> Scores:
        """Votes of the nearest past requests for the tools that solved them, in [0, 1]. *Shape:* ``(n,)``"""
        return scaled(np.asarray(self.voters.T @ self.votes_of_nearest(TEMPERATURE)))

    @cached_property
    def walked(self) -> Scores:
        """How often the walk visits the tools, in [0, 1]. *Shape:* ``(n,)``"""
        return scaled(self.visits[: len(self.snapshot.tools)])

    @cached_property
    def candidates(self) -> NDArray[np.intp]:
        """Numbers of the tools that clauses are compared with one by one: all, or the likeliest of many; ascending."""
        n = len(self.snapshot.tools)
        if n <= WHOLE:
            return np.arange(n)
        return np.sort(top(self.hybrid + self.past + self.walked, LIKELIEST))

    @cached_property
    def _used(self) -> NDArray[np.float32]:
        return self._compared.best()

    @cached_property
    def _compared(self) -> Compared:
        return self.snapshot.used.compared(self._queries, self.candidates)

    @property
    def asked_before(self) -> Compared:
        """Cosines of the clauses and every usage vector of the candidates."""
        return self._compared.last(len(self.asks))

    @cached_property
    def used_for(self) -> NDArray[np.float32]:
        """Cosine of each clause with the nearest one that each candidate was used for, or −1. *Shape:* ``(c, m)``"""
        return self._used[-len(self.asks) :]

    @cached_property
    def used_for_whole(self) -> NDArray[np.float32]:
        """The same for the whole request. *Shape:* ``(m,)``"""
        return np.asarray(self._used[0])

    def asked_for(self, tools: NDArray[np.intp]) -> Scores:
        """How well each clause asks for each of some tools: by what they say and were used for. *Shape:* ``(c, t)``"""
        places = np.minimum(np.searchsorted(self.candidates, tools), len(self.candidates) - 1)
        used = self.used_for[:, places].astype(np.float64)
        if len(others := np.flatnonzero(self.candidates[places] != tools)):  # those that a filter left
            ascending = others[np.argsort(tools[others])]
            used[:, ascending] = self.snapshot.used.best(self.asks, tools[ascending])
        own = (self.asks @ self.snapshot.vectors[tools].T).astype(np.float64)
        return np.where(used < -1 + 1e-6, own, (used + own) / 2)  # no history says nothing

    def over_all(self, of_candidates: Scores, rest: float = 0.0) -> Scores:
        """Values of candidates as values of all tools. *Shape:* ``(n,)``"""
        out = np.full(len(self.snapshot.tools), rest)
        out[self.candidates] = of_candidates
        return out


def scaled(values: Scores, own: Scores | None = None) -> Scores:
    """Values moved and stretched to [0, 1], row by row; equal values become all 1 if positive, else all 0.

    :param own: Those of ``values`` that are wanted, if not all; the range is that of all.

    >>> scaled(np.array([2.0, 4.0, 3.0])).tolist(), scaled(np.array([0.0, 0.0])).tolist()
    ([0.0, 1.0, 0.5], [0.0, 0.0])
    """
    own = values if own is None else own
    low = values.min(axis=-1, keepdims=True, initial=np.inf)
    high = values.max(axis=-1, keepdims=True, initial=-np.inf)
    equal = ~(high > low)
    if not equal.any():
        return np.asarray((own - low) / (high - low))
    return np.asarray(np.where(equal, high > 0, (own - low) / np.where(equal, 1.0, high - low)))


Signal = Callable[[Evidence], Scores]
