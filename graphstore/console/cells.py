"""Text of one value for a person: nodes and paths as Cypher draws them, and nothing that moves a terminal's cursor."""

from __future__ import annotations

import json
import math
import unicodedata
from typing import Any

from wcwidth import wcswidth, wcwidth

_NODE = {"id", "labels", "properties"}
_RELATIONSHIP = {"id", "type", "start", "end", "properties"}
_CAPTIONS = ("name", "title", "id", "path", "request")  # the property that stands for a node within a path
_LONG_LIST = 24  # a longer list of numbers is a vector: its size is said instead
_LONG_TEXT = 80  # characters of a text inside a node, a map or a list
_ESCAPES = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}
_UNSEEN = ("Cc", "Cf", "Zl", "Zp", "Cs", "Co")
_JOINERS = "\u200c\u200d"  # they shape letters and emoji


def cell(value: Any) -> str:
    """``value`` on one line: a string as it is, everything else as Cypher writes it."""
    return visible(value) if isinstance(value, str) else _written(value)


def visible(text: str) -> str:
    """``text`` with control, direction and private characters written as escapes."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escaped(character) for character in text)


def width(text: str) -> int:
    """Columns of a terminal that ``text`` takes: two for a Chinese character, none for a combining mark."""
    if text.isascii():
        return len(text)
    columns: int = wcswidth(text)
    return columns if columns >= 0 else len(text)


def cut(text: str, columns: int) -> tuple[str, str]:
    """``text`` split where its first part fills at most ``columns``, never within a wide or a combined character."""
    if text.isascii():
        return text[:columns], text[columns:]
    taken = 0
    for index, character in enumerate(text):
        taken += max(wcwidth(character), 0)
        if taken > columns:
            return text[:index], text[index:]
    return text, ""


def number(value: Any) -> bool:
    """Whether ``value`` is a number, which stands at the right of its column."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def finite(value: Any) -> Any:
    """``value`` with NaN and the infinities as text, for JSON has none."""
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, list):
        return [finite(item) for item in value]
    if isinstance(value, dict):
        return {key: finite(item) for key, item in value.items()}
    return value


def _escaped(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    if unicodedata.category(character) in _UNSEEN and character not in _JOINERS:
        code = ord(character)
        return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
    return character


def _written(value: Any) -> str:
    if isinstance(value, str):
        return visible(json.dumps(_short(value), ensure_ascii=False))
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, list):
        return _list(value)
    if isinstance(value, dict):
        return _map(value)
    return str(finite(value))


def _list(value: list[Any]) -> str:
    if _is_path(value):
        return _path(value)
    if len(value) > _LONG_LIST and all(map(number, value)):
        return f"[{len(value)} numbers]"
    return "[" + ", ".join(_written(item) for item in value) + "]"


def _map(value: dict[str, Any]) -> str:
    if value.keys() == _NODE:
        return _node(value, value["properties"])
    if value.keys() == _RELATIONSHIP:
        return _relationship(value)
    return _properties(value) or "{}"


def _node(node: dict[str, Any], properties: dict[str, Any]) -> str:
    labels = "".join(f":{visible(label)}" for label in node["labels"])
    return "(" + " ".join(part for part in (labels, _properties(properties)) if part) + ")"


def _relationship(relationship: dict[str, Any]) -> str:
    parts = (f":{visible(relationship['type'])}", _properties(relationship["properties"]))
    return "[" + " ".join(part for part in parts if part) + "]"


def _properties(properties: dict[str, Any]) -> str:
    if not properties:
        return ""
    first = [key for key in _CAPTIONS if key in properties]
    rest = sorted(key for key in properties if key not in first)
    return "{" + ", ".join(f"{visible(key)}: {_written(properties[key])}" for key in (*first, *rest)) + "}"


def _is_path(value: list[Any]) -> bool:
    # A path alternates nodes and relationships; a list of one node is more likely a list.
    kinds = [item.keys() if isinstance(item, dict) else None for item in value]
    return len(value) % 2 == 1 and len(value) > 1 and kinds == ([_NODE, _RELATIONSHIP] * len(value))[: len(value)]


def _path(parts: list[dict[str, Any]]) -> str:
    """A path in one line: of a node its caption, of a relationship its numbers."""
    text = _within_path(parts[0])
    for left, relationship, right in zip(parts[::2], parts[1::2], parts[2::2], strict=False):
        arrow = ("-", "->") if relationship["start"] == left["id"] else ("<-", "-")
        text += arrow[0] + _relationship(_counts_of(relationship)) + arrow[1] + _within_path(right)
    return text


def _within_path(node: dict[str, Any]) -> str:
    caption = next((key for key in _CAPTIONS if key in node["properties"]), None)
    return _node(node, {caption: node["properties"][caption]} if caption else {})


def _counts_of(relationship: dict[str, Any]) -> dict[str, Any]:
    numbers = {k: v for k, v in relationship["properties"].items() if type(v) in (int, float)}
    return {**relationship, "properties": numbers}


def _short(text: str) -> str:
    return text if len(text) <= _LONG_TEXT else text[: _LONG_TEXT - 1] + "…"
