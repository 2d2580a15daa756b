"""The formats of logs: the examples of docs/logs.md, how a format is told or forced, and when a run passed."""

from __future__ import annotations

import json
import re
import tracemalloc
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from graphstore.loaders import read_documents, read_logs, read_tools
from graphstore.loaders.formats import FORMATS
from graphstore.loaders.outcome import passed_if
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphstore.cli.load import FORMATS as NAMES
from graphstore.errors import LoadError, SettingsError
from graphstore.records import Ignored, Rejected, StageRun, ToolCall

DOCUMENT = (Path(__file__).parents[2] / "docs/logs.md").read_text("utf-8")
SECTIONS = re.findall(r"^### (\S+)\n(.*?)(?=^##|\Z)", DOCUMENT, re.MULTILINE | re.DOTALL)
EXAMPLE = re.compile(
    r"^```(jsonl?)\n(.*?)^```\n(?:.*?--passed-if '([^']+)'`:\n)?.*?^```text\n(.*?)^```", re.MULTILINE | re.DOTALL
)


def write(folder: Path, name: str, content: Any) -> Path:
    file = folder / name
    file.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    return file


def lines(folder: Path, *records: Any) -> Path:
    return write(folder, "log.jsonl", "\n".join(map(json.dumps, records)))


def shown(run: StageRun) -> str:
    """A stage run as the document shows it."""
    verdict = {True: "passed", False: "failed", None: "unknown"}[run.passed]
    steps = groupby(enumerate(run.calls), key=lambda item: (item[1].turn, item[1].turn is None and item[0]))
    calls = ["  " + " + ".join(_shown_call(call) for _, call in step) for _, step in steps]
    return "\n".join([f"{re.sub(r'[0-9a-f]{16}', '…', run.stage)} {verdict}: {run.request}", *calls])


def _shown_call(call: ToolCall) -> str:
    return call.tool + {True: " (ok)", False: " (failed)", None: ""}[call.success]


def test_every_format_is_documented_and_offered():
    names = [each.name for each in FORMATS]
    assert sorted(names) == sorted(name for name, _ in SECTIONS) == sorted(NAMES)
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(("name", "text"), SECTIONS, ids=[name for name, _ in SECTIONS])
@pytest.mark.parametrize("forced", [False, True], ids=["told", "forced"])
def test_the_example_of_the_document_is_true(tmp_path: Path, name: str, text: str, forced: bool):
    match = EXAMPLE.search(text)
    assert match is not None
    suffix, example, condition, expected = match.groups()
    file = write(tmp_path, f"log.{suffix}", example)
    found = list(read_logs(file, format=name if forced else None, passed_if=condition))
    assert all(isinstance(each, StageRun) for each in found), list(map(str, found))
    assert "\n".join(shown(each) for each in found if isinstance(each, StageRun)) == expected.rstrip()
    told = {each.name for each in FORMATS if any(each.tells(value) for value in _records(suffix, example))}
    assert name in told
    with pytest.raises(LoadError, match="graphstore load logs"):
        list(read_tools(file))
    if name != "mcp":  # a message of JSON-RPC may be anything
        with pytest.raises(LoadError, match="graphstore load logs"):
            list(read_documents(file))


def _records(suffix: str, example: str) -> Iterable[Any]:
    whole = [json.loads(line) for line in example.splitlines()] if suffix == "jsonl" else [json.loads(example)]
    for each in whole:
        yield each
        if isinstance(each, list):
            yield from each


@pytest.mark.parametrize(("name", "text"), SECTIONS, ids=[name for name, _ in SECTIONS])
def test_broken_lines_cost_themselves_only(tmp_path: Path, name: str, text: str):
    match = EXAMPLE.search(text)
    assert match is not None
    records = list(_records(match[1], match[2]))
    records = records[0] if isinstance(records[0], list) else records if match[1] == "jsonl" else records[:1]
    whole = lines(tmp_path, *records).read_text("utf-8").splitlines()
    broken = write(tmp_path, "broken.jsonl", "\n".join([*whole, "null", "5", '"x"', "[]", "{", '{"a": NaN}']))
    good, found = (list(read_logs(path)) for path in (tmp_path / "log.jsonl", broken))
    assert [shown(each) for each in found if isinstance(each, StageRun)] == [
        shown(each) for each in good if isinstance(each, StageRun)
    ]
    rejected = [str(each) for each in found if not isinstance(each, StageRun)]
    assert [each.split(":")[1] for each in rejected] == [str(len(whole) + n) for n in range(1, 7)]


def test_formats_are_told_by_each_record(tmp_path: Path):
    chat = {"id": "a", "messages": [{"role": "user", "content": "Hi."}]}
    task = {"id": "b", "task_nodes": [{"task": "x"}], "user_request": "Do."}
    found = list(read_logs(lines(tmp_path, chat, task, chat | {"id": "c"})))
    assert sorted(each.stage for each in found if isinstance(each, StageRun)) == ["a/1", "b/1", "c/1"]


def test_a_page_of_records_is_read_record_by_record(tmp_path: Path):
    chat = {"id": "a", "messages": [{"role": "user", "content": "Hi."}]}
    page = {"object": "list", "data": [chat, 5, chat | {"id": "b"}]}
    for file in (lines(tmp_path, page), write(tmp_path, "page.json", page)):
        found = list(read_logs(file))
        assert sorted(each.stage for each in found if isinstance(each, StageRun)) == ["a/1", "b/1"]
        assert [str(each) for each in found if isinstance(each, Rejected)] == [
            f"{file}:1: data[1]: is a number, not a chat"
        ]


def test_an_unknown_format_is_an_error_that_lists_the_known(tmp_path: Path):
    with pytest.raises(SettingsError, match=r"no format of logs is named 'x': .*openai-chat, .*task-log"):
        read_logs(tmp_path, format="x")  # before anything is read


def test_a_forced_format_reads_what_no_format_tells(tmp_path: Path):
    file = lines(tmp_path, {"name": "a tool", "description": "x"})
    with pytest.raises(LoadError, match="graphstore load tools"):
        list(read_logs(file))
    assert str(next(iter(read_logs(file, format="task-log")))) == f"{file}:1: the run has no task_id"


def test_one_huge_line_is_named_and_memory_stays_bounded(tmp_path: Path):
    chat = json.dumps({"id": "a", "messages": [{"role": "user", "content": "Hi."}]})
    file = tmp_path / "huge.jsonl"
    with file.open("w") as out:
        out.write(chat + '\n{"messages": [{"role": "user", "content": "')
        for _ in range(300):
            out.write("x" * 2**20)
        out.write('"}]}\n' + chat.replace('"a"', '"b"') + "\n")
    tracemalloc.start()
    found = list(read_logs(file))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [each.stage for each in found if isinstance(each, StageRun)] == ["a/1", "b/1"]
    assert [str(each) for each in found if isinstance(each, Rejected)] == [f"{file}:2: longer than 64 MiB: skipped"]
    assert peak < 200 * 2**20


@pytest.mark.parametrize(
    ("condition", "record", "verdict"),
    [
        ("ok", {"ok": True}, True),
        ("ok", {"ok": 0}, False),
        ("ok", {"ok": "True"}, True),
        ("ok", {"ok": None}, None),
        ("ok", {}, None),
        ("true", {}, True),
        ("false", {}, False),
        ("status=done", {"status": "done"}, True),
        ("status = done", {"status": "Done"}, False),
        ("status=done", {}, None),
        ("status!=done", {"status": "lost"}, True),
        ("status==two words", {"status": "two words"}, True),
        ('status="7"', {"status": 7}, True),
        ("n=1", {"n": 1.0}, True),
        ("ok=true", {"ok": "TRUE"}, True),
        ("ok=false", {"ok": True}, False),
        ("error=null", {}, True),
        ("error=null", {"error": "x"}, False),
        ("error!=null", {"error": "x"}, True),
        ("score>=0.5", {"score": 0.5}, True),
        ("score>0.5", {"score": 0.5}, False),
        ("score<=0.5", {"score": "0.4"}, True),
        ("score<0.5", {"score": 1}, False),
        ("score>=0.5", {"score": None}, None),
        ("a.b.c>1", {"a": {"b": {"c": 2}}}, True),
        ("a.b.c>1", {"a": {"b.c": 2}}, True),
        ("a.b.c>1", {"a.b": {"c": 2}, "a": {"b": 5}}, True),
        ("a.b", {"a": {"c": 1}}, None),
        ("a.1.b", {"a": [{}, {"b": True}]}, True),
        ("a.9", {"a": [1]}, None),
        ("scores.good>=0.5", {"scores": [{"name": "bad", "value": 0}, {"name": "good", "value": 1}]}, True),
        ("feedback.good", {"feedback": [{"key": "good", "score": 0}]}, False),
        ("feedback.good.comment=x", {"feedback": [{"key": "good", "comment": "x"}]}, True),
    ],
)
def test_a_condition_is_met_or_not_or_says_nothing(condition: str, record: Any, verdict: bool | None):
    assert passed_if(condition).verdict(record) is verdict


@pytest.mark.parametrize(
    "condition", ["", " ", "=1", "a=", " =1", "a>=", "a>=x", "a>true", "a===1", "a=>1", "a=<1", "!"]
)
def test_what_is_no_condition_is_refused(condition: str):
    with pytest.raises(SettingsError, match="--passed-if"):
        passed_if(condition)


@pytest.mark.parametrize(
    ("condition", "said"),
    [("score", "score is a number, not true or false: compare it"), ("score>text", ""), ("name>1", "name is text")],
)
def test_a_field_that_cannot_be_compared_is_named_with_its_record(tmp_path: Path, condition: str, said: str):
    chat = {"id": "a", "score": 0.7, "name": "x", "messages": [{"role": "user", "content": "Hi."}]}
    if not said:
        with pytest.raises(SettingsError, match="compares with a number"):
            read_logs(lines(tmp_path, chat), passed_if=condition)
        return
    (found,) = read_logs(lines(tmp_path, chat), passed_if=condition)
    assert isinstance(found, Rejected)
    assert f"log.jsonl:1: {said}" in str(found)


def test_a_condition_decides_instead_of_the_log(tmp_path: Path):
    stages = [{"stage_id": n, "passed": True, "score": n, "observed_tool_path": ["a"]} for n in (1, 2)]
    file = lines(tmp_path, {"task_id": "T", "good": False, "stages": stages})
    by = {
        condition: [each.passed for each in read_logs(file, passed_if=condition) if isinstance(each, StageRun)]
        for condition in ("score>=2", "good", "good=false", "absent")
    }
    assert by == {"score>=2": [False, True], "good": [None, None], "good=false": [True, True], "absent": [None, None]}


RECORDS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=4),
    max_leaves=20,
)
CONDITIONS = st.from_regex(r"[ab](\.[ab0-2]){0,2}(=|!=|>|<|>=|<=)?[0-9ab]?", fullmatch=True)


@given(CONDITIONS, RECORDS)
def test_any_condition_on_any_record_is_a_verdict_or_a_reason(condition: str, record: Any):
    try:
        read = passed_if(condition)
    except SettingsError:
        return
    try:
        assert read.verdict(record) in (True, False, None)
    except ValueError as error:
        assert read.field in str(error)  # noqa: PT017


NAMES_OF_FIELDS = [
    *(
        "messages",
        "role",
        "content",
        "tool_calls",
        "function",
        "name",
        "arguments",
        "id",
        "type",
        "tool_use_id",
        "parts",
    ),
    *("output", "input", "items", "call_id", "payload", "choices", "message", "request", "response", "body", "data"),
    *("resourceSpans", "scopeSpans", "spans", "traceId", "spanId", "attributes", "key", "value", "events", "status"),
    *("run_type", "trace_id", "inputs", "outputs", "child_runs", "runs", "observations", "startTime", "scores"),
    *("jsonrpc", "method", "params", "result", "sessionId", "metadata", "passed", "parent_run_id", "tool list"),
    *("golden_function_names", "observed_tool_path", "query", "task_id", "kwargs", "lc", "function_call", "uuid"),
]
WORDS = st.sampled_from(
    [
        *(
            "user",
            "assistant",
            "tool",
            "function_call",
            "function_call_output",
            "mcp_call",
            "web_search_call",
            "tool_use",
        ),
        *(
            "tool_result",
            "text",
            "execute_tool",
            "gen_ai.tool.name",
            "gen_ai.operation.name",
            "tools/call",
            "2.0",
            "TOOL",
        ),
        *("llm", "chain", "1", "2026-01-01T00:00:00Z", "initialize", '{"a": 1}', "{", "\ud83d\ude00", ""),
    ]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | WORDS | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES_OF_FIELDS), inner, max_size=6),
    max_leaves=40,
)


@settings(deadline=None, max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(VALUES, min_size=1, max_size=4), st.sampled_from([None, *(each.name for each in FORMATS)]))
def test_whatever_the_records_they_are_read_or_rejected(tmp_path: Path, values: list[Any], form: str | None):
    try:
        found = list(read_logs(lines(tmp_path, *values), format=form))
    except LoadError as error:
        assert "graphstore load tools" in str(error)  # noqa: PT017
        return
    assert all(isinstance(each, (StageRun, Rejected, Ignored)) for each in found)


def test_an_object_of_no_format_is_said_to_be_so_and_not_a_broken_task_log(tmp_path: Path):
    told = {"id": "a", "messages": [{"role": "user", "content": "Hi."}]}
    *said, found = read_logs(lines(tmp_path, {"custom_id": "b", "result": {}}, told, {"custom_id": "b"}))
    assert isinstance(found, StageRun)
    assert [str(each).split(".jsonl:")[1] for each in said] == [
        "1: is of no format of logs that is known; if it is of one, --format names it",
        "3: the chat has no messages",
    ]
