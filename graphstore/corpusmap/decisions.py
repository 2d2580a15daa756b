"""Decisions about local entities, and the entities that come of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

from graphstore.corpusmap.keys import is_word, name_key
from graphstore.corpusmap.locals import Local
from graphstore.corpusmap.types import CODE, EMAIL

WORD = 0.8
"""Confidence in an equal name of one word."""


@dataclass(frozen=True, slots=True)
class Entity:
    """A thing of the corpus.

    :param id: Derived from its canonical key and what tells it from others of the name; a record's own where a
        registry knows it.
    :param aliases: Every written form, sorted, and the other names of its record.
    :param documents: Documents that mention it.
    :param record: Hash of its record in a registry, if it has one.
    """

    id: str
    name: str
    key: str
    kind: str
    aliases: tuple[str, ...]
    documents: int
    record: str | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """A local entity decided to be an entity.

    :param confidence: In [0, 1].
    :param decision: ``ADD`` while one document only mentions the entity, else ``LINK``.
    :param runner_up: Id of the entity it might have been instead.
    :param by: Who decided: ``local``, ``person`` or ``refine``.
    """

    entity: str
    names: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    own: bool
    confidence: float
    decision: str
    reason: str
    runner_up: str | None
    by: str = "local"


@dataclass(frozen=True, slots=True)
class Unresolved:
    """A local entity left open: rather no link than a forced one."""

    name: str
    kind: str
    spans: tuple[tuple[int, int], ...]
    reason: str


Decision = Link | Unresolved


@dataclass(slots=True)
class Changes:
    """What a step changed.

    :param documents: Documents whose decisions differ from before, with what was decided then.
    :param entities: Entities that are new or differ.
    :param removed: Ids of entities that no document mentions any more.
    :param dormant: Decisions of people that began, or ceased, to have nothing to be about.
    """

    documents: dict[str, tuple[Decision, ...]] = field(default_factory=dict)
    entities: dict[str, Entity] = field(default_factory=dict)
    removed: set[str] = field(default_factory=set)
    dormant: dict[int, bool] = field(default_factory=dict)


def link(local: Local, entity: str, confidence: float, reason: str, runner_up: str | None) -> Link:
    """The link of a local entity; whether it is an ADD is settled when all documents are decided."""
    return Link(entity, local.names, local.spans, local.own, confidence, "LINK", reason, runner_up)


def with_decision(link: Link, decision: str) -> Link:
    """The link with another decision."""
    return link if link.decision == decision else replace(link, decision=decision)


def merged(found: list[Decision]) -> tuple[Decision, ...]:
    """One link an entity, one open name a name: two local entities may have turned out to be one."""
    links: dict[str, Link] = {}
    opened: dict[str, Unresolved] = {}
    for decision in found:
        if isinstance(decision, Unresolved):
            opened.setdefault(decision.name, decision)
        elif (first := links.get(decision.entity)) is None:
            links[decision.entity] = decision
        else:
            names = (*first.names, *(name for name in decision.names if name not in first.names))
            spans = tuple(sorted({*first.spans, *decision.spans}))
            best = max(first, decision, key=lambda link: link.confidence)
            own = first.own or decision.own
            links[decision.entity] = replace(best, names=names, spans=spans, own=own, decision="LINK")
    return (*(links[entity] for entity in sorted(links)), *(opened[name] for name in sorted(opened)))


def canonical_key(cluster: frozenset[str]) -> str:
    """The fullest key, so that the id holds when shorter forms come and go."""
    return min(cluster, key=lambda key: (-key.count(" "), -len(key), key))


def display_name(own: Counter[str], forms: Counter[str], canonical: str) -> str:
    """The commonest written form of the canonical name; of equally common ones, rather none all in capitals."""
    fitting = [form for form in own if own[form] > 0 and name_key(form) == canonical] or [
        f for f in forms if forms[f] > 0
    ]
    return min(fitting, key=lambda form: (-own[form], form.isupper(), form), default=canonical)


def certainty(key: str, kind: str) -> float:
    """Confidence in an equal name: full names and codes are sure, one word less so."""
    return 1.0 if not is_word(key) or kind in (CODE, EMAIL) else WORD
