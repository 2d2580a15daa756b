"""A conversation, whatever dialect it was written in, as the stage runs that it holds.

Each request of the user up to the next one is a stage: ``ID/1``, ``ID/2``. What a user writes in several messages, none
of which was answered, is one request. Calls of one message of the model are one turn. A result belongs to the last call
of its id that has none; a result without call says nothing and is passed over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
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
    tool: str
    arguments: Mapping[str, JSON]
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
    calls: list[Issue] = field(default_factory=list)
    results: dict[int, Answer] = field(default_factory=dict)
    groups: dict[str, list[int]] = field(default_factory=dict)


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
                calls=tuple(_calls(stage)),
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
                stage.results[index] = event
        elif stages or isinstance(event, Issue):  # a greeting before the first request is no stage
            stages = stages or [_Stage()]
            stages[-1].answered = True
            if isinstance(event, Issue):
                together = f"{ADJACENT}{adjacent}" if event.together == ADJACENT else event.together
                waiting.setdefault(event.id or event.tool, []).append((stages[-1], len(stages[-1].calls)))
                _add(stages[-1], event, f"together {together}" if together else f"alone {len(stages[-1].calls)}")
    return stages


def _add(stage: _Stage, issue: Issue, group: str) -> None:
    stage.groups.setdefault(group, []).append(len(stage.calls))
    stage.calls.append(issue)


def _calls(stage: _Stage) -> Iterator[ToolCall]:
    """The calls with their results and turns; those of one turn stand together, where its first one stands."""
    turn = 0
    for group in stage.groups.values():
        shared = turn if len(group) > 1 else None
        turn += len(group) > 1
        for index in group:
            issue, result = stage.calls[index], stage.results.get(index)
            success = result.success if result else None
            error = result.error if result and success is False else None
            yield ToolCall(issue.tool, issue.arguments, success, error, shared)


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
