"""Personalised PageRank over links between two kinds of nodes: one query, or many together."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from graphstore.retrieval.bipartite_system import Seeds, System, prepare, solve
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

SINGLE_PRECISION = 1.4e-7  # smallest residual, in probability, that float32 still tells from rounding
NARROW = 1e-12  # smallest share of the largest weight that float32 carries through squares and square roots
TRANSPOSED = 4096  # rows copied at a time


class BipartiteDiffusion:
    """Diffusion over weighted links between two kinds of nodes, prepared once for many queries.

    Nodes are numbered rows first (0 … n_rows − 1), then columns.

    :param links: Link weights, finite, not negative. *Shape:* ``(n_rows, n_columns)``, CSR
    :raises GraphStoreError: a weight is negative or not finite.
    """

    def __init__(self, links: Links) -> None:
        matrix = check_weights(links, "links")
        self.n_rows, self.n_columns = matrix.shape
        self._rows_are_far = self.n_rows >= self.n_columns
        self._weights = matrix if self._rows_are_far else csr(matrix.T)
        if self._weights.nnz:
            self._weights.data /= self._weights.data.max()
        wide = self._weights.nnz and self._weights.data.min() < NARROW
        double = prepare(self._weights)
        self._single = double if wide else double.cast(np.float32)
        self._double: System | None = double if wide else None

    @property
    def n(self) -> int:
        """Number of nodes."""
        return self.n_rows + self.n_columns

    def scores(
        self, restart: NDArray[np.float64], *, damping: float = 0.85, tol: float = 1e-3, max_iter: int = 200
    ) -> Floats:
        """Probabilities of the walk; float32 down to a tol of about 1e-6, float64 below. *Shape:* ``(n,)``

        :param restart: Weights of the seeds, not negative; scaled to sum to 1. *Shape:* ``(n,)``
        :param damping: Probability of following an edge, in [0, 1).
        :param tol: Largest L1 distance to the exact solution.
        :param max_iter: Steps of two sparse products each.
        :raises SeedError: restart is negative, not finite, or sums to 0.
        :raises ConvergenceError: tol not reached in max_iter steps.
        """
        check_options(damping, tol)
        system = self._system(damping, tol)
        rest = distribution(restart, self.n)
        nodes = np.flatnonzero(rest)
        far, near = self._seeds(system, nodes, np.zeros_like(nodes), rest[nodes])
        on_far, on_near = solve(system, far, near, None, damping, tol, max_iter)
        return np.concatenate(self._renumbered(system, on_far, on_near))

    def scores_many(self, restarts: Links, *, damping: float = 0.85, tol: float = 1e-3, max_iter: int = 200) -> Floats:
        """Probabilities of one walk a row, several times faster than one at a time. *Shape:* ``(k, n)``

        :param restarts: One query a row; options as for `scores`. *Shape:* ``(k, n)``, CSR
        :raises SeedError: a row is negative, not finite, or sums to 0.
        :raises ConvergenceError: tol not reached in max_iter steps.
        """
        check_options(damping, tol)
        system = self._system(damping, tol)
        rest = distributions(restarts, self.n)
        out = np.empty(rest.shape, dtype=system.stationary.dtype)

        def block(start: int) -> None:
            part = rest[start : start + BLOCK].tocoo()
            far, near = self._seeds(system, part.col.astype(np.intp), part.row.astype(np.intp), part.data)
            on_far, on_near = solve(system, far, near, part.shape[0], damping, tol, max_iter)
            rows, columns = self._renumbered(system, on_far, on_near)
            transpose_into(out[start : start + BLOCK, : self.n_rows], rows)
            transpose_into(out[start : start + BLOCK, self.n_rows :], columns)

        in_threads(block, range(0, rest.shape[0], BLOCK))
        return out

    def _seeds(
        self, system: System, node: NDArray[np.intp], query: NDArray[np.intp], share: NDArray[np.float64]
    ) -> tuple[Seeds, Seeds]:
        """The seeds of the far and of the near side, in the system's numbering."""
        in_rows = node < self.n_rows
        rows = Seeds(node[in_rows], query[in_rows], share[in_rows])
        columns = Seeds(node[~in_rows] - self.n_rows, query[~in_rows], share[~in_rows])
        far, near = (rows, columns) if self._rows_are_far else (columns, rows)
        return far.at(system.far.position), near.at(system.near.position)

    def _renumbered(self, system: System, on_far: Floats, on_near: Floats) -> tuple[Floats, Floats]:
        """Scores of rows and of columns, in the caller's numbering."""
        far, near = on_far[system.far.position], on_near[system.near.position]
        return (far, near) if self._rows_are_far else (near, far)

    def _system(self, damping: float, tol: float) -> System:
        if tol * (1 - damping) >= SINGLE_PRECISION:
            return self._single
        if self._double is None:
            self._double = prepare(self._weights)
        return self._double


def transpose_into(out: Floats, columns: Floats) -> None:
    """Nothing; ``out`` becomes the transposed of ``columns``, in pieces that fit a cache."""
    for start in range(0, len(columns), TRANSPOSED):
        out[:, start : start + TRANSPOSED] = columns[start : start + TRANSPOSED].T
