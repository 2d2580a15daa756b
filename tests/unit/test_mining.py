"""Path mining, on records made here and on generated runs."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from graphstore.records import StageRun, ToolCall
from graphstore.toolgraph.mining import Run, Stage, add_run, judged_run, mine_paths, observed_tool_path, usage

tools = st.sampled_from(["a", "b", "c", "admin.tools.list", "工具", "tool with spaces"])
runs = st.lists(
    st.builds(
        Run,
        id=st.uuids().map(str),
        tools=st.lists(tools, max_size=5).map(tuple),
        passed=st.sampled_from([True, True, False, None]),
        finished=st.sampled_from([None, "2026-01-01", "2026-02-01"]),
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


def test_retry_of_a_failed_call_and_polling_stay_on_the_path_and_cost_efficiency() -> None:
    calls = [ToolCall("get"), ToolCall("get", success=False), ToolCall("get"), ToolCall("send")]
    assert observed_tool_path(calls) == ("get", "get", "get", "send")
    longer = mine_paths([Run("r1", ("get", "send"), True), Run("r2", ("get", "get", "get", "send"), True)])[1]
    assert longer.efficiency == 0.5


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


def test_a_tool_on_every_path_has_full_usage_and_a_detour_less() -> None:
    assert usage([(("a", "b"), 1.0), (("a", "c", "b", "a"), 0.5)]) == {"a": 1, "b": 1, "c": 0.5 / 1.5}


def test_without_a_verdict_nothing_of_a_run_is_kept_but_its_id() -> None:
    assert judged_run(record("r1", "a", passed=None)) == Run("r1", (), None)


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
    assert all(path.efficiency == 1 for path in paths if path.shortest)


@given(runs, st.randoms())
def test_mining_does_not_depend_on_the_order_of_runs(generated: list[Run], random: Random) -> None:
    shuffled = list(generated)
    random.shuffle(shuffled)
    assert mine_paths(shuffled) == mine_paths(generated)
