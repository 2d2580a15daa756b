"""Documents as the store holds them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from graphstore.db import Database
from graphstore.records import SourceDocument

READ = 1_000
"""Documents that are read at once."""


def read_documents(db: Database, ids: Sequence[str]) -> list[SourceDocument]:
    """Stored documents by id, sorted; unknown ids are left out."""
    return [_document(row) for row in db.read("retrieve/corpus_registry_texts", ids=sorted(ids))]


def stored_documents(db: Database) -> Iterator[SourceDocument]:
    """Every stored document, a thousand in memory at a time."""
    for part in batched((row["id"] for row in db.stream("retrieve/corpus_registry_hashes")), READ):
        yield from read_documents(db, part)


def _document(row: dict[str, Any]) -> SourceDocument:
    return SourceDocument(
        id=row["id"],
        path=row["path"],
        title=row["title"],
        text=row["text"],
        acl=tuple(row["acl"] or ()),
        created=row["created"],
        modified=row["modified"],
        metadata=json.loads(row["metadata"] or "{}"),
    )


def batched(items: Iterable[str], size: int) -> Iterator[list[str]]:
    """Items in lists of a size, the last one shorter."""
    source = iter(items)
    while part := list(islice(source, size)):
        yield part
