"""Products with halves: what NumPy gives for the same numbers as float32."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphstore.retrieval.halves import products

EVERY = np.arange(2**16, dtype=np.uint16).view(np.float16)
FINITE = EVERY[np.isfinite(EVERY)][:, None]


@pytest.mark.parametrize("factor", [1.0, -0.37, 3e-5])
def test_every_half_is_multiplied_as_the_float_that_it_is(factor: float) -> None:
    query = np.array([[factor]], dtype=np.float32)
    found = products(FINITE, np.arange(len(FINITE)), query)
    assert np.array_equal(found, FINITE.astype(np.float32) * query)


@given(st.integers(0, 2**32 - 1), st.integers(0, 700), st.integers(1, 5))
def test_any_rows_in_any_order_give_what_floats_give(seed: int, count: int, queries: int) -> None:
    rng = np.random.default_rng(seed)
    halves = rng.normal(scale=0.05, size=(300, 24)).astype(np.float16)
    rows = rng.integers(0, 300, size=count)
    asked = rng.normal(scale=0.2, size=(queries, 24)).astype(np.float32)
    found = products(halves, rows, asked)
    assert found.shape == (count, queries)
    np.testing.assert_allclose(found, halves[rows].astype(np.float32) @ asked.T, atol=1e-6)
