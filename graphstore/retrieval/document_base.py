"""How well each document answers a question by itself: words and meaning, before any link is followed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphstore.retrieval.corpus_view import CorpusView
from graphstore.retrieval.questions import Question

MEANING = 0.5  # weight of each cosine beside the words'
LONG_WORDS = 0.5  # weight of the words of a long question: most of them are told by the way
LIKEST = 5  # sentences of a long question by which a document is judged
WORDS = 64  # distinct words of a question whose places are remembered: the rarest


@dataclass(frozen=True)
class Evidence:
    """What a question finds in the visible documents.

    :param base: Words, plus half the cosine of the best chunk, plus half that of the best sentence; each scaled to
        0–1 for the question. *Shape:* ``(n,)``, in [0, 2]
    :param sentences: Cosine of every sentence. *Shape:* ``(sentences,)``
    :param held: Which documents hold each of the question's words. *Shape:* ``(words, n)``
    :param worth: Rarity of each of these words; sums to 1. *Shape:* ``(words,)``
    """

    base: NDArray[np.float64]
    sentences: NDArray[np.float32]
    held: NDArray[np.bool_]
    worth: NDArray[np.float64]


def gather(view: CorpusView, question: Question) -> Evidence:
    """The evidence for a question; documents that are not visible have a base of 0."""
    snapshot = view.snapshot
    words = snapshot.words.scores(question.tokens, visible=view.visible)
    sentences = snapshot.sentences.rows @ question.vector
    by_chunk, by_sentence = _meaning(view, question, sentences)
    base = (
        (LONG_WORDS if question.long else 1.0) * scaled(words, view.visible)
        + MEANING * scaled(by_chunk, view.visible)
        + MEANING * scaled(by_sentence, view.visible)
    )
    return Evidence(base, sentences, *_words(view, question))


def _meaning(
    view: CorpusView, question: Question, sentences: NDArray[np.float32]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How near each document is to a question as a whole, and in detail.

    A question is compared with the best chunk and with the best sentence. A long one speaks of many things, each
    document answers some of them: the mean over its pieces, and the mean of its few sentences that are nearest to a
    chunk.
    """
    chunks = view.snapshot.chunks
    if question.pieces is None or question.sentences is None:
        by_chunk = chunks.best(chunks.rows @ question.vector, otherwise=-1.0)
        return by_chunk, view.snapshot.sentences.best(sentences, otherwise=-1.0)
    by_piece = chunks.best(chunks.rows @ question.pieces.T, otherwise=-1.0)
    by_sentence = chunks.best(chunks.rows @ question.sentences.T, otherwise=-1.0)
    nearest = np.sort(by_sentence, axis=1)[:, -LIKEST:]
    return by_piece.mean(axis=1), nearest.mean(axis=1)


def scaled(values: NDArray[np.float64], visible: NDArray[np.bool_] | None = None) -> NDArray[np.float64]:
    """Values moved to 0–1 over the visible documents, 0 elsewhere; all 0 if they are equal. *Shape:* ``(n,)``"""
    seen = values if visible is None else values[visible]
    if not len(seen):
        return np.zeros_like(values)
    low, high = seen.min(), seen.max()
    if high <= low:
        return np.zeros_like(values)
    out = (values - low) / (high - low)
    return out if visible is None else np.where(visible, out, 0.0)


def _words(view: CorpusView, question: Question) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    index, visible = view.snapshot.words, view.visible
    rarity = {token: index.idf(token, visible=visible) for token in dict.fromkeys(question.tokens)}
    rarest = sorted((t for t in rarity if rarity[t] > 0), key=lambda t: -rarity[t])[:WORDS]
    held = np.zeros((len(rarest), index.n), dtype=np.bool_)
    for row, token in enumerate(rarest):
        held[row, index.holding(token, visible=visible)[0]] = True
    worth = np.array([rarity[token] for token in rarest])
    return held, worth / worth.sum() if len(worth) else worth
