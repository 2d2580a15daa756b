"""Two readers without a model, to measure what finding evidence costs: recall against the tokens that were read.

*raw* has hybrid search over documents and reads them in its order. *map* has the product's search, whose documents come
by following entities. Both are deterministic and work alike: a list of five candidates is read (title, path, the way
that leads there, a line each), then these documents, whole or in part; then the next five. The part of a document is
its first sentence, which says what it is about, and those that are nearest to the question or name what joins it to
others of the list: their titles, and the names on the ways. The further down the list, the fewer. *map* knows from
which document a path leads to another, and looks in that one for what the question still asks.

A document counts as found once it was read; where the question set says which text of it is the evidence, once all of
that was.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from graphstore.corpusmap.keys import split_title
from graphstore.corpusmap.sentences import sentence_spans
from graphstore.evaluation.document_sets import Question
from graphstore.records import SourceDocument
from graphstore.retrieval.prompt_tokens import estimated_tokens
from graphstore.tokens import tokenise

Unit = Literal["documents", "parts"]
LISTED = 5
SENTENCES = (4, 4, 3, 3, 3, 2, 2, 1)  # of a part, by its document's place in the order; the last for all further ones
JOINING = 0.2  # what naming another document of the list adds to how near a sentence is
_APART = re.compile(r"\W+")


@dataclass(frozen=True, slots=True)
class Listed:
    """A document in a list of candidates.

    :param way: Names on the way that leads to it; empty where none does.
    :param near: How near each of its sentences is to the question; empty where that is not known.
    """

    id: str
    way: Sequence[str] = ()
    near: Sequence[float] = ()


@dataclass(frozen=True, slots=True)
class Trace:
    """What was found.

    :param documents: Ids in the order of reading.
    :param spent: Tokens read in all once each was found, lists and what held no evidence included.
    """

    documents: tuple[str, ...]
    spent: tuple[int, ...]

    def within(self, budget: int) -> tuple[str, ...]:
        """The documents that were found within so many tokens."""
        return self.documents[: int(np.searchsorted(self.spent, budget, side="right"))]


@dataclass(frozen=True, slots=True)
class _Sentence:
    text: str
    tokens: int
    words: frozenset[str]
    plain: str


class Reader:
    """Reads what a search lists.

    :param rarity: Of a word: what holding it says about a sentence.
    """

    def __init__(self, documents: Sequence[SourceDocument], rarity: Callable[[str], float]) -> None:
        self._documents: Mapping[str, SourceDocument] = {each.id: each for each in documents}
        self._rarity = rarity
        self._whole: dict[str, int] = {}
        self._sentences: dict[str, list[_Sentence]] = {}

    def read(self, question: Question, ranking: Sequence[Listed], unit: Unit) -> Trace:
        """The trace of reading a ranking, list by list."""
        spent = 0
        found: list[tuple[str, int]] = []
        worth = {word: self._rarity(word) for word in set(tokenise(question.text))}
        for start in range(0, len(ranking), LISTED):
            listed = ranking[start : start + LISTED]
            spent += sum(self._line(each) for each in listed)
            names = self._names(listed) if unit == "parts" else frozenset()
            for place, each in enumerate(listed, start):
                text, cost = self._whole_of(each) if unit == "documents" else self._part_of(each, place, worth, names)
                spent += cost
                if holds(text, question.evidence.get(each.id, ())):
                    found.append((each.id, spent))
        return Trace(tuple(id for id, _ in found), tuple(tokens for _, tokens in found))

    def _line(self, listed: Listed) -> int:
        document = self._documents[listed.id]
        way = " > ".join(listed.way)
        return estimated_tokens(f"{document.title} [{document.path}] {way}".rstrip())

    def _whole_of(self, listed: Listed) -> tuple[str, int]:
        text = self._documents[listed.id].text
        if listed.id not in self._whole:
            self._whole[listed.id] = estimated_tokens(text)
        return text, self._whole[listed.id]

    def _names(self, listed: Sequence[Listed]) -> frozenset[str]:
        """What a list says that joins its documents: their titles, and the names on the ways."""
        said = [name for each in listed for name in (split_title(self._documents[each.id].title)[0], *each.way)]
        return frozenset(plain for name in said if (plain := plainly(name)))

    def _part_of(
        self, listed: Listed, place: int, worth: Mapping[str, float], names: frozenset[str]
    ) -> tuple[str, int]:
        sentences = self._read(listed.id)
        near = listed.near if len(listed.near) == len(sentences) else [0.0] * len(sentences)
        others = names - {plainly(split_title(self._documents[listed.id].title)[0])}
        scores = [
            cosine + _share(sentence.words, worth) + JOINING * any(name in sentence.plain for name in others)
            for cosine, sentence in zip(near, sentences, strict=True)
        ]
        chosen = part(scores, SENTENCES[min(place, len(SENTENCES) - 1)])
        return "\n".join(sentences[i].text for i in chosen), sum(sentences[i].tokens for i in chosen)

    def _read(self, id: str) -> list[_Sentence]:
        if id not in self._sentences:
            text = self._documents[id].text
            spans = [text[start:end] for start, end in sentence_spans(text)]
            self._sentences[id] = [_Sentence(s, estimated_tokens(s), frozenset(tokenise(s)), plainly(s)) for s in spans]
        return self._sentences[id]


def part(scores: Sequence[float], count: int) -> list[int]:
    """The numbers of the first sentence and of those that score best, ``count`` in all, in the text's order.

    >>> part([0.1, 0.2, 0.9, 0.9], 2), part([0.5], 3), part([], 3)
    ([0, 2], [0], [])
    """
    best = sorted(range(len(scores)), key=lambda i: (i > 0, -scores[i], i))[:count]
    return sorted(best)


def holds(text: str, evidence: Sequence[str]) -> bool:
    """Whether a text that was read has all pieces of evidence in it; case, marks and spaces do not count.

    >>> holds("It was built by Orla Quist, in 1911.", ["orla quist", "1911"]), holds("Orla", ["orla quist"])
    (True, False)
    """
    plain = plainly(text)
    return all(plainly(piece) in plain for piece in evidence)


def plainly(text: str) -> str:
    """The words of a text, each between blanks; empty if it has none."""
    words = _APART.sub(" ", text.casefold()).strip()
    return f" {words} " if words else ""


def _share(words: frozenset[str], worth: Mapping[str, float]) -> float:
    total = sum(worth.values())
    return sum(worth[word] for word in words if word in worth) / total if total else 0.0
