"""Whether a difference between two methods is more than chance: paired bootstrap, corrected for many comparisons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SAMPLES = 40_000
"""Resamples. The least p is 2 / (SAMPLES + 1) = 0.00005, so that 199 comparisons can still reach 0.01 after Holm."""
SEED = 20_260_101
_BLOCK = 500  # resamples at a time: memory is this by the number of units

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Difference:
    """A mean difference and what resampling says of it.

    :param low: 2.5th percentile of the resampled differences.
    :param high: 97.5th percentile.
    :param p: Two-sided: twice the share of resamples on the other side of zero, at most 1.
    """

    mean: float
    low: float
    high: float
    p: float


def paired_bootstrap(
    differences: Floats,
    units: Sequence[str],
    *,
    weights: Floats | None = None,
    samples: int = SAMPLES,
    seed: int = SEED,
) -> list[Difference]:
    """What resampling says of each column of differences between two methods on the same requests.

    Units are drawn with replacement, each with all of its rows: a unit is a request (that several splits may ask), or
    a group of requests that are not independent of each other. All columns are resampled by the same draws.

    Source: Efron and Tibshirani (1993), "An Introduction to the Bootstrap", chapters 13 and 16; for units of several
    rows Davison and Hinkley (1997), "Bootstrap Methods and their Application", section 3.8.

    :param differences: *Shape:* ``(rows, columns)``
    :param units: The unit of each row.
    :param weights: Weight of each row in the mean; equal if ``None``.
    """
    weight = np.ones(len(differences)) if weights is None else weights
    names, unit = np.unique(np.asarray(units), return_inverse=True)
    sums = np.zeros((len(names), differences.shape[1]))
    np.add.at(sums, unit, differences * weight[:, None])
    sizes = np.bincount(unit, weights=weight).astype(np.float64)
    mean = sums.sum(axis=0) / sizes.sum()
    drawn = _resampled(sums, sizes, samples, np.random.default_rng(seed))
    low, high = np.percentile(drawn, [2.5, 97.5], axis=0)
    below, above = (drawn <= 0).sum(axis=0), (drawn >= 0).sum(axis=0)
    p = np.minimum(1.0, 2 * (np.minimum(below, above) + 1) / (samples + 1))
    return [Difference(*map(float, column)) for column in zip(mean, low, high, p, strict=True)]


def holm(p: Sequence[float]) -> list[float]:
    """The p-values corrected for their number: below α, all of them together are wrong with a chance below α.

    Source: Holm (1979), "A simple sequentially rejective multiple test procedure", Scand. J. Statistics 6.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    corrected = [0.0] * len(p)
    highest = 0.0
    for rank, index in enumerate(sorted(range(len(p)), key=lambda i: p[i])):
        highest = max(highest, min(1.0, (len(p) - rank) * p[index]))
        corrected[index] = highest
    return corrected


def _resampled(sums: Floats, sizes: Floats, samples: int, random: np.random.Generator) -> Floats:
    """Means of resamples. *Shape:* ``(samples, columns)``"""
    units = len(sizes)
    out = np.empty((samples, sums.shape[1]))
    for start in range(0, samples, _BLOCK):
        block = min(_BLOCK, samples - start)
        drawn = random.integers(units, size=(block, units)) + units * np.arange(block)[:, None]
        counts = np.bincount(drawn.ravel(), minlength=block * units).reshape(block, units).astype(np.float64)
        out[start : start + block] = (counts @ sums) / (counts @ sizes)[:, None]
    return out
