"""Records of the tool graph as rows of the store and back: pure, and each other's inverse."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from hashlib import sha256
from typing import Any

from graphstore.records import ToolSpec
from graphstore.toolgraph.history import Next
from graphstore.toolgraph.mining import Run, Stage, mine_paths
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
        "failed_runs": [_failed(run) for run in runs if run.passed is False],
        "unjudged_runs": [run.id for run in runs if run.passed is None],
        "no_calls": stage.passed_without_calls,
    }


def path_rows(stage: Stage) -> list[Row]:
    """The ToolPath rows of a stage."""
    return [
        {
            "id": path_id(stage.id, path.tools),
            "stage": stage.id,
            "tools": list(path.tools),
            "length": path.length,
            "count": path.count,
            "sources": list(path.sources),
            "finished": list(path.finished),
            "efficiency": path.efficiency,
            "shortest": path.shortest,
        }
        for path in mine_paths(stage.runs.values())
    ]


def path_id(stage: str, tools: Sequence[str]) -> str:
    """Identity of a path, from its content."""
    # as JSON: a name may hold any separator
    return sha256(json.dumps([stage, *tools], ensure_ascii=False).encode()).hexdigest()[:32]


def stage_from_row(row: Mapping[str, Any]) -> Stage:
    """The stage that ``retrieve/tool_stage_runs`` returned, with every run."""
    runs = {run: Run(run, (), True) for run in row["run_ids"]}
    runs.update((run, Run(run, (), None)) for run in row["unjudged_runs"])
    for text in row["failed_runs"]:
        failed = json.loads(text)
        runs[failed["run"]] = Run(failed["run"], tuple(failed["tools"]), False, failed["finished"], failed["reason"])
    for path in row["paths"]:
        for run, finished in zip(path["sources"], path["finished"], strict=True):
            runs[run] = Run(run, tuple(path["tools"]), True, finished or None)
    return Stage(
        id=row["id"],
        task=row["task"],
        task_name=row["task_name"],
        request=row["request"],
        description=row["description"],
        domain=row["domain"],
        runs=runs,
    )


def edge_rows(edges: Iterable[Next] | Iterable[Similar] | Iterable[Requires]) -> list[Row]:
    """Relationship rows; tuples become lists, as the server returns them."""
    return [
        {key: list(value) if isinstance(value, tuple) else value for key, value in asdict(edge).items()}
        for edge in edges
    ]


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


def _failed(run: Run) -> str:
    fields = {"run": run.id, "tools": list(run.tools), "reason": run.reason, "finished": run.finished}
    return json.dumps(fields, ensure_ascii=False, sort_keys=True)
