"""Entities of a registry (a directory of people, a CRM, a CMDB) from CSV with any delimiter, or from JSON records."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from graphstore.errors import LoadError
from graphstore.records import JSON, Ignored, Rejected, SourceEntity

from .delimited import delimited_rows
from .fields import content_hash, kind
from .files import existing
from .json_records import JsonRecord, is_json_name, read_records

ID = ("id", "entity_id", "rec_id", "emp_id", "employee_id", "uid", "key")
NAME = ("name", "full_name", "display_name", "title", "label")
_GIVEN = ("given_name", "first_name", "givenname", "firstname")
_FAMILY = ("surname", "last_name", "family_name", "lastname", "sn")
_TYPE, _ALIASES = "type", ("aliases", "alias", "also_known_as")

_ARRAYS = ("entities", "records", "people", "items")
_BETWEEN = re.compile(r"\s*[;|\n]\s*")

Entities = Iterator[SourceEntity | Rejected | Ignored]


@dataclass(frozen=True, slots=True)
class Columns:
    """Which columns hold what; found by their usual names where not given.

    :param id: Column of the ids.
    :param name: Column of the names.
    """

    id: str | None = None
    name: str | None = None


def read_entities(*paths: str | os.PathLike[str], id: str | None = None, name: str | None = None) -> Entities:
    """The records of registries: files of delimited text with a header line, JSON lines or arrays, plain or gzip.

    Columns ``id``, ``name`` (or given name and surname), ``type`` and ``aliases`` are known, whatever their case; every
    other one is an attribute. A record without id gets one from its content. Of two records with one id the first is
    kept; the second is rejected unless it is the same.

    :param id: Column of the ids, if it is named otherwise.
    :param name: Column of the names, if it is named otherwise.
    :raises LoadError: Nothing is at one of the paths, or a file has no column of names.
    """
    columns = Columns(_key(id) if id else None, _key(name) if name else None)
    first: dict[str, tuple[str, str]] = {}
    for path in [existing(each) for each in paths]:
        if path.is_dir():
            raise LoadError("is a folder: name the files of the registry", path)
        for line, found in _records(path, columns):
            if isinstance(found, SourceEntity):
                mark = (entity_hash(found), f"{path}:{line}")
                known = first.setdefault(found.id, mark)
                if known is mark:
                    yield found
                elif known[0] != mark[0]:
                    yield Rejected(str(path), line, f"the id {found.id!r} was read from {known[1]}")
            else:
                yield found


def _records(path: Path, columns: Columns) -> Iterator[tuple[int, SourceEntity | Rejected | Ignored]]:
    rows = _json_rows(path) if is_json_name(path) else _text_rows(path, columns)
    empty = True
    for line, row in rows:
        empty = False
        if isinstance(row, Rejected):
            yield line, row
            continue
        try:
            yield line, _entity(row, columns, str(path))
        except ValueError as error:
            yield line, Rejected(str(path), line, str(error))
    if empty:
        yield 0, Ignored(str(path), None, "holds no records")


def _json_rows(path: Path) -> Iterator[tuple[int, dict[str, JSON] | Rejected]]:
    for record in read_records(path, str(path), _ARRAYS):
        if isinstance(record, Rejected):
            yield record.line or 0, record
        elif isinstance(record.value, dict):
            yield record.line, record.value
        else:
            where = f"{record.where}: " if isinstance(record, JsonRecord) and record.where else ""
            yield record.line, Rejected(str(path), record.line, f"{where}is {kind(record.value)}, not an object")


def _text_rows(path: Path, columns: Columns) -> Iterator[tuple[int, dict[str, JSON] | Rejected]]:
    header: list[str] | None = None
    for line, row in delimited_rows(path):
        if isinstance(row, Rejected):
            yield line, row
        elif header is None:
            header = [column.strip() for column in row]
            _require_columns(header, path, columns)
        else:
            yield line, _row(header, row, str(path), line)


def _require_columns(header: list[str], path: Path, columns: Columns) -> None:
    named = [_key(column) for column in header if column]
    for column in named:
        if named.count(column) > 1:
            raise LoadError(f"the column {column!r} stands twice in the header", path, 1)
    for given in (columns.id, columns.name):
        if given and given not in named:
            raise LoadError(f"has no column {given!r}", path, 1)
    if not columns.name and not {*NAME, *_GIVEN, *_FAMILY}.intersection(named):
        raise LoadError(f"has no column of names ({', '.join(NAME)}): say which with --name", path, 1)


def _row(header: list[str], row: list[str], path: str, line: int) -> dict[str, JSON] | Rejected:
    if len(row) != len(header):
        return Rejected(path, line, f"has {len(row)} fields, the header {len(header)}")
    try:
        "".join(row).encode("utf-8")
    except UnicodeEncodeError:
        return Rejected(path, line, "is not UTF-8")
    return {column: value.strip() for column, value in zip(header, row, strict=True) if column}


def _entity(row: Mapping[str, JSON], columns: Columns, source: str) -> SourceEntity:
    by_key = {_key(column): column for column in row}
    left = dict(row)

    def take(*names: str) -> JSON:
        return next((left.pop(by_key[name]) for name in names if name in by_key), None)

    identity = _text(take(*([columns.id] if columns.id else ID)), "id")
    name = _text(take(*([columns.name] if columns.name else NAME)), "name") or _full_name(row, by_key)
    if not name:
        raise ValueError("has no name")
    entity_type = _text(take(_TYPE), "type") or None
    aliases = _aliases(take(*_ALIASES))
    attributes: dict[str, JSON] = {column: value for column, value in left.items() if value is not None and value != ""}
    found = SourceEntity(identity, name, entity_type, aliases, attributes, source)
    return found if identity else replace(found, id=entity_hash(found))


def entity_hash(entity: SourceEntity) -> str:
    """Hash of all that a record says but its id; where it was read is left out."""
    said: dict[str, JSON] = {"name": entity.name, "type": entity.type, "aliases": [*entity.aliases]}
    return content_hash({**said, "attributes": dict(entity.attributes)})


def _full_name(row: Mapping[str, JSON], by_key: Mapping[str, str]) -> str:
    """Given name and surname together; both stay attributes."""
    parts = (next((by_key[name] for name in names if name in by_key), None) for names in (_GIVEN, _FAMILY))
    return " ".join(filter(None, (_text(row[column], column) for column in parts if column is not None)))


def _aliases(value: JSON) -> tuple[str, ...]:
    """Other names: a list, or text with ``;`` or ``|`` between them."""
    names: list[Any] = value if isinstance(value, list) else _BETWEEN.split(value) if isinstance(value, str) else []
    if value is not None and not isinstance(value, (list, str)):
        raise ValueError(f"aliases is {kind(value)}, neither a list nor text")
    return tuple(dict.fromkeys(text for name in names if (text := _text(name, "aliases"))))


def _text(value: JSON, what: str) -> str:
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise ValueError(f"{what} is {kind(value)}, not text")
    return " ".join(str(value).split())


def _key(column: str) -> str:
    return "_".join(column.strip().casefold().replace("-", " ").replace("_", " ").split())
