"""Metrics, on values worked out by hand and on what must hold for any ranking."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphstore.evaluation.metrics import average_precision, full, ndcg, recall, table

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


def test_table_gives_means_over_requests() -> None:
    means = table([["a"], ["x"]], [{"a"}, {"a"}])
    assert means == dict.fromkeys(["recall@5", "recall@10", "full@5", "full@10", "ndcg@10", "map@10"], 0.5)
