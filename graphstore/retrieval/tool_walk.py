"""Personalised PageRank over tools and past stages, of which there may be many times more stages than tools.

A stage leads to tools only, so stages are eliminated. With T the walk's moves between tools, S those from tools to
stages and U those from stages to tools, x = d P'x + (1 − d) r becomes::

    x_t = (d T' + d² (S U)') x_t + (1 − d)(r_t + d U' r_s)
    x_s = d S' x_t + (1 − d) r_s

which is the same solution, found on tools alone: S U has an entry for each pair of tools that solved a stage together,
however many stages that were.

Source: elimination of a block (Schur complement); Langville and Meyer (2004), "Deeper Inside PageRank", section 6;
Golub and Varga (1961), "Chebyshev semi-iterative methods".
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphstore.errors import ConvergenceError, GraphStoreError
from graphstore.retrieval.conjugate import Floats
from graphstore.retrieval.directed import DENSE
from graphstore.retrieval.restart import Links, check_options, check_weights, csr, distribution

_KEPT = 4  # dampings whose matrices are kept
_REAL = 0.7  # damping below which steps weighed as for real eigenvalues converge for any others too
_FEW = 100  # seeds that are followed one by one: scipy's product with a sparse vector takes as long as a dense one


class ToolWalk:
    """The walk of one snapshot, prepared once for many requests.

    Up to :data:`DENSE` tools the resolvent is inverted on first use of a damping and kept. Larger catalogs are solved
    by power iteration, below a damping of 0.7 by Chebyshev's semi-iteration, which halves the number of steps.

    :param transition: Probabilities from row to column, rows summing to 1 or, for an isolated node, to 0; tools first,
        then stages. *Shape:* ``(n + s, n + s)``, CSR
    :param tools: n.
    :raises GraphStoreError: a weight is negative or not finite, or a stage leads to a stage.
    """

    def __init__(self, transition: Links, tools: int) -> None:
        moves = check_weights(transition, "moves")
        self.n = moves.shape[0]
        self._tools = tools
        if moves[tools:, tools:].nnz:
            raise GraphStoreError("a stage leads to tools only: a walk between stages is none of the tool graph's")
        to_stages, self._from_stages = csr(moves[:tools, tools:]), csr(moves[tools:, :tools])
        self._to_stages = csr(to_stages.T)
        self._direct = csr(moves[:tools, :tools].T)
        self._through = csr((to_stages @ self._from_stages).T)
        self._prepared: dict[float, Any] = {}

    def scores(
        self, restart: NDArray[np.float64], *, damping: float = 0.85, tol: float = 1e-6, max_iter: int = 1000
    ) -> Floats:
        """Probabilities of the walk, float64, summing to 1. *Shape:* ``(n + s,)``

        :param restart: Weights of the seeds, not negative; scaled to sum to 1. *Shape:* ``(n + s,)``
        :param damping: Probability of following an edge, in [0, 1).
        :param tol: Largest L1 distance to the exact solution.
        :raises SeedError: restart is negative, not finite, or sums to 0.
        :raises ConvergenceError: tol not reached in max_iter steps.
        """
        check_options(damping, tol)
        seeds = (1 - damping) * distribution(restart, self.n)
        base = seeds[: self._tools] + damping * _led_to(self._from_stages, seeds[self._tools :])
        visits = self._solve(base, damping, tol, max_iter)
        x = np.concatenate([visits, seeds[self._tools :] + damping * (self._to_stages @ visits)])
        # probability that would leave at a sink restarts, which only scales the rest (the seeds are the same)
        return np.asarray(x / x.sum())

    def _solve(self, base: Floats, d: float, tol: float, max_iter: int) -> Floats:
        moves = self._moves(d)
        if self._tools <= DENSE:
            return np.asarray(moves @ base)
        x = before = base
        square = d * d if d < _REAL else 0.0
        weight = 1.0
        for step in range(max_iter):
            new = np.asarray(moves @ x + base)
            change = np.abs(new - x).sum()
            # ‖error‖₁ ≤ ‖change‖₁ d / (1 − d) among tools, d times that among stages; dividing by the sum can double it
            if 2 * (1 + d) * change * d <= tol * (1 - d) * new.sum():
                return np.asarray(np.maximum(new, 0))  # the exact ones are not negative
            weight = 1 / (1 - square * weight / (4 if step > 1 else 2)) if step else 1.0
            before, x = x, weight * (new - before) + before
        raise ConvergenceError(f"diffusion did not reach tol={tol} in {max_iter} steps: raise tol or max_iter")

    def _moves(self, d: float) -> Any:
        """What a step is: the resolvent of a small catalog, the moves of a large one."""
        if d not in self._prepared:
            if len(self._prepared) >= _KEPT:
                self._prepared.clear()
            moves = csr(d * self._direct + d * d * self._through)
            if self._tools <= DENSE:
                # exact zeros stay zero, and rounding makes no negative probability
                moves = np.maximum(np.linalg.inv(np.eye(self._tools) - moves.toarray()), 0)
            self._prepared[d] = moves
        return self._prepared[d]


def _led_to(moves: Links, seeds: Floats) -> Floats:
    """Where seeds lead in one move, of which there are few. *Shape:* ``(columns,)``"""
    rows = np.flatnonzero(seeds)
    if len(rows) > _FEW:
        return np.asarray(moves.T @ seeds)
    out = np.zeros(moves.shape[1])
    for row in rows.tolist():
        span = slice(moves.indptr[row], moves.indptr[row + 1])
        out[moves.indices[span]] += seeds[row] * moves.data[span]
    return out
