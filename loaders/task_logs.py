"""Task logs of agent runs into stage runs: what was asked, which tools were called in order, whether it passed.

A run holds its stages under ``stages`` (or ``agent_traces``); a stage holds ``tool_calls_detail`` or, without it,
``observed_tool_path``. A stage passed if its own ``passed`` says so; else if every verdict given for it under
``evaluation_result.stage_results`` (``process_pass``, ``outcome_pass``) is true; else, if nothing is said of any
stage, if the run as a whole succeeded.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import count

from graphstore.records import JSON, Rejected, StageRun, ToolCall

from .fields import content_hash, flag, iso_date, kind, objects, text
from .json_records import JsonRecord
from .log_reader import Runs, at
from .messages import arguments
from .outcome import PassedIf, stage_verdict

RUNS = ("task_logs", "runs")
STAGES = ("stages", "agent_traces")
CALLS = ("tool_calls_detail", "observed_tool_path")
MARKS = frozenset([*STAGES, *CALLS, "task_id", "run_id", *RUNS])
_FINISHED = ("finished", "finished_at", "completed_at", "ended_at", "end_time", "timestamp")
_NESTING = 200

Object = Mapping[str, JSON]


def is_run(value: JSON) -> bool:
    """Whether a JSON value looks like a run, or like one stage standing alone."""
    return isinstance(value, dict) and any(name in value for name in (*STAGES, *CALLS))


def is_task_log(value: JSON) -> bool:
    """Whether a JSON value looks like a log, a run of one, or something that was meant as one."""
    return isinstance(value, dict) and not MARKS.isdisjoint(value)


def task_log_runs(record: JsonRecord, path: str, passed_if: PassedIf | None = None) -> Runs:
    """The stages of a run, or of all runs of a whole log in one record."""
    yield from (run for each in _runs(record) for run in stage_runs(each, path, passed_if))


def _runs(record: JsonRecord) -> Iterator[JsonRecord]:
    value = record.value
    name = next((name for name in RUNS if isinstance(value, dict) and isinstance(value.get(name), list)), None)
    if name is None or is_run(value) or not isinstance(value, dict):
        yield record
        return
    runs = value[name]
    for index, run in enumerate(runs if isinstance(runs, list) else []):
        yield JsonRecord(record.line, f"{record.where}.{name}[{index}]".lstrip("."), run)


def stage_runs(record: JsonRecord, path: str, passed_if: PassedIf | None = None) -> Runs:
    """The stages of one run, in order; a stage that cannot be read is rejected alone.

    :param path: The file as messages shall call it.
    :param passed_if: Decides instead of the log; it looks into the stage, then into the run.
    """
    try:
        run, stages, task, name = _opened(record.value)
    except ValueError as error:
        yield Rejected(path, record.line, at(record.where, error))
        return
    seen: Counter[str] = Counter()
    for index, stage in enumerate(stages):
        where = ".".join(part for part in (record.where, f"{name}[{index}]" if name else "") if part)
        try:
            if not isinstance(stage, dict):
                raise ValueError(f"is {kind(stage)}, not an object")
            read = _stage_run(run, stage, index, task, seen, f"{path}:{record.line}")
            yield read if passed_if is None else replace(read, passed=_judged(passed_if, run, stage, len(stages)))
        except ValueError as error:
            yield Rejected(path, record.line, at(where, error))


def _judged(passed_if: PassedIf, run: Object, stage: Object, stages: int) -> bool | None:
    own = passed_if.verdict(dict(stage))
    return own if own is not None else stage_verdict(passed_if.verdict(dict(run)), stages)


def _opened(run: JSON) -> tuple[Object, list[JSON], str, str]:
    """The run, its stages, its task id, and the name of the member that holds the stages."""
    if not isinstance(run, dict):
        raise ValueError(f"is {kind(run)}, not a run")
    task = text(run, "task_id", "task_name")
    if not task.strip():
        raise ValueError("the run has no task_id")
    name = next((name for name in STAGES if run.get(name) is not None), "")
    if name:
        stages = run[name]
        if not isinstance(stages, list):
            raise ValueError(f"{name} is {kind(stages)}, not a list")
        return run, stages, task, name
    if any(name in run for name in CALLS):
        return run, [run], task, ""
    raise ValueError("the run has no stages")


def _stage_run(run: Object, stage: dict[str, JSON], index: int, task: str, seen: Counter[str], source: str) -> StageRun:
    stage_id = text(stage, "stage_id") or str(index + 1)
    identity = text(run, "run_id") or content_hash(dict(run))
    seen[stage_id] += 1
    if seen[stage_id] > 1:  # the same stage tried again within one run is a run of its own
        identity = f"{identity}#{seen[stage_id]}"
    name = text(run, "task_name")
    description = text(stage, "stage_description")
    dates = [iso_date(holder.get(field)) for holder in (stage, run) for field in _FINISHED]
    return StageRun(
        task=task,
        stage=f"{task}/{stage_id}",
        run=identity,
        request=text(stage, "user_query").strip() or text(run, "user_query").strip() or description or name,
        passed=_passed(run, stage, stage_id),
        calls=tuple(_calls(stage)),
        source=source,
        task_name=name,
        description=description,
        domain=text(stage, "selected_domain", "domain") or None,
        finished=next((found for found in dates if found), None),
        failure=_failure(stage),
    )


def _passed(run: Object, stage: Object, stage_id: str) -> bool | None:
    own = flag(stage, "passed")
    if own is not None:
        return own
    if stage.get("failure"):
        return False
    result = run.get("evaluation_result")
    if result is None:
        return None
    if not isinstance(result, dict):
        raise ValueError(f"evaluation_result is {kind(result)}, not an object")
    verdicts = objects(result.get("stage_results"), "evaluation_result.stage_results")
    mine = [
        verdict
        for each in verdicts
        if text(each, "stage_id") == stage_id
        for verdict in (flag(each, "process_pass"), flag(each, "outcome_pass"))
        if verdict is not None
    ]
    if mine:
        return all(mine)
    # a run that failed as a whole does not say which of its stages did
    return True if not verdicts and flag(result, "overall_success") else None


def _failure(stage: Object) -> str | None:
    failure = stage.get("failure")
    if failure is None or isinstance(failure, str):
        return failure
    if not isinstance(failure, dict):
        raise ValueError(f"failure is {kind(failure)}, not an object")
    return ": ".join(part for part in (text(failure, "label"), text(failure, "rule_reason")) if part) or None


def _calls(stage: Object) -> Iterator[ToolCall]:
    detail = stage.get("tool_calls_detail")
    if detail or stage.get("observed_tool_path") is None:
        yield from _flat(detail, "tool_calls_detail", 0, count())
        return
    observed = stage["observed_tool_path"]
    if not isinstance(observed, list):
        raise ValueError(f"observed_tool_path is {kind(observed)}, not a list")
    for index, name in enumerate(observed):
        if not isinstance(name, str) or not name.strip():
            raise ValueError(f"observed_tool_path[{index}] is {kind(name)}, not a tool's name")
        yield ToolCall(name)


def _flat(calls: JSON, where: str, depth: int, turns: Iterator[int]) -> Iterator[ToolCall]:
    """Calls in order: parallel ones (a list in the list) as one turn, calls made inside a call after it."""
    if calls is None:
        return
    if not isinstance(calls, list):
        raise ValueError(f"{where} is {kind(calls)}, not a list")
    for index, call in enumerate(calls):
        together = list(_together(call, f"{where}[{index}]", depth))
        turn = next(turns) if len(together) > 1 else None
        yield from (_call(each, here, turn) for each, here in together)
        for each, here in together:
            inner = each.get("tool_calls_detail")
            if inner is not None:
                _require_shallow(where, depth)
                yield from _flat(inner, f"{here}.tool_calls_detail", depth + 1, turns)


def _together(call: JSON, where: str, depth: int) -> Iterator[tuple[dict[str, JSON], str]]:
    """The calls of one turn: the call alone, or those of a list."""
    if isinstance(call, dict):
        yield call, where
    elif isinstance(call, list):
        _require_shallow(where, depth)
        for index, each in enumerate(call):
            yield from _together(each, f"{where}[{index}]", depth + 1)
    else:
        raise ValueError(f"{where} is {kind(call)}, not a call")


def _require_shallow(where: str, depth: int) -> None:
    if depth >= _NESTING:
        raise ValueError(f"{where.split('[')[0]} is nested more than {_NESTING} deep")


def _call(call: dict[str, JSON], where: str, turn: int | None) -> ToolCall:
    function = call.get("function")
    inner = function if isinstance(function, dict) else {}
    name = next((v for v in (call.get("tool_name"), call.get("name"), inner.get("name")) if v is not None), None)
    if not isinstance(name, str) or not name.strip():
        raise ValueError(f"{where} has no tool_name")
    error = call.get("error")
    success = flag(call, "success")
    return ToolCall(
        tool=name,
        arguments=arguments(call.get("arguments", inner.get("arguments"))),
        success=False if success is None and error else success,
        error=error if error is None or isinstance(error, str) else json.dumps(error, ensure_ascii=False),
        turn=turn,
    )
