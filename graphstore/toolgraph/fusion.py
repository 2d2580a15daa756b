"""Fusion: history and semantic graph as one random walk over tools and past stages.

For tool i with transitions and solved requests on record::

    P[i, :] = λ_i · H[i, :] + (1 − λ_i) · S[i, :]        λ_i = w_i / (w_i + κ)

``H`` is the mean of up to three row-normalised parts: what follows i (NEXT), what precedes i (NEXT read backwards) and
the stages that i helped to solve. ``S`` is the row-normalised SIMILAR graph, read both ways. ``w_i`` is the weight of
history at i, so that λ falls to 0 for a tool without any; where only one of ``H`` and ``S`` has edges it has the whole
row. A stage leads to the tools that solved it. Every row sums to 1, or to 0 for an isolated tool.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

KAPPA = 10.0
"""Weight of history at which history and semantics count alike."""


@dataclass(frozen=True, slots=True)
class FusedGraph:
    """The walk, whole and by its parts; nodes are the n tools, then the s stages.

    The parts are stored by column, to read what leads into a tool.

    :param transition: Row-stochastic P. *Shape:* ``(n + s, n + s)``
    :param forward: Share of P that follows NEXT. *Shape:* ``(n, n)``, likewise the next two.
    :param backward: Share of P that follows NEXT backwards.
    :param similar: Share of P that follows SIMILAR.
    :param solving: P from stages to the tools that solved them. *Shape:* ``(s, n)``
    """

    transition: sp.csr_array
    forward: sp.csc_array
    backward: sp.csc_array
    similar: sp.csc_array
    solving: sp.csc_array


def fuse(following: sp.csr_array, similar: sp.csr_array, usage: sp.csr_array, *, kappa: float = KAPPA) -> FusedGraph:
    """The fused walk.

    :param following: Weights of NEXT, from row to column; the diagonal is ignored. *Shape:* ``(n, n)``
    :param similar: Scores of SIMILAR, symmetric. *Shape:* ``(n, n)``
    :param usage: How much each tool belongs to each stage's solutions. *Shape:* ``(s, n)``
    :param kappa: κ, positive.
    """
    moves = without_diagonal(following)
    forward, backward = row_normalised(moves), row_normalised(sp.csr_array(moves.T))
    solved = row_normalised(sp.csr_array(usage.T))
    semantic = row_normalised(without_diagonal(similar))
    parts = [_has_row(part) for part in (forward, backward, solved)]
    present = np.maximum(np.sum(parts, axis=0), 1.0)
    weight = _row_sums(moves) + _row_sums(sp.csr_array(moves.T)) + _row_sums(sp.csr_array(usage.T))
    history = _share_of_history(weight, np.sum(parts, axis=0) > 0, _has_row(semantic) > 0, kappa)
    forward, backward, solved = (_scaled(part, history / present) for part in (forward, backward, solved))
    semantic = _scaled(semantic, 1.0 - history)
    solving = row_normalised(usage)
    transition = sp.block_array([[forward + backward + semantic, solved], [solving, None]], format="csr")
    return FusedGraph(
        sp.csr_array(transition), *(sp.csc_array(part) for part in (forward, backward, semantic, solving))
    )


def row_normalised(matrix: sp.csr_array) -> sp.csr_array:
    """The matrix with each row divided by its sum; rows of zeros stay.

    :param matrix: Non-negative weights.
    """
    sums = _row_sums(matrix)
    return _scaled(matrix, np.divide(1.0, sums, out=np.zeros_like(sums), where=sums > 0))


def without_diagonal(matrix: sp.csr_array) -> sp.csr_array:
    """The matrix without its diagonal and without stored zeros."""
    coo = matrix.tocoo()
    keep = (coo.row != coo.col) & (coo.data != 0)
    return sp.csr_array((coo.data[keep], (coo.row[keep], coo.col[keep])), shape=matrix.shape)


def sparse(
    rows: Sequence[int], columns: Sequence[int], values: Sequence[float], shape: tuple[int, int]
) -> sp.csr_array:
    """A CSR matrix of float64 from triples; equal positions add up."""
    indices = (np.asarray(rows, dtype=np.int64), np.asarray(columns, dtype=np.int64))
    return sp.csr_array(sp.coo_array((np.asarray(values, dtype=np.float64), indices), shape=shape))


def column(matrix: sp.csc_array, number: int) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Rows of a column that hold something, and what."""
    # scipy's own indexing builds a matrix for it, which takes a hundred times as long
    span = slice(matrix.indptr[number], matrix.indptr[number + 1])
    return matrix.indices[span], np.asarray(matrix.data[span], dtype=np.float64)


def _share_of_history(
    weight: NDArray[np.float64], has_history: NDArray[np.bool_], has_similar: NDArray[np.bool_], kappa: float
) -> NDArray[np.float64]:
    shares = weight / (weight + kappa)
    return np.where(has_similar, np.where(has_history, shares, 0.0), has_history.astype(np.float64))


def _row_sums(matrix: sp.csr_array) -> NDArray[np.float64]:
    return np.asarray(matrix.sum(axis=1), dtype=np.float64)


def _has_row(matrix: sp.csr_array) -> NDArray[np.float64]:
    return (_row_sums(matrix) > 0).astype(np.float64)


def _scaled(matrix: sp.csr_array, factors: NDArray[np.float64]) -> sp.csr_array:
    return sp.csr_array(sp.diags_array(factors) @ matrix)
