"""How well people fit a surname that a document does not complete, and which of them is meant."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from graphstore.corpusmap.evidence import THRESHOLD

_RARE = 4
"""How many times as many documents make one bearer of a surname the usual one."""

_ONLY = 0.05
"""What it adds to the score of a surname's only bearer if twice as many documents name them; up to thrice that."""


@dataclass(frozen=True, slots=True)
class Fit:
    """How well a person fits a surname in a document.

    :param cosine: With the likest document that has the full name.
    :param documents: That have the full name.
    """

    score: float
    cosine: float
    documents: int

    @property
    def claim(self) -> float:
        """How likely the person is meant, as against others of equal score."""
        return self.cosine * self.documents


def both(a: Fit | None, b: Fit) -> Fit:
    """The fit of a person who has two names."""
    score, cosine = max((a.score, a.cosine), (b.score, b.cosine)) if a else (b.score, b.cosine)
    return Fit(score, cosine, a.documents + b.documents if a else b.documents)


def only(fit: Fit) -> Fit:
    """The fit of the only person whose name holds the word: the more documents name them, the less it is another."""
    more = min(3 * _ONLY, _ONLY * math.log2(fit.documents)) if fit.documents else 0.0
    return Fit(round(min(1.0, fit.score + more), 4), fit.cosine, fit.documents)


def usual(fits: Mapping[str, Fit]) -> tuple[str | None, list[str]]:
    """Who fits best, if anyone fits, and who may be meant as well, the likeliest first.

    Someone is no rival whom far fewer documents name, and those no more like this one.
    """
    ordered = sorted(fits, key=lambda entity: (-fits[entity].score, -fits[entity].claim, entity))
    if not ordered or fits[ordered[0]].score < THRESHOLD:
        return None, ordered
    best, *others = ordered
    return best, [other for other in others if _RARE * fits[other].claim > fits[best].claim]
