"""The final order of documents: what each answers by itself, and the best path that leads to it.

Final = base, + 1 if the question names the title, + the best path into the document.

The longer a question, the more it tells of a situation and names things by the way: from some forty tokens on a path
counts less. A long one, longer than the encoder reads at once, names titles in part, without meaning to: these count by
their share.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from graphstore.retrieval.corpus_view import CorpusView
from graphstore.retrieval.document_base import LONG_TITLE, LONG_WORDS, MEANING, Evidence, gather, titles
from graphstore.retrieval.document_paths import NOWHERE, Paths, follow
from graphstore.retrieval.prompt_tokens import estimated_tokens
from graphstore.retrieval.questions import Question
from graphstore.retrieval.restart import top
from graphstore.tokens import tokenise

FIRST = 4  # best documents from which links are followed
NAMED = 8  # further ones whose title, or whose entity, the question names
NAMED_SHARE = 0.25  # an entity that the question names leads on unless in more than this share of documents
BOOST = 1.0  # what a document gains whose title the question names
PATH = 1.0  # weight of the best path into a document
LONG_PATH = 0.15  # … of a question of any length, at least
BRIEF = 40  # tokens of a question up to which paths count in full


@dataclass(frozen=True)
class Ranking:
    """Documents for one question.

    :param scores: Final score of every document. *Shape:* ``(n,)``
    :param direct: What each is worth by itself. *Shape:* ``(n,)``
    :param paths: The way to each; its name is ``NOWHERE`` where a document answers by itself.
    :param named: Names found in the question, each with the entities of that name.
    :param titled: Documents whose title the question names.
    :param starts: Documents from which links were followed first, each with its prior.
    :param weights: What counted how much, by name.
    """

    scores: NDArray[np.float64]
    direct: NDArray[np.float64]
    paths: Paths
    named: Mapping[str, Sequence[int]]
    titled: Sequence[int]
    starts: Mapping[int, float]
    weights: Mapping[str, float]


def rank(view: CorpusView, question: Question) -> Ranking:
    """The ranking of all documents for a question."""
    named, titled, evidence = read(view, question)
    direct = evidence.base.copy()
    direct[titled] += BOOST
    if question.long:
        direct += LONG_TITLE * titles(view, question)
    starts = starts_of(view, direct, titled, named)
    weight = path_weight(question)
    paths = follow(view, question, evidence, starts, given=entities_of(named), direct=direct, weight=weight)
    # a document that answers by itself was not reached through a name, though one may lead to it
    name = np.where(weight * paths.score > direct, paths.name, NOWHERE)
    weights = {"words": 1.0, "best chunk": MEANING, "best sentence": MEANING, "title named": BOOST, "path": weight}
    if question.long:
        weights |= {"words": LONG_WORDS, "words of best sentences": LONG_WORDS, "words of the title": LONG_TITLE}
    return Ranking(direct + weight * paths.score, direct, replace(paths, name=name), named, titled, starts, weights)


def path_weight(question: Question) -> float:
    """How much the best path into a document counts: less and less from :data:`BRIEF` tokens on."""
    return max(LONG_PATH, PATH * min(1.0, BRIEF / max(estimated_tokens(question.text), 1)) ** 2)


def read(view: CorpusView, question: Question) -> tuple[Mapping[str, Sequence[int]], list[int], Evidence]:
    """The entities that a question names, the documents whose titles it names, and what it finds directly."""
    named = view.names.found_in(question.text)
    question = replace(question, tokens=[*question.tokens, *_other_names(view, question, named)])
    return named, _titled(view.titles.found_in(question.text)), gather(view, question)


def entities_of(named: Mapping[str, Sequence[int]]) -> frozenset[int]:
    """All entities of the names."""
    return frozenset(entity for entities in named.values() for entity in entities)


def _other_names(view: CorpusView, question: Question, named: Mapping[str, Sequence[int]]) -> list[str]:
    """Words of the further names of what the question names: a document may know it by a code name only."""
    found = {entity for entities in named.values() if len(entities) == 1 for entity in entities}
    words = [word for entity in sorted(found) for form in view.named(entity).forms for word in tokenise(form)]
    return [word for word in dict.fromkeys(words) if word not in set(question.tokens)]


def _titled(found: Mapping[str, Sequence[int]]) -> list[int]:
    """Documents whose title the question names; a title of very many documents names none."""
    return sorted({i for documents in found.values() if len(documents) <= NAMED for i in documents})


def starts_of(
    view: CorpusView,
    boosted: NDArray[np.float64],
    titled: Sequence[int],
    named: Mapping[str, Sequence[int]],
) -> dict[int, float]:
    """Documents from which links are followed, each with its prior: its own score."""
    back = view.back[0]
    about = [
        back.indices[back.indptr[e] : back.indptr[e + 1]]
        for found in named.values()
        for e in found
        if 0 < view.frequency[e] <= max(view.most, NAMED_SHARE * view.n)
    ]
    candidates = np.unique(np.concatenate([np.empty(0, np.int32), *about])).astype(np.int64)
    further = [*sorted(titled, key=lambda i: (-boosted[i], i)), *candidates[top(boosted[candidates], NAMED)].tolist()]
    chosen = dict.fromkeys([*top(boosted, FIRST).tolist(), *list(dict.fromkeys(further))[:NAMED]])
    return {int(i): float(boosted[i]) for i in chosen if view.sees(int(i)) and boosted[i] > 0}
