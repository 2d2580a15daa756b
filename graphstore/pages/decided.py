"""How sure each link to an entity is, and why, as one reader may see it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from graphstore.corpusmap.directory import type_of_row
from graphstore.corpusmap.keys import name_key
from graphstore.counts import counted
from graphstore.db import Database
from graphstore.errors import NotFound
from graphstore.names import normalise
from graphstore.pages.build import named
from graphstore.visibility import OWNER, Visibility

_SHOWN = 100
_OF_RECORDS = " in the registry"


@dataclass(frozen=True, slots=True)
class LinkDecision:
    """Why one document is linked to the entity.

    :param document: Id.
    :param names: Written forms there.
    :param confidence: In [0, 1].
    :param decided_by: ``local``, ``person`` or ``refine``.
    :param runner_up: The entity that it might have been: its id and the name that visible documents use.
    """

    document: str
    path: str
    names: tuple[str, ...]
    confidence: float
    decision: str
    reason: str
    decided_by: str
    at: str
    runner_up: tuple[str, str] | None


@dataclass(frozen=True, slots=True)
class EntityDecisions:
    """An entity with all that was decided about it, least sure first.

    :param source: The registry that its record is from; ``None`` if it has none that the reader may see.
    :param attributes: What its record says.
    """

    id: str
    name: str
    type: str | None
    source: str | None
    aliases: tuple[str, ...]
    attributes: Mapping[str, Any]
    links: tuple[LinkDecision, ...]

    def to_dict(self) -> dict[str, Any]:
        """The entity as JSON."""
        out = asdict(self)
        for link in out["links"]:
            found = link["runner_up"]
            link["runner_up"] = {"id": found[0], "name": found[1]} if found else None
        return out


def entity_decisions(db: Database, name_or_id: str, who: Visibility = OWNER) -> EntityDecisions:
    """Why documents are linked to an entity that has one visible document or more; for the owner, a record without.

    :raises NotFound: No such entity for this reader, or several of this name; the message lists them.
    """
    found = [each for each in (_decisions(db, id, who) for id in _ids(db, name_or_id)) if each]
    # a name is one that the reader can know: what only hidden documents say finds nothing
    asked = {normalise(name_or_id), name_key(name_or_id)}
    exact = [each for each in found if each.id == name_or_id] or [each for each in found if _is_called(each, asked)]
    if not exact:
        raise NotFound(f"no entity {name_or_id[:_SHOWN]!r}: give its id or name, as `graphstore entities list` shows")
    if len(exact) > 1:
        listed = ", ".join(f"{e.name} ({e.type}, {counted(len(e.links), 'document')}, id {e.id})" for e in exact)
        raise NotFound(f"{name_or_id[:_SHOWN]!r} names {len(exact)} entities, ask by id: {listed}")
    return exact[0]


def _is_called(found: EntityDecisions, asked: set[str]) -> bool:
    return any({normalise(form), name_key(form)} & asked for form in (found.name, *found.aliases))


def _ids(db: Database, wanted: str) -> list[str]:
    rows = db.read("page/entity_called", id=wanted, keys=sorted({normalise(wanted), name_key(wanted)}), form=wanted)
    ids = [row["id"] for row in rows]
    return [wanted] if wanted in ids else ids


def _decisions(db: Database, entity: str, who: Visibility) -> EntityDecisions | None:
    rows = db.read("page/entity_decided", id=entity, **who.parameters)
    held = db.read("page/entity_record", id=entity)
    if not held or not (rows or who.sees_all):
        return None
    about = held[0]
    if about["type"] is None and about["record"] is not None:
        about["type"] = type_of_row({**about, "type": about["record_type"]})
    visible = named(entity, about["name"], about["type"], [row["names"] for row in rows])
    open_to = about["record"] is not None and who.as_of is None and who.may_read(about["acl"])
    return EntityDecisions(
        entity,
        about["name"] if open_to else visible.name,
        about["type"],
        about["source"] if open_to else None,
        tuple(dict.fromkeys((*visible.forms, *(about["aliases"] if open_to else ())))),
        json.loads(about["attributes"]) if open_to else {},
        tuple(_link(row, who, recorded=open_to) for row in rows),
    )


def _reason(reason: str, who: Visibility, *, recorded: bool) -> str:
    """The reason without what may be another document's, or a record's that the reader may not see."""
    if who.sees_all:
        return reason
    said = reason.partition(":")[0]
    return said if recorded else said.removesuffix(_OF_RECORDS)


def _link(row: dict[str, Any], who: Visibility, *, recorded: bool) -> LinkDecision:
    second = None
    if row["runner_up"] and row["runner_up_forms"]:
        forms = row["runner_up_forms"]
        second = (row["runner_up"], named(row["runner_up"], "", None, forms).name)
    return LinkDecision(
        row["document"],
        row["path"],
        tuple(row["names"]),
        row["confidence"],
        row["decision"],
        _reason(row["reason"], who, recorded=recorded),
        row["decided_by"],
        row["at"],
        second,
    )
