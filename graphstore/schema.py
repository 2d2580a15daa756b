"""The schema of a store: constraints, indexes and the store's identity, applied idempotently."""

from __future__ import annotations

import uuid
from collections.abc import Collection

from graphstore.db import WRITTEN_PAST, Database
from graphstore.errors import EncoderMismatch, QueryError, SchemaError

SCHEMA_VERSION = 4
_AWAIT_SECONDS = 120

_UNIQUE = (
    *("meta", "tool", "task", "stage", "tool_path", "entity_type", "entity", "record", "decision", "document", "chunk"),
)
_RANGE = ("entity_key", "record_key", "document_path", "document_alike", "document_hash", "stage_changed")
_FULLTEXT = ("tool", "stage", "document", "entity")
_VECTOR = ("tool", "stage", "chunk", "entity")


def apply(db: Database, *, encoder: str, dimensions: int, analyzer: str) -> None:
    """Bring the store to this version's schema and wait until its indexes are online.

    Running it again changes nothing; on a store that is up to date it costs one read.

    :param encoder: Name of the encoder whose vectors the store holds or will hold.
    :raises EncoderMismatch: the store's vectors are another encoder's.
    :raises SchemaError: the store was written by a newer graphstore.
    """
    if verify(db, encoder=encoder, dimensions=dimensions):
        return
    _define(db, dimensions=dimensions, analyzer=analyzer)
    db.write(
        ("schema/documents_alike", {}),
        (
            "schema/meta",
            {
                "store": uuid.uuid4().hex,
                "schema_version": SCHEMA_VERSION,
                "encoder": encoder,
                "dimensions": dimensions,
            },
        ),
    )


def redefine(db: Database, wrong: Collection[str], *, dimensions: int, analyzer: str) -> None:
    """Make indexes that are missing, and those of vectors that are wrong anew.

    :param wrong: Names of indexes.
    """
    for name in _VECTOR:
        if f"vector_{name}" in wrong:
            db.define(f"schema/drop_vector_{name}")
    _define(db, dimensions=dimensions, analyzer=analyzer)


def _define(db: Database, *, dimensions: int, analyzer: str) -> None:
    """Constraints and indexes that are not there yet."""
    for name in _UNIQUE:
        db.define(f"schema/unique_{name}")
    for name in _RANGE:
        db.define(f"schema/range_{name}")
    for name in _FULLTEXT:
        db.define(f"schema/fulltext_{name}", analyzer=analyzer)
    for name in _VECTOR:
        db.define(f"schema/vector_{name}", dimensions=dimensions)
    await_indexes(db)


def replace_encoder(db: Database, *, encoder: str, dimensions: int) -> None:
    """Remove all vectors and name another encoder, whose vectors the store will hold from now on.

    :param dimensions: Of its vectors; the vector indexes are made again for them.
    """
    rows = db.read("maintain/graph_version")
    if not rows:
        raise SchemaError(f"{db.address}: no graphstore schema here yet; load something first")
    for name in _VECTOR:
        db.define(f"schema/drop_vector_{name}")
    meta = {"store": rows[0]["store"], "schema_version": SCHEMA_VERSION}
    db.write(
        ("maintain/clear_vectors", {}),
        ("maintain/clear_chunks", {}),
        WRITTEN_PAST,
        ("schema/meta", {**meta, "encoder": encoder, "dimensions": dimensions}),
    )
    for name in _VECTOR:
        db.define(f"schema/vector_{name}", dimensions=dimensions)
    await_indexes(db)


def verify(db: Database, *, encoder: str, dimensions: int) -> bool:
    """Whether the store has this version's schema; ``False`` on a store that has none yet.

    :raises EncoderMismatch: the store's vectors are another encoder's.
    :raises SchemaError: the store was written by a newer graphstore, or holds half of a backup.
    """
    rows = db.read("maintain/graph_version")
    if not rows or rows[0]["schema_version"] is None:
        return False
    meta = rows[0]
    if meta["restoring"]:
        raise SchemaError(
            f"{db.address}: a backup is being restored here; if that broke off, run `graphstore restore` again"
        )
    if meta["schema_version"] > SCHEMA_VERSION:
        raise SchemaError(
            f"{db.address}: the store has schema {meta['schema_version']}, this graphstore knows {SCHEMA_VERSION}; "
            "update graphstore"
        )
    if (meta["encoder"], meta["dimensions"]) != (encoder, dimensions):
        raise EncoderMismatch(
            f"{db.address}: the store holds vectors of {meta['encoder']} ({meta['dimensions']} dimensions), the "
            f"configured encoder is {encoder} ({dimensions}); run `graphstore reindex` to encode again, "
            "or set GRAPHSTORE_ENCODER back"
        )
    return bool(meta["schema_version"] == SCHEMA_VERSION)


def await_indexes(db: Database, seconds: int = _AWAIT_SECONDS) -> None:
    """Wait until every index is online.

    :param seconds: The most to wait.
    :raises SchemaError: one is not online by then.
    """
    try:
        db.define("schema/await_indexes", seconds=seconds)
    except QueryError as error:
        raise SchemaError(f"{db.address}: indexes are not online after {seconds} s: {error}") from error
