"""Lexical indexes beside the tools' own texts: their names, and the words in which people asked for them."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from hashlib import blake2b
from itertools import starmap
from typing import Any, cast

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from graphstore.retrieval.bm25 import BM25, NOTHING, recount
from graphstore.retrieval.tool_usage import UsageVectors
from graphstore.tokens import tokenise
from graphstore.toolgraph.clauses import clauses
from graphstore.toolgraph.fusion import column
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
        self.of = tuple(names)
        self.index = BM25([tokenise(name_words(name) or name) for name in self.of])
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
        place = {tool: number for number, tool in enumerate(read) if tool in known and _same(known[tool], read[tool])}
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


def experience(
    own: OwnTexts,
    request: Callable[[int], str],
    solving: sp.csc_array,
    before: Read | None = None,
    changed: Collection[int] = (),
) -> Read:
    """An index of the tools' own texts and of past requests that they helped to solve.

    :param request: Of a stage, by its number.
    :param solving: How much each tool belongs to each stage's solutions. *Shape:* ``(s, n)``
    :param before: The index of an earlier state.
    :param changed: Numbers of the tools that helped to solve other stages, or other requests, than in that.
    """
    known: dict[str, list[str]] = {}
    read: dict[str, tuple[Hashable, tuple[str, ...]]] = {}
    for number, (tool, text) in enumerate(own.read.items()):
        earlier = None if before is None or number in changed else before.read.get(tool)
        if earlier is None:
            texts = _first(map(request, column(solving, number)[0].tolist()))
        else:
            _, texts = cast(tuple[Hashable, tuple[str, ...]], earlier)
        read[tool] = (text, texts)
    asked = [texts for _, texts in read.values()]
    return Read(read, lambda tool: [*own.tokens(tool), *_tokens(asked[tool], known)], before)


def asked_for(
    request: Callable[[int], str],
    used: UsageVectors,
    counts: NDArray[np.int64],
    tools: Sequence[str],
    before: Read | None = None,
    changed: Collection[int] = (),
) -> Read:
    """An index of the clauses that each tool was used for, without its own text.

    :param request: Of a stage, by its number.
    :param counts: Clauses of each stage whose vectors are known; a request that is cut otherwise today is read whole.
    :param tools: Their ids.
    :param before: The index of an earlier state.
    :param changed: Numbers of the tools that were used for other clauses than in that.
    """
    cut: dict[int, tuple[str, ...]] = {}

    def clause(stage: int, place: int) -> str:
        if stage not in cut:
            whole, count = request(stage), int(counts[stage])
            parts = clauses(whole) if count > 1 else (whole,)
            cut[stage] = parts if len(parts) == count else (whole,) * count
        return cut[stage][place]

    def texts(tool: int) -> tuple[str, ...]:
        span = slice(used.starts[tool], used.starts[tool + 1])
        return _first(starmap(clause, zip(used.stages[span].tolist(), used.places[span].tolist(), strict=True)))

    known: dict[str, list[str]] = {}
    read: dict[str, Hashable] = {}
    asked: dict[int, tuple[str, ...]] = {}
    for number, tool in enumerate(tools):
        earlier = None if before is None or number in changed else before.read.get(tool)
        if earlier is None:
            asked[number] = texts(number)
        read[tool] = _digest(asked[number]) if earlier is None else earlier
    return Read(read, lambda tool: _tokens(asked[tool], known), before)


def _first(texts: Iterable[str]) -> tuple[str, ...]:
    """The first distinct ones, as many as are read for a tool."""
    found: dict[str, None] = {}
    for text in texts:
        found[text] = None
        if len(found) == PER_TOOL:
            break
    return tuple(found)


def _digest(texts: tuple[str, ...]) -> bytes:
    """What stands for texts that are too much to keep."""
    return blake2b(repr(texts).encode(), digest_size=16).digest()


def _same(one: Hashable, other: Hashable) -> bool:
    return one is other or one == other


def _tokens(texts: Iterable[str], known: dict[str, list[str]]) -> list[str]:
    """The tokens of texts, each distinct text read once."""
    out: list[str] = []
    for text in texts:
        if text not in known:
            known[text] = tokenise(text)
        out.extend(known[text])
    return out
