"""Tool catalogs of each form, and the task-graph form."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from graphstore.loaders import read_logs, read_tools
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphstore.errors import LoadError
from graphstore.records import Ignored, Rejected, StageRun, ToolSpec

SCHEMA = {"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"]}


def load(tmp_path: Path, content: Any, name: str = "tools.json", **more: Any) -> list[ToolSpec | Rejected | Ignored]:
    file = tmp_path / name
    file.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    return list(read_tools(file, **more))


OPENAI = {"type": "function", "function": {"name": "send", "description": "Sends.", "parameters": SCHEMA}}
RESPONSES = {"type": "function", "name": "send", "description": "Sends.", "parameters": SCHEMA, "strict": True}
ANTHROPIC = {"name": "send", "description": "Sends.", "input_schema": SCHEMA}
MCP = {"name": "send", "description": "Sends.", "inputSchema": SCHEMA, "annotations": {"readOnlyHint": False}}
PLAIN = {"name": "send", "description": "Sends.", "parameters": SCHEMA}


@pytest.mark.parametrize("form", [OPENAI, RESPONSES, ANTHROPIC, MCP, PLAIN])
@pytest.mark.parametrize(
    "wrap",
    [
        lambda tool: [tool],
        lambda tool: {"tools": [tool]},
        lambda tool: tool,
        lambda tool: json.dumps(tool) + "\n" + json.dumps(tool),
        lambda tool: {"jsonrpc": "2.0", "id": 1, "result": {"tools": [tool], "nextCursor": None}},
        lambda tool: json.dumps({"model": "m", "tools": [tool]}, indent=2),
    ],
)
def test_each_form_in_each_wrapping_is_the_same_tool(tmp_path: Path, form: dict[str, Any], wrap: Any):
    assert load(tmp_path, wrap(form)) == [ToolSpec("send", "Sends.", SCHEMA)]


def test_what_a_tool_returns_is_read_where_a_catalog_says_it(tmp_path: Path):
    schema = {"type": "object", "properties": {"mail_id": {"type": "string"}}}
    assert load(tmp_path, [{**MCP, "outputSchema": schema}]) == [ToolSpec("send", "Sends.", SCHEMA, output=schema)]
    (wrong,) = load(tmp_path, [{**MCP, "outputSchema": "text"}])
    assert isinstance(wrong, Rejected)
    assert "the outputSchema is text, not a schema" in wrong.reason


def test_the_server_is_the_callers_or_the_one_the_file_names(tmp_path: Path):
    def ids(found: list[ToolSpec | Rejected | Ignored]) -> list[str]:
        return [each.id for each in found if isinstance(each, ToolSpec)]

    assert ids(load(tmp_path, {"tools": [MCP]})) == ["send"]
    assert ids(load(tmp_path, {"tools": [MCP]}, server="mail")) == ["mail/send"]
    assert ids(load(tmp_path, {"server": "post", "tools": [MCP]})) == ["post/send"]
    assert ids(load(tmp_path, {"server": "post", "tools": [MCP]}, server="mail")) == ["mail/send"]
    assert ids(load(tmp_path, {"result": {"serverInfo": {"name": "post"}, "tools": [MCP]}})) == ["post/send"]
    assert ids(load(tmp_path, [{**PLAIN, "server": "own"}])) == ["own/send"]


def test_the_sample_catalog_is_read(data: Path):
    found = list(read_tools(data / "tools/entbench-sample/tools.json"))
    assert len(found) == 14
    first = found[0]
    assert isinstance(first, ToolSpec)
    assert (first.name, first.domain, first.id) == ("list_permission_requests", "permission", first.name)
    assert list(first.parameters["properties"]) == ["document_id", "requester_id", "status"]  # type: ignore[call-overload,arg-type]


def test_a_list_of_described_parameters_becomes_its_schema(tmp_path: Path):
    parameters = [{"name": "to", "type": "string", "required": True}, {"name": "cc", "required": False}, "bcc"]
    (tool,) = load(tmp_path, [{"name": "send", "parameters": parameters}])
    assert isinstance(tool, ToolSpec)
    assert tool.parameters == {
        "type": "object",
        "properties": {"to": {"type": "string"}, "cc": {}, "bcc": {}},
        "required": ["to"],
    }


@pytest.mark.parametrize("name", ["admin.tools.list", "tool-with-dash", "工具", "with spaces", " edge ", "x" * 200])
def test_odd_tool_names_are_kept_exactly(tmp_path: Path, name: str):
    assert load(tmp_path, [{"name": name}]) == [ToolSpec(name)]


@pytest.mark.parametrize(
    ("tool", "said"),
    [
        ({"description": "No name."}, "the tool has no name"),
        ({"name": " "}, "the tool has no name"),
        ({"name": 5}, "the tool has no name"),
        ({"name": "a", "parameters": "x"}, "the parameters are text"),
        ({"name": "a", "parameters": [{"type": "string"}]}, "parameter 0 has no name"),
        ({"name": "a", "description": ["x"]}, "description is a list, not text"),
        (None, "is null, not a tool"),
        ("a", "is text, not a tool"),
        ({"type": "web_search"}, "the tool has no name"),
    ],
)
def test_a_broken_tool_is_named_and_the_others_load(tmp_path: Path, tool: Any, said: str):
    found = load(tmp_path, "[\n" + ",\n".join(map(json.dumps, [{"name": "x"}, tool, {"name": "y"}])) + "\n]")
    assert [each.name for each in found if isinstance(each, ToolSpec)] == ["x", "y"]
    assert [str(each) for each in found if isinstance(each, Rejected)] == [
        next(f"{tmp_path / 'tools.json'}:3: [1]: {rest}" for rest in [str(found[1]).split("[1]: ")[1]])
    ]
    assert said in str(found[1])


def test_a_tool_declared_twice_counts_once_and_a_contradiction_is_named(tmp_path: Path):
    found = load(
        tmp_path, "\n".join(map(json.dumps, [{"name": "a"}, {"name": "a"}, {"name": "a", "description": "b"}]))
    )
    assert [type(each) for each in found] == [ToolSpec, Rejected]
    assert str(found[1]).endswith(f":3: 'a' is declared otherwise in {tmp_path / 'tools.json'}:1, which is kept")


def test_a_log_named_as_a_catalog_is_an_error_that_names_the_command(tmp_path: Path):
    with pytest.raises(LoadError, match="graphstore load logs"):
        load(tmp_path, {"task_logs": [{"task_id": "T", "stages": []}]})


def test_a_folder_gives_all_its_catalogs_and_says_what_holds_none(tmp_path: Path):
    (tmp_path / "a.json").write_text(json.dumps([PLAIN]))
    (tmp_path / "b.json.gz").write_bytes(gzip.compress(json.dumps({"tools": [{"name": "b"}]}).encode()))
    (tmp_path / "c.json").write_text(json.dumps({"task_logs": [{"task_id": "T", "stages": []}]}))
    (tmp_path / "d.json").write_text("[1, 2]")
    found = list(read_tools(tmp_path))
    assert [each.name for each in found if isinstance(each, ToolSpec)] == ["send", "b"]
    assert [str(each).rsplit("/", 1)[1] for each in found if isinstance(each, Ignored)] == [
        "c.json: skipped, it holds task logs: graphstore load logs",
        "d.json: holds no tools",
    ]


def test_the_task_graph_is_read_from_its_nodes_and_its_tasks_only(data: Path):
    folder = data / "tools/ultratool"
    tools = [each for each in read_tools(folder) if isinstance(each, ToolSpec)]
    assert len(tools) == 260
    assert tools[0] == ToolSpec("order_tracking", "Order Tracking Tool", domain="Tracking")
    assert tools[2].domain == "Repair, Finance, Flight, Train"
    runs = [each for each in read_logs(folder) if not isinstance(each, Ignored)]
    assert len(runs) == 3527
    first = runs[0]
    assert isinstance(first, StageRun)
    assert (first.task, first.stage, first.passed) == ("3186", "3186/1", True)
    assert [each.tool for each in first.calls] == ["clock_alarm_cancel", "clock_alarm_change"]
    assert first.request.startswith("I need to cancel the single alarm")
    assert "Step 1" not in repr(first)
    assert {each.tool for run in runs if isinstance(run, StageRun) for each in run.calls} == {each.id for each in tools}


def task(nodes: Any, links: Any = None, **more: Any) -> dict[str, Any]:
    return {"id": "1", "user_request": "Do.", "task_nodes": nodes, "task_links": links, **more}


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (task([{"task": "a"}, {"task": "b"}], [{"source": "b", "target": "a"}]), "not the consecutive pairs"),
        (task([{"task": "a"}, {"name": "b"}]), "task_nodes[1] has no task"),
        (task({"task": "a"}), "task_nodes is an object, not a list"),
        (task([None]), "task_nodes[0] is null, not an object"),
        ({"task_nodes": []}, "the task has no id"),
    ],
)
def test_a_task_without_an_order_of_calls_is_rejected(tmp_path: Path, broken: Any, said: str):
    (tmp_path / "data.json").write_text(json.dumps(task([{"task": "a"}])) + "\n" + json.dumps(broken))
    found = list(read_logs(tmp_path / "data.json"))
    assert isinstance(found[0], StageRun)
    assert str(found[1]).startswith(f"{tmp_path / 'data.json'}:2: ")
    assert said in str(found[1])


FIELDS = ["name", "function", "tools", "result", "parameters", "inputSchema", "domain", "server", "nodes", "id", "desc"]
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(FIELDS), inner, max_size=6),
    max_leaves=30,
)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(VALUES)
def test_whatever_the_types_tools_are_read_or_rejected(tmp_path: Path, value: Any):
    for each in load(tmp_path, value):
        assert isinstance(each, (ToolSpec, Rejected, Ignored))


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(min_size=1).filter(str.strip), st.text(), st.text(min_size=1) | st.none())
def test_name_description_and_domain_come_back_as_written(tmp_path: Path, name: str, words: str, domain: str | None):
    assert load(tmp_path, [{"name": name, "description": words, "domain": domain}]) == [
        ToolSpec(name, words, domain=domain)
    ]
