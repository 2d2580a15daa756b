"""The nearest of many vectors: the same as by comparing all, whatever the vectors."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

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
    index = Nearest(vectors, 24)
    for query in queries:
        numbers, cosines = index.top(query, k)
        exact = vectors.astype(np.float64) @ query.astype(np.float64)
        assert len(numbers) == min(k, 400)
        assert len(set(numbers.tolist())) == len(numbers)
        np.testing.assert_allclose(cosines, exact[numbers], atol=1e-6)
        np.testing.assert_allclose(cosines, np.sort(exact)[::-1][:k], atol=1e-6)
        assert np.all(np.diff(cosines) <= 0)


def test_most_vectors_are_not_looked_at_where_few_coordinates_tell_them_apart() -> None:
    index = Nearest(drawn(2000, 1, fall=2.0), 24)
    candidates = [index._candidates(query, 10) for query in drawn(20, 2, fall=2.0)]
    assert all(found is not None and len(found) < 200 for found in candidates)


def test_equal_vectors_come_by_number() -> None:
    vectors = np.repeat(drawn(10, 1), 30, axis=0)
    numbers, _ = Nearest(vectors, 24).top(vectors[45], 30)
    assert numbers.tolist() == list(range(30, 60))


@given(st.lists(st.tuples(st.lists(st.integers(0, 400), max_size=300, unique=True), st.integers(0, 40)), max_size=6))
def test_one_that_grew_answers_as_one_made_at_once(changes: list[tuple[list[int], int]]) -> None:
    vectors = list(drawn(120, 1))
    index = Nearest(vectors, 24)
    fresh = iter(drawn(300, 5))
    asked = drawn(3, 2)
    for gone, added in changes:
        before = index, [index.top(query, 9) for query in asked]
        kept = [number for number in range(len(vectors)) if number not in gone]
        new = [next(fresh) for _ in range(added)]
        numbers = np.insert(np.array(kept, dtype=np.intp), np.linspace(0, len(kept), added).astype(int), -1)
        left = iter(new)
        vectors = [vectors[number] if number >= 0 else next(left) for number in numbers.tolist()]
        index = index.after(numbers, new)
        whole = Nearest(vectors, 24)
        assert np.array_equal(index[np.arange(len(vectors))], np.array(vectors).reshape(-1, 24))
        for k in (1, 9, 200):
            for query in asked:
                for one, other in zip(index.top(query, k), whole.top(query, k), strict=True):
                    assert one.tolist() == other.tolist()
        for query, (numbers_before, cosines) in zip(asked, before[1], strict=True):
            assert before[0].top(query, 9)[0].tolist() == numbers_before.tolist()
            assert before[0].top(query, 9)[1].tolist() == cosines.tolist()


def test_two_that_grow_from_one_leave_each_other_alone() -> None:
    vectors, new = drawn(100, 1), drawn(20, 5)
    index = Nearest(vectors, 24)
    numbers = np.append(np.arange(100), np.full(10, -1))
    one, other = index.after(numbers, new[:10]), index.after(numbers, new[10:])
    assert one.shares(other)
    for each, added in ((one, new[:10]), (other, new[10:])):
        assert np.array_equal(each[np.arange(110)], np.concatenate([vectors, added]))
        for query in new:
            whole = Nearest(np.concatenate([vectors, added]), 24)
            assert [a.tolist() for a in each.top(query, 7)] == [a.tolist() for a in whole.top(query, 7)]


def test_what_most_of_is_gone_is_made_anew() -> None:
    vectors = drawn(2000, 1)
    index = Nearest(vectors, 24)
    assert index.after(np.arange(1900), []).shares(index)
    assert not index.after(np.arange(900), []).shares(index)


@pytest.mark.parametrize("n", [0, 1, 63])
def test_few_vectors_and_none(n: int) -> None:
    vectors = drawn(n, 1) if n else np.zeros((0, 24), dtype=np.float32)
    numbers, cosines = Nearest(vectors, 24).top(drawn(1, 2)[0], 5)
    assert len(numbers) == len(cosines) == min(n, 5)


def test_rows_of_zeros_are_never_before_others() -> None:
    vectors = drawn(100, 1)
    vectors[::2] = 0
    query = vectors[1]
    numbers, _ = Nearest(vectors, 24).top(query, 3)
    assert numbers[0] == 1
