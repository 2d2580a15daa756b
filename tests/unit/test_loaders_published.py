"""The published data sets as history and as catalogs: their counts, and what they do not say."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from graphstore.loaders import read_logs, read_tools

from graphstore.records import Ignored, Rejected, Requirement, StageRun, ToolCall, ToolSpec


def runs(path: Path) -> list[StageRun]:
    found = [each for each in read_logs(path) if not isinstance(each, Ignored)]
    assert all(isinstance(each, StageRun) for each in found)
    return [each for each in found if isinstance(each, StageRun)]


def tools(path: Path) -> list[ToolSpec]:
    found = [each for each in read_tools(path) if not isinstance(each, Ignored)]
    assert all(isinstance(each, ToolSpec) for each in found)
    return [each for each in found if isinstance(each, ToolSpec)]


def read(tmp_path: Path, *records: Any) -> list[StageRun | Rejected | Ignored]:
    file = tmp_path / "log.jsonl"
    file.write_text("\n".join(map(json.dumps, records)), "utf-8")
    return list(read_logs(file))


def test_workbench_is_eight_runs_of_each_task(data: Path):
    found = runs(data / "tools/workbench")
    assert Counter(each.passed for each in found) == {True: 1057, False: 4463}
    assert Counter(Counter(each.stage for each in found).values()) == {8: 690}
    assert len({each.run for each in found}) == 5520
    passed = [each for each in found if each.passed]
    assert sum(len(each.calls) for each in passed) / len(passed) == pytest.approx(2.16, abs=0.005)
    first = found[0]
    assert (first.task, first.domain) == ("analytics-000", "analytics")
    assert first.request == "Can you make a bar chart of total visits since November 21?"
    assert first.calls == (
        ToolCall(
            "analytics.create_plot",
            {
                "time_min": "2023-11-21",
                "time_max": "2023-11-30",
                "value_to_plot": "total_visits",
                "plot_type": "bar",
            },
        ),
    )
    assert len(tools(data / "tools/workbench")) == 27


def test_traject_bench_is_passed_trajectories_whose_calls_may_have_failed(data: Path):
    found = runs(data / "tools/traject-bench")
    assert len(found) == len({each.stage for each in found}) == 1670
    assert {each.passed for each in found} == {True}
    assert Counter(call.success for each in found for call in each.calls) == {True: 9378, False: 1317}
    assert len({tuple(call.tool for call in each.calls) for each in found}) == 325
    assert found[0].calls[2].arguments == {"rem": "see"}
    assert "Related Kanji by Radical" not in repr(found[0])  # the name of the sequence tells its tools
    catalog = tools(data / "tools/traject-bench")
    named = {call.tool for each in found for call in each.calls}
    assert (len(catalog), len(named), len(named - {each.id for each in catalog})) == (674, 381, 35)
    assert catalog[0].domain == "Education"
    assert catalog[0].parameters == {
        "type": "object",
        "properties": {"get_test": {"type": "string", "description": ""}},
    }


def test_toollinkos_says_nothing_of_the_order(data: Path):
    found = runs(data / "tools/toollinkos")
    assert len(found) == len({each.stage for each in found}) == 1569
    assert Counter(Counter(each.task for each in found).values()) == {3: 523}
    assert all(each.passed and {call.turn for call in each.calls} == {0} for each in found)
    assert sum(len(each.calls) for each in found) / len(found) == pytest.approx(6.02, abs=0.005)


def test_toollinkos_declares_what_its_tools_need(data: Path):
    found = tools(data / "tools/toollinkos")
    assert len(found) == 573
    needs = {each.id: each.requires for each in found}
    assert needs["share_location_via_email"] == (
        Requirement("validate_email", "parameter", "email_address"),
        Requirement("get_current_location", "parameter-indirect", "location"),
    )
    kinds = Counter(need.kind for each in found for need in each.requires)
    # one of the 676 tools needed directly is declared twice
    assert kinds == {"tool": 675, "tool-indirect": 175, "parameter": 406, "parameter-indirect": 239}
    assert {need.tool for each in found for need in each.requires} <= needs.keys()


WORKBENCH: dict[str, Any] = {"task_id": "t", "query": "Do.", "observed_tool_path": ["a", "b"]}
TRAJECT = {"id": "t", "query": "Do.", "tool list": [{"tool name": "a"}, {"tool name": "b"}]}
TOOLS = {"user_query": "Do.", "main_golden_function_name": "a", "golden_function_names": ["a", "b"]}


@pytest.mark.parametrize("record", [WORKBENCH, TRAJECT, TOOLS])
def test_each_form_gives_its_request_and_its_tools(tmp_path: Path, record: dict[str, Any]):
    (found,) = read(tmp_path, record)
    assert isinstance(found, StageRun)
    assert (found.request, [call.tool for call in found.calls]) == ("Do.", ["a", "b"])


@pytest.mark.parametrize(
    ("call", "arguments"),
    [
        ('a.func(x="1", n=2, deep={"y": [True, None]})', {"x": "1", "n": 2, "deep": {"y": [True, None]}}),
        ("a.func()", {}),
        (None, {}),
        ('a.func("1")', {"": 'a.func("1")'}),
        ("a.func(x=1", {"": "a.func(x=1"}),
        ("a.func(x=print('no'))", {"": "a.func(x=print('no'))"}),
        ('a.func(x="\\d")', {"x": "\\d"}),
        ("a.func(x=1e999)", {"": "a.func(x=1e999)"}),
        ("a.func(x=" + "[" * 500 + "]" * 500 + ")", {"": "a.func(x=" + "[" * 500 + "]" * 500 + ")"}),
    ],
)
@pytest.mark.filterwarnings("error")
def test_arguments_written_as_python_are_read_and_never_run(tmp_path: Path, call: str | None, arguments: Any):
    (found,) = read(tmp_path, {**WORKBENCH, "observed_tool_path": ["a"], "function_calls": [call]})
    assert isinstance(found, StageRun)
    assert found.calls[0].arguments == arguments


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ({**WORKBENCH, "task_id": None}, "the run has no task_id"),
        ({**WORKBENCH, "observed_tool_path": "a"}, "observed_tool_path is text, not a list"),
        ({**WORKBENCH, "observed_tool_path": [None]}, "observed_tool_path[0] is null, not a tool's name"),
        ({**WORKBENCH, "function_calls": ["a.func()"]}, "function_calls are not the calls of observed_tool_path"),
        ({**WORKBENCH, "passed": "yes"}, "passed is text, not true or false"),
        ({**TRAJECT, "tool list": [{"API name": "a"}]}, "tool list[0] has no tool name"),
        ({**TRAJECT, "tool list": [5]}, "tool list[0] is a number, not an object"),
        ({**TRAJECT, "tool list": [{"tool name": "a", "execution_status": "x"}]}, "execution_status is 'x'"),
        ({**TOOLS, "golden_function_names": [""]}, "golden_function_names[0] is text, not a tool's name"),
        ({**TOOLS, "golden_function_names": None}, "golden_function_names is null, not a list"),
    ],
)
def test_a_broken_record_is_named_and_the_rest_loads(tmp_path: Path, record: dict[str, Any], said: str):
    found = read(tmp_path, record, WORKBENCH)
    assert isinstance(found[1], StageRun)
    assert str(found[0]).startswith(f"{tmp_path / 'log.jsonl'}:1: ")
    assert said in str(found[0])


@pytest.mark.parametrize(
    ("depends_on", "requires"),
    [
        (None, ()),
        (["b", "b"], (Requirement("os/b"),)),
        ([{"name": "b", "dependence_type": "TOOL_INDIRECTLY_DEPENDS_ON"}], (Requirement("os/b", "tool-indirect"),)),
        (
            [{"name": "b", "dependence_type": "PARAMETER_DEPENDS_ON", "parameter_name": "x"}],
            (Requirement("os/b", "parameter", "x"),),
        ),
    ],
)
def test_what_a_tool_needs_is_of_its_server(tmp_path: Path, depends_on: Any, requires: tuple[Requirement, ...]):
    (tmp_path / "tools.json").write_text(json.dumps([{"name": "a", "depends_on": depends_on}]))
    assert list(read_tools(tmp_path, server="os")) == [ToolSpec("a", server="os", requires=requires)]


@pytest.mark.parametrize(
    ("depends_on", "said"),
    [
        ("b", "depends_on is text, not a list"),
        ([{"reason": "x"}], "depends_on[0] has no name"),
        ([{"name": "b", "dependence_type": "LIKES"}], "dependence_type 'LIKES' is none of TOOL_DEPENDS_ON"),
    ],
)
def test_a_need_that_cannot_be_read_is_named(tmp_path: Path, depends_on: Any, said: str):
    (tmp_path / "tools.json").write_text(json.dumps([{"name": "a", "depends_on": depends_on}]))
    (found,) = read_tools(tmp_path)
    assert isinstance(found, Rejected)
    assert said in str(found)


@pytest.mark.parametrize(
    ("written", "schema"),
    [
        ("STRING", {"type": "string"}),
        ("int", {"type": "integer"}),
        ("ENUM", {"type": "string"}),
        ("DATE (YYYY-MM-DD)", {"type": "string", "format": "date"}),
        ("geo point", {}),
    ],
)
def test_types_are_called_as_json_schema_calls_them(tmp_path: Path, written: str, schema: dict[str, str]):
    (tmp_path / "tools.json").write_text(json.dumps([{"name": "a", "parameters": [{"name": "x", "type": written}]}]))
    assert list(read_tools(tmp_path)) == [ToolSpec("a", parameters={"type": "object", "properties": {"x": schema}})]
