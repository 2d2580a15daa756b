"""Entities that may be one, as one reader may see them."""

from __future__ import annotations

from typing import Any

from graphstore.corpusmap.duplicates import Candidate, Duplicate, duplicates_of
from graphstore.corpusmap.types import TOPIC
from graphstore.db import Database
from graphstore.pages.build import named
from graphstore.visibility import OWNER, Visibility

__all__ = ["Duplicate", "duplicates"]


def duplicates(db: Database, k: int, who: Visibility = OWNER) -> list[Duplicate]:
    """At most ``k`` pairs of entities that may be one, surest first.

    Names, counts, reasons and confidence come from the documents that the reader may see.
    """
    rows = db.read("page/entity_candidates", **who.parameters)
    return duplicates_of(map(_candidate, rows))[:k]


def _candidate(row: dict[str, Any]) -> Candidate:
    visible = named(row["id"], row["name"], row["type"], row["forms"])
    return Candidate(
        id=visible.id,
        name=visible.name,
        kind=visible.type or TOPIC,
        forms=visible.forms,
        documents={document: path for document, path in row["documents"]},
        distinct=frozenset(row["distinct"]),
    )
