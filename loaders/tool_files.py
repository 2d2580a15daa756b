"""Catalogs and task logs from a file or a folder, whatever their form."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

from graphstore.errors import LoadError
from graphstore.records import JSON, Ignored, Rejected, StageRun, ToolSpec

from .catalogs import HOLDERS, Declared, catalog_tools, is_catalog
from .files import existing, walk
from .json_records import JsonRecord, is_json_name, read_records
from .task_graph import is_task, superseded, task_runs
from .task_logs import is_run, stage_runs

_ARRAYS = (*HOLDERS, "task_logs", "runs")
_TOLD_BY = 3
"""Records by which a file's kind is told: one broken record at its head must not cost the rest."""


def _is_log(value: JSON) -> bool:
    return is_run(value) or is_task(value) or (isinstance(value, dict) and ("task_id" in value or "run_id" in value))


def _is_catalog(value: JSON) -> bool:
    return is_catalog(value) and not _is_log(value)


@dataclass(frozen=True, slots=True)
class _Kind:
    """What is looked for in a file, and what it is told apart from."""

    mine: Callable[[JSON], bool]
    other: Callable[[JSON], bool]
    nothing: str
    instead: str


_TOOLS = _Kind(_is_catalog, _is_log, "holds no tools", "holds task logs: graphstore load logs")
_LOGS = _Kind(_is_log, _is_catalog, "holds no task logs", "holds tools: graphstore load tools")


def read_tools(path: str | os.PathLike[str], server: str | None = None) -> Iterator[ToolSpec | Rejected | Ignored]:
    """The tools of a catalog file, or of all JSON files of a folder.

    :param server: Name of the server that offers them, the first part of their ids; else the one the file names.
    :raises LoadError: Nothing is at ``path``, or it is a file of task logs.
    """
    declared = Declared()
    for record, name in _records(existing(path), _TOOLS):
        if not isinstance(record, JsonRecord):
            yield record
            continue
        for tool in catalog_tools(record, name, server):
            admitted = tool if isinstance(tool, Rejected) else declared.admit(tool, name, record.line)
            if admitted is not None:
                yield admitted


def read_logs(path: str | os.PathLike[str]) -> Iterator[StageRun | Rejected | Ignored]:
    """The stage runs of a log file, or of all JSON files of a folder.

    :raises LoadError: Nothing is at ``path``, or it is a file of tools.
    """
    for record, name in _records(existing(path), _LOGS):
        if not isinstance(record, JsonRecord):
            yield record
        elif is_task(record.value):
            yield from task_runs(record, name)
        else:
            yield from stage_runs(record, name)


def _records(path: Path, kind: _Kind) -> Iterator[tuple[JsonRecord | Rejected | Ignored, str]]:
    if not path.is_dir():
        yield from ((record, str(path)) for record in _of_file(path, str(path), kind, alone=True))
        return
    for found in walk(path):
        if isinstance(found, Rejected):
            yield Rejected(str(path / found.path), found.line, found.reason), ""
        elif is_json_name(found[0]) and not superseded(found[0]):
            name = str(path / found[1])
            yield from ((record, name) for record in _of_file(found[0], name, kind, alone=False))


def _of_file(file: Path, name: str, kind: _Kind, *, alone: bool) -> Iterator[JsonRecord | Rejected | Ignored]:
    """The records of a file; one line for a file that holds none of the kind.

    :param alone: The file was named by itself: then another kind is an error, and records of no kind are named.
    """
    records = read_records(file, name, _ARRAYS)
    head = list(islice(records, _TOLD_BY))
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
