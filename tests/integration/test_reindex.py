"""Another encoder: refused until everything was encoded again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from graphstore.loaders import read_documents, read_logs, read_tools
from numpy.typing import NDArray

from graphstore import schema
from graphstore.check import check
from graphstore.corpusmap.update import load_documents
from graphstore.db import Database
from graphstore.errors import EncoderMismatch
from graphstore.ordered_export import ordered_export
from graphstore.reindex import reindex
from graphstore.toolgraph.update import load_logs, load_tools

if TYPE_CHECKING:
    from graphstore.encoders import Encoder

SAMPLE = Path(__file__).parents[2] / "graphstore" / "sample"


class Halved:
    """The default encoder's first 192 numbers: another encoder, of another size."""

    name, dimensions, max_tokens = "halved", 192, 128

    def __init__(self, whole: Encoder) -> None:
        self.whole = whole

    def _cut(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        half = vectors[:, : self.dimensions]
        return half / np.maximum(np.linalg.norm(half, axis=1, keepdims=True), 1e-12)

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self._cut(self.whole.encode(texts))

    def encode_spans(
        self, texts: Sequence[str], spans: Sequence[Sequence[tuple[int, int]]]
    ) -> tuple[NDArray[np.float32], list[NDArray[np.float32]]]:
        vectors, of_spans = self.whole.encode_spans(texts, spans)
        return self._cut(vectors), [self._cut(each) for each in of_spans]

    def chunks(self, text: str, sentences: Sequence[tuple[int, int]], prefix: str = "") -> list[tuple[int, int]]:
        return [(i, i + 1) for i in range(len(sentences))]


@pytest.fixture
def loaded(db: Database, encoder: Encoder) -> Database:
    load_tools(db, encoder, read_tools(SAMPLE / "tools.json"))
    load_logs(db, encoder, read_logs(SAMPLE / "task_logs" / "01_book_the_weekly_review_of_bluebird.json"))
    load_documents(db, encoder, lambda: read_documents(SAMPLE / "documents" / "minutes"))
    return db


def test_reindexing_replaces_every_vector_and_nothing_else(loaded: Database, encoder: Encoder) -> None:
    before = list(ordered_export(loaded))
    other = Halved(encoder)
    try:
        reindex(loaded, other)
        assert schema.verify(loaded, encoder="halved", dimensions=192)
        sizes = "MATCH (n:Tool|Stage|Chunk) RETURN DISTINCT size(n.embedding) AS size"
        assert [row["size"] for row in loaded.run(sizes)] == [192]
        assert check(loaded) == []
        with pytest.raises(EncoderMismatch, match="halved"):
            schema.verify(loaded, encoder=encoder.name, dimensions=encoder.dimensions)
    finally:
        reindex(loaded, encoder)
    assert list(ordered_export(loaded)) == before
