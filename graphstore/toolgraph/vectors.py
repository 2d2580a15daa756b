"""Vectors of texts during one load."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from graphstore.encoders.usable import usable
from graphstore.toolgraph.clauses import clauses
from graphstore.toolgraph.stored import Row, row_text

if TYPE_CHECKING:
    from graphstore.encoders import Encoder

_REMEMBERED = 20_000


@dataclass(slots=True)
class Vectors:
    """Vectors of texts, each distinct text encoded once a load."""

    encoder: Encoder
    known: dict[str, list[float]] = field(default_factory=dict)
    known_clauses: dict[str, bytes] = field(default_factory=dict)

    def of(self, texts: Sequence[str]) -> list[list[float] | None]:
        """A vector a text, ``None`` for blank ones.

        :raises LoadError: the encoder gave zeros, no numbers or another size: Neo4j would store it and never find it.
        """
        if len(self.known) > _REMEMBERED:
            self.known.clear()
        new = [text for text in dict.fromkeys(texts) if text.strip() and text not in self.known]
        if new:
            vectors = usable(self.encoder, new, self.encoder.encode(new))
            self.known.update(zip(new, vectors.tolist(), strict=True))
        return [self.known.get(text) for text in texts]

    def of_clauses(self, texts: Sequence[str]) -> list[bytes | None]:
        """Vectors of a text's clauses as float16, one after the other; empty if it is one clause, ``None`` if blank."""
        if len(self.known_clauses) > _REMEMBERED:
            self.known_clauses.clear()
        new = [text for text in dict.fromkeys(texts) if text.strip() and text not in self.known_clauses]
        parts = [part if len(part) > 1 else () for part in map(clauses, new)]
        found = iter(self.of([clause for part in parts for clause in part]))
        for text, part in zip(new, parts, strict=True):
            self.known_clauses[text] = np.array(list(islice(found, len(part))), dtype=np.float16).tobytes()
        return [self.known_clauses.get(text) for text in texts]

    def embed_tools(self, rows: Iterable[Row]) -> None:
        """Give each row of a tool the vector of its text."""
        listed = list(rows)
        for row, vector in zip(listed, self.of([row_text(row) for row in listed]), strict=True):
            row["embedding"] = vector
