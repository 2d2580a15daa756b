"""Personalised PageRank over a weighted directed graph.

Source: Page et al. (1999), section 6; Langville and Meyer (2004), "Deeper Inside PageRank", section 5 (sinks).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from graphstore.errors import ConvergenceError
from graphstore.retrieval.conjugate import Floats
from graphstore.retrieval.restart import (
    BLOCK,
    Links,
    check_options,
    check_weights,
    csr,
    distribution,
    distributions,
    in_threads,
)

DENSE = 1024  # nodes up to which the resolvent is inverted once and kept


class Diffusion:
    """Diffusion over a weighted directed graph, prepared once for many queries.

    Up to 1,024 nodes the resolvent (1 − d)(I − d P')⁻¹ is inverted on first use of a damping and kept: a query is one
    dense product. Larger graphs are solved by power iteration, whose error falls by d a step.

    :param adjacency: Edge weights from row to column, finite, not negative. *Shape:* ``(n, n)``, CSR
    :raises GraphStoreError: a weight is negative or not finite.
    """

    def __init__(self, adjacency: Links) -> None:
        matrix = check_weights(adjacency, "edges")
        self.n = matrix.shape[0]
        out = np.asarray(matrix.sum(axis=1))
        inverse = np.divide(1.0, out, out=np.zeros(self.n), where=out > 0)
        self._walk = csr((sparse.diags_array(inverse) @ matrix).T)  # P'
        self._resolvents: dict[float, Floats] = {}

    def scores(
        self, restart: NDArray[np.float64], *, damping: float = 0.85, tol: float = 1e-6, max_iter: int = 1000
    ) -> Floats:
        """Probabilities of the walk, float64. *Shape:* ``(n,)``

        :param restart: Weights of the seeds, not negative; scaled to sum to 1. *Shape:* ``(n,)``
        :param damping: Probability of following an edge, in [0, 1).
        :param tol: Largest L1 distance to the exact solution.
        :raises SeedError: restart is negative, not finite, or sums to 0.
        :raises ConvergenceError: tol not reached in max_iter steps.
        """
        check_options(damping, tol)
        return self._solve(distribution(restart, self.n), damping, tol, max_iter)

    def scores_many(self, restarts: Links, *, damping: float = 0.85, tol: float = 1e-6, max_iter: int = 1000) -> Floats:
        """Probabilities of one walk a row. *Shape:* ``(k, n)``

        :param restarts: One query a row; options as for `scores`. *Shape:* ``(k, n)``, CSR
        :raises SeedError: a row is negative, not finite, or sums to 0.
        :raises ConvergenceError: tol not reached in max_iter steps.
        """
        check_options(damping, tol)
        rest = distributions(restarts, self.n)
        out = np.empty(rest.shape)

        def block(start: int) -> None:
            part = rest[start : start + BLOCK].toarray().T
            out[start : start + BLOCK] = self._solve(part, damping, tol, max_iter).T

        in_threads(block, range(0, rest.shape[0], BLOCK))
        return out

    def _solve(self, rest: Floats, d: float, tol: float, max_iter: int) -> Floats:
        x = self._resolvent(d) @ rest if self.n <= DENSE else self._iterate(rest, d, tol, max_iter)
        # probability that would leave at a sink restarts, which only scales the rest (the seeds are the same)
        return np.asarray(x / x.sum(axis=0))

    def _resolvent(self, d: float) -> Floats:
        if d not in self._resolvents:
            if len(self._resolvents) >= 4:
                self._resolvents.clear()
            dense = np.eye(self.n) - d * self._walk.toarray()
            # exact zeros stay zero, and rounding makes no negative probability
            self._resolvents[d] = np.maximum((1 - d) * np.linalg.inv(dense), 0)
        return self._resolvents[d]

    def _iterate(self, rest: Floats, d: float, tol: float, max_iter: int) -> Floats:
        base = (1 - d) * rest
        x: Floats = base
        for _ in range(max_iter):
            new = d * (self._walk @ x) + base
            change = np.abs(new - x).sum(axis=0)
            x = np.asarray(new)
            # ‖error‖₁ ≤ ‖change‖₁ d / (1 − d); dividing by the sum can double it
            if np.all(2 * change * d <= tol * (1 - d) * x.sum(axis=0)):
                return x
        raise ConvergenceError(f"diffusion did not reach tol={tol} in {max_iter} steps: raise tol or max_iter")
