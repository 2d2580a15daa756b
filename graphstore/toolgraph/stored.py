"""Records of the tool graph as rows of the store and back: pure, and each other's inverse."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from hashlib import sha256
from typing import Any

from graphstore.records import ToolSpec
from graphstore.toolgraph.history import Next
from graphstore.toolgraph.mining import Run, Stage, Texts, mine_paths, stage_of
from graphstore.toolgraph.requires import Requires
from graphstore.toolgraph.semantic import Similar, tool_text

Row = dict[str, Any]


def tool_row(spec: ToolSpec) -> Row:
    """The properties of a declared tool; schemas and declared needs as JSON texts, the latter two ``None`` if empty."""
    needs = sorted({(need.tool, need.kind, need.parameter or "") for need in spec.requires})
    return {
        "id": spec.id,
        "name": spec.name,
        "server": spec.server,
        "domain": spec.domain,
        "description": spec.description,
        "parameters": json_text(dict(spec.parameters)),
        "output": json_text(dict(spec.output)) if spec.output else None,
        "requires": json_text([{"tool": t, "kind": kind, "parameter": p} for t, kind, p in needs]) if needs else None,
    }


def undeclared_tool_row(tool: str) -> Row:
    """The properties of a tool that only logs name: all else is missing until a catalog brings it."""
    missing = dict.fromkeys(["server", "domain", "description", "parameters", "output", "requires"])
    return {"id": tool, "name": tool, **missing}


def json_text(value: Any) -> str:
    """A value as the JSON text that is stored: the same for equal values."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def row_text(tool: Mapping[str, Any]) -> str:
    """The text of a stored tool, as its vector and the lexical index see it."""
    return tool_text(tool["name"], tool["description"] or "", json.loads(tool["parameters"] or "{}"))


def stage_text(stage: Stage) -> str:
    """The text that a stage is found by: its request, else its description; may be empty."""
    return stage.request or stage.description.strip()


def stage_row(stage: Stage) -> Row:
    """The properties of a stage, without its vector."""
    runs = sorted(stage.runs.values(), key=lambda run: run.id)
    return {
        "id": stage.id,
        "task": stage.task,
        "task_name": stage.task_name,
        "request": stage.request,
        "description": stage.description,
        "domain": stage.domain,
        "passed": any(run.passed for run in runs),
        "runs": len(runs),
        "run_ids": [run.id for run in runs],
        "failed_runs": [_run_text(run) for run in runs if run.passed is False],
        "unjudged_runs": [_run_text(run) for run in runs if run.passed is None],
        "idle_runs": [_run_text(run) for run in runs if run.passed and not run.tools],
        "no_calls": stage.passed_without_calls,
        "texts": _texts(runs),
    }


def path_rows(stage: Stage) -> list[Row]:
    """The ToolPath rows of a stage."""
    return [
        {
            "id": path_id(stage.id, path.tools, path.steps),
            "stage": stage.id,
            "tools": list(path.tools),
            "steps": list(path.steps),
            "length": path.length,
            "count": path.count,
            "sources": list(path.sources),
            "finished": list(path.finished),
            "calls": list(path.calls),
            "efficiency": path.efficiency,
            "shortest": path.shortest,
        }
        for path in mine_paths(stage.runs.values())
    ]


def path_id(stage: str, tools: Sequence[str], steps: Sequence[int] = ()) -> str:
    """Identity of a path, from its content.

    :param steps: Number of each tool's step; empty if each is alone.
    """
    parallel = [list(steps)] if steps and steps[-1] < len(tools) - 1 else []
    # as JSON: a name may hold any separator
    return sha256(json.dumps([stage, *tools, *parallel], ensure_ascii=False).encode()).hexdigest()[:32]


def stage_from_row(row: Mapping[str, Any]) -> Stage:
    """The stage that ``retrieve/tool_stage_runs`` returned, with every run."""
    texts = _texts_of_runs(row)
    runs = {run: Run(run, (), True, texts=texts[run]) for run in row["run_ids"]}
    for passed, listed in ((False, row["failed_runs"]), (None, row["unjudged_runs"]), (True, row["idle_runs"])):
        for text in listed:
            run = run_from_text(text, passed)
            runs[run.id] = replace(run, texts=texts[run.id])
    for path in row["paths"]:
        tools, steps = tuple(path["tools"]), tuple(path["steps"] or ())
        if steps and steps[-1] == len(tools) - 1:
            steps = ()
        calls = path["calls"] or [len(tools)] * len(path["sources"])  # none before calls were counted
        for run, finished, made in zip(path["sources"], path["finished"], calls, strict=True):
            runs[run] = Run(run, tools, True, finished or None, None, steps, made - len(tools), texts[run])
    return stage_of(row["id"], row["task"], runs)


def run_from_text(text: str, passed: bool | None) -> Run:
    """The run that one of a stage's ``failed_runs``, ``unjudged_runs`` or ``idle_runs`` holds."""
    if not text.startswith("{"):  # an id only, as unjudged runs were once kept
        return Run(text, (), passed)
    kept = json.loads(text)
    return Run(
        kept["run"],
        tuple(kept["tools"]),
        passed,
        kept["finished"],
        kept.get("reason"),
        tuple(kept.get("steps", ())),
        kept.get("extra", 0),
    )


def edge_rows(edges: Iterable[Next] | Iterable[Similar] | Iterable[Requires]) -> list[Row]:
    """Relationship rows; tuples become lists, as the server returns them."""
    return [
        {name: list(value) if isinstance(value, tuple) else value for name, value in _members(edge)} for edge in edges
    ]


def tried_rows(transitions: Iterable[Next]) -> list[Row]:
    """Rows of the transitions that no passed run made."""
    kept = ("source", "target", "failures", "blamed", "unjudged", "sums")
    return [{name: row[name] for name in kept} for row in edge_rows(transitions)]


def difference(wanted: Iterable[Row], stored: Iterable[Row], key: Sequence[str]) -> tuple[list[Row], list[Row]]:
    """Which rows to write and which to remove so that ``stored`` becomes ``wanted``.

    :param key: The fields that identify a row.
    :returns: Rows that are new or differ in any field; rows (their keys only) that should not be there.
    """
    before = {tuple(row[field] for field in key): row for row in stored}
    write = []
    for row in wanted:
        old = before.pop(tuple(row[field] for field in key), None)
        if old is None or any(old[field] != value for field, value in row.items()):
            write.append(row)
    return write, [dict(zip(key, gone, strict=True)) for gone in before]


def _members(edge: Next | Similar | Requires) -> Iterable[tuple[str, Any]]:
    # dataclasses.asdict copies deeply, which takes ten times as long
    return ((name, getattr(edge, name)) for name in edge.__slots__)


def _run_text(run: Run) -> str:
    fields = {
        "run": run.id,
        "tools": list(run.tools),
        "steps": list(run.steps),
        "extra": run.extra,
        "finished": run.finished,
        "reason": run.reason,
    }
    return json_text(fields)


def _texts(runs: Sequence[Run]) -> list[str]:
    """What the runs say of their stage, each with the runs that say so; nothing where all say the same."""
    by_texts: dict[Texts, list[str]] = {}
    for run in runs:
        by_texts.setdefault(run.texts, []).append(run.id)
    if len(by_texts) < 2:
        return []
    return sorted(json_text({**asdict(texts), "runs": said_by}) for texts, said_by in by_texts.items())


def _texts_of_runs(row: Mapping[str, Any]) -> Mapping[str, Texts]:
    by_run: dict[str, Texts] = {}
    for text in row["texts"]:
        said = json.loads(text)
        runs = said.pop("runs")
        by_run.update(dict.fromkeys(runs, Texts(**said)))
    if by_run:
        return by_run
    one = Texts(row["request"], row["description"], row["task_name"], row["domain"])
    return dict.fromkeys(row["run_ids"], one)
