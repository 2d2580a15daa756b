"""Task logs into stage runs: the format of the sample, its variant, and broken ones."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from graphstore.loaders import read_logs
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphstore.errors import LoadError
from graphstore.records import Ignored, Rejected, StageRun, ToolCall


def call(name: Any, **more: Any) -> dict[str, Any]:
    return {"tool_name": name, "arguments": {}, "success": True, **more}


def stage(stage_id: Any = 1, *calls: Any, **more: Any) -> dict[str, Any]:
    return {"stage_id": stage_id, "user_query": "Do it.", "tool_calls_detail": list(calls), "passed": True, **more}


def run(*stages: Any, **more: Any) -> dict[str, Any]:
    return {"task_id": "T1", "task_name": "A task", "run_id": "T1-run-1", "stages": list(stages), **more}


def load(tmp_path: Path, content: Any, name: str = "log.json") -> list[StageRun | Rejected | Ignored]:
    file = tmp_path / name
    file.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    return list(read_logs(file))


def only(found: list[StageRun | Rejected | Ignored]) -> StageRun:
    (one,) = found
    assert isinstance(one, StageRun), str(one)
    return one


def tools(one: StageRun) -> list[str]:
    return [each.tool for each in one.calls]


def reason(found: list[StageRun | Rejected | Ignored]) -> str:
    (one,) = [each for each in found if isinstance(each, Rejected)]
    return str(one)


def test_the_sample_is_read_with_all_its_fields(data: Path):
    found = list(read_logs(data / "tools/entbench-sample/task_logs"))
    assert all(isinstance(each, StageRun) for each in found)
    runs = {(each.run, each.stage): each for each in found if isinstance(each, StageRun)}
    assert len(runs) == len(found) == 8
    failed = runs["EX_0002-run-1", "EX_0002/2"]
    assert failed.passed is False
    assert failed.failure is not None
    assert failed.failure.startswith("MISSING_PREREQUISITE_TOOL: approve_permission_request was called")
    assert failed.calls[0] == ToolCall(
        "approve_permission_request",
        {"request_id": "REQ-99", "role": "viewer"},
        success=False,
        error="request REQ-99 not found",
    )
    assert failed.request == "Approve the access request that Chen Yu made for it."
    assert (failed.task, failed.task_name) == ("EX_0002", "Find the budget document and check who can read it")
    assert (failed.description, failed.domain) == ("Grant access", "permission")
    two = [each for each in found if isinstance(each, StageRun) and each.stage == "EX_0003/1"]
    assert sorted(len(each.calls) for each in two) == [3, 4]


@pytest.mark.parametrize(
    "shape",
    [
        lambda runs: json.dumps({"task_logs": runs}),
        lambda runs: json.dumps({"task_logs": runs}, indent=2),
        lambda runs: json.dumps(runs),
        lambda runs: "\n".join(map(json.dumps, runs)),
    ],
)
def test_each_wrapping_gives_the_same_runs(tmp_path: Path, shape: Any):
    runs = [run(stage(1, call("a"))), run(stage(1, call("b")), run_id="T1-run-2")]
    found = load(tmp_path, shape(runs))
    assert [(tools(each), each.run) for each in found if isinstance(each, StageRun)] == [
        (["a"], "T1-run-1"),
        (["b"], "T1-run-2"),
    ]


def test_whole_logs_a_line_are_read_and_named_by_line_and_place(tmp_path: Path):
    lines = [json.dumps({"task_logs": [run(stage(1, call("a"))), run(stage(1, call("b")))]}), '{"task_logs": [5]}']
    found = load(tmp_path, "\n".join(lines), "log.jsonl")
    assert [tools(each) for each in found if isinstance(each, StageRun)] == [["a"], ["b"]]
    assert reason(found).endswith(":2: task_logs[0]: is a number, not a run")


def test_the_tools_that_a_run_was_offered_are_no_records(tmp_path: Path):
    assert tools(only(load(tmp_path, {"tools": [{"name": "z"}], **run(stage(1, call("a")))}))) == ["a"]


def test_a_lone_run_and_a_lone_stage_are_read(tmp_path: Path):
    assert tools(only(load(tmp_path, run(stage(1, call("a")))))) == ["a"]
    alone = only(load(tmp_path, {"task_id": "T", "stage_id": "s", "observed_tool_path": ["a", "b"], "passed": True}))
    assert (alone.stage, tools(alone)) == ("T/s", ["a", "b"])


def test_a_folder_is_read_through_packed_or_not_and_other_files_are_passed_over(tmp_path: Path):
    folder = tmp_path / "logs" / "deep"
    folder.mkdir(parents=True)
    (tmp_path / "logs/a.json").write_text(json.dumps(run(stage(1, call("a")))))
    (folder / "b.jsonl.gz").write_bytes(gzip.compress(json.dumps(run(stage(1, call("b")))).encode()))
    (folder / "tools.json").write_text(json.dumps([{"name": "a", "description": "A tool."}]))
    (folder / "split.json").write_text(json.dumps({"test": [1, 2]}))
    (folder / "notes.md").write_text("# Notes")
    (folder / ".hidden.json").write_text("broken")
    found = list(read_logs(tmp_path / "logs"))
    assert [tools(each) for each in found if isinstance(each, StageRun)] == [["a"], ["b"]]
    assert {str(each).removeprefix(f"{folder}/") for each in found if not isinstance(each, StageRun)} == {
        "tools.json: skipped, it holds tools: graphstore load tools",
        "split.json: holds no task logs",
    }


def test_a_catalog_named_as_a_log_is_an_error_that_names_the_command(tmp_path: Path):
    with pytest.raises(LoadError, match="graphstore load tools"):
        load(tmp_path, [{"name": "a", "description": "A tool."}])


def test_a_path_that_is_not_there_is_an_error(tmp_path: Path):
    with pytest.raises(LoadError, match="no such file"):
        list(read_logs(tmp_path / "absent"))


def test_the_variant_with_agent_traces_and_verdicts_apart(tmp_path: Path):
    log = {
        "task_id": "T1",
        "agent_traces": [
            {"stage_id": 1, "stage1_thought": "…", "user_query": "One.", "tool_calls_detail": [call("a"), call("b")]},
            {"stage_id": 2, "user_query": "Two.", "tool_calls_detail": [call("c")]},
            {"stage_id": 3, "user_query": "Three.", "observed_tool_path": ["d"]},
        ],
        "evaluation_result": {
            "overall_success": True,
            "stage_results": [
                {"stage_id": 1, "stage_type": "x", "process_pass": True, "outcome_pass": True, "fill_blank_score": 0.5},
                {"stage_id": "2", "process_pass": True, "outcome_pass": False},
            ],
        },
    }
    found = load(tmp_path, {"task_logs": [log]})
    assert [(tools(each), each.passed) for each in found if isinstance(each, StageRun)] == [
        (["a", "b"], True),
        (["c"], False),
        (["d"], None),  # nothing is said of it
    ]


@pytest.mark.parametrize(
    ("more", "passed"),
    [
        ({"passed": None}, None),
        ({"passed": None, "failure": {"label": "X"}}, False),
        ({"passed": True, "failure": {"label": "X"}}, True),
    ],
)
def test_what_a_stage_says_of_itself_comes_first(tmp_path: Path, more: dict[str, Any], passed: bool | None):
    assert only(load(tmp_path, run(stage(1, call("a"), **more)))).passed is passed


@pytest.mark.parametrize(("overall", "passed"), [(True, True), (False, None), (None, None)])
def test_a_failed_run_does_not_say_which_stage_failed(tmp_path: Path, overall: bool | None, passed: bool | None):
    log = run(stage(1, call("a"), passed=None), evaluation_result={"overall_success": overall, "score": 0.5})
    assert only(load(tmp_path, log)).passed is passed


@pytest.mark.parametrize("detail", [None, [], "absent"])
def test_the_observed_path_stands_in_for_missing_details(tmp_path: Path, detail: Any):
    each = {"stage_id": 1, "passed": True, "observed_tool_path": ["a", "b"], "tool_calls_detail": detail}
    if detail == "absent":
        del each["tool_calls_detail"]
    assert tools(only(load(tmp_path, run(each)))) == ["a", "b"]


def test_details_come_before_the_observed_path(tmp_path: Path):
    assert tools(only(load(tmp_path, run(stage(1, call("a"), observed_tool_path=["z"]))))) == ["a"]


@pytest.mark.parametrize("detail", [None, []])
def test_a_stage_without_calls_is_read(tmp_path: Path, detail: Any):
    assert only(load(tmp_path, run(stage(1, tool_calls_detail=detail)))).calls == ()


def test_parallel_calls_keep_their_order_and_nested_ones_follow_their_call(tmp_path: Path):
    agent = call("agent", tool_calls_detail=[call("x"), [call("y1"), call("y2", tool_calls_detail=[call("z")])]])
    each = stage(1, call("a"), [call("p"), call("q")], agent, call("b"))
    assert tools(only(load(tmp_path, run(each)))) == ["a", "p", "q", "agent", "x", "y1", "y2", "z", "b"]


def test_ten_thousand_calls_in_one_stage_are_read(tmp_path: Path):
    assert len(only(load(tmp_path, run(stage(1, *[call(f"t{i % 7}") for i in range(10_000)])))).calls) == 10_000


@pytest.mark.parametrize(
    "name", ["admin.tools.list", "tool-with-dash", "工具", "a tool with spaces", " edge ", "x" * 200, "a/b", "`;DROP"]
)
def test_odd_tool_names_are_kept_exactly(tmp_path: Path, name: str):
    assert tools(only(load(tmp_path, run(stage(1, call(name)))))) == [name]


@pytest.mark.parametrize("more", [{"task_id": "T" * 9000}, {"stages": [stage(1, call("t" * 9000))]}])
def test_an_id_that_no_index_holds_costs_its_record_only(tmp_path: Path, more: dict[str, Any]):
    found = load(tmp_path, "\n".join(map(json.dumps, [run(stage(1, call("a")), **more), run(stage(1, call("b")))])))
    assert [tools(each) for each in found if isinstance(each, StageRun)] == [["b"]]
    assert "4000 are the most" in reason(found)


def test_a_folder_without_logs_is_a_warning(tmp_path: Path):
    (tmp_path / "notes.md").write_text("# Notes", "utf-8")
    (found,) = read_logs(tmp_path)
    assert str(found) == f"{tmp_path}: holds no .json or .jsonl file"


@pytest.mark.parametrize(
    ("calls", "said"),
    [
        ([None], "tool_calls_detail[0] is null, not a call"),
        ([call("a"), 7], "tool_calls_detail[1] is a number, not a call"),
        (["a"], "tool_calls_detail[0] is text, not a call"),
        ([{"arguments": {}}], "tool_calls_detail[0] has no tool_name"),
        ([call("")], "tool_calls_detail[0] has no tool_name"),
        ([call(5)], "tool_calls_detail[0] has no tool_name"),
        ([call("a", success="yes")], "success is text, not true or false"),
        ({"a": 1}, "tool_calls_detail is an object, not a list"),
    ],
)
def test_a_stage_with_a_call_that_is_none_is_rejected_alone(tmp_path: Path, calls: Any, said: str):
    log = {"task_logs": [run(stage(1, call("a"))), run(stage(1, call("b")), stage(2, tool_calls_detail=calls))]}
    found = load(tmp_path, json.dumps(log, indent=1))
    assert [tools(each) for each in found if isinstance(each, StageRun)] == [["a"], ["b"]]
    line = json.dumps(log, indent=1)[: json.dumps(log, indent=1).rindex('{\n   "task_id"')].count("\n") + 1
    assert reason(found) == f"{tmp_path / 'log.json'}:{line}: task_logs[1].stages[1]: {said}"


def test_calls_nested_without_end_are_refused(tmp_path: Path):
    nested: list[Any] = [call("a")]
    for _ in range(300):
        nested = [nested]
    assert "nested" in reason(load(tmp_path, run(stage(1, *nested))))


@pytest.mark.parametrize(
    ("log", "said"),
    [
        (None, "is null, not a run"),
        ([], "is a list, not a run"),
        ({"task_id": "T"}, "the run has no stages"),
        ({"stages": []}, "the run has no task_id"),
        ({"task_id": ["T"], "stages": []}, "task_id is a list, not text"),
        ({"task_id": "T", "stages": {"1": {}}}, "stages is an object, not a list"),
        ({"task_id": "T", "stages": [3]}, "stages[0]: is a number, not an object"),
        (run(stage(1, passed="yes")), "stages[0]: passed is text, not true or false"),
        (run(stage({"a": 1})), "stages[0]: stage_id is an object, not text"),
        (run(stage(1, observed_tool_path=[None], tool_calls_detail=None)), "observed_tool_path[0] is null"),
        (run(stage(1, observed_tool_path="a", tool_calls_detail=None)), "observed_tool_path is text, not a list"),
        (run(stage(1, passed=None), evaluation_result=[1]), "evaluation_result is a list, not an object"),
        (run(stage(1, passed=None), evaluation_result={"stage_results": [1]}), "stage_results[0] is a number"),
    ],
)
def test_a_broken_run_is_named_and_the_others_load(tmp_path: Path, log: Any, said: str):
    good = run(stage(1, call("a")))
    found = load(tmp_path, "\n".join(map(json.dumps, [good, log, good])), "log.jsonl")
    assert len([each for each in found if isinstance(each, StageRun)]) == 2
    assert reason(found).startswith(f"{tmp_path / 'log.jsonl'}:2: ")
    assert said in reason(found)


def test_the_last_line_cut_off_is_named_and_the_rest_loads(tmp_path: Path):
    good = json.dumps(run(stage(1, call("a"))))
    found = load(tmp_path, f"{good}\n{good[:-40]}", "log.jsonl")
    assert tools(next(each for each in found if isinstance(each, StageRun))) == ["a"]
    assert ":2: not JSON" in reason(found)


def test_an_empty_file_is_a_warning(tmp_path: Path):
    assert load(tmp_path, "") == [Ignored(str(tmp_path / "log.json"), None, "holds no task logs")]


def test_a_run_without_id_is_known_by_its_content(tmp_path: Path):
    log = {"task_id": "T", "stages": [stage(1, call("a"))]}
    again = {"stages": log["stages"], "task_id": "T"}
    other = {"task_id": "T", "stages": [stage(1, call("b"))]}
    first, second, third = (only(load(tmp_path, each)).run for each in (log, again, other))
    assert first == second != third
    assert len(first) == 16


def test_a_stage_tried_again_in_one_run_is_a_run_of_its_own(tmp_path: Path):
    found = load(tmp_path, run(stage(1, call("a"), passed=False), stage(1, call("b"))))
    assert [each.run for each in found if isinstance(each, StageRun)] == ["T1-run-1", "T1-run-1#2"]


@pytest.mark.parametrize(
    ("written", "request_"),
    [
        ({"user_query": "Ask."}, "Ask."),
        ({"user_query": " ", "stage_description": "Do."}, "Do."),
        ({"user_query": None, "stage_description": None}, "A task"),
    ],
)
def test_the_request_is_the_best_words_at_hand(tmp_path: Path, written: dict[str, Any], request_: str):
    assert only(load(tmp_path, run({**stage(1, call("a")), **written}))).request == request_


def test_arguments_written_as_text_are_read(tmp_path: Path):
    found = only(load(tmp_path, run(stage(1, call("a", arguments='{"x": 1}'), call("b", arguments="plain")))))
    assert [dict(each.arguments) for each in found.calls] == [{"x": 1}, {"": "plain"}]


def test_calls_in_the_form_of_chat_completions_are_read(tmp_path: Path):
    each = {"type": "function", "function": {"name": "a", "arguments": '{"x": 1}'}}
    assert only(load(tmp_path, run(stage(1, each)))).calls == (ToolCall("a", {"x": 1}),)


@pytest.mark.parametrize(
    ("written", "iso"),
    [("2026-03-02T10:00:00Z", "2026-03-02T10:00:00+00:00"), (1772445600, "2026-03-02T10:00:00+00:00"), ("soon", None)],
)
def test_the_time_it_finished_is_iso(tmp_path: Path, written: Any, iso: str | None):
    assert only(load(tmp_path, run(stage(1, call("a")), finished_at=written))).finished == iso


FIELDS = [
    *("task_id", "stages", "stage_id", "tool_calls_detail", "observed_tool_path", "tool_name", "passed", "id"),
    *("evaluation_result", "stage_results", "failure", "arguments", "error", "agent_traces", "task_nodes"),
]
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(FIELDS), inner, max_size=6),
    max_leaves=30,
)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(VALUES, min_size=1, max_size=3))
def test_whatever_the_types_records_are_read_or_rejected(tmp_path: Path, values: list[Any]):
    good = run(stage(1, call("a")))
    found = load(tmp_path, [good, *values, good])
    assert all(isinstance(each, (StageRun, Rejected)) for each in found)
    assert [tools(each) for each in (found[0], found[-1]) if isinstance(each, StageRun)] == [["a"], ["a"]]


@given(st.lists(st.text(min_size=1).filter(str.strip), max_size=8), st.booleans(), st.text().filter(str.strip))
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_names_verdict_and_words_come_back_as_written(tmp_path: Path, names: list[str], passed: bool, request_: str):
    log = run({"stage_id": 1, "user_query": request_, "passed": passed, "tool_calls_detail": list(map(call, names))})
    found = only(load(tmp_path, log))
    assert (tools(found), found.passed, found.request) == (names, passed, request_.strip())
