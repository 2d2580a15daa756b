"""Conjugate gradients for the symmetric systems of personalised PageRank, one column or many at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from graphstore.errors import ConvergenceError

Floats: TypeAlias = NDArray[np.floating[Any]]


def by_row(vector: Floats, like: Floats) -> Floats:
    """The vector, shaped so that it multiplies the rows of ``like``. *Shape:* ``(n,)`` or ``(n, 1)``"""
    return vector if like.ndim == 1 else vector[:, None]


def conjugate_gradient(
    apply: Callable[[Floats], Floats],
    start: Floats,
    residual: Floats,
    weight: Floats,
    bound: Floats | float,
    *,
    max_iter: int,
) -> Floats:
    """The solution u of A u = b for a symmetric positive definite A, improved in place from ``start``.

    Stops when Σ_i weight_i |b − A u|_i ≤ bound, in every column: with weight_i = √strength_i that is the L1 norm of
    the residual in units of probability, from which the caller derives a bound of the error.

    :param apply: u ↦ A u, for the shape of ``start``.
    :param start: First guess, overwritten. *Shape:* ``(n,)`` or ``(n, k)`` for k systems with one matrix
    :param residual: b − A start, overwritten. *Shape:* as ``start``
    :param weight: Positive weights of the norm. *Shape:* ``(n,)``
    :param bound: Where to stop. *Shape:* scalar or ``(k,)``
    :raises ConvergenceError: the bound is not reached in ``max_iter`` steps.

    Source: Hestenes and Stiefel (1952), algorithm 3:1.
    """
    solution, direction = start, residual.copy()
    energy = _dot(residual, residual)
    for _ in range(max_iter):
        if np.all(weight @ np.abs(residual) <= bound):
            return solution
        image = apply(direction)
        step = _ratio(energy, _dot(direction, image))
        solution += step * direction
        residual -= step * image
        previous, energy = energy, _dot(residual, residual)
        direction *= _ratio(energy, previous)
        direction += residual
    if np.all(weight @ np.abs(residual) <= bound):
        return solution
    raise ConvergenceError(f"diffusion did not reach its tolerance in {max_iter} steps: raise tol or max_iter")


def _dot(a: Floats, b: Floats) -> Floats:
    """Inner product, column by column. *Shape:* ``()`` or ``(k,)``"""
    return np.asarray(a @ b) if a.ndim == 1 else np.einsum("ij,ij->j", a, b)


def _ratio(a: Floats, b: Floats) -> Floats:
    """The ratio a / b, and 0 where b is 0: a column that is solved exactly stays as it is."""
    return np.divide(a, b, out=np.zeros_like(a), where=b > 0)
