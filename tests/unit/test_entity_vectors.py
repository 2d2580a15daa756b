"""Vectors of entities: what they are made of, whatever the order in which it is read."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphstore.corpusmap.entity_vectors import directions

SIZE = 4


def row(entity: str, document: str, vectors, said, *, embedding=None):
    """A chunk whose sentences are ten characters long each."""
    starts = [10 * i for i in range(len(vectors))]
    return {
        "entity": entity,
        "document": document,
        "said": [[10 * i for i in said], [10 * i + 9 for i in said]],
        "starts": starts,
        "ends": [start + 9 for start in starts],
        "sentences": np.array(vectors, dtype=np.float16).reshape(-1, SIZE).tobytes(),
        "embedding": embedding,
    }


def unit(*numbers: float) -> np.ndarray:
    vector = np.array(numbers, dtype=np.float64)
    return vector / np.linalg.norm(vector)


def test_each_document_counts_once_by_the_sentences_that_speak_of_the_entity():
    a, b, c = [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]
    rows = [row("e", "x", [a, b, c], [0, 1]), row("e", "y", [c, a], [0])]
    found = directions(rows, SIZE)["e"]
    assert found == pytest.approx(unit(0.5**0.5, 0.5**0.5, 1, 0))
    assert found.dtype == np.float32


def test_sentences_of_several_pieces_of_a_document_count_alike():
    rows = [row("e", "x", [[1, 0, 0, 0]], [0]), row("e", "x", [[0, 1, 0, 0]], [0]), row("e", "y", [[0, 0, 1, 0]], [0])]
    assert directions(rows, SIZE)["e"] == pytest.approx(unit(0.5**0.5, 0.5**0.5, 1, 0))


def test_a_document_without_a_sentence_of_it_counts_by_its_first_piece():
    rows = [row("e", "x", [[1, 0, 0, 0]], [], embedding=[0.0, 0.0, 0.0, 1.0])]
    assert directions(rows, SIZE)["e"] == pytest.approx([0, 0, 0, 1])


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [row("e", "x", [[1, 0, 0, 0]], [])],
        [row("e", "x", [[1, 0, 0, 0]], [0]), row("e", "y", [[-1, 0, 0, 0]], [0])],
        [row("e", "x", [[0, 0, 0, 0]], [0])],
        [row("e", "x", [[np.nan, 0, 0, 0]], [0])],
        [row("e", "x", [[1, 0, 0, 0]], [], embedding=[1.0, 0.0])],
        [{**row("e", "x", [[1, 0, 0, 0]], [0]), "sentences": b"12"}],
        [{**row("e", "x", [[1, 0, 0, 0]], [0]), "sentences": None}],
        [{**row("e", "x", [], []), "starts": None, "ends": None}],
    ],
)
def test_no_vector_is_made_of_nothing_usable(rows):
    assert directions(rows, SIZE) == {}


@given(st.data())
def test_the_order_of_rows_changes_no_bit(data):
    numbers = st.floats(-1, 1, width=16)
    vectors = st.lists(st.lists(numbers, min_size=SIZE, max_size=SIZE), min_size=1, max_size=4)
    rows = [
        row(data.draw(st.sampled_from("ef")), data.draw(st.sampled_from("xyz")), each, range(len(each)))
        for each in data.draw(st.lists(vectors, min_size=1, max_size=8))
    ]
    shuffled = list(rows)
    random.Random(data.draw(st.integers(0, 99))).shuffle(shuffled)
    one, other = directions(rows, SIZE), directions(shuffled, SIZE)
    assert {name: each.tobytes() for name, each in one.items()} == {n: each.tobytes() for n, each in other.items()}
    assert all(np.linalg.norm(each) == pytest.approx(1, abs=1e-6) for each in one.values())
