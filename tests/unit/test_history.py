"""The history graph, on the rules of its definition and on generated runs."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphstore.toolgraph.history import (
    PATIENCE,
    SOURCES,
    UNIT,
    Fade,
    Next,
    day_of,
    history,
    newest_day,
    rows,
    runs_per_tool,
    tally,
)
from graphstore.toolgraph.mining import Run, Stage


def stage(*runs: Run, id: str = "T/1") -> Stage:
    return Stage(id=id, task="T", runs={run.id: run for run in runs})


tools = st.sampled_from("abcd")
generated_stages = st.lists(
    st.lists(
        st.builds(
            Run,
            id=st.uuids().map(str),
            tools=st.lists(tools, max_size=6).map(tuple),
            passed=st.sampled_from([True, False, None]),
            finished=st.sampled_from([None, "2026-01-01", "2026-02-01"]),
        ),
        max_size=5,
        unique_by=lambda run: run.id,
    ),
    max_size=6,
).map(lambda many: [stage(*runs, id=f"T/{i}") for i, runs in enumerate(many)])


def test_count_is_runs_and_weight_is_the_sum_of_their_efficiency() -> None:
    found = history([stage(Run("r1", ("a", "b"), True), Run("r2", ("a", "b", "c", "d"), True))])
    assert [(row.source, row.target, row.count, row.weight) for row in found] == [
        ("a", "b", 2, 1.5),
        ("b", "c", 1, 0.5),
        ("c", "d", 1, 0.5),
    ]


def test_a_transition_counts_once_a_run() -> None:
    found = history([stage(Run("r1", ("a", "a", "a", "b", "a", "b"), True))])
    assert {(row.source, row.target): row.count for row in found} == {("a", "a"): 1, ("a", "b"): 1, ("b", "a"): 1}


def test_direction_is_kept() -> None:
    assert [(row.source, row.target) for row in history([stage(Run("r1", ("b", "a"), True))])] == [("b", "a")]


def test_failed_runs_add_failures_to_edges_but_no_edge() -> None:
    found = history([stage(Run("r1", ("a", "b"), True), Run("r2", ("a", "b", "c"), False))])
    assert found == [Next("a", "b", 1, 1.0, 1, ("r1",), None, blamed=0, unjudged=0, sums=(UNIT, UNIT, 0))]


def test_a_failed_run_is_blamed_on_transitions_that_no_passed_run_of_its_stage_made() -> None:
    elsewhere = stage(Run("r1", ("a", "b"), True), Run("r2", ("b", "c"), True), id="T/1")
    failed = stage(Run("r3", ("a", "b", "c"), False), Run("r4", ("a", "b"), True), id="T/2")
    ab, bc = history([elsewhere, failed])
    assert (ab.failures, ab.blamed, ab.weight) == (1, 0, 2.0)
    assert (bc.failures, bc.blamed, bc.weight) == (1, 1, 1.0 * (1 + PATIENCE) / (1 + 1 + PATIENCE))


def test_one_failure_hardly_lowers_what_passed_a_hundred_times() -> None:
    passed = stage(*(Run(f"r{i}", ("a", "b"), True) for i in range(100)))
    (row,) = history([passed, stage(Run("f", ("a", "b", "z"), False), id="T/2")])
    assert 99 < row.weight < 100


def test_transitions_of_failed_and_unjudged_runs_alone_are_kept_apart() -> None:
    stages = [stage(Run("r1", ("a", "b"), False), Run("r2", ("a", "b"), None), Run("r3", ("b", "a"), None))]
    assert history(stages) == []
    found = [(row.source, row.target, row.count, row.weight, row.failures, row.unjudged) for row in rows(tally(stages))]
    assert found == [("a", "b", 0, 0.0, 1, 1), ("b", "a", 0, 0.0, 0, 1)]


def test_parallel_calls_lead_to_the_next_step_and_not_to_each_other() -> None:
    run = Run("r1", ("plan", "a", "b", "send"), True, steps=(0, 1, 1, 2))
    assert [(row.source, row.target) for row in history([stage(run)])] == [
        ("a", "send"),
        ("b", "send"),
        ("plan", "a"),
        ("plan", "b"),
    ]


def test_calls_beyond_the_path_lower_the_weight_and_not_the_count() -> None:
    (row,) = history([stage(Run("r1", ("a", "b"), True), Run("r2", ("a", "b"), True, extra=2))])
    assert (row.count, row.weight) == (2, 1.5)


def test_a_run_counts_half_after_a_half_life_and_one_without_a_time_does_not_fade() -> None:
    old, older = Run("r1", ("a", "b"), True, "2026-01-21T08:00:00"), Run("r2", ("b", "c"), True, "2026-01-11")
    untimed, failed = Run("r3", ("c", "d"), True), Run("r4", ("x", "y"), False, "2026-01-31")
    stages = [stage(old, id="T/1"), stage(older, id="T/2"), stage(untimed, id="T/3"), stage(failed, id="T/4")]
    assert newest_day(stages) == "2026-01-31"
    faded = history(stages, Fade(10, newest_day(stages)))
    assert [(row.count, row.weight) for row in faded] == [(1, 0.5), (1, 0.25), (1, 1.0)]
    assert [row.weight for row in history(stages)] == [1.0, 1.0, 1.0]


def test_what_is_no_time_is_none() -> None:
    assert (day_of("soon"), day_of(None), day_of("2026-02-30")) == (None, None, None)
    assert history([stage(Run("r", ("a", "b"), True, "soon"))], Fade(1, "2026-01-01"))[0].weight == 1.0


def test_an_edge_names_some_of_its_runs() -> None:
    (row,) = history([stage(*(Run(f"r{i:03}", ("a", "b"), True) for i in range(SOURCES + 5)))])
    assert row.sources == tuple(f"r{i:03}" for i in range(SOURCES))


def test_one_run_passing_a_transition_in_two_stages_counts_twice_with_one_source() -> None:
    (row,) = history([stage(Run("r", ("a", "b"), True)), stage(Run("r", ("a", "b"), True), id="T/2")])
    assert (row.count, row.sources) == (2, ("r",))


def test_last_seen_is_the_latest_passed_run() -> None:
    (row,) = history(
        [
            stage(
                Run("r1", ("a", "b"), True, "2026-01-01"),
                Run("r2", ("a", "b"), True),
                Run("r3", (), True, "2027-01-01"),
            )
        ]
    )
    assert row.last_seen == "2026-01-01"


def test_runs_of_a_tool_are_passed_stage_runs() -> None:
    counts = runs_per_tool([stage(Run("r1", ("a", "a"), True, "2026-01-01"), Run("r2", ("a",), False))])
    assert counts == {"a": (1, "2026-01-01")}


@given(generated_stages)
def test_counts_agree_with_a_plain_recount(stages: list[Stage]) -> None:
    expected: dict[tuple[str, str], int] = {}
    for one in stages:
        for run in one.runs.values():
            if run.passed:
                for pair in set(pairwise(run.tools)):
                    expected[pair] = expected.get(pair, 0) + 1
    found = history(stages)
    assert {(row.source, row.target): row.count for row in found} == expected
    assert all(0 < row.weight <= row.count for row in found)


@given(generated_stages, st.randoms())
def test_history_does_not_depend_on_any_order(stages: list[Stage], random: Random) -> None:
    shuffled = [stage(*reversed(list(one.runs.values())), id=one.id) for one in stages]
    random.shuffle(shuffled)
    assert history(shuffled) == history(stages)


@pytest.mark.parametrize("path", [(), ("a",)])
def test_runs_of_no_or_one_call_have_no_transition(path: tuple[str, ...]) -> None:
    assert history([stage(Run("r1", path, True))]) == []
