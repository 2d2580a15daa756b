"""Personalised PageRank over links between two kinds of nodes.

The larger side is eliminated. With S = D_far^−½ L D_near^−½ what remains, (I − d² S'S) u = b, is symmetric positive
definite (its error falls by a factor of .31 or better a step at d = .85, like over-relaxation with the best factor,
for the same two sparse products), so conjugate gradients apply. Every connected part of the graph keeps a probability
that is known beforehand; starting from its stationary distribution takes the largest eigenvalues out and leaves exact
zeros in parts that no seed reaches. Measured on 30k × 10k nodes, 300k links: 3 steps against 7 sweeps of
over-relaxation to the exact first twenty, 6 against 15 to an L1 error of 1e-6.

Sources: Page et al. (1999), section 6; Reid (1972), "The use of conjugate gradients for systems of linear equations
possessing Property A"; Young (1971), "Iterative Solution of Large Linear Systems".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse import csgraph

from graphstore.retrieval.conjugate import Floats, by_row, conjugate_gradient
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


@dataclass(frozen=True)
class _Side:
    """One side of the bipartite graph, its nodes numbered hubs first.

    :param order: Caller's index of each node. *Shape:* ``(n,)``
    :param root: √strength, and 1 where a node has no links. *Shape:* ``(n,)``
    :param parts: Membership in the connected parts; nodes without links are in none. *Shape:* ``(parts, n)``
    :param part: The part of each node. *Shape:* ``(n,)``
    """

    order: NDArray[np.intp]
    root: Floats
    parts: Links
    part: NDArray[np.int32]

    def cast(self, dtype: type[np.floating[Any]]) -> _Side:
        return _Side(self.order, self.root.astype(dtype), self.parts.astype(dtype), self.part)


@dataclass(frozen=True)
class _System:
    """The reduced system in one precision.

    :param links: S, far × near; ``back`` is S'.
    :param stationary: √strength / strength of the part, for near nodes; 0 without links. *Shape:* ``(n_near,)``
    """

    far: _Side
    near: _Side
    links: Links
    back: Links
    stationary: Floats

    def cast(self, dtype: type[np.floating[Any]]) -> _System:
        return _System(
            self.far.cast(dtype),
            self.near.cast(dtype),
            self.links.astype(dtype),
            self.back.astype(dtype),
            self.stationary.astype(dtype),
        )


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
        double = _system(self._weights)
        self._single = double if wide else double.cast(np.float32)
        self._double: _System | None = double if wide else None

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
        rest = distribution(restart, self.n).astype(system.stationary.dtype)
        rows, columns = rest[: self.n_rows], rest[self.n_rows :]
        far, near = (rows, columns) if self._rows_are_far else (columns, rows)
        on_far, on_near = _solve(system, far[system.far.order], near[system.near.order], damping, tol, max_iter)
        out = np.empty_like(rest)
        self._scatter(out, system, on_far, on_near)
        return out

    def scores_many(self, restarts: Links, *, damping: float = 0.85, tol: float = 1e-3, max_iter: int = 200) -> Floats:
        """Probabilities of one walk a row, several times faster than one at a time. *Shape:* ``(k, n)``

        :param restarts: One query a row; options as for `scores`. *Shape:* ``(k, n)``, CSR
        :raises SeedError: a row is negative, not finite, or sums to 0.
        :raises ConvergenceError: tol not reached in max_iter steps.
        """
        check_options(damping, tol)
        system = self._system(damping, tol)
        rest = distributions(restarts, self.n).astype(system.stationary.dtype)
        out = np.empty(rest.shape, dtype=system.stationary.dtype)

        def block(start: int) -> None:
            part = rest[start : start + BLOCK].toarray().T
            rows, columns = part[: self.n_rows], part[self.n_rows :]
            far, near = (rows, columns) if self._rows_are_far else (columns, rows)
            on_far, on_near = _solve(system, far[system.far.order], near[system.near.order], damping, tol, max_iter)
            self._scatter(out[start : start + BLOCK].T, system, on_far, on_near)

        in_threads(block, range(0, rest.shape[0], BLOCK))
        return out

    def _scatter(self, out: Floats, system: _System, on_far: Floats, on_near: Floats) -> None:
        """Results, in the caller's numbering, into ``out`` (one row a node)."""
        rows, columns = out[: self.n_rows], out[self.n_rows :]
        far, near = (rows, columns) if self._rows_are_far else (columns, rows)
        far[system.far.order] = on_far
        near[system.near.order] = on_near

    def _system(self, damping: float, tol: float) -> _System:
        if tol * (1 - damping) >= SINGLE_PRECISION:
            return self._single
        if self._double is None:
            self._double = _system(self._weights)
        return self._double


def _system(weights: Links) -> _System:
    """The symmetric system of links far × near, hubs first on both sides (their rows then share cache lines)."""
    far_order = np.argsort(-np.diff(weights.indptr), kind="stable")
    near_order = np.argsort(-np.bincount(weights.indices, minlength=weights.shape[1]), kind="stable")
    links = csr(weights[far_order][:, near_order])
    links.sort_indices()
    far_strength = np.asarray(links.sum(axis=1), dtype=np.float64)
    near_strength = np.asarray(links.sum(axis=0), dtype=np.float64)
    square = csr(sparse.block_array(cast(Any, [[None, links], [links.T, None]])))
    count, part = csgraph.connected_components(square, directed=False)
    far, near = links.shape
    far_side = _side(far_order, far_strength, part[:far], count)
    near_side = _side(near_order, near_strength, part[far:], count)
    links = csr(sparse.diags_array(1 / far_side.root) @ links @ sparse.diags_array(1 / near_side.root))
    back = csr(links.T)
    back.sort_indices()
    of_part = np.bincount(near_side.part, weights=near_strength, minlength=count)[near_side.part]
    stationary = np.divide(np.sqrt(near_strength), of_part, out=np.zeros(near), where=of_part > 0)
    return _System(far_side, near_side, links, back, stationary)


def _side(order: NDArray[np.intp], strength: Floats, part: NDArray[np.int32], count: int) -> _Side:
    linked = np.flatnonzero(strength > 0)
    member = csr(sparse.coo_array((np.ones(len(linked)), (part[linked], linked)), shape=(count, len(strength))))
    return _Side(order, np.sqrt(np.where(strength > 0, strength, 1.0)), member, part)


def _solve(s: _System, far: Floats, near: Floats, d: float, tol: float, max_iter: int) -> tuple[Floats, Floats]:
    """Scores of both sides for restarts of both sides, in the system's numbering.

    A residual ρ of the reduced system leaves an error of at most ‖ρ‖₁ (1 + d) / (1 − d²) in x, before x is divided by
    its sum. Removing what rounds below zero and dividing can double it, hence the factor 2.
    """
    far_parts, near_parts = s.far.parts @ far, s.near.parts @ near
    # the walk restarts from nodes without links, so that they hold (1 − d) r before scaling and the rest all of it
    linked = far_parts.sum(axis=0) + near_parts.sum(axis=0)
    total = linked + (1 - d) * np.maximum(1 - linked, 0)
    root_far, root_near = by_row(s.far.root, far), by_row(s.near.root, near)
    right = (1 - d) * (near / root_near) + (d * (1 - d)) * (s.back @ (far / root_far))
    start = (near_parts + d * far_parts)[s.near.part] / (1 + d) * by_row(s.stationary, near)
    u = conjugate_gradient(
        lambda v: v - (d * d) * (s.back @ (s.links @ v)),
        start,
        right - (1 - d * d) * start,
        s.near.root,
        tol * (1 - d) * total / 2,
        max_iter=max_iter,
    )
    on_near = np.maximum(u * root_near, 0)
    on_far = np.maximum(d * root_far * (s.links @ u) + (1 - d) * far, 0)
    scale = on_near.sum(axis=0) + on_far.sum(axis=0)
    return on_far / scale, on_near / scale
