"""A question as retrieval reads it: its words, its vector, and, where it is long, the vectors of its parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from graphstore.corpusmap.sentences import sentence_spans
from graphstore.encoders.sketches import sketches, word_spans
from graphstore.errors import SeedError
from graphstore.retrieval.prompt_tokens import estimated_tokens
from graphstore.tokens import tokenise

if TYPE_CHECKING:
    from graphstore.encoders import Encoder

PIECES = 16  # pieces of a long question that are read: about 4,000 tokens
NO_WORDS = "the question holds no word, and no name that is known: ask in words, or look for signs with `grep`"


@dataclass(frozen=True)
class Question:
    """A question, read once.

    :param tokens: Its words, stop words removed.
    :param vector: Its unit vector. *Shape:* ``(d,)``
    :param pieces: Vectors of the pieces that the encoder reads one by one; only of a question longer than it reads at
        once. *Shape:* ``(p, d)``
    :param sentences: Vectors of its sentences, in the pieces' own encoding. *Shape:* ``(s, d)``
    :param said: The words of each of these sentences.
    :param sketches: Short vectors of its words, where the nearest words of documents are asked for. *Shape:* ``(32,)``
    """

    text: str
    tokens: Sequence[str]
    vector: NDArray[np.float32]
    pieces: NDArray[np.float32] | None = None
    sentences: NDArray[np.float32] | None = None
    said: Sequence[Sequence[str]] = ()
    sketches: Mapping[str, NDArray[np.int8]] | None = None

    @property
    def long(self) -> bool:
        """Whether it is a description of a situation, longer than the encoder reads at once."""
        return self.pieces is not None


def require_question(text: str) -> None:
    """:raises SeedError: nothing is asked."""
    if not text.strip():
        raise SeedError("the question is blank: ask something")


def read_question(text: str, encoder: Encoder, *, sketched: bool = False) -> Question:
    """The question, encoded in one pass; a long one piece by piece, so that all of it is read.

    :param sketched: Whether its words are read one by one too, in the same pass.
    """
    tokens = tokenise(text)
    spans = sentence_spans(text) if estimated_tokens(text) > encoder.max_tokens else []
    if not spans:
        if not sketched:
            return Question(text, tokens, encoder.encode([text])[0])
        vectors, of_words = encoder.encode_spans([text], [word_spans(text)])
        return Question(text, tokens, vectors[0], sketches=_sketches([text], of_words))
    texts, inside, said = [], [], []
    for first, last in encoder.chunks(text, spans)[:PIECES]:
        start = spans[first][0]
        said += [tokenise(text[a:b]) for a, b in spans[first:last]]
        texts.append(text[start : spans[last - 1][1]])
        inside.append([(a - start, b - start) for a, b in spans[first:last]])
    words = [word_spans(each) if sketched else [] for each in texts]
    pieces, parts = encoder.encode_spans(texts, [[*a, *b] for a, b in zip(inside, words, strict=True)])
    mean = pieces.mean(axis=0)
    vector = np.asarray(mean / max(float(np.linalg.norm(mean)), 1e-9), dtype=np.float32)
    cut = [np.split(part, [len(own)]) for part, own in zip(parts, inside, strict=True)]
    asked = _sketches(texts, [b for _, b in cut]) if sketched else None
    return Question(text, tokens, vector, pieces, np.concatenate([a for a, _ in cut]), said, asked)


def _sketches(texts: Sequence[str], vectors: Sequence[NDArray[np.float32]]) -> dict[str, NDArray[np.int8]]:
    """Each word's short vector, where it stands first; parts of a word have the word's."""
    out: dict[str, NDArray[np.int8]] = {}
    for text, rows in zip(texts, vectors, strict=True):
        for (start, end), short in zip(word_spans(text), sketches(rows), strict=True):
            for token in tokenise(text[start:end]):
                out.setdefault(token, short)
    return out
