"""Deriving the tool graph from what is stored.

NEXT, SIMILAR, REQUIRES and the use of tools are a pure function of the stored runs and tools: they do not depend on
the order of loading, and only what differs is written.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from graphstore.db import Database, StaleVersion, Step
from graphstore.errors import ConnectError
from graphstore.progress import Progress
from graphstore.toolgraph import stored
from graphstore.toolgraph.history import history, runs_per_tool
from graphstore.toolgraph.requires import required_tools
from graphstore.toolgraph.semantic import Similar, similar_tools
from graphstore.toolgraph.stored import Row
from graphstore.toolgraph.vectors import Vectors

if TYPE_CHECKING:
    from graphstore.encoders import Encoder

_ATTEMPTS = 200
_STAGES = 1000  # encoded and written at a time
_EDGE = ("source", "target")
_VECTOR = ("id", "embedding")

T = TypeVar("T")


def derive(db: Database, encoder: Encoder, progress: Progress | None = None) -> bool:
    """Bring NEXT, SIMILAR, REQUIRES and the use of tools in line with the stored runs and tools.

    Tools and stages without a vector, written past graphstore or by another encoder, get one.

    :returns: Whether anything had to be written.
    """
    vectors = Vectors(encoder)
    tell(progress, "tool graph", 0, 1)
    encoded = _encode_stages(db, vectors)
    written = optimistic(partial(_derive, db, vectors)) or encoded
    tell(progress, "tool graph", 1, 1)
    return written


def optimistic(work: Callable[[], T]) -> T:
    """The result of ``work``, done again for as long as another writer was faster."""
    for attempt in range(_ATTEMPTS):
        try:
            return work()
        except StaleVersion:
            # Random waits, so that writers that collided once do not collide for ever.
            time.sleep(random.uniform(0, 0.02 * min(attempt + 1, 25)))
    raise ConnectError("other processes write to the store without a pause; load again when they are done")


def tell(progress: Progress | None, label: str, done: int, total: int | None = None) -> None:
    """Report progress to whoever asked for it."""
    if progress is not None:
        progress(label, done, total)


def _encode_stages(db: Database, vectors: Vectors) -> bool:
    written = False
    while bare := db.read("retrieve/tool_stages_unencoded", most=_STAGES):
        found = vectors.of([row["text"] for row in bare])
        rows = [{"id": row["id"], "embedding": vector} for row, vector in zip(bare, found, strict=True)]
        db.bulk("derive/tool_stage_vectors", rows)
        written = True
    return written


def _derive(db: Database, vectors: Vectors) -> bool:
    version, (stage_rows, tools, next_rows, similar_rows, needs) = db.read_consistent(
        [
            ("retrieve/tool_stage_runs_all", {}),
            ("retrieve/tool_catalog", {}),
            ("retrieve/tool_next", {}),
            ("retrieve/tool_similar", {}),
            ("retrieve/tool_requires", {}),
        ]
    )
    stages = [stored.stage_from_row(row) for row in stage_rows]
    steps: list[Step] = []
    if bare := [tool for tool in tools if tool["embedding"] is None]:
        vectors.embed_tools(bare)
        steps.append(("derive/tool_vectors", {"rows": [{key: tool[key] for key in _VECTOR} for tool in bare]}))
    steps += [
        *_edge_steps("derive/tool_next", stored.edge_rows(history(stages)), next_rows),
        *_edge_steps("derive/tool_similar", stored.edge_rows(_similar(tools)), similar_rows),
        *_edge_steps("derive/tool_requires", stored.edge_rows(required_tools(tools)), needs),
    ]
    uses = runs_per_tool(stages)
    wanted = [
        {"id": tool["id"], "runs": runs, "last_seen": last}
        for tool in tools
        for runs, last in [uses.get(tool["id"], (0, None))]
    ]
    if changed := stored.difference(wanted, tools, ["id"])[0]:
        steps.append(("derive/tool_runs", {"rows": changed}))
    if steps:
        db.write(*steps, expect=version)
    return bool(steps)


def _similar(tools: list[Row]) -> list[Similar]:
    if not tools:
        return []
    vectors = np.array([tool["embedding"] for tool in tools], dtype=np.float32)
    return similar_tools([tool["id"] for tool in tools], vectors)


def _edge_steps(name: str, wanted: list[Row], found: list[Row]) -> list[Step]:
    write, remove = stored.difference(wanted, found, _EDGE)
    steps: list[Step] = []
    if remove:
        steps.append((f"{name}_remove", {"rows": remove}))
    if write:
        steps.append((name, {"rows": write}))
    return steps
