"""Two readers without a model, to measure what finding evidence costs: recall against the tokens that were read.

*raw* has hybrid search over documents. *map* has the product's search, whose documents come by following entities. Both
are deterministic and work alike: a list of ten candidates is read (title and path, a line each), then these documents
are read in its order, whole or only the two sentences that hold most of its words; then the next list. So the only
difference is which documents come, and when. A document counts as found once it, or its part, was read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from graphstore.corpusmap.sentences import sentence_spans
from graphstore.records import SourceDocument
from graphstore.retrieval.prompt_tokens import estimated_tokens
from graphstore.tokens import tokenise

Unit = Literal["documents", "sentences"]
LISTED = 10
SENTENCES = 2


@dataclass(frozen=True, slots=True)
class Trace:
    """What was read.

    :param documents: Ids in the order of reading.
    :param spent: Tokens read in all once each was read, lists included.
    """

    documents: tuple[str, ...]
    spent: tuple[int, ...]

    def within(self, budget: int) -> tuple[str, ...]:
        """The documents that were read within so many tokens."""
        return self.documents[: int(np.searchsorted(self.spent, budget, side="right"))]


class Reader:
    """Reads what a search lists.

    :param unit: Whole documents, or their two sentences that hold most of the question's words.
    """

    def __init__(self, documents: Sequence[SourceDocument], unit: Unit) -> None:
        self._documents: Mapping[str, SourceDocument] = {each.id: each for each in documents}
        self._unit = unit
        self._line: dict[str, int] = {}
        self._whole: dict[str, int] = {}

    def read(self, question: str, ranking: Sequence[str]) -> Trace:
        """The trace of reading a ranking, list by list."""
        spent, after = 0, []
        words = set(tokenise(question))
        for start in range(0, len(ranking), LISTED):
            listed = ranking[start : start + LISTED]
            spent += sum(self._listing(id) for id in listed)
            for id in listed:
                spent += self._cost(id, words)
                after.append(spent)
        return Trace(tuple(ranking), tuple(after))

    def _listing(self, id: str) -> int:
        if id not in self._line:
            document = self._documents[id]
            self._line[id] = estimated_tokens(f"{document.title} [{document.path}]")
        return self._line[id]

    def _cost(self, id: str, words: set[str]) -> int:
        text = self._documents[id].text
        if self._unit == "sentences":
            return estimated_tokens(" ".join(nearest_sentences(text, words)))
        if id not in self._whole:
            self._whole[id] = estimated_tokens(text)
        return self._whole[id]


def nearest_sentences(text: str, words: set[str], count: int = SENTENCES) -> list[str]:
    """The sentences that hold most of the words, in the text's order; of equals the earlier ones.

    >>> nearest_sentences("A dog. The red fox. It ran. A fox.", {"red", "fox"}, 2)
    ['The red fox.', 'A fox.']
    """
    sentences = [text[start:end] for start, end in sentence_spans(text)]
    held = [len(words.intersection(tokenise(sentence))) for sentence in sentences]
    best = sorted(range(len(sentences)), key=lambda i: (-held[i], i))[:count]
    return [sentences[i] for i in sorted(best)]
