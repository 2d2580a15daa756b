"""Loading tools and logs into the store, and deriving the tool graph from what is stored.

A batch is read, merged and written against one ``graph_version``; if another writer was faster, it is merged again.
So a batch is there whole or not at all, and several processes that load the same files give the same graph.
What is derived (NEXT, SIMILAR, use of tools) is a pure function of the stored runs and tools: it does not depend on the
order of loading, and only what differs is written.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from graphstore.db import Database, StaleVersion, Step
from graphstore.errors import ConnectError
from graphstore.models import LoadReport
from graphstore.records import Ignored, Rejected, StageRun, ToolSpec
from graphstore.toolgraph import stored
from graphstore.toolgraph.history import history, runs_per_tool
from graphstore.toolgraph.mining import Stage, add_run, judged_run
from graphstore.toolgraph.semantic import Similar, similar_tools
from graphstore.toolgraph.stored import Row

if TYPE_CHECKING:
    from graphstore.encoders import Encoder

Progress = Callable[[str, int, int | None], None]

_BATCH = 500
_ATTEMPTS = 200
_REMEMBERED = 20_000
_EDGE = ("source", "target")
_VECTOR = ("id", "embedding")

T = TypeVar("T")
Record = TypeVar("Record", ToolSpec, StageRun)


def load_tools(
    db: Database,
    encoder: Encoder,
    records: Iterable[ToolSpec | Rejected | Ignored],
    progress: Progress | None = None,
) -> LoadReport:
    """Store the tools of a catalog and derive the tool graph; what is already so stays untouched.

    :param records: What a loader yields. Of two declarations of one tool the later stands.
    :param progress: Called with a label, the records done, and their total if known.
    :returns: Counts of tools.
    """
    load = _Load("tools", _Vectors(encoder))
    for batch in _batches(records, load):
        load.add(_optimistic(partial(_write_tools, db, load.vectors, batch)))
        _tell(progress, "tools", load.read)
    derive(db, encoder, progress)
    return load.report()


def load_logs(
    db: Database,
    encoder: Encoder,
    records: Iterable[StageRun | Rejected | Ignored],
    progress: Progress | None = None,
) -> LoadReport:
    """Store runs of stages and derive the tool graph; a run that is already stored stays untouched.

    :param records: What a loader yields. Of two records of one run of a stage the later stands.
    :param progress: Called with a label, the records done, and their total if known.
    :returns: Counts of stage runs.
    """
    load = _Load("logs", _Vectors(encoder))
    for batch in _batches(records, load):
        load.add(_optimistic(partial(_write_runs, db, load.vectors, batch)))
        _tell(progress, "stage runs", load.read)
    derive(db, encoder, progress)
    return load.report()


def derive(db: Database, encoder: Encoder, progress: Progress | None = None) -> bool:
    """Bring NEXT, SIMILAR and the use of tools in line with the stored runs and tools.

    Tools that were written past graphstore, without a vector, get one.

    :returns: Whether anything had to be written.
    """
    _tell(progress, "tool graph", 0, 1)
    written = _optimistic(partial(_derive, db, _Vectors(encoder)))
    _tell(progress, "tool graph", 1, 1)
    return written


@dataclass(slots=True)
class _Counts:
    created: int = 0
    changed: int = 0
    unchanged: int = 0

    def see(self, before: object | None, after: object) -> None:
        """Count one record."""
        if before is None:
            self.created += 1
        elif before != after:
            self.changed += 1
        else:
            self.unchanged += 1


@dataclass(slots=True)
class _Vectors:
    """Vectors of texts, each distinct text encoded once a load."""

    encoder: Encoder
    known: dict[str, list[float]] = field(default_factory=dict)

    def of(self, texts: Sequence[str]) -> list[list[float] | None]:
        """A vector a text, ``None`` for blank ones."""
        if len(self.known) > _REMEMBERED:
            self.known.clear()
        new = [text for text in dict.fromkeys(texts) if text.strip() and text not in self.known]
        if new:
            self.known.update(zip(new, self.encoder.encode(new).tolist(), strict=True))
        return [self.known.get(text) for text in texts]


@dataclass(slots=True)
class _Load:
    kind: str
    vectors: _Vectors
    counts: _Counts = field(default_factory=_Counts)
    rejected: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    @property
    def read(self) -> int:
        return self.counts.created + self.counts.changed + self.counts.unchanged

    def add(self, counts: _Counts) -> None:
        self.counts.created += counts.created
        self.counts.changed += counts.changed
        self.counts.unchanged += counts.unchanged

    def report(self) -> LoadReport:
        return LoadReport(
            kind=self.kind,
            read=self.read,
            created=self.counts.created,
            changed=self.counts.changed,
            unchanged=self.counts.unchanged,
            moved=0,
            rejected=tuple(self.rejected),
            warnings=tuple(self.warnings),
        )


def _batches(records: Iterable[Record | Rejected | Ignored], load: _Load) -> Iterator[list[Record]]:
    """Batches of records; what the loader could not use goes to the report."""

    def usable() -> Iterator[Record]:
        for record in records:
            if isinstance(record, Rejected):
                load.rejected.append(str(record))
            elif isinstance(record, Ignored):
                load.warnings.append(str(record))
            else:
                yield record

    source = usable()
    while batch := list(islice(source, _BATCH)):
        yield batch


def _optimistic(work: Callable[[], T]) -> T:
    """The result of ``work``, done again for as long as another writer was faster."""
    for attempt in range(_ATTEMPTS):
        try:
            return work()
        except StaleVersion:
            # Random waits, so that writers that collided once do not collide for ever.
            time.sleep(random.uniform(0, 0.02 * min(attempt + 1, 25)))
    raise ConnectError("other processes write to the store without a pause; load again when they are done")


def _write_tools(db: Database, vectors: _Vectors, specs: list[ToolSpec]) -> _Counts:
    version, (found,) = db.read_consistent([("retrieve/tool_specs", {"ids": [spec.id for spec in specs]})])
    known = {row["id"]: row for row in found}
    current = dict(known)
    counts = _Counts()
    for spec in specs:
        row = stored.tool_row(spec)
        counts.see(current.get(spec.id), row)
        current[spec.id] = row
    changed = [row for tool, row in current.items() if row != known.get(tool)]
    if changed:
        _embed_tools(vectors, changed)
        db.write(("load/tool_specs", {"rows": changed, "now": _now()}), expect=version)
    return counts


def _write_runs(db: Database, vectors: _Vectors, records: list[StageRun]) -> _Counts:
    tools = sorted({call.tool for record in records for call in record.calls})
    stage_ids = list(dict.fromkeys(record.stage for record in records))
    version, (stage_rows, tool_rows) = db.read_consistent(
        [("retrieve/tool_stage_runs", {"ids": stage_ids}), ("retrieve/tool_specs", {"ids": tools})]
    )
    before = {row["id"]: stored.stage_from_row(row) for row in stage_rows}
    after: dict[str, Stage] = {}
    counts = _Counts()
    for record in records:
        stage = after.get(record.stage, before.get(record.stage))
        counts.see(stage.runs.get(record.run) if stage else None, judged_run(record))
        after[record.stage] = add_run(stage, record)
    changed = [stage for stage in after.values() if stage != before.get(stage.id)]
    known = {row["id"] for row in tool_rows}
    steps = _run_steps(vectors, changed, [tool for tool in tools if tool not in known])
    if steps:
        db.write(*steps, expect=version)
    return counts


def _run_steps(vectors: _Vectors, stages: list[Stage], new_tools: list[str]) -> list[Step]:
    steps: list[Step] = []
    if new_tools:
        rows = [stored.undeclared_tool_row(tool) for tool in new_tools]
        _embed_tools(vectors, rows)
        steps.append(("load/tool_undeclared", {"rows": rows, "now": _now()}))
    if stages:
        embeddings = vectors.of([stored.stage_text(stage) for stage in stages])
        rows = [{**stored.stage_row(s), "embedding": vector} for s, vector in zip(stages, embeddings, strict=True)]
        paths = {stage.id: stored.path_rows(stage) for stage in stages}
        keep = [{"stage": stage, "keep": [path["id"] for path in of_stage]} for stage, of_stage in paths.items()]
        steps.append(("load/tool_stages", {"rows": rows}))
        steps.append(("load/tool_paths_remove", {"rows": keep}))
        steps.append(("load/tool_paths", {"rows": [path for of_stage in paths.values() for path in of_stage]}))
    return steps


def _embed_tools(vectors: _Vectors, rows: list[Row]) -> None:
    for row, vector in zip(rows, vectors.of([stored.row_text(row) for row in rows]), strict=True):
        row["embedding"] = vector


def _derive(db: Database, vectors: _Vectors) -> bool:
    version, (stage_rows, tools, next_rows, similar_rows) = db.read_consistent(
        [
            ("retrieve/tool_stage_runs_all", {}),
            ("retrieve/tool_catalog", {}),
            ("retrieve/tool_next", {}),
            ("retrieve/tool_similar", {}),
        ]
    )
    stages = [stored.stage_from_row(row) for row in stage_rows]
    steps: list[Step] = []
    if bare := [tool for tool in tools if tool["embedding"] is None]:
        _embed_tools(vectors, bare)
        steps.append(("derive/tool_vectors", {"rows": [{key: tool[key] for key in _VECTOR} for tool in bare]}))
    steps += [
        *_edge_steps("derive/tool_next", stored.edge_rows(history(stages)), next_rows),
        *_edge_steps("derive/tool_similar", stored.edge_rows(_similar(tools)), similar_rows),
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


def _tell(progress: Progress | None, label: str, done: int, total: int | None = None) -> None:
    if progress is not None:
        progress(label, done, total)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
