"""LINK, ADD or UNRESOLVED for every local entity: a function of all that is stored, kept up to date in steps.

What is stored are documents, records of registries and decisions of people. A step re-decides the names that share
evidence with what changed, and no others; the result equals the one of a registry that took in all at once, in any
order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from graphstore.corpusmap.anchors import Anchors
from graphstore.corpusmap.choice import Choice, Outcome
from graphstore.corpusmap.decisions import (
    Changes,
    Decision,
    Entity,
    Link,
    merged,
    with_decision,
)
from graphstore.corpusmap.described import Described
from graphstore.corpusmap.directory import Known
from graphstore.corpusmap.evidence import parts
from graphstore.corpusmap.extraction import Extraction
from graphstore.corpusmap.grouping import Grouping
from graphstore.corpusmap.homonyms import Bearer
from graphstore.corpusmap.index import Index
from graphstore.corpusmap.locals import Local
from graphstore.corpusmap.outcomes import Outcomes
from graphstore.corpusmap.packing_decided import (
    pack_decisions,
    pack_entity,
    pack_named,
    pack_outcome,
    unpack_decisions,
    unpack_entity,
    unpack_named,
    unpack_outcome,
)
from graphstore.corpusmap.persons import surname
from graphstore.corpusmap.registry import Registry
from graphstore.corpusmap.ruled import Ruled
from graphstore.corpusmap.rulings import Ruling, name_entity
from graphstore.corpusmap.shelf import Shelf
from graphstore.corpusmap.table import Table

_DECISIONS = 8_192
"""Decisions of a generation in memory."""


class Resolver:
    """The registry with its decisions."""

    def __init__(self, digest_of: Callable[[str], str | None] | None = None, *, shelf: Shelf | None = None) -> None:
        """An empty one.

        :param digest_of: Hash of a document; without it, what a refinement found holds whatever the text has become.
        :param shelf: An empty one, where it puts away what it does not work on.
        """
        self.shelf = shelf = shelf or Shelf()
        self.registry = Registry(shelf)
        self.decisions: Table[tuple[Decision, ...]] = Table(
            shelf, "decisions", pack_decisions, unpack_decisions, most=_DECISIONS, weight=len
        )
        self.entities: Table[Entity] = Table(shelf, "entities", pack_entity, unpack_entity)
        self.ruled = Ruled(digest_of)
        self._grouping = Grouping(self.registry, shelf)
        self._outcome: Table[Outcome] = Table(shelf, "outcomes", pack_outcome, unpack_outcome)
        self._whole = Outcomes(self.registry, self._grouping, self.ruled.rulings)
        self._members = Index(shelf, "members")
        self._choice = Choice(self.registry, self._outcome, self._entity, self.ruled.united)
        self._entity_key: Table[tuple[str, Bearer | None]] = Table(shelf, "entity_key", pack_named, unpack_named)
        self._anchors = Anchors(self.registry, self._outcome, self._entity_key, self.ruled.rulings, self._base)
        self._records: set[str] = set()
        self._described = Described(self.registry, self._grouping.cluster, self._outcome, self._entity_key, self.ruled)

    # -- what is stored ------------------------------------------------------------------------------------------

    def put(self, document: str, title: str, folder: str, extraction: Extraction) -> None:
        """Take in a document, new or changed; decided by the next :meth:`settle`."""
        self.registry.put(document, title, folder, extraction)

    def drop(self, document: str) -> None:
        """Forget a document; what it supported is re-decided by the next :meth:`settle`."""
        self.registry.drop(document)

    def put_record(self, record: Known) -> None:
        """Take in a record of a registry, new or changed."""
        self._records.add(record.id)
        self.registry.put_record(record)

    def drop_record(self, record: str) -> None:
        """Forget a record."""
        self._records.add(record)
        self.registry.drop_record(record)

    def put_ruling(self, ruling: Ruling) -> None:
        """Take in a decision of a person, or of a refinement."""
        self.ruled.rulings.put(ruling)

    def drop_ruling(self, number: int) -> None:
        """Take a decision back."""
        self.ruled.rulings.drop(number)

    # -- as a whole ----------------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """What it holds beside its shelf, for :meth:`restore`; between steps only."""
        registry = self.registry
        return {"directory": registry.directory, "twos": registry.twos, "rulings": vars(self.ruled.rulings)}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Become what another resolver was; this one is empty, but its shelf has been taken over."""
        self.registry.directory, self.registry.twos = state["directory"], state["twos"]
        vars(self.ruled.rulings).update(state["rulings"])

    # -- steps ---------------------------------------------------------------------------------------------------

    def settle(self) -> Changes:
        """Decide everything that changed since the last call."""
        rulings, changes = self.ruled.rulings, Changes()
        touched = self.registry.settle() | rulings.told_apart(self._anchors.keys)
        self.registry.apart = rulings.apart
        keys = self._grouping.recluster(self._grouping.affected(touched))
        stale, moved = self._outcomes(keys, touched)
        stale |= self._ruled_anew(changes) | self.registry.regrouped
        self.registry.regrouped.clear()
        self._choice.begin()
        for document in sorted(stale):
            self._decide(document, changes)
        self._refresh_entities(moved, changes)
        return changes

    def _ruled_anew(self, changes: Changes) -> set[str]:
        """Documents for which the decisions of people come to something else than before."""
        rulings, registry = self.ruled.rulings, self.registry
        dormant = rulings.dormant
        members = {entity: set(self._members.at(entity)) for entity in rulings.reshaped}
        before = dict(rulings.united)
        entities, documents = rulings.unite(
            self._anchors.entity, lambda entity: entity in registry.directory.records, self.ruled.digest_of
        )
        changes.dormant.update((n, now) for n, now in rulings.dormant.items() if dormant.get(n, False) != now)
        stale = documents & registry.entries.keys()
        for entity in entities:
            stale |= self._members.at(entity) | members.get(before.get(entity, entity), set())
            for key in self._names_of(entity):
                stale |= registry.key_docs.at(key)
                stale.update(*(registry.key_docs.at(part) for part in parts(key)))
        return stale

    def _names_of(self, entity: str) -> Iterable[str]:
        record = self.registry.directory.records.get(entity)
        canonical, _ = self._entity_key.get(entity, ("", None))
        return (*(record.keys if record else ()), *self._grouping.cluster.get(canonical, ()))

    # -- outcomes ------------------------------------------------------------------------------------------------

    def _outcomes(self, keys: set[str], touched: set[str]) -> tuple[set[str], set[str]]:
        """Decide each key as a whole.

        :returns: Documents whose decisions may differ now, and keys whose entity may.
        """
        registry = self.registry
        stale: set[str] = set()
        moved: set[str] = set()
        for key in touched:
            stale |= registry.mail_docs.at(key)
        for key in keys:
            old = self._outcome.get(key)
            new = self._whole.of(key) if key in registry.key_docs else None
            if old == new and key not in touched:
                continue
            if new is None:
                self._outcome.pop(key, None)
            else:
                self._outcome.put(key, new)
                if old != new or self._choice.looks_around(key, new):
                    stale |= registry.key_docs.at(key)
            moved.add(key)
            # Surnames and first names that may mean this person are looked at again.
            forms = self._choice.short_forms(key, old, new)
            stale.update(*(registry.key_docs.at(form) for form in forms))
        return stale | self._surnames(moved, keys), moved

    def _surnames(self, moved: set[str], decided: set[str]) -> set[str]:
        """Documents of words that became, or ceased to be, someone's surname when something was new of full names."""
        stale: set[str] = set()
        for word in {surname(key.split(" ")) for key in moved} - decided:
            outcome = self._outcome.get(word)
            if outcome and outcome.surname != self._whole.is_surname(word, outcome):
                self._outcome[word] = replace(outcome, surname=not outcome.surname)
                stale |= self.registry.key_docs.at(word)
        return stale

    # -- documents -----------------------------------------------------------------------------------------------

    def _decide(self, document: str, changes: Changes) -> None:
        old = self.decisions.get(document, ())
        found = [self._decided(document, local) for local in self.registry.locals.get(document, ())]
        before = {decision.entity: decision.decision for decision in old if isinstance(decision, Link)}
        new = tuple(with_decision(d, before.get(d.entity, "LINK")) if isinstance(d, Link) else d for d in merged(found))
        if document in self.registry.entries:
            self.decisions.put(document, new)
        else:
            self.decisions.pop(document, None)
        if old == new:
            return
        changes.documents[document] = old
        linked = {decision.entity for decision in new if isinstance(decision, Link)}
        for entity in before.keys() - linked:
            self._members.discard(entity, document, sure=True)
        for entity in linked - before.keys():
            self._members.add(entity, document, sure=True)
        changes.removed |= before.keys() | linked

    def _decided(self, document: str, local: Local) -> Decision:
        return self.ruled.applied(document, local, self._choice.decide(document, local), self.registry.kind(local.key))

    # -- entities ------------------------------------------------------------------------------------------------

    def _entity(self, canonical: str, bearer: Bearer | None) -> str:
        """The entity of a name, after merges."""
        return self.ruled.united(self._base(canonical, bearer))

    def _base(self, canonical: str, bearer: Bearer | None) -> str:
        entity = name_entity(canonical, bearer.label if bearer else None)
        self._entity_key.put(entity, (canonical, bearer))
        return entity

    def anchor_of(self, entity: str) -> str:
        """What a decision of a person names an entity by, so that it outlives the entity.

        :raises KeyError: No such entity.
        """
        return self._anchors.of(entity)

    def members(self, entity: str) -> frozenset[str]:
        """Documents that mention an entity."""
        return frozenset(self._members.at(entity))

    def _refresh_entities(self, keys: set[str], changes: Changes) -> None:
        """Turn the ids that were touched into entities that are new, changed or gone; settle ADD against LINK."""
        rulings = self.ruled.rulings
        touched, changes.removed = changes.removed, set()
        touched |= {self.ruled.united(record) for record in self._records}
        self._records.clear()
        for key in keys:
            if outcome := self._outcome.get(key):
                several = outcome.bearers if len(outcome.bearers) > 1 else ()
                touched.update(self._entity(key, bearer) for bearer in several)
                if not several:
                    touched.add(self._entity(outcome.canonical, None))
        self._settle_decisions(touched, changes)
        for entity in sorted(touched):
            members = self._members.values_of(entity)
            if not members:
                if not rulings.shapes(entity):
                    self._entity_key.pop(entity, None)
                if self.entities.pop(entity, None):
                    changes.removed.add(entity)
                continue
            new = self._described.of(entity, members, self.decisions)
            if self.entities.get(entity) != new:
                self.entities[entity] = changes.entities[entity] = new

    def _settle_decisions(self, entities: set[str], changes: Changes) -> None:
        """ADD while one document only mentions an entity, else LINK."""
        wanted: dict[str, dict[str, str]] = {}
        steady: dict[str, str] = {}
        for entity in entities:
            count, before = self._members.count(entity), self.entities.get(entity)
            made = "ADD" if count == 1 else "LINK"
            if before is not None and (before.documents > 1) == (count > 1):
                steady[entity] = made
                continue
            for document in self._members.at(entity):
                wanted.setdefault(document, {})[entity] = made
        # Of what was an ADD or a LINK and stays so, only new links may be told wrong.
        for document in changes.documents:
            for each in self.decisions.get(document, ()):
                if isinstance(each, Link) and each.entity in steady:
                    wanted.setdefault(document, {})[each.entity] = steady[each.entity]
        for document, told in wanted.items():
            fixed = tuple(
                with_decision(d, told.get(d.entity, d.decision)) if isinstance(d, Link) else d
                for d in self.decisions[document]
            )
            if fixed != self.decisions[document]:
                changes.documents.setdefault(document, self.decisions[document])
                self.decisions[document] = fixed
