"""Which entity a local entity is, once names are clustered: the choice made for one document."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from graphstore.corpusmap.clusters import shared_context
from graphstore.corpusmap.decisions import WORD, Decision, Unresolved, link
from graphstore.corpusmap.evidence import MARGIN, THRESHOLD, Evidence, is_partial, part_evidence, total
from graphstore.corpusmap.homonyms import Bearer
from graphstore.corpusmap.locals import Local
from graphstore.corpusmap.registry import Registry
from graphstore.corpusmap.types import PERSON

_MOST_CONTEXT = 0.25


@dataclass(frozen=True, slots=True)
class Outcome:
    """What is decided for a key as a whole.

    :param joined: Whether other names mean the same.
    :param kind: The type that a reader is shown for this name alone.
    """

    canonical: str
    confidence: float
    reason: str
    bearers: tuple[Bearer, ...]
    joined: bool
    kind: str


class Choice:
    """Chooses by the registry and by what is decided for names as a whole."""

    def __init__(
        self, registry: Registry, outcomes: Mapping[str, Outcome], entity: Callable[[str, Bearer | None], str]
    ) -> None:
        self._registry = registry
        self._outcomes = outcomes
        self._entity = entity

    def decide(self, document: str, local: Local) -> Decision:
        """LINK or UNRESOLVED; an ADD is told from a LINK when all documents are decided."""
        registry, outcome = self._registry, self._outcomes[local.key]
        kind = registry.kind(local.key)
        if is_partial(local.key, local.strong or kind) and not self._is_whole_name(local.key):
            return self._partial(document, local)
        if len(outcome.bearers) > 1:
            return self._bearer(document, local, outcome, kind)
        entity = self._entity(outcome.canonical, None)
        return link(local, entity, outcome.confidence, outcome.reason, None)

    def _is_whole_name(self, key: str) -> bool:
        return self._registry.names_a_document(key) or self._outcomes[key].joined

    def _partial(self, document: str, local: Local) -> Decision:
        """A first name or surname that its document does not complete: only the one candidate that fits."""
        surname, longer = self._candidates(document, local.key)
        name, spans = local.names[0], local.spans
        if not longer:
            return self._lone(document, local)
        if not surname:
            return Unresolved(name, PERSON, spans, f"first name only: {longer} candidates, none sure")
        (score, key), runner = surname[0], surname[1] if len(surname) > 1 else None
        if score < THRESHOLD or (runner and score - runner[0] < MARGIN):
            return Unresolved(name, PERSON, spans, f"surname only: {longer} candidates, none sure")
        second = self._entity(runner[1], None) if runner else None
        return link(local, self._entity(key, None), score, "surname and context", second)

    def _candidates(self, document: str, word: str) -> tuple[list[tuple[float, str]], int]:
        """People whose surname this is, best first, and how many longer names hold the word at all.

        A first name can never be enough, whatever the context, so its bearers are only counted.
        """
        registry = self._registry
        best: dict[str, float] = {}
        longer: set[str] = set()
        for key in registry.part_keys.at(word):
            outcome = self._outcomes.get(key)
            evidence = part_evidence(word, key, PERSON)
            if outcome is None or evidence is None or registry.kind(key) != PERSON:
                continue
            longer.add(outcome.canonical)
            if evidence.score + _MOST_CONTEXT >= THRESHOLD and len(outcome.bearers) < 2:
                best[outcome.canonical] = max(best.get(outcome.canonical, 0.0), self._fit(document, key, evidence))
        return sorted(((score, key) for key, score in best.items()), key=lambda item: (-item[0], item[1])), len(longer)

    def _lone(self, document: str, local: Local) -> Decision:
        """A single name that is nowhere part of a longer one: one person as far as its documents share other names."""
        registry = self._registry
        others = registry.key_docs.at(local.key) - {document}
        mine = registry.entries[document].context
        if not others or any(mine & registry.entries[other].context for other in others):
            return link(local, self._entity(local.key, None), WORD, "equal single name and context", None)
        return Unresolved(local.names[0], PERSON, local.spans, "a first name or surname alone")

    def _fit(self, document: str, key: str, evidence: Evidence) -> float:
        others = self._registry.key_docs.at(key) - {document}
        return total(evidence, shared_context(self._registry, [document], others, frozenset({key}))) if others else 0.0

    def _bearer(self, document: str, local: Local, outcome: Outcome, kind: str) -> Decision:
        """One of several bearers of the name: by what the document says, else by clearly better context."""
        key = local.key
        for bearer in outcome.bearers:
            if bearer.qualifiers & local.qualifiers:
                return link(local, self._entity(key, bearer), outcome.confidence, "name and " + bearer.label, None)
        scores = sorted(
            ((self._bearer_fit(document, key, bearer), bearer) for bearer in outcome.bearers),
            key=lambda item: (-item[0], item[1].label),
        )
        (best, bearer), (second, other) = scores[0], scores[1]
        if best - second < MARGIN:
            return Unresolved(local.names[0], kind, local.spans, f"{len(scores)} bearers of the name, none sure")
        confidence = round(min(1.0, THRESHOLD + (best - second) / 2), 4)
        return link(local, self._entity(key, bearer), confidence, "name and context", self._entity(key, other))

    def _bearer_fit(self, document: str, key: str, bearer: Bearer) -> float:
        registry = self._registry
        of_bearer = [
            other
            for other in registry.qualified_docs.at(key)
            if other != document
            and any(local.key == key and local.qualifiers & bearer.qualifiers for local in registry.locals[other])
        ]
        return shared_context(registry, [document], of_bearer, frozenset({key})) if of_bearer else 0.0
