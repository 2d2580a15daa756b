"""A conversation, whatever dialect it was written in, as the stage runs that it holds.

Each request of the user up to the next one is a stage: ``ID/1``, ``ID/2``. What a user writes in several messages, none
of which was answered, is one request. Calls of one message of the model are one turn. A result belongs to the last call
of its id that has none; a result without call says nothing and is passed over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from graphstore.records import JSON, StageRun, ToolCall

from .outcome import stage_verdict

ADJACENT = "*"
"""Marks calls that were issued together with those beside them, if neither a result nor a request is between."""


@dataclass(frozen=True, slots=True)
class Ask:
    """What the user wrote."""

    text: str


@dataclass(frozen=True, slots=True)
class Say:
    """The model answered, in words or in calls."""


@dataclass(frozen=True, slots=True)
class Issue:
    """A call that the model issued.

    :param id: Names the call among those without a result; empty if it has no id.
    :param together: Calls that were issued together have the same.
    """

    id: str
    call: ToolCall
    together: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of a call.

    :param id: Id of the call, or the tool's name where calls have none.
    """

    id: str
    success: bool | None
    error: str | None = None


Event: TypeAlias = "Ask | Say | Issue | Answer"


@dataclass(slots=True)
class _Stage:
    request: list[str] = field(default_factory=list)
    answered: bool = False
    calls: list[ToolCall] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Conversation:
    """A conversation while it is read.

    :param source: Where its first record stands.
    """

    source: str
    events: list[Event] = field(default_factory=list)
    passed: bool | None = None
    finished: str | None = None

    def runs(self, identity: str) -> Iterator[StageRun]:
        """Its stages, each as the run that is known by the conversation's identity."""
        stages = _stages(self.events)
        verdict = stage_verdict(self.passed, len(stages))
        for number, stage in enumerate(stages, 1):
            yield StageRun(
                task=identity,
                stage=f"{identity}/{number}",
                run=identity,
                request="\n".join(stage.request),
                passed=verdict,
                calls=tuple(_with_turns(stage)),
                source=self.source,
                finished=self.finished,
            )


def last_request(events: Iterable[Event]) -> str:
    """What the user asked last; empty if nothing."""
    stages = _stages(events)
    return "\n".join(stages[-1].request) if stages else ""


def _stages(events: Iterable[Event]) -> list[_Stage]:
    stages: list[_Stage] = []
    waiting: dict[str, list[tuple[_Stage, int]]] = {}
    adjacent = 0
    for event in events:
        if isinstance(event, Ask):
            adjacent += 1
            if not stages or stages[-1].answered:
                stages.append(_Stage())
            stages[-1].request.append(event.text)
        elif isinstance(event, Answer):
            adjacent += 1
            if open_calls := waiting.get(event.id):
                stage, index = open_calls.pop()
                stage.calls[index] = _answered(stage.calls[index], event)
        elif stages or isinstance(event, Issue):  # a greeting before the first request is no stage
            stages = stages or [_Stage()]
            stages[-1].answered = True
            if isinstance(event, Issue):
                waiting.setdefault(event.id or event.call.tool, []).append((stages[-1], len(stages[-1].calls)))
                stages[-1].calls.append(event.call)
                stages[-1].groups.append(f"{ADJACENT}{adjacent}" if event.together == ADJACENT else event.together)
    return stages


def _answered(call: ToolCall, answer: Answer) -> ToolCall:
    success = call.success if answer.success is None else answer.success
    return replace(call, success=success, error=answer.error if success is False else call.error)


def _with_turns(stage: _Stage) -> Iterator[ToolCall]:
    """The calls with their turns; those of one turn stand together, where its first one stands."""
    groups: dict[str, list[ToolCall]] = {}
    for index, (call, name) in enumerate(zip(stage.calls, stage.groups, strict=True)):
        groups.setdefault(f"together {name}" if name else f"alone {index}", []).append(call)
    turn = 0
    for calls in groups.values():
        yield from (replace(call, turn=turn) for call in calls) if len(calls) > 1 else calls
        turn += len(calls) > 1


def stated(record: JSON) -> bool | None:
    """What a record says of its outcome: ``passed`` or ``success``, on it or in its ``metadata``; ``None`` if nothing.

    :raises ValueError: ``passed`` is no truth value.
    """
    holders = [record, record.get("metadata") if isinstance(record, dict) else None]
    for holder in holders:
        for name in ("passed", "success"):
            value = holder.get(name) if isinstance(holder, dict) else None
            if isinstance(value, bool):
                return value
            if value is not None and name == "passed":
                raise ValueError("passed is neither true nor false: name a condition (--passed-if)")
    return None
