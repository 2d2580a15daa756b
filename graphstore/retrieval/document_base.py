"""How well each document answers a question by itself: words and meaning, before any link is followed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphstore.encoders.sketches import WIDTH
from graphstore.retrieval.corpus_view import CorpusView
from graphstore.retrieval.held_words import HeldWords, NearlyHeld
from graphstore.retrieval.questions import Question

MEANING = 0.5  # weight of each cosine beside the words'
LONG_WORDS = 0.5  # weight of all words of a long question, and of those of the sentences that a document fits best
LONG_TITLE = 0.5  # weight of the share of a title's words that a long question holds
LIKEST = 5  # sentences of a long question by which a document is judged
WORDS = 64  # distinct words of a question whose places are remembered: the rarest


@dataclass(frozen=True)
class Evidence:
    """What a question finds in the visible documents.

    :param base: Words, plus half the cosine of the best chunk, plus half that of the best sentence; each scaled to
        0–1 for the question. *Shape:* ``(n,)``, in [0, 2]
    :param sentences: Cosine of every sentence. *Shape:* ``(sentences,)``
    :param words: Which documents hold each of the question's words.
    """

    base: NDArray[np.float64]
    sentences: NDArray[np.float32]
    words: HeldWords


def gather(view: CorpusView, question: Question) -> Evidence:
    """The evidence for a question; documents that are not visible have a base of 0."""
    snapshot = view.snapshot
    sentences = snapshot.sentences.rows @ question.vector
    by_chunk, by_sentence = _meaning(view, question, sentences)
    base = _lexical(view, question) + MEANING * scaled(by_chunk, view.visible)
    return Evidence(base + MEANING * scaled(by_sentence, view.visible), sentences, _words(view, question))


def _lexical(view: CorpusView, question: Question) -> NDArray[np.float64]:
    """How well a question's words fit each document. *Shape:* ``(n,)``, in [0, 1]

    A long question is read as a whole and in detail, as its meaning is: most of its words are told by the way.
    """
    index = view.snapshot.words
    whole = scaled(index.scores(question.tokens, visible=view.visible), view.visible)
    if not question.long:
        return whole
    by_sentence = np.stack([index.scores(tokens, visible=view.visible) for tokens in question.said], axis=1)
    return LONG_WORDS * whole + LONG_WORDS * scaled(_likest(by_sentence), view.visible)


def titles(view: CorpusView, question: Question) -> NDArray[np.float64]:
    """The share of each title's rare words that a question holds. *Shape:* ``(n,)``, in [0, 1]"""
    number = view.snapshot.words.postings.vocabulary
    held = np.zeros(len(number))
    held[[number[token] for token in set(question.tokens) if token in number]] = 1.0
    return np.asarray(view.title_words @ held, dtype=np.float64)


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
    return by_piece.mean(axis=1), _likest(by_sentence)


def _likest(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean of each document's few best scores. *Shape:* ``(n,)`` of ``(n, sentences)``"""
    few = min(LIKEST, scores.shape[1])
    return np.asarray(np.partition(scores, scores.shape[1] - few, axis=1)[:, -few:].mean(axis=1), dtype=np.float64)


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


def _words(view: CorpusView, question: Question) -> HeldWords:
    index, visible, asked = view.snapshot.words, view.visible, question.sketches
    rarity = {token: index.idf(token, visible=visible) for token in dict.fromkeys(question.tokens)}
    for token in asked or ():
        if token in rarity and not rarity[token]:  # no document holds it, but some may nearly
            rarity[token] = float(np.log1p((view.n + 0.5) / 0.5))
    rarest = sorted((t for t in rarity if rarity[t] > 0), key=lambda t: -rarity[t])[:WORDS]
    held = np.zeros((len(rarest), index.n), dtype=np.bool_)
    for row, token in enumerate(rarest):
        held[row, index.holding(token, visible=visible)[0]] = True
    worth = np.array([rarity[token] for token in rarest])
    worth = worth / worth.sum() if len(worth) else worth
    if asked is None:
        return HeldWords(held, worth)
    none = np.zeros(WIDTH, dtype=np.int8)
    near = np.array([asked.get(token, none) for token in rarest], dtype=np.int8).reshape(-1, WIDTH)
    return NearlyHeld(held, worth, view.snapshot.sketches, near)
