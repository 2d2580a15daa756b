"""Spans of OpenTelemetry by its conventions for generative AI: OTLP as JSON, or spans as the SDK prints them.

Read of a span are the attributes ``gen_ai.operation.name``, ``gen_ai.tool.name``, ``gen_ai.tool.call.id`` and
``.arguments``, the messages ``gen_ai.input.messages`` and ``gen_ai.output.messages`` (attributes, or of an event), and,
as older versions wrote it, ``gen_ai.prompt`` (attribute or event, also ``gen_ai.prompt.0.content``) and the event
``gen_ai.user.message``. A root span with the status ERROR is a failed run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from graphstore.records import JSON, ToolCall

from .conversation import stated
from .fields import iso_date, kind, text
from .json_records import JsonRecord
from .messages import arguments
from .outcome import PassedIf
from .trace_fields import asked, issued, nanoseconds, opened
from .traces import Span

RESOURCES = ("resourceSpans", "resource_spans")
_SCOPES = ("scopeSpans", "scope_spans", "instrumentationLibrarySpans")
_AGENTS = ("invoke_agent", "create_agent", "invoke_workflow")
_FAILED = (2, "2", "ERROR", "STATUS_CODE_ERROR", "StatusCode.ERROR")
_PROMPT = re.compile(r"gen_ai\.prompt\.(\d+)\.(role|content)")
_NANOSECONDS = 10**9
MARKS = frozenset([*RESOURCES, *_SCOPES, "spanId", "span_id", "context"])
Object = Mapping[str, JSON]


def is_otlp(value: JSON) -> bool:
    """Whether a JSON value looks like exported spans, or one span."""
    if not isinstance(value, dict):
        return False
    return any(name in value for name in (*RESOURCES, *_SCOPES)) or _is_span(value)


def otlp_spans(record: JsonRecord, passed_if: PassedIf | None) -> Iterator[Span | str]:
    """The spans of a record; of one that cannot be read, the reason."""
    value = record.value
    if not is_otlp(value) or not isinstance(value, dict):
        raise ValueError(f"is {kind(value)}, not OTLP" if not isinstance(value, dict) else "holds no spans")
    for where, span in _spans(value, record.where):
        try:
            if not isinstance(span, dict):
                raise ValueError(f"is {kind(span)}, not a span")
            yield _span(span, passed_if)
        except ValueError as error:
            yield f"{where}: {error}" if where else str(error)


def _spans(value: Object, where: str) -> Iterator[tuple[str, JSON]]:
    if _is_span(value):
        yield where, dict(value)
        return
    for name in (*RESOURCES, *_SCOPES, "spans"):
        members = value.get(name)
        for index, member in enumerate(members if isinstance(members, list) else []):
            here = f"{where}.{name}[{index}]".lstrip(".")
            if name != "spans" and isinstance(member, dict):
                yield from _spans(member, here)
            else:
                yield here, member


def _is_span(value: Object) -> bool:
    return ("spanId" in value or "span_id" in value or isinstance(value.get("context"), dict)) and any(
        name in value for name in ("traceId", "trace_id", "context")
    )


def _span(span: Object, passed_if: PassedIf | None) -> Span:
    context = span.get("context")
    ids: Object = context if isinstance(context, dict) else span
    trace, own = text(ids, "traceId", "trace_id"), text(ids, "spanId", "span_id")
    if not trace or not own:
        raise ValueError("the span has no traceId or no spanId")
    attributes = _attributes(span.get("attributes"))
    operation = text(attributes, "gen_ai.operation.name")
    mcp = attributes.get("mcp.method.name") == "tools/call"
    is_tool = operation == "execute_tool" or mcp or (not operation and "gen_ai.tool.name" in attributes)
    parent = text(span, "parentSpanId", "parent_span_id", "parent_id") or None
    failure = _failure(span, attributes)
    end = _time(span, "endTimeUnixNano", "end_time_unix_nano", "end_time")
    record: dict[str, JSON] = {**span, "attributes": attributes}
    passed = passed_if.verdict(record, attributes) if passed_if else _stated(attributes, parent, failure)
    return Span(
        trace=trace.removeprefix("0x"),
        id=own.removeprefix("0x"),
        parent=parent.removeprefix("0x") if parent else None,
        start=_time(span, "startTimeUnixNano", "start_time_unix_nano", "start_time"),
        end=end,
        call=_call(span, attributes, failure, end) if is_tool else None,
        call_id=text(attributes, "gen_ai.tool.call.id"),
        twice=mcp,
        agent=operation in _AGENTS,
        request="" if is_tool else _request(span, attributes),
        issued=() if is_tool else tuple(issued(_said(span, attributes, "gen_ai.output.messages"))),
        passed=passed,
        failure=failure,
        finished=None if end is None else iso_date(end / _NANOSECONDS),
    )


def _stated(attributes: dict[str, JSON], parent: str | None, failure: str | None) -> bool | None:
    said = stated(attributes)
    return False if said is None and parent is None and failure is not None else said


def _call(span: Object, attributes: Object, failure: str | None, end: int | None) -> ToolCall:
    name = text(attributes, "gen_ai.tool.name") or text(span, "name").removeprefix("execute_tool ")
    if not name.strip() or name in ("execute_tool", "tools/call"):
        raise ValueError("the tool's span has no gen_ai.tool.name")
    success = False if failure is not None else True if end is not None else None
    return ToolCall(name, arguments(attributes.get("gen_ai.tool.call.arguments")), success=success, error=failure)


def _failure(span: Object, attributes: Object) -> str | None:
    status = span.get("status")
    code = status.get("code", status.get("status_code")) if isinstance(status, dict) else status
    if code not in _FAILED:
        return None
    message = text(status, "message", "description") if isinstance(status, dict) else ""
    return message or text(attributes, "error.type") or "error"


def _request(span: Object, attributes: Object) -> str:
    for name in ("gen_ai.input.messages", "gen_ai.prompt"):
        found = asked(_said(span, attributes, name))
        if found:
            return found
    flat: dict[int, dict[str, JSON]] = {}
    for name, value in attributes.items():
        if match := _PROMPT.fullmatch(name):
            flat.setdefault(int(match[1]), {})[match[2]] = value
    events = [_attributes(event.get("attributes")) for event in _events(span) if event["name"] == "gen_ai.user.message"]
    last = next((text(each, "content") for each in reversed(events)), "")
    return asked([flat[index] for index in sorted(flat)]) or last.strip()


def _said(span: Object, attributes: Object, name: str) -> JSON:
    """What the span has under the name, as an attribute or as an attribute of one of its events."""
    if name in attributes:
        return opened(attributes[name])
    found = (_attributes(event.get("attributes")).get(name) for event in _events(span))
    return opened(next((value for value in found if value is not None), None))


def _events(span: Object) -> Iterator[dict[str, JSON]]:
    events = span.get("events")
    for event in events if isinstance(events, list) else []:
        if isinstance(event, dict) and isinstance(event.get("name"), str):
            yield event


def _attributes(written: JSON) -> dict[str, JSON]:
    """Attributes by name; of OTLP's list of keys and typed values the values."""
    if isinstance(written, dict):
        return written
    pairs = [each for each in written if isinstance(each, dict)] if isinstance(written, list) else []
    return {str(pair["key"]): _value(pair.get("value")) for pair in pairs if isinstance(pair.get("key"), str)}


def _value(written: JSON) -> JSON:
    if not isinstance(written, dict) or len(written) != 1:
        return written
    name, value = next(iter(written.items()))
    if name == "kvlistValue" and isinstance(value, dict):
        return dict(_attributes(value.get("values")))
    if name == "arrayValue" and isinstance(value, dict):
        values = value.get("values")
        return [_value(each) for each in values] if isinstance(values, list) else []
    if name == "intValue" and isinstance(value, str) and value.lstrip("-").isdigit():
        return int(value) if len(value) < 20 else value
    return value


def _time(span: Object, *names: str) -> int | None:
    value = next((span[name] for name in names if span.get(name) is not None), None)
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 20:
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool) and 10**15 < value < 10**20:
        return value
    return nanoseconds(value)
