"""The linear system behind personalised PageRank over links between two kinds of nodes.

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

from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse import csgraph

from graphstore.retrieval.conjugate import Floats, by_row, conjugate_gradient
from graphstore.retrieval.restart import Links, csr


@dataclass(frozen=True)
class Seeds:
    """Restart shares on one side, one entry a node and query.

    :param node: *Shape:* ``(m,)``
    :param query: Column of the block. *Shape:* ``(m,)``
    :param share: Probability; those of a query sum to 1 over both sides. *Shape:* ``(m,)``
    """

    node: NDArray[np.intp]
    query: NDArray[np.intp]
    share: NDArray[np.float64]

    def at(self, position: NDArray[np.intp]) -> Seeds:
        """The same seeds in another numbering."""
        return replace(self, node=position[self.node])


@dataclass(frozen=True)
class Side:
    """One side of the bipartite graph, its nodes numbered hubs first.

    :param position: Place here of each of the caller's nodes. *Shape:* ``(n,)``
    :param root: √strength, and 1 where a node has no links. *Shape:* ``(n,)``
    :param linked: Whether a node has links. *Shape:* ``(n,)``
    :param part: Its connected part; 0 where it has none. *Shape:* ``(n,)``
    """

    position: NDArray[np.intp]
    root: Floats
    linked: NDArray[np.bool_]
    part: NDArray[np.intp]


@dataclass(frozen=True)
class System:
    """The reduced system in one precision.

    :param links: S, far × near; ``back`` is S'.
    :param stationary: √strength / strength of the part, for near nodes; 0 without links. *Shape:* ``(n_near,)``
    :param parts: Number of connected parts with links, at least 1.
    """

    far: Side
    near: Side
    links: Links
    back: Links
    stationary: Floats
    parts: int

    def cast(self, dtype: type[np.floating[Any]]) -> System:
        """The same system in another precision."""
        return System(
            replace(self.far, root=self.far.root.astype(dtype)),
            replace(self.near, root=self.near.root.astype(dtype)),
            csr(self.links.astype(dtype)),
            csr(self.back.astype(dtype)),
            self.stationary.astype(dtype),
            self.parts,
        )


def prepare(weights: Links) -> System:
    """The system of links far × near, hubs first on both sides (their rows then share cache lines)."""
    far_order = np.argsort(-np.diff(weights.indptr), kind="stable")
    near_order = np.argsort(-np.bincount(weights.indices, minlength=weights.shape[1]), kind="stable")
    links = csr(weights[far_order][:, near_order])
    links.sort_indices()
    strength = np.concatenate([np.asarray(links.sum(axis=1)), np.asarray(links.sum(axis=0))]).astype(np.float64)
    linked = strength > 0
    square = csr(sparse.block_array(cast(Any, [[None, links], [links.T, None]])))
    component = csgraph.connected_components(square, directed=False)[1]
    part = np.zeros(len(strength), dtype=np.intp)
    names, part[linked] = np.unique(component[linked], return_inverse=True)
    root = np.sqrt(np.where(linked, strength, 1.0))
    n = links.shape[0]
    far = Side(np.argsort(far_order), root[:n], linked[:n], part[:n])
    near = Side(np.argsort(near_order), root[n:], linked[n:], part[n:])
    links = csr(sparse.diags_array(1 / far.root) @ links @ sparse.diags_array(1 / near.root))
    back = csr(links.T)
    back.sort_indices()
    of_part = np.bincount(near.part, weights=strength[n:], minlength=1)[near.part]
    stationary = np.divide(np.sqrt(strength[n:]), of_part, out=np.zeros(links.shape[1]), where=of_part > 0)
    return System(far, near, links, back, stationary, max(1, len(names)))


def solve(
    s: System, far: Seeds, near: Seeds, columns: int | None, d: float, tol: float, max_iter: int
) -> tuple[Floats, Floats]:
    """Scores of the far and the near side, in the system's numbering. *Shape:* ``(n,)`` or ``(n, columns)``

    A residual ρ of the reduced system leaves an error of at most ‖ρ‖₁ (1 + d) / (1 − d²) in x, before x is divided by
    its sum. Removing what rounds below zero and dividing can double it, hence the factor 2.

    :param columns: Number of queries, or ``None`` for one as vectors.
    :raises ConvergenceError: tol not reached in max_iter steps.
    """
    far_parts, near_parts = _by_part(s.far, far, s.parts, columns), _by_part(s.near, near, s.parts, columns)
    linked = (far_parts + near_parts).sum(axis=0)
    # the walk restarts from nodes without links, so that they hold (1 − d) r before scaling and the rest all of it
    total = linked + (1 - d) * np.maximum(1 - linked, 0)
    dtype = s.stationary.dtype
    right = (1 - d) * (d * _pulled(s, far, columns) + _placed(near, 1 / s.near.root, columns))
    held = ((near_parts + d * far_parts) / (1 + d)).astype(dtype)
    start = (held if s.parts == 1 else held[s.near.part]) * by_row(s.stationary, right)

    def apply(v: Floats) -> Floats:
        out = s.back @ (s.links @ v)
        out *= -d * d
        out += v
        return np.asarray(out)

    residual = (right - (1 - d * d) * start).astype(dtype)
    u = conjugate_gradient(apply, start, residual, s.near.root, tol * (1 - d) * total / 2, max_iter=max_iter)
    on_far = s.links @ u
    on_far *= by_row(d * s.far.root, u)
    _add(on_far, far, 1 - d)
    u *= by_row(s.near.root, u)
    for side in (on_far, u):
        np.maximum(side, 0, out=side)
    scale = on_far.sum(axis=0) + u.sum(axis=0)
    on_far /= scale
    u /= scale
    return on_far, u


def _by_part(side: Side, seeds: Seeds, parts: int, columns: int | None) -> NDArray[np.float64]:
    """Restart share of each connected part, without nodes that have no links. *Shape:* ``(parts,)`` or with columns"""
    width = columns or 1
    cell = side.part[seeds.node] * width + seeds.query
    counted = np.bincount(cell, weights=seeds.share * side.linked[seeds.node], minlength=parts * width)
    sums = counted.astype(np.float64)
    return sums if columns is None else sums.reshape(parts, columns)


def _pulled(s: System, far: Seeds, columns: int | None) -> Floats:
    """S' r / root for the seeds of the far side: few rows of S, whatever the graph's size."""
    shape = (columns or 1, s.links.shape[0])
    rows = csr(sparse.coo_array(((far.share / s.far.root[far.node]), (far.query, far.node)), shape=shape))
    pulled = (rows.astype(s.stationary.dtype) @ s.links).toarray()
    return np.asarray(pulled[0] if columns is None else np.ascontiguousarray(pulled.T))


def _placed(seeds: Seeds, factor: Floats, columns: int | None) -> Floats:
    """The seeds' shares times ``factor`` in a dense array of the side."""
    out = np.zeros(len(factor) if columns is None else (len(factor), columns), dtype=factor.dtype)
    _add(out, replace(seeds, share=seeds.share * factor[seeds.node]), 1.0)
    return out


def _add(out: Floats, seeds: Seeds, factor: float) -> None:
    """Nothing; ``out`` grows by the seeds' shares times ``factor``."""
    if out.ndim == 1:
        out[seeds.node] += (factor * seeds.share).astype(out.dtype)
    else:
        out[seeds.node, seeds.query] += (factor * seeds.share).astype(out.dtype)
