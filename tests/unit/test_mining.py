"""Path mining, on records made here and on generated runs."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from graphstore.records import StageRun, ToolCall
from graphstore.toolgraph.mining import (
    Run,
    Stage,
    Texts,
    add_run,
    judged_run,
    mine_paths,
    stages_of,
    usage,
)

tools = st.sampled_from(["a", "b", "c", "admin.tools.list", "工具", "tool with spaces"])
runs = st.lists(
    st.builds(
        Run,
        id=st.uuids().map(str),
        tools=st.lists(tools, max_size=5).map(tuple),
        passed=st.sampled_from([True, True, False, None]),
        finished=st.sampled_from([None, "2026-01-01", "2026-02-01"]),
        extra=st.integers(0, 3),
    ),
    max_size=12,
    unique_by=lambda run: run.id,
)


def record(run: str, *calls: str, passed: bool | None = True, request: str = "Do it") -> StageRun:
    return StageRun(
        task="T",
        stage="T/1",
        run=run,
        request=request,
        passed=passed,
        calls=tuple(ToolCall(call) for call in calls),
        source="log.json",
    )


def stage_of(*records: StageRun) -> Stage:
    stage: Stage | None = None
    for one in records:
        stage = add_run(stage, one)
    assert stage is not None
    return stage


def test_equal_paths_are_one_with_a_count_and_its_sources() -> None:
    (path,) = mine_paths([Run("r2", ("a", "b"), True), Run("r1", ("a", "b"), True)])
    assert (path.tools, path.count, path.length, path.sources) == (("a", "b"), 2, 2, ("r1", "r2"))


def test_failed_and_unjudged_runs_give_no_path() -> None:
    assert mine_paths([Run("r1", ("a",), False), Run("r2", ("a",), None)]) == ()


def test_passed_run_without_calls_has_no_path_and_is_counted_apart() -> None:
    stage = stage_of(record("r1"), record("r2", "a"))
    assert [path.tools for path in mine_paths(stage.runs.values())] == [("a",)]
    assert stage.passed_without_calls == 1


def test_what_is_left_out_of_a_path_still_costs_efficiency() -> None:
    get, failed, send = ToolCall("get"), ToolCall("get", success=False), ToolCall("send")
    direct = StageRun("T", "T/1", "r1", "q", True, (get, send), "log")
    detour = StageRun("T", "T/1", "r2", "q", True, (failed, failed, get, send), "log")
    (path,) = mine_paths(stages_of([direct, detour])["T/1"].runs.values())
    assert (path.tools, path.length, path.count, path.calls) == (("get", "send"), 2, 2, (2, 4))
    assert path.efficiency == (1.0 + 0.5) / 2


def test_equal_tools_together_and_one_after_the_other_are_two_paths() -> None:
    together, in_turn = Run("r1", ("a", "b"), True, steps=(0, 0)), Run("r2", ("a", "b"), True)
    assert [path.steps for path in mine_paths([together, in_turn])] == [(0, 1), (0, 0)]


def test_calls_after_the_goal_are_known_from_a_run_that_passed_without_them() -> None:
    paths = mine_paths([Run("r1", ("a", "b"), True), Run("r2", ("a", "b", "c", "d"), True)])
    assert [(path.tools, path.efficiency) for path in paths] == [(("a", "b"), 1.0), (("a", "b", "c", "d"), 0.5)]


def test_shortest_is_the_most_frequent_of_equally_short_paths_then_the_first_by_name() -> None:
    paths = mine_paths([Run("1", ("b",), True), Run("2", ("b",), True), Run("3", ("a",), True), Run("4", ("c",), True)])
    assert [(path.tools, path.shortest) for path in paths] == [(("b",), True), (("a",), False), (("c",), False)]


def test_loading_a_run_twice_counts_it_once_and_a_new_verdict_replaces_the_old() -> None:
    once = stage_of(record("r1", "a"))
    assert add_run(once, record("r1", "a")) == once
    failed = add_run(once, record("r1", "a", passed=False))
    assert mine_paths(failed.runs.values()) == ()


def test_texts_of_a_stage_do_not_depend_on_the_order_of_loading() -> None:
    first, second = record("r1", "a", request="Zeta"), record("r2", "a", request="Alpha")
    assert stage_of(first, second).request == stage_of(second, first).request == "Alpha"


def test_odd_tool_names_are_kept_exactly() -> None:
    names = ("admin.tools.list", "tool-with-dash", "工具", " spaced ", "x" * 200)
    (path,) = mine_paths(stage_of(record("r1", *names)).runs.values())
    assert path.tools == names


def test_texts_of_a_run_go_when_it_is_replaced() -> None:
    stage = stage_of(record("r1", "a", request="Alpha"))
    assert add_run(stage, record("r1", "a", request="Beta")).request == "Beta"


def test_a_tool_on_every_path_has_full_usage_and_a_detour_less() -> None:
    assert usage([(("a", "b"), 1.0), (("a", "c", "b", "a"), 0.5)]) == {"a": 1, "b": 1, "c": 0.5 / 1.5}


def test_an_aborted_run_keeps_its_calls_without_a_verdict() -> None:
    assert judged_run(record("r1", "a", passed=None)) == Run("r1", ("a",), None, texts=Texts(request="Do it"))


@given(runs)
def test_paths_partition_the_passed_runs_with_calls(generated: list[Run]) -> None:
    paths = mine_paths(generated)
    sources = [source for path in paths for source in path.sources]
    assert sorted(sources) == sorted(run.id for run in generated if run.passed and run.tools)


@given(runs)
def test_efficiency_is_in_0_1_and_one_path_is_the_shortest(generated: list[Run]) -> None:
    paths = mine_paths(generated)
    assert all(0 < path.efficiency <= 1 for path in paths)
    assert sum(path.shortest for path in paths) == bool(paths)
    assert all(path.length == path.optimal for path in paths if path.shortest)
    assert all((path.efficiency == 1) == (set(path.calls) == {path.optimal}) for path in paths)


@given(runs, st.randoms())
def test_mining_does_not_depend_on_the_order_of_runs(generated: list[Run], random: Random) -> None:
    shuffled = list(generated)
    random.shuffle(shuffled)
    assert mine_paths(shuffled) == mine_paths(generated)
