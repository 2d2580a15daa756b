"""Deriving the tool graph from what is stored.

NEXT, SIMILAR, REQUIRES and the use of tools are a pure function of the stored runs and tools: they do not depend on
the order of loading, and only what differs is written.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from graphstore.db import Database, Step
from graphstore.progress import Progress
from graphstore.toolgraph import stored
from graphstore.toolgraph.follow import REMOVED, RULES, STATE, State, state_step
from graphstore.toolgraph.history import Fade, newest_day, rows, runs_per_tool, tally
from graphstore.toolgraph.mining import Stage
from graphstore.toolgraph.requires import required_tools
from graphstore.toolgraph.semantic import Similar, relinked, similar_tools
from graphstore.toolgraph.stored import Row
from graphstore.toolgraph.vectors import Vectors
from graphstore.writers import until_written

if TYPE_CHECKING:
    from graphstore.encoders import Encoder

_STAGES = 1000  # encoded and written at a time
_EDGE = ("source", "target")
_VECTOR = ("id", "embedding")


def derive(db: Database, encoder: Encoder, progress: Progress | None = None, *, half_life: float | None = None) -> bool:
    """Bring NEXT, SIMILAR, REQUIRES and the use of tools in line with the stored runs and tools, from the beginning.

    Tools and stages without a vector, written past graphstore or by another encoder, get one.

    :param half_life: Days after which a run counts half; ``None`` for never.
    :returns: Whether anything had to be written.
    """
    vectors = Vectors(encoder)
    tell(progress, "tool graph", 0, 1)
    encoded = _encode_stages(db, vectors)
    written = until_written(db, partial(_derive, db, vectors, half_life)) or encoded
    tell(progress, "tool graph", 1, 1)
    return written


def settle(db: Database, encoder: Encoder, progress: Progress | None = None, *, half_life: float | None = None) -> None:
    """Derive what the batches of a load left for its end: edges of new tools, or all where the batches could not.

    :param half_life: As for :func:`derive`.
    """
    state = State.of(db.read(STATE))
    if not state.current(half_life):
        derive(db, encoder, progress, half_life=half_life)
    else:
        until_written(db, partial(_link, db, Vectors(encoder)))


def tell(progress: Progress | None, label: str, done: int, total: int | None = None) -> None:
    """Report progress to whoever asked for it."""
    if progress is not None:
        progress(label, done, total)


def _encode_stages(db: Database, vectors: Vectors) -> bool:
    written = False
    while bare := db.read("retrieve/tool_stages_unencoded", most=_STAGES):
        texts = [row["text"] for row in bare]
        found = zip(bare, vectors.of(texts), vectors.of_clauses(texts), strict=True)
        rows = [{"id": row["id"], "embedding": vector, "clauses": parts} for row, vector, parts in found]
        db.bulk("derive/tool_stage_vectors", rows)
        written = True
    return written


def _derive(db: Database, vectors: Vectors, half_life: float | None) -> bool:
    version, (states, stage_rows, tools, next_rows, tried_rows, similar_rows, needs) = db.read_consistent(
        [
            (STATE, {}),
            ("retrieve/tool_stage_runs_all", {}),
            ("retrieve/tool_catalog", {}),
            ("retrieve/tool_next", {}),
            ("retrieve/tool_tried", {}),
            ("retrieve/tool_similar", {}),
            ("retrieve/tool_requires", {}),
        ]
    )
    stages = [stored.stage_from_row(row) for row in stage_rows]
    fade = Fade(half_life, newest_day(stages) if half_life is not None else None)
    edges = rows(tally(stages, fade))
    steps = [
        *_vector_steps(tools, vectors),
        *_edge_steps("derive/tool_next", stored.edge_rows(edge for edge in edges if edge.count), next_rows),
        *_edge_steps("derive/tool_tried", stored.tried_rows(edge for edge in edges if not edge.count), tried_rows),
        *_edge_steps("derive/tool_similar", stored.edge_rows(_similar(tools)), similar_rows),
        *_edge_steps("derive/tool_requires", stored.edge_rows(required_tools(tools)), needs),
        *_use_steps(tools, stages),
        *_linked_steps([tool["id"] for tool in tools if not tool["linked"]]),
    ]
    if any(name == "derive/tool_next_remove" for name, _ in steps):
        steps.append(REMOVED)
    state = State.of(states)
    wanted = State(RULES, fade.half_life, fade.reference, known=True, holds=bool(stages))
    if state != wanted and (state.known or state.holds):
        steps.append(state_step(RULES, fade))
    if steps:
        db.write(*steps, expect=version)
    return bool(steps)


def _link(db: Database, vectors: Vectors) -> None:
    """Join tools that are new or changed to all others."""
    if not db.read("retrieve/tool_unlinked"):
        return
    version, (tools, similar_rows, needs) = db.read_consistent(
        [("retrieve/tool_catalog", {}), ("retrieve/tool_similar", {}), ("retrieve/tool_requires", {})]
    )
    new = [tool["id"] for tool in tools if not tool["linked"]]
    steps = [
        *_vector_steps(tools, vectors),
        *_edge_steps("derive/tool_similar", stored.edge_rows(_similar(tools, similar_rows, new)), similar_rows),
        *_edge_steps("derive/tool_requires", stored.edge_rows(required_tools(tools)), needs),
        *_linked_steps(new),
    ]
    if steps:
        db.write(*steps, expect=version)


def _vector_steps(tools: list[Row], vectors: Vectors) -> list[Step]:
    bare = [tool for tool in tools if tool["embedding"] is None]
    vectors.embed_tools(bare)
    return [("derive/tool_vectors", {"rows": [{key: tool[key] for key in _VECTOR} for tool in bare]})] if bare else []


def _use_steps(tools: list[Row], stages: list[Stage]) -> list[Step]:
    uses = runs_per_tool(stages)
    wanted = [
        {"id": tool["id"], "runs": runs, "last_seen": last}
        for tool in tools
        for runs, last in [uses.get(tool["id"], (0, None))]
    ]
    changed = stored.difference(wanted, tools, ["id"])[0]
    return [("derive/tool_runs", {"rows": changed})] if changed else []


def _linked_steps(new: list[str]) -> list[Step]:
    return [("derive/tool_linked", {"ids": new})] if new else []


def _similar(tools: list[Row], before: list[Row] | None = None, new: Collection[str] = ()) -> list[Similar]:
    """The semantic edges of all tools; from those before, if only some tools are new."""
    if not tools:
        return []
    ids = [tool["id"] for tool in tools]
    vectors = np.array([tool["embedding"] for tool in tools], dtype=np.float32)
    if before is None:
        return similar_tools(ids, vectors)
    return relinked(ids, vectors, [Similar(**edge) for edge in before], new)


def _edge_steps(name: str, wanted: list[Row], found: list[Row]) -> list[Step]:
    write, remove = stored.difference(wanted, found, _EDGE)
    steps: list[Step] = []
    if remove:
        steps.append((f"{name}_remove", {"rows": remove}))
    if write:
        steps.append((name, {"rows": write}))
    return steps
