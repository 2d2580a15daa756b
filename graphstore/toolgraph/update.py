"""Loading tools and logs into the store.

A batch is read, merged and written against one ``graph_version``; if another writer was faster, it is merged again.
So a batch is there whole or not at all, and several processes that load the same files give the same graph.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from graphstore.clock import now
from graphstore.counts import counted
from graphstore.db import Database, Step
from graphstore.models import LoadReport
from graphstore.progress import Progress
from graphstore.records import Ignored, Rejected, StageRun, ToolSpec
from graphstore.toolgraph import stored
from graphstore.toolgraph.derive import derive, settle, tell
from graphstore.toolgraph.follow import STATE, State, history_steps
from graphstore.toolgraph.mining import Run, Stage, judged_run, stage_of
from graphstore.toolgraph.vectors import Vectors
from graphstore.writers import until_written

if TYPE_CHECKING:
    from graphstore.encoders import Encoder

__all__ = ["derive", "load_logs", "load_tools"]

_BATCH = 1_000
"""Records written at once. A record costs the server half as much again in batches of 250; larger ones gain nothing."""

_UNJUDGED = "of {runs} read none is known to have passed or failed, so they show no path: --passed-if says which passed"

Record = TypeVar("Record", ToolSpec, StageRun)


def load_tools(
    db: Database,
    encoder: Encoder,
    records: Iterable[ToolSpec | Rejected | Ignored],
    progress: Progress | None = None,
    *,
    half_life: float | None = None,
) -> LoadReport:
    """Store the tools of a catalog and derive the tool graph; what is already so stays untouched.

    :param records: What a loader yields. Of two declarations of one tool the later stands.
    :param progress: Called with a label, the records done, and their total if known.
    :param half_life: Days after which a run counts half in the history graph; ``None`` for never.
    :returns: Counts of tools.
    """
    load = _Load("tools", Vectors(encoder))
    for batch in _batches(records, load):
        load.add(until_written(db, partial(_write_tools, db, load.vectors, batch)))
        tell(progress, "tools", load.read)
    settle(db, encoder, progress, half_life=half_life)
    return load.report()


def load_logs(
    db: Database,
    encoder: Encoder,
    records: Iterable[StageRun | Rejected | Ignored],
    progress: Progress | None = None,
    *,
    half_life: float | None = None,
) -> LoadReport:
    """Store runs of stages and derive the tool graph; a run that is already stored stays untouched.

    :param records: What a loader yields. Of two records of one run of a stage the later stands.
    :param progress: Called with a label, the records done, and their total if known.
    :param half_life: Days after which a run counts half in the history graph; ``None`` for never.
    :returns: Counts of stage runs.
    """
    load = _Load("logs", Vectors(encoder))
    if not State.of(db.read(STATE)).current(half_life):
        derive(db, encoder, progress, half_life=half_life)
    judged = False
    for batch in _batches(records, load):
        judged = judged or any(run.passed is not None for run in batch)
        load.add(until_written(db, partial(_write_runs, db, load.vectors, batch, half_life)))
        tell(progress, "stage runs", load.read)
    if load.read and not judged:
        load.warnings.append(_UNJUDGED.format(runs=counted(load.read, "stage run")))
    settle(db, encoder, progress, half_life=half_life)
    return load.report()


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
class _Load:
    kind: str
    vectors: Vectors
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


def _write_tools(db: Database, vectors: Vectors, specs: list[ToolSpec]) -> _Counts:
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
        vectors.embed_tools(changed)
        db.write(("load/tool_specs", {"rows": changed, "now": now()}), expect=version)
    return counts


def _write_runs(db: Database, vectors: Vectors, records: list[StageRun], half_life: float | None) -> _Counts:
    tools = sorted({call.tool for record in records for call in record.calls})
    stage_ids = list(dict.fromkeys(record.stage for record in records))
    version, (states, stage_rows, tool_rows) = db.read_consistent(
        [(STATE, {}), ("retrieve/tool_stage_runs", {"ids": stage_ids}), ("retrieve/tool_specs", {"ids": tools})]
    )
    before = {row["id"]: stored.stage_from_row(row) for row in stage_rows}
    after, counts = _merged(before, records)
    changed = [stage for stage in after if stage != before.get(stage.id)]
    known = {row["id"] for row in tool_rows}
    steps = stage_steps(db, vectors, changed, [tool for tool in tools if tool not in known])
    if changed:
        were = [before[stage.id] for stage in changed if stage.id in before]
        steps += history_steps(db, State.of(states), were, changed, half_life)
    if steps:
        db.write(*steps, expect=version)
    return counts


def _merged(before: Mapping[str, Stage], records: Iterable[StageRun]) -> tuple[list[Stage], _Counts]:
    """The stages that the records speak of, with their runs; and what is new in these."""
    runs: dict[str, dict[str, Run]] = {}
    tasks: dict[str, str] = {}
    counts = _Counts()
    for record in records:
        known = before.get(record.stage)
        tasks.setdefault(record.stage, known.task if known else record.task)
        of_stage = runs.setdefault(record.stage, dict(known.runs) if known else {})
        run = judged_run(record)
        counts.see(of_stage.get(run.id), run)
        of_stage[run.id] = run
    return [stage_of(stage, tasks[stage], of_stage) for stage, of_stage in runs.items()], counts


def stage_steps(db: Database, vectors: Vectors, stages: Sequence[Stage], new_tools: Sequence[str] = ()) -> list[Step]:
    """The steps that write stages, stored ones or new, with their paths, and tools that only logs name.

    What a stored stage is found by is not encoded again.
    """
    stored_texts = db.read("retrieve/tool_stage_vectors", ids=[stage.id for stage in stages]) if stages else []
    vectors.known.update((row["text"], row["embedding"]) for row in stored_texts)
    vectors.known_clauses.update((row["text"], row["clauses"]) for row in stored_texts)
    return _run_steps(vectors, stages, new_tools)


def _run_steps(vectors: Vectors, stages: Sequence[Stage], new_tools: Sequence[str]) -> list[Step]:
    steps: list[Step] = []
    if new_tools:
        rows = [stored.undeclared_tool_row(tool) for tool in new_tools]
        vectors.embed_tools(rows)
        steps.append(("load/tool_undeclared", {"rows": rows, "now": now()}))
    if stages:
        texts = [stored.stage_text(stage) for stage in stages]
        found = zip(stages, vectors.of(texts), vectors.of_clauses(texts), strict=True)
        rows = [{**stored.stage_row(s), "embedding": vector, "clauses": parts} for s, vector, parts in found]
        paths = {stage.id: stored.path_rows(stage) for stage in stages}
        keep = [{"stage": stage, "keep": [path["id"] for path in of_stage]} for stage, of_stage in paths.items()]
        steps.append(("load/tool_stages", {"rows": rows}))
        steps.append(("load/tool_paths_remove", {"rows": keep}))
        steps.append(("load/tool_paths", {"rows": [path for of_stage in paths.values() for path in of_stage]}))
    return steps
