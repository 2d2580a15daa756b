"""Text into unit vectors: what an encoder is, and which one is meant by a name.

An encoder's identity is its name and its dimensions; both are stored in the graph, and vectors of different encoders
are never compared. Nothing heavy is imported here, and nothing is loaded before the first text is encoded.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

DEFAULT_ENCODER = "all-MiniLM-L6-v2-int8"
"""The encoder that comes with the package."""


class Encoder(Protocol):
    """Turns text into unit vectors whose dot product is the cosine of meaning.

    A text's vector depends on the text alone: not on the texts beside it, their order or the number of threads.
    All methods may be called from several threads at once.
    """

    @property
    def name(self) -> str:
        """Identity of the encoder, stored beside its vectors."""
        ...

    @property
    def dimensions(self) -> int:
        """Length d of a vector."""
        ...

    @property
    def max_tokens(self) -> int:
        """Tokens of a text that are read, the two that frame it included; what follows is not seen."""
        ...

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One unit vector a text. *Shape:* ``(n, d)``.

        :raises LoadError: A text is blank; the message names its index. (A blank text has no meaning to be near to.)
        """
        ...

    def encode_spans(
        self, texts: Sequence[str], spans: Sequence[Sequence[tuple[int, int]]]
    ) -> tuple[NDArray[np.float32], list[NDArray[np.float32]]]:
        """Unit vectors of texts and of spans in them, both from one reading of each text.

        :param spans: For each text its spans, as ``(start, end)`` character offsets.
        :returns: Vectors of the texts, *shape* ``(n, d)``, equal to those of :meth:`encode`; and for each text the
            vectors of its spans, *shape* ``(spans, d)``: the normalised mean of the states of the tokens that touch
            the span. A span without a token in reach of the model has a row of zeros.
        :raises LoadError: A text is blank, or texts and spans differ in number.
        """
        ...

    def chunks(self, text: str, sentences: Sequence[tuple[int, int]], prefix: str = "") -> list[tuple[int, int]]:
        """Sentences packed, in order and greedily, into chunks that the model reads whole.

        A sentence longer than the window is a chunk by itself, of which the model reads the beginning.

        :param sentences: ``(start, end)`` character offsets in ascending order, without overlap.
        :param prefix: Text put before every chunk, such as a title; what it takes is missing for the sentences.
        :returns: Ranges ``(first, last + 1)`` of sentence indices; together they cover every sentence once.
        """
        ...


def load_encoder(name: str | None = None, threads: int | None = None) -> Encoder:
    """The encoder of a name; the same object for the same arguments. Its model is loaded at first use.

    :param name: None or :data:`DEFAULT_ENCODER`: the one in the package. Anything else: a sentence-transformers model,
        by the name under which it was downloaded or by its folder (extra ``semantic``).
    :param threads: Texts encoded at the same time; None: as many as this process may use processors.
    :raises MissingExtra: Another encoder than the default is named and sentence-transformers is not installed.
    :raises LoadError: There is no such model on this machine.
    """
    return _encoder(name or DEFAULT_ENCODER, threads)


@lru_cache(maxsize=4)
def _encoder(name: str, threads: int | None) -> Encoder:
    if name == DEFAULT_ENCODER:
        from graphstore.encoders.onnx import OnnxEncoder

        return OnnxEncoder(threads=threads)
    from graphstore.encoders.sentence_transformer import SentenceTransformerEncoder

    return SentenceTransformerEncoder(name, threads=threads)
