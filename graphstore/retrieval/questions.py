"""A question as retrieval reads it: its words, its vector, and, where it is long, the vectors of its parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from graphstore.corpusmap.sentences import sentence_spans
from graphstore.retrieval.prompt_tokens import estimated_tokens
from graphstore.tokens import tokenise

if TYPE_CHECKING:
    from graphstore.encoders import Encoder

PIECES = 16  # pieces of a long question that are read: about 4,000 tokens


@dataclass(frozen=True)
class Question:
    """A question, read once.

    :param tokens: Its words, stop words removed.
    :param vector: Its unit vector. *Shape:* ``(d,)``
    :param pieces: Vectors of the pieces that the encoder reads one by one; only of a question longer than it reads at
        once. *Shape:* ``(p, d)``
    :param sentences: Vectors of its sentences, in the pieces' own encoding. *Shape:* ``(s, d)``
    :param said: The words of each of these sentences.
    """

    text: str
    tokens: Sequence[str]
    vector: NDArray[np.float32]
    pieces: NDArray[np.float32] | None = None
    sentences: NDArray[np.float32] | None = None
    said: Sequence[Sequence[str]] = ()

    @property
    def long(self) -> bool:
        """Whether it is a description of a situation, longer than the encoder reads at once."""
        return self.pieces is not None


def read_question(text: str, encoder: Encoder) -> Question:
    """The question, encoded in one pass; a long one piece by piece, so that all of it is read."""
    tokens = tokenise(text)
    spans = sentence_spans(text) if estimated_tokens(text) > encoder.max_tokens else []
    if not spans:
        return Question(text, tokens, encoder.encode([text])[0])
    texts, inside, said = [], [], []
    for first, last in encoder.chunks(text, spans)[:PIECES]:
        start = spans[first][0]
        said += [tokenise(text[a:b]) for a, b in spans[first:last]]
        texts.append(text[start : spans[last - 1][1]])
        inside.append([(a - start, b - start) for a, b in spans[first:last]])
    pieces, sentences = encoder.encode_spans(texts, inside)
    mean = pieces.mean(axis=0)
    vector = np.asarray(mean / max(float(np.linalg.norm(mean)), 1e-9), dtype=np.float32)
    return Question(text, tokens, vector, pieces, np.concatenate(sentences), said)
