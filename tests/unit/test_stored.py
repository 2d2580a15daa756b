"""Rows of the store and records are each other's inverse."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from graphstore.records import StageRun, ToolCall, ToolSpec
from graphstore.toolgraph.history import history
from graphstore.toolgraph.mining import Stage, add_run, mine_paths
from graphstore.toolgraph.stored import (
    difference,
    edge_rows,
    path_id,
    path_rows,
    row_text,
    stage_from_row,
    stage_row,
    tool_row,
    undeclared_tool_row,
)

records = st.builds(
    StageRun,
    task=st.just("T"),
    stage=st.just("T/1"),
    run=st.sampled_from(["r1", "r2", "r3", "r4"]),
    request=st.sampled_from(["", "Do it", "做吧"]),
    passed=st.sampled_from([True, False, None]),
    calls=st.lists(
        st.builds(
            ToolCall,
            tool=st.sampled_from(["a", "工具", "x y"]),
            success=st.sampled_from([None, False]),
            turn=st.sampled_from([None, 1]),
        ),
        max_size=4,
    ).map(tuple),
    source=st.just("log.json"),
    task_name=st.sampled_from(["", "Task"]),
    domain=st.sampled_from([None, "mail"]),
    finished=st.sampled_from([None, "2026-01-01"]),
    failure=st.sampled_from([None, "no such id"]),
)


@given(st.lists(records, min_size=1, max_size=8))
def test_a_stage_survives_the_store(loaded: list[StageRun]) -> None:
    stage: Stage | None = None
    for record in loaded:
        stage = add_run(stage, record)
    assert stage is not None
    row = stage_row(stage)
    paths = [
        {key: path[key] for key in ("tools", "steps", "sources", "finished", "calls")} for path in path_rows(stage)
    ]
    assert stage_from_row({**row, "paths": paths}) == stage
    assert row["runs"] == len(stage.runs) == len(row["run_ids"])
    assert row["no_calls"] + len(row["failed_runs"]) + len(row["unjudged_runs"]) + sum(
        path.count for path in mine_paths(stage.runs.values())
    ) == len(stage.runs)


def test_path_ids_come_from_content_and_differ_by_stage_and_order() -> None:
    assert path_id("T/1", ["a", "b"]) == path_id("T/1", ("a", "b"))
    assert len({path_id("T/1", ["a", "b"]), path_id("T/1", ["b", "a"]), path_id("T/2", ["a", "b"])}) == 3
    assert path_id("T/1", ["a", "b"], [0, 1]) == path_id("T/1", ["a", "b"]) != path_id("T/1", ["a", "b"], [0, 0])


def test_tool_rows_hold_parameters_as_json_and_the_text_reads_them() -> None:
    spec = ToolSpec("list_工具", "Lists.", {"properties": {"名": {"type": "string"}}}, server="s", domain="d")
    row = tool_row(spec)
    assert (row["id"], row["parameters"]) == ("s/list_工具", '{"properties": {"名": {"type": "string"}}}')
    assert row_text(row) == "list 工具. Lists. 名"
    assert row_text(undeclared_tool_row("get_doc")) == "get doc"


def test_difference_writes_new_and_changed_rows_and_removes_the_rest() -> None:
    stored = [{"source": "a", "target": "b", "n": 1}, {"source": "a", "target": "c", "n": 1}]
    wanted = [{"source": "a", "target": "b", "n": 2}, {"source": "b", "target": "c", "n": 1}]
    write, remove = difference(wanted, stored, ("source", "target"))
    assert (write, remove) == (wanted, [{"source": "a", "target": "c"}])
    assert difference(wanted, wanted, ("source", "target")) == ([], [])


def test_edges_become_rows_of_plain_lists() -> None:
    stage = add_run(None, StageRun("T", "T/1", "r", "Do", True, (ToolCall("a"), ToolCall("b")), "log"))
    assert edge_rows(history([stage]))[0]["sources"] == ["r"]
