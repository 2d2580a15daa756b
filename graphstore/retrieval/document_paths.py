"""The cover beam: from each likely first document along rare shared names to what the question still asks for.

Hybrid search finds the first document of a chain; the second shares few words with the question. A document e that is
reached from d through a name is worth

    prior(d) · [.7 · (½ + cos(q − its part along d's best sentence, e) + ½ · share of the question's words that d and
    e hold together) · strength² · given + .3 / √rank among d's links].

strength = rarity of the name, × 1 if e is about that name, × .8 if only d is, × .6 if neither: from what is asked about
one goes on to what it tells of, less to what merely tells of it. given = ½ if the question itself gives the name: it
leads back to what is known. The best path counts.

Where no entity is shared, but d's text holds the title of e letter for letter, that weak link (``title_spans``) is a
name that e is about.

Then the best two documents that were reached, and were no starts, are gone on from, at half their score: the third
document of a chain of three.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphstore.retrieval.corpus_view import CorpusView
from graphstore.retrieval.document_base import Evidence
from graphstore.retrieval.questions import Question
from graphstore.retrieval.restart import top

ABOUT, BACK, PASSING = 1.0, 0.8, 0.6  # strength of a name by which of the two documents is about it
GIVEN = 0.5  # … that the question itself gives
BY_VALUE, BY_RANK = 0.7, 0.3
ONWARD = 2  # documents that were reached and are gone on from
ONWARD_PRIOR = 0.5
NOWHERE, TITLE = -1, -2  # instead of an entity: no path leads; the document's title stands in the source's text


@dataclass(frozen=True)
class Paths:
    """The best path into every document.

    :param score: 0 where no path leads. *Shape:* ``(n,)``
    :param source: The document that it comes from; :data:`NOWHERE` where none leads. *Shape:* ``(n,)``
    :param name: The entity that it runs through, or :data:`TITLE`; :data:`NOWHERE` where none leads. *Shape:* ``(n,)``
    :param starts: Prior of each document from which links were followed, those gone on from included.
    """

    score: NDArray[np.float64]
    source: NDArray[np.int64]
    name: NDArray[np.int64]
    starts: Mapping[int, float]


def follow(
    view: CorpusView,
    question: Question,
    evidence: Evidence,
    starts: Mapping[int, float],
    *,
    given: Collection[int] = (),
    direct: NDArray[np.float64] | None = None,
    weight: float = 1.0,
) -> Paths:
    """The best paths from the starts.

    :param starts: Prior of each document from which links are followed.
    :param given: Entities that the question names.
    :param direct: What each document is worth by itself: reached ones are gone on from by the sum. *Shape:* ``(n,)``
    :param weight: Of a path in that sum.
    """
    n = len(view.snapshot.documents)
    paths = Paths(np.zeros(n), np.full(n, NOWHERE, dtype=np.int64), np.full(n, NOWHERE, dtype=np.int64), starts)
    names = np.fromiter(given, dtype=np.int64)
    _step(view, question, evidence, starts, names, paths)
    if direct is None or not starts:
        return paths
    total = direct + weight * paths.score
    reached = [int(i) for i in top(total, ONWARD + len(starts)) if int(i) not in starts and paths.score[i] > 0]
    onward = {i: ONWARD_PRIOR * float(total[i]) for i in reached[:ONWARD]}
    _step(view, question, evidence, onward, names, paths)
    return Paths(paths.score, paths.source, paths.name, {**starts, **onward})


def _step(
    view: CorpusView,
    question: Question,
    evidence: Evidence,
    starts: Mapping[int, float],
    given: NDArray[np.int64],
    paths: Paths,
) -> None:
    """Nothing; ``paths`` knows the better ones that lead on from the starts."""
    if not starts:
        return
    rests = np.stack([remaining(view, question, evidence, start) for start in starts])
    meaning = view.snapshot.chunks.best(view.snapshot.chunks.rows @ rests.T)
    for column, (start, prior) in enumerate(starts.items()):
        reached, names, strength = neighbours(view, start)
        if not len(reached):
            continue
        together = evidence.words.together(start, reached)
        value = (0.5 + meaning[reached, column] + 0.5 * together) * strength**2
        value *= np.where(np.isin(names, given), GIVEN, 1.0)
        rank = np.empty(len(value))
        rank[np.argsort(-value, kind="stable")] = np.arange(1, len(value) + 1)
        score = prior * (BY_VALUE * value + BY_RANK / np.sqrt(rank))
        better = score > paths.score[reached]
        paths.score[reached[better]] = score[better]
        paths.source[reached[better]] = start
        paths.name[reached[better]] = names[better]


def neighbours(view: CorpusView, document: int) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """The documents that share a rare name with one, the strongest such name for each, and its strength in [0, 1].

    Those whose title stands in its text are among them, their name being :data:`TITLE`.
    """
    back, place = view.back
    span = slice(view.links.indptr[document], view.links.indptr[document + 1])
    reached, names, strength = [], [], []
    for name, own in zip(view.links.indices[span].tolist(), view.own[span].tolist(), strict=True):
        if view.rarity[name] > 0:
            there = slice(back.indptr[name], back.indptr[name + 1])
            reached.append(back.indices[there])
            names.append(np.full(there.stop - there.start, name))
            about = np.where(view.own[place[there]], ABOUT, BACK if own else PASSING)
            strength.append(view.rarity[name] * about)
    titles = view.title_links
    held = slice(titles.indptr[document], titles.indptr[document + 1])
    if held.start < held.stop:
        reached.append(titles.indices[held])
        names.append(np.full(held.stop - held.start, TITLE))
        strength.append(ABOUT * titles.data[held])
    if not reached:
        return np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0)
    to, by, how = np.concatenate(reached), np.concatenate(names), np.concatenate(strength)
    order = np.lexsort((by, -how, to))
    order = order[to[order] != document]
    first = np.unique(to[order], return_index=True)[1]
    best = order[first]
    return to[best].astype(np.int64), by[best].astype(np.int64), how[best]


def remaining(view: CorpusView, question: Question, evidence: Evidence, start: int) -> NDArray[np.float32]:
    """The question without what the start's best sentence answers, as a unit vector (zeros if nothing is left)."""
    sentences = view.snapshot.sentences
    first, last = sentences.starts[start], sentences.starts[start + 1]
    if first == last:
        return question.vector
    best = sentences.rows[first + int(np.argmax(evidence.sentences[first:last]))]
    rest = question.vector - (question.vector @ best) * best
    length = float(np.linalg.norm(rest))
    return np.asarray(rest / length if length > 1e-6 else np.zeros_like(rest), dtype=np.float32)
