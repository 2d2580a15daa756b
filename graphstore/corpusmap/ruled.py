"""What the decisions of people make of the decision about one name in one document."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from graphstore.corpusmap.decisions import Decision, Link, Unresolved, link
from graphstore.corpusmap.locals import Local
from graphstore.corpusmap.rulings import Ruling, Rulings

PERSON, REFINE = "person", "refine"


class Ruled:
    """Applies decisions of people."""

    def __init__(self, digest_of: Callable[[str], str | None] | None) -> None:
        self.rulings = Rulings()
        self.digest_of = digest_of or (lambda document: None)

    def united(self, entity: str) -> str:
        """What an entity is after merges."""
        return self.rulings.united.get(entity, entity)

    def applied(self, document: str, local: Local, decision: Decision, kind: str) -> Decision:
        """The decision after refinements, merges and splits."""
        if not self.rulings.active:
            return decision
        if refined := self.rulings.refined(document, local.key):
            decision = self._refined(local, decision, refined, kind)
        if not isinstance(decision, Link):
            return decision
        entity, split = self.rulings.final(document, decision.entity)
        if split is None:
            return decision if entity == decision.entity else replace(decision, entity=entity)
        return replace(
            decision, entity=entity, confidence=1.0, reason="a person split it off", runner_up=None, by=PERSON
        )

    def _refined(self, local: Local, decision: Decision, refined: Ruling, kind: str) -> Decision:
        if not refined.subjects:
            return Unresolved(local.names[0], kind, local.spans, refined.reason)
        entity = self.rulings.entity_of(refined.subjects[0])
        if entity is None or (isinstance(decision, Link) and decision.entity == entity):
            return decision
        return replace(link(local, entity, refined.score or 0.0, refined.reason, None), by=refined.by or REFINE)
