"""Checks that every diffusion makes of its input, and the order in which results are listed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from graphstore.errors import GraphStoreError, SeedError, SettingsError
from graphstore.retrieval.conjugate import Floats

Links: TypeAlias = "sparse.csr_array[Any, tuple[int, int]]"

BLOCK = 16  # queries solved together: enough to read each link once for many, few enough to stay in cache


def csr(matrix: Any) -> Links:
    """Any sparse or dense matrix as CSR."""
    return cast(Links, sparse.csr_array(matrix))


def check_options(damping: float, tol: float) -> None:
    """Nothing, if the options can be used.

    :raises SettingsError: damping outside [0, 1) or tol not positive.
    """
    if not 0 <= damping < 1:
        raise SettingsError(f"damping is the probability of following an edge, in [0, 1): got {damping}")
    if not 0 < tol < 2:
        raise SettingsError(f"tol bounds the L1 error of probabilities, in (0, 2): got {tol}")


def check_weights(matrix: Links, what: str) -> Links:
    """The matrix in canonical CSR, float64, without stored zeros.

    :raises GraphStoreError: a weight is negative or not finite.
    """
    out = csr(matrix).astype(np.float64, copy=True)
    if not np.all(np.isfinite(out.data)) or np.any(out.data < 0):
        raise GraphStoreError(f"{what} must have finite weights that are not negative: correct them before diffusing")
    out.sum_duplicates()
    out.eliminate_zeros()
    return out


def distribution(restart: NDArray[np.float64], n: int) -> NDArray[np.float64]:
    """The restart weights scaled to sum to 1. *Shape:* ``(n,)``

    :raises SeedError: wrong size, a weight negative or not finite, or all of them 0.
    """
    weights = np.asarray(restart, dtype=np.float64)
    if weights.shape != (n,):
        raise SeedError(f"restart weights of shape {weights.shape} for a graph of {n} nodes: give one weight a node")
    return weights / _checked_sums(weights, weights.sum(keepdims=True))


def distributions(restarts: Links, n: int) -> Links:
    """Each row scaled to sum to 1. *Shape:* ``(k, n)``

    :raises SeedError: as for one, naming the row.
    """
    rows = csr(restarts).astype(np.float64)
    if rows.ndim != 2 or rows.shape[1] != n:
        raise SeedError(f"restart rows of shape {rows.shape} for {n} nodes: give one weight a node and query")
    sums = _checked_sums(rows.data, np.asarray(rows.sum(axis=1)))
    return csr(sparse.diags_array(1 / sums) @ rows)


def _checked_sums(weights: Floats, sums: NDArray[np.float64]) -> NDArray[np.float64]:
    if not np.all(np.isfinite(sums)) or not np.all(np.isfinite(weights)):
        raise SeedError("a restart weight is not finite: seeds need finite weights")
    if weights.size and weights.min() < 0:
        raise SeedError("a restart weight is negative: seeds need weights of 0 or more")
    empty = np.flatnonzero(sums <= 0)
    if len(empty):
        raise SeedError(f"restart row {empty[0]} sums to zero: a diffusion needs at least one seed")
    return sums


def in_threads(work: Callable[[int], None], starts: Iterable[int]) -> None:
    """Nothing; ``work`` is done for each start. Sparse and dense products let other threads run meanwhile."""
    with ThreadPoolExecutor(max_workers=min(8, os.cpu_count() or 1)) as pool:
        list(pool.map(work, starts))


def top(scores: Floats, k: int) -> NDArray[np.intp]:
    """Indices of the k highest scores, equal ones in the order of their index. *Shape:* ``(min(k, n),)``"""
    n = len(scores)
    if k <= 0 or n == 0:
        return np.empty(0, dtype=np.intp)
    # every score that ties with the last place is a candidate, so that the tie is broken by index
    candidates = np.flatnonzero(scores >= np.partition(scores, n - k)[n - k]) if k < n else np.arange(n)
    return candidates[np.argsort(-scores[candidates], kind="stable")][:k].astype(np.intp)
