"""The path of one run: each rule of docs/mining.md on the calls that it is about."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from graphstore.loaders import read_logs
from hypothesis import given
from hypothesis import strategies as st

from graphstore.records import ToolCall
from graphstore.toolgraph.calls import Taken, observed_tool_path, taken


def call(tool: str, *, ok: bool | None = None, turn: int | None = None, **arguments: Any) -> ToolCall:
    return ToolCall(tool, arguments, success=ok, turn=turn)


generated = st.lists(
    st.builds(
        ToolCall,
        tool=st.sampled_from(["a", "b", "c"]),
        arguments=st.sampled_from([{}, {}, {"id": 1}, {"id": 1, "page": 2}, {"id": 2}]),
        success=st.sampled_from([None, True, False]),
        turn=st.sampled_from([None, None, 1, 2]),
    ),
    max_size=8,
)


def test_a_run_without_anything_odd_takes_all_its_calls() -> None:
    assert taken([call("find", q="x"), call("open", id=1), call("find", q="y")]) == Taken(("find", "open", "find"))


def test_a_failed_call_that_is_tried_again_is_left_out_and_paid_for() -> None:
    calls = [call("open", ok=False, id=1), call("find", ok=True), call("open", ok=False, id=2), call("open", id=3)]
    assert taken(calls) == Taken(("find", "open"), extra=2)


def test_a_failed_call_that_is_not_tried_again_stays() -> None:
    assert taken([call("exists", ok=False), call("create", ok=True)]) == Taken(("exists", "create"))


def test_a_failed_call_is_not_a_retry_of_one_beside_it() -> None:
    calls = [call("get", ok=False, turn=1, id=1), call("get", ok=True, turn=1, id=2), call("send")]
    assert taken(calls) == Taken(("get", "get", "send"), (0, 0, 1))


def test_polling_is_one_call() -> None:
    calls = [call("start", job=1), *[call("status", job=1)] * 3, call("fetch", job=1)]
    assert taken(calls) == Taken(("start", "status", "fetch"), extra=2)


def test_polling_that_something_comes_between_stays() -> None:
    calls = [call("status", job=1), call("wait", s=5), call("status", job=1)]
    assert taken(calls) == Taken(("status", "wait", "status"))


def test_a_log_without_arguments_cannot_tell_polling_from_another_call() -> None:
    assert taken([call("get"), call("get"), call("send")]) == Taken(("get", "get", "send"))


@pytest.mark.parametrize(
    "name", ["page", "pageToken", "page_number", "next_page_token", "cursor", "nextCursor", "offset", "starting-after"]
)
def test_pages_of_one_question_are_one_call(name: str) -> None:
    calls = [call("list", folder="in"), call("list", folder="in", **{name: 2}), call("open", id=1)]
    assert taken(calls) == Taken(("list", "open"), extra=1)


@pytest.mark.parametrize("name", ["id", "start", "after", "page_size_in_mm", "pages_of", "recursor"])
def test_the_same_tool_twice_in_a_row_with_other_arguments_stays_twice(name: str) -> None:
    calls = [call("get", **{name: 1}), call("get", **{name: 2})]
    assert taken(calls) == Taken(("get", "get"))


def test_a_page_is_found_inside_an_argument() -> None:
    assert taken([call("list", query={"q": "x", "page": 1}), call("list", query={"q": "x", "page": 2})]).extra == 1


def test_parallel_calls_are_one_step_in_no_order() -> None:
    one = taken([call("plan"), call("b", turn=1), call("a", turn=1), call("send", turn=2)])
    other = taken([call("plan"), call("a", turn=7), call("b", turn=7), call("send", turn=8)])
    assert one == other == Taken(("plan", "a", "b", "send"), (0, 1, 1, 2))


def test_turns_of_one_call_each_are_steps_like_calls_alone() -> None:
    assert taken([call("a", turn=1), call("b", turn=2)]) == taken([call("a"), call("b")])


def test_the_same_parallel_calls_in_a_row_are_polling() -> None:
    calls = [call("x", turn=1, i=1), call("y", turn=1), call("y", turn=2), call("x", turn=2, i=1), call("z")]
    assert taken(calls) == Taken(("x", "y", "z"), (0, 0, 1), extra=2)


def test_calls_of_a_nested_agent_follow_the_call_that_it_was_started_by(tmp_path: Any) -> None:
    log = tmp_path / "log.json"
    log.write_text(
        '{"task_id": "T", "stages": [{"stage_id": 1, "user_query": "q", "passed": true, "tool_calls_detail": ['
        '{"tool_name": "delegate", "tool_calls_detail": [{"tool_name": "find"}, {"tool_name": "open"}]},'
        '{"tool_name": "send"}]}]}'
    )
    (run,) = read_logs(log)
    assert taken(run.calls).tools == ("delegate", "find", "open", "send")


@given(generated)
def test_nothing_is_lost_but_repetition(calls: list[ToolCall]) -> None:
    path = taken(calls)
    assert set(path.tools) == set(observed_tool_path(calls))
    assert len(path.tools) + path.extra == len(calls)
    assert path.extra >= 0


@given(generated)
def test_steps_ascend_by_one_and_hold_sorted_tools(calls: list[ToolCall]) -> None:
    path = taken(calls)
    if path.steps:
        assert len(path.steps) == len(path.tools)
        assert path.steps[0] == 0
        assert all(b - a in (0, 1) for a, b in pairwise(path.steps))
        assert any(a == b for a, b in pairwise(path.steps))
    together = [path.tools[i : i + 2] for i, (a, b) in enumerate(pairwise(path.steps)) if a == b]
    assert all(a <= b for a, b in together)


@given(generated)
def test_what_is_left_of_a_path_is_left_as_it_is(calls: list[ToolCall]) -> None:
    succeeded = [ToolCall(c.tool, c.arguments, True, turn=c.turn) for c in calls]
    path = taken(succeeded)
    if not path.steps:
        assert taken([ToolCall(tool) for tool in path.tools]) == Taken(path.tools)
