"""Conversations of OpenAI's and Anthropic's interfaces into stage runs."""

from __future__ import annotations

import json
from collections import Counter
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from graphstore.loaders import conversations as conversations_module
from graphstore.loaders import read_logs
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphstore.records import Ignored, Rejected, StageRun

Found = list[StageRun | Rejected | Ignored]


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


USER = {"role": "user", "content": "Do it."}
DONE = {"role": "assistant", "content": "Done."}


def ask(text: Any) -> dict[str, Any]:
    return {"role": "user", "content": text}


def calls(*names: str, **ids: str) -> dict[str, Any]:
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": ids.get(name, f"id-{name}"), "type": "function", "function": {"name": name, "arguments": "{}"}}
            for name in names
        ],
    }


def result(name: str, content: Any = "ok", **more: Any) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": f"id-{name}", "content": content, **more}


def use(*names: str) -> dict[str, Any]:
    blocks = [{"type": "tool_use", "id": f"id-{name}", "name": name, "input": {"n": name}} for name in names]
    return {"role": "assistant", "content": [{"type": "text", "text": "Let me see."}, *blocks]}


def used(name: str, **more: Any) -> dict[str, Any]:
    return {"role": "user", "content": [{"type": "tool_result", "tool_use_id": f"id-{name}", "content": "x", **more}]}


def chat(*messages: Any, **more: Any) -> dict[str, Any]:
    return {"id": "c", "messages": list(messages), **more}


# -- what a stage is -------------------------------------------------------------------------------------------------


def test_each_request_of_the_user_begins_a_stage(tmp_path: Path):
    found = runs(
        load(tmp_path, chat(USER, calls("a"), result("a"), DONE, ask("More."), calls("b"), ask("And c."), calls("c")))
    )
    assert [(each.stage, each.run, each.request, steps(each)) for each in found] == [
        ("c/1", "c", "Do it.", ["a"]),
        ("c/2", "c", "More.", ["b"]),
        ("c/3", "c", "And c.", ["c"]),
    ]


def test_messages_in_a_row_are_one_request_and_what_precedes_them_is_none(tmp_path: Path):
    greeting = {"role": "assistant", "content": "How can I help?"}
    system = {"role": "system", "content": "Be kind."}
    (found,) = runs(load(tmp_path, chat(system, greeting, ask("Here is a list."), ask("Sort it."), calls("sort"))))
    assert (found.request, steps(found)) == ("Here is a list.\nSort it.", ["sort"])


def test_text_parts_are_the_request_and_pictures_are_not(tmp_path: Path):
    parts = [{"type": "text", "text": "What is this?"}, {"type": "image_url", "image_url": {"url": "x"}}]
    assert runs(load(tmp_path, chat(ask(parts), DONE)))[0].request == "What is this?"


def test_calls_before_any_request_are_a_stage_without_one(tmp_path: Path):
    (found,) = runs(load(tmp_path, chat({"role": "system", "content": "Report daily."}, calls("report"))))
    assert (found.request, steps(found)) == ("", ["report"])


def test_a_stage_without_calls_is_read(tmp_path: Path):
    (found,) = runs(load(tmp_path, chat(USER, DONE)))
    assert found.calls == ()


# -- calls and results -----------------------------------------------------------------------------------------------


def test_calls_of_one_message_are_a_turn(tmp_path: Path):
    (found,) = runs(load(tmp_path, chat(USER, calls("a", "b"), result("a"), result("b"), calls("c"), calls("d", "e"))))
    assert steps(found) == [{"a", "b"}, "c", {"d", "e"}]
    assert [call.turn for call in found.calls] == [0, 0, None, 1, 1]


@pytest.mark.parametrize(
    ("content", "more", "success"),
    [
        ("ok", {}, None),
        ("Error: no such file", {}, False),
        ("Errors: none", {}, None),
        ('{"error": "no"}', {}, False),
        ('{"error": null, "rows": 3}', {}, None),
        ('{"success": true}', {}, True),
        ('{"ok": false}', {}, False),
        ('{"isError": true}', {}, False),
        ('{"error"', {}, None),
        ("x", {"status": "error"}, False),
        ("x", {"status": "success"}, True),
        (None, {}, None),
        ([{"type": "text", "text": "x"}], {}, None),
        ([{"type": "text", "text": "Error: no such file"}, {"type": "text", "text": "try another"}], {}, False),
        ([{"type": "text", "text": '{"success": true}'}], {}, True),
        ([None, 3, {"type": "image"}], {}, None),
    ],
)
def test_whether_a_result_is_an_error(tmp_path: Path, content: Any, more: dict[str, Any], success: bool | None):
    (found,) = runs(load(tmp_path, chat(USER, calls("a"), result("a", content, **more))))
    assert found.calls[0].success is success
    assert (found.calls[0].error is not None) is (success is False)


def test_results_without_calls_and_calls_without_results_are_no_fault(tmp_path: Path):
    (found,) = runs(load(tmp_path, chat(USER, result("z"), calls("a", "b"), result("b", "Error: x"), result("b", "x"))))
    assert [(call.tool, call.success) for call in found.calls] == [("a", None), ("b", False)]


def test_ids_that_are_used_again_name_the_last_call(tmp_path: Path):
    turns = [calls("a", a="1"), {**result("a", "Error: x"), "tool_call_id": "1"}]
    again = [calls("a", a="1"), {**result("a", '{"success": true}'), "tool_call_id": "1"}]
    (found,) = runs(load(tmp_path, chat(USER, *turns, *again)))
    assert [call.success for call in found.calls] == [False, True]


def test_a_failed_call_does_not_make_a_failed_run(tmp_path: Path):
    (found,) = runs(load(tmp_path, chat(USER, calls("a"), result("a", "Error: x"), calls("a"), passed=True)))
    assert found.passed is True


def test_the_older_form_of_calls_is_read(tmp_path: Path):
    call = {"role": "assistant", "function_call": {"name": "a", "arguments": '{"x": 1}'}}
    (found,) = runs(load(tmp_path, chat(USER, call, {"role": "function", "name": "a", "content": "Error: x"})))
    assert [(call.tool, dict(call.arguments), call.success) for call in found.calls] == [("a", {"x": 1}, False)]


def test_a_call_written_in_two_places_of_a_message_counts_once(tmp_path: Path):
    both = {**use("a", "b"), "tool_calls": [{"name": "a", "args": {}, "id": "id-a"}]}
    (found,) = runs(load(tmp_path, chat(USER, both)))
    assert steps(found) == [{"a", "b"}]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ('{"x": 1}', {"x": 1}),
        ('{"x": 1', {"": '{"x": 1'}),
        ("", {}),
        (None, {}),
        ("[1]", {"": "[1]"}),
        ({"x": 1}, {"x": 1}),
        ('{"x": NaN}', {"": '{"x": NaN}'}),
        ('{"x": "\\ud800"}', {"": '{"x": "\\ud800"}'}),
        ("[" * 5000 + "]" * 5000, {"": "[" * 5000 + "]" * 5000}),
    ],
)
def test_arguments_are_an_object_or_kept_as_they_are(tmp_path: Path, written: Any, read: dict[str, Any]):
    call = {"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "a", "arguments": written}}]}
    assert runs(load(tmp_path, chat(USER, call)))[0].calls[0].arguments == read


@pytest.mark.parametrize("name", ["admin.tools.list", "tool-with-dash", "工具", "a b", " edge ", "x" * 200, "`;DROP"])
def test_odd_names_are_kept_exactly(tmp_path: Path, name: str):
    assert [
        each.calls[0].tool for each in runs(load(tmp_path, chat(USER, calls(name)), chat(USER, use(name), id="d")))
    ] == [
        name,
        name,
    ]


@pytest.mark.parametrize(
    ("messages", "said"),
    [
        ([USER, 5], "messages[1]: is a number, not a message"),
        ([USER, {"content": "x"}], "messages[1]: the message has no role"),
        ([USER, {"role": "assistant", "tool_calls": [None]}], "messages[1]: tool_calls[0] is null, not an object"),
        ([USER, {"role": "assistant", "tool_calls": {"a": 1}}], "messages[1]: tool_calls is an object, not a list"),
        ([USER, {"role": "assistant", "tool_calls": [{"function": {}}]}], "messages[1]: tool_calls[0] has no name"),
        ([USER, {"role": "assistant", "content": [{"type": "tool_use", "id": "1"}]}], "content[0] has no name"),
        ([USER, calls(" ")], "messages[1]: tool_calls[0] has no name"),
        ([], "the chat has no messages"),
    ],
)
def test_a_broken_conversation_is_named_and_the_others_load(tmp_path: Path, messages: list[Any], said: str):
    found = load(tmp_path, chat(USER, DONE, id="a"), chat(*messages), chat(USER, DONE, id="b"))
    assert sorted(each.stage for each in found if isinstance(each, StageRun)) == ["a/1", "b/1"]
    (rejected,) = [str(each) for each in found if isinstance(each, Rejected)]
    assert rejected.startswith(f"{tmp_path / 'log.jsonl'}:2: ")
    assert said in rejected


def test_null_calls_are_none(tmp_path: Path):
    message = {"role": "assistant", "content": "x", "tool_calls": None, "function_call": None}
    assert runs(load(tmp_path, chat(USER, message)))[0].calls == ()


def test_ten_thousand_calls_in_one_conversation(tmp_path: Path):
    many = [message for n in range(5_000) for message in (calls(f"t{n % 7}", f"u{n % 5}"), result(f"t{n % 7}"))]
    (found,) = runs(load(tmp_path, chat(USER, *many)))
    assert (len(found.calls), found.calls[-1].turn) == (10_000, 4_999)


# -- the records of a conversation -----------------------------------------------------------------------------------


def test_an_answer_beside_its_request_is_the_last_message(tmp_path: Path):
    request, response = {"messages": [USER]}, {"id": "chatcmpl-1", "choices": [{"message": calls("a", "b")}]}
    shapes = [
        {**request, **response},
        {"request": request, "response": response},
        {"request": {"body": request}, "response": {"status_code": 200, "body": response}},
        {"request": {"messages": [USER]}, "response": {"type": "message", **use("a", "b")}},
    ]
    for shape in shapes:
        (found,) = runs(load(tmp_path, shape))
        assert (found.request, steps(found)) == ("Do it.", [{"a", "b"}])
        assert "chatcmpl" not in found.stage


def test_of_requests_that_begin_alike_the_longest_counts(tmp_path: Path):
    whole = [
        USER,
        calls("a", "b"),
        result("a"),
        result("b"),
        calls("c"),
        result("c"),
        DONE,
        ask("More."),
        calls("d"),
        DONE,
    ]
    logged = [{"messages": whole[:n], "choices": [{"message": whole[n]}]} for n in (1, 4, 6, 8, 9)]
    other = {"messages": [ask("Something else."), calls("x")]}
    found = runs(load(tmp_path, logged[0], other, *logged[1:]))
    assert sorted((each.request, str(steps(each))) for each in found) == sorted(
        [("Do it.", str([{"a", "b"}, "c"])), ("More.", "['d']"), ("Something else.", "['x']")]
    )


@pytest.mark.parametrize("id", [None, "c"])
@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_the_longest_counts_whatever_the_order_of_the_records(tmp_path: Path, id: str | None, order: tuple[int, ...]):
    whole = [USER, calls("a"), result("a"), DONE, ask("More."), calls("b"), result("b"), calls("c")]
    logged = [{"id": id, "messages": whole[:n]} for n in (2, 6, 8)]
    other = {"messages": [USER, calls("a"), result("a"), calls("d")]}
    found = runs(load(tmp_path, *(logged[n] for n in order), other))
    assert [steps(each) for each in found] == [["a"], ["b", "c"], ["a", "d"]]


def test_a_conversation_without_id_goes_by_its_content(tmp_path: Path):
    one, again, other = (
        {"messages": [USER, calls("a")]},
        {"messages": [USER, calls("a"), DONE]},
        {"messages": [USER, calls("b")]},
    )
    first, second, third = (runs(load(tmp_path, each))[0] for each in (one, again, other))
    assert first.run == second.run != third.run
    assert first.stage == f"{first.run}/1"


def test_a_conversation_with_an_id_stands_as_it_was_logged_last(tmp_path: Path):
    found = runs(load(tmp_path, chat(USER, calls("a")), chat(USER, calls("b"), calls("c"))))
    assert [(each.run, steps(each)) for each in found] == [("c", ["b", "c"])]


@pytest.mark.parametrize("messages", [[USER, calls("a"), result("a"), DONE], [USER, use("a"), used("a"), DONE]])
def test_a_list_of_messages_and_a_message_a_line_are_one_conversation(tmp_path: Path, messages: list[Any]):
    (tmp_path / "list.json").write_text(json.dumps(messages))
    (tmp_path / "lines.jsonl").write_text("\n".join(map(json.dumps, messages)))
    (tmp_path / "lists.jsonl").write_text(json.dumps(messages))
    found = [runs(list(read_logs(tmp_path / name))) for name in ("list.json", "lines.jsonl", "lists.jsonl")]
    assert [[(each.request, steps(each), each.run) for each in one] for one in found] == [
        [("Do it.", ["a"], found[0][0].run)]
    ] * 3


def test_conversations_are_given_up_when_too_many_are_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(conversations_module, "HELD", 3)
    found = read_logs(lines(tmp_path, *[chat(USER, calls("a"), id=str(n)) for n in range(5)], {"messages": []}))
    order = [each.stage if isinstance(each, StageRun) else "broken" for each in found]
    assert order == ["0/1", "1/1", "broken", "2/1", "3/1", "4/1"]


# -- Responses -------------------------------------------------------------------------------------------------------


def item(kind: str, **fields: Any) -> dict[str, Any]:
    return {"type": kind, **fields}


def called(name: str) -> dict[str, Any]:
    return item("function_call", id=f"fc-{name}", call_id=f"id-{name}", name=name, arguments="{}")


def output(name: str, written: Any = "ok") -> dict[str, Any]:
    return item("function_call_output", call_id=f"id-{name}", output=written)


ITEMS = [
    item("message", role="user", content=[{"type": "input_text", "text": "Do it."}]),
    item("reasoning", summary=[]),
    called("a"),
    item("reasoning", summary=[]),
    called("b"),
    output("a"),
    output("b", "Error: x"),
    called("c"),
    item("web_search_call", id="ws", status="completed"),
    item("mcp_call", id="m", server_label="srv", name="n", arguments='{"q": 1}', error="denied"),
    item("message", role="assistant", content=[{"type": "output_text", "text": "Done."}]),
]


@pytest.mark.parametrize(
    "shape", [lambda i: {"input": i}, lambda i: {"items": i}, lambda i: i, lambda i: {"input": i[:5], "output": i[5:]}]
)
def test_items_are_read_in_each_wrapping(tmp_path: Path, shape: Any):
    (found,) = runs(load(tmp_path, shape(ITEMS)))
    assert (found.request, steps(found)) == ("Do it.", [{"a", "b"}, "c", "web_search", "srv/n"])
    assert [call.success for call in found.calls] == [None, False, None, True, False]
    assert found.calls[-1].error == "denied"


def test_an_item_a_line_is_one_conversation_also_as_codex_writes_it(tmp_path: Path):
    wrapped = [
        {"type": "session_meta", "payload": {"id": "x"}},
        *({"type": "response_item", "payload": each} for each in ITEMS),
    ]
    for records in (ITEMS, wrapped):
        (found,) = runs(load(tmp_path, *records))
        assert steps(found) == [{"a", "b"}, "c", "web_search", "srv/n"]


def test_responses_go_on_after_the_one_they_name(tmp_path: Path):
    one = {"object": "response", "id": "r1", "input": "Do it.", "output": [called("a"), called("b")]}
    two = {
        "object": "response",
        "id": "r2",
        "previous_response_id": "r1",
        "input": [output("a"), output("b")],
        "output": [called("c")],
    }
    (found,) = runs(
        load(tmp_path, one, {"object": "response", "id": "x", "input": "Else.", "output": [called("z")]}, two)[:1]
    )
    assert (found.request, steps(found)) == ("Else.", ["z"])
    assert [steps(each) for each in runs(load(tmp_path, one, two))] == [[{"a", "b"}, "c"]]


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ({"object": "response", "output": []}, "the response has no items"),
        ({"input": [called("a"), item("function_call", call_id="1")]}, "input[1]: function_call has no name"),
        ({"output": [called("a"), 5]}, "output[1]: is a number, not an item"),
    ],
)
def test_a_broken_response_is_named(tmp_path: Path, record: dict[str, Any], said: str):
    (found,) = load(tmp_path, record)
    assert isinstance(found, Rejected)
    assert said in str(found)


# -- Anthropic -------------------------------------------------------------------------------------------------------


def test_results_of_anthropic_say_whether_they_are_errors(tmp_path: Path):
    results = [used("a"), used("b", is_error=True, content=[{"type": "text", "text": "no"}]), used("c", is_error=False)]
    (found,) = runs(load(tmp_path, chat(USER, use("a", "b", "c", "d"), *results)))
    assert [(call.tool, call.success, call.error) for call in found.calls] == [
        ("a", True, None),
        ("b", False, "no"),
        ("c", True, None),
        ("d", None, None),
    ]
    assert found.calls[0].arguments == {"n": "a"}


def test_a_result_with_words_of_the_user_is_followed_by_a_request(tmp_path: Path):
    both = {"role": "user", "content": [*used("a")["content"], {"type": "text", "text": "Now b."}]}
    found = runs(load(tmp_path, chat(USER, use("a"), both, use("b"))))
    assert [(each.request, steps(each), each.calls[0].success) for each in found] == [
        ("Do it.", ["a"], True),
        ("Now b.", ["b"], None),
    ]


def test_tools_of_a_server_are_called_by_it(tmp_path: Path):
    block = {"type": "mcp_tool_use", "id": "m", "server_name": "crm", "name": "find", "input": {}}
    search = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}
    results = [
        {"type": "mcp_tool_result", "tool_use_id": "m", "is_error": False, "content": []},
        {"type": "web_search_tool_result", "tool_use_id": "s", "content": {"type": "web_search_tool_result_error"}},
    ]
    (found,) = runs(load(tmp_path, chat(USER, {"role": "assistant", "content": [block, search, *results]})))
    assert [(call.tool, call.success) for call in found.calls] == [("crm/find", True), ("web_search", False)]


def event(kind: str, message: Any = None, **more: Any) -> dict[str, Any]:
    return {"type": kind, "sessionId": "s", "uuid": "u", **({"message": message} if message else {}), **more}


def test_a_transcript_keeps_what_was_asked_apart_from_what_was_not(tmp_path: Path):
    side = [
        event("user", ask("Look for x."), isSidechain=True),
        event("assistant", {"id": "m9", **use("Grep")}, isSidechain=True),
    ]
    found = runs(
        load(
            tmp_path,
            {"type": "summary", "summary": "Old.", "leafUuid": "z"},
            event("user", ask("Caveat: ignore."), isMeta=True),
            event("user", USER, timestamp="2026-03-02T10:00:00Z"),
            event("assistant", {"id": "m1", **use("Task")}),
            *side,
            event("user", used("Task")),
            event("user", ask("[Request interrupted by user]")),
            event("assistant", {"id": "m2", **use("Edit")}, timestamp="2026-03-02T10:05:00Z"),
            event("system", subtype="x"),
        )
    )
    assert [(each.stage, each.request, steps(each)) for each in found] == [("s/1", "Do it.", ["Task", "Grep", "Edit"])]
    assert found[0].finished == "2026-03-02T10:05:00+00:00"


def test_sessions_of_one_file_are_conversations_of_their_own(tmp_path: Path):
    other = {**event("user", ask("Else.")), "sessionId": "t"}
    found = runs(load(tmp_path, event("user", USER), other, event("assistant", use("a"))))
    assert sorted((each.stage, each.request, len(each.calls)) for each in found) == [
        ("s/1", "Do it.", 1),
        ("t/1", "Else.", 0),
    ]


# -- verdicts --------------------------------------------------------------------------------------------------------

TWO = (USER, calls("a"), ask("More."), calls("b"))


@pytest.mark.parametrize(
    ("messages", "more", "passed"),
    [
        ((USER, calls("a")), {}, [None]),
        ((USER, calls("a")), {"passed": True}, [True]),
        ((USER, calls("a")), {"metadata": {"passed": False}}, [False]),
        ((USER, calls("a")), {"success": True}, [True]),
        ((USER, calls("a")), {"success": "yes"}, [None]),
        (TWO, {"passed": True}, [True, True]),
        (TWO, {"passed": False}, [None, None]),
    ],
)
def test_what_the_record_says_of_its_outcome(tmp_path: Path, messages: Any, more: dict[str, Any], passed: list[Any]):
    assert [each.passed for each in runs(load(tmp_path, chat(*messages, **more)))] == passed


def test_the_outcome_of_a_transcript_may_come_last(tmp_path: Path):
    end = {"type": "result", "session_id": "s", "uuid": "e", "is_error": False}
    found = runs(load(tmp_path, event("user", USER), event("assistant", use("a")), end, passed_if="is_error=false"))
    assert [each.passed for each in found] == [True]


# -- properties ------------------------------------------------------------------------------------------------------

MESSAGES = st.lists(
    st.one_of(
        st.just("ask"),
        st.lists(st.sampled_from("abc"), min_size=1, max_size=3),
        st.just("say"),
    ),
    max_size=8,
)


def _written(plan: list[Any], dialect: str) -> tuple[list[Any], list[list[str]]]:
    """Messages, and the tools of each stage."""
    messages: list[Any] = [USER]
    stages: list[list[str]] = [[]]
    number = 0
    for each in plan:
        if each == "ask":
            if messages[-1] is not USER:
                stages.append([])
            messages.append(USER)
        elif each == "say":
            messages.append(DONE)
        else:
            ids = [str(number + n) for n in range(len(each))]
            number += len(each)
            stages[-1] += each
            if dialect == "openai":
                pairs = [{"id": i, "function": {"name": n, "arguments": "{}"}} for i, n in zip(ids, each, strict=True)]
                messages.append({"role": "assistant", "tool_calls": pairs})
                messages += [{"role": "tool", "tool_call_id": i, "content": "x"} for i in ids]
            else:
                blocks = [{"type": "tool_use", "id": i, "name": n, "input": {}} for i, n in zip(ids, each, strict=True)]
                messages.append({"role": "assistant", "content": blocks})
                messages.append({"role": "user", "content": [{"type": "tool_result", "tool_use_id": i} for i in ids]})
    return messages, stages


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(MESSAGES, st.sampled_from(["openai", "anthropic"]))
def test_order_is_kept_and_every_call_counts_once(tmp_path: Path, plan: list[Any], dialect: str):
    messages, stages = _written(plan, dialect)
    logged = [{"messages": messages[: n + 1]} for n in range(len(messages))]
    for records in ([chat(*messages)], logged, messages):
        found = sorted(runs(load(tmp_path, *records)), key=lambda each: int(each.stage.rsplit("/", 1)[1]))
        assert [[call.tool for call in each.calls] for each in found] == stages
        assert len({each.run for each in found}) == 1
        groups = Counter(call.turn for each in found[-1:] for call in each.calls if call.turn is not None)
        assert all(size > 1 for size in groups.values())
