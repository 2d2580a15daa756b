"""Packing and pooling, as functions of any tokens."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from graphstore.encoders import pooling

LENGTHS = st.lists(st.integers(0, 12), min_size=1, max_size=30)  # tokens of each sentence


def laid_out(lengths: list[int]) -> tuple[np.ndarray, list[tuple[int, int]]]:
    """Sentences of one-character tokens, a space between sentences."""
    offsets, sentences, at = [], [], 0
    for length in lengths:
        offsets += [(at + index, at + index + 1) for index in range(length)]
        sentences.append((at, at + length))
        at += length + 1
    return np.array(offsets, dtype=np.int64).reshape(-1, 2), sentences


@settings(deadline=None)
@given(LENGTHS, st.integers(-3, 20))
def test_packing_covers_every_sentence_once_and_is_full(lengths, budget):
    ranges = pooling.pack(*laid_out(lengths), budget)
    assert [index for first, last in ranges for index in range(first, last)] == list(range(len(lengths)))
    for first, last in ranges:
        assert last - first == 1 or sum(lengths[first:last]) <= budget
    for first, last in ranges[:-1]:
        assert sum(lengths[first : last + 1]) > budget


@settings(deadline=None)
@given(LENGTHS, st.integers(0, 40), st.integers(0, 2**32 - 1))
def test_a_span_s_vector_is_the_mean_of_the_states_within_reach(lengths, reach, seed):
    offsets, sentences = laid_out(lengths)
    states = np.random.default_rng(seed).normal(size=(min(reach, len(offsets)), 6)).astype(np.float32)
    vectors = pooling.span_vectors(states, offsets, sentences)
    assert vectors.shape == (len(sentences), 6)
    for vector, (start, end) in zip(vectors, sentences, strict=True):
        own = [state for state, (a, b) in zip(states, offsets, strict=False) if a < end and b > start]
        expected = np.mean(own, axis=0) if own else np.zeros(6)
        np.testing.assert_allclose(vector, expected / (np.linalg.norm(expected) or 1.0), atol=1e-4)
        assert bool(own) == bool(vector.any())


def test_zero_rows_stay_zero_and_others_become_units():
    np.testing.assert_array_equal(pooling.unit(np.array([[0.0, 0.0], [3.0, 4.0]])), np.float32([[0, 0], [0.6, 0.8]]))
