"""Traces of OpenTelemetry, LangSmith and Langfuse, and transcripts of MCP, into stage runs."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from graphstore.loaders import read_logs
from graphstore.loaders import traces as traces_module
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphstore.records import Ignored, Rejected, StageRun

Found = list[StageRun | Rejected | Ignored]
SECOND = 10**9


def lines(folder: Path, *records: Any) -> Path:
    file = folder / "log.jsonl"
    file.write_text("\n".join(map(json.dumps, records)), "utf-8")
    return file


def load(folder: Path, *records: Any, **how: Any) -> Found:
    return list(read_logs(lines(folder, *records), **how))


def runs(found: Found) -> list[StageRun]:
    assert all(isinstance(each, StageRun) for each in found), list(map(str, found))
    return [each for each in found if isinstance(each, StageRun)]


def steps(run: StageRun) -> list[Any]:
    """The tools in order, those of a turn as a set."""
    found: list[Any] = []
    turn = None
    for call in run.calls:
        if call.turn is None or call.turn != turn:
            found.append(call.tool if call.turn is None else {call.tool})
        else:
            found[-1].add(call.tool)
        turn = call.turn
    return found


# -- OpenTelemetry -----------------------------------------------------------------------------------------------------


def value(written: Any) -> dict[str, Any]:
    if isinstance(written, bool):
        return {"boolValue": written}
    if isinstance(written, int):
        return {"intValue": str(written)}
    if isinstance(written, float):
        return {"doubleValue": written}
    if isinstance(written, list):
        return {"arrayValue": {"values": [value(each) for each in written]}}
    if isinstance(written, dict):
        return {"kvlistValue": {"values": [{"key": k, "value": value(v)} for k, v in written.items()]}}
    return {"stringValue": written}


def span(
    own: str, above: str | None, start: int, end: int | None, attributes: Any = None, **more: Any
) -> dict[str, Any]:
    return {
        "traceId": "t",
        "spanId": own,
        **({"parentSpanId": above} if above else {}),
        "name": own,
        "startTimeUnixNano": str(1_700_000_000 * SECOND + start * SECOND),
        **({"endTimeUnixNano": str(1_700_000_000 * SECOND + end * SECOND)} if end is not None else {}),
        "attributes": [{"key": k, "value": value(v)} for k, v in (attributes or {}).items()],
        **more,
    }


def tool(
    own: str, above: str | None, start: int, end: int | None, attributes: Any = None, **more: Any
) -> dict[str, Any]:
    name = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": own}
    return span(own, above, start, end, {**name, **(attributes or {})}, **more)


def said(text: str) -> str:
    return json.dumps([{"role": "user", "parts": [{"type": "text", "content": text}]}])


def agent(own: str, above: str | None, start: int, end: int, text: str = "Do it.", **more: Any) -> dict[str, Any]:
    return span(
        own, above, start, end, {"gen_ai.operation.name": "invoke_agent", "gen_ai.input.messages": said(text)}, **more
    )


def otlp(*spans: Any) -> dict[str, Any]:
    return {"resourceSpans": [{"resource": {}, "scopeSpans": [{"scope": {}, "spans": list(spans)}]}]}


def one(folder: Path, *spans: Any, **how: Any) -> StageRun:
    (found,) = runs(load(folder, otlp(*spans), **how))
    return found


def test_a_trace_is_one_run_of_one_stage(tmp_path: Path):
    found = one(tmp_path, agent("r", None, 0, 9), tool("a", "r", 1, 2), tool("b", "r", 3, 4))
    assert (found.task, found.stage, found.run, found.request) == ("t", "t/1", "t", "Do it.")
    assert (steps(found), found.passed, found.finished) == (["a", "b"], None, "2023-11-14T22:13:29+00:00")
    assert found.source == f"{tmp_path / 'log.jsonl'}:1"


def test_spans_may_come_in_any_order_and_in_any_wrapping(tmp_path: Path):
    spans = [agent("r", None, 0, 9), tool("a", "r", 1, 2), tool("b", "a", 1, 2), tool("c", "r", 3, 4)]
    whole = otlp(*spans)
    snake = {"resource_spans": [{"scope_spans": [{"spans": spans}]}]}
    shapes: list[list[Any]] = [
        [whole],
        [snake],
        [otlp(each) for each in reversed(spans)],
        spans,
        whole["resourceSpans"],
    ]
    assert [[steps(each) for each in runs(load(tmp_path, *shape))] for shape in shapes] == [[["a", "b", "c"]]] * len(
        shapes
    )
    for indent in (None, 2):
        (tmp_path / "whole.json").write_text(json.dumps(whole, indent=indent))
        assert [steps(each) for each in runs(list(read_logs(tmp_path / "whole.json")))] == [["a", "b", "c"]]


def test_a_trace_may_be_spread_over_the_files_of_a_load(tmp_path: Path):
    for name, each in (
        ("1.jsonl", tool("b", "r", 3, 4)),
        ("2.jsonl", agent("r", None, 0, 9)),
        ("3.jsonl", tool("a", "r", 1, 2)),
    ):
        (tmp_path / name).write_text(json.dumps(otlp(each)))
    (found,) = runs(list(read_logs(tmp_path)))
    assert (found.request, steps(found)) == ("Do it.", ["a", "b"])


def test_spans_as_the_sdk_prints_them_are_read(tmp_path: Path):
    def printed(own: str, above: str | None, second: int, attributes: Any, code: str = "UNSET") -> dict[str, Any]:
        return {
            "name": own,
            "context": {"trace_id": "0xabc", "span_id": f"0x{own}", "trace_state": "[]"},
            "parent_id": f"0x{above}" if above else None,
            "start_time": f"2026-03-02T10:00:0{second}.000000Z",
            "end_time": f"2026-03-02T10:00:0{second + 1}.000000Z",
            "status": {"status_code": code},
            "attributes": attributes,
            "events": [],
        }

    root = printed("1", None, 0, {"gen_ai.operation.name": "invoke_agent", "gen_ai.input.messages": said("Do it.")})
    call = printed("2", "1", 1, {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "a"}, "ERROR")
    (found,) = runs(load(tmp_path, call, root))
    assert (found.run, found.request, steps(found), found.calls[0].success) == ("abc", "Do it.", ["a"], False)


def test_calls_that_overlap_are_a_turn_and_those_after_one_ended_are_not(tmp_path: Path):
    long = tool("long", "r", 1, 9)
    found = one(
        tmp_path, agent("r", None, 0, 9), long, tool("a", "r", 2, 3), tool("b", "r", 4, 5), tool("c", "r", 4, 6)
    )
    assert steps(found) == [{"long", "a"}, {"b", "c"}]
    assert steps(one(tmp_path, tool("a", None, 1, 2), tool("b", None, 2, 3))) == ["a", "b"]
    assert steps(one(tmp_path, tool("a", None, 1, None), tool("b", None, 1, None))) == ["a", "b"]


def test_calls_of_one_answer_are_a_turn_though_they_ran_one_by_one(tmp_path: Path):
    parts = [{"type": "tool_call", "id": each, "name": each, "arguments": {}} for each in ("a", "b")]
    answer = json.dumps([{"role": "assistant", "parts": parts}])
    chat = span("chat", None, 0, 1, {"gen_ai.operation.name": "chat", "gen_ai.output.messages": answer})
    calls = [tool(each, None, n, n + 1, {"gen_ai.tool.call.id": each}) for n, each in enumerate(("a", "b", "c"), 2)]
    assert steps(one(tmp_path, chat, *calls)) == [{"a", "b"}, "c"]


def test_what_an_agent_called_inside_comes_after_it(tmp_path: Path):
    inner = [agent("sub", "ask", 2, 5, "Find x."), tool("x", "sub", 2, 3), tool("y", "sub", 3, 4)]
    found = one(tmp_path, agent("r", None, 0, 9), tool("ask", "r", 1, 6), *inner, tool("b", "r", 7, 8))
    assert (found.request, steps(found)) == ("Do it.", ["ask", "x", "y", "b"])


def test_agents_that_work_at_once_keep_their_own_order(tmp_path: Path):
    both = [agent("p", "r", 1, 6), agent("q", "r", 1, 6)]
    calls = [tool("p1", "p", 1, 3), tool("q1", "q", 2, 4), tool("p2", "p", 3, 5), tool("q2", "q", 4, 6)]
    assert steps(one(tmp_path, agent("r", None, 0, 9), *both, *calls)) == ["p1", "p2", "q1", "q2"]


def test_the_span_of_an_mcp_client_is_the_call_above_it(tmp_path: Path):
    mcp = tool("a2", "http", 1, 2, {"gen_ai.tool.name": "a", "mcp.method.name": "tools/call"})
    same = tool("a3", "a", 1, 2, {"gen_ai.tool.name": "a", "gen_ai.tool.call.id": "7"})
    found = one(tmp_path, tool("a", None, 0, 3, {"gen_ai.tool.call.id": "7"}), span("http", "a", 0, 3), mcp, same)
    assert steps(found) == ["a"]
    assert steps(one(tmp_path, mcp)) == ["a"]


def test_a_tool_that_calls_itself_is_called_twice(tmp_path: Path):
    assert steps(one(tmp_path, tool("a", None, 0, 3), {**tool("a", "a", 1, 2), "spanId": "a2"})) == ["a", "a"]


def test_arguments_and_errors_of_calls(tmp_path: Path):
    arguments = [{"gen_ai.tool.call.arguments": each} for each in ('{"x": 1}', {"x": [1, 2.5, True]}, "{")]
    failed = {"status": {"code": "STATUS_CODE_ERROR", "message": "boom"}}
    typed = tool("d", None, 8, 9, {"error.type": "timeout"}, status={"code": 2})
    calls = [
        tool(name, None, 2 * n, 2 * n + 1, each, **more)
        for n, (name, each, more) in enumerate(zip("abc", arguments, ({}, {}, failed), strict=True))
    ]
    found = one(tmp_path, *calls, typed).calls
    assert [dict(call.arguments) for call in found] == [{"x": 1}, {"x": [1, 2.5, True]}, {"": "{"}, {}]
    assert [(call.success, call.error) for call in found] == [
        (True, None),
        (True, None),
        (False, "boom"),
        (False, "timeout"),
    ]


HISTORY = [
    {"role": "user", "parts": [{"type": "text", "content": "Before."}]},
    {"role": "assistant", "parts": [{"type": "text", "content": "Yes."}]},
    {"role": "user", "parts": [{"type": "text", "content": "Do it."}]},
]


@pytest.mark.parametrize(
    ("attributes", "events"),
    [
        ({"gen_ai.input.messages": json.dumps(HISTORY)}, []),
        ({"gen_ai.input.messages": HISTORY}, []),
        ({"gen_ai.prompt": json.dumps([{"role": "user", "content": "Do it."}])}, []),
        ({"gen_ai.prompt": "Do it."}, []),
        (
            {
                "gen_ai.prompt.0.role": "system",
                "gen_ai.prompt.0.content": "x",
                "gen_ai.prompt.1.role": "user",
                "gen_ai.prompt.1.content": "Do it.",
            },
            [],
        ),
        (
            {},
            [
                {
                    "name": "gen_ai.content.prompt",
                    "attributes": [{"key": "gen_ai.prompt", "value": value(json.dumps(HISTORY))}],
                }
            ],
        ),
        ({}, [{"name": "gen_ai.user.message", "attributes": [{"key": "content", "value": value("Do it.")}]}]),
        (
            {},
            [
                {
                    "name": "gen_ai.client.inference.operation.details",
                    "attributes": [{"key": "gen_ai.input.messages", "value": value(HISTORY)}],
                }
            ],
        ),
    ],
)
def test_the_request_is_what_the_user_wrote_last(tmp_path: Path, attributes: Any, events: list[Any]):
    chat = span("chat", None, 0, 1, {"gen_ai.operation.name": "chat", **attributes}, events=events)
    later = span("later", None, 2, 3, {"gen_ai.operation.name": "chat", "gen_ai.input.messages": said("Summarize.")})
    assert one(tmp_path, later, chat, tool("a", None, 1, 2)).request == "Do it."


def test_without_tool_spans_the_answers_of_the_model_are_read(tmp_path: Path):
    def chat(own: str, start: int, *names: str) -> dict[str, Any]:
        parts = [{"type": "tool_call", "id": f"{own}{each}", "name": each, "arguments": {"x": 1}} for each in names]
        answer = json.dumps([{"role": "assistant", "parts": parts, "finish_reason": "tool_call"}])
        return span(
            own, None, start, start + 1, {"gen_ai.input.messages": said("Do it."), "gen_ai.output.messages": answer}
        )

    found = one(tmp_path, chat("2", 2, "c"), chat("1", 0, "a", "b"))
    assert (steps(found), found.calls[0].arguments, found.calls[0].success) == ([{"a", "b"}, "c"], {"x": 1}, None)


@pytest.mark.parametrize(
    ("root", "how", "passed"),
    [
        ({}, {}, None),
        ({"passed": True}, {}, True),
        ({"eval.score": 0.7}, {"passed_if": "eval.score>=0.5"}, True),
        ({"eval.score": 0.2}, {"passed_if": "attributes.eval.score>=0.5"}, False),
        ({}, {"passed_if": "eval.score>=0.5"}, None),
        ({"outcome": "ok"}, {"passed_if": "outcome=ok"}, True),
    ],
)
def test_the_outcome_of_a_trace(tmp_path: Path, root: Any, how: Any, passed: bool | None):
    failed = tool("a", "r", 1, 2, status={"code": 2})
    assert one(tmp_path, span("r", None, 0, 3, root), failed, **how).passed is passed


def test_a_root_that_ended_in_an_error_is_a_failed_run(tmp_path: Path):
    found = one(tmp_path, agent("r", None, 0, 9, status={"code": 2, "message": "gave up"}), tool("a", "r", 1, 2))
    assert (found.passed, found.failure, found.calls[0].success) == (False, "gave up", True)


def test_traces_without_a_call_or_a_request_are_no_runs(tmp_path: Path):
    assert runs(load(tmp_path, otlp(span("GET", None, 0, 1, {"http.method": "GET"})))) == []


@pytest.mark.parametrize(
    ("broken", "said_of_it"),
    [
        (5, "resourceSpans[0].scopeSpans[0].spans[0]: is a number, not a span"),
        ({"traceId": "t"}, "the span has no traceId or no spanId"),
        ({**tool("x", None, 0, 1), "spanId": ["x"]}, "spanId is a list, not text"),
        (span("execute_tool", None, 0, 1, {"gen_ai.operation.name": "execute_tool"}), "has no gen_ai.tool.name"),
    ],
)
def test_a_broken_span_is_named_and_the_others_load(tmp_path: Path, broken: Any, said_of_it: str):
    found = load(tmp_path, otlp(broken), otlp(tool("a", None, 0, 1)))
    assert [steps(each) for each in found if isinstance(each, StageRun)] == [["a"]]
    (rejected,) = [str(each) for each in found if isinstance(each, Rejected)]
    assert rejected.startswith(f"{tmp_path / 'log.jsonl'}:1: ")
    assert said_of_it in rejected


def test_calls_nested_without_end_and_spans_in_a_circle(tmp_path: Path):
    deep = [tool(f"s{n}", f"s{n - 1}" if n else None, n, 900 - n) for n in range(400)]
    found = load(tmp_path, otlp(*deep))
    assert [str(each).split(": ", 1)[1] for each in found] == ["trace t: calls are nested more than 200 deep"]
    assert (
        load(tmp_path, otlp(tool("a", "b", 0, 1), span("b", "c", 0, 1), span("c", "b", 0, 1), tool("d", None, 2, 3)))
        != []
    )


def test_traces_are_given_up_when_too_many_are_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(traces_module, "HELD", 2)
    records = [otlp({**tool("a", None, 0, 1), "traceId": str(n)}) for n in range(4)]
    order = [
        each.run if isinstance(each, StageRun) else "broken" for each in read_logs(lines(tmp_path, *records, otlp(5)))
    ]
    assert order == ["0", "1", "broken", "2", "3"]


SPANS = st.lists(
    st.tuples(st.integers(0, 6), st.integers(0, 20), st.integers(0, 9), st.sampled_from("tap")), max_size=14
)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(SPANS, st.integers(0, 9))
def test_every_tool_span_counts_once_in_the_order_of_its_siblings(tmp_path: Path, plan: list[Any], seed: int):
    spans = []
    for n, (above, start, length, sort) in enumerate(plan):
        parent = f"s{above}" if above < n else None
        begun, ended = 100 * start + n, 100 * start + n + length * 60
        make = {"t": tool, "a": agent, "p": span}[sort]
        spans.append({**make(f"s{n}", parent, begun, ended), "parentSpanId": parent})
    random.Random(seed).shuffle(spans)
    found = runs(load(tmp_path, otlp(*spans)))
    names = [call.tool for each in found for call in each.calls]
    tools = {f"s{n}": start for n, (_, start, _, sort) in enumerate(plan) if sort == "t"}
    assert sorted(names) == sorted(tools)
    tops = [name for name in names if plan[int(name[1:])][0] >= int(name[1:])]
    assert tops == sorted(tops, key=lambda name: (tools[name], int(name[1:])))
    turns = Counter(call.turn for each in found for call in each.calls if call.turn is not None)
    assert all(size > 1 for size in turns.values())


# -- LangSmith ---------------------------------------------------------------------------------------------------------


def smith(own: str, above: str | None, kind: str, second: int, **more: Any) -> dict[str, Any]:
    return {
        "id": own,
        "trace_id": "r",
        "parent_run_id": above,
        "run_type": kind,
        "name": own,
        "inputs": {},
        "start_time": f"2026-03-02T10:00:0{second}.000000",
        "end_time": f"2026-03-02T10:00:0{second + 1}.000000",
        **more,
    }


HUMAN = {
    "lc": 1,
    "type": "constructor",
    "id": ["langchain", "schema", "messages", "HumanMessage"],
    "kwargs": {"content": "Do it."},
}


@pytest.mark.parametrize(
    "inputs",
    [
        {"input": "Do it."},
        {"question": "Do it."},
        {"anything": "Do it."},
        {"messages": [{"role": "user", "content": "Do it."}]},
        {"messages": [["system", "x"], {"type": "human", "content": "Do it."}]},
        {"messages": [[HUMAN]]},
        {"input": {"messages": [{"role": "user", "content": [{"type": "text", "text": "Do it."}]}]}},
    ],
)
def test_the_request_of_langsmith_is_in_the_inputs_of_the_earliest_run(tmp_path: Path, inputs: Any):
    (found,) = runs(load(tmp_path, smith("a", "r", "tool", 1), smith("r", None, "chain", 0, inputs=inputs)))
    assert (found.request, steps(found), found.stage) == ("Do it.", ["a"], "r/1")


def test_runs_of_one_example_are_runs_of_one_stage(tmp_path: Path):
    (found,) = runs(load(tmp_path, smith("r", None, "chain", 0, reference_example_id="e"), smith("a", "r", "tool", 1)))
    assert (found.task, found.stage, found.run) == ("e", "e/1", "r")


def test_langsmith_says_of_calls_whether_they_failed(tmp_path: Path):
    handled = {"output": {"type": "tool", "status": "error", "content": "no"}}
    more = [{"error": "boom"}, {"status": "error"}, {"outputs": handled}, {"status": "success"}, {"end_time": None}]
    (found,) = runs(load(tmp_path, *(smith(f"a{n}", "r", "tool", n, **each) for n, each in enumerate(more))))
    assert [call.success for call in found.calls] == [False, False, False, True, None]
    assert [call.error for call in found.calls][:2] == ["boom", "error"]


def test_a_tree_a_page_and_a_run_a_line_are_the_same_trace(tmp_path: Path):
    root, first, inner, second = (
        smith("r", None, "chain", 0, inputs={"input": "Do it."}),
        smith("a", "r", "tool", 1),
        smith("b", "a", "tool", 1),
        smith("c", "r", "tool", 3),
    )
    bare = [
        {k: v for k, v in each.items() if k not in ("trace_id", "parent_run_id")}
        for each in (root, first, inner, second)
    ]
    tree = {**bare[0], "child_runs": [bare[3], {**bare[1], "child_runs": [bare[2]]}]}
    page = {"runs": [second, inner, root, first], "cursors": {"next": None}}
    for records in ([root, first, inner, second], [tree], [page]):
        (found,) = runs(load(tmp_path, *records))
        assert (found.run, found.request, steps(found)) == ("r", "Do it.", ["a", "b", "c"])


@pytest.mark.parametrize(
    ("root", "how", "passed"),
    [
        ({}, {}, None),
        ({"error": "boom"}, {}, False),
        ({"error": "boom"}, {"passed_if": "feedback_stats.ok.avg>=0.5"}, None),
        ({"feedback_stats": {"ok": {"avg": 1}}}, {"passed_if": "feedback_stats.ok.avg>=0.5"}, True),
        ({"extra": {"metadata": {"passed": True}}}, {}, True),
        ({"status": "success"}, {"passed_if": "status=success"}, True),
    ],
)
def test_the_outcome_of_a_run_of_langsmith(tmp_path: Path, root: Any, how: Any, passed: bool | None):
    records = [smith("r", None, "chain", 0, **root), smith("a", "r", "tool", 1, error="x", status="error")]
    assert [each.passed for each in runs(load(tmp_path, *records, **how))] == [passed]


def test_a_model_without_tool_runs_is_read_from_its_answers(tmp_path: Path):
    message = {
        "lc": 1,
        "id": ["AIMessage"],
        "kwargs": {"content": "", "tool_calls": [{"id": "1", "name": "a", "args": {"x": 1}}]},
    }
    outputs = {"generations": [[{"message": message}]]}
    (found,) = runs(load(tmp_path, smith("r", None, "llm", 0, inputs={"messages": [[HUMAN]]}, outputs=outputs)))
    assert (found.request, [(call.tool, dict(call.arguments)) for call in found.calls]) == ("Do it.", [("a", {"x": 1})])


@pytest.mark.parametrize(
    ("broken", "said_of_it"),
    [
        ({"run_type": "tool"}, "the run has no id"),
        ({"run_type": "tool", "id": "x", "parent_run_id": "y"}, "has a parent_run_id, but no trace_id"),
        ({"run_type": "tool", "id": "x", "name": None}, "the tool's run has no name"),
        ({"run_type": "chain", "id": "x", "child_runs": [5]}, "child_runs[0] is a number, not an object"),
    ],
)
def test_a_broken_run_of_langsmith_is_named(tmp_path: Path, broken: Any, said_of_it: str):
    found = load(tmp_path, broken, smith("a", "r", "tool", 1))
    assert [steps(each) for each in found if isinstance(each, StageRun)] == [["a"]]
    assert said_of_it in str(next(each for each in found if isinstance(each, Rejected)))


# -- Langfuse ----------------------------------------------------------------------------------------------------------


def fuse(own: str, above: str | None, kind: str, second: int, **more: Any) -> dict[str, Any]:
    return {
        "id": own,
        "traceId": "t",
        "parentObservationId": above,
        "type": kind,
        "name": own,
        "startTime": f"2026-03-02T10:00:0{second}.000Z",
        "endTime": f"2026-03-02T10:00:0{second + 1}.000Z",
        "level": "DEFAULT",
        **more,
    }


TRACE = {
    "id": "t",
    "timestamp": "2026-03-02T10:00:00Z",
    "name": "n",
    "tags": [],
    "public": False,
    "input": {"query": "Do it."},
}
OBSERVATIONS = [
    fuse("c", None, "TOOL", 5),
    fuse("a", "s", "TOOL", 1),
    fuse("s", None, "SPAN", 0),
    fuse("b", "s", "TOOL", 1),
]


def test_whole_traces_pages_and_rows_of_langfuse_are_the_same(tmp_path: Path):
    whole = {**TRACE, "observations": OBSERVATIONS, "scores": []}
    shapes: list[list[Any]] = [
        [whole],
        [{"data": [whole], "meta": {"page": 1}}],
        [{"trace": TRACE, "observations": OBSERVATIONS}],
        [*OBSERVATIONS, TRACE],
        [{"data": OBSERVATIONS}, TRACE],
    ]
    for shape in shapes:
        (found,) = runs(load(tmp_path, *shape))
        assert (found.run, found.request, steps(found)) == ("t", "Do it.", [{"a", "b"}, "c"])


def test_rows_of_the_export_to_storage_are_read(tmp_path: Path):
    row = {
        "id": "a",
        "trace_id": "t",
        "type": "TOOL",
        "name": "a",
        "start_time": "2026-03-02 10:00:01.000000",
        "level": "ERROR",
    }
    ask = {
        "id": "g",
        "trace_id": "t",
        "type": "GENERATION",
        "start_time": "2026-03-02 10:00:00.000000",
        "input": said("Do it."),
    }
    score = {"id": "s", "trace_id": "t", "name": "ok", "value": 1, "data_type": "BOOLEAN", "string_value": "True"}
    (found,) = runs(load(tmp_path, row, ask, score, passed_if="scores.ok>=1"))
    assert (found.request, steps(found), found.calls[0].success, found.passed) == ("Do it.", ["a"], False, True)


def test_a_span_is_a_tool_only_if_it_says_so(tmp_path: Path):
    marked = {"attributes": {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "find"}}
    records = [
        fuse("x", None, "SPAN", 0),
        fuse("y", None, "SPAN", 1, metadata=marked),
        fuse("z", None, "SPAN", 2, metadata=json.dumps(marked)),
    ]
    (found,) = runs(load(tmp_path, *records))
    assert steps(found) == ["find", "find"]


def test_generations_alone_are_read_from_their_output(tmp_path: Path):
    answer = {"role": "assistant", "tool_calls": [{"id": n, "function": {"name": n, "arguments": "{}"}} for n in "ab"]}
    ask = [{"role": "user", "content": "Do it."}]
    (found,) = runs(load(tmp_path, fuse("g", None, "GENERATION", 0, input=ask, output=answer)))
    assert (found.request, steps(found)) == ("Do it.", [{"a", "b"}])


@pytest.mark.parametrize(
    ("trace", "how", "passed"),
    [
        ({}, {}, None),
        ({"metadata": {"passed": True}}, {}, True),
        ({"metadata": '{"passed": false}'}, {}, False),
        ({"scores": [{"name": "ok", "value": 0.9}]}, {"passed_if": "scores.ok>=0.5"}, True),
        ({"scores": [{"name": "ok", "value": 0.1}]}, {"passed_if": "scores.ok>=0.5"}, False),
        ({}, {"passed_if": "scores.ok>=0.5"}, None),
    ],
)
def test_the_outcome_of_a_trace_of_langfuse(tmp_path: Path, trace: Any, how: Any, passed: bool | None):
    whole = {**TRACE, **trace, "observations": [fuse("a", "s", "TOOL", 1, level="ERROR")]}
    assert [each.passed for each in runs(load(tmp_path, whole, **how))] == [passed]


def test_a_score_of_a_category_is_compared_in_words(tmp_path: Path):
    score = {"id": "s", "traceId": "t", "name": "grade", "value": 0, "stringValue": "good", "dataType": "CATEGORICAL"}
    records = [score, fuse("a", None, "TOOL", 1)]
    assert [each.passed for each in runs(load(tmp_path, *records, passed_if="scores.grade=good"))] == [True]


def test_a_broken_observation_is_named(tmp_path: Path):
    found = load(
        tmp_path, {**TRACE, "observations": [fuse("a", None, "TOOL", 1, name=None), fuse("b", None, "TOOL", 1)]}
    )
    assert [steps(each) for each in found if isinstance(each, StageRun)] == [["b"]]
    assert "observations[0]: the tool's observation has no name" in str(found)


# -- MCP ---------------------------------------------------------------------------------------------------------------


def rpc(number: int | None = None, method: str | None = None, **more: Any) -> dict[str, Any]:
    return {
        "jsonrpc": "2.0",
        **({"id": number} if number is not None else {}),
        **({"method": method} if method else {}),
        **more,
    }


def call(number: int, name: str, **arguments: Any) -> dict[str, Any]:
    return rpc(number, "tools/call", params={"name": name, "arguments": arguments})


def ok(number: int) -> dict[str, Any]:
    return rpc(number, result={"content": [], "isError": False})


INITIALIZE = [
    rpc(0, "initialize", params={}),
    rpc(0, result={"serverInfo": {"name": "files"}}),
    rpc(None, "notifications/initialized"),
]
LIST = [rpc(1, "tools/list"), rpc(1, result={"tools": [{"name": "read"}]})]


def test_calls_are_joined_with_their_results(tmp_path: Path):
    bad = rpc(3, result={"isError": True, "content": [{"type": "text", "text": "denied"}]})
    worse = rpc(4, error={"code": -32602, "message": "Unknown tool"})
    talk = [
        *INITIALIZE,
        *LIST,
        call(2, "read", path="a"),
        ok(2),
        call(3, "list"),
        bad,
        call(4, "none"),
        worse,
        call(5, "cut"),
    ]
    (found,) = runs(load(tmp_path, *talk))
    assert [(each.tool, each.success, each.error) for each in found.calls] == [
        ("files/read", True, None),
        ("files/list", False, "denied"),
        ("files/none", False, "Unknown tool"),
        ("files/cut", None, None),
    ]
    assert found.calls[0].arguments == {"path": "a"}
    assert (found.request, found.passed, found.stage) == ("", None, f"{found.run}/1")


def test_calls_sent_before_an_answer_share_a_turn(tmp_path: Path):
    talk = [call(1, "a"), call(2, "b"), ok(2), call(3, "c"), ok(1), ok(3), call(4, "d"), ok(4)]
    assert steps(runs(load(tmp_path, *talk))[0]) == [{"a", "b", "c"}, "d"]


def test_a_server_that_is_initialized_again_begins_another_run(tmp_path: Path):
    found = runs(load(tmp_path, *INITIALIZE, call(2, "read"), ok(2), *INITIALIZE, call(2, "write"), ok(2)))
    assert [steps(each) for each in found] == [["files/read"], ["files/write"]]


def test_several_servers_in_one_log_are_one_run(tmp_path: Path):
    def line(server: str, message: Any) -> dict[str, Any]:
        return {"server": server, "timestamp": "2026-03-02T10:00:00Z", "message": message, "user_query": "Do it."}

    talk = [line(s, m) for m in (INITIALIZE[0], call(1, "x"), ok(1)) for s in ("crm", "mail")]
    (found,) = runs(load(tmp_path, *talk))
    assert (found.request, steps(found), found.finished) == (
        "Do it.",
        [{"crm/x", "mail/x"}],
        "2026-03-02T10:00:00+00:00",
    )
    assert all(each.success for each in found.calls)


def test_files_are_runs_of_their_own(tmp_path: Path):
    for name in ("1.jsonl", "2.jsonl"):
        (tmp_path / name).write_text("\n".join(map(json.dumps, [call(1, "a"), rpc(1, result={"content": [name]})])))
    found = runs(list(read_logs(tmp_path)))
    assert ([steps(each) for each in found], len({each.run for each in found})) == ([["a"], ["a"]], 2)


@pytest.mark.parametrize(
    ("broken", "said_of_it"),
    [
        (rpc(1, "tools/call", params=None), "params of tools/call is null, not an object"),
        (rpc(1, "tools/call", params={"arguments": {}}), "the call of a tool has no name"),
        (7, "is a number, not a message of JSON-RPC"),
    ],
)
def test_a_broken_message_is_named(tmp_path: Path, broken: Any, said_of_it: str):
    found = load(tmp_path, *INITIALIZE, broken, call(2, "a"), ok(2))
    assert [each.calls[-1].tool for each in found if isinstance(each, StageRun)] == ["files/a"]
    assert [said_of_it in str(each) for each in found if isinstance(each, Rejected)] == [True]


@pytest.mark.parametrize("huge", [10**30, 10**400, -(10**400)])
def test_a_number_that_is_no_time_is_none_and_the_rest_of_the_load_goes_on(tmp_path: Path, huge: int):
    trace = {"id": "lf", "timestamp": huge, "input": "Do it.", "observations": []}
    spans = otlp(tool("a", None, 1, 2) | {"startTimeUnixNano": huge, "endTimeUnixNano": huge})
    asked = {"id": "c", "created": huge, "messages": [{"role": "user", "content": "Do it."}]}
    found = runs(load(tmp_path, trace, spans, asked))
    assert {(run.task, *steps(run), run.finished) for run in found} == {("lf", None), ("t", "a", None), ("c", None)}
