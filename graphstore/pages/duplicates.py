"""Entities that may be one, as one reader may see them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from graphstore.corpusmap.directory import known, shown_type
from graphstore.corpusmap.duplicates import Candidate, Duplicate, duplicates_of
from graphstore.corpusmap.keys import name_key
from graphstore.corpusmap.record_duplicates import record_duplicates
from graphstore.corpusmap.rulings import anchored, anchored_entity
from graphstore.corpusmap.types import TOPIC
from graphstore.db import Database
from graphstore.pages.build import named
from graphstore.visibility import OWNER, Visibility

__all__ = ["Duplicate", "duplicates"]


def duplicates(db: Database, k: int, who: Visibility = OWNER) -> list[Duplicate]:
    """At most ``k`` pairs of entities that may be one, surest first; pairs that were declared distinct are not.

    Names, counts, reasons and confidence come from the documents that the reader may see. For the owner, records of
    registries are compared too, whether documents mention them or not: with each other by all that they say, with
    entities by their names.
    """
    rows = db.read("page/entity_candidates", **who.parameters)
    records = db.read("page/record_candidates") if who.sees_all else []
    mentioned = {row["id"]: _candidate(row) for row in rows}
    recorded = {row["id"]: _recorded(row, mentioned.get(row["id"])) for row in records}
    candidates = _told_apart({**mentioned, **recorded}, db.read("retrieve/corpus_decisions"))
    said = {row["id"]: json.loads(row["attributes"]) for row in records}
    found = duplicates_of(candidates) + record_duplicates([each for each in candidates if each.recorded], said)
    return sorted(found, key=lambda each: (-each.confidence, each.keep.name, each.keep.id, each.merge.id))[:k]


def _candidate(row: dict[str, Any]) -> Candidate:
    visible = named(row["id"], row["name"], row["type"], row["forms"])
    return Candidate(
        id=visible.id,
        name=visible.name,
        kind=visible.type or TOPIC,
        forms=visible.forms,
        documents={document: path for document, path in row["documents"]},
    )


def _recorded(row: dict[str, Any], mentioned: Candidate | None) -> Candidate:
    record = known(row["id"], row["name"], row["type"], row["aliases"], json.loads(row["attributes"]), "")
    kind = shown_type(record) or (mentioned.kind if mentioned else TOPIC)
    forms = tuple(dict.fromkeys((*record.names, *(mentioned.forms if mentioned else ()))))
    return Candidate(record.id, record.name, kind, forms, mentioned.documents if mentioned else {}, recorded=True)


def _told_apart(candidates: dict[str, Candidate], decisions: Iterable[dict[str, Any]]) -> list[Candidate]:
    """The candidates, each with the others that people declared to be something else."""
    pairs = [row["subjects"] for row in decisions if row["kind"] == "distinct"]
    if not pairs:
        return list(candidates.values())
    wanted = {name for pair in pairs for anchor in pair for kind, name, _ in [anchored(anchor)] if kind == "name"}
    called: dict[str, set[str]] = {key: set() for key in wanted}
    for each in candidates.values():
        for key in {name_key(form) for form in (each.name, *each.forms)} & wanted:
            called[key].add(each.id)
    others: dict[str, set[str]] = {}
    for a, b in pairs:
        for one in _named_by(a, candidates, called):
            for other in _named_by(b, candidates, called) - {one}:
                others.setdefault(one, set()).add(other)
    return [replace(each, distinct=frozenset(others.get(each.id, ()))) for each in candidates.values()]


def _named_by(anchor: str, candidates: dict[str, Candidate], called: dict[str, set[str]]) -> set[str]:
    """The entity of an anchor; where its name has become part of another's, every entity that is called so."""
    entity = anchored_entity(anchor)
    if entity in candidates:
        return {entity}
    kind, name, label = anchored(anchor)
    return called[name] if kind == "name" and label is None else set()
