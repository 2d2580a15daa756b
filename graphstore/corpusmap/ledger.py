"""Decisions of people about entities: written with all that follows from them, taken back, and listed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from graphstore.clock import now
from graphstore.corpusmap.duplicates import Candidate, duplicates_of
from graphstore.corpusmap.entity_vectors import write_entity_vectors
from graphstore.corpusmap.keys import name_key
from graphstore.corpusmap.ledger_rows import LedgerRow, ledger, ledger_row, moved_json, next_number, ruling_row
from graphstore.corpusmap.lookup import described, find_entity, is_called
from graphstore.corpusmap.rows import Row, Step
from graphstore.corpusmap.rulings import Ruling, split_mark
from graphstore.corpusmap.stored import StoredResolver
from graphstore.corpusmap.types import TOPIC
from graphstore.corpusmap.update import changed_steps, optimistic, settled_steps
from graphstore.db import Database
from graphstore.errors import DecisionError, NotFound
from graphstore.progress import Progress

__all__ = ["LedgerRow", "distinct", "ledger", "merge", "split", "undo"]

OWNER = "owner"


def merge(
    db: Database,
    keep: str,
    *others: str,
    by: str = OWNER,
    reason: str = "",
    progress: Progress | None = None,
    cache: Path | None = None,
) -> list[LedgerRow]:
    """The ledger's rows of merging entities into one, one for each that joins.

    The first is kept with its id and name, unless only another is a record of a registry: a record's id is kept.

    :param keep: Id, or name if no other entity has it; likewise the others.
    :raises NotFound: one of them is not in the store, or several have the name; nothing was changed.
    :raises DecisionError: two of them are one already, or were declared to be two.
    """

    def decide(state: StoredResolver, number: int) -> list[tuple[Ruling, list[str]]]:
        resolver, rulings = state.resolver, state.resolver.ruled.rulings
        ids = [find_entity(resolver, name) for name in (keep, *others)]
        if len(set(ids)) < len(ids):
            raise DecisionError(f"{described(resolver, ids[0])} is one entity already; nothing was changed")
        for a, b in rulings.distinct():
            if a in ids and b in ids:
                raise DecisionError(
                    f"{described(resolver, a)} and {described(resolver, b)} were declared distinct: "
                    "`graphstore entities ledger` says when, `entities undo ID` takes it back"
                )
        anchors = [resolver.anchor_of(entity) for entity in ids]
        return [
            (
                Ruling(number + place, "merge", (anchors[0], anchor), score=_score(state, ids[0], entity)),
                [ids[0], entity],
            )
            for place, (anchor, entity) in enumerate(zip(anchors[1:], ids[1:], strict=True))
        ]

    return _decided(_open(db, progress, cache), decide, by, reason)


def split(
    db: Database,
    entity: str,
    *,
    documents: Sequence[str] = (),
    name: str | None = None,
    by: str = OWNER,
    reason: str = "",
    progress: Progress | None = None,
    cache: Path | None = None,
) -> LedgerRow:
    """The ledger's row of taking mentions out of an entity, as an entity of their own.

    :param documents: Ids or paths of the documents whose mentions are of something else.
    :param name: One of its names that is something else, wherever it stands by itself.
    :raises NotFound: no such entity, or a document that does not mention it; nothing was changed.
    :raises DecisionError: nothing would be left of it, or nothing would change.
    """
    if bool(documents) == (name is not None):
        raise DecisionError("say which documents, or which name, are to be split off; one of the two")

    def decide(state: StoredResolver, number: int) -> list[tuple[Ruling, list[str]]]:
        resolver = state.resolver
        found = find_entity(resolver, entity)
        anchor = resolver.anchor_of(found)
        ids = sorted({_mentioning(state, found, each) for each in documents})
        if ids and len(ids) == len(resolver.members(found)):
            raise DecisionError(f"these are all documents of {described(resolver, found)}; nothing was changed")
        key = name_key(name) if name is not None else ""
        if name is not None and not is_called(resolver, found, key):
            raise NotFound(f"{described(resolver, found)} is nowhere called {name[:100]!r}; nothing was changed")
        return [(Ruling(number, "split", (anchor,), tuple(ids), key, split_mark(anchor, ids, key)), [found])]

    (row,) = _decided(_open(db, progress, cache), decide, by, reason, must_change=True)
    return row


def distinct(
    db: Database,
    a: str,
    b: str,
    *,
    by: str = OWNER,
    reason: str = "",
    progress: Progress | None = None,
    cache: Path | None = None,
) -> LedgerRow:
    """The ledger's row of declaring that two entities are never one: not linked, not merged, not proposed.

    :raises NotFound: one of them is not in the store, or several have the name; nothing was changed.
    :raises DecisionError: they are one entity now, or it was declared before.
    """

    def decide(state: StoredResolver, number: int) -> list[tuple[Ruling, list[str]]]:
        resolver = state.resolver
        ids = [find_entity(resolver, name) for name in (a, b)]
        if ids[0] == ids[1]:
            raise DecisionError(
                f"{a[:100]!r} and {b[:100]!r} are one entity now, {described(resolver, ids[0])}: undo the merge, "
                "or take a name or documents out by `graphstore entities split`"
            )
        if (min(ids), max(ids)) in resolver.ruled.rulings.distinct():
            raise DecisionError("they were declared distinct before; nothing was changed")
        anchors = tuple(resolver.anchor_of(entity) for entity in ids)
        return [(Ruling(number, "distinct", anchors), ids)]

    (row,) = _decided(_open(db, progress, cache), decide, by, reason)
    return row


def undo(
    db: Database,
    number: int | None = None,
    *,
    kind: str | None = None,
    by: str = OWNER,
    progress: Progress | None = None,
    cache: Path | None = None,
) -> list[LedgerRow]:
    """The ledger's rows that were taken back: one, the newest if no number is given, or all of a kind.

    :param kind: ``refine`` takes back all that refinements decided; or another kind.
    :raises NotFound: no such row, or it was taken back before.
    """
    at = now()

    def numbers() -> list[int]:
        rows = [row for row in ledger(db) if row.undone is None and kind in (None, row.kind)]
        if number is not None:
            rows = [row for row in rows if row.id == number]
        if not rows:
            wanted = "no decision" if number is None else f"no decision {number}"
            raise NotFound(f"{wanted} in the ledger that holds: `graphstore entities ledger` lists all")
        return [row.id for row in (rows if kind else rows[:1])]

    gone: list[int] = []

    def steps(state: StoredResolver) -> list[Step]:
        gone[:] = numbers()
        for each in gone:
            state.undo(each)
        undone: Step = ("load/decisions_undone", {"numbers": list(gone), "by": by, "at": at})
        return [undone, *settled_steps(state, (), at)]

    optimistic(StoredResolver(db, progress, cache=cache), steps)
    write_entity_vectors(db)
    return [row for row in ledger(db) if row.id in gone]


Decide = Callable[[StoredResolver, int], list[tuple[Ruling, list[str]]]]
"""Decisions by the state and the next number of the ledger, each with the entities that it is about."""


def _open(db: Database, progress: Progress | None, cache: Path | None) -> StoredResolver:
    return StoredResolver(db, progress, cache=cache)


def _decided(
    state: StoredResolver, decide: Decide, by: str, reason: str, *, must_change: bool = False
) -> list[LedgerRow]:
    rows: list[Row] = []

    def steps(state: StoredResolver) -> list[Step]:
        at, rows[:] = now(), []
        made = decide(state, next_number(state.db))
        for ruling, ids in made:
            names = [_name(state, entity) for entity in ids]
            state.rule(ruling)
            rows.append(ruling_row(ruling, ids, names, by=by, reason=reason, at=at))
        changes = state.resolver.settle()
        if must_change and not changes.documents:
            raise DecisionError(
                "nothing would change: it has no other name, or another decision made it so; "
                "`graphstore entities ledger` lists them"
            )
        moved = sorted(changes.documents)
        for row in rows:
            row["moved"] = moved_json(moved)
            row["dormant"] = changes.dormant.pop(row["number"], False)
        return [("load/decisions", {"rows": list(rows)}), *changed_steps(state, changes, at)]

    optimistic(state, steps)
    write_entity_vectors(state.db)
    return [ledger_row({**row, "form": row["key"], "undone": None, "undone_by": None}) for row in rows]


def _mentioning(state: StoredResolver, entity: str, document: str) -> str:
    members = state.resolver.members(entity)
    found = [name for name in state.named(document) if name in members]
    if len(found) != 1:
        problem = "does not mention" if not found else "is the path of several documents that mention"
        raise NotFound(f"{document[:100]!r} {problem} {described(state.resolver, entity)}; nothing was changed")
    return found[0]


def _score(state: StoredResolver, a: str, b: str) -> float | None:
    """Confidence in a pair as ``entities duplicates`` has it."""
    resolver = state.resolver
    known = [resolver.entities[entity] for entity in (a, b) if entity in resolver.entities]
    candidates = [
        Candidate(e.id, e.name, e.kind or TOPIC, e.aliases, {d: state.path_of(d) for d in resolver.members(e.id)})
        for e in known
    ]
    return next((pair.confidence for pair in duplicates_of(candidates)), None)


def _name(state: StoredResolver, entity: str) -> str:
    known = state.resolver.entities.get(entity)
    return known.name if known else state.resolver.registry.directory.records[entity].name
