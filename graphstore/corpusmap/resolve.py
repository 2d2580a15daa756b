"""LINK, ADD or UNRESOLVED for every local entity: a function of all that is stored, kept up to date in steps.

What is stored are documents, records of registries and decisions of people. A step re-decides the names that share
evidence with what changed, and no others; the result equals the one of a registry that took in all at once, in any
order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from graphstore.corpusmap.anchors import Anchors
from graphstore.corpusmap.choice import Choice, Outcome
from graphstore.corpusmap.decisions import (
    Changes,
    Decision,
    Entity,
    Link,
    canonical_key,
    certainty,
    merged,
    with_decision,
)
from graphstore.corpusmap.described import Described
from graphstore.corpusmap.directory import Known
from graphstore.corpusmap.evidence import parts
from graphstore.corpusmap.extraction import Extraction
from graphstore.corpusmap.grouping import Grouping
from graphstore.corpusmap.homonyms import Bearer, bearers
from graphstore.corpusmap.index import Index
from graphstore.corpusmap.locals import Local
from graphstore.corpusmap.registry import Registry
from graphstore.corpusmap.ruled import Ruled
from graphstore.corpusmap.rulings import Ruling, name_entity
from graphstore.corpusmap.types import CODE, EMAIL


class Resolver:
    """The registry with its decisions."""

    def __init__(self, digest_of: Callable[[str], str | None] | None = None) -> None:
        """An empty one.

        :param digest_of: Hash of a document; without it, what a refinement found holds whatever the text has become.
        """
        self.registry = Registry()
        self.decisions: dict[str, tuple[Decision, ...]] = {}
        self.entities: dict[str, Entity] = {}
        self.ruled = Ruled(digest_of)
        self._grouping = Grouping(self.registry)
        self._outcome: dict[str, Outcome] = {}
        self._members = Index()
        self._choice = Choice(self.registry, self._outcome, self._entity, self.ruled.united)
        self._entity_key: dict[str, tuple[str, Bearer | None]] = {}
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
            old = self._outcome.pop(key, None)
            if key in registry.key_docs:
                new = self._outcome[key] = self._outcome_of(key)
                if old == new and key not in touched:
                    continue
                if old != new or self._choice.looks_around(key, new):
                    stale |= registry.key_docs.at(key)
            elif old is None and key not in touched:
                continue
            moved.add(key)
            # Surnames and first names that may mean this person are looked at again.
            stale.update(*(registry.key_docs.at(part) for part in parts(key)))
        return stale, moved

    def _outcome_of(self, key: str) -> Outcome:
        registry, alone = self.registry, self.ruled.rulings.split_keys
        cluster = self._grouping.cluster[key]
        here = tuple(bearers(self._qualifiers(key)))
        by_itself = key in alone or len(here) > 1 or self._has_homonyms(cluster)
        named = frozenset(other for other in cluster if other in registry.key_docs and other not in alone)
        canonical = key if by_itself else canonical_key(named)
        kind = registry.shown_kind(key)
        voted, titles = registry.kind(key), registry.names_a_document(key)
        score, reason, joined = certainty(key, voted), "equal name", len(cluster) > 1
        records = self._records_of(key, cluster) - alone.get(key, frozenset())
        if records and self._is_theirs(key, records):
            reason = "equal name in the registry"
        elif key != canonical or records:
            score, reason = max(edge for other, edge in self._grouping.edges[key].items() if other in cluster)
        return Outcome(canonical, score, reason, here, joined, kind, voted, titles, tuple(sorted(records)))

    def _records_of(self, key: str, cluster: frozenset[str]) -> frozenset[str]:
        """Records that have the name, or else one of the names that mean the same."""
        directory = self.registry.directory
        if not directory.records:
            return frozenset()
        own = directory.claims(key, identifier=self.registry.kind(key) in (CODE, EMAIL)) or directory.claims(key)
        if own or key in self.ruled.rulings.split_keys:
            return own
        return frozenset().union(*(directory.claims(other) for other in cluster))

    def _is_theirs(self, key: str, records: Iterable[str]) -> bool:
        known = self.registry.directory.records
        return any(key in known[record].keys or key in known[record].identifiers for record in records)

    def _has_homonyms(self, cluster: frozenset[str]) -> bool:
        return any(len(bearers(self._qualifiers(key))) > 1 for key in cluster)

    def _qualifiers(self, key: str) -> Iterable[frozenset[str]]:
        registry = self.registry
        return [
            local.qualifiers
            for document in registry.qualified_docs.at(key)
            for local in registry.locals.get(document, ())
            if local.key == key and local.qualifiers
        ]

    # -- documents -----------------------------------------------------------------------------------------------

    def _decide(self, document: str, changes: Changes) -> None:
        old = self.decisions.pop(document, ())
        found = [self._decided(document, local) for local in self.registry.locals.get(document, ())]
        before = {decision.entity: decision.decision for decision in old if isinstance(decision, Link)}
        new = tuple(with_decision(d, before.get(d.entity, "LINK")) if isinstance(d, Link) else d for d in merged(found))
        if document in self.registry.entries:
            self.decisions[document] = new
        if old == new:
            return
        changes.documents[document] = old
        for decision in old:
            if isinstance(decision, Link):
                self._members.discard(decision.entity, document)
                changes.removed.add(decision.entity)
        for decision in new:
            if isinstance(decision, Link):
                self._members.add(decision.entity, document)
                changes.removed.add(decision.entity)

    def _decided(self, document: str, local: Local) -> Decision:
        return self.ruled.applied(document, local, self._choice.decide(document, local), self.registry.kind(local.key))

    # -- entities ------------------------------------------------------------------------------------------------

    def _entity(self, canonical: str, bearer: Bearer | None) -> str:
        """The entity of a name, after merges."""
        return self.ruled.united(self._base(canonical, bearer))

    def _base(self, canonical: str, bearer: Bearer | None) -> str:
        entity = name_entity(canonical, bearer.label if bearer else None)
        self._entity_key[entity] = (canonical, bearer)
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
            if key in self._outcome and len(self._outcome[key].bearers) < 2:
                touched.add(self._entity(self._outcome[key].canonical, None))
        self._settle_decisions(touched, changes)
        for entity in sorted(touched):
            members = self._members.at(entity)
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
        for entity in entities:
            members, before = self._members.at(entity), self.entities.get(entity)
            flips = before is None or (before.documents > 1) != (len(members) > 1)
            for document in members if flips else members & changes.documents.keys():
                wanted.setdefault(document, {})[entity] = "ADD" if len(members) == 1 else "LINK"
        for document, decisions in wanted.items():
            fixed = tuple(
                with_decision(d, decisions.get(d.entity, d.decision)) if isinstance(d, Link) else d
                for d in self.decisions[document]
            )
            if fixed != self.decisions[document]:
                changes.documents.setdefault(document, self.decisions[document])
                self.decisions[document] = fixed
