"""Data sets of tool retrieval as tasks: request, gold, and the runs that may become history.

A data set is told by its files, so that a folder of the same form works under any name. Calls of tools that the catalog
does not declare are left out of gold and history alike: no method could offer them.
"""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from graphstore.errors import LoadError
from graphstore.loaders import read_logs, read_tools
from graphstore.records import Ignored, Rejected, Requirement, StageRun, ToolCall, ToolSpec
from graphstore.settings import Settings
from graphstore.toolgraph.mining import judged_run, mine_paths


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
    folder = _folder(name)
    for marks, read in FORMS.values():
        if all(any(folder.glob(mark)) for mark in marks):
            return read(folder)
    files = "; ".join(f"{form}: {', '.join(marks)}" for form, (marks, _) in FORMS.items())
    raise LoadError(f"has none of the known forms ({files})", str(folder))


def _folder(name: str) -> Path:
    if name not in FORMS:
        folder = Path(name)
        if not folder.is_dir():
            raise LoadError(f"is neither a folder nor one of {', '.join(FORMS)}", name)
        return folder
    data = Settings.load().data
    if data is None:
        raise LoadError(f"set GRAPHSTORE_DATA to the folder that holds tools/{name}, or name a folder", name)
    folder = data / "tools" / name
    if not folder.is_dir():
        raise LoadError("is not there: GRAPHSTORE_DATA must name the folder that holds it", str(folder))
    return folder


def _ultratool(folder: Path) -> ToolSet:
    catalog = tuple(_records(read_tools(folder / "tool_desc.json")))
    runs = _records(read_logs(_file(folder, "data.json*")))
    ids = json.loads((folder / "split_ids.json").read_text("utf-8"))["test_ids"]["chain"]
    known = _ids(catalog)
    tasks = tuple(_gold_task(run.task, run, known) for run in runs)
    return ToolSet(folder.name, "ultratool", catalog, tasks, ordered=True, test_ids=frozenset(map(str, ids)))


def _traject(folder: Path) -> ToolSet:
    catalog = tuple(
        ToolSpec(
            row["tool name"],
            row["tool description"],
            {
                "type": "object",
                "properties": {
                    p["name"]: {"type": str(p["type"]).lower(), "description": p["description"]}
                    for p in [*row["required_parameters"], *row["optional_parameters"]]
                },
                "required": [p["name"] for p in row["required_parameters"]],
            },
            domain=row["domain name"],
        )
        for row in _lines(_file(folder, "tools.jsonl*"))
    )
    known = _ids(catalog)
    tasks = []
    for row in _lines(_file(folder, "sequential.jsonl*")):
        calls = tuple(ToolCall(call["tool name"]) for call in sorted(row["tool list"], key=lambda c: c["step_number"]))
        run = StageRun(row["id"], f"{row['id']}/1", row["id"], row["query"].strip(), True, calls, "sequential.jsonl")
        tasks.append(_gold_task(row["id"], run, known))
    return ToolSet(folder.name, "traject-bench", catalog, tuple(tasks), ordered=True)


def _toollinkos(folder: Path) -> ToolSet:
    rows = [row for file in ("core_tools.json", "regular_tools.json") for row in _json(folder / file)]
    kinds = {
        "TOOL_DIRECTLY_DEPENDS_ON": "tool",
        "TOOL_INDIRECTLY_DEPENDS_ON": "tool-indirect",
        "PARAMETER_DIRECTLY_DEPENDS_ON": "parameter",
        "PARAMETER_DEPENDS_ON": "parameter",
        "PARAMETER_INDIRECTLY_DEPENDS_ON": "parameter-indirect",
    }
    catalog = tuple(
        ToolSpec(
            row["name"],
            row["description"],
            {
                "type": "object",
                "properties": {
                    p["name"]: {"type": p.get("type", "string"), "description": p.get("description", "")}
                    for p in row["parameters"]
                },
            },
            requires=tuple(
                Requirement(d["name"], kinds[d["dependence_type"]], d.get("parameter_name"))  # type: ignore[arg-type]
                for d in row["depends_on"]
            ),
        )
        for row in rows
    )
    known = _ids(catalog)
    tasks = []
    for number, row in enumerate(_json(folder / "instances.json")):
        name = f"instance-{number:04}"
        calls = tuple(ToolCall(tool) for tool in row["golden_function_names"])
        run = StageRun(name, f"{name}/1", name, row["user_query"].strip(), True, calls, "instances.json")
        tasks.append(replace(_gold_task(name, run, known), group=row["main_golden_function_name"]))
    return ToolSet(folder.name, "toollinkos", catalog, tuple(tasks), ordered=False)


def _workbench(folder: Path) -> ToolSet:
    """Gold is the tools of a task's shortest passed path; tasks that no run passed are not asked."""
    catalog = tuple(
        ToolSpec(row["name"], row["description"], {p: {} for p in row["parameters"]}, domain=row["domain"])
        for row in _json(folder / "tools.json")
    )
    templates = {}
    for file in sorted((folder / "queries_and_answers").glob("*.csv")):
        stem = file.stem.removesuffix("_queries_and_answers")
        with file.open(encoding="utf-8", newline="") as text:
            for number, row in enumerate(csv.DictReader(text)):
                templates[f"{stem}-{number:03}"] = row["base_template"]
    known = _ids(catalog)
    runs: dict[str, list[StageRun]] = {}
    for row in _lines(_file(folder, "agent_runs.jsonl*")):
        if row["passed"]:
            calls = tuple(ToolCall(tool) for tool in row["observed_tool_path"])
            task = row["task_id"]
            run = StageRun(task, f"{task}/1", row["run_id"], row["query"].strip(), True, calls, "agent_runs.jsonl")
            runs.setdefault(task, []).append(_declared(run, known))
    tasks = []
    for task, group in templates.items():
        paths = mine_paths(judged_run(run) for run in runs.get(task, ()))
        if paths:
            gold = tuple(dict.fromkeys(paths[0].tools))
            tasks.append(Task(task, runs[task][0].request, gold, group, tuple(runs[task])))
    return ToolSet(folder.name, "workbench", catalog, tuple(tasks), ordered=True)


FORMS: dict[str, tuple[tuple[str, ...], Callable[[Path], ToolSet]]] = {
    "ultratool": (("tool_desc.json", "data.json*", "split_ids.json"), _ultratool),
    "traject-bench": (("tools.jsonl*", "sequential.jsonl*"), _traject),
    "toollinkos": (("core_tools.json", "regular_tools.json", "instances.json"), _toollinkos),
    "workbench": (("tools.json", "agent_runs.jsonl*", "queries_and_answers"), _workbench),
}
"""Data set → the files that tell its form, and its reader."""


def _gold_task(task: str, run: StageRun, known: Collection[str]) -> Task:
    """A task whose one run is its gold; its group is its path."""
    kept = _declared(run, known)
    path = [call.tool for call in kept.calls]
    return Task(task, kept.request, tuple(dict.fromkeys(path)), json.dumps(path, ensure_ascii=False), (kept,))


def _declared(run: StageRun, known: Collection[str]) -> StageRun:
    return replace(run, calls=tuple(call for call in run.calls if call.tool in known))


def _ids(catalog: Iterable[ToolSpec]) -> frozenset[str]:
    return frozenset(tool.id for tool in catalog)


def _records(found: Iterable[Record | Rejected | Ignored]) -> Iterator[Record]:
    for record in found:
        if isinstance(record, Rejected):
            raise LoadError(
                f"{record.reason}; an evaluation takes whole data sets only", f"{record.path}:{record.line}"
            )
        if not isinstance(record, Ignored):
            yield record


def _file(folder: Path, pattern: str) -> Path:
    return next(iter(sorted(folder.glob(pattern))))


def _json(file: Path) -> Any:
    return json.loads(file.read_text("utf-8"))


def _lines(file: Path) -> Iterator[Any]:
    with gzip.open(file, "rt", encoding="utf-8") if file.suffix == ".gz" else file.open(encoding="utf-8") as lines:
        yield from (json.loads(line) for line in lines if line.strip())
