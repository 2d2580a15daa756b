"""Where answers about documents lie in the cache, so that they go when what they are about goes."""

from __future__ import annotations

import hashlib

from graphstore.llm.answers import Shelf
from graphstore.records import SourceDocument

CATALOG, RESOLVE = Shelf("catalog"), Shelf("resolve")
SHARED_SHELVES = (CATALOG.name, RESOLVE.name)
"""Answers that came of several documents: they go when any of them goes."""


def shelf_name(document: str) -> str:
    """The name of a document's shelf.

    :param document: Its id.
    """
    return f"document\n{document}"


def shelf_of(document: SourceDocument) -> Shelf:
    """The shelf of a document as it reads now."""
    told = hashlib.sha256(f"{document.title}\n{document.text}".encode()).hexdigest()[:16]
    return Shelf(shelf_name(document.id), told)
