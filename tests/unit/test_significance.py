"""Paired bootstrap and Holm's correction, on differences that are known."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphstore.evaluation.significance import holm, paired_bootstrap

FEW = 4_000


def units(count: int) -> list[str]:
    return [str(number) for number in range(count)]


def test_the_interval_of_a_mean_is_that_of_its_standard_error():
    values = np.random.default_rng(1).normal(0.1, 0.5, size=(400, 1))
    (found,) = paired_bootstrap(values, units(400), samples=FEW)
    error = values.std() / 20
    assert found.mean == pytest.approx(values.mean())
    assert (found.low, found.high) == pytest.approx(
        (values.mean() - 1.96 * error, values.mean() + 1.96 * error), abs=0.1 * error
    )


def test_a_clear_difference_is_significant_and_chance_is_not():
    random = np.random.default_rng(2)
    clear = random.normal(0.2, 0.5, size=500)
    chance = clear - clear.mean()
    same = np.zeros(500)
    found = paired_bootstrap(np.stack([clear, -clear, chance, same], axis=1), units(500), samples=FEW)
    assert [each.p < 0.01 for each in found] == [True, True, False, False]
    assert found[0].p == pytest.approx(2 / (FEW + 1))
    assert found[3].p == 1


def test_rows_of_one_unit_are_no_further_evidence():
    # each of 20 units ten times: resampled by row the interval would be √10 times too narrow
    unit = np.random.default_rng(3).normal(0.1, 0.5, size=20)
    rows = np.repeat(unit, 10)[:, None]
    (alone,) = paired_bootstrap(unit[:, None], units(20), samples=FEW)
    (copied,) = paired_bootstrap(rows, [name for name in units(20) for _ in range(10)], samples=FEW)
    (naive,) = paired_bootstrap(rows, units(200), samples=FEW)
    assert copied.high - copied.low == pytest.approx(alone.high - alone.low, rel=0.05)
    assert naive.high - naive.low < 0.5 * (alone.high - alone.low)


def test_weights_make_the_mean_of_splits():
    # a split of one request and a split of three
    values = np.array([[1.0], [0.0], [0.0], [0.0]])
    (found,) = paired_bootstrap(values, units(4), weights=np.array([1, 1 / 3, 1 / 3, 1 / 3]), samples=FEW)
    assert found.mean == pytest.approx(0.5)


def test_the_same_seed_gives_the_same_numbers():
    values = np.random.default_rng(4).normal(size=(50, 3))
    assert paired_bootstrap(values, units(50), samples=FEW) == paired_bootstrap(values, units(50), samples=FEW)


def test_holm_worked_out_by_hand():
    # sorted .005 .01 .03 .04 times 4 3 2 1: .02 .03 .06 .04, and none below the one before it
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.6, 0.7]) == [1.0, 1.0]
    assert holm([]) == []


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_holm_never_lowers_a_p_nor_changes_their_order(p: list[float]):
    corrected = holm(p)
    assert all(before <= after <= min(1, before * len(p)) + 1e-12 for before, after in zip(p, corrected, strict=True))
    ranked = sorted(range(len(p)), key=lambda i: p[i])
    assert [corrected[i] for i in ranked] == sorted(corrected)
