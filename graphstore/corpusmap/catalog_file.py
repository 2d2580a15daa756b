"""Type catalogs as ``catalog.toml``, and the difference between two."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from graphstore.corpusmap.catalog import Catalog, catalog_of
from graphstore.corpusmap.types import TYPES, EntityType
from graphstore.errors import CatalogError

_FIELDS = tuple(each.name for each in fields(EntityType))
_LISTS = ("examples", "patterns", "keywords", "fields")


def read_catalog(path: Path) -> Catalog:
    """The catalog that a file describes: the built-in types and those of its ``[[type]]`` tables.

    :raises CatalogError: no such file, no TOML, or a type that cannot be used; the message says where.
    """
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise CatalogError(f"{path}: {error.strerror or error}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CatalogError(f"{path}: {error}") from error
    unknown = sorted(table.keys() - {"type"})
    rows = table.get("type")
    if unknown or not isinstance(rows, list) or not rows:
        said = f"unknown table {unknown[0]!r}" if unknown else "no [[type]] table"
        raise CatalogError(f"{path}: {said}; a catalog is a list of [[type]] tables")
    types = [_type(row, f"{path}: type {number}") for number, row in enumerate(rows, start=1)]
    return catalog_of(types, source="file", where=str(path))


def _type(row: Any, where: str) -> EntityType:
    if not isinstance(row, dict):
        raise CatalogError(f"{where} is no table")
    if unknown := sorted(row.keys() - set(_FIELDS)):
        raise CatalogError(f"{where}: unknown key {unknown[0]!r}; known are {', '.join(_FIELDS)}")
    values: dict[str, Any] = {"definition": "", "identity": ""}
    for key, value in row.items():
        if key in _LISTS:
            if not isinstance(value, list) or not all(isinstance(item, str) and item.strip() for item in value):
                raise CatalogError(f"{where}: {key} is a list of texts")
            values[key] = tuple(value)
        elif not isinstance(value, str):
            raise CatalogError(f"{where}: {key} is a text")
        else:
            values[key] = value
    if "name" not in values:
        raise CatalogError(f"{where} has no name")
    return EntityType(**values)


def as_toml(catalog: Catalog) -> str:
    """The types of a catalog that differ from the built-in ones, as a file that :func:`read_catalog` reads back."""
    return "\n".join(_table(kind) for kind in catalog.own)


def _table(kind: EntityType) -> str:
    lines = ["[[type]]"]
    for key, value in _values(kind).items():
        if value:
            lines.append(f"{key} = {_quoted(value)}")
    return "\n".join(lines) + "\n"


def _quoted(value: Any) -> str:
    if isinstance(value, tuple):
        return "[" + ", ".join(_quoted(item) for item in value) + "]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _values(kind: EntityType) -> Mapping[str, Any]:
    return {name: getattr(kind, name) for name in _FIELDS}


def difference(old: Catalog, new: Catalog) -> list[str]:
    """What was added (``+``), removed (``-``) and changed (``~``) from one catalog to another, a line each."""
    before, after = ({kind.name: kind for kind in catalog.types} for catalog in (old, new))
    lines: list[str] = []
    for name in dict.fromkeys([*before, *after]):
        if name not in before:
            lines.append(f"+ {name}: {after[name].definition}")
        elif name not in after:
            lines.append(f"- {name}: {before[name].definition}")
        else:
            lines.extend(_changes(before[name], after[name]))
    return lines


def _changes(old: EntityType, new: EntityType) -> list[str]:
    before, after = _values(old), _values(new)
    return [
        f"~ {new.name}: {key}: {_quoted(before[key])} -> {_quoted(after[key])}"
        for key in _FIELDS
        if before[key] != after[key]
    ]


def describe(catalog: Catalog) -> list[str]:
    """A catalog for people, a type a line, then what was refused and why."""
    lines = [
        f"{kind.name}{'' if kind in TYPES else ' *'}: {kind.definition} {kind.identity}"
        + (f" For example {', '.join(kind.examples[:3])}." if kind.examples else "")
        for kind in catalog.types
    ]
    return [*lines, *(f"refused {each.name}: {each.reason}" for each in catalog.refused)]
