"""Values as the server sends them, turned into plain Python for rows, tables and JSON."""

from __future__ import annotations

import base64
from typing import Any


def plain(value: Any) -> Any:
    """``value`` made of ``None``, ``bool``, ``int``, ``float``, ``str``, ``list`` and ``dict`` only.

    Nodes become ``{"labels", "properties"}``, relationships ``{"type", "start", "end", "properties"}`` (element ids),
    paths a list that alternates nodes and relationships, dates and times ISO 8601 text, points their coordinates,
    bytes base64 text.
    """
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, list | tuple | set | frozenset) and not hasattr(value, "srid"):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, bytes | bytearray):
        return base64.b64encode(value).decode("ascii")
    return _graph_value(value)


def _graph_value(value: Any) -> Any:
    if hasattr(value, "labels"):
        return {"id": value.element_id, "labels": sorted(value.labels), "properties": plain(dict(value))}
    if hasattr(value, "relationships"):
        nodes = [plain(node) for node in value.nodes]
        steps = [plain(step) for step in value.relationships]
        return [part for pair in zip(nodes, [*steps, None], strict=True) for part in pair if part is not None]
    if hasattr(value, "start_node"):
        return {
            "id": value.element_id,
            "type": value.type,
            "start": value.start_node.element_id,
            "end": value.end_node.element_id,
            "properties": plain(dict(value)),
        }
    if hasattr(value, "srid"):
        return {"srid": value.srid, "coordinates": list(value)}
    return value.iso_format() if hasattr(value, "iso_format") else str(value)
