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
        trees = np.arange(len(features))
        node = np.zeros((len(rows), len(features)), dtype=np.int64)
        numbers = np.arange(len(rows))[:, None]
        for _ in range(_depth(values)):
            right = rows[numbers, features[trees, node]] > thresholds[trees, node]
            node = 2 * node + 1 + right
        return np.asarray(values[trees, node - thresholds.shape[1]].sum(axis=1))


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
        for level in range(growth.depth):
            first = 2**level - 1
            feature, code = _splits(codes, chosen, node - first, 2**level, gradients, curvatures, growth)
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


def _splits(
    codes: NDArray[np.uint8],
    chosen: NDArray[np.int64],
    node: NDArray[np.int64],
    nodes: int,
    gradients: Floats,
    curvatures: Floats,
    growth: Growth,
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """The best feature and the last bin on the left for each node; bin :data:`BINS` where no split gains.

    :param node: Number of each row's node on this level. *Shape:* ``(n,)``
    """
    best = np.full(nodes, _LEAST_GAIN)
    feature = np.zeros(nodes, dtype=np.int32)
    code = np.full(nodes, BINS, dtype=np.int64)
    ones = np.ones(len(node))
    for number in chosen.tolist():
        place = node * BINS + codes[number]
        sums = [
            np.bincount(place, each, nodes * BINS).reshape(nodes, BINS).cumsum(axis=1)
            for each in (gradients, curvatures, ones)
        ]
        gains = _gains(sums[0], sums[1], sums[2], growth)
        at = gains.argmax(axis=1)
        gain = gains[np.arange(nodes), at]
        better = gain > best
        best[better], feature[better], code[better] = gain[better], number, at[better]
    return feature, code


def _gains(gradients: Floats, curvatures: Floats, counts: Floats, growth: Growth) -> Floats:
    """What a split after each bin gains, from sums up to it. *Shape:* ``(nodes, BINS)``"""

    def worth(gradient: Floats, curvature: Floats) -> Floats:
        return np.asarray(gradient**2 / (curvature + growth.penalty))

    whole = [each[:, -1:] for each in (gradients, curvatures, counts)]
    gain = worth(gradients, curvatures) + worth(whole[0] - gradients, whole[1] - curvatures) - worth(whole[0], whole[1])
    fits = (counts >= growth.leaf) & (whole[2] - counts >= growth.leaf)
    return np.where(fits, gain, -np.inf)
