"""Three published data sets as history: WorkBench's runs, TRAJECT-Bench's trajectories, ToolLinkOS's tool sets.

*WorkBench*: real runs; ``passed`` was derived from the gold answer by who published them so. Eight settings ran each
task: eight runs of one stage.

*TRAJECT-Bench*: each record is the trajectory that answers its query, so it passed, whatever ``execution_status`` says
of a call: that is whether the interface answered on the day it was tried. ``sequence_name`` and
``sequence_description`` name the tools of the path and are not read.

*ToolLinkOS*: each record is the set of tools that a request needs. Nothing is known of the order of calls — the main
tool is listed first, though it needs the others — so all tools are one turn. The requests about one main tool are the
stages of one task, since they have one set.
"""

from __future__ import annotations

import ast
import json
import warnings
from collections.abc import Callable, Mapping
from typing import cast

from graphstore.records import JSON, Rejected, StageRun, ToolCall

from .fields import content_hash, flag, kind, objects, text
from .json_records import JsonRecord
from .log_reader import Runs, at
from .outcome import PassedIf

Object = dict[str, JSON]


def is_workbench(value: JSON) -> bool:
    """Whether a JSON value looks like a run of WorkBench."""
    return isinstance(value, dict) and "observed_tool_path" in value and "query" in value


def is_traject(value: JSON) -> bool:
    """Whether a JSON value looks like a trajectory of TRAJECT-Bench."""
    return isinstance(value, dict) and "tool list" in value


def is_tool_set(value: JSON) -> bool:
    """Whether a JSON value looks like a request of ToolLinkOS."""
    return isinstance(value, dict) and "golden_function_names" in value


def workbench(record: JsonRecord, path: str, passed_if: PassedIf | None) -> Runs:
    """The run as one run of one stage, ``1``, of its task."""
    return _one(_workbench, record, path, passed_if, unsaid=None)


def traject(record: JsonRecord, path: str, passed_if: PassedIf | None) -> Runs:
    """The trajectory as one passed run of one stage, ``1``."""
    return _one(_traject, record, path, passed_if, unsaid=True)


def tool_set(record: JsonRecord, path: str, passed_if: PassedIf | None) -> Runs:
    """The request as one passed run of one stage, all of whose tools are called in no order."""
    return _one(_tool_set, record, path, passed_if, unsaid=True)


def _one(
    read: Callable[[Object, bool | None, str], StageRun],
    record: JsonRecord,
    path: str,
    passed_if: PassedIf | None,
    *,
    unsaid: bool | None,
) -> Runs:
    """The stage run of a record; ``unsaid`` is its verdict where neither it nor a condition gives one."""
    try:
        value = record.value
        if not isinstance(value, dict):
            raise ValueError(f"is {kind(value)}, not a run")
        passed = passed_if.verdict(value) if passed_if else flag(value, "passed")
        yield read(value, unsaid if passed is None and passed_if is None else passed, f"{path}:{record.line}")
    except ValueError as error:
        yield Rejected(path, record.line, at(record.where, error))


def _workbench(run: Object, passed: bool | None, source: str) -> StageRun:
    task = _required(run, "task_id")
    names = run.get("observed_tool_path")
    if not isinstance(names, list):
        raise ValueError(f"observed_tool_path is {kind(names)}, not a list")
    written = run.get("function_calls")
    if written is None:
        written = [None] * len(names)
    if not isinstance(written, list) or len(written) != len(names):
        raise ValueError("function_calls are not the calls of observed_tool_path")
    calls = []
    for index, (name, call) in enumerate(zip(names, written, strict=True)):
        if not isinstance(name, str) or not name.strip():
            raise ValueError(f"observed_tool_path[{index}] is {kind(name)}, not a tool's name")
        calls.append(ToolCall(name, _python_arguments(call)))
    return StageRun(
        task=task,
        stage=f"{task}/1",
        run=text(run, "run_id") or content_hash(run),
        request=text(run, "query").strip(),
        passed=passed,
        calls=tuple(calls),
        source=source,
        domain=text(run, "domain") or None,
        failure=text(run, "error") or None,
    )


def _python_arguments(call: JSON) -> Mapping[str, JSON]:
    """The arguments of ``tool.func(name="value")``, read, not run; what is no such call is kept under ``""``."""
    if not isinstance(call, str):
        return {}
    try:
        with warnings.catch_warnings():  # of odd escapes in the strings
            warnings.simplefilter("ignore")
            expression = ast.parse(call, mode="eval").body
        if not isinstance(expression, ast.Call) or expression.args:
            return {"": call}
        arguments = {word.arg or "": ast.literal_eval(word.value) for word in expression.keywords}
        return cast("Mapping[str, JSON]", json.loads(json.dumps(arguments, allow_nan=False)))
    except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError):
        return {"": call}


def _traject(run: Object, passed: bool | None, source: str) -> StageRun:
    task = text(run, "id") or content_hash(run)
    calls = [_traject_call(call, index) for index, call in enumerate(objects(_there(run, "tool list"), "tool list"))]
    return StageRun(
        task=task,
        stage=f"{task}/1",
        run=content_hash(run),
        request=text(run, "query").strip(),
        passed=passed,
        calls=tuple(calls),
        source=source,
        domain=text(run, "domain") or None,
    )


def _traject_call(call: Object, index: int) -> ToolCall:
    arguments: dict[str, JSON] = {}
    for field in ("required parameters", "optional parameters"):
        arguments.update((text(each, "name"), each.get("value")) for each in objects(call.get(field), field))
    status = text(call, "execution_status")
    if status not in ("", "success", "failed"):
        raise ValueError(f"tool list[{index}]: execution_status is {status!r}, neither 'success' nor 'failed'")
    name = _required(call, "tool name", f"tool list[{index}]")
    return ToolCall(name, arguments, success=status == "success" if status else None)


def _tool_set(run: Object, passed: bool | None, source: str) -> StageRun:
    names = run.get("golden_function_names")
    if not isinstance(names, list):
        raise ValueError(f"golden_function_names is {kind(names)}, not a list")
    for index, name in enumerate(names):
        if not isinstance(name, str) or not name.strip():
            raise ValueError(f"golden_function_names[{index}] is {kind(name)}, not a tool's name")
    identity = content_hash(run)
    task = text(run, "main_golden_function_name") or identity
    turn = 0 if len(names) > 1 else None
    return StageRun(
        task=task,
        stage=f"{task}/{identity}",
        run=identity,
        request=text(run, "user_query").strip(),
        passed=passed,
        calls=tuple(ToolCall(str(name), turn=turn) for name in names),
        source=source,
    )


def _required(record: Object, name: str, where: str = "the run") -> str:
    found = text(record, name)
    if not found.strip():
        raise ValueError(f"{where} has no {name}")
    return found


def _there(record: Object, name: str) -> JSON:
    if record.get(name) is None:
        raise ValueError(f"the run has no {name}")
    return record[name]
