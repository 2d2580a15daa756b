"""What needs what: tools that a catalog declares to need, and tools that produce what another's parameter needs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from graphstore.records import RequirementKind
from graphstore.toolgraph.parameter_links import parameter_links

Row = Mapping[str, Any]
Kind = RequirementKind | Literal["produces"]

_RANKS: Mapping[Kind, int] = {"tool": 0, "parameter": 1, "tool-indirect": 2, "parameter-indirect": 3, "produces": 4}
"""Of several needs of one pair the one of the lowest number stands."""


@dataclass(frozen=True, slots=True)
class Requires:
    """An edge: ``source`` needs ``target`` to be called before it.

    :param kind: As declared; ``produces`` if the schemas show it and no catalog says so.
    :param parameter: The argument of ``source`` that ``target`` provides, if known.
    """

    source: str
    target: str
    kind: Kind
    parameter: str | None


def required_tools(tools: Sequence[Row]) -> list[Requires]:
    """The needs between known tools, sorted by source and target.

    A declared need whose tool is not known yet waits at the tool that declares it; a need of itself is none. A tool
    that declares what it needs needs nothing else; for the others ``produces`` is read off the schemas.

    :param tools: Rows of ``retrieve/tool_catalog``, in any order.
    """
    known = {row["id"] for row in tools}
    edges: dict[tuple[str, str], Requires] = {}
    for edge in sorted([*_declared(tools), *_produced(tools)], key=_rank):
        if edge.target in known and edge.target != edge.source:
            edges.setdefault((edge.source, edge.target), edge)
    return [edges[pair] for pair in sorted(edges)]


def _declared(tools: Iterable[Row]) -> Iterator[Requires]:
    for row in tools:
        for need in json.loads(row["requires"] or "[]"):
            yield Requires(row["id"], need["tool"], need["kind"], need["parameter"] or None)


def _produced(tools: Iterable[Row]) -> Iterator[Requires]:
    listed = list(tools)
    silent = {row["id"] for row in listed if not row["requires"]}
    for link in parameter_links(listed):
        if link.consumer in silent:
            yield Requires(link.consumer, link.producer, "produces", link.parameter)


def _rank(edge: Requires) -> tuple[int, bool, str]:
    # one that names its parameter says more than one that does not
    return _RANKS[edge.kind], edge.parameter is None, edge.parameter or ""
