"""Catalogs and task logs from a file or a folder, whatever their form."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

from graphstore.errors import LoadError
from graphstore.records import JSON, Ignored, Rejected, StageRun, ToolSpec

from .catalogs import HOLDERS, Declared, catalog_tools, is_catalog
from .files import existing, walk
from .formats import ARRAYS, Formats, is_log
from .json_records import JsonRecord, is_json_name, read_records
from .outcome import passed_if as condition
from .task_graph import superseded

TOLD_BY = 3
"""Records by which a file's kind is told: one broken record at its head must not cost the rest."""


def _is_catalog(value: JSON) -> bool:
    return is_catalog(value) and not is_log(value)


@dataclass(frozen=True, slots=True)
class _Kind:
    """What is looked for in a file, and what it is told apart from."""

    arrays: tuple[str, ...]
    mine: Callable[[JSON], bool]
    other: Callable[[JSON], bool]
    nothing: str
    instead: str


_TOOLS = _Kind((*HOLDERS, *ARRAYS), _is_catalog, is_log, "holds no tools", "holds task logs: graphstore load logs")
_LOGS = _Kind(ARRAYS, is_log, _is_catalog, "holds no task logs", "holds tools: graphstore load tools")
_FORCED = _Kind(ARRAYS, lambda value: True, is_log, "holds no task logs", "")


def read_tools(*paths: str | os.PathLike[str], server: str | None = None) -> Iterator[ToolSpec | Rejected | Ignored]:
    """The tools of catalog files, or of all JSON files of folders.

    :param server: Name of the server that offers them, the first part of their ids; else the one the file names.
    :raises LoadError: Nothing is at one of the paths, or it is a file of task logs.
    """
    declared = Declared()
    for record, name in _records(paths, _TOOLS):
        if not isinstance(record, JsonRecord):
            yield record
            continue
        for tool in catalog_tools(record, name, server):
            admitted = tool if isinstance(tool, Rejected) else declared.admit(tool, name, record.line)
            if admitted is not None:
                yield admitted


def read_logs(
    *paths: str | os.PathLike[str], format: str | None = None, passed_if: str | None = None
) -> Iterator[StageRun | Rejected | Ignored]:
    """The stage runs of log files, or of all JSON files of folders.

    :param format: Name of the format that all of them have; told by each record if not given.
    :param passed_if: Condition on a run's record that says whether it passed, instead of what the log says.
    :raises LoadError: Nothing is at one of the paths, or it is a file of tools.
    :raises SettingsError: No format is named so, or the condition states none.
    """
    formats = Formats(format, None if passed_if is None else condition(passed_if))
    return _read_logs(paths, formats)


def _read_logs(paths: Iterable[str | os.PathLike[str]], formats: Formats) -> Iterator[StageRun | Rejected | Ignored]:
    for record, name in _records(paths, _LOGS if formats.forced is None else _FORCED):
        if isinstance(record, JsonRecord):
            yield from formats.add(record, name)
        else:
            yield record
    yield from formats.finish()


def _records(
    paths: Iterable[str | os.PathLike[str]], kind: _Kind
) -> Iterator[tuple[JsonRecord | Rejected | Ignored, str]]:
    for path in [existing(each) for each in paths]:
        if not path.is_dir():
            yield from ((record, str(path)) for record in _of_file(path, str(path), kind, alone=True))
            continue
        empty = True
        for found in walk(path):
            if isinstance(found, Rejected):
                yield Rejected(str(path / found.path), found.line, found.reason), ""
            elif is_json_name(found[0]) and not superseded(found[0]):
                empty = False
                name = str(path / found[1])
                yield from ((record, name) for record in _of_file(found[0], name, kind, alone=False))
        if empty:
            yield Ignored(str(path), None, "holds no .json or .jsonl file"), ""


def _of_file(file: Path, name: str, kind: _Kind, *, alone: bool) -> Iterator[JsonRecord | Rejected | Ignored]:
    """The records of a file; one line for a file that holds none of the kind.

    :param alone: The file was named by itself: then another kind is an error, and records of no kind are named.
    """
    records = read_records(file, name, kind.arrays)
    head = list(islice(records, TOLD_BY))
    values = [record.value for record in head if isinstance(record, JsonRecord)]
    if not any(map(kind.mine, values)):
        if any(map(kind.other, values)):
            if alone:
                raise LoadError(kind.instead, name)
            yield Ignored(name, None, f"skipped, it {kind.instead}")
            return
        if not head or (values and not alone):
            yield Ignored(name, None, kind.nothing)
            return
    yield from chain(head, records)
