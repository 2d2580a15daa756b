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
from .json_records import JsonRecord, is_json_name, read_records
from .task_graph import is_task, superseded, task_runs
from .task_logs import is_run, stage_runs

_RUNS = ("task_logs", "runs")
TOLD_BY = 3
"""Records by which a file's kind is told: one broken record at its head must not cost the rest."""


def is_log(value: JSON) -> bool:
    """Whether a JSON value looks like a log, a run of one, or something that was meant as one."""
    marks = ("task_id", "run_id", *_RUNS)
    return is_run(value) or is_task(value) or (isinstance(value, dict) and any(name in value for name in marks))


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


_TOOLS = _Kind((*HOLDERS, *_RUNS), _is_catalog, is_log, "holds no tools", "holds task logs: graphstore load logs")
_LOGS = _Kind(_RUNS, is_log, _is_catalog, "holds no task logs", "holds tools: graphstore load tools")


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


def read_logs(*paths: str | os.PathLike[str]) -> Iterator[StageRun | Rejected | Ignored]:
    """The stage runs of log files, or of all JSON files of folders.

    :raises LoadError: Nothing is at one of the paths, or it is a file of tools.
    """
    for record, name in _records(paths, _LOGS):
        if not isinstance(record, JsonRecord):
            yield record
        elif is_task(record.value):
            yield from task_runs(record, name)
        else:
            yield from (run for each in _runs(record) for run in stage_runs(each, name))


def _runs(record: JsonRecord) -> Iterator[JsonRecord]:
    """The runs of a record: itself, or those of a whole log in one line."""
    value = record.value
    name = next((name for name in _RUNS if isinstance(value, dict) and isinstance(value.get(name), list)), None)
    if name is None or is_run(value) or not isinstance(value, dict):
        yield record
        return
    runs = value[name]
    for index, run in enumerate(runs if isinstance(runs, list) else []):
        yield JsonRecord(record.line, f"{record.where}.{name}[{index}]".lstrip("."), run)


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
