"""The path of one run: from all its calls to those that a next run needs (docs/mining.md gives each rule's reason).

*Parallel calls.* Neighbouring calls of one turn are one step, in no order.
*Retry.* A failed call is left out if a later step calls the same tool again.
*Polling and pagination.* A step that asks what the step before it asked, but for its page, is left out.

What is left out was paid for all the same: ``Taken.extra`` counts it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from graphstore.records import JSON, ToolCall

_PAGE = re.compile(
    r"(next|start)?page(no|num|number|index|token|cursor)?|(next|start|end|after)?cursor|next(token|marker)|marker|offset"
    r"|skip|start(at|index|ingafter)|continuation(token)?|scrollid"
)
"""Names of arguments that only say which page is asked for, without case and signs."""
_SIGNS = re.compile(r"[^a-z]")

Step = list[ToolCall]


class Taken(NamedTuple):
    """What a run took.

    :param tools: The path; tools of one step are sorted.
    :param steps: Number of each tool's step, from 0, ascending; empty if every call is a step of its own.
    :param extra: Calls that were made but are not on the path.
    """

    tools: tuple[str, ...]
    steps: tuple[int, ...] = ()
    extra: int = 0


def observed_tool_path(calls: Iterable[ToolCall]) -> tuple[str, ...]:
    """The tool ids of all calls, in order.

    >>> observed_tool_path([ToolCall("find"), ToolCall("open", success=False), ToolCall("open")])
    ('find', 'open', 'open')
    """
    return tuple([call.tool for call in calls])


def taken(calls: Sequence[ToolCall]) -> Taken:
    """The path of a run; without calls it is empty, with calls it is not.

    >>> taken([ToolCall("find"), ToolCall("open", success=False), ToolCall("open")])
    Taken(tools=('find', 'open'), steps=(), extra=1)
    >>> taken([ToolCall("list", turn=1), ToolCall("find", turn=1), ToolCall("open")])
    Taken(tools=('find', 'list', 'open'), steps=(0, 0, 1), extra=0)
    """
    if _is_plain(calls):
        return Taken(observed_tool_path(calls))
    path = _without_retried(_steps(calls))
    # a log that records no arguments cannot tell a repetition from another call
    if any(call.arguments for call in calls):
        path = _without_repeated(path)
    ordered = [sorted([call.tool for call in step]) for step in path]
    tools = tuple([tool for step in ordered for tool in step])
    alone = len(ordered) == len(tools)
    steps = () if alone else tuple([number for number, step in enumerate(ordered) for _ in step])
    return Taken(tools, steps, len(calls) - len(tools))


def _is_plain(calls: Sequence[ToolCall]) -> bool:
    """Whether no rule applies, as in most runs."""
    before = None
    for call in calls:
        if call.tool == before or call.turn is not None or call.success is False:
            return False
        before = call.tool
    return True


def _steps(calls: Sequence[ToolCall]) -> list[Step]:
    steps: list[Step] = []
    turn = None
    for call in calls:
        if call.turn is not None and call.turn == turn:
            steps[-1].append(call)
        else:
            steps.append([call])
        turn = call.turn
    return steps


def _without_retried(steps: list[Step]) -> list[Step]:
    kept: list[Step] = []
    later: set[str] = set()
    for step in reversed(steps):
        if standing := [call for call in step if call.success is not False or call.tool not in later]:
            kept.append(standing)
        later.update(call.tool for call in step)
    return kept[::-1]


def _without_repeated(steps: list[Step]) -> list[Step]:
    kept: list[Step] = []
    for step in steps:
        distinct = list({_asked(call): call for call in step}.values()) if len(step) > 1 else step
        if not kept or not _same(kept[-1], distinct):
            kept.append(distinct)
    return kept


def _same(one: Step, other: Step) -> bool:
    if len(one) != len(other) or one[0].tool not in [call.tool for call in other]:
        return False
    if len(one) == 1:  # as nearly always
        return _without_page(one[0].arguments) == _without_page(other[0].arguments)
    return sorted(map(_asked, one)) == sorted(map(_asked, other))


def _asked(call: ToolCall) -> tuple[str, str]:
    return call.tool, json.dumps(_without_page(call.arguments), sort_keys=True, ensure_ascii=False, default=str)


def _without_page(arguments: Mapping[str, JSON]) -> dict[str, JSON]:
    return {
        name: _without_page(value) if isinstance(value, dict) else value
        for name, value in arguments.items()
        if not _PAGE.fullmatch(_SIGNS.sub("", name.casefold()))
    }
