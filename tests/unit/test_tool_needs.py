"""What the likely tools need: strongest ways and shares, computed by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from graphstore.retrieval.tool_needs import ENTRIES, TEMPERATURE, Way, entries, needed, strongest_ways


def needs(n: int, *edges: tuple[int, int, float]) -> sp.csr_array:
    rows, columns, strengths = zip(*edges, strict=True) if edges else ((), (), ())
    return sp.csr_array((np.array(strengths, dtype=float), (rows, columns)), shape=(n, n))


def test_the_strongest_way_counts_not_the_shortest() -> None:
    ways = strongest_ways(needs(4, (0, 3, 0.5), (0, 1, 0.9), (1, 3, 0.8), (3, 2, 0.5)), 0)
    assert {tool: way.last for tool, way in ways.items()} == {0: None, 1: 0, 3: 1, 2: 3}
    assert [ways[tool].strength for tool in (0, 1, 3, 2)] == pytest.approx([1.0, 0.9, 0.72, 0.36])


def test_cycles_and_needs_of_itself_end() -> None:
    ways = strongest_ways(needs(3, (0, 1, 0.9), (1, 0, 0.9), (1, 1, 0.9), (1, 2, 0.8), (2, 0, 0.8)), 0)
    assert ways[0] == Way(1.0, None)
    assert ways[1] == Way(0.9, 0)
    assert ways[2].strength == pytest.approx(0.72)


def test_ways_too_faint_to_matter_are_not_followed() -> None:
    chain = needs(5, *((i, i + 1, 0.5) for i in range(4)))
    assert sorted(strongest_ways(chain, 0, faintest=0.2)) == [0, 1, 2]


def test_of_equal_ways_that_of_the_lower_number_stands() -> None:
    ways = strongest_ways(needs(4, (0, 2, 0.9), (0, 1, 0.9), (1, 3, 0.8), (2, 3, 0.8)), 0)
    assert ways[3].last == 1


def test_entries_share_by_softmax_and_pass_on_what_they_need() -> None:
    # 0 and 1 fit; 0 needs 2, which needs 3; 1 needs 3
    fit = np.array([1.0 + TEMPERATURE * math.log(3), 1.0, -99.0, -99.0])
    found = needed(needs(4, (0, 2, 0.8), (2, 3, 0.8), (1, 3, 0.8)), fit)
    assert found.scores == pytest.approx([0.75, 0.25, 0.75 * 0.8, 0.75 * 0.64 + 0.25 * 0.8])
    assert set(found.by) == {2, 3}
    assert found.by[2] == pytest.approx({0: 0.6})
    assert found.by[3] == pytest.approx({2: 0.48, 1: 0.2})


def test_an_entry_that_needs_nothing_says_nothing() -> None:
    found = needed(needs(3, (1, 2, 0.8)), np.array([5.0, 5.0, 0.0]))
    assert found.scores == pytest.approx([0.0, 0.5, 0.4], abs=1e-6)
    assert not needed(needs(3), np.ones(3)).scores.any()


def test_no_more_than_the_best_are_entries() -> None:
    best, shares = entries(np.arange(50.0))
    assert len(best) == ENTRIES
    assert best[0] == 49
    assert shares.sum() == pytest.approx(1)


graphs = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 5), st.sampled_from([0.3, 0.8, 0.9])), unique_by=lambda e: e[:2]
)


@given(graphs, st.lists(st.floats(0, 3), min_size=6, max_size=6))
def test_scores_are_probabilities_and_explained_by_who_needs_them(
    edges: list[tuple[int, int, float]], fit: list[float]
) -> None:
    requires = needs(6, *edges)
    found = needed(requires, np.array(fit))
    own = np.zeros(6)
    best, shares = entries(np.array(fit))
    own[best] = np.where(np.diff(requires.indptr)[best] > 0, shares, 0)
    explained = [own[tool] + sum(found.by.get(tool, {}).values()) for tool in range(6)]
    assert found.scores == pytest.approx(explained)
    assert found.scores.min() >= 0
    assert found.scores.max() <= 1 + 1e-9
    assert all((source, tool) in {edge[:2] for edge in edges} for tool, by in found.by.items() for source in by)


@given(graphs)
def test_ways_are_as_strong_as_the_best_of_all_walks(edges: list[tuple[int, int, float]]) -> None:
    strengths = needs(6, *edges).toarray()
    best = np.eye(6)
    for _ in range(6):  # max-product closure
        best = np.maximum(best, (best[:, :, None] * strengths[None]).max(axis=1))
    for start in range(6):
        ways = strongest_ways(needs(6, *edges), start, faintest=0.0)
        assert [ways[t].strength if t in ways else 0 for t in range(6)] == pytest.approx(best[start].tolist())
