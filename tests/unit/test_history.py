"""The history graph, on the rules of its definition and on generated runs."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphstore.toolgraph.history import Next, history, runs_per_tool
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
    rows = history([stage(Run("r1", ("a", "b"), True), Run("r2", ("a", "b", "c", "d"), True))])
    assert [(row.source, row.target, row.count, row.weight) for row in rows] == [
        ("a", "b", 2, 1.5),
        ("b", "c", 1, 0.5),
        ("c", "d", 1, 0.5),
    ]


def test_a_transition_counts_once_a_run() -> None:
    rows = history([stage(Run("r1", ("a", "a", "a", "b", "a", "b"), True))])
    assert {(row.source, row.target): row.count for row in rows} == {("a", "a"): 1, ("a", "b"): 1, ("b", "a"): 1}


def test_direction_is_kept() -> None:
    assert [(row.source, row.target) for row in history([stage(Run("r1", ("b", "a"), True))])] == [("b", "a")]


def test_failed_runs_add_failures_to_edges_but_no_edge() -> None:
    rows = history([stage(Run("r1", ("a", "b"), True), Run("r2", ("a", "b", "c"), False))])
    assert rows == [Next("a", "b", count=1, weight=1.0, failures=1, sources=("r1",), last_seen=None)]


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
    rows = history(stages)
    assert {(row.source, row.target): row.count for row in rows} == expected
    assert all(0 < row.weight <= row.count + 1e-9 for row in rows)


@given(generated_stages, st.randoms())
def test_history_does_not_depend_on_any_order(stages: list[Stage], random: Random) -> None:
    shuffled = [stage(*reversed(list(one.runs.values())), id=one.id) for one in stages]
    random.shuffle(shuffled)
    assert history(shuffled) == history(stages)


@pytest.mark.parametrize("path", [(), ("a",)])
def test_runs_of_no_or_one_call_have_no_transition(path: tuple[str, ...]) -> None:
    assert history([stage(Run("r1", path, True))]) == []
