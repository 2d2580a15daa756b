"""Records of one or several tables that are one thing, without training and with one threshold for all data."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from graphstore.linkage.agreement import WHOLE, Agreement, Record, agreements, codes_differ, text_codes
from graphstore.linkage.blocks import candidates
from graphstore.linkage.clusters import best_of_either, groups, mutual_best
from graphstore.linkage.text import Floats, Ints, fold, grams, tfidf
from graphstore.linkage.weights import RIVAL, log_odds, raised_prior, sigmoid, weigh

THRESHOLD = 0.5
"""Confidence from which two records are taken for one thing: more likely than not. The same for all data."""

SURE = 0.99
"""Confidence from which a pair is shown to a person as a proposal."""

_TELLING = 0.5


@dataclass(frozen=True, slots=True)
class Reason:
    """What a column says about a pair.

    :param says: "equal", "nearly equal", …, "differs".
    :param weight: Logarithm of how much likelier that is for one thing than for two; negative speaks against.
    """

    column: str
    says: str
    weight: float


@dataclass(frozen=True, slots=True)
class Pair:
    """Two records that may be one thing.

    :param a: Index of the first record.
    :param b: Index of the second, larger.
    :param confidence: Probability in [0, 1], by the records' own statistics.
    :param reasons: The most telling first.
    """

    a: int
    b: int
    confidence: float
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class Linkage:
    """Compared records.

    :param left: First record of each pair that was compared and may be one thing, sorted.
    :param right: Second record.
    :param evidence: Log odds (pairs,) that the two are one thing, before it counts how many pairs are.
    :param prior: Share of the compared pairs that are one thing.
    """

    size: int
    left: Ints
    right: Ints
    evidence: Floats
    prior: float
    _apart: Callable[[int, int], bool]
    _agreements: tuple[Agreement, ...]
    _steps: tuple[Floats, ...]

    @property
    def odds(self) -> Floats:
        """Log odds (pairs,) that the two are one thing."""
        return self.evidence + log_odds(self.prior)

    def pairs(self, *, at_least: float = THRESHOLD) -> list[Pair]:
        """Every pair of at least this confidence, surest first."""
        return self._pairs(self.odds, sigmoid(self.odds) >= at_least)

    def one_to_one(self, *, at_least: float = THRESHOLD) -> list[Pair]:
        """Pairs that are each other's best, for tables none of which names a thing twice; surest first.

        That they are each other's best is evidence itself: their confidence is weighed anew among such pairs.
        """
        best = np.flatnonzero(mutual_best(self.left, self.right, self.odds, self.size))
        odds = np.full(len(self.left), -np.inf)
        odds[best] = self.evidence[best] + log_odds(raised_prior(self.evidence[best], self.prior))
        return self._pairs(odds, (sigmoid(odds) >= at_least) & np.isfinite(odds))

    def groups(self, *, at_least: float = THRESHOLD) -> list[list[int]]:
        """All records in groups that are one thing each, sorted."""
        return groups(self.left, self.right, self.odds, self.size, cut=log_odds(at_least), apart=self._apart)

    def proposals(self, *, at_least: float = SURE) -> list[Pair]:
        """Pairs to show to a person, surest first: sure, of one group, no record outside it nearly as good."""
        odds, home = self.odds, np.zeros(self.size, dtype=np.int64)
        for number, members in enumerate(self.groups()):
            home[members] = number
        inside = home[self.left] == home[self.right]
        outside = np.where(inside, -np.inf, odds)
        rival = best_of_either(self.left, self.right, outside, self.size)
        return self._pairs(odds, (sigmoid(odds) >= at_least) & inside & (odds >= rival + RIVAL))

    def _pairs(self, odds: Floats, wanted: NDArray[np.bool_]) -> list[Pair]:
        chosen = np.flatnonzero(wanted)
        order = chosen[np.lexsort((self.right[chosen], self.left[chosen], -odds[chosen]))]
        confidence = sigmoid(odds[order])
        return [
            Pair(int(self.left[index]), int(self.right[index]), round(float(sure), 4), self._reasons(index))
            for index, sure in zip(order.tolist(), confidence, strict=True)
        ]

    def _reasons(self, pair: int) -> tuple[Reason, ...]:
        found = [
            Reason(agreement.name, agreement.words[level], round(float(steps[level] * agreement.share), 2))
            for agreement, steps in zip(self._agreements, self._steps, strict=True)
            if (level := int(agreement.levels[pair])) >= 0 and agreement.name != WHOLE
        ]
        telling = [reason for reason in found if abs(reason.weight) >= _TELLING]
        return tuple(sorted(telling, key=lambda reason: -abs(reason.weight)))


def link(
    records: Sequence[Record],
    *,
    sources: Sequence[Hashable] | None = None,
    apart: Callable[[int, int], bool] | None = None,
) -> Linkage:
    """The records, compared wherever two share a rare word.

    Two records whose texts hold codes of one form (``SR-2023-052``), none of them in common, are never one thing.

    :param records: Columns with text; a missing or empty one says nothing. Columns of all records are compared by name.
    :param sources: Table that each record is from, if only records of different tables may be one thing.
    :param apart: Whether two records (indexes, ascending) are known to be two things.
    """
    texts = [fold(" ".join(value for value in record.values() if value)) for record in records]
    left, right, alike = candidates(texts, tfidf([grams(text) for text in texts]), sources)
    found = agreements(records, left, right, alike)
    best = partial(best_of_either, left, right, size=len(records)) if sources is not None else None
    weights = weigh(found, alike, best)
    held = text_codes(records)

    def are_two(a: int, b: int) -> bool:
        return codes_differ(held[a], held[b]) or bool(apart and apart(min(a, b), max(a, b)))

    pairs = zip(left.tolist(), right.tolist(), strict=True)
    possible = np.flatnonzero(np.fromiter((not are_two(a, b) for a, b in pairs), np.bool_, len(left)))
    return Linkage(
        len(records),
        left[possible],
        right[possible],
        weights.evidence[possible],
        weights.prior,
        are_two,
        tuple(replace(agreement, levels=agreement.levels[possible]) for agreement in found),
        weights.steps,
    )
