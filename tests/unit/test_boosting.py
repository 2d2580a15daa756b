"""Boosted trees: splits as worked out by hand, and what holds for all rows."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from graphstore.retrieval.boosting import Growth, Trees, boost

STUMP = Growth(depth=1, rate=1.0, leaf=1, penalty=1.0, features=1.0)
FREE = Growth(leaf=1, features=1.0)


def fitted(rows: np.ndarray, labels: np.ndarray, trees: int = 5, growth: Growth = FREE) -> Trees:
    return boost(rows, labels, np.ones(len(rows)), np.zeros(len(rows)), trees, growth)


def noise(n: int = 400, features: int = 5) -> tuple[np.ndarray, np.ndarray]:
    """Rows, and labels of which the first two features tell much."""
    drawn = np.random.default_rng(0)
    rows = drawn.normal(size=(n, features))
    return rows, (rows[:, 0] * rows[:, 1] + drawn.normal(scale=0.3, size=n) > 0).astype(float)


def test_the_split_and_the_steps_worked_out_by_hand_are_found() -> None:
    rows = np.array([[7.0, 1.0], [7.0, 2.0], [7.0, 3.0], [7.0, 4.0]])
    tree = fitted(rows, np.array([0.0, 0.0, 1.0, 0.0]), 1, STUMP)
    # all begin at p = ½, so g = (½, ½, −½, ½) and h = ¼: a split after 2 gains 1²/1.5 + 0 − 1²/2, after 1 or 3 nothing
    assert tree.features.tolist() == [[1]]
    assert tree.thresholds.tolist() == [[2.0]]
    assert tree.values[0] == pytest.approx([-1 / 1.5, 0.0])
    assert tree.scores(rows) == pytest.approx([-1 / 1.5, -1 / 1.5, 0.0, 0.0])


def test_the_penalty_the_rate_and_the_weights_enter_the_step() -> None:
    rows, labels = np.array([[0.0], [1.0]]), np.array([0.0, 1.0])
    growth = Growth(depth=1, rate=0.5, leaf=1, penalty=1.0, features=1.0)
    tree = boost(rows, labels, np.array([2.0, 4.0]), np.zeros(2), 1, growth)
    assert tree.scores(rows).tolist() == pytest.approx([-0.5 * 1 / (0.5 + 1), 0.5 * 2 / (1 + 1)])


def test_what_no_single_split_tells_two_levels_do() -> None:
    counts = {(0.0, 0.0): 9, (0.0, 1.0): 10, (1.0, 0.0): 14, (1.0, 1.0): 12}
    rows = np.array([row for row, count in counts.items() for _ in range(count)])
    labels = (rows[:, 0] != rows[:, 1]).astype(float)
    scores = fitted(rows, labels, 20, Growth(depth=2, leaf=1, features=1.0)).scores(rows)
    assert np.all((scores > 0) == (labels > 0))


def test_the_first_trees_are_those_of_a_shorter_fit() -> None:
    rows, labels = noise()
    long, short = fitted(rows, labels, 30, Growth()), fitted(rows, labels, 12, Growth())
    assert np.array_equal(long.scores(rows, 12), short.scores(rows))
    assert not np.array_equal(long.scores(rows), short.scores(rows))
    assert long.scores(rows, 0).tolist() == [0.0] * len(rows)


def test_the_same_rows_give_the_same_trees_to_the_bit() -> None:
    one, other = (fitted(*noise(), 10, Growth()) for _ in range(2))
    for name in ("features", "thresholds", "values"):
        assert np.array_equal(getattr(one, name), getattr(other, name))


def test_the_loss_on_what_is_fitted_falls_with_every_tree() -> None:
    rows, labels = noise()
    trees = fitted(rows, labels, 25)
    losses = [
        float(np.mean(np.logaddexp(0, odds) - labels * odds)) for odds in (trees.scores(rows, n) for n in range(26))
    ]
    assert all(later < earlier for earlier, later in pairwise(losses))


@pytest.mark.parametrize("leaf", [5, 60, 201])
def test_no_leaf_that_anything_was_split_for_holds_fewer_rows_than_the_least(leaf: int) -> None:
    rows, labels = noise()
    trees = fitted(rows, labels, 6, Growth(leaf=leaf, features=1.0))
    for tree in range(6):
        alone = Trees(trees.features[[tree]], trees.thresholds[[tree]], np.arange(16.0)[None])
        assert np.unique(alone.scores(rows), return_counts=True)[1].min() >= min(leaf, len(rows))
    assert np.isfinite(trees.thresholds).any() == (leaf <= 200)


def test_a_value_that_was_never_seen_falls_on_the_side_of_the_nearest_bin() -> None:
    rows, labels = np.arange(100.0)[:, None], (np.arange(100) > 49).astype(float)
    low, high = fitted(rows, labels, 3).scores(np.array([[-1e9], [1e9]]))
    assert low < 0 < high


numbers = st.floats(-1e6, 1e6, allow_nan=False)


@settings(max_examples=40)
@given(
    hnp.arrays(np.float64, st.tuples(st.integers(1, 30), st.integers(1, 4)), elements=numbers),
    st.integers(0, 2**30),
    st.sampled_from([0.0, -30.0, 30.0]),
)
def test_any_rows_give_finite_scores_that_follow_the_labels(rows: np.ndarray, bits: int, start: float) -> None:
    labels = np.array([(bits >> i) & 1 for i in range(len(rows))], dtype=float)
    trees = boost(rows, labels, np.ones(len(rows)), np.full(len(rows), start), 4, FREE)
    scores = trees.scores(rows)
    assert np.all(np.isfinite(scores))
    if labels.min() == labels.max():
        assert np.all(scores * (2 * labels - 1) >= 0)


@given(
    hnp.arrays(np.float64, st.tuples(st.integers(2, 25), st.just(2)), elements=st.sampled_from([0.0, 0.5, 2.0, -1.0]))
)
def test_training_and_scoring_put_each_row_into_the_same_leaf(rows: np.ndarray) -> None:
    labels = (rows[:, 0] > 0).astype(float)
    one, two = fitted(rows, labels, 1), fitted(rows, labels, 2)
    # the second tree was grown on what the first one's leaves left: it is the first tree of a fit that starts there
    after = boost(rows, labels, np.ones(len(rows)), one.scores(rows), 1, FREE)
    assert np.allclose(after.values[0], two.values[1])
