"""Usage vectors: whose clause is whose, how many are kept, and what is nearest."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphstore.retrieval import tool_clauses, tool_usage
from graphstore.retrieval.tool_clauses import Clauses, calls
from graphstore.retrieval.tool_usage import MOST, Compared, UsageVectors

X, Y, Z = np.eye(3, dtype=np.float32)


def clauses(*stages: Sequence[np.ndarray]) -> Clauses:
    size = next((len(stage[0]) for stage in stages if len(stage)), 3)
    return Clauses.of([np.array(stage, dtype=np.float16).reshape(-1, size) for stage in stages], size)


def gather(clauses: Clauses, paths: Sequence[Sequence[Sequence[int]]], tools: np.ndarray) -> UsageVectors:
    return tool_usage.gather(clauses, calls(clauses, np.arange(len(paths)), paths, tools), len(tools))


def of(used: UsageVectors, tool: int) -> list[list[float]]:
    return used.vectors[used.starts[tool] : used.starts[tool + 1]].tolist()


def unit(n: int, d: int = 8, seed: int = 0) -> np.ndarray:
    rows = np.random.default_rng(seed).normal(size=(n, d))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def test_each_call_takes_the_clause_that_it_answers() -> None:
    used = gather(clauses([X, Y], [Z]), [[[0, 1]], [[2]]], np.array([X, Y, Z]))
    assert [of(used, tool) for tool in range(3)] == [[X.tolist()], [Y.tolist()], [Z.tolist()]]
    assert used.stages.tolist() == [0, 0, 1]


def test_no_call_answers_an_earlier_clause_than_the_call_before() -> None:
    # alone, tool 1 would take the first clause; the call before it answers the second
    used = gather(clauses([0.6 * X + 0.8 * Y, X]), [[[0, 1]]], np.array([X, 0.8 * X + 0.6 * Y]))
    assert of(used, 0) == of(used, 1) == [X.tolist()]


def test_a_clause_that_several_paths_answer_counts_once_for_a_tool() -> None:
    used = gather(clauses([X]), [[[0], [0, 1], [0, 0]]], np.array([X, Y]))
    assert used.starts.tolist() == [0, 1, 2]


def test_a_tool_without_usage_and_one_of_a_stage_without_vectors_have_none() -> None:
    used = gather(clauses([X], []), [[[0]], [[1]]], np.array([X, Y, Z]))
    assert used.best(np.array([X, Y]), np.arange(3)).tolist() == [[1, -1, -1], [0, -1, -1]]
    assert used.compared(X[None], np.arange(3)).nearest(0, 1) is None
    assert used.compared(X[None], np.arange(3)).nearest(0, 2) is None
    empty = gather(clauses(), [], np.array([X, Y]))
    assert empty.best(X[None], np.array([1])).tolist() == [[-1]]


def test_the_nearest_usage_vector_of_a_tool_is_told_by_its_place_among_them() -> None:
    used = gather(clauses([X], [Y], [Z]), [[[0]], [[2]], [[2]]], np.array([X, X, Y]))
    for tools, place in ((np.arange(3), 2), (np.array([1, 2]), 1)):
        compared = used.compared(np.array([Z, Y]), tools)
        assert [compared.nearest(query, place) for query in (0, 1)] == [1, 0]
    assert used.stages[used.starts[2] + 1] == 2


@pytest.mark.parametrize("count", [MOST - 1, MOST, MOST + 1, 3 * MOST + 7])
def test_at_most_so_many_are_kept_and_they_are_spread_evenly(count: int) -> None:
    used = gather(clauses(*([vector] for vector in unit(count))), [[[0]]] * count, unit(2, seed=1))
    assert np.diff(used.starts).tolist() == [min(count, MOST), 0]
    gaps = np.diff(used.stages)
    assert used.stages[0] == 0
    assert gaps.max() - gaps.min() <= 1
    assert count - used.stages[-1] <= gaps.max()


def test_above_a_number_they_stay_as_stored_and_answer_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    stages = [[vector] for vector in unit(50)]
    paths = [[[number % 7, (number + 1) % 7]] for number in range(50)]
    kept = gather(clauses(*stages), paths, unit(9, seed=1))
    monkeypatch.setattr(tool_usage, "WIDE", 10)
    halves = gather(clauses(*stages), paths, unit(9, seed=1))
    assert (kept.vectors.dtype, halves.vectors.dtype) == (np.float32, np.float16)
    asked = unit(4, seed=2)
    for tools in (np.arange(9), np.array([1, 6, 8])):
        assert np.allclose(kept.best(asked, tools), halves.best(asked, tools), atol=1e-3)
        assert kept.compared(asked, tools).nearest(0, 1) == halves.compared(asked, tools).nearest(0, 1)


def test_blocks_leave_no_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    stages = [unit(1 + number % 3, seed=number) for number in range(30)]
    paths = [[[number % 5, (number * 3) % 5][: 1 + number % 2]] for number in range(30)]
    whole = gather(clauses(*stages), paths, unit(5, seed=99))
    monkeypatch.setattr(tool_clauses, "_BLOCK", 2)
    parts = gather(clauses(*stages), paths, unit(5, seed=99))
    assert np.array_equal(whole.vectors, parts.vectors)
    assert np.array_equal(whole.starts, parts.starts)


@given(st.lists(st.lists(st.integers(0, 5), min_size=1, max_size=3), max_size=12), st.sets(st.integers(0, 5)))
def test_some_tools_are_answered_as_among_all(paths: list[list[int]], chosen: set[int]) -> None:
    used = gather(
        clauses(*(unit(1 + n % 2, seed=n) for n in range(len(paths)))),
        [[path] for path in paths],
        unit(6, 8 if paths else 3, seed=50),
    )
    asked = unit(2, 8 if paths else 3, seed=51)
    tools = np.array(sorted(chosen), dtype=np.intp)
    assert np.allclose(used.best(asked, tools), used.best(asked, np.arange(6))[:, tools], atol=1e-6)


def compared(cosines, lengths, used, tools):
    return Compared(np.array(cosines, dtype=np.float32), np.array(lengths), np.array(used), tools)


def test_all_past_clauses_of_a_tool_vote_together():
    flat, sharp = compared([[0.5, 0.5, 0.5, 0.5]], [3, 1], [0, 2], 3).shares(0.1)
    assert flat.tolist() == sharp.tolist() == [[0.75, 0, 0.25]]


def test_the_sharper_vote_is_that_at_half_the_temperature():
    near = compared([[0.9, 0.8, 0.1], [0.2, 0.4, 0.6]], [2, 1], [0, 1], 2)
    assert np.allclose(near.shares(0.1)[1], near.shares(0.05)[0])


def test_few_past_clauses_are_averaged_as_far_as_there_are_any():
    near = compared([[0.9, 0.1, -0.5, -1.0], [0.3, 0.5, -0.7, -0.2]], [3, 1], [0, 2], 3)
    assert np.allclose(near.nearest_few(2), [0.7, -1, -0.2])
    assert np.allclose(near.nearest_few(5), [0.9 / 3, -1, -0.2])


def test_without_history_nothing_votes():
    empty = gather(clauses(), [], np.array([X, Y])).compared(np.array([X]), np.arange(2))
    assert [each.tolist() for each in empty.shares(0.1)] == [[[0, 0]], [[0, 0]]]
    assert empty.nearest_few(3).tolist() == [-1, -1]


@given(
    st.lists(st.lists(st.floats(-1, 1, width=32), min_size=1, max_size=5), min_size=1, max_size=6), st.integers(1, 4)
)
def test_the_mean_of_the_nearest_is_that_of_a_sort(tools, few):
    near = compared([[value for tool in tools for value in tool]], list(map(len, tools)), range(len(tools)), len(tools))
    wanted = [np.mean(sorted(tool, reverse=True)[:few]) for tool in tools]
    assert np.allclose(near.nearest_few(few), wanted, atol=1e-6)
