"""An encoder that encodes each text once, for evaluations that load the same texts again and again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from graphstore.encoders import Encoder


class Remembered:
    """An encoder with the vectors of all texts that it has seen: a text's vector depends on the text alone."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._vectors: dict[str, NDArray[np.float32]] = {}

    @property
    def name(self) -> str:
        """The encoder's name."""
        return self._encoder.name

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        return self._encoder.dimensions

    @property
    def max_tokens(self) -> int:
        """Tokens of a text that are read."""
        return self._encoder.max_tokens

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One unit vector a text. *Shape:* ``(n, d)``"""
        new = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        if new:
            self._vectors.update(zip(new, self._encoder.encode(new), strict=True))
        if not texts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        return np.stack([self._vectors[text] for text in texts])

    def encode_spans(
        self, texts: Sequence[str], spans: Sequence[Sequence[tuple[int, int]]]
    ) -> tuple[NDArray[np.float32], list[NDArray[np.float32]]]:
        """Vectors of texts and of spans in them; not remembered."""
        return self._encoder.encode_spans(texts, spans)

    def chunks(self, text: str, sentences: Sequence[tuple[int, int]], prefix: str = "") -> list[tuple[int, int]]:
        """Sentences packed into chunks."""
        return self._encoder.chunks(text, sentences, prefix)
