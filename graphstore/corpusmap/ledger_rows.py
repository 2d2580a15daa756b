"""Rows of the ledger of decisions about entities."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from graphstore.corpusmap.rows import Row
from graphstore.corpusmap.rulings import Ruling
from graphstore.db import Database

_MOVED = 1_000


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """A decision about entities.

    :param kind: ``merge``, ``split``, ``distinct`` or ``refine``.
    :param score: Confidence that the resolver's evidence gave, if it had any.
    :param entities: Ids of the entities at that time, of a merge the one that is kept first.
    :param names: Their names at that time.
    :param documents: Documents that the decision names.
    :param form: Key of the name that it is about.
    :param moved: Ids of documents whose links it changed, the first thousand.
    :param changed: Number of these.
    :param dormant: Whether what it is about is not there now.
    :param undone: When it was taken back.
    """

    id: int
    kind: str
    by: str
    at: str
    reason: str
    score: float | None
    entities: tuple[str, ...]
    names: tuple[str, ...]
    documents: tuple[str, ...]
    form: str
    moved: tuple[str, ...]
    changed: int
    dormant: bool
    undone: str | None = None
    undone_by: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """The row as JSON."""
        return asdict(self)


def ledger(db: Database) -> list[LedgerRow]:
    """Every decision, newest first, those that were taken back too."""
    return [ledger_row(row) for row in db.read("retrieve/ledger")]


def next_number(db: Database) -> int:
    """The number that the next row of the ledger takes."""
    (newest,) = db.read("retrieve/ledger_newest")
    return int(newest["number"]) + 1


def ruling_row(ruling: Ruling, ids: Sequence[str], names: Sequence[str], *, by: str, reason: str, at: str) -> Row:
    """The row of ``load/decisions``."""
    return {
        "id": str(ruling.number),
        "number": ruling.number,
        "kind": ruling.kind,
        "subjects": list(ruling.subjects),
        "documents": list(ruling.documents),
        "key": ruling.key,
        "mark": ruling.mark,
        "score": ruling.score,
        "reason": reason,
        "by": by,
        "at": at,
        "entities": list(ids),
        "names": list(names),
        "moved": moved_json(()),
        "dormant": False,
    }


def moved_json(documents: Sequence[str]) -> str:
    """Documents whose links a decision changed, as the ledger keeps them."""
    return json.dumps({"count": len(documents), "documents": list(documents[:_MOVED])}, ensure_ascii=False)


def moved_json_without(moved: str, gone: Collection[str]) -> str:
    """What :func:`moved_json` wrote without documents that are taken out; their number stays."""
    held = json.loads(moved or "{}")
    left = [document for document in held.get("documents", ()) if document not in gone]
    return json.dumps({**held, "documents": left}, ensure_ascii=False) if held.get("documents") else moved


def ledger_row(row: Row) -> LedgerRow:
    """The row as it is read from ``retrieve/ledger``."""
    moved = json.loads(row["moved"] or "{}")
    return LedgerRow(
        id=row["number"],
        kind=row["kind"],
        by=row["by"],
        at=row["at"],
        reason=row["reason"],
        score=row["score"],
        entities=tuple(row["entities"]),
        names=tuple(row["names"]),
        documents=tuple(row["documents"]),
        form=row["form"],
        moved=tuple(moved.get("documents", ())),
        changed=moved.get("count", 0),
        dormant=bool(row["dormant"]),
        undone=row["undone"],
        undone_by=row["undone_by"],
    )
