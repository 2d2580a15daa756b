"""What each step of agreement weighs, found without any labelled pair (Fellegi and Sunter 1969; EM, Winkler 1988).

A step weighs log(m/u): how much more often it stands among pairs that are one thing than among pairs that are two.
Which pairs are which is estimated in turns with the weights, from the likeness of whole records on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from graphstore.linkage.agreement import Agreement
from graphstore.linkage.text import Floats

_START, _STEEP = 0.5, 30.0
_PRIOR = 5.0
"""Pairs of experience that a column begins with: better agreement speaks for one thing."""

RIVAL = 1.0
"""A record has a clearly better partner if the log odds differ by this."""

_TURNS, _STILL = 60, 1e-3
_LEAST = 1e-6
_HIGHEST = 50.0


@dataclass(frozen=True, slots=True)
class Weights:
    """What was found.

    :param prior: Share of the compared pairs that are one thing.
    :param steps: Weights (levels,) of each agreement, in the order in which they were given.
    :param evidence: Sum of the weights (pairs,), without the prior: logarithms of odds.
    """

    prior: float
    steps: tuple[Floats, ...]
    evidence: Floats

    def confidence(self) -> Floats:
        """Probability (pairs,) that the two are one thing."""
        return sigmoid(self.evidence + log_odds(self.prior))


def weigh(agreements: Sequence[Agreement], alike: Floats, best: Callable[[Floats], Floats] | None = None) -> Weights:
    """Weights by expectation and maximisation.

    :param alike: Cosine (pairs,) of whole records, from which the first guess is made.
    :param best: Evidence (pairs,) of the best pair that either record of a pair is in, given the evidence of all. With
        it only pairs that come near to that teach how one thing agrees: between tables, a record has few partners, and
        what resembles it nearly as much as they do is not one of them.
    """
    likely, evidence = sigmoid((alike - _START) * _STEEP), alike * _STEEP
    for _ in range(_TURNS):
        prior = float(np.clip(likely.mean() if len(likely) else 0.0, _LEAST, 1 - _LEAST))
        teaching = likely if best is None else likely * (evidence >= best(evidence) - RIVAL)
        steps = tuple(_step_weights(agreement, teaching, 1 - likely) for agreement in agreements)
        evidence = np.zeros(len(alike))
        for agreement, weights in zip(agreements, steps, strict=True):
            known = agreement.levels >= 0
            evidence[known] += agreement.share * weights[agreement.levels[known]]
        found = Weights(prior, steps, evidence)
        before, likely = likely, found.confidence()
        if not len(likely) or float(np.abs(likely - before).max()) < _STILL:
            break
    return found


def _step_weights(agreement: Agreement, one_thing: Floats, two_things: Floats) -> Floats:
    count = len(agreement.words)
    known = agreement.levels >= 0
    levels = agreement.levels[known]
    one: Floats = np.bincount(levels, weights=one_thing[known], minlength=count).astype(np.float64)
    two: Floats = np.bincount(levels, weights=two_things[known], minlength=count).astype(np.float64)
    expected: Floats = np.linspace(0.2, 1.8, count) ** 2
    expected = expected / expected.sum()
    m: Floats = (one + _PRIOR * expected) / (one.sum() + _PRIOR)
    u: Floats = (two + _PRIOR * expected[::-1]) / (two.sum() + _PRIOR)
    return rising(np.log(m) - np.log(u), one + two + 1e-3)


def rising(values: Floats, counts: Floats) -> Floats:
    """The nearest values that never fall, by pooling neighbours: better agreement never weighs less."""
    pools: list[tuple[float, float, int]] = []
    for value, count in zip(values.tolist(), counts.tolist(), strict=True):
        pools.append((value, count, 1))
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            (b, count_b, size_b), (a, count_a, size_a) = pools.pop(), pools.pop()
            total = count_a + count_b
            pools.append(((a * count_a + b * count_b) / total, total, size_a + size_b))
    return np.asarray([value for value, _, size in pools for _ in range(size)], dtype=np.float64)


def raised_prior(evidence: Floats, prior: float) -> float:
    """The share of pairs that are one thing among those given, by EM over the share alone.

    Of pairs that are each other's best, where no source repeats a thing, far more are one thing than of all.
    """
    share = max(prior, 0.1)
    for _ in range(_TURNS):
        if not len(evidence):
            break
        before, share = share, float(np.clip(sigmoid(evidence + log_odds(share)).mean(), _LEAST, 1 - _LEAST))
        if abs(share - before) < _STILL * _STILL:
            break
    return share


def sigmoid(values: Floats) -> Floats:
    """Probabilities of log odds."""
    return 1.0 / (1.0 + np.exp(-np.clip(values, -_HIGHEST, _HIGHEST)))


def log_odds(probability: float) -> float:
    """Log odds of a probability strictly between 0 and 1."""
    return float(np.log(probability / (1.0 - probability)))
