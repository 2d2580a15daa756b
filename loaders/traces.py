"""Traces: spans gathered by the trace they belong to, whatever system recorded them, as stage runs.

A trace is one run of one stage, ``TASK/1``. Its calls are its tool spans by time of start; those that a tool or an
agent made inside are listed after it. Calls side by side are one turn if each began before any of them had ended, or if
one answer of the model issued them. A trace without tool spans is read from the calls that the model's answers issued.
The request is what the user wrote last before the earliest span that holds messages.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from graphstore.records import Rejected, StageRun, ToolCall

from .conversation import Issue
from .json_records import JsonRecord
from .log_reader import Runs, at
from .outcome import PassedIf

HELD = 50_000
"""Traces that are held until their last span is read; the one touched least recently is given up first."""

_NESTING = 200


@dataclass(frozen=True, slots=True)
class Span:
    """A span, as far as the stage run needs it.

    :param start: Nanoseconds; ``None`` if not recorded.
    :param call: The call that it is, if it is one.
    :param call_id: The id that the model gave the call.
    :param twice: It may record the call of the tool span above it once more, as the client of an MCP server does.
    :param agent: It holds the work of one agent.
    :param request: What the user had written last when it began.
    :param issued: The calls that the model's answer in it issued.
    :param passed: What it says of the outcome of the trace.
    :param task: Id of the task that the trace is a run of, if it is known.
    """

    trace: str
    id: str
    parent: str | None = None
    start: int | None = None
    end: int | None = None
    call: ToolCall | None = None
    call_id: str = ""
    twice: bool = False
    agent: bool = False
    request: str = ""
    issued: tuple[Issue, ...] = ()
    passed: bool | None = None
    failure: str | None = None
    finished: str | None = None
    task: str = ""


@dataclass(slots=True)
class _Trace:
    source: str
    spans: dict[str, Span] = field(default_factory=dict)


@dataclass(slots=True)
class TraceReader:
    """Gathers the spans of one load and gives each trace as a stage run.

    :param spans: The spans of a record; raises ``ValueError`` if it is none of the format.
    """

    spans: Callable[[JsonRecord, PassedIf | None], Iterable[Span | str]]
    passed_if: PassedIf | None
    _held: OrderedDict[str, _Trace] = field(default_factory=OrderedDict)

    def add(self, record: JsonRecord, path: str) -> Runs:
        """The traces that are given up waiting for; spans that cannot be read are rejected alone."""
        try:
            for span in self.spans(record, self.passed_if):
                if isinstance(span, str):
                    yield Rejected(path, record.line, span)
                    continue
                trace = self._held.setdefault(span.trace, _Trace(f"{path}:{record.line}"))
                self._held.move_to_end(span.trace)
                trace.spans[span.id] = span
        except ValueError as error:
            yield Rejected(path, record.line, at(record.where, error))
        while len(self._held) > HELD:
            yield from self._first()

    def finish(self) -> Runs:
        """Every trace that is still held."""
        while self._held:
            yield from self._first()

    def _first(self) -> Runs:
        name, trace = self._held.popitem(last=False)
        try:
            yield from _run(name, trace)
        except ValueError as error:
            path, _, line = trace.source.rpartition(":")
            yield Rejected(path, int(line), f"trace {name}: {error}")


def _run(name: str, trace: _Trace) -> Iterator[StageRun]:
    """The trace as a stage run; nothing if it holds neither a request nor a call."""
    spans = _in_time(trace.spans.values())
    calls = tuple(_tool_calls(spans, trace.spans) if any(span.call for span in spans) else _issued_calls(spans))
    request = next((span.request for span in spans if span.request), "")
    if not calls and not request:
        return
    roots = [span for span in spans if span.parent not in trace.spans]
    judged = [span for span in (*roots, *reversed(spans)) if span.passed is not None]
    task = next((span.task for span in (*roots, *spans) if span.task), "") or name
    yield StageRun(
        task=task,
        stage=f"{task}/1",
        run=name,
        request=request,
        passed=judged[0].passed if judged else None,
        calls=calls,
        source=trace.source,
        finished=next((span.finished for span in roots if span.finished), None),
        failure=next((span.failure for span in roots if span.failure), None),
    )


def _in_time(spans: Iterable[Span]) -> list[Span]:
    return sorted(spans, key=lambda span: (span.start is None, span.start or 0))


def _issued_calls(spans: Sequence[Span]) -> Iterator[ToolCall]:
    turn = 0
    seen: set[str] = set()
    for span in spans:
        new = [issue for issue in span.issued if not issue.id or issue.id not in seen]
        seen |= {issue.id for issue in span.issued}
        shared = turn if len(new) > 1 else None
        yield from (ToolCall(issue.tool, issue.arguments, turn=shared) for issue in new)
        turn += len(new) > 1


def _tool_calls(spans: Sequence[Span], by_id: dict[str, Span]) -> Iterator[ToolCall]:
    """The tool spans in the order that the head of this module states."""
    answers = {issue.id: span.id for span in spans for issue in span.issued if issue.id}
    inside: dict[str, list[Span]] = {}
    for span in spans:
        if span.call is None and not span.agent:
            continue
        holder = _holder(span, by_id)
        if span.call is not None and holder is not None and _is_same(span, holder):
            continue
        inside.setdefault(holder.id if holder else "", []).append(span)
    turn = 0
    for group in _groups(inside, "", answers, 0):
        yield from (replace(call, turn=turn) for call in group) if len(group) > 1 else group
        turn += len(group) > 1


def _holder(span: Span, by_id: dict[str, Span]) -> Span | None:
    """The nearest tool or agent span above; of two spans that record one call the outer one."""
    seen = {span.id}
    above = by_id.get(span.parent or "")
    while above is not None and above.id not in seen:
        seen.add(above.id)
        if above.agent or (above.call is not None and not above.twice):
            return above
        above = by_id.get(above.parent or "")
    return None


def _is_same(span: Span, holder: Span) -> bool:
    """Whether the tool span records the call of the one above it once more."""
    if holder.call is None or span.call is None or span.call.tool != holder.call.tool:
        return False
    return span.twice or (bool(span.call_id) and span.call_id == holder.call_id)


def _groups(
    inside: dict[str, list[Span]], holder: str, answers: dict[str, str], depth: int
) -> Iterator[list[ToolCall]]:
    """The calls inside a span, those of one turn together, each turn followed by what was called inside its calls."""
    if depth > _NESTING:
        raise ValueError(f"calls are nested more than {_NESTING} deep")
    together: list[Span] = []
    for span in (*inside.get(holder, ()), None):
        if together and (span is None or span.call is None or not _joins(span, together, answers)):
            yield [each.call for each in together if each.call is not None]
            for each in together:
                yield from _groups(inside, each.id, answers, depth + 1)
            together = []
        if span is not None and span.call is None:
            yield from _groups(inside, span.id, answers, depth + 1)
        elif span is not None:
            together.append(span)


def _joins(span: Span, together: Sequence[Span], answers: dict[str, str]) -> bool:
    answer = answers.get(span.call_id)
    if answer is not None and all(answers.get(each.call_id) == answer for each in together):
        return True
    ends = [each.end for each in together]
    return span.start is not None and all(end is not None and span.start < end for end in ends)
