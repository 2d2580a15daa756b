"""Documents from JSON records: ``id, path, title, text, acl, created, modified``; further fields are metadata."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from typing import TypeGuard

from graphstore.errors import LoadError
from graphstore.records import JSON, Ignored, Rejected, SourceDocument

from .catalogs import is_catalog
from .document_fields import Taken, take
from .fields import content_hash, kind
from .formats import is_log
from .json_records import JsonRecord, read_records
from .tool_files import TOLD_BY

_ARRAYS = ("documents", "docs", "corpus")
_TEXT = ("text", "content", "body")


def record_documents(file: Path, name: str) -> Iterator[tuple[SourceDocument | Rejected | Ignored, str]]:
    """The documents of a file of JSON lines, of an array of records, or of an object that maps titles to texts.

    A record without id and path goes by its title; records of one title are told apart by a hash of their text.

    :param name: The file as messages shall call it.
    :returns: Each with the place it was read from: file, line end, line.
    :raises LoadError: It is a file of tools or of task logs.
    """
    titles: Counter[str] = Counter()
    records = read_records(file, name, _ARRAYS)
    head = list(islice(records, TOLD_BY))
    _require_documents(name, [record.value for record in head if isinstance(record, JsonRecord)])
    if not head:
        yield Ignored(name, None, "holds no documents"), ""
    for record in chain(head, records):
        if isinstance(record, Rejected):
            yield record, ""
            continue
        for line, value in _spread(record):
            place = f"{name}\n{line}"
            try:
                document, remarks = _document(value, titles)
            except ValueError as error:
                yield Rejected(name, line, f"{record.where}: {error}" if record.where else str(error)), place
                continue
            yield document, place
            yield from ((Ignored(name, line, remark), place) for remark in remarks)
            if not document.text.strip():
                yield Ignored(name, line, f"{document.id!r} has no text"), place


def _require_documents(name: str, values: list[JSON]) -> None:
    """One error that names the command, instead of one for every tool or run that has no text."""
    if any(isinstance(value, dict) and (_has_text(value) or _maps_titles(value)) for value in values):
        return
    for holds, what, command in ((is_log, "task logs", "logs"), (is_catalog, "tools", "tools")):
        if any(map(holds, values)):
            raise LoadError(f"holds {what}, no documents: graphstore load {command}", name)


def _has_text(value: dict[str, JSON]) -> bool:
    return any(value.get(name) is not None for name in _TEXT)


def _maps_titles(value: dict[str, JSON]) -> bool:
    return bool(value) and not any(name in value for name in _TEXT) and all(map(_is_text, value.values()))


def _spread(record: JsonRecord) -> Iterator[tuple[int, JSON]]:
    """The record; an object that maps titles to texts (as HotpotQA's corpus does) gives a record a title."""
    value = record.value
    if isinstance(value, dict) and _maps_titles(value):
        yield from ((record.line, {"title": title, "text": text}) for title, text in value.items())
    else:
        yield record.line, value


def _is_text(value: JSON) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(part, str) for part in value)


def _document(value: JSON, titles: Counter[str]) -> tuple[SourceDocument, list[str]]:
    if not isinstance(value, dict):
        raise ValueError(f"is {kind(value)}, not a document")
    fields = dict(value)
    text_name = next((name for name in _TEXT if fields.get(name) is not None), None)
    if text_name is None:
        raise ValueError("the document has no text")
    body = fields.pop(text_name)
    if _is_text(body):
        body = "".join(body)
    if not isinstance(body, str):
        raise ValueError(f"{text_name} is {kind(body)}, not text")
    taken = take(fields, with_path=True)
    path = taken.path or taken.id or _named(taken, body, titles)
    return taken.document(path, path.rsplit("/", 1)[-1], body), taken.remarks


def _named(taken: Taken, body: str, titles: Counter[str]) -> str:
    if not taken.title:
        return content_hash(body)
    titles[taken.title] += 1
    return taken.title if titles[taken.title] == 1 else f"{taken.title} ({content_hash(body)[:8]})"
