"""The item–item model: its closed form is the least squares that it stands for."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from graphstore.retrieval import tool_items
from graphstore.retrieval.tool_items import ItemModel, ease

usages = hnp.arrays(
    np.float64, st.tuples(st.integers(1, 8), st.integers(2, 6)), elements=st.sampled_from([0.0, 0.0, 0.5, 1.0])
)


@given(usages, st.sampled_from([0.5, 2.0, 20.0]))
def test_each_tool_is_predicted_by_the_others_with_least_squares(usage: np.ndarray, penalty: float) -> None:
    n = usage.shape[1]
    found = ease(usage.T @ usage, penalty)
    for item in range(n):
        others = [other for other in range(n) if other != item]
        # ridge regression as plain least squares: the penalty as further rows
        left = np.vstack([usage[:, others], np.sqrt(penalty) * np.eye(n - 1)])
        right = np.concatenate([usage[:, item], np.zeros(n - 1)])
        expected = np.linalg.lstsq(left, right, rcond=None)[0]
        assert np.allclose(found[others, item], expected, atol=1e-8)
    assert np.all(np.diag(found) == 0)


@given(usages)
def test_solved_for_all_tools_as_candidates_it_is_the_whole_model(usage: np.ndarray) -> None:
    model = ItemModel(sp.csr_array(usage))
    weights = np.linspace(1, 0, usage.shape[1])
    whole = model.scores(weights, np.arange(usage.shape[1]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tool_items, "DENSE", 1)
        local = ItemModel(sp.csr_array(usage)).scores(weights, np.arange(usage.shape[1]))
    assert np.allclose(whole, local, atol=1e-10)


def test_a_large_catalog_scores_candidates_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tool_items, "DENSE", 1)
    usage = sp.csr_array(np.array([[1.0, 1, 0, 1], [1, 1, 0, 0], [0, 0, 1, 1]]))
    scores = ItemModel(usage).scores(np.array([1.0, 0, 0, 0]), np.array([0, 1]))
    assert scores[1] > 0
    assert scores[[0, 2, 3]].tolist() == [0, 0, 0]


def test_a_hub_says_less_than_a_companion() -> None:
    # tool 0 goes with everything; 1 and 2 only with each other
    usage = np.array([[1.0, 1, 1, 0, 0]] * 5 + [[1, 0, 0, 1, 0]] * 5 + [[1, 0, 0, 0, 1]] * 5)
    found = ease(usage.T @ usage, 1.0)
    assert found[2, 1] > 2 * found[0, 1] > 0
