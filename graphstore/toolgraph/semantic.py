"""The semantic graph: tools that mean similar things, joined or not by any run."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphstore.records import JSON

NEIGHBOURS = 8
FLOOR = 0.35
"""Cosine below which two tools have nothing to do with each other, for the default encoder."""

_BLOCK = 1024
_DECIMALS = 4
_SLACK = 3 * 10.0**-_DECIMALS  # more than rounding and float32 can move a cosine
_PARTS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[_\-./:\s]+")


@dataclass(frozen=True, slots=True)
class Similar:
    """An undirected edge between two tools, stored once with ``source < target``.

    :param score: Cosine of their texts, in (0, 1].
    """

    source: str
    target: str
    score: float


def name_words(name: str) -> str:
    """The words in a tool's name.

    >>> name_words("calendar.listEvents"), name_words("get_file-info"), name_words("工具")
    ('calendar list Events', 'get file info', '工具')
    """
    return " ".join(part for part in _PARTS.split(name) if part)


def tool_text(name: str, description: str, parameters: Mapping[str, JSON]) -> str:
    """What a tool says of itself: words of its name, description, names and descriptions of its parameters.

    :param parameters: JSON schema of the arguments, or any mapping from parameter names.
    """
    lines = [name_words(name) or name, description.strip(), ", ".join(_parameter_texts(parameters))]
    return ". ".join(line.rstrip(".") for line in lines if line)


def similar_tools(
    ids: Sequence[str], vectors: NDArray[np.float32], *, neighbours: int = NEIGHBOURS, floor: float = FLOOR
) -> list[Similar]:
    """The semantic edges: each tool's nearest others over a floor, sorted by source and target.

    :param ids: Tool ids, each once.
    :param vectors: Unit vectors of their texts. *Shape:* ``(n, d)``
    :param neighbours: Most neighbours that a tool chooses; it may be chosen by more.
    :param floor: Least cosine of an edge, positive.
    """
    near = _Nearest.of(ids, vectors, neighbours, floor)
    return near.edges(near.choices(range(len(ids))))


def relinked(
    ids: Sequence[str],
    vectors: NDArray[np.float32],
    edges: Iterable[Similar],
    changed: Collection[str],
    *,
    neighbours: int = NEIGHBOURS,
    floor: float = FLOOR,
) -> list[Similar]:
    """What :func:`similar_tools` gives, from the edges before some tools changed: only these are compared with all.

    A tool's own choices are the best of its edges, as an edge that only the other end chose is none better.

    :param edges: The semantic edges before, of tools that are still there.
    :param changed: Tools that are new or have another vector.
    """
    near = _Nearest.of(ids, vectors, neighbours, floor)
    number = {name: i for i, name in enumerate(near.names)}
    new = {number[name] for name in changed}
    known: dict[int, _Choices] = {i: [] for i in range(len(ids))}
    again = set(new)
    for edge in edges:
        one, other = number[edge.source], number[edge.target]
        for end, far in ((one, other), (other, one)):
            if far in new:
                again.add(end)  # what it chose instead, before, is not known
            known[end].append((-edge.score, far))
    chosen = dict(near.choices(sorted(again)))
    for one in new:
        for score, other in near.over_floor(one):
            if other not in again:
                known[other].append((score, one))
    for one, candidates in known.items():
        if one not in again:
            chosen[one] = sorted(candidates)[:neighbours]
    return near.edges(chosen.items())


_Choices = list[tuple[float, int]]
"""Pairs of a negative score and the number of a tool: sorted, the best come first, and by name."""


@dataclass(frozen=True, slots=True)
class _Nearest:
    """Tools sorted by name, to be compared.

    Candidates come from one matrix product; what decides is the sum of products in float64, one pair at a time and
    rounded, so that the shape of the product leaves no trace and equal texts tie.
    """

    names: list[str]
    rows: NDArray[np.float32]
    neighbours: int
    floor: float

    @classmethod
    def of(cls, ids: Sequence[str], vectors: NDArray[np.float32], neighbours: int, floor: float) -> _Nearest:
        order = sorted(range(len(ids)), key=lambda i: ids[i])
        return cls([ids[i] for i in order], vectors[order], neighbours, max(floor, 10.0**-_DECIMALS))

    def choices(self, numbers: Sequence[int]) -> Iterator[tuple[int, _Choices]]:
        """The neighbours that each of these tools chooses, best first."""
        for start in range(0, len(numbers), _BLOCK):
            block = list(numbers[start : start + _BLOCK])
            for one, cosines in zip(block, self.rows[block] @ self.rows.T, strict=True):
                cosines[one] = -1.0
                least = self.floor
                if self.neighbours < len(cosines):
                    best = np.partition(cosines, len(cosines) - self.neighbours)
                    least = max(least, float(best[len(cosines) - self.neighbours]))
                yield one, self._scored(one, np.flatnonzero(cosines >= least - _SLACK))[: self.neighbours]

    def over_floor(self, one: int) -> _Choices:
        """Every other tool over the floor."""
        cosines = self.rows @ self.rows[one]
        cosines[one] = -1.0
        return self._scored(one, np.flatnonzero(cosines >= self.floor - _SLACK))

    def _scored(self, one: int, others: NDArray[np.intp]) -> _Choices:
        products = self.rows[others].astype(np.float64) * self.rows[one].astype(np.float64)
        scores = np.minimum(np.round(products.sum(axis=1), _DECIMALS), 1.0).tolist()
        return sorted((-score, i) for score, i in zip(scores, others.tolist(), strict=True) if score >= self.floor)

    def edges(self, chosen: Iterable[tuple[int, _Choices]]) -> list[Similar]:
        """The edges of these choices, sorted."""
        scores: dict[tuple[str, str], float] = {}
        for one, choices in chosen:
            for score, other in choices:
                scores[self.names[min(one, other)], self.names[max(one, other)]] = -score
        return [Similar(source, target, score) for (source, target), score in sorted(scores.items())]


def _parameter_texts(parameters: Mapping[str, JSON]) -> Iterator[str]:
    properties = parameters.get("properties")
    if properties is None and "type" in parameters:
        return
    for name, schema in (properties if isinstance(properties, dict) else parameters).items():
        description = schema.get("description") if isinstance(schema, dict) else None
        words = name_words(name) or name
        yield f"{words}: {description.strip()}" if isinstance(description, str) and description.strip() else words
