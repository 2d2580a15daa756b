"""The whole graph, as one state of it was, into a file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TextIO

from graphstore.backups.file import Head, Held, head_line, line, written
from graphstore.backups.values import packed
from graphstore.clock import now
from graphstore.db import Database
from graphstore.errors import ConnectError, LoadError, SchemaError
from graphstore.progress import Progress

_ATTEMPTS = 5
_NEWS = 1000


class _Moved(Exception):
    """The graph was written while it was read."""


def save(db: Database, path: Path, *, replace: bool = False, progress: Progress) -> Held:
    """What the backup holds: every node and relationship of one ``graph_version``, others' in the database too.

    It is read as a stream: what is held in memory is the server's ids of the nodes. Where a writer comes in between all
    is read again. The file is there when it is whole, and not before; interrupted, nothing is left of it.

    :param replace: Write over a file that is there.
    :raises LoadError: the file is there, or cannot be written.
    :raises SchemaError: the store has no schema, or holds a value that graphstore does not write, such as a date.
    :raises ConnectError: the store is written without a pause.
    """
    if path.exists() and not replace:
        raise LoadError("is there already: name another file, or allow it to be replaced", path)
    for _ in range(_ATTEMPTS):
        try:
            with written(path) as lines:
                return _written(db, lines, progress)
        except _Moved:
            continue
    raise ConnectError(f"{db.address}: the store is written without a pause; take the backup when the load is done")


def _written(db: Database, lines: TextIO, progress: Progress) -> Held:
    head = _head(db)
    holdings = db.read("maintain/backup_size")[0]
    lines.write(head_line(head))
    numbers: dict[str, int] = {}
    for row in db.stream("maintain/backup_nodes"):
        numbers[row["id"]] = len(numbers)
        lines.write(line(["node", row["labels"], _kept(db, "/".join(row["labels"]), row["properties"])]))
        _tell(progress, "nodes", len(numbers), holdings["nodes"])
    relationships = 0
    for row in db.stream("maintain/backup_relationships"):
        ends = [numbers.get(row["source"]), numbers.get(row["target"])]
        if None in ends:
            raise _Moved
        lines.write(line(["relationship", row["type"], *ends, _kept(db, row["type"], row["properties"])]))
        relationships += 1
        _tell(progress, "relationships", relationships, holdings["relationships"])
    if db.graph_version() != head.graph_version:
        raise _Moved
    lines.write(line({"nodes": len(numbers), "relationships": relationships}))
    return Held(len(numbers), relationships)


def _head(db: Database) -> Head:
    rows = db.read("maintain/graph_version")
    if not rows or rows[0]["schema_version"] is None or rows[0]["restoring"]:
        raise SchemaError(f"{db.address}: no whole graphstore here to take a backup of")
    meta = rows[0]
    return Head(now(), meta["schema_version"], meta["encoder"], meta["dimensions"], meta["version"])


def _kept(db: Database, where: str, properties: Mapping[str, Any]) -> dict[str, Any]:
    try:
        return packed(properties)
    except TypeError as error:
        raise SchemaError(f"{db.address}: {where}: {error}, which a backup cannot hold: store it as text") from None


def _tell(progress: Progress, what: str, done: int, total: int) -> None:
    if done % _NEWS == 0 or done == total:
        progress(what, done, total)
