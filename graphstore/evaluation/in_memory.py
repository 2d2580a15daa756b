"""The snapshot that a store would give after a trial's catalog and history were loaded, without a server.

The rows come from the same pure functions as those of the store: for experiments and fast tests. What is reported is
measured through the client.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from graphstore.evaluation.tool_trials import Trial
from graphstore.retrieval.tool_snapshot import STATEMENTS, ToolSnapshot, build_snapshot
from graphstore.toolgraph import stored
from graphstore.toolgraph.history import rows as transitions
from graphstore.toolgraph.history import runs_per_tool, tally
from graphstore.toolgraph.mining import Stage, stages_of
from graphstore.toolgraph.requires import required_tools
from graphstore.toolgraph.semantic import similar_tools
from graphstore.toolgraph.vectors import Vectors

if TYPE_CHECKING:
    from graphstore.encoders import Encoder


def snapshot(trial: Trial, encoder: Encoder) -> ToolSnapshot:
    """The snapshot of a trial's tool graph before anything is asked."""
    vectors = Vectors(encoder)
    stages = stages_of(trial.history)
    ordered = [stages[name] for name in sorted(stages)]
    tools = _tool_rows(trial, ordered, vectors)
    embeddings = np.array([tool["embedding"] for tool in tools], dtype=np.float32)
    similar = similar_tools([tool["id"] for tool in tools], embeddings)
    edges = transitions(tally(ordered))
    rows = {
        "retrieve/tool_catalog": tools,
        "retrieve/tool_solved_stages": _stage_rows(ordered, vectors),
        "retrieve/tool_next": stored.edge_rows(edge for edge in edges if edge.count),
        "retrieve/tool_tried": stored.tried_rows(edge for edge in edges if not edge.count),
        "retrieve/tool_similar": stored.edge_rows(similar),
        "retrieve/tool_requires": stored.edge_rows(required_tools(tools)),
    }
    return build_snapshot(0, [rows[statement] for statement in STATEMENTS])


def _tool_rows(trial: Trial, stages: list[Stage], vectors: Vectors) -> list[dict[str, Any]]:
    rows = {spec.id: stored.tool_row(spec) for spec in trial.catalog}
    for tool in sorted({call.tool for run in trial.history for call in run.calls}):
        rows.setdefault(tool, stored.undeclared_tool_row(tool))
    uses = runs_per_tool(stages)
    for tool, row in rows.items():
        row["runs"], row["last_seen"] = uses.get(tool, (0, None))
    listed = [rows[tool] for tool in sorted(rows)]
    vectors.embed_tools(listed)
    return listed


def _stage_rows(stages: list[Stage], vectors: Vectors) -> list[dict[str, Any]]:
    solved = [(stage, paths) for stage in stages if (paths := stored.path_rows(stage))]
    requests = [stored.stage_text(stage) for stage, _ in solved]
    found = zip(solved, requests, vectors.of(requests), vectors.of_clauses(requests), strict=True)
    return [
        {"id": stage.id, "request": request, "embedding": vector, "clauses": of_clauses, "paths": paths}
        for (stage, paths), request, vector, of_clauses in found
        if vector is not None
    ]
