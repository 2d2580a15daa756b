"""The fused walk over tools and stages."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from graphstore.toolgraph.fusion import fuse, row_normalised, sparse

weights = hnp.arrays(np.float64, (5, 5), elements=st.sampled_from([0.0, 0.0, 0.0, 0.5, 1.0, 3.0]))
solved = hnp.arrays(np.float64, (3, 5), elements=st.sampled_from([0.0, 0.0, 0.5, 1.0]))


def walk(following: np.ndarray, similar: np.ndarray, usage: np.ndarray, **options: float) -> np.ndarray:
    graph = fuse(sp.csr_array(following), sp.csr_array(similar), sp.csr_array(usage), **options)
    return graph.transition.toarray()


@given(weights, weights, solved)
def test_each_row_is_a_distribution_or_empty(following: np.ndarray, half: np.ndarray, usage: np.ndarray) -> None:
    sums = walk(following, half + half.T, usage).sum(axis=1)
    assert np.all(np.isclose(sums, 1) | (sums == 0))


@given(weights, weights, solved)
def test_parts_add_up_to_the_walk_between_tools(following: np.ndarray, half: np.ndarray, usage: np.ndarray) -> None:
    graph = fuse(sp.csr_array(following), sp.csr_array(half + half.T), sp.csr_array(usage))
    parts = graph.forward + graph.backward + graph.similar
    assert np.allclose(parts.toarray(), graph.transition.toarray()[:5, :5])


def test_a_tool_without_history_follows_meaning_only() -> None:
    similar = np.array([[0, 0, 0.8], [0, 0, 0.4], [0.8, 0.4, 0]])
    following = np.array([[0, 5.0, 0], [0, 0, 0], [0, 0, 0]])
    assert walk(following, similar, np.zeros((0, 3)))[2] == pytest.approx([2 / 3, 1 / 3, 0])


def test_history_outweighs_meaning_the_more_the_longer_it_is() -> None:
    similar = np.array([[0, 0, 1.0], [0, 0, 0], [1.0, 0, 0]])
    shares = [
        walk(np.array([[0, runs, 0], [0, 0, 0], [0, 0, 0]]), similar, np.zeros((0, 3)))[0, 1] for runs in (1, 10, 1000)
    ]
    assert shares == pytest.approx([1 / 11, 10 / 20, 1000 / 1010])


def test_before_and_after_diffuse_apart() -> None:
    # one rare predecessor weighs as much as a frequent successor: each direction is normalised by itself
    following = np.array([[0, 0, 0], [1.0, 0, 0], [0, 0, 0]])
    following[0, 2] = 99
    assert walk(following, np.zeros((3, 3)), np.zeros((0, 3)))[0] == pytest.approx([0, 0.5, 0.5])


def test_self_transitions_are_ignored() -> None:
    following = np.array([[7.0, 1.0], [0, 0]])
    assert walk(following, np.zeros((2, 2)), np.zeros((0, 2)))[0] == pytest.approx([0, 1])


def test_stage_leads_to_its_tools_and_they_lead_back() -> None:
    usage = np.array([[1.0, 0.5, 0]])
    result = walk(np.zeros((3, 3)), np.zeros((3, 3)), usage)
    assert result[3] == pytest.approx([2 / 3, 1 / 3, 0, 0])
    assert result[0] == pytest.approx([0, 0, 0, 1])


def test_isolated_tool_has_an_empty_row_and_zero_weights_make_no_edge() -> None:
    assert not walk(np.zeros((2, 2)), np.zeros((2, 2)), np.zeros((1, 2))).any()


def test_row_normalised_leaves_zero_rows() -> None:
    matrix = sparse([0, 0], [0, 1], [1.0, 3.0], (2, 2))
    assert row_normalised(matrix).toarray().tolist() == [[0.25, 0.75], [0, 0]]
