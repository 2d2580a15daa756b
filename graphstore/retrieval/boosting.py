"""Gradient boosting of small trees for two classes, on histograms: what the learned mix of signals is fitted by.

A tree of fixed depth halves the rows again and again at the threshold of one feature; its leaves hold what is added to
the log odds. Trees are added one by one, each to the gradient of the logistic loss that the ones before leave, with
Newton's step in the leaves::

    value = −η Σg / (Σh + λ),  g = w (p − y),  h = w p (1 − p)

Values are put into at most :data:`BINS` bins by their quantiles, so that every split of all features is weighed from
one table of sums. The same rows give the same trees, to the bit.

Source: Friedman (2001), "Greedy Function Approximation"; the histograms: Ke et al. (2017), "LightGBM".
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

BINS = 64
_SEED = 20_260_301
_LEAST_GAIN = 1e-6


@dataclass(frozen=True, slots=True)
class Growth:
    """How trees grow.

    :param depth: Splits from the root to a leaf.
    :param rate: η, the share of Newton's step that is taken.
    :param leaf: Least number of rows in a leaf.
    :param penalty: λ.
    :param features: Share of the features, drawn for each tree, that it may split on.
    """

    depth: int = 4
    rate: float = 0.1
    leaf: int = 30
    penalty: float = 1.0
    features: float = 0.5


@dataclass(frozen=True, slots=True)
class Trees:
    """Trees of one depth D as heaps: node i leads to 2i + 1, and to 2i + 2 where its feature exceeds its threshold.

    :param features: *Shape:* ``(trees, 2^D − 1)``
    :param thresholds: Infinite where a node does not split. *Shape:* ``(trees, 2^D − 1)``
    :param values: What each leaf adds. *Shape:* ``(trees, 2^D)``
    """

    features: NDArray[np.int32]
    thresholds: Floats
    values: Floats

    def scores(self, rows: Floats, most: int | None = None) -> Floats:
        """The sum of all trees, or of the first ones, for each row. *Shape:* ``(n,)``

        :param rows: *Shape:* ``(n, f)``
        """
        features, thresholds, values = self.features[:most], self.thresholds[:most], self.values[:most]
        trees, inner = thresholds.shape
        first = np.arange(trees) * inner
        begin = np.arange(len(rows))[:, None] * rows.shape[1]
        flat, features, thresholds = rows.ravel(), features.ravel(), thresholds.ravel()  # one index instead of two
        node = np.zeros((len(rows), trees), dtype=np.intp)
        for _ in range(_depth(values)):
            at = first + node
            node = 2 * node + 1 + (flat.take(begin + features.take(at)) > thresholds.take(at))
        leaf = np.arange(trees) * (inner + 1) + node - inner
        return np.asarray(values.ravel().take(leaf).sum(axis=1))


def _depth(values: Floats) -> int:
    return int(values.shape[1]).bit_length() - 1


def boost(rows: Floats, labels: Floats, weights: Floats, start: Floats, trees: int, growth: Growth = Growth()) -> Trees:
    """Trees that add to log odds known before.

    :param rows: Features, finite. *Shape:* ``(n, f)``
    :param labels: 0 or 1. *Shape:* ``(n,)``
    :param weights: Of the rows, positive. *Shape:* ``(n,)``
    :param start: Log odds before the first tree. *Shape:* ``(n,)``
    """
    codes, edges = _binned(rows)
    drawn = np.random.default_rng(_SEED)
    odds = start.astype(np.float64, copy=True)
    inner = 2**growth.depth - 1
    features = np.zeros((trees, inner), dtype=np.int32)
    thresholds = np.full((trees, inner), np.inf)
    values = np.zeros((trees, inner + 1))
    wanted = max(1, round(growth.features * rows.shape[1]))
    for tree in range(trees):
        chance = 1 / (1 + np.exp(-odds))
        gradients, curvatures = weights * (chance - labels), weights * chance * (1 - chance)
        chosen = np.sort(drawn.choice(rows.shape[1], wanted, replace=False))
        node = np.zeros(len(rows), dtype=np.int64)
        sums = None
        for level in range(growth.depth):
            first = 2**level - 1
            sums = _sums(codes[chosen], node - first, 2**level, gradients, curvatures, sums)
            feature, code = _splits(sums, chosen, growth)
            features[tree, first : first + 2**level] = feature
            splitting = code < BINS
            at = first + np.flatnonzero(splitting)
            thresholds[tree, at] = edges[feature[splitting], code[splitting]]
            mine = node - first
            node = 2 * node + 1 + (codes[feature[mine], np.arange(len(rows))] > code[mine])
        leaf = node - inner
        steps = np.bincount(leaf, gradients, inner + 1) / (np.bincount(leaf, curvatures, inner + 1) + growth.penalty)
        values[tree] = -growth.rate * steps
        odds += values[tree, leaf]
    return Trees(features, thresholds, values)


def _binned(rows: Floats) -> tuple[NDArray[np.uint8], Floats]:
    """The bin of each value by feature, *shape* ``(f, n)``; the upper edge of each bin, *shape* ``(f, BINS)``."""
    codes = np.empty((rows.shape[1], len(rows)), dtype=np.uint8)
    edges = np.full((rows.shape[1], BINS), np.inf)
    for feature in range(rows.shape[1]):
        known = np.unique(np.quantile(rows[:, feature], np.linspace(0, 1, BINS)[1:-1], method="lower"))
        edges[feature, : len(known)] = known
        codes[feature] = np.searchsorted(known, rows[:, feature], side="left")
    return codes, edges


def _sums(
    codes: NDArray[np.uint8],
    node: NDArray[np.int64],
    nodes: int,
    gradients: Floats,
    curvatures: Floats,
    above: Floats | None,
) -> Floats:
    """Sums of gradients, of curvatures and of ones by feature, node and bin. *Shape:* ``(3, f, nodes, BINS)``

    Of two nodes that were one, those of the smaller are added up; the other's are what is left of the sums above.

    :param codes: Of the features that are weighed. *Shape:* ``(f, n)``
    :param node: Number of each row's node on this level. *Shape:* ``(n,)``
    :param above: The sums of the level above; ``None`` for the root.
    """
    if above is None:
        return _added(codes, node, nodes, gradients, curvatures)
    smaller = np.bincount(node, minlength=nodes).reshape(-1, 2).argmin(axis=1)
    rows = np.flatnonzero(node % 2 == smaller[node // 2])
    part = _added(codes[:, rows], node[rows] // 2, nodes // 2, gradients[rows], curvatures[rows])
    rest = above - part
    right = (smaller == 1)[:, None]
    both = np.stack([np.where(right, rest, part), np.where(right, part, rest)], axis=3)
    return np.asarray(both.reshape(*part.shape[:2], nodes, BINS))


def _added(
    codes: NDArray[np.uint8], node: NDArray[np.int64], nodes: int, gradients: Floats, curvatures: Floats
) -> Floats:
    out = np.empty((3, len(codes), nodes * BINS))
    for number, code in enumerate(codes):
        place = node * BINS + code
        out[0, number] = np.bincount(place, gradients, nodes * BINS)
        out[1, number] = np.bincount(place, curvatures, nodes * BINS)
        out[2, number] = np.bincount(place, minlength=nodes * BINS)
    return out.reshape(3, len(codes), nodes, BINS)


def _splits(sums: Floats, chosen: NDArray[np.int64], growth: Growth) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """The best feature and the last bin on the left for each node; bin :data:`BINS` where no split gains.

    :param sums: Of :func:`_sums`, for the features chosen. *Shape:* ``(3, f, nodes, BINS)``
    """
    gradients, curvatures, counts = sums.cumsum(axis=3)
    gains = _gains(gradients, curvatures, counts, growth).swapaxes(0, 1).reshape(sums.shape[2], -1)
    at = gains.argmax(axis=1)
    gain = gains[np.arange(len(gains)), at]
    code = np.where(gain > _LEAST_GAIN, at % BINS, BINS)
    return chosen[at // BINS].astype(np.int32), code


def _gains(gradients: Floats, curvatures: Floats, counts: Floats, growth: Growth) -> Floats:
    """What a split after each bin gains, from sums up to it. *Shape:* ``(f, nodes, BINS)``"""

    def worth(gradient: Floats, curvature: Floats) -> Floats:
        return np.asarray(gradient**2 / (curvature + growth.penalty))

    whole = [each[..., -1:] for each in (gradients, curvatures, counts)]
    gain = worth(gradients, curvatures) + worth(whole[0] - gradients, whole[1] - curvatures) - worth(whole[0], whole[1])
    fits = (counts >= growth.leaf) & (whole[2] - counts >= growth.leaf)
    return np.where(fits, gain, -np.inf)
