"""The map of a store against the map that its documents give: what is missing or different is written."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphstore.clock import now
from graphstore.corpusmap.builder import Builder, LocalBuilder
from graphstore.corpusmap.catalog_store import used
from graphstore.corpusmap.decisions import Changes, Decision, Link, Unresolved
from graphstore.corpusmap.documents import READ, batched, read_documents
from graphstore.corpusmap.entity_vectors import write_entity_vectors
from graphstore.corpusmap.extraction import extraction_hash
from graphstore.corpusmap.resolve import Resolver
from graphstore.corpusmap.rows import Step, chunk_rows, type_steps
from graphstore.corpusmap.stored import StoredResolver
from graphstore.corpusmap.update import changed_steps, optimistic
from graphstore.db import Database
from graphstore.progress import Progress

if TYPE_CHECKING:
    from graphstore.encoders import Encoder

Row = dict[str, Any]

_BATCH = 256
"""Documents encoded and written at once."""


@dataclass(frozen=True, slots=True)
class Built:
    """What a build did.

    :param decided: Documents that were decided otherwise than stored.
    :param extracted: Documents that were read again.
    :param graph_version: Of the store afterwards.
    :param rejected: ``path: reason`` of each that could not be; they stay as they were read before.
    """

    decided: int
    extracted: int
    rejected: tuple[str, ...] = ()
    graph_version: int = 0


def build_map(
    db: Database,
    encoder: Encoder,
    *,
    builder: Builder | None = None,
    progress: Progress | None = None,
    cache: Path | None = None,
) -> Built:
    """What was done, so that the map is that of its documents.

    Extractions of another version, and those that the builder would name otherwise, are made again; chunks that are
    missing are encoded.

    :param builder: What reads the documents; the local one if not given.
    :param cache: Folder in which the resolver's state is kept between processes.
    """
    state = StoredResolver(db, progress, builder or LocalBuilder(used(db)), cache=cache)
    state.sync()
    state.refresh()
    _write_chunks(db, encoder, state.resolver.registry.entries)
    count = 0

    def steps(state: StoredResolver) -> list[Step]:
        nonlocal count
        changes = _differences(db, state.resolver)
        count = len(changes.documents)
        again = [
            {"id": name, "extracted": made.to_json(), "extraction": extraction_hash(made)}
            for name, made in sorted(state.extracted_again.items())
        ]
        at = now()
        made = changed_steps(state, changes, at)
        kept: list[Step] = [("load/corpus_extractions", {"rows": again})] if again else []
        return [*type_steps(state.catalog), *kept, *made, *type_steps(state.catalog)[1:]] if made or kept else []

    optimistic(state, steps)
    state.noted()
    state.keep()
    write_entity_vectors(db, progress=progress)
    rejected = tuple(why for _, why in sorted(state.rejected.items()))
    return Built(count, len(state.extracted_again), rejected, db.graph_version())


def _write_chunks(db: Database, encoder: Encoder, ids: Iterable[str]) -> None:
    for part in batched(ids, READ):
        missing = [row["id"] for row in db.read("retrieve/corpus_registry_unchunked", ids=part)]
        for some in batched(missing, _BATCH):
            documents = read_documents(db, some)
            db.write(("load/corpus_chunks", {"rows": chunk_rows(documents, encoder)}))


def _differences(db: Database, resolver: Resolver) -> Changes:
    """What must change in the store, as if the stored decisions had been the resolver's before."""
    changes = Changes()
    for row in db.stream("retrieve/corpus_registry_links"):
        document = row["document"]
        should = {_signature(decision): decision for decision in resolver.decisions.get(document, ())}
        stored = [_link_signature(link) for link in row["links"]] + [("open", *opened) for opened in row["opened"]]
        if set(stored) != set(should):
            changes.documents[document] = tuple(should.get(mark) or _stale(mark) for mark in stored)
    _compare_entities(db, resolver, changes)
    dormant = resolver.ruled.rulings.dormant
    decided = db.read("retrieve/corpus_decisions")
    changes.dormant = {n: dormant[n] for row in decided if row["dormant"] != dormant.get(n := row["number"], False)}
    return changes


def _compare_entities(db: Database, resolver: Resolver, changes: Changes) -> None:
    stored: set[str] = set()
    for row in db.stream("retrieve/corpus_registry_entities"):
        entity = resolver.entities.get(row["id"])
        if entity is None:
            changes.removed.add(row["id"])
            continue
        stored.add(entity.id)
        should = entity.name, entity.key, entity.kind, entity.aliases, entity.documents, entity.record
        if _entity_row(row) != should:
            changes.entities[entity.id] = entity
    if len(stored) < len(resolver.entities):
        changes.entities.update((id, entity) for id, entity in resolver.entities.items() if id not in stored)


def _entity_row(row: Row) -> tuple[Any, ...]:
    return row["name"], row["key"], row["type"], tuple(row["aliases"] or ()), row["documents"], row["record"]


def _signature(decision: Decision) -> tuple[Any, ...]:
    if isinstance(decision, Unresolved):
        return ("open", decision.name, decision.reason, decision.kind)
    return (
        decision.entity,
        decision.confidence,
        decision.decision,
        decision.reason,
        decision.runner_up,
        decision.names,
        decision.own,
        decision.by,
    )


def _link_signature(link: list[Any]) -> tuple[Any, ...]:
    entity, confidence, decision, reason, runner_up, names, own, by = link
    return entity, confidence, decision, reason, runner_up, tuple(names or ()), own, by


def _stale(mark: tuple[Any, ...]) -> Decision:
    """A stored decision that is to go: only its entity, or its name, matters."""
    if mark[0] == "open":
        return Unresolved(mark[1], mark[3], (), mark[2])
    return Link(mark[0], (), (), False, 0.0, "", "", None)
