"""Lexical indexes beside the tools' own texts: their names, and the words in which people asked for them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from graphstore.retrieval.bm25 import BM25
from graphstore.tokens import tokenise
from graphstore.toolgraph.clauses import clauses
from graphstore.toolgraph.semantic import name_words

PER_TOOL = 40
"""Past requests, and clauses of past requests, that are read for a tool."""


class Names:
    """What the words of tools' names say, apart from the long texts that they stand in.

    >>> names = Names(["send_mail", "send_file"])
    >>> names.held({"mail", "send"}).round(2).tolist()
    [1.0, 0.21]
    """

    def __init__(self, names: Iterable[str]) -> None:
        self.index = BM25([tokenise(name_words(name) or name) for name in names])
        rarity = {token: self.index.idf(token) for token in self.index.postings.vocabulary}
        self._rarity = rarity
        self._whole = self._sums(rarity)

    def scores(self, tokens: Sequence[str]) -> NDArray[np.float64]:
        """BM25 of the names. *Shape:* ``(n,)``"""
        return self.index.scores(tokens)

    def held(self, tokens: Collection[str]) -> NDArray[np.float64]:
        """The share of each name's words that are among some, each by its rarity. *Shape:* ``(n,)``, in [0, 1]"""
        return self._sums(tokens) / np.maximum(self._whole, 1e-12)

    def _sums(self, tokens: Collection[str]) -> NDArray[np.float64]:
        out = np.zeros(self.index.n)
        for token in sorted(set(tokens)):
            out[self.index.holding(token)[0]] += self._rarity.get(token, 0.0)
        return out


def experience(catalog: Sequence[list[str]], requests: Sequence[str], solving: sp.csr_array) -> BM25:
    """An index of the tools' own texts and of past requests that they helped to solve.

    :param catalog: Tokens of each tool's text.
    :param requests: Of the stages.
    :param solving: How much each tool belongs to each stage's solutions. *Shape:* ``(s, n)``
    """
    asked: list[dict[str, None]] = [{} for _ in catalog]
    for number, request in enumerate(requests):
        for tool in solving.indices[solving.indptr[number] : solving.indptr[number + 1]]:
            if len(asked[tool]) < PER_TOOL:
                asked[tool][request] = None
    known: dict[str, list[str]] = {}
    return BM25([*own, *_tokens(texts, known)] for own, texts in zip(catalog, asked, strict=True))


def asked_for(
    requests: Sequence[str], counts: Sequence[int], used: NDArray[np.int64], starts: NDArray[np.int64]
) -> BM25:
    """An index of the clauses that each tool was used for, without its own text.

    :param requests: Of the stages.
    :param counts: Clauses of each stage whose vectors are known; a request that is cut otherwise today is read whole.
    :param used: Numbers of the clauses that tools were used for, those of one tool together.
    :param starts: Where each tool's begin, and the end. *Shape:* ``(n + 1,)``
    """
    first = np.cumsum([0, *counts])
    stages = (np.searchsorted(first, used, side="right") - 1).tolist()
    places = (used - first[stages]).tolist()
    cut: dict[int, tuple[str, ...]] = {}
    known: dict[str, list[str]] = {}

    def texts(tool: int) -> list[str]:
        found: dict[str, None] = {}
        for row in range(starts[tool], starts[tool + 1]):
            stage = stages[row]
            if stage not in cut:
                parts = clauses(requests[stage])
                cut[stage] = parts if len(parts) == counts[stage] else (requests[stage],) * counts[stage]
            found[cut[stage][places[row]]] = None
            if len(found) == PER_TOOL:
                break
        return list(found)

    return BM25(_tokens(texts(tool), known) for tool in range(len(starts) - 1))


def _tokens(texts: Iterable[str], known: dict[str, list[str]]) -> list[str]:
    """The tokens of texts, each distinct text read once."""
    out: list[str] = []
    for text in texts:
        if text not in known:
            known[text] = tokenise(text)
        out.extend(known[text])
    return out
