"""The tool graph in memory, at one ``graph_version``: everything a request is compared with."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from graphstore.retrieval.engine import Walk
from graphstore.retrieval.nearest import Nearest
from graphstore.retrieval.tool_items import ItemModel
from graphstore.retrieval.tool_order import places
from graphstore.retrieval.tool_usage import Clauses, UsageVectors, gather
from graphstore.retrieval.tool_walk import ToolWalk
from graphstore.retrieval.tool_words import Names, OwnTexts, Read, asked_for, experience
from graphstore.toolgraph.fusion import FusedGraph, fuse, sparse
from graphstore.toolgraph.mining import UNJUDGED, usage

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


@dataclass(frozen=True, slots=True)
class PastStage:
    """A solved stage.

    :param paths: The paths that solved it: the ``shortest_solvable_path`` first, then shorter before longer.
    """

    id: str
    request: str
    paths: tuple[tuple[str, ...], ...]

    def path_with(self, tool: str) -> tuple[str, ...] | None:
        """The first of its paths that uses a tool."""
        return next((path for path in self.paths if tool in path), None)


@dataclass(frozen=True)
class ToolSnapshot:
    """The tool graph of one ``graph_version``; nodes are numbered as ``tools``, then ``stages``, both sorted by id.

    :param vectors: Unit vectors of the tools' texts. *Shape:* ``(n, d)``
    :param stage_vectors: Unit vectors of the stages' requests. *Shape:* ``(s, d)``
    :param nearest: Finds the nearest of the stages' requests.
    :param usage: How much each tool belongs to each stage's solutions, in [0, 1]. *Shape:* ``(s, n)``
    :param popularity: Solved stages that used each tool. *Shape:* ``(n,)``
    :param places: Where in each stage's paths each tool is first called, in (0, 1). *Shape:* ``(s, n)``
    :param clauses: Of the stages' requests.
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
    stages: tuple[PastStage, ...]
    vectors: NDArray[np.float32]
    stage_vectors: NDArray[np.float32]
    nearest: Nearest
    usage: sp.csr_array
    popularity: NDArray[np.float64]
    places: sp.csc_array
    clauses: Clauses
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
    version: int, results: Sequence[Sequence[Row]], *, dimensions: int = 0, before: ToolSnapshot | None = None
) -> ToolSnapshot:
    """The snapshot made of the rows of :data:`STATEMENTS`; there must be at least one tool.

    :param dimensions: Of the vectors of requests: no row tells them while all wait for theirs.
    :param before: A snapshot of an earlier state: what was read for it is not read again, and leaves no trace.
    """
    tools, stages, following, tried, similar, needs = results
    index = {row["id"]: i for i, row in enumerate(tools)}
    sizes = (0 if row["embedding"] is None else len(row["embedding"]) for row in [*tools, *stages])
    dimensions = max(dimensions, *sizes)
    solving = _usage(stages, index)
    popularity = np.asarray(solving.sum(axis=0), dtype=np.float64)
    similarity = _edges(similar, index, "score")
    moves = _edges(following, index, "weight") + UNJUDGED * _edges([*following, *tried], index, "unjudged")
    graph = fuse(sp.csr_array(moves), sp.csr_array(similarity + similarity.T), solving)
    own = OwnTexts(tools)
    vectors, stage_vectors = _matrix(tools, dimensions), _matrix(stages, dimensions)
    clauses = _clauses(stages, dimensions)
    used = gather(clauses, _numbers(stages, index), vectors)
    requests, counts = [row["request"] for row in stages], np.diff(clauses.starts).tolist()
    return ToolSnapshot(
        version=version,
        tools=tuple(ToolNode(row["id"], row["name"], row["server"], row["domain"]) for row in tools),
        stages=tuple(PastStage(row["id"], row["request"], _paths(row["paths"])) for row in stages),
        vectors=vectors,
        stage_vectors=stage_vectors,
        nearest=Nearest(stage_vectors),
        usage=solving,
        popularity=popularity,
        places=_places(stages, index),
        clauses=clauses,
        used=used,
        items=ItemModel(solving),
        requires=_DECLARED * _pairs([row for row in needs if row["kind"] != "produces"], index),
        produces=_fading(_pairs([row for row in needs if row["kind"] == "produces"], index), popularity),
        graph=graph,
        diffusion=ToolWalk(graph.transition, len(tools)),
        catalog=Read(own.read, own.tokens, before.catalog if before else None),
        experience=experience(own, requests, solving, before.experience if before else None),
        asked_for=asked_for(
            requests, counts, used.clauses, used.starts, list(index), before.asked_for if before else None
        ),
        names=Names(row["name"] for row in tools),
    )


def _usage(stages: Sequence[Row], index: Mapping[str, int]) -> sp.csr_array:
    def shares(stage: Row) -> Mapping[str, float]:
        return usage((path["tools"], path["count"] * path["efficiency"]) for path in stage["paths"])

    return _by_stage(stages, index, shares)


def _places(stages: Sequence[Row], index: Mapping[str, int]) -> sp.csc_array:
    def of_tools(stage: Row) -> Mapping[str, float]:
        return places(
            (path["tools"], path.get("steps") or range(len(path["tools"])), path["count"] * path["efficiency"])
            for path in stage["paths"]
        )

    return sp.csc_array(_by_stage(stages, index, of_tools))


def _by_stage(
    stages: Sequence[Row], index: Mapping[str, int], of_tools: Callable[[Row], Mapping[str, float]]
) -> sp.csr_array:
    """A number for each stage and tool that its paths hold. *Shape:* ``(s, n)``"""
    rows, columns, values = [], [], []
    for number, stage in enumerate(stages):
        for tool, value in of_tools(stage).items():
            rows.append(number)
            columns.append(index[tool])
            values.append(value)
    return sparse(rows, columns, values, (len(stages), len(index)))


def _clauses(stages: Sequence[Row], dimensions: int) -> Clauses:
    """The clauses of the stages; a request of one clause is its own, one without a vector has none."""
    parts = [_clause_vectors(row, dimensions) for row in stages]
    counts = np.array([0, *(len(part) for part in parts)], dtype=np.int64)
    return Clauses(np.concatenate([np.empty((0, dimensions), np.float16), *parts]), np.cumsum(counts))


def _clause_vectors(row: Row, dimensions: int) -> NDArray[np.float16]:
    written = row.get("clauses")
    if written is not None and len(written):
        return np.frombuffer(written, dtype=np.float16).reshape(-1, dimensions)
    if row["embedding"] is None:
        return np.empty((0, dimensions), dtype=np.float16)
    return np.array(row["embedding"], dtype=np.float16).reshape(1, dimensions)


def _numbers(stages: Sequence[Row], index: Mapping[str, int]) -> list[list[list[int]]]:
    return [[[index[tool] for tool in path["tools"]] for path in row["paths"]] for row in stages]


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


def _matrix(rows: Sequence[Row], dimensions: int) -> NDArray[np.float32]:
    """Vectors of the rows; zeros for a node that was written past graphstore and waits for ``graphstore build``."""
    out = np.zeros((len(rows), dimensions), dtype=np.float32)
    for number, row in enumerate(rows):
        if row["embedding"] is not None:
            out[number] = row["embedding"]
    return out


def _paths(paths: Sequence[Row]) -> tuple[tuple[str, ...], ...]:
    ranked = sorted(paths, key=lambda path: (not path["shortest"], len(path["tools"]), -path["count"], path["tools"]))
    return tuple(tuple(path["tools"]) for path in ranked)


def _kinds(names: Sequence[str]) -> NDArray[np.intp]:
    """A number for each name, the same for equal ones; 0 for an empty one."""
    number = {name: i for i, name in enumerate(sorted({*names, ""}))}
    return np.array([number[name] for name in names], dtype=np.intp)
