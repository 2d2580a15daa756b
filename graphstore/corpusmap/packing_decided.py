"""What is decided as text and back, for a resolver's tables."""

from __future__ import annotations

from typing import Any

from graphstore.corpusmap.choice import Outcome
from graphstore.corpusmap.decisions import Decision, Entity, Link, Unresolved
from graphstore.corpusmap.homonyms import Bearer
from graphstore.corpusmap.packing import pack, spans, unpack

_OPEN = 4
"""Values of a name that was left open."""


def pack_outcome(found: Outcome) -> str:
    """Text of what is decided for a name as a whole; ``unpack_outcome`` reads it."""
    told = [sorted(bearer.qualifiers) for bearer in found.bearers]
    known = (found.joined, found.kind, found.voted, found.titles, found.records, found.surname)
    return pack([found.canonical, found.confidence, found.reason, told, *known, found.project, found.around])


def unpack_outcome(text: str) -> Outcome:
    """What is decided for a name as a whole."""
    canonical, confidence, reason, told, joined, kind, voted, titles, records, *rest = unpack(text)
    bearers = tuple(Bearer(frozenset(qualifiers)) for qualifiers in told)
    return Outcome(canonical, confidence, reason, bearers, joined, kind, voted, titles, tuple(records), *rest)


def pack_named(found: tuple[str, Bearer | None]) -> str:
    """Text of which name's entity one is; ``unpack_named`` reads it."""
    canonical, bearer = found
    return pack([canonical, None if bearer is None else sorted(bearer.qualifiers)])


def unpack_named(text: str) -> tuple[str, Bearer | None]:
    """Which name's entity one is, and which bearer's of several."""
    canonical, qualifiers = unpack(text)
    return canonical, None if qualifiers is None else Bearer(frozenset(qualifiers))


def pack_entity(found: Entity) -> str:
    """Text of an entity; ``unpack_entity`` reads it."""
    return pack([found.id, found.name, found.key, found.kind, found.aliases, found.documents, found.record])


def unpack_entity(text: str) -> Entity:
    """An entity."""
    id, name, key, kind, aliases, documents, record = unpack(text)
    return Entity(id, name, key, kind, tuple(aliases), documents, record)


def pack_decisions(found: tuple[Decision, ...]) -> str:
    """Text of what is decided in a document; ``unpack_decisions`` reads it."""
    return pack([_decision_row(each) for each in found])


def _decision_row(found: Decision) -> list[Any]:
    if isinstance(found, Unresolved):
        return [found.name, found.kind, found.spans, found.reason]
    grounds = (found.confidence, found.decision, found.reason, found.runner_up, found.by)
    return [found.entity, found.names, found.spans, found.own, *grounds]


def unpack_decisions(text: str) -> tuple[Decision, ...]:
    """What is decided in a document."""
    return tuple(map(_decision, unpack(text)))


def _decision(row: list[Any]) -> Decision:
    if len(row) == _OPEN:
        name, kind, places, reason = row
        return Unresolved(name, kind, spans(places), reason)
    entity, names, places, own, confidence, decision, reason, runner_up, by = row
    return Link(entity, tuple(names), spans(places), own, confidence, decision, reason, runner_up, by)
