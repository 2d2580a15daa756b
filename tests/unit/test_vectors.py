"""Vectors of a load: each text once, and none that the index would swallow."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from graphstore.corpusmap.rows import chunk_rows
from graphstore.errors import LoadError
from graphstore.records import SourceDocument
from graphstore.toolgraph.vectors import Vectors


class Fixed:
    """Gives one and the same vector for every text."""

    name, dimensions, max_tokens = "fixed", 3, 256

    def __init__(self, vector: Sequence[float]) -> None:
        self.vector = vector
        self.texts: list[str] = []

    def chunks(self, text: str, sentences: Sequence[tuple[int, int]], prefix: str = "") -> list[tuple[int, int]]:
        return [(0, len(sentences))]

    def encode_spans(
        self, texts: Sequence[str], spans: Sequence[Sequence[tuple[int, int]]]
    ) -> tuple[np.ndarray, list[np.ndarray]]:
        return self.encode(texts), [self.encode(["span"] * len(each)) for each in spans]

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        self.texts.extend(texts)
        return np.array([self.vector] * len(texts), dtype=np.float32)


def test_each_distinct_text_is_encoded_once_and_blank_ones_never() -> None:
    encoder = Fixed([1, 0, 0])
    vectors = Vectors(encoder)
    assert vectors.of(["a", "b", "a", " "]) == [[1, 0, 0], [1, 0, 0], [1, 0, 0], None]
    assert vectors.of(["b"]) == [[1, 0, 0]]
    assert encoder.texts == ["a", "b"]


def test_clauses_are_kept_as_halves_one_after_the_other_and_encoded_once() -> None:
    encoder = Fixed([0.5, 0.25, 1 / 3])
    vectors = Vectors(encoder)
    several = "Book the blue room, then mail the whole team"
    found = vectors.of_clauses([several, "one wish only", " ", several])
    assert found == [np.array([[0.5, 0.25, 1 / 3]] * 2, dtype=np.float16).tobytes(), b"", None, found[0]]
    assert encoder.texts == ["Book the blue room,", "then mail the whole team"]
    assert vectors.of_clauses([several]) == [found[0]]
    assert len(encoder.texts) == 2


@pytest.mark.parametrize("vector", [[0, 0, 0], [np.nan, 0, 0], [np.inf, 0, 0]])
def test_a_vector_that_is_never_found_is_refused_naming_its_text(vector: list[float]) -> None:
    with pytest.raises(LoadError, match="fixed gave no usable vector for 'approve it'"):
        Vectors(Fixed(vector)).of(["approve it"])


def test_a_vector_of_another_size_is_refused() -> None:
    with pytest.raises(LoadError, match="2 dimensions, not 3"):
        Vectors(Fixed([1, 0])).of(["approve it"])


@pytest.mark.parametrize("vector", [[0, 0, 0], [np.nan, 0, 0], [1, 0]])
def test_a_documents_vector_that_is_never_found_is_refused(vector: list[float]) -> None:
    document = SourceDocument(id="a.md", path="a.md", title="Minutes", text="Atlas waits for the certificate.")
    with pytest.raises(LoadError, match=r"no usable vector for 'Minutes|2 dimensions, not 3"):
        chunk_rows([document], Fixed(vector))
