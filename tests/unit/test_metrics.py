"""Metrics, on values worked out by hand and on what must hold for any ranking."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from graphstore.evaluation.metrics import average_precision, figures, full, kendall_tau, ndcg, recall

METRICS = [recall, full, ndcg, average_precision]
rankings = st.permutations("abcdefgh")
golds = st.sets(st.sampled_from("abcdefgh"), min_size=1)


def test_values_worked_out_by_hand() -> None:
    ranking, gold = ["x", "a", "y", "b"], {"a", "b", "c"}
    assert recall(ranking, gold, 4) == 2 / 3
    assert full(ranking, gold, 4) == 0
    ideal = 1 + 1 / math.log2(3) + 1 / 2
    assert ndcg(ranking, gold, 4) == pytest.approx((1 / math.log2(3) + 1 / math.log2(5)) / ideal)
    assert average_precision(ranking, gold, 4) == pytest.approx((1 / 2 + 2 / 4) / 3)


@pytest.mark.parametrize("metric", METRICS)
def test_gold_first_scores_one_and_nothing_found_scores_zero(metric) -> None:
    assert metric(["a", "b", "x"], {"a", "b"}, 5) == 1
    assert metric(["x", "y"], {"a", "b"}, 5) == 0


@pytest.mark.parametrize("metric", METRICS)
def test_a_request_without_gold_is_refused(metric) -> None:
    with pytest.raises(ValueError, match="leave it out"):
        metric(["a"], set(), 5)


@given(rankings, golds, st.integers(1, 10))
def test_all_are_shares_and_full_means_recall_of_one(ranking: list[str], gold: set[str], k: int) -> None:
    values = [metric(ranking, gold, k) for metric in METRICS]
    assert all(0 <= value <= 1 + 1e-12 for value in values)
    assert full(ranking, gold, k) == (recall(ranking, gold, k) == 1)


@given(rankings, golds)
def test_moving_gold_up_never_lowers_a_score(ranking: list[str], gold: set[str]) -> None:
    better = sorted(ranking, key=lambda item: item not in gold)
    assert all(metric(better, gold, 4) >= metric(ranking, gold, 4) - 1e-12 for metric in METRICS)


def test_figures_are_all_metrics_at_all_cut_offs() -> None:
    row = figures(["a", "x", "b"], ["a", "b"], (1, 3))
    assert list(row) == [f"{name}@{k}" for name in ("recall", "full", "ndcg", "map") for k in (1, 3)]
    assert (row["recall@1"], row["full@1"], row["full@3"], row["map@1"]) == (0.5, 0, 1, 1)


def test_the_order_of_the_gold_that_was_found_decides() -> None:
    assert kendall_tau(["a", "b", "c"], ["a", "b", "c"]) == 1
    assert kendall_tau(["c", "x", "b", "a"], ["a", "b", "c"]) == -1
    assert kendall_tau(["b", "a", "c", "d"], ["a", "b", "c", "d"]) == pytest.approx(4 / 6)  # one of six pairs turned
    assert kendall_tau(["d", "a"], ["a", "b", "c", "d"]) == -1
    assert kendall_tau(["a", "x"], ["a", "b"]) is None


@given(st.permutations("abcdefgh"), st.permutations("abcdefgh"))
def test_kendalls_tau_is_that_of_scipy(order: list[str], gold: list[str]) -> None:
    ranks = [order.index(item) for item in gold]
    assert kendall_tau(order, gold) == pytest.approx(kendalltau(range(8), ranks).statistic)
