"""Item–item model: which tools the tools of a request bring along, learned from past solutions in closed form.

EASE: with X the solved stages (rows) and their tools, B minimises ‖X − XB‖² + λ‖B‖² with a zero diagonal::

    P = (XᵀX + λI)⁻¹        B_ij = −P_ij / P_jj,  B_ii = 0

B_ij > 0 where i makes j likely *given all others*, so a hub that goes with everything speaks for little.

Source: Steck (2019), "Embarrassingly Shallow Autoencoders for Sparse Data".
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.linalg import cholesky, lapack

LAMBDA = 20.0
"""Weight of the penalty, in solved stages."""
DENSE = 1024
"""Tools up to which one B is kept; above, it is solved for the candidates of each request."""


def ease(gram: NDArray[np.float64], penalty: float = LAMBDA) -> NDArray[np.float64]:
    """B of a Gram matrix XᵀX. *Shape:* ``(n, n)``

    >>> ease(np.array([[2.0, 1.0], [1.0, 2.0]]), 2.0)
    array([[0.  , 0.25],
           [0.25, 0.  ]])
    """
    inverse = np.linalg.inv(gram + penalty * np.eye(len(gram)))
    weights = -inverse / np.diag(inverse)
    np.fill_diagonal(weights, 0.0)
    return np.asarray(weights)


def _said(gram: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """``weights @ ease(gram)`` for a few weights, without the inverse: a third of its work. *Shape:* ``(n,)``"""
    n = len(gram)
    # gram + λI = UᵀU and P = V Vᵀ with V = U⁻¹, so P's diagonal is that of the squared rows of V
    root = cholesky(gram + LAMBDA * np.eye(n), overwrite_a=True, check_finite=False)
    inverse, _ = lapack.dtrtri(root)
    diagonal = np.einsum("ij,ij->i", inverse, inverse)
    return np.asarray(weights - inverse @ (inverse.T @ weights) / diagonal)


class ItemModel:
    """The model of one snapshot.

    :param usage: How much each tool belongs to each stage's solutions, X. *Shape:* ``(s, n)``
    """

    def __init__(self, usage: sp.csr_array) -> None:
        self.n = usage.shape[1]
        self.gram = sp.csr_array(usage.T @ usage)
        self._used = np.diff(self.gram.indptr) > 0

    def scores(self, weights: NDArray[np.float64], tools: NDArray[np.intp]) -> NDArray[np.float64]:
        """What weighted tools say of others. *Shape:* ``(n,)``

        :param weights: Of the tools known to be wanted. *Shape:* ``(n,)``
        :param tools: The tools that may come into question: only these are scored in a large catalog.
        """
        if self.n <= DENSE:
            return np.asarray(weights @ self._whole)
        out = np.zeros(self.n)
        used = tools[self._used[tools]]  # the others bring along nothing, and nothing brings them along
        out[used] = _said(self.gram[used][:, used].toarray(), weights[used])
        return out

    @cached_property
    def _whole(self) -> NDArray[np.float64]:
        return ease(self.gram.toarray())
