"""The whole graph as sorted lines: two graphs are the same if these are equal."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping
from typing import Any

from graphstore.db import Database

_TIMES = frozenset(
    {"at", "loaded", "first_seen", "last_seen"}
    | {"graph_version", "changed", "past", "similar_changed", "tried_changed", "requires_changed"}
)
"""When something happened differs from run to run, and so does how often was written."""

_HISTORY = frozenset({"earlier"})
"""Where a document lay before it was moved is no part of what is stored now."""

_IDENTITY = frozenset({"store"})
_LEDGER = ["Decision"]


def ordered_export(db: Database) -> Iterator[str]:
    """Lines of JSON, nodes and relationships sorted by key, without times, the store's identity, notes and ledger.

    Vectors and byte arrays are part of it. Reads the whole graph into memory.

    :raises ConnectError: the store is written without a pause.
    """
    _, (nodes, relationships) = db.read_consistent(
        [("maintain/export_nodes", {}), ("maintain/export_relationships", {})]
    )
    yield from sorted(
        _line("node", sorted(row["labels"]), _kept(row["properties"])) for row in nodes if not _is_beside(row)
    )
    yield from sorted(
        _line("relationship", row["type"], row["source"], row["target"], _kept(row["properties"]))
        for row in relationships
    )


def _is_beside(node: Mapping[str, Any]) -> bool:
    """Whether it is a row of the ledger, or a note of how something was derived."""
    note = node["labels"] == ["Meta"] and node["properties"].get("id") != "graphstore"
    return bool(note or node["labels"] == _LEDGER)


def _kept(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {key: _plain(value) for key, value in properties.items() if key not in _TIMES | _HISTORY | _IDENTITY}


def _plain(value: Any) -> Any:
    return base64.b64encode(value).decode("ascii") if isinstance(value, bytes | bytearray) else value


def _line(*parts: Any) -> str:
    return json.dumps(parts, ensure_ascii=False, sort_keys=True)
