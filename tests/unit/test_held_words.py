"""Short vectors of words, and which of a question's words documents hold by them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphstore.encoders.sketches import WIDTH, nearest, sketches, word_spans
from graphstore.retrieval.corpus_snapshot import Vectors
from graphstore.retrieval.held_words import HeldWords, NearlyHeld

D = 384
FIRST = [22, -22, -22, -22, 22, 22]


def units(n, seed=0):
    rows = np.random.default_rng(seed).normal(size=(n, D))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def test_short_vectors_tell_how_near_the_long_ones_are():
    a, b = units(2000), units(2000, seed=1)
    for share in (0.0, 0.5, 0.9):
        mixed = share * a + np.sqrt(1 - share**2) * b
        mixed /= np.linalg.norm(mixed, axis=1, keepdims=True)
        cosines = (a * mixed).sum(axis=1)
        short = (sketches(a).astype(float) * sketches(mixed)).sum(axis=1) / 127**2
        error = short - cosines
        assert abs(error.mean()) < 0.02
        assert error.std() < 0.2 * (1.05 - share**2)


def test_short_vectors_are_the_same_everywhere():
    assert sketches(np.eye(D, dtype=np.float32)[:1])[0, :6].tolist() == FIRST


def test_nothing_stays_nothing():
    assert not sketches(np.zeros((1, D), dtype=np.float32)).any()
    assert sketches(np.empty((0, D), dtype=np.float32)).shape == (0, WIDTH)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Who led the Blue-Heron?", ["led", "Blue", "Heron"]),
        ("snake_case of C++", ["snake", "case", "C"]),
        ("李伟 led", ["李伟", "led"]),
        ("the and of", []),
        ("", []),
    ],
)
def test_words_stand_where_they_are_found(text, words):
    assert [text[a:b] for a, b in word_spans(text)] == words


def test_the_nearest_word_of_each_text_counts():
    rows = sketches(units(5))
    found = nearest(rows, rows[[0, 3]], np.array([0, 2]))
    assert found[0, 0] == pytest.approx(1, abs=0.02)
    assert found[1, 1] == pytest.approx(1, abs=0.02)
    assert found[0, 1] < 0.9 > found[1, 0]


@given(st.integers(0, 2**32 - 1), st.lists(st.integers(0, 3), min_size=2, max_size=6))
def test_what_is_held_letter_for_letter_is_held_nearly_too(seed, counts):
    chance = np.random.default_rng(seed)
    n, words = len(counts), 3
    exact = chance.random((words, n)) < 0.3
    worth = chance.dirichlet(np.ones(words))
    vectors = Vectors(sketches(units(sum(counts), seed)), np.concatenate([[0], np.cumsum(counts)]))
    plain = HeldWords(exact, worth)
    near = NearlyHeld(exact, worth, vectors, sketches(units(words, seed + 1)))
    reached = np.arange(1, n)
    assert (near.together(0, reached) >= plain.together(0, reached) - 1e-6).all()
    assert (near.together(0, reached) <= 1 + 1e-6).all()
    # asked twice, and of one after the other, it is the same
    apart = [
        NearlyHeld(exact, worth, vectors, sketches(units(words, seed + 1))).together(0, reached[[i]])[0]
        for i in range(n - 1)
    ]
    np.testing.assert_allclose(near.together(0, reached), apart, rtol=1e-5)


def test_documents_without_vectors_hold_words_letter_for_letter():
    exact = np.array([[True, False, False]])
    vectors = Vectors(np.empty((0, WIDTH), dtype=np.int8), np.zeros(4, dtype=np.int64))
    near = NearlyHeld(exact, np.ones(1), vectors, sketches(units(1)))
    assert near.together(1, np.array([0, 2])).tolist() == [1.0, 0.0]
