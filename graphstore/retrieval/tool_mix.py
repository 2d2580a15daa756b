"""The learned mix: how likely each candidate belongs to the workflow, fitted on the store's own history.

It is two models, one for requests whose workflow the history knows and one for those whose workflow it does not: the
first may trust the nearest past request, the second must not. Which of them a request needs is told by how near its
nearest past request is; the log odds of the two are averaged with the probability that its workflow is known.

Each starts from the mix without training: log odds a + b·(its scaled score) + c/(1 + its rank), b and c positive,
so that without trees it orders tools as that mix does. Trees are added as far as they help: their number is what ranks
best on a third of the examples that they were not fitted on, left out in the model's own way, and 0, which is the mix
without training, if they rank worse there by more than chance, or never otherwise.

What a request of the history would have been answered without itself is found by cross-fitting (``tool_fit``).
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from graphstore.retrieval.boosting import Growth, Trees, boost
from graphstore.retrieval.tool_features import Candidates

Floats = NDArray[np.float64]

FORM = 3
"""Version of the features: a mix of another one is fitted anew."""
CHOICES = (0, 50, 100, 200, 300)
"""Numbers of trees of each model to choose from."""
SURE = 1.0
"""Standard errors by which trees must rank worse than none to be left out. A third of a small history tells little, and
on ten histories of 240 to 270 stages trees ranked better, while asking for a sure gain left them out of most."""
_BEGIN = 3  # log odds, slope and rank of the start
_FLATTEST = 0.01  # least of the last two: some slope, or candidates would be alike where the mix ranks badly
_POSITIVE = [(None, None), (_FLATTEST, None), (_FLATTEST, None)]
_PENALTY = 1.0
_THIRD = 3
_DECIMALS = 6
_DIGITS = 9
_SMALLEST = -200  # exponent of ten below which a probability is none
_GAINS = 1 / np.log2(np.arange(2, 12))
_GROWTH = Growth(depth=5, features=0.1)
"""How trees grow: each of few features, so that many trees look at a candidate from as many sides."""


@dataclass(frozen=True, slots=True)
class Example:
    """A past request as it would have been answered without itself.

    :param found: Its candidates.
    :param wanted: Numbers of the tools that solved it.
    :param known: Whether other requests that the same path solved were left in the history.
    :param part: A number that is the same for those left out together: requests of one path, or of one wording.
    """

    found: Candidates
    wanted: frozenset[int]
    known: bool
    part: int


@dataclass(frozen=True)
class Model:
    """One of the two models.

    :param start: a, b and c. *Shape:* ``(3,)``
    """

    start: Floats
    trees: Trees

    def odds(self, found: Candidates, most: int | None = None) -> Floats:
        """Log odds that each candidate belongs to the workflow, with all trees or the first. *Shape:* ``(c,)``"""
        return np.asarray(_begin(found) @ self.start + self.trees.scores(found.rows, most))


@dataclass(frozen=True)
class LearnedMix:
    """The numbers of a fitted mix.

    :param unseen: For requests whose workflow the history does not know.
    :param known: For those whose it does.
    :param nearness: d and e: log odds of the second are d + e · cosine of the nearest past request. *Shape:* ``(2,)``
    :param fitted: What it was fitted on: ``form, encoder, stages, requests, digest``; the ``trees`` of each model, and
        the quality on requests that these were not fitted on, with and without training.
    """

    unseen: Model
    known: Model
    nearness: Floats
    fitted: Mapping[str, Any]

    def odds(self, found: Candidates) -> Floats:
        """Log odds that each candidate belongs to the workflow. *Shape:* ``(c,)``"""
        share = 1 / (1 + np.exp(-(self.nearness[0] + self.nearness[1] * found.near)))
        return np.asarray((1 - share) * self.unseen.odds(found) + share * self.known.odds(found))

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
        """The mix as properties of a node; of the two models' numbers those of ``unseen`` come first."""
        models = (self.unseen, self.known)
        features = np.concatenate([model.trees.features for model in models])
        thresholds = np.concatenate([model.trees.thresholds for model in models])
        values = np.concatenate([model.trees.values for model in models])
        return {
            "start": [*self.unseen.start.tolist(), *self.known.start.tolist(), *self.nearness.tolist()],
            "features": json.dumps(features.tolist()),
            # infinity is no JSON
            "thresholds": json.dumps([[v if np.isfinite(v) else None for v in row] for row in thresholds]),
            "values": json.dumps(values.tolist()),
            "fitted": json.dumps(dict(self.fitted), sort_keys=True),
        }

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> LearnedMix:
        """The mix that :meth:`to_row` wrote."""
        trees = _read(row["features"], row["thresholds"], row["values"])
        start = np.array(row["start"], dtype=np.float64)
        half = len(trees.values) // 2
        parts = (slice(None, half), slice(half, None))
        unseen, known = (Trees(trees.features[p], trees.thresholds[p], trees.values[p]) for p in parts)
        return cls(
            Model(start[:_BEGIN], unseen),
            Model(start[_BEGIN : 2 * _BEGIN], known),
            start[2 * _BEGIN :],
            json.loads(row["fitted"]),
        )


@lru_cache(maxsize=2)
def _read(features: str, thresholds: str, values: str) -> Trees:
    """Trees as they were written; kept, as every reader of a store that has changed reads them again."""
    edges = [[np.inf if v is None else v for v in each] for each in json.loads(thresholds)]
    steps = json.loads(values)
    leaves = len(steps[0]) if steps else 1
    return Trees(
        np.array(json.loads(features), dtype=np.int32).reshape(len(steps), leaves - 1),
        np.array(edges, dtype=np.float64).reshape(len(steps), leaves - 1),
        np.array(steps, dtype=np.float64).reshape(len(steps), leaves),
    )


def learn(examples: Sequence[Example], fitted: Mapping[str, Any]) -> LearnedMix:
    """The mix that ranks the examples best.

    :param examples: At least one of them with a candidate that was wanted.
    :param fitted: What is known of them, kept beside the numbers.
    """
    ways = [[each for each in examples if each.known is way] or list(examples) for way in (False, True)]
    best, quality = 0, {0: 0.0}
    held = [example for way in ways for example in way if not example.part % _THIRD]
    if held and all(map(_kept, ways)):
        found = {count: np.array(values) for count, values in _tried(ways).items()}
        quality = {count: float(values.mean()) for count, values in found.items()}
        best = max(CHOICES[1:], key=lambda count: (round(quality[count], _DECIMALS), -count))
        gains = found[best] - found[0]
        if not gains.any() or _worse(gains, [(each.known, each.part) for each in held]):
            best = 0
    unseen, known = (_model(way, best) for way in ways)
    figures = {"trees": best, "quality": round(quality[best], 4), "untrained": round(quality[0], 4)}
    return LearnedMix(unseen, known, _nearness(*ways), {**fitted, "requests": len(examples), **figures})


def _kept(examples: Sequence[Example]) -> list[Example]:
    return [example for example in examples if example.part % _THIRD]


def _tried(ways: Sequence[Sequence[Example]]) -> dict[int, list[float]]:
    """Number of trees → quality of each example of the third that is held out, by the model of its way."""
    found: dict[int, list[float]] = {count: [] for count in CHOICES}
    for way in ways:
        model = _model(_kept(way), CHOICES[-1])
        for example in way:
            if not example.part % _THIRD:
                for count in CHOICES:
                    found[count].append(_quality(example, model, count))
    return found


def _worse(gains: Floats, parts: Sequence[Hashable]) -> bool:
    """Whether a mean loss is likely more than chance: of :data:`SURE` standard errors, parts drawn as a whole."""
    number = {part: i for i, part in enumerate(dict.fromkeys(parts))}
    group = np.array([number[part] for part in parts])
    mean = float(gains.mean())
    sums = np.bincount(group, gains - mean)
    return mean < -SURE * float(np.sqrt((sums**2).sum())) / len(gains)


def _model(examples: Sequence[Example], trees: int) -> Model:
    rows = np.concatenate([example.found.rows for example in examples])
    labels = np.concatenate([_labels(example) for example in examples])
    weights = np.concatenate([_weights(example) for example in examples])
    weights *= len(weights) / weights.sum()
    begin = np.concatenate([_begin(example.found) for example in examples])
    start = _logistic(begin, labels, weights, _POSITIVE)
    return Model(start, boost(rows, labels, weights, begin @ start, trees, _GROWTH))


def _nearness(unseen: Sequence[Example], known: Sequence[Example]) -> Floats:
    """How the nearest past request tells known workflows from others, each of the two ways counting alike."""
    near = np.array([each.found.near for each in (*unseen, *known)])
    labels = np.repeat([0.0, 1.0], [len(unseen), len(known)])
    weights = np.repeat([0.5 / len(unseen), 0.5 / len(known)], [len(unseen), len(known)]) * len(near)
    rows = np.stack([np.ones(len(near)), near], axis=1)
    return _logistic(rows, labels, weights, [(None, None), (0.0, None)])


def _labels(example: Example) -> Floats:
    return np.array([float(tool in example.wanted) for tool in example.found.tools.tolist()])


def _weights(example: Example) -> Floats:
    """Every request counts alike, whether many tools solved it or few."""
    count = len(example.found.tools)
    return np.full(count, 1 / max(float(_labels(example).sum()), 1.0))


def _begin(found: Candidates) -> Floats:
    """What the start sees of each candidate. *Shape:* ``(c, 3)``"""
    count = len(found.tools)
    return np.stack([np.ones(count), found.rows[:, 0], 1 / (1 + np.arange(count))], axis=1)


def _logistic(rows: Floats, labels: Floats, weights: Floats, bounds: Sequence[tuple[float | None, None]]) -> Floats:
    """Coefficients of a logistic regression within bounds."""

    def loss(given: Floats) -> tuple[float, Floats]:
        odds = rows @ given
        missed = weights * (1 / (1 + np.exp(-odds)) - labels)
        value = float((weights * (np.logaddexp(0, odds) - labels * odds)).sum()) + _PENALTY / 2 * float(given @ given)
        return value, rows.T @ missed + _PENALTY * given

    return np.asarray(minimize(loss, np.zeros(rows.shape[1]), jac=True, bounds=bounds, method="L-BFGS-B").x)


def _rounded(values: Floats) -> Floats:
    """Values to :data:`_DIGITS` significant digits."""
    exponents = np.floor(np.log10(values, out=np.zeros_like(values), where=values > 0))
    scale = 10.0 ** (_DIGITS - 1 - np.maximum(exponents, _SMALLEST))
    return np.asarray(np.round(values * scale) / scale)


def _quality(example: Example, model: Model, count: int) -> float:
    """Mean of Recall at as many tools as are wanted, Full@10 and nDCG@10 with the first trees."""
    odds = model.odds(example.found, count)
    hits = _labels(example)[np.argsort(-odds, kind="stable")]
    most = len(example.wanted)
    first = hits[: len(_GAINS)]
    ndcg = float(first @ _GAINS[: len(first)]) / float(_GAINS[:most].sum())
    return (float(hits[:most].sum()) / most + float(first.sum() == most) + ndcg) / 3
