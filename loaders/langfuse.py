"""Traces exported from Langfuse: whole traces with their observations, or rows of observations, traces and scores.

Tools are the observations of type ``TOOL``, and spans that carry the attributes by which OpenTelemetry marks a call.
A trace whose tools were not recorded is read from the calls in the output of its generations. Scores are read by a
condition, such as ``scores.correctness>=0.5``. Names are read in both spellings, ``traceId`` and ``trace_id``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from graphstore.records import JSON, ToolCall

from .conversation import stated
from .fields import iso_date, kind, objects, text
from .json_records import JsonRecord
from .messages import arguments
from .outcome import PassedIf
from .trace_fields import asked, issued, nanoseconds, opened
from .traces import Span

_AGENTS = ("AGENT",)
_TRACE_MARKS = ("bookmarked", "htmlPath", "public", "release")
MARKS = frozenset(["observations", "timestamp", "traceId", "trace_id"])
Object = Mapping[str, JSON]


def is_langfuse(value: JSON) -> bool:
    """Whether a JSON value looks like a trace, an observation or a score of Langfuse."""
    if not isinstance(value, dict):
        return False
    return _is_trace(value) or _is_observation(value) or _is_score(value)


def langfuse_spans(record: JsonRecord, passed_if: PassedIf | None) -> Iterator[Span | str]:
    """The spans of a record: the trace itself is the root of its observations."""
    value = record.value
    if not isinstance(value, dict):
        raise ValueError(f"is {kind(value)}, not a trace of Langfuse")
    if _is_observation(value):
        yield _observation(value, "", passed_if)
    elif _is_score(value):
        yield _score(value, passed_if)
    else:
        yield from _trace(value, record.where, passed_if)


def _is_trace(value: Object) -> bool:
    if isinstance(value.get("observations"), list):
        return True
    return "timestamp" in value and "tags" in value and any(name in value for name in _TRACE_MARKS)


def _is_observation(value: Object) -> bool:
    return _has(value, "traceId", "trace_id") and _has(value, "startTime", "start_time") and "type" in value


def _is_score(value: Object) -> bool:
    return _has(value, "traceId", "trace_id") and _has(value, "dataType", "data_type") and "name" in value


def _has(value: Object, *names: str) -> bool:
    return any(value.get(name) is not None for name in names)


def _trace(value: Object, where: str, passed_if: PassedIf | None) -> Iterator[Span | str]:
    inner = value.get("trace")
    trace = {**inner, **value} if isinstance(inner, dict) else dict(value)
    name = text(trace, "id") or text(trace, "traceId", "trace_id")
    if not name:
        raise ValueError("the trace has no id")
    yield Span(
        trace=name,
        id=f"trace {name}",
        start=nanoseconds(trace.get("timestamp")),
        request=asked(trace.get("input")),
        passed=passed_if.verdict(trace) if passed_if else stated({**trace, "metadata": opened(trace.get("metadata"))}),
        finished=iso_date(trace.get("timestamp")),
    )
    for index, each in enumerate(objects(trace.get("observations"), "observations")):
        try:
            yield _observation(each, name, passed_if)
        except ValueError as error:
            yield f"{where}.observations[{index}]: {error}".lstrip(".")


def _score(value: Object, passed_if: PassedIf | None) -> Span:
    name = text(value, "traceId", "trace_id")
    score = {"name": value.get("name"), "value": _score_value(value)}
    passed = passed_if.verdict({"scores": [score]}) if passed_if else None
    return Span(trace=name, id=f"score {text(value, 'id') or text(value, 'name')}", passed=passed)


def _score_value(value: Object) -> JSON:
    """The value of a score; one of no number has it in words."""
    written = value.get("stringValue", value.get("string_value"))
    return written if value.get("dataType", value.get("data_type")) == "CATEGORICAL" and written else value.get("value")


def _observation(value: Object, trace: str, passed_if: PassedIf | None) -> Span:
    own = text(value, "id")
    trace = text(value, "traceId", "trace_id") or trace
    if not own or not trace:
        raise ValueError("the observation has no id or no traceId")
    written = text(value, "type").upper()
    metadata = opened(value.get("metadata"))
    attributes = _attributes(metadata)
    is_tool = written == "TOOL" or attributes.get("gen_ai.operation.name") == "execute_tool"
    failure = text(value, "statusMessage", "status_message") or "error" if value.get("level") == "ERROR" else None
    end = value.get("endTime", value.get("end_time"))
    parent = text(value, "parentObservationId", "parent_observation_id") or None
    passed = passed_if.verdict(dict(value), metadata) if passed_if else stated({"metadata": metadata})
    return Span(
        trace=trace,
        id=own,
        parent=parent or f"trace {trace}",
        start=nanoseconds(value.get("startTime", value.get("start_time"))),
        end=nanoseconds(end),
        call=_call(value, attributes, failure, end) if is_tool else None,
        call_id=text(attributes, "gen_ai.tool.call.id"),
        agent=written in _AGENTS,
        request="" if is_tool else asked(value.get("input")),
        issued=tuple(issued(value.get("output"))) if written == "GENERATION" else (),
        passed=False if passed is None and passed_if is None and parent is None and failure else passed,
        failure=failure,
        finished=iso_date(end.replace(" ", "T", 1) if isinstance(end, str) else end),
    )


def _attributes(metadata: JSON) -> dict[str, JSON]:
    found = opened(metadata.get("attributes")) if isinstance(metadata, dict) else None
    return found if isinstance(found, dict) else {}


def _call(value: Object, attributes: Object, failure: str | None, end: JSON) -> ToolCall:
    name = text(attributes, "gen_ai.tool.name") or text(value, "name")
    if not name.strip():
        raise ValueError("the tool's observation has no name")
    success = False if failure is not None else True if end is not None else None
    return ToolCall(name, arguments(opened(value.get("input"))), success=success, error=failure)
