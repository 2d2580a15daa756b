"""What an entity is called, by the documents that mention it and the record that it has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from graphstore.corpusmap.choice import Outcome
from graphstore.corpusmap.decisions import Decision, Entity, Link, display_name
from graphstore.corpusmap.directory import Known, shown_type
from graphstore.corpusmap.homonyms import Bearer
from graphstore.corpusmap.keys import name_key
from graphstore.corpusmap.registry import Registry
from graphstore.corpusmap.ruled import Ruled

Decisions = Mapping[str, tuple[Decision, ...]]


class Described:
    """Describes entities; reads what the resolver keeps."""

    def __init__(
        self,
        registry: Registry,
        cluster: Mapping[str, frozenset[str]],
        outcome: Mapping[str, Outcome],
        entity_key: Mapping[str, tuple[str, Bearer | None]],
        ruled: Ruled,
    ) -> None:
        self._registry = registry
        self._cluster = cluster
        self._outcome = outcome
        self._entity_key = entity_key
        self._ruled = ruled

    def of(self, entity: str, members: Collection[str], decisions: Decisions) -> Entity:
        """An entity that documents mention; how many they are costs nothing where all that bear the name mean it."""
        if record := self._registry.directory.records.get(entity):
            return self._recorded(record, members, decisions)
        if entity in self._ruled.rulings.made:
            forms = _forms(entity, members, decisions)
            name = min(forms, key=lambda form: (-forms[form], -len(form), form.isupper(), form))
            key = name_key(name)
            return Entity(entity, name, key, self._registry.shown_kind(key), tuple(sorted(forms)), len(members))
        canonical, bearer = self._entity_key[entity]
        if bearer is not None or entity in self._ruled.rulings.reshaped or self._has_record(canonical):
            forms, keys = _forms(entity, members, decisions), [canonical]
            own = self._registry.surfaces.get(canonical) or forms
        else:
            outcomes = {key: self._outcome.get(key) for key in self._cluster[canonical]}
            keys = [key for key, outcome in outcomes.items() if outcome and outcome.canonical == canonical]
            forms = sum((self._registry.surfaces.get(key, Counter()) for key in keys), Counter())
            own = self._registry.surfaces.get(canonical) or forms
        name = display_name(own, forms, canonical)
        aliases = tuple(sorted(form for form in forms if forms[form] > 0))
        return Entity(entity, name, canonical, self._registry.shown_kind(*keys), aliases, len(members))

    def _has_record(self, canonical: str) -> bool:
        outcome = self._outcome.get(canonical)
        return outcome is not None and bool(outcome.records)

    def _recorded(self, record: Known, members: Collection[str], decisions: Decisions) -> Entity:
        aliases = {*record.names, *_forms(record.id, members, decisions)}
        kind = shown_type(record) or self._registry.shown_kind(*record.keys)
        return Entity(record.id, record.name, record.keys[0], kind, tuple(sorted(aliases)), len(members), record.digest)


def _forms(entity: str, members: Iterable[str], decisions: Decisions) -> Counter[str]:
    """Written forms, each with the number of documents that use it."""
    forms: Counter[str] = Counter()
    for document in members:
        for decision in decisions[document]:
            if isinstance(decision, Link) and decision.entity == entity:
                forms.update(decision.names)
    return forms
