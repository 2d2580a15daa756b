"""Lexical indexes beside the tools' own texts: their names, and the words in which people asked for them."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from graphstore.retrieval.bm25 import BM25, NOTHING, recount
from graphstore.tokens import tokenise
from graphstore.toolgraph.clauses import clauses
from graphstore.toolgraph.semantic import name_words, tool_text

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


class Read(BM25):
    """A lexical index of tools that knows what was read for each: the next one reads what is new, and is the same.

    :param read: Tool id → all that its tokens depend on, in the order of the tools' numbers.
    :param tokens: Number of a tool → its tokens.
    :param before: An index of an earlier state.
    """

    def __init__(
        self, read: Mapping[str, Hashable], tokens: Callable[[int], list[str]], before: Read | None = None
    ) -> None:
        known = {} if before is None else before.read
        place = {tool: number for number, tool in enumerate(read) if tool in known and known[tool] == read[tool]}
        new = (tokens(number) for number, tool in enumerate(read) if tool not in place)
        places = np.array([place.get(tool, -1) for tool in known], dtype=np.int64)
        super().__init__(recount(NOTHING if before is None else before.postings, places, new, len(read)))
        self.read: dict[str, Hashable] = dict(read)


class OwnTexts:
    """What tools say of themselves.

    :param rows: Of tools.
    """

    def __init__(self, rows: Sequence[Mapping[str, Any]]) -> None:
        self.read = {row["id"]: (row["name"], row["description"], row["parameters"]) for row in rows}
        self._texts = list(self.read.values())
        self._tokens: dict[int, list[str]] = {}

    def tokens(self, tool: int) -> list[str]:
        """Tokens of a tool's text, by its number, found once."""
        if tool not in self._tokens:
            name, description, parameters = self._texts[tool]
            self._tokens[tool] = tokenise(tool_text(name, description or "", json.loads(parameters or "{}")))
        return self._tokens[tool]


def experience(own: OwnTexts, requests: Sequence[str], solving: sp.csr_array, before: Read | None = None) -> Read:
    """An index of the tools' own texts and of past requests that they helped to solve.

    :param requests: Of the stages.
    :param solving: How much each tool belongs to each stage's solutions. *Shape:* ``(s, n)``
    :param before: The index of an earlier state.
    """
    asked: list[dict[str, None]] = [{} for _ in own.read]
    for number, request in enumerate(requests):
        for tool in solving.indices[solving.indptr[number] : solving.indptr[number + 1]]:
            if len(asked[tool]) < PER_TOOL:
                asked[tool][request] = None
    known: dict[str, list[str]] = {}
    read = {tool: (*text, *texts) for (tool, text), texts in zip(own.read.items(), asked, strict=True)}
    return Read(read, lambda tool: [*own.tokens(tool), *_tokens(asked[tool], known)], before)


def asked_for(
    requests: Sequence[str],
    counts: Sequence[int],
    used: NDArray[np.int64],
    starts: NDArray[np.int64],
    tools: Sequence[str],
    before: Read | None = None,
) -> Read:
    """An index of the clauses that each tool was used for, without its own text.

    :param requests: Of the stages.
    :param counts: Clauses of each stage whose vectors are known; a request that is cut otherwise today is read whole.
    :param used: Numbers of the clauses that tools were used for, those of one tool together.
    :param starts: Where each tool's begin, and the end. *Shape:* ``(n + 1,)``
    :param tools: Their ids.
    :param before: The index of an earlier state.
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

    cuts = np.array([[counts[stage] for stage in stages], places], dtype=np.int32)
    spans = {tool: slice(*span) for tool, span in zip(tools, pairwise(starts.tolist()), strict=True)}
    read = {tool: (cuts[:, s].tobytes(), *(requests[stage] for stage in stages[s])) for tool, s in spans.items()}
    return Read(read, lambda tool: _tokens(texts(tool), known), before)


def _tokens(texts: Iterable[str], known: dict[str, list[str]]) -> list[str]:
    """The tokens of texts, each distinct text read once."""
    out: list[str] = []
    for text in texts:
        if text not in known:
            known[text] = tokenise(text)
        out.extend(known[text])
    return out
