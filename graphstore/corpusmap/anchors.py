"""What the anchors of people's decisions name now."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from graphstore.corpusmap.choice import Outcome
from graphstore.corpusmap.homonyms import Bearer
from graphstore.corpusmap.registry import Registry
from graphstore.corpusmap.rulings import Rulings, anchored, name_anchor, record_anchor, split_anchor


class Anchors:
    """Entities by anchor and anchors by entity; reads what the resolver keeps."""

    def __init__(
        self,
        registry: Registry,
        outcome: Mapping[str, Outcome],
        entity_key: Mapping[str, tuple[str, Bearer | None]],
        rulings: Rulings,
        base: Callable[[str, Bearer | None], str],
    ) -> None:
        self._registry = registry
        self._outcome = outcome
        self._entity_key = entity_key
        self._rulings = rulings
        self._base = base

    def entity(self, anchor: str) -> str | None:
        """The entity that an anchor names before any decision of people; ``None`` if there is none, or several."""
        kind, name, label = anchored(anchor)
        if kind == "record":
            return name if name in self._registry.directory.records else None
        outcome = self._outcome.get(name)
        if outcome is None:
            return None
        bearer = next((b for b in outcome.bearers if label in b.qualifiers), None)
        if (label and bearer is None) or (not label and len(outcome.bearers) > 1):
            return None
        records = [record for record in outcome.records if self._fits(record, bearer)]
        if records:
            return records[0] if len(records) == 1 else None
        return self._base(name, bearer) if len(outcome.bearers) > 1 else self._base(outcome.canonical, None)

    def _fits(self, record: str, bearer: Bearer | None) -> bool:
        return bearer is None or any(self._registry.directory.fitting([record], bearer.qualifiers))

    def keys(self, anchor: str) -> tuple[str, ...]:
        """Keys of the names that belong to an anchor."""
        kind, name, _ = anchored(anchor)
        if kind == "record":
            record = self._registry.directory.records.get(name)
            return record.keys if record else ()
        return (name,) if kind == "name" else ()

    def of(self, entity: str) -> str:
        """The anchor of an entity.

        :raises KeyError: No such entity.
        """
        if entity in self._registry.directory.records:
            return record_anchor(entity)
        if ruling := self._rulings.made.get(entity):
            return split_anchor(ruling.mark)
        canonical, bearer = self._entity_key[entity]
        return name_anchor(canonical, bearer.label if bearer else None)
