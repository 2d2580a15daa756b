"""The learned mix: how likely each candidate belongs to the workflow, fitted on the store's own history.

The model starts from the mix without training: log odds a + b·(its scaled score) + c/(1 + its rank), b and c positive,
so that without trees it orders tools as that mix does. Trees are added as far as they help: their number is what ranks
best on a third of the paths that the trees were not fitted on, and 0, which is the mix without training, unless they
rank better there by more than chance.

What a request of the history would have been answered without itself is found by cross-fitting (``tool_fit``).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from graphstore.retrieval.boosting import Growth, Trees, boost
from graphstore.retrieval.tool_features import Candidates

Floats = NDArray[np.float64]

FORM = 1
"""Version of the features: a mix of another one is fitted anew."""
CHOICES = (0, 20, 40, 80, 140)
"""Numbers of trees to choose from."""
SURE = 2.0
"""Standard errors by which trees must rank better than none."""
_BEGIN = 3  # log odds, slope and rank of the start
_FLATTEST = 0.01  # least of the last two: some slope, or candidates would be alike where the mix ranks badly
_PENALTY = 1.0
_THIRD = 3
_DECIMALS = 6
_DIGITS = 9
_SMALLEST = -200  # exponent of ten below which a probability is none
_GAINS = 1 / np.log2(np.arange(2, 12))
_GROWTH = Growth()


@dataclass(frozen=True, slots=True)
class Example:
    """A past request as it would have been answered without itself.

    :param found: Its candidates.
    :param wanted: Numbers of the tools that solved it.
    :param weight: What it counts.
    :param part: A number that is the same for requests solved by the same path.
    """

    found: Candidates
    wanted: frozenset[int]
    weight: float
    part: int


@dataclass(frozen=True)
class LearnedMix:
    """The numbers of a fitted mix.

    :param start: a, b and c. *Shape:* ``(3,)``
    :param fitted: What it was fitted on: ``form, encoder, stages, requests, digest, trees``, and the mean of Recall@5,
        Full@10 and nDCG@10 on requests that the trees were not fitted on, with and without training.
    """

    start: Floats
    trees: Trees
    fitted: Mapping[str, Any]

    def odds(self, found: Candidates) -> Floats:
        """Log odds that each candidate belongs to the workflow. *Shape:* ``(c,)``"""
        return np.asarray(_begin(found) @ self.start + self.trees.scores(found.rows))

    def scores(self, found: Candidates) -> Floats:
        """Probability that each tool belongs; the rest stays below all candidates, in its order. *Shape:* ``(n,)``

        Rounded to significant digits, not to decimals: the rest is small, and asked for where a filter leaves only it.
        """
        chance = 1 / (1 + np.exp(-self.odds(found)))
        mixed = found.mixed - found.mixed.min()
        least = float(mixed[found.tools].min()) or 1.0
        out = np.asarray(float(chance.min()) * np.minimum(mixed / least, 1.0) * (1 - 10.0**-_DECIMALS))
        out[found.tools] = chance
        return _rounded(out)

    def to_row(self) -> dict[str, Any]:
        """The mix as properties of a node."""
        return {
            "start": self.start.tolist(),
            "features": json.dumps(self.trees.features.tolist()),
            # infinity is no JSON
            "thresholds": json.dumps([[v if np.isfinite(v) else None for v in row] for row in self.trees.thresholds]),
            "values": json.dumps(self.trees.values.tolist()),
            "fitted": json.dumps(dict(self.fitted), sort_keys=True),
        }

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> LearnedMix:
        """The mix that :meth:`to_row` wrote."""
        thresholds = [[np.inf if v is None else v for v in each] for each in json.loads(row["thresholds"])]
        leaves = 2**_GROWTH.depth
        inner = leaves - 1
        return cls(
            np.array(row["start"], dtype=np.float64),
            Trees(
                np.array(json.loads(row["features"]), dtype=np.int32).reshape(-1, inner),
                np.array(thresholds, dtype=np.float64).reshape(-1, inner),
                np.array(json.loads(row["values"]), dtype=np.float64).reshape(-1, leaves),
            ),
            json.loads(row["fitted"]),
        )


def learn(examples: Sequence[Example], fitted: Mapping[str, Any]) -> LearnedMix:
    """The mix that ranks the examples best.

    :param examples: At least one of them with a candidate that was wanted.
    :param fitted: What is known of them, kept beside the numbers.
    """
    kept = [example for example in examples if example.part % _THIRD]
    held = [example for example in examples if not example.part % _THIRD]
    best, quality = 0, {0: 0.0}
    if kept and held:
        start, trees = _fit(kept, CHOICES[-1])
        found = {count: np.array([_quality(each, start, trees, count) for each in held]) for count in CHOICES}
        weights = np.array([each.weight for each in held])
        quality = {count: float(np.average(values, weights=weights)) for count, values in found.items()}
        best = max(quality, key=lambda count: (round(quality[count], _DECIMALS), -count))
        if not _sure(found[best] - found[0], weights, [each.part for each in held]):
            best = 0
    start, trees = _fit(examples, best)
    figures = {"trees": best, "quality": round(quality[best], 4), "untrained": round(quality[0], 4)}
    return LearnedMix(start, trees, {**fitted, "requests": len(examples), **figures})


def _sure(gains: Floats, weights: Floats, parts: Sequence[int]) -> bool:
    """Whether a mean gain is more than chance: above :data:`SURE` standard errors, paths drawn as a whole."""
    _, group = np.unique(np.array(parts, dtype=np.int64), return_inverse=True)
    mean = float(np.average(gains, weights=weights))
    sums = np.bincount(group, weights * (gains - mean))
    return mean > SURE * float(np.sqrt((sums**2).sum())) / float(weights.sum())


def _fit(examples: Sequence[Example], trees: int) -> tuple[Floats, Trees]:
    rows = np.concatenate([example.found.rows for example in examples])
    labels = np.concatenate([_labels(example) for example in examples])
    weights = np.concatenate([_weights(example) for example in examples])
    weights *= len(weights) / weights.sum()
    begin = np.concatenate([_begin(example.found) for example in examples])
    start = _logistic(begin, labels, weights)
    return start, boost(rows, labels, weights, begin @ start, trees, _GROWTH)


def _labels(example: Example) -> Floats:
    return np.array([float(tool in example.wanted) for tool in example.found.tools.tolist()])


def _weights(example: Example) -> Floats:
    """Every request counts alike, whether many tools solved it or few."""
    count = len(example.found.tools)
    return np.full(count, example.weight / max(float(_labels(example).sum()), 1.0))


def _begin(found: Candidates) -> Floats:
    """What the start sees of each candidate. *Shape:* ``(c, 3)``"""
    count = len(found.tools)
    return np.stack([np.ones(count), found.rows[:, 0], 1 / (1 + np.arange(count))], axis=1)


def _logistic(rows: Floats, labels: Floats, weights: Floats) -> Floats:
    """Coefficients of a logistic regression, the last two positive, so that it keeps the order."""

    def loss(given: Floats) -> tuple[float, Floats]:
        odds = rows @ given
        missed = weights * (1 / (1 + np.exp(-odds)) - labels)
        value = float((weights * (np.logaddexp(0, odds) - labels * odds)).sum()) + _PENALTY / 2 * float(given @ given)
        return value, rows.T @ missed + _PENALTY * given

    bounds = [(None, None), (_FLATTEST, None), (_FLATTEST, None)]
    return np.asarray(minimize(loss, np.zeros(_BEGIN), jac=True, bounds=bounds, method="L-BFGS-B").x)


def _rounded(values: Floats) -> Floats:
    """Values to :data:`_DIGITS` significant digits."""
    exponents = np.floor(np.log10(values, out=np.zeros_like(values), where=values > 0))
    scale = 10.0 ** (_DIGITS - 1 - np.maximum(exponents, _SMALLEST))
    return np.asarray(np.round(values * scale) / scale)


def _quality(example: Example, start: Floats, trees: Trees, count: int) -> float:
    """Mean of Recall@5, Full@10 and nDCG@10 with the first trees."""
    odds = _begin(example.found) @ start + trees.scores(example.found.rows, count)
    hits = _labels(example)[np.argsort(-odds, kind="stable")][: len(_GAINS)]
    most = len(example.wanted)
    ndcg = float(hits @ _GAINS[: len(hits)]) / float(_GAINS[:most].sum())
    return (float(hits[:5].sum()) / most + float(hits.sum() == most) + ndcg) / 3
