"""Invariants of a store: what must hold after every load, whatever happened in between."""

from __future__ import annotations

from collections.abc import Iterator

from graphstore import queries
from graphstore.db import Database
from graphstore.findings import Fault
from graphstore.schema import SCHEMA_VERSION

# check → (statement, words for a row); {found} and {expected} are columns of the statement
_CHECKS: dict[str, tuple[str, str]] = {
    "counts": ("maintain/check_entity_counts", "counts {found} documents, {expected} mention it"),
    "orphan entity": ("maintain/check_orphan_entities", "no document mentions it"),
    "type": ("maintain/check_untyped_entities", "has {found} types, not one"),
    "record": ("maintain/check_records", "{found}"),
    "decision": ("maintain/check_decisions", "{found}"),
    "half document": ("maintain/check_half_documents", "lacks {found}"),
    "orphan chunk": ("maintain/check_orphan_chunks", "belongs to {found} documents, not to one"),
    "chunk numbers": ("maintain/check_chunk_numbers", "its chunks are numbered {found}"),
    "statements": ("maintain/check_statements", "lengths of names, statements, starts, ends, dates: {found}"),
    "vector": ("maintain/check_vectors", "{found}, the encoder gives {expected} dimensions"),
    "tool path": ("maintain/check_tool_paths", "{found}"),
    "history": ("maintain/check_next", "count {found}, the tool paths give {expected}"),
    "orphan stage": ("maintain/check_orphan_stages", "belongs to {found} tasks, not to one"),
}
_INDEX_KINDS = ("unique_", "range_", "fulltext_", "vector_")


def check(db: Database) -> list[Fault]:
    """Broken invariants, all read from one state of the graph; an empty list if there is none.

    :raises ConnectError: The store is written without a pause.
    """
    steps: list[tuple[str, dict[str, object]]] = [(statement, {}) for statement, _ in _CHECKS.values()]
    _, (meta, indexes, *results) = db.read_consistent(
        [("maintain/graph_version", {}), ("maintain/check_indexes", {}), *steps]
    )
    faults = [*_identity(meta), *index_faults(indexes, meta)]
    for (name, (_, words)), rows in zip(_CHECKS.items(), results, strict=True):
        for row in rows:
            faults.append(
                Fault(name, row["subject"], words.format(found=row.get("found"), expected=row.get("expected")))
            )
    return faults


def _identity(meta: list[dict[str, object]]) -> Iterator[Fault]:
    if len(meta) != 1:
        yield Fault("identity", "Meta", f"{len(meta)} nodes, not one: no graphstore schema here")
        return
    (row,) = meta
    if row["schema_version"] != SCHEMA_VERSION:
        yield Fault("identity", "Meta", f"schema {row['schema_version']}, this graphstore writes {SCHEMA_VERSION}")
    if not row["encoder"] or not row["dimensions"]:
        yield Fault("identity", "Meta", "names no encoder: its vectors cannot be told from another's")


def index_faults(rows: list[dict[str, object]], meta: list[dict[str, object]]) -> Iterator[Fault]:
    """Indexes that are missing, not online, or of other dimensions than the store's encoder.

    :param rows: Of ``maintain/check_indexes``.
    :param meta: Rows of ``maintain/graph_version``.
    """
    dimensions = meta[0]["dimensions"] if meta else None
    expected = {name.split("/")[1] for name in queries.names() if name.split("/")[1].startswith(_INDEX_KINDS)}
    found = {str(row["name"]): row for row in rows}
    for name in sorted(expected - set(found)):
        yield Fault("index", name, f"missing: run the statement of cypher/schema/{name}.cypher")
    for name in sorted(expected & set(found)):
        row = found[name]
        if row["state"] != "ONLINE":
            yield Fault("index", name, f"is {row['state']}")
        if name.startswith("vector_") and row["dimensions"] not in (dimensions, None):
            yield Fault("index", name, f"{row['dimensions']} dimensions, the store's encoder gives {dimensions}")
