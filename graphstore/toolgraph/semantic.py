"""The semantic graph: tools that mean similar things, joined or not by any run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphstore.records import JSON

NEIGHBOURS = 8
FLOOR = 0.35
"""Cosine below which two tools have nothing to do with each other, for the default encoder."""

_BLOCK = 1024
_DECIMALS = 4
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
    :param floor: Least cosine of an edge.
    """
    order = sorted(range(len(ids)), key=lambda i: ids[i])
    names = [ids[i] for i in order]
    rows = vectors[order]
    edges: dict[tuple[str, str], float] = {}
    for start in range(0, len(names), _BLOCK):
        # Rounded, so that the last bits of a matrix product choose no neighbour and equal texts tie.
        cosines = np.round(rows[start : start + _BLOCK] @ rows.T, _DECIMALS)
        for offset, scores in enumerate(cosines):
            one = start + offset
            scores[one] = -1.0
            for other in _best(scores, neighbours):
                if scores[other] >= max(floor, 10.0**-_DECIMALS):
                    pair = (names[min(one, other)], names[max(one, other)])
                    edges[pair] = min(1.0, round(float(scores[other]), _DECIMALS))
    return [Similar(source, target, score) for (source, target), score in sorted(edges.items())]


def _best(scores: NDArray[np.float32], count: int) -> list[int]:
    if count < len(scores):
        edge = np.partition(scores, len(scores) - count)[len(scores) - count]
        candidates = np.flatnonzero(scores >= edge)
    else:
        candidates = np.arange(len(scores))
    ranked = candidates[np.argsort(-scores[candidates], kind="stable")]  # ties by name, as rows are sorted by it
    return [int(i) for i in ranked[:count]]


def _parameter_texts(parameters: Mapping[str, JSON]) -> Iterator[str]:
    properties = parameters.get("properties")
    if properties is None and "type" in parameters:
        return
    for name, schema in (properties if isinstance(properties, dict) else parameters).items():
        description = schema.get("description") if isinstance(schema, dict) else None
        words = name_words(name) or name
        yield f"{words}: {description.strip()}" if isinstance(description, str) and description.strip() else words
