"""Snapshots read from the store: all of it, or what was written since an earlier one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from graphstore.retrieval.corpus_growth import build_snapshot, statements
from graphstore.retrieval.corpus_snapshot import CorpusSnapshot

if TYPE_CHECKING:
    from graphstore.db import Database


def read_snapshot(db: Database, dimensions: int, before: CorpusSnapshot | None = None) -> CorpusSnapshot:
    """The store's current version.

    :param dimensions: Of the store's vectors.
    :param before: An earlier version of the same store, of the same encoder: only what was written since is read, and
        the snapshot is the same as without it. Where another's statements may have written, all is read.
    :raises ConnectError: the store is unreachable, or written faster than it can be read.
    """
    return db.current(lambda: _read(db, dimensions, before))


def _read(db: Database, dimensions: int, before: CorpusSnapshot | None) -> CorpusSnapshot:
    since = -1 if before is None else before.version
    version, ((state,), *results) = db.read_consistent([("retrieve/corpus_changes", {}), *statements(since)])
    if before is None:
        return build_snapshot(version, results, dimensions)
    if version < since or (state["past"] or 0) > since:
        return _read(db, dimensions, None)

    def at_this_version(name: str, **parameters: Any) -> list[dict[str, Any]]:
        _, (rows,) = db.read_consistent([(name, parameters)], expect=version)
        return rows

    def texts_of(ids: Sequence[str]) -> Mapping[str, str]:
        return {row["id"]: row["text"] for row in at_this_version("retrieve/corpus_texts", ids=list(ids))}

    gone, entities_gone = (
        () if len({*known, *new}) == state[kind] else set(known) - set(at_this_version("retrieve/corpus_ids")[0][kind])
        for kind, known, new in (
            ("documents", before.documents.ids, [id for row in results[0] for id in row["ids"]]),
            ("entities", before.entities.ids, [row["id"] for row in results[1]]),
        )
    )
    return build_snapshot(
        version, results, dimensions, before, gone=gone, entities_gone=entities_gone, texts_of=texts_of
    )
