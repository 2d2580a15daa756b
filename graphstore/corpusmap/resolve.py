"""LINK, ADD or UNRESOLVED for every local entity: a function of the set of documents, kept up to date in steps.

A step re-decides the names that share evidence with what changed, and no others; the result equals the one of a
registry that took in all documents at once, in any order.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable

from graphstore.corpusmap.choice import Choice, Outcome
from graphstore.corpusmap.clusters import Edge, edges_of, join
from graphstore.corpusmap.decisions import (
    Changes,
    Decision,
    Entity,
    Link,
    canonical_key,
    certainty,
    display_name,
    merged,
    with_decision,
)
from graphstore.corpusmap.evidence import (
    blocks,
    parts,
)
from graphstore.corpusmap.extraction import Extraction
from graphstore.corpusmap.homonyms import Bearer, bearers
from graphstore.corpusmap.keys import is_word
from graphstore.corpusmap.registry import Index, Registry


class Resolver:
    """The registry with its decisions."""

    def __init__(self) -> None:
        self.registry = Registry()
        self.decisions: dict[str, tuple[Decision, ...]] = {}
        self.entities: dict[str, Entity] = {}
        self._edges: dict[str, dict[str, Edge]] = {}
        self._cluster: dict[str, frozenset[str]] = {}
        self._outcome: dict[str, Outcome] = {}
        self._members = Index()
        self._choice = Choice(self.registry, self._outcome, self._entity)
        self._entity_key: dict[str, tuple[str, Bearer | None]] = {}

    def put(self, document: str, title: str, folder: str, extraction: Extraction) -> None:
        """Take in a document, new or changed; decided by the next :meth:`settle`."""
        self.registry.put(document, title, folder, extraction)

    def drop(self, document: str) -> None:
        """Forget a document; what it supported is re-decided by the next :meth:`settle`."""
        self.registry.drop(document)

    def settle(self) -> Changes:
        """Decide everything that changed since the last call."""
        touched = self.registry.settle()
        keys = self._recluster(self._affected(touched))
        stale, moved = self._outcomes(keys, touched)
        changes = Changes()
        stale |= self.registry.regrouped
        self.registry.regrouped.clear()
        for document in sorted(stale):
            self._decide(document, changes)
        self._refresh_entities(moved, changes)
        return changes

    # -- clusters ------------------------------------------------------------------------------------------------

    def _affected(self, touched: set[str]) -> set[str]:
        """Touched keys and those whose evidence they take part in, as rivals too."""
        registry = self.registry
        near = set(touched)
        for key in touched:
            near |= registry.alias_of.at(key)
            for block in blocks(key):
                near |= registry.block_keys.at(block)
            near.update(part for part in parts(key) if part in registry.key_docs)
            if is_word(key):
                near |= registry.part_keys.at(key)
        return near

    def _recluster(self, affected: set[str]) -> set[str]:
        """Weigh the evidence of the affected names anew and join what it connects.

        :returns: Every name whose cluster may differ.
        """
        for key in affected:
            for other in self._edges.pop(key, {}):
                self._edges.get(other, {}).pop(key, None)
        for key in affected:
            for other, edge in edges_of(self.registry, key).items():
                self._edges.setdefault(key, {})[other] = edge
                self._edges.setdefault(other, {})[key] = edge
        near = self._reachable(affected)
        for key in near:
            self._cluster.pop(key, None)
        for cluster in join(self.registry, near, self._edges):
            if len(cluster) > 1 or next(iter(cluster)) in self.registry.key_docs:
                self._cluster.update(dict.fromkeys(cluster, cluster))
        return near

    def _reachable(self, keys: set[str]) -> set[str]:
        # Along evidence as it is now, and along clusters as they were: both sides of a link that broke.
        near, queue = set(keys), list(keys)
        while queue:
            key = queue.pop()
            reach = self._edges.get(key, {}).keys() | self._cluster.get(key, frozenset())
            queue.extend(reach - near)
            near |= reach
        return near

    # -- outcomes ------------------------------------------------------------------------------------------------

    def _outcomes(self, keys: set[str], touched: set[str]) -> tuple[set[str], set[str]]:
        """Decide each key as a whole.

        :returns: Documents whose decisions may differ now, and keys whose entity may.
        """
        registry = self.registry
        stale: set[str] = set()
        moved: set[str] = set()
        for key in keys:
            old = self._outcome.pop(key, None)
            if key in registry.key_docs:
                new = self._outcome[key] = self._outcome_of(key)
                if old == new and key not in touched:
                    continue
                stale |= registry.key_docs.at(key)
            moved.add(key)
            # Surnames and first names that may mean this person are looked at again.
            stale.update(*(registry.key_docs.at(part) for part in parts(key)))
        return stale, moved

    def _outcome_of(self, key: str) -> Outcome:
        registry = self.registry
        cluster = self._cluster[key]
        here = tuple(bearers(self._qualifiers(key)))
        joined = len(cluster) > 1
        canonical = key if len(here) > 1 or self._has_homonyms(cluster) else canonical_key(cluster)
        kind = registry.shown_kind(key)
        if key == canonical:
            return Outcome(key, certainty(key, registry.kind(key)), "equal name", here, joined, kind)
        score, reason = max(edge for other, edge in self._edges[key].items() if other in cluster)
        return Outcome(canonical, score, reason, here, joined, kind)

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
        found = [self._choice.decide(document, local) for local in self.registry.locals.get(document, ())]
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

    # -- entities ------------------------------------------------------------------------------------------------

    def _entity(self, canonical: str, bearer: Bearer | None) -> str:
        name = canonical + ("\n" + bearer.label if bearer else "")
        entity = hashlib.sha256(name.encode()).hexdigest()[:16]
        self._entity_key[entity] = (canonical, bearer)
        return entity

    def _refresh_entities(self, keys: set[str], changes: Changes) -> None:
        """Turn the ids that were touched into entities that are new, changed or gone; settle ADD against LINK."""
        touched, changes.removed = changes.removed, set()
        for key in keys:
            if key in self._outcome and len(self._outcome[key].bearers) < 2:
                touched.add(self._entity(self._outcome[key].canonical, None))
        self._settle_decisions(touched, changes)
        for entity in sorted(touched):
            members = self._members.at(entity)
            if not members:
                self._entity_key.pop(entity, None)
                if self.entities.pop(entity, None):
                    changes.removed.add(entity)
                continue
            new = self._described(entity, members)
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

    def _described(self, entity: str, members: set[str]) -> Entity:
        canonical, bearer = self._entity_key[entity]
        registry = self.registry
        if bearer is None:
            outcomes = {key: self._outcome.get(key) for key in self._cluster[canonical]}
            keys = [key for key, outcome in outcomes.items() if outcome and outcome.canonical == canonical]
            forms = sum((registry.surfaces.get(key, Counter()) for key in keys), Counter())
            own = registry.surfaces.get(canonical) or forms
            kind = registry.shown_kind(*keys)
        else:
            links = [d for m in members for d in self.decisions[m] if isinstance(d, Link) and d.entity == entity]
            forms = Counter(name for link in links for name in link.names)
            own = registry.surfaces[canonical]
            kind = registry.shown_kind(canonical)
        name = display_name(own, forms, canonical)
        return Entity(
            entity, name, canonical, kind, tuple(sorted(form for form in forms if forms[form] > 0)), len(members)
        )
