"""Figures of methods on the same requests: means, and which differences are more than chance. Shared by evaluations."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphstore.evaluation.significance import holm, paired_bootstrap

Floats = NDArray[np.float64]
DECIMALS = 4


def means(values: Mapping[str, Floats], names: Sequence[str], weights: Floats) -> dict[str, dict[str, float]]:
    """Method → metric → mean; metrics that no request has are left out.

    :param values: Method → figures; NaN where a request has none. *Shape:* ``(requests, metrics)``
    """
    return {
        method: {
            name: round(mean, DECIMALS)
            for name, column in zip(names, table.T, strict=True)
            if not math.isnan(mean := weighted_mean(column, weights))
        }
        for method, table in values.items()
    }


def comparisons(
    values: Mapping[str, Floats],
    names: Sequence[str],
    pairs: Sequence[tuple[str, str]],
    metrics: Sequence[str],
    units: Sequence[str],
    *,
    weights: Floats | None = None,
    samples: int,
) -> list[dict[str, Any]]:
    """Each pair of methods on each metric, p corrected for all of them together.

    A metric on which a pair has no figures (a published run that gives fewer results) is left out.

    :param pairs: ``(a, b)``; a difference is a's figure less b's.
    :param units: What the bootstrap draws, one a request.
    """
    columns = [names.index(metric) for metric in metrics]
    wanted = [(a, b, i) for a, b in pairs for i in columns if not np.isnan(values[a][:, i] - values[b][:, i]).any()]
    if not wanted or not len(units):
        return []
    differences = np.stack([values[a][:, i] - values[b][:, i] for a, b, i in wanted], axis=1)
    found = paired_bootstrap(differences, units, weights=weights, samples=samples)
    corrected = holm([each.p for each in found])
    return [
        {
            "a": a,
            "b": b,
            "metric": names[i],
            "difference": round(each.mean, DECIMALS),
            "low": round(each.low, DECIMALS),
            "high": round(each.high, DECIMALS),
            "p_holm": round(p, 6),
        }
        for (a, b, i), each, p in zip(wanted, found, corrected, strict=True)
    ]


def weighted_mean(column: Floats, weights: Floats) -> float:
    """The mean of what is there; NaN if nothing is."""
    there = ~np.isnan(column)
    total = weights[there].sum()
    return float(column[there] @ weights[there] / total) if total else math.nan
