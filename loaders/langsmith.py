"""Runs exported from LangSmith, as its interface lists them or a tree with ``child_runs``.

Tools are the runs of type ``tool``. A root run that names a ``reference_example_id`` is a run of that task, so that the
runs of one example are compared. A root run with an error is a failed run; feedback is read by a condition, such as
``feedback_stats.correctness.avg>=0.5``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from graphstore.records import JSON, ToolCall

from .conversation import stated
from .fields import iso_date, kind, objects, text
from .json_records import JsonRecord
from .messages import arguments, result_success
from .outcome import PassedIf
from .trace_fields import asked, issued, nanoseconds, opened
from .traces import Span

_NESTING = 200
_TYPES = ("llm", "chain", "tool", "retriever", "embedding", "prompt", "parser")
MARKS = frozenset(["run_type", "runs"])
Object = Mapping[str, JSON]


def is_langsmith(value: JSON) -> bool:
    """Whether a JSON value looks like a run of LangSmith, or a page of them."""
    if not isinstance(value, dict):
        return False
    if value.get("run_type") in _TYPES:
        return True
    runs = value.get("runs")
    return isinstance(runs, list) and any(isinstance(each, dict) and "run_type" in each for each in runs)


def langsmith_spans(record: JsonRecord, passed_if: PassedIf | None) -> Iterator[Span | str]:
    """The runs of a record; of one that cannot be read, the reason."""
    value = record.value
    if not isinstance(value, dict):
        raise ValueError(f"is {kind(value)}, not a run of LangSmith")
    runs = value.get("runs")
    if "run_type" not in value and isinstance(runs, list):
        for index, run in enumerate(runs):
            yield from _tree(run, None, f"{record.where}.runs[{index}]".lstrip("."), passed_if, 0)
    else:
        yield from _tree(value, None, record.where, passed_if, 0)


def _tree(run: JSON, above: Span | None, where: str, passed_if: PassedIf | None, depth: int) -> Iterator[Span | str]:
    try:
        if not isinstance(run, dict):
            raise ValueError(f"is {kind(run)}, not a run of LangSmith")
        if depth > _NESTING:
            raise ValueError(f"child_runs are nested more than {_NESTING} deep")
        span = _span(run, above, passed_if)
        children = objects(run.get("child_runs"), "child_runs")
    except ValueError as error:
        yield f"{where}: {error}" if where else str(error)
        return
    yield span
    for index, child in enumerate(children):
        yield from _tree(child, span, f"{where}.child_runs[{index}]".lstrip("."), passed_if, depth + 1)


def _span(run: Object, above: Span | None, passed_if: PassedIf | None) -> Span:
    own = text(run, "id", "run_id")
    if not own:
        raise ValueError("the run has no id")
    parent = text(run, "parent_run_id") or (above.id if above else "") or None
    trace = text(run, "trace_id") or (above.trace if above else "") or (own if parent is None else "")
    if not trace:
        raise ValueError("the run has a parent_run_id, but no trace_id")
    written = text(run, "run_type")
    error = run.get("error")
    failure = (error if isinstance(error, str) else str(error)) if error else None
    if failure is None and run.get("status") == "error":
        failure = "error"
    extra = run.get("extra")
    passed = passed_if.verdict(dict(run)) if passed_if else _stated(run, extra)
    return Span(
        trace=trace,
        id=own,
        parent=parent,
        start=nanoseconds(run.get("start_time")),
        end=nanoseconds(run.get("end_time")),
        call=_call(run, failure) if written == "tool" else None,
        request="" if written == "tool" else asked(run.get("inputs")),
        issued=tuple(issued(run.get("outputs"))) if written == "llm" else (),
        passed=False if passed is None and passed_if is None and parent is None and failure else passed,
        failure=failure,
        finished=iso_date(run.get("end_time")),
        task=text(run, "reference_example_id") if parent is None else "",
    )


def _stated(run: Object, extra: JSON) -> bool | None:
    said = stated(dict(run))
    return stated(extra) if said is None and isinstance(extra, dict) else said


def _call(run: Object, failure: str | None) -> ToolCall:
    name = text(run, "name")
    if not name.strip():
        raise ValueError("the tool's run has no name")
    inputs = run.get("inputs")
    alone = inputs.get("input") if isinstance(inputs, dict) and len(inputs) == 1 else None
    read = opened(alone) if isinstance(alone, str) else inputs
    success = False if failure is not None else _success(run)
    return ToolCall(name, arguments(read if isinstance(read, dict) else inputs), success=success, error=failure)


def _success(run: Object) -> bool | None:
    """Whether a call without error succeeded: what its result says, else the status of its run."""
    outputs = run.get("outputs")
    output = outputs.get("output") if isinstance(outputs, dict) else None
    said = result_success(output, output if isinstance(output, dict) else None)
    return said if said is not None else True if run.get("status") == "success" or run.get("end_time") else None
