"""The nearest of many vectors: the same as by comparing all, whatever the vectors."""

from __future__ import annotations

import numpy as np
import pytest

from graphstore.retrieval import nearest
from graphstore.retrieval.nearest import Nearest


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nearest, "LEAST", 64)
    monkeypatch.setattr(nearest, "LEADING", 8)


def unit(rows: np.ndarray) -> np.ndarray:
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


def drawn(n: int, seed: int, fall: float = 1.0, d: int = 24) -> np.ndarray:
    """Vectors whose weight falls off along their coordinates, turned at random."""
    rng = np.random.default_rng(seed)
    turn, _ = np.linalg.qr(np.random.default_rng(99).normal(size=(d, d)))
    return unit(rng.normal(size=(n, d)) * np.arange(1, d + 1) ** -fall @ turn)


@pytest.mark.parametrize("fall", [0.0, 1.0, 3.0])
@pytest.mark.parametrize("k", [1, 7, 50, 500])
def test_they_are_those_of_comparing_all(fall: float, k: int) -> None:
    vectors, queries = drawn(400, 1, fall), drawn(20, 2, fall)
    index = Nearest(vectors)
    for query in queries:
        numbers, cosines = index.top(query, k)
        exact = vectors.astype(np.float64) @ query.astype(np.float64)
        assert len(numbers) == min(k, 400)
        assert len(set(numbers.tolist())) == len(numbers)
        np.testing.assert_allclose(cosines, exact[numbers], atol=1e-6)
        np.testing.assert_allclose(cosines, np.sort(exact)[::-1][:k], atol=1e-6)
        assert np.all(np.diff(cosines) <= 0)


def test_most_vectors_are_not_looked_at_where_few_coordinates_tell_them_apart() -> None:
    index = Nearest(drawn(2000, 1, fall=2.0))
    candidates = [index._candidates(query, 10) for query in drawn(20, 2, fall=2.0)]
    assert all(found is not None and len(found) < 200 for found in candidates)


def test_equal_vectors_come_by_number() -> None:
    vectors = np.repeat(drawn(10, 1), 30, axis=0)
    numbers, _ = Nearest(vectors).top(vectors[45], 30)
    assert numbers.tolist() == list(range(30, 60))


def test_directions_of_another_index_change_no_answer() -> None:
    vectors = drawn(300, 1)
    own, other = Nearest(vectors), Nearest(vectors, Nearest(drawn(200, 5)))
    for query in drawn(10, 2):
        assert own.top(query, 9)[0].tolist() == other.top(query, 9)[0].tolist()


@pytest.mark.parametrize("n", [0, 1, 63])
def test_few_vectors_and_none(n: int) -> None:
    vectors = drawn(n, 1) if n else np.zeros((0, 24), dtype=np.float32)
    numbers, cosines = Nearest(vectors).top(drawn(1, 2)[0], 5)
    assert len(numbers) == len(cosines) == min(n, 5)


def test_rows_of_zeros_are_never_before_others() -> None:
    vectors = drawn(100, 1)
    vectors[::2] = 0
    query = vectors[1]
    numbers, _ = Nearest(vectors).top(query, 3)
    assert numbers[0] == 1
