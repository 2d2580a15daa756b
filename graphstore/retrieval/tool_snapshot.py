"""The tool graph in memory, at one ``graph_version``: everything a request is compared with."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from graphstore.retrieval.engine import Walk
from graphstore.retrieval.tool_items import ItemModel
from graphstore.retrieval.tool_rows import Since
from graphstore.retrieval.tool_stages import Change, Past, PastStage
from graphstore.retrieval.tool_usage import UsageVectors, gather
from graphstore.retrieval.tool_walk import ToolWalk
from graphstore.retrieval.tool_words import Names, OwnTexts, Read, asked_for, experience
from graphstore.toolgraph.fusion import FusedGraph, fuse, sparse
from graphstore.toolgraph.mining import UNJUDGED

Row = Mapping[str, Any]

STATEMENTS = (
    "retrieve/tool_catalog",
    "retrieve/tool_solved_stages",
    "retrieve/tool_next",
    "retrieve/tool_tried",
    "retrieve/tool_similar",
    "retrieve/tool_requires",
)
"""The statements whose rows make a snapshot, in order."""

_FAMILY = re.compile(r"([^.:]+)[.:]")
_DECLARED = 0.8
"""How surely a tool that is declared to be needed belongs to the workflow of the one that needs it. Needed through a
third tool is needed no less: two strengths (.9 and .8, .8 and .7) ranked worse."""
_PRODUCES = 0.6
"""The same for a tool that produces what a parameter needs, as far as the schemas show and history says nothing."""


@dataclass(frozen=True, slots=True)
class ToolNode:
    """A tool, as far as ranking and filters need it."""

    id: str
    name: str
    server: str | None
    domain: str | None


@dataclass(frozen=True)
class ToolSnapshot:
    """The tool graph of one ``graph_version``; nodes are numbered as ``tools``, then ``stages``, both sorted by id.

    :param vectors: Unit vectors of the tools' texts. *Shape:* ``(n, d)``
    :param past: The stages.
    :param popularity: Solved stages that used each tool. *Shape:* ``(n,)``
    :param used: How people asked for each tool.
    :param items: Which tools bring along which, by past solutions alone.
    :param requires: How surely each tool (row) brings along each tool that it declares to need (column), in (0, 1).
        *Shape:* ``(n, n)``
    :param produces: The same for tools that produce what its parameters need, fading as history of it comes in.
    :param graph: The fused walk over tools and stages.
    :param diffusion: Follows that walk.
    :param catalog: Lexical index of the tools' own texts.
    :param experience: Lexical index of the tools' texts and of past requests that they helped to solve.
    :param asked_for: Lexical index of the clauses that each tool was used for.
    :param names: Lexical index of the tools' names.
    """

    version: int
    tools: tuple[ToolNode, ...]
    vectors: NDArray[np.float32]
    past: Past
    popularity: NDArray[np.float64]
    used: UsageVectors
    items: ItemModel
    requires: sp.csr_array
    produces: sp.csr_array
    graph: FusedGraph
    diffusion: Walk
    catalog: Read
    experience: Read
    asked_for: Read
    names: Names

    @property
    def stages(self) -> tuple[PastStage, ...]:
        """The solved stages."""
        return self.past.stages

    @property
    def usage(self) -> sp.csr_array:
        """How much each tool belongs to each stage's solutions, in [0, 1]. *Shape:* ``(s, n)``"""
        return self.past.usage

    def leads_to(self, index: Mapping[str, int], dimensions: int) -> bool:
        """Whether a snapshot of these tools can be made of this one: none is gone, and vectors are as long."""
        return self.vectors.shape[1] == dimensions and all(tool.id in index for tool in self.tools)

    @cached_property
    def domains(self) -> NDArray[np.intp]:
        """A number for each tool's domain; 0 for none. *Shape:* ``(n,)``"""
        return _kinds([tool.domain or "" for tool in self.tools])

    @cached_property
    def families(self) -> NDArray[np.intp]:
        """A number for what each tool's name begins with, up to a dot or a colon; 0 without. *Shape:* ``(n,)``"""
        begins = [_FAMILY.match(tool.name) for tool in self.tools]
        return _kinds([begin[1] if begin else "" for begin in begins])


def build_snapshot(
    version: int,
    results: Sequence[Sequence[Row]],
    *,
    dimensions: int = 0,
    before: ToolSnapshot | None = None,
    since: Since | None = None,
) -> ToolSnapshot:
    """The snapshot made of the rows of :data:`STATEMENTS`; there must be at least one tool.

    :param dimensions: Of the vectors of requests: no row tells them while all wait for theirs.
    :param before: A snapshot of an earlier state: what was made for it is not made again, and leaves no trace.
    :param since: What became of the rows of the stages that it was made of.
    """
    tools, stages, following, tried, similar, needs = results
    index = {row["id"]: i for i, row in enumerate(tools)}
    since = since or Since.nothing(len(stages))
    written = [stages[number] for number in since.written.tolist()]
    sizes = (0 if row["embedding"] is None else len(row["embedding"]) for row in [*tools, *written])
    dimensions = max(dimensions, *sizes)
    if before is not None and not before.leads_to(index, dimensions):
        before = None
    vectors = _matrix(tools, dimensions, before)
    past, changed = _past(stages, index, vectors, before, since)
    solving = past.usage
    popularity = np.asarray(solving.sum(axis=0), dtype=np.float64)
    similarity = _edges(similar, index, "score")
    moves = _edges(following, index, "weight") + UNJUDGED * _edges([*following, *tried], index, "unjudged")
    graph = fuse(sp.csr_array(moves), sp.csr_array(similarity + similarity.T), solving)
    own = OwnTexts(tools)
    used = gather(past.clauses, past.called, len(tools))

    def request(stage: int) -> str:
        return past.stages[stage].request

    return ToolSnapshot(
        version=version,
        tools=tuple(ToolNode(row["id"], row["name"], row["server"], row["domain"]) for row in tools),
        vectors=vectors,
        past=past,
        popularity=popularity,
        used=used,
        items=ItemModel(solving),
        requires=_DECLARED * _pairs([row for row in needs if row["kind"] != "produces"], index),
        produces=_fading(_pairs([row for row in needs if row["kind"] == "produces"], index), popularity),
        graph=graph,
        diffusion=ToolWalk(graph.transition, len(tools)),
        catalog=Read(own.read, own.tokens, before.catalog if before else None),
        experience=experience(own, request, past.places, before.experience if before else None, changed),
        asked_for=asked_for(
            request, used, past.clauses.counts, list(index), before.asked_for if before else None, changed
        ),
        names=_names([row["name"] for row in tools], before),
    )


def _past(
    stages: Sequence[Row],
    index: Mapping[str, int],
    vectors: NDArray[np.float32],
    before: ToolSnapshot | None,
    since: Since,
) -> tuple[Past, Collection[int]]:
    """The stages; and the numbers of the tools that they say something else of than before."""
    if before is None:
        return Past.of(stages, index, vectors), range(len(index))
    tools = np.array([index[tool.id] for tool in before.tools])
    moved = (
        np.flatnonzero(np.any(before.vectors != vectors[tools], axis=1)) if vectors is not before.vectors else tools[:0]
    )
    change = Change.of(before.usage, since, tools, moved)
    past = before.past.after(stages, change, index, vectors)
    return past, frozenset(change.touched(before.usage, past.usage).tolist())


def _names(names: list[str], before: ToolSnapshot | None) -> Names:
    return before.names if before is not None and before.names.of == tuple(names) else Names(names)


def _edges(rows: Sequence[Row], index: Mapping[str, int], weight: str) -> sp.csr_array:
    return sparse(
        [index[row["source"]] for row in rows],
        [index[row["target"]] for row in rows],
        [row[weight] for row in rows],
        (len(index), len(index)),
    )


def _pairs(rows: Sequence[Row], index: Mapping[str, int]) -> sp.csr_array:
    return _edges([{**row, "one": 1.0} for row in rows], index, "one")


def _fading(produces: sp.csr_array, popularity: NDArray[np.float64]) -> sp.csr_array:
    """Strengths of what the schemas show: a tool's history is surer, so they fall with the stages that it solved."""
    return sp.csr_array(sp.diags_array(_PRODUCES / (1.0 + popularity)) @ produces)


def _matrix(rows: Sequence[Row], dimensions: int, before: ToolSnapshot | None) -> NDArray[np.float32]:
    """Vectors of the tools; zeros for one that was written past graphstore and waits for ``graphstore build``."""
    out = np.zeros((len(rows), dimensions), dtype=np.float32)
    for number, row in enumerate(rows):
        if row["embedding"] is not None:
            out[number] = row["embedding"]
    # the same ones are in memory once
    return before.vectors if before is not None and np.array_equal(before.vectors, out) else out


def _kinds(names: Sequence[str]) -> NDArray[np.intp]:
    """A number for each name, the same for equal ones; 0 for an empty one."""
    number = {name: i for i, name in enumerate(sorted({*names, ""}))}
    return np.array([number[name] for name in names], dtype=np.intp)
