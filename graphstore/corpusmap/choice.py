"""Which entity a local entity is, once names are clustered: the choice made for one document."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from graphstore.corpusmap.context import SIDE, likest, shared_context
from graphstore.corpusmap.decisions import WORD, Decision, Unresolved, link
from graphstore.corpusmap.evidence import (
    MARGIN,
    THRESHOLD,
    Evidence,
    is_partial,
    part_evidence,
    parts,
    total,
)
from graphstore.corpusmap.extraction import INITIAL
from graphstore.corpusmap.fits import Fit, both, only, usual
from graphstore.corpusmap.homonyms import Bearer
from graphstore.corpusmap.keys import is_word
from graphstore.corpusmap.locals import Local
from graphstore.corpusmap.projects import is_of_project
from graphstore.corpusmap.recorded import RecordChoice
from graphstore.corpusmap.registry import Registry
from graphstore.corpusmap.types import PERSON, PLACE

_MOST_CONTEXT = 0.25

_MANY = 10
"""Candidates that are not counted further: else each new Anna would have all that any Anna is in written again."""

_MARKED = Evidence(0.6, "the name in a title that says which of several it is")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What is decided for a key as a whole.

    :param joined: Whether other names mean the same.
    :param kind: The type that a reader is shown for this name alone.
    :param voted: The type that documents vote for, by which it is decided.
    :param titles: Whether it is a document's title.
    :param records: Records of registries that have the name, or a name that means the same.
    :param surname: Whether it may be someone's surname, though the model takes it for another thing's name.
    :param project: Key of the project whose name it is, where what surrounds it says so.
    :param around: Digest of the documents by which each one that has the project's name alone is decided.
    """

    canonical: str
    confidence: float
    reason: str
    bearers: tuple[Bearer, ...]
    joined: bool
    kind: str
    voted: str
    titles: bool
    records: tuple[str, ...] = ()
    surname: bool = False
    project: str | None = None
    around: str = ""

    @property
    def marked(self) -> bool:
        """Whether the one document whose title it is says in brackets which of several it is: "Mercury (planet)"."""
        told = [each for bearer in self.bearers for each in bearer.qualifiers]
        return self.titles and bool(told) and all(each.startswith("title:") and each != "title:" for each in told)


class Choice:
    """Chooses by the registry and by what is decided for names as a whole."""

    def __init__(
        self,
        registry: Registry,
        outcomes: Mapping[str, Outcome],
        entity: Callable[[str, Bearer | None], str],
        record: Callable[[str], str],
    ) -> None:
        """Choices of a resolver.

        :param entity: The entity of a canonical name, after merges.
        :param record: The entity of a record, after merges.
        """
        self._registry = registry
        self._outcomes = outcomes
        self._entity = entity
        self._record = record
        self._records = RecordChoice(registry, record)
        self._called: dict[str, tuple[dict[str, str | None], list[tuple[str, str, Evidence]]]] = {}
        self._many: set[str] = set()

    def looks_around(self, key: str, outcome: Outcome) -> bool:
        """Whether what a document's name means depends on which other documents have the name, too.

        Else it follows from the document and the outcome: a common name does not have all its documents decided again
        whenever one more has it.
        """
        person = outcome.voted == PERSON or (key in self._registry.certain and self._registry.certain[key][PERSON] > 0)
        partial = person and is_partial(key, PERSON) and not (outcome.titles or outcome.joined)
        if outcome.surname or partial or outcome.marked:
            return True
        return len(outcome.bearers) > 1 or bool(outcome.records)

    def begin(self) -> None:
        """Take what is decided for names as a whole as it is now, until the next step."""
        self._called.clear()

    def short_forms(self, key: str, old: Outcome | None, new: Outcome | None) -> list[str]:
        """Words whose documents may be decided otherwise now that something is new of a name.

        If only its documents are, which weigh for surnames: a first name is never linked by context. If the name is, no
        documents of a word by which many are called in any case.
        """
        known = self._registry.directory.records
        if not known and PERSON not in (old and old.voted, new and new.voted):
            return []
        graded = {word: evidence for word in parts(key) if (evidence := part_evidence(word, key, PERSON))}
        weighed = [word for word, evidence in graded.items() if evidence.score + _MOST_CONTEXT >= THRESHOLD]
        if old and old == new:
            return weighed
        if old is None and new and not known:
            return [word for word in graded if word in weighed or word not in self._many]
        self._many.difference_update(graded)
        return list(graded)

    def decide(self, document: str, local: Local) -> Decision:
        """LINK or UNRESOLVED; an ADD is told from a LINK when all documents are decided."""
        outcome = self._outcomes[local.key]
        kind = outcome.voted
        if by_address := self._records.by_address(local):
            return by_address
        if is_partial(local.key, local.strong or kind) and not self._is_whole_name(local.key):
            return self._partial(document, local)
        if outcome.surname and (found := self._surname(document, local)):
            return found
        if outcome.records:
            by_name = (outcome.records, outcome.bearers, outcome.confidence, outcome.reason)
            if found := self._records.by_name(document, local, *by_name):
                return found
        if len(outcome.bearers) > 1:
            return self._bearer(document, local, outcome, kind)
        if outcome.marked and not local.qualifiers and not self._is_of_title(document, local.key):
            why = "a title that tells what it is from others of its name, and nothing else that says so"
            return Unresolved(local.names[0], kind, local.spans, why)
        if outcome.project and not is_of_project(self._registry, document, local.key, outcome.project):
            why = "the name of a project, and nothing else that says so"
            return Unresolved(local.names[0], kind, local.spans, why)
        entity = self._entity(outcome.canonical, None)
        return link(local, entity, outcome.confidence, outcome.reason, None)

    def _is_of_title(self, document: str, key: str) -> bool:
        """Whether a name means the document whose title it is, though that says in brackets which of several it is.

        It does where documents use the name as a matter of course, or are about the same as that one. A word that is a
        person's or a place's name is many's; a person's full name is hardly anybody else's in one collection.
        """
        registry = self._registry
        kind = registry.kind(key)
        if kind == PERSON and not is_word(key):
            return True
        known = registry.active(key, INITIAL) and not (is_word(key) and kind in (PERSON, PLACE))
        context = shared_context(registry, [document], registry.title_docs.at(key), frozenset({key}))
        return known or total(_MARKED, context) >= THRESHOLD

    def _is_whole_name(self, key: str) -> bool:
        return self._outcomes[key].titles or self._outcomes[key].joined

    def _partial(self, document: str, local: Local) -> Decision:
        """A first name or surname that its document does not complete: only the one candidate that fits."""
        people, surname = self._candidates(document, local.key)
        name, spans = local.names[0], local.spans
        if not people:
            return self._lone(document, local)
        if found := self._best(local, surname):
            return found
        if usual(surname)[0] is None:
            named = self._outcomes[local.key].records
            if found := self._records.by_part(document, local, people, named):
                return found
        what = "surname" if surname else "first name"
        count = f"{len(people)}" if len(people) < _MANY else f"{_MANY} or more"
        return Unresolved(name, PERSON, spans, f"{what} only: {count} candidates, none sure")

    def _surname(self, document: str, local: Local) -> Decision | None:
        """Someone whose surname a word may be that the model takes for no person's name, if one fits."""
        return self._best(local, self._candidates(document, local.key)[1])

    def _best(self, local: Local, fits: Mapping[str, Fit]) -> Decision | None:
        best, rivals = usual(fits)
        if best is None or any(fits[best].score - fits[rival].score < MARGIN for rival in rivals):
            return None
        return link(local, best, fits[best].score, "surname and context", rivals[0] if rivals else None)

    def _candidates(self, document: str, word: str) -> tuple[dict[str, str | None], dict[str, Fit]]:
        """People whose name holds the word, each with its record; and those whose surname it is, with their fit.

        A first name can never be enough, whatever the context, so its bearers have no fit.
        """
        people, surnames = self._bearers(word)
        fit: dict[str, Fit] = {}
        for entity, key, evidence in surnames:
            fit[entity] = both(fit.get(entity), self._fit(document, key, evidence))
        if len(people) == len(fit) == 1:
            fit = {entity: only(found) for entity, found in fit.items()}
        return people, fit

    def _bearers(self, word: str) -> tuple[dict[str, str | None], list[tuple[str, str, Evidence]]]:
        """People whose name holds the word, each with its record; those whose surname it is, by which name."""
        if (called := self._called.get(word)) is not None:
            return called
        registry = self._registry
        people: dict[str, str | None] = {}
        surnames: list[tuple[str, str, Evidence]] = []
        for key in registry.part_keys.at(word):
            evidence = part_evidence(word, key, PERSON)
            if evidence is None or registry.kind(key) != PERSON:
                continue
            outcome = self._outcomes.get(key)
            records = outcome.records if outcome else tuple(sorted(registry.directory.claims(key)))
            people.update((self._record(record), record) for record in records)
            if outcome is None or len(outcome.bearers) > 1 or len(records) > 1:
                if not records:
                    people[key] = None
                continue
            entity = self._record(records[0]) if records else self._entity(outcome.canonical, None)
            people.setdefault(entity, None)
            if evidence.score + _MOST_CONTEXT >= THRESHOLD:
                surnames.append((entity, key, evidence))
        (self._many.add if len(people) >= _MANY else self._many.discard)(word)
        found = self._called[word] = people, surnames
        return found

    def _lone(self, document: str, local: Local) -> Decision:
        """A single name that is nowhere part of a longer one: one person as far as its documents share other names."""
        registry = self._registry
        others = registry.key_docs.at(local.key) - {document}
        mine = registry.entries[document].context
        if not others or any(mine & registry.entries[other].context for other in others):
            return link(local, self._entity(local.key, None), WORD, "equal single name and context", None)
        return Unresolved(local.names[0], PERSON, local.spans, "a first name or surname alone")

    def _fit(self, document: str, key: str, evidence: Evidence) -> Fit:
        documents = self._registry.key_docs
        others = [other for other in documents.first(key, SIDE + 1) if other != document]
        if not others:
            return Fit(0.0, 0.0, 0)
        context, cosine = likest(self._registry, [document], others, frozenset({key}))
        return Fit(total(evidence, context), cosine, documents.count(key) - documents.has(key, document))

    def _bearer(self, document: str, local: Local, outcome: Outcome, kind: str) -> Decision:
        """One of several bearers of the name: by what the document says, else by clearly better context."""
        key = local.key
        for bearer in outcome.bearers:
            if bearer.qualifiers & local.qualifiers:
                return link(local, self._entity(key, bearer), outcome.confidence, "name and " + bearer.label, None)
        fits: dict[str, float] = {}
        titles: set[str] = set()
        for bearer in outcome.bearers:
            entity = self._entity(key, bearer)  # two that people found to be one are one
            fits[entity] = max(fits.get(entity, 0.0), self._bearer_fit(document, key, bearer))
            if all(each.startswith("title:") for each in bearer.qualifiers):
                titles.add(entity)  # what one document alone is about; another that is like it need not mean that
        if len(fits) == 1:
            return link(local, next(iter(fits)), outcome.confidence, outcome.reason, None)
        (best, entity), (second, other) = sorted(
            ((fit, entity) for entity, fit in fits.items()), key=lambda item: (-item[0], item[1])
        )[:2]
        if best - second < MARGIN or entity in titles:
            return Unresolved(local.names[0], kind, local.spans, f"{len(fits)} bearers of the name, none sure")
        confidence = round(min(1.0, THRESHOLD + (best - second) / 2), 4)
        return link(local, entity, confidence, "name and context", other)

    def _bearer_fit(self, document: str, key: str, bearer: Bearer) -> float:
        registry = self._registry
        of_bearer = [
            other
            for other in registry.qualified_docs.at(key)
            if other != document
            and any(local.key == key and local.qualifiers & bearer.qualifiers for local in registry.locals[other])
        ]
        return shared_context(registry, [document], of_bearer, frozenset({key})) if of_bearer else 0.0
