"""Open names and weak links against the whole corpus: with whom else each candidate is mentioned, and in what context.

How clear a case must be is learned from the store itself: full names that were linked for sure are looked at as if only
the surname stood there, once with the right person among the candidates and once without. What is not clearer than
nearly all of those is left as it is, so that a refinement says nothing where the corpus gives no measure.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from graphstore.corpusmap.decisions import Link, Unresolved
from graphstore.corpusmap.index import Index
from graphstore.corpusmap.locals import Local
from graphstore.corpusmap.resolve import Resolver
from graphstore.corpusmap.types import PERSON

Span = tuple[int, int]
Context = Callable[[str, Iterable[Span]], NDArray[np.float32] | None]
"""The unit vector of a document without the sentences around some spans; ``None`` if nothing is left."""

WEAK = 0.9
"""Confidence below which a link that has a rival is looked at again; what is open always is."""

PRECISION = 0.95
"""What the sure links must reach at the margin, as the lower end of a 95 % interval."""

LEAST = 60
"""Sure links that must be told right at the margin before any is trusted."""

_ABSENT = 0.5
"""Weight of a case whose right person was taken away: one in three names is taken to be of someone unknown."""
_EXAMPLES = 400
_DOCUMENTS = 200
_SOURCES = 3


@dataclass(frozen=True, slots=True)
class Case:
    """A name in a document with the entities that it may mean.

    :param linked: The entity that it is linked to, or ``None`` while it is open.
    """

    document: str
    local: Local
    candidates: tuple[str, ...]
    linked: str | None = None


@dataclass(frozen=True, slots=True)
class Margin:
    """How much better than the next a candidate must be.

    :param precision: Share of sure links told right from there on, those without the right candidate counted.
    :param examples: Sure links that were looked at.
    """

    least: float
    precision: float
    examples: int


class Refining:
    """Weighs candidates in a resolver that is settled."""

    def __init__(self, resolver: Resolver, context: Context) -> None:
        self._resolver = resolver
        self._context = context
        self._linked = {
            document: {d.entity: d for d in decisions if isinstance(d, Link)}
            for document, decisions in resolver.decisions.items()
        }
        self._surnames = Index()
        for entity in resolver.entities.values():
            if entity.kind == PERSON and " " in entity.key:
                self._surnames.add(entity.key.rsplit(" ", 1)[-1], entity.id)

    def examples(self) -> Iterator[Case]:
        """Sure links to people who share their surname, at most so many, spread over the documents."""
        found = 0
        order = sorted(self._linked, key=lambda name: (hash_of(name), name))
        for document in order:
            for local in self._resolver.registry.locals.get(document, ()):
                linked = self._sure(document, local)
                others = self._surnames.at(local.key.rsplit(" ", 1)[-1]) if linked else set()
                if linked and len(others) > 1 and len(self._resolver.members(linked)) > 1:
                    yield Case(document, local, tuple(sorted(others | {linked})), linked)
                    found += 1
                    if found == _EXAMPLES:
                        return

    def _sure(self, document: str, local: Local) -> str | None:
        for link in self._linked[document].values():
            if link.confidence == 1.0 and link.by == "local" and local.names[0] in link.names and " " in local.key:
                entity = self._resolver.entities[link.entity]
                return entity.id if entity.kind == PERSON else None
        return None

    def cases(self) -> Iterator[Case]:
        """Open surnames and bearers of one name, and weak links that have a rival, in a stable order."""
        rulings = self._resolver.ruled.rulings
        for document in sorted(self._linked):
            opened = {d.name for d in self._resolver.decisions[document] if isinstance(d, Unresolved)}
            for local in self._resolver.registry.locals.get(document, ()):
                if rulings.refined(document, local.key):
                    continue
                here = (link for link in self._linked[document].values() if local.names[0] in link.names)
                weak = next(filter(is_weak, here), None)
                if (local.names[0] in opened or weak) and len(candidates := self._candidates(document, local)) > 1:
                    yield Case(document, local, candidates, weak.entity if weak else None)

    def _candidates(self, document: str, local: Local) -> tuple[str, ...]:
        named = self._surnames.at(local.key.rsplit(" ", 1)[-1])
        if " " in local.key:
            named = {entity for entity in named if self._resolver.entities[entity].key == local.key}
        return tuple(sorted(entity for entity in named if self._resolver.members(entity) - {document}))

    def scores(self, case: Case) -> dict[str, float]:
        """How well each candidate fits, in [-1, 2]."""
        without = set(case.candidates)
        mine = self._company([case.document], without)
        here = self._context(case.document, case.local.spans)
        found = {}
        for entity in case.candidates:
            members = sorted(self._resolver.members(entity) - {case.document})[:_DOCUMENTS]
            theirs = self._company(members, without)
            near = sorted(members, key=lambda name: (-len(self._shared(case.document, name)), name))[:_SOURCES]
            vectors = [self._context(name, self._linked[name][entity].spans) for name in near]
            found[entity] = _cosine(mine, theirs) + _mean_cosine(here, vectors)
        return found

    def _shared(self, a: str, b: str) -> set[str]:
        return self._linked[a].keys() & self._linked[b].keys()

    def _company(self, documents: Sequence[str], without: set[str]) -> dict[str, float]:
        """Entities that some documents mention, weighed by rarity."""
        counts = Counter(entity for name in documents for entity in self._linked[name] if entity not in without)
        size = len(self._linked)
        known = self._resolver.entities
        return {e: (1 + math.log(n)) * math.log(size / known[e].documents) for e, n in counts.items()}


def hash_of(name: str) -> int:
    """A number that spreads names evenly and is the same on every machine."""
    value = 2166136261
    for byte in name.encode():
        value = (value ^ byte) * 16777619 & 0xFFFFFFFF
    return value


def is_weak(link: Link) -> bool:
    """Whether a link that the resolver made is to be looked at again."""
    return link.by == "local" and link.confidence < WEAK and link.runner_up is not None


def _cosine(a: dict[str, float], b: dict[str, float]) -> float:
    shared = sum(a[key] * b[key] for key in a.keys() & b.keys())
    size = math.sqrt(sum(x * x for x in a.values()) * sum(x * x for x in b.values()))
    return shared / size if size else 0.0


def _mean_cosine(here: NDArray[np.float32] | None, others: Iterable[NDArray[np.float32] | None]) -> float:
    found = [float(here @ other) for other in others if other is not None] if here is not None else []
    return sum(found) / len(found) if found else 0.0


def best_of(scores: dict[str, float]) -> tuple[str, float]:
    """The best candidate and how much better it is than the next; a lone one is compared with nothing at all."""
    ordered = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    second = ordered[1][1] if len(ordered) > 1 else 0.0
    return ordered[0][0], ordered[0][1] - second


def learned_margin(examples: Iterable[tuple[Case, dict[str, float]]]) -> Margin | None:
    """The least margin at which sure links are told right often enough; ``None`` if there is none, or too few links.

    :param examples: Each with the scores of its candidates.
    """
    tried: list[tuple[float, float, float]] = []  # margin, right, wrong
    count = 0
    for case, scores in examples:
        count += 1
        best, margin = best_of(scores)
        tried.append((margin, float(best == case.linked), float(best != case.linked)))
        others = {entity: score for entity, score in scores.items() if entity != case.linked}
        tried.append((best_of(others)[1], 0.0, _ABSENT))
    right = wrong = 0.0
    found: Margin | None = None
    for margin, equal in groupby(sorted(tried, reverse=True), key=lambda each: each[0]):
        for _, good, bad in equal:
            right, wrong = right + good, wrong + bad
        if right >= LEAST and _lower(right, right + wrong) >= PRECISION and margin > 0:
            found = Margin(margin, round(right / (right + wrong), 4), count)
    return found


def _lower(right: float, size: float) -> float:
    """The lower end of Wilson's 95 % interval of a share."""
    z = 1.96
    share = right / size
    middle = share + z * z / (2 * size)
    return (middle - z * math.sqrt(share * (1 - share) / size + z * z / (4 * size * size))) / (1 + z * z / size)
