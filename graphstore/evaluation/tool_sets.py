"""Data sets of tool retrieval as tasks: request, gold, and the runs that may become history.

A data set is told by its files, so that a folder of the same form works under any name. Calls of tools that the catalog
does not declare are left out of gold and history alike: no method could offer them.
"""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from graphstore.errors import LoadError
from graphstore.evaluation.data_folders import data_folder
from graphstore.loaders import read_logs, read_tools
from graphstore.records import Ignored, Rejected, StageRun, ToolSpec


@dataclass(frozen=True, slots=True)
class Task:
    """A task of a data set.

    :param gold: Ids of the tools that it needs, each once, in the order of their first call.
    :param group: What it shares with tasks that are not independent of it.
    :param runs: What becomes history if it is not asked.
    """

    id: str
    request: str
    gold: tuple[str, ...]
    group: str
    runs: tuple[StageRun, ...]


@dataclass(frozen=True, slots=True)
class ToolSet:
    """A data set.

    :param form: The name of the data set whose form it has.
    :param ordered: Whether gold stands in the order of execution.
    :param test_ids: Tasks of its own test split, if it has one.
    """

    name: str
    form: str
    catalog: tuple[ToolSpec, ...]
    tasks: tuple[Task, ...]
    ordered: bool
    test_ids: frozenset[str] = frozenset()


Record = TypeVar("Record", ToolSpec, StageRun)


def read_tool_set(name: str) -> ToolSet:
    """The data set of a name under ``GRAPHSTORE_DATA``, or of a folder.

    :raises LoadError: it is not there, has no known form, or a record of it cannot be read.
    """
    return FORMS[form_of(name)][1](_folder(name))


def form_of(name: str) -> str:
    """The name of the data set whose form the data set or folder has, told by its files.

    :raises LoadError: it is not there, or has no known form.
    """
    folder = _folder(name)
    for form, (marks, _) in FORMS.items():
        if all(any(folder.glob(mark)) for mark in marks):
            return form
    files = "; ".join(f"{form}: {', '.join(marks)}" for form, (marks, _) in FORMS.items())
    raise LoadError(f"has none of the known forms ({files})", str(folder))


def _folder(name: str) -> Path:
    return data_folder(name, "tools", FORMS)


def _ultratool(folder: Path) -> ToolSet:
    catalog = tuple(_records(read_tools(folder / "tool_desc.json")))
    ids = _test_ids(folder / "split_ids.json")
    runs = _runs(_file(folder, "data.json*"), catalog)
    tasks = tuple(_gold_task(run.task, run, _path(run)) for run in runs)
    return ToolSet(folder.name, "ultratool", catalog, tasks, ordered=True, test_ids=ids)


def _traject(folder: Path) -> ToolSet:
    catalog = tuple(_records(read_tools(_file(folder, "tools.jsonl*"))))
    runs = _runs(_file(folder, "sequential.jsonl*"), catalog)
    tasks = tuple(_gold_task(run.task, run, _path(run)) for run in runs)
    return ToolSet(folder.name, "traject-bench", catalog, tasks, ordered=True)


def _toollinkos(folder: Path) -> ToolSet:
    catalog = tuple(_records(read_tools(folder / "core_tools.json", folder / "regular_tools.json")))
    runs = {run.stage: run for run in _runs(folder / "instances.json", catalog)}
    tasks = tuple(_gold_task(stage, run, run.task) for stage, run in runs.items())
    return ToolSet(folder.name, "toollinkos", catalog, tasks, ordered=False)


def _workbench(folder: Path) -> ToolSet:
    """Gold is the tools of a task's shortest passed path; tasks that no run passed are not asked."""
    catalog = tuple(_records(read_tools(folder / "tools.json")))
    runs: dict[str, list[StageRun]] = {}
    for run in _runs(_file(folder, "agent_runs.jsonl*"), catalog):
        if run.passed and run.calls:
            runs.setdefault(run.task, []).append(run)
    tasks = []
    for task, template in _templates(folder / "queries_and_answers"):
        if task in runs:
            tasks.append(Task(task, runs[task][0].request, _shortest(runs[task]), template, tuple(runs[task])))
    return ToolSet(folder.name, "workbench", catalog, tuple(tasks), ordered=True)


def _shortest(runs: Sequence[StageRun]) -> tuple[str, ...]:
    """The tools of the shortest path, of several the most frequent, then the first by name; mining has no say in it."""
    taken = Counter(tuple(call.tool for call in run.calls) for run in runs)
    path = min(taken, key=lambda path: (len(path), -taken[path], path))
    return tuple(dict.fromkeys(path))


def _templates(folder: Path) -> Iterator[tuple[str, str]]:
    """Task ids with the template that each was made from: a task is named by its file and row."""
    for file in sorted(folder.glob("*.csv")):
        stem = file.stem.removesuffix("_queries_and_answers")
        try:
            with file.open(encoding="utf-8", newline="") as text:
                templates = [row["base_template"] for row in csv.DictReader(text)]
        except (OSError, ValueError, csv.Error, KeyError) as error:
            raise LoadError("is no table with a column base_template", str(file)) from error
        yield from ((f"{stem}-{number:03}", template) for number, template in enumerate(templates))


FORMS: dict[str, tuple[tuple[str, ...], Callable[[Path], ToolSet]]] = {
    "ultratool": (("tool_desc.json", "data.json*", "split_ids.json"), _ultratool),
    "traject-bench": (("tools.jsonl*", "sequential.jsonl*"), _traject),
    "toollinkos": (("core_tools.json", "regular_tools.json", "instances.json"), _toollinkos),
    "workbench": (("tools.json", "agent_runs.jsonl*", "queries_and_answers"), _workbench),
}
"""Data set → the files that tell its form, and its reader."""


def _gold_task(task: str, run: StageRun, group: str) -> Task:
    """A task whose one run is its gold."""
    return Task(task, run.request, tuple(dict.fromkeys(call.tool for call in run.calls)), group, (run,))


def _path(run: StageRun) -> str:
    return json.dumps([call.tool for call in run.calls], ensure_ascii=False)


def _runs(file: Path, catalog: Iterable[ToolSpec]) -> Iterator[StageRun]:
    """The runs of a log, without calls of tools that the catalog does not declare."""
    known = {tool.id for tool in catalog}
    for run in _records(read_logs(file)):
        yield replace(run, calls=tuple(call for call in run.calls if call.tool in known))


def _records(found: Iterable[Record | Rejected | Ignored]) -> Iterator[Record]:
    """The records of a loader; a data set of which one cannot be read is not the data set."""
    for record in found:
        if isinstance(record, Rejected):
            raise LoadError(record.reason, record.path, record.line)
        if not isinstance(record, Ignored):
            yield record


def _file(folder: Path, pattern: str) -> Path:
    return next(iter(sorted(folder.glob(pattern))))


def _test_ids(file: Path) -> frozenset[str]:
    try:
        return frozenset(map(str, json.loads(file.read_text("utf-8"))["test_ids"]["chain"]))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise LoadError('is not {"test_ids": {"chain": [id, …]}}', str(file)) from error
