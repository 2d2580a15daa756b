"""Vectors of texts during one load."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from graphstore.errors import LoadError
from graphstore.toolgraph.stored import Row, row_text

if TYPE_CHECKING:
    from graphstore.encoders import Encoder

_REMEMBERED = 20_000
_SHOWN = 80


@dataclass(slots=True)
class Vectors:
    """Vectors of texts, each distinct text encoded once a load."""

    encoder: Encoder
    known: dict[str, list[float]] = field(default_factory=dict)

    def of(self, texts: Sequence[str]) -> list[list[float] | None]:
        """A vector a text, ``None`` for blank ones.

        :raises LoadError: the encoder gave zeros, no numbers or another size: Neo4j would store it and never find it.
        """
        if len(self.known) > _REMEMBERED:
            self.known.clear()
        new = [text for text in dict.fromkeys(texts) if text.strip() and text not in self.known]
        if new:
            vectors = self.encoder.encode(new)
            self._check(new, vectors)
            self.known.update(zip(new, vectors.tolist(), strict=True))
        return [self.known.get(text) for text in texts]

    def _check(self, texts: Sequence[str], vectors: NDArray[np.float32]) -> None:
        if vectors.shape[1] != self.encoder.dimensions:
            raise LoadError(
                f"{self.encoder.name} gave vectors of {vectors.shape[1]} dimensions, not {self.encoder.dimensions}"
            )
        lengths = np.linalg.norm(vectors, axis=1)
        for unusable in np.flatnonzero(~(np.isfinite(lengths) & (lengths > 0))).tolist():
            raise LoadError(f"{self.encoder.name} gave no usable vector for {texts[unusable][:_SHOWN]!r}: reword it")

    def embed_tools(self, rows: Iterable[Row]) -> None:
        """Give each row of a tool the vector of its text."""
        listed = list(rows)
        for row, vector in zip(listed, self.of([row_text(row) for row in listed]), strict=True):
            row["embedding"] = vector
