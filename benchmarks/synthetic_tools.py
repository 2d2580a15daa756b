"""A made-up company of any size for ``tool_scale.py``: tools, and the stages that agents solved with them. Seeded.

Tools belong to domains of fifty. Workflows are paths of two to eight tools of one domain, with system tools that
everybody uses in between; how often each is asked for follows Zipf's law, as in real logs. A request names what some of
its tools do and fills the rest with words of its own, in one to three clauses.

Encoding 100,000 requests takes a quarter of an hour here and says nothing about the store, so vectors are made up too:
each word is a fixed direction, a text the sum of its words. The directions have the spectrum of the default encoder's
vectors on 37,000 real requests and clauses: the first 32 of 384 principal directions hold 44 % of it (real: 47 %), 64
hold 59 % (60 %), 128 hold 74 % (75 %).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from graphstore.encoders import DEFAULT_ENCODER, Encoder
from graphstore.records import StageRun, ToolCall, ToolSpec
from graphstore.tokens import tokenise

DIMENSIONS = 384
_WORDS = 4096
_DOMAIN = 50
_SYSTEM = 40
_VERBS = ("list", "get", "create", "update", "approve", "send", "check", "export", "assign", "close")


@dataclass(frozen=True)
class Company:
    """Tools and the workflows that use them.

    :param tools: How many tools; the first forty are the system's.
    :param workflows: How many kinds of task there are.
    """

    tools: int = 10_000
    workflows: int = 8_000
    seed: int = 0

    @cached_property
    def catalog(self) -> list[ToolSpec]:
        """The tools."""
        return [self._tool(number) for number in range(self.tools)]

    def runs(self, count: int, first: int = 0) -> Iterator[StageRun]:
        """Passed runs of as many stages; those from ``first`` on are what the company does next."""
        rng = np.random.default_rng([self.seed, 1, first])
        chosen = np.searchsorted(np.cumsum(self._popularity), rng.random(count) * (1 - 1e-9))
        for number, workflow in enumerate(chosen.tolist(), start=first):
            path = self._paths[workflow]
            slots = rng.integers(0, _WORDS, size=12).tolist()
            yield StageRun(
                task=f"task-{number:07}",
                stage=f"task-{number:07}/1",
                run=f"run-{number:07}",
                request=self._request(path, slots),
                passed=True,
                calls=tuple(ToolCall(self.catalog[tool].id, turn=None) for tool in path),
                source=f"made-up.json:{number + 1}",
                finished=f"2026-{1 + number % 12:02}-{1 + number % 28:02}T00:00:00Z",
            )

    def requests(self, count: int) -> list[str]:
        """What is asked that no run has asked before."""
        return [run.request for run in self.runs(count, first=10_000_000)]

    def _tool(self, number: int) -> ToolSpec:
        verb, noun, other = self._means(number)
        domain = "system" if number < _SYSTEM else f"domain {number // _DOMAIN}"
        return ToolSpec(
            name=f"{verb}_{noun}_{number}",
            description=f"{verb.title()} the {noun} of a {other}, with all that belongs to it.",
            parameters={
                "type": "object",
                "properties": {noun: {"type": "string", "description": f"Which {noun}"}, other: {"type": "string"}},
                "required": [noun],
            },
            domain=domain,
        )

    def _means(self, number: int) -> tuple[str, str, str]:
        """Verb, noun and second noun of a tool: nouns are a domain's own."""
        domain = number // _DOMAIN
        return _VERBS[number % len(_VERBS)], word(domain * 7 + number % 5), word(domain * 7 + 5 + number % 2)

    @cached_property
    def _paths(self) -> list[list[int]]:
        rng = np.random.default_rng([self.seed, 2])
        paths = []
        for _ in range(self.workflows):
            start = _DOMAIN * int(rng.integers(0, self.tools // _DOMAIN))
            within = start + np.minimum(rng.zipf(1.3, size=int(rng.integers(2, 9))) - 1, _DOMAIN - 1)
            system = rng.random(len(within)) < 0.15
            within[system] = rng.integers(0, _SYSTEM, size=int(system.sum()))
            paths.append([int(tool) for tool in within])
        return paths

    @cached_property
    def _popularity(self) -> NDArray[np.float64]:
        weights = 1.0 / np.arange(1, self.workflows + 1)
        return np.asarray(weights / weights.sum())

    def _request(self, path: Sequence[int], slots: Sequence[int]) -> str:
        clauses = []
        for part, tool in enumerate(path[:: max(1, len(path) // 3)][:3]):
            verb, noun, other = self._means(tool)
            own = " ".join(word(slot) for slot in slots[4 * part : 4 * part + 4])
            clauses.append(f"{verb} the {noun} of the {other} {own}")
        return ", then ".join(clauses)


def word(number: int) -> str:
    """A word that can be spoken, another one for each number below :data:`_WORDS`."""
    consonants, vowels = "bdfgklmnprstvz", "aeiou"
    out, rest = "", number % _WORDS + 70
    while rest:
        rest, which = divmod(rest, 70)
        out += consonants[which % 14] + vowels[which // 14]
    return out


@dataclass(frozen=True)
class WordEncoder:
    """Made-up vectors under the name of the default encoder.

    :param real: Encodes each text besides, for what that costs; its vectors are not used.
    """

    real: Encoder | None = None
    name: str = DEFAULT_ENCODER
    dimensions: int = DIMENSIONS
    max_tokens: int = 256
    _known: dict[str, NDArray[np.float32]] = field(default_factory=dict)

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One unit vector a text. *Shape:* ``(n, 384)``"""
        if self.real is not None:
            self.real.encode(texts)
        split = [tokenise(text) or [text] for text in texts]
        directions = np.array([self._direction(token) for tokens in split for token in tokens])
        rows = np.add.reduceat(directions, np.cumsum([0, *map(len, split[:-1])]), axis=0)
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)

    def encode_spans(
        self, texts: Sequence[str], spans: Sequence[Sequence[tuple[int, int]]]
    ) -> tuple[NDArray[np.float32], list[NDArray[np.float32]]]:
        """Not needed for tools."""
        raise NotImplementedError

    def chunks(self, text: str, sentences: Sequence[tuple[int, int]], prefix: str = "") -> list[tuple[int, int]]:
        """Not needed for tools."""
        raise NotImplementedError

    def _direction(self, token: str) -> NDArray[np.float32]:
        if token not in self._known:
            spread = np.sqrt(1.0 / (np.arange(DIMENSIONS) + 6.0))
            drawn = np.random.default_rng(crc32(token.encode())).normal(size=DIMENSIONS) * spread
            self._known[token] = drawn.astype(np.float32)
        return self._known[token]
