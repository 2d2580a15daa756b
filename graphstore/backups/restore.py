"""A backup back into an empty store."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from graphstore import schema
from graphstore.backups.file import Head, Held, checked, read
from graphstore.backups.values import unpacked
from graphstore.db import Database
from graphstore.errors import SchemaError
from graphstore.progress import Progress

_MOST_ROWS, _MOST_BYTES = 2000, 4_000_000
_CLEARED = 5000


def restore(db: Database, path: Path, *, analyzer: str, progress: Progress) -> Held:
    """What was brought back.

    The file is read to its end before the store is touched. While nodes and relationships are written the store is
    marked, and nobody opens it; if that breaks off, the same call begins anew. The store gets an identity of its own,
    so that no cache takes it for the one that the backup was taken of; its encoder is the backup's.

    :param analyzer: Of the full-text indexes, where the store has none yet.
    :raises LoadError: the file is no backup, or a part of one.
    :raises SchemaError: the store is not empty, or the backup is of a newer graphstore.
    """
    head, held = checked(path)
    if head.schema_version > schema.SCHEMA_VERSION:
        known = schema.SCHEMA_VERSION
        raise SchemaError(
            f"{path}: is of schema {head.schema_version}, this graphstore knows {known}; update graphstore"
        )
    _prepare(db, head, analyzer)
    ids: list[str] = []
    relationships = 0
    for kind, batch in _batches(read(path)[1]):
        if kind == "node":
            rows = [{"labels": labels, "properties": unpacked(kept)} for _, labels, kept in batch]
            ids += [row["id"] for row in db.write(("maintain/restore_nodes", {"rows": rows})).rows[0]]
            progress("nodes", len(ids), held.nodes)
        else:
            rows = [
                {"type": name, "source": ids[source], "target": ids[target], "properties": unpacked(kept)}
                for _, name, source, target, kept in batch
            ]
            db.write(("maintain/restore_relationships", {"rows": rows}))
            relationships += len(rows)
            progress("relationships", relationships, held.relationships)
    end = {"schema_version": head.schema_version, "graph_version": head.graph_version}
    db.write(("maintain/restore_end", end))
    schema.apply(db, encoder=head.encoder, dimensions=head.dimensions, analyzer=analyzer)
    schema.await_indexes(db)
    return held


def _prepare(db: Database, head: Head, analyzer: str) -> None:
    """An empty store with the schema for the backup's vectors, marked."""
    rows = db.read("maintain/graph_version")
    if rows and rows[0]["restoring"]:
        while db.write(("maintain/clear_some", {"most": _CLEARED})).rows[0][0]["removed"]:
            pass
    elif db.read("maintain/backup_size")[0]["nodes"]:
        raise SchemaError(f"{db.address}: holds data; a backup is restored into an empty store (`graphstore reset`)")
    if not rows or rows[0]["schema_version"] is None:
        schema.apply(db, encoder=head.encoder, dimensions=head.dimensions, analyzer=analyzer)
    elif (rows[0]["encoder"], rows[0]["dimensions"]) != (head.encoder, head.dimensions):
        schema.replace_encoder(db, encoder=head.encoder, dimensions=head.dimensions)
    db.write(("maintain/restore_begin", {"store": uuid.uuid4().hex}))


def _batches(rows: Iterable[tuple[int, list[Any]]]) -> Iterator[tuple[str, list[list[Any]]]]:
    """Rows of one kind together, few enough for a transaction."""
    for kind, group in groupby(rows, key=lambda each: str(each[1][0])):
        batch: list[list[Any]] = []
        size = 0
        for length, row in group:
            batch.append(row)
            size += length
            if len(batch) == _MOST_ROWS or size > _MOST_BYTES:
                yield kind, batch
                batch, size = [], 0
        if batch:
            yield kind, batch
