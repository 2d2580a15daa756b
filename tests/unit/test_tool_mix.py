"""The learned mix: what it does to the order, when it dares to, and that it is stored as it is."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from graphstore.retrieval.boosting import Trees, boost
from graphstore.retrieval.ppr import top
from graphstore.retrieval.tool_evidence import scaled
from graphstore.retrieval.tool_features import CANDIDATES, Candidates
from graphstore.retrieval.tool_mix import CHOICES, Example, LearnedMix, Model, _quality, _worse, learn

NONE = Trees(np.zeros((0, 15), np.int32), np.zeros((0, 15)), np.zeros((0, 16)))


def mix_of(start: list[float], unseen: Trees, known: Trees | None = None) -> LearnedMix:
    models = Model(np.array(start), unseen), Model(np.array(start), unseen if known is None else known)
    return LearnedMix(*models, np.array([-1.0, 2.0]), {"stages": 160, "encoder": "words"})


def found(mixed: np.ndarray, *features: np.ndarray) -> Candidates:
    tools = top(mixed, CANDIDATES)
    return Candidates(tools, np.stack([scaled(mixed), *features], axis=1)[tools], mixed)


def trees(seed: int = 0) -> Trees:
    drawn = np.random.default_rng(seed)
    rows = drawn.normal(size=(300, 2))
    return boost(rows, (rows[:, 0] > 0.3).astype(float), np.ones(300), np.zeros(300), 7)


def examples(wanted: Callable[[np.random.Generator, np.ndarray], int], feature: float, n: int = 240) -> list[Example]:
    """Requests among twenty tools; of the second feature a wanted tool has so much more."""
    drawn = np.random.default_rng(5)
    made = []
    for part in range(n):
        mixed = np.round(drawn.random(20), 6)
        tool = wanted(drawn, mixed)
        told = drawn.random(20)
        told[tool] += feature
        made.append(Example(found(mixed, told), frozenset({tool}), part % 2 == 0, part // 2))
    return made


def likely(drawn: np.random.Generator, mixed: np.ndarray) -> int:
    return int(drawn.choice(len(mixed), p=mixed**4 / (mixed**4).sum()))


mixes = hnp.arrays(np.float64, st.integers(1, 70), elements=st.integers(0, 1000).map(lambda n: n / 1000))
slopes = st.floats(0.01, 4)


@given(mixes, st.floats(-6, 0), slopes, slopes)
def test_without_trees_the_order_is_that_of_the_mix_without_training(
    mixed: np.ndarray, a: float, b: float, c: float
) -> None:
    scores = mix_of([a, b, c], NONE).scores(found(mixed))
    assert top(scores, len(scores)).tolist() == top(mixed, len(mixed)).tolist()


@given(mixes, st.integers(0, 3))
def test_what_is_no_candidate_stays_below_them_and_in_order(mixed: np.ndarray, seed: int) -> None:
    candidates = found(mixed, np.random.default_rng(seed).normal(size=len(mixed)))
    scores = mix_of([-2.0, 1.0, 1.0], trees(seed)).scores(candidates)
    assert np.all((scores >= 0) & (scores < 1))
    rest = np.setdiff1d(np.arange(len(mixed)), candidates.tools)
    assert np.all(scores[rest] < scores[candidates.tools].min())
    assert rest[top(scores[rest], len(rest))].tolist() == rest[top(mixed[rest], len(rest))].tolist()


def test_scores_are_the_probabilities_of_the_odds() -> None:
    candidates = found(np.array([0.2, 1.0, 0.6]), np.array([1.0, -1.0, 0.5]))
    mix = mix_of([-1.0, 2.0, 0.5], trees())
    expected = -1 + 2 * np.array([1.0, 0.5, 0.0]) + 0.5 / np.array([1, 2, 3]) + mix.known.trees.scores(candidates.rows)
    assert candidates.tools.tolist() == [1, 2, 0]
    assert mix.odds(candidates) == pytest.approx(expected)
    assert mix.scores(candidates)[[1, 2, 0]] == pytest.approx(1 / (1 + np.exp(-expected)))


def test_the_nearer_a_past_request_the_more_the_model_of_known_workflows_decides() -> None:
    candidates = found(np.array([0.2, 1.0, 0.6]), np.array([1.0, -1.0, 0.5]))
    mix = mix_of([-1.0, 2.0, 0.5], NONE, trees())
    apart = mix.known.odds(candidates) - mix.unseen.odds(candidates)
    shares = [
        float(np.mean((mix.odds(replace(candidates, near=near)) - mix.unseen.odds(candidates)) / apart))
        for near in (-1.0, 0.5, 0.9)
    ]
    assert shares == pytest.approx([1 / (1 + np.exp(-odds)) for odds in (-3.0, 0.0, 0.8)])


def test_how_near_known_workflows_are_is_learned() -> None:
    made = [
        replace(each, found=replace(each.found, near=0.9 if each.known else 0.5))
        for each in examples(likely, 0.5, n=60)
    ]
    bias, slope = learn(made, {}).nearness
    assert slope > 0
    assert bias + 0.5 * slope < 0 < bias + 0.9 * slope


def test_even_the_least_likely_tools_keep_their_order() -> None:
    mixed = np.linspace(1, 0, 500)
    scores = mix_of([-14.0, 3.0, 1.0], NONE).scores(found(mixed))
    assert scores[30] < 2e-5
    assert np.all(np.diff(scores) < 0)


@pytest.mark.parametrize("kept", [trees(), NONE], ids=["trees", "none"])
def test_a_mix_is_read_as_it_was_written(kept: Trees) -> None:
    other = trees(1) if len(kept.values) else NONE
    mix = mix_of([-1.5, 2.25, 1 / 3], kept, other)
    row = mix.to_row()
    assert all(isinstance(value, str | list) for value in row.values())
    read = LearnedMix.from_row(json.loads(json.dumps(row)))
    assert read.fitted == mix.fitted
    candidates = found(np.array([0.2, 1.0, 0.6]), np.array([1.0, -1.0, 0.5]))
    assert np.array_equal(read.scores(candidates), mix.scores(candidates))
    assert read.unseen.trees.thresholds.tolist() == kept.thresholds.tolist()
    assert read.known.trees.thresholds.tolist() == other.thresholds.tolist()


def test_noise_costs_little() -> None:
    mix = learn(examples(likely, 0.0), {"stages": 240})
    assert mix.fitted["requests"] == mix.fitted["stages"] == 240
    assert mix.fitted["quality"] > mix.fitted["untrained"] - 0.02
    fresh = examples(likely, 0.0, n=300)[240:]
    trained, untrained = (
        np.mean([top(scores, 20).tolist().index(*each.wanted) for each, scores in zip(fresh, listed, strict=True)])
        for listed in ([mix.scores(each.found) for each in fresh], [each.found.mixed for each in fresh])
    )
    assert trained < untrained + 1


def test_a_feature_that_tells_all_is_used() -> None:
    made = examples(lambda drawn, mixed: int(drawn.integers(20)), 2.0)
    mix = learn(made, {})
    assert mix.fitted["trees"] in CHOICES[1:]
    assert mix.fitted["quality"] > mix.fitted["untrained"] + 0.3
    fresh = found(np.linspace(1, 0, 20), np.eye(20)[17] * 2 + 0.5)
    assert top(mix.scores(fresh), 1).tolist() == [17]


def test_even_where_the_mix_ranks_the_wrong_way_round_no_tree_means_its_order() -> None:
    made = examples(lambda drawn, mixed: int(mixed.argmin()), 0.0, n=40)
    same_part = [Example(each.found, each.wanted, each.known, 1) for each in made]  # nothing is held out: no trees
    mix = learn(same_part, {})
    assert mix.fitted["trees"] == 0
    assert top(mix.scores(made[0].found), 20).tolist() == top(made[0].found.mixed, 20).tolist()


@pytest.mark.parametrize("wanted", [frozenset(range(20)), frozenset({0})], ids=["all", "one"])
def test_an_odd_history_gives_a_finite_mix(wanted: frozenset[int]) -> None:
    made = [Example(found(np.full(20, 0.5), np.zeros(20)), wanted, True, part) for part in range(6)]
    mix = learn(made, {})
    assert mix.fitted["trees"] == 0
    assert np.all(np.isfinite(mix.scores(made[0].found)))


def test_the_same_examples_give_the_same_numbers() -> None:
    one, other = (learn(examples(likely, 0.5, n=60), {}).to_row() for _ in range(2))
    assert one == other


def test_a_loss_counts_only_if_it_is_more_than_chance() -> None:
    ones = np.ones(12)
    assert _worse(-ones, range(12))
    assert not _worse(0 * ones, range(12))
    assert not _worse(ones, range(12))
    losses = np.repeat([-1.0, 0.3], 6)
    assert _worse(losses, range(12))
    assert not _worse(losses, [0] * 6 + list(range(1, 7)))  # but not if one path brought all of it


def test_quality_is_the_mean_of_recall_full_and_ndcg() -> None:
    mixed = np.linspace(1, 0, 12)
    start = np.array([0.0, 1.0, 1.0])
    each = Example(found(mixed), frozenset({0, 11}), True, 0)
    ndcg = 1 / (1 + 1 / np.log2(3))
    assert _quality(each, Model(start, NONE), 0) == pytest.approx((0.5 + 0 + ndcg) / 3)
    whole = Example(found(mixed), frozenset({0, 1}), True, 0)
    assert _quality(whole, Model(start, NONE), 0) == pytest.approx(1)


@settings(max_examples=25)
@given(st.sets(st.integers(0, 40), min_size=1))
def test_quality_is_a_share(wanted: set[int]) -> None:
    each = Example(found(np.linspace(1, 0, 41)), frozenset(wanted), True, 0)
    assert 0 <= _quality(each, Model(np.array([0.0, 1.0, 1.0]), NONE), 0) <= 1 + 1e-12
