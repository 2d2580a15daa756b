"""Taking runs and tools out of the tool graph: what is left is what loading without them gives."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

from graphstore.db import Database, Step
from graphstore.errors import NotFound, SettingsError
from graphstore.models import Forgotten
from graphstore.progress import Progress
from graphstore.toolgraph import stored
from graphstore.toolgraph.derive import derive
from graphstore.toolgraph.follow import REMOVED, state_step
from graphstore.toolgraph.history import Fade
from graphstore.toolgraph.mining import Run, Stage, stage_of
from graphstore.toolgraph.update import stage_steps
from graphstore.toolgraph.vectors import Vectors
from graphstore.writers import until_written

if TYPE_CHECKING:
    from graphstore.encoders import Encoder

_CANDIDATES = 5
_SHOWN = 100


def forget_runs(
    db: Database,
    encoder: Encoder,
    before: str,
    *,
    progress: Progress | None = None,
    half_life: float | None = None,
) -> Forgotten:
    """What was taken out: runs that finished before a time, stages and undeclared tools that only they named.

    :param before: A date or time as ISO 8601; without a zone it is UTC. Runs without a time stay.
    :param half_life: Days after which a run counts half in the history graph; ``None`` for never.
    :raises SettingsError: ``before`` is no time.
    """
    limit = limit_of(before)

    def goes(run: Run) -> bool:
        finished = _instant(run.finished)
        return finished is not None and finished < limit

    return _forget(db, encoder, goes, (), progress, half_life)


def limit_of(before: str) -> datetime:
    """The point in time that a user names; a date is its midnight, and what names no zone is UTC.

    :raises SettingsError: it is none.
    """
    limit = _instant(before)
    if limit is None:
        raise SettingsError(f"{before!r} is no date; write it as 2026-03-01 or 2026-03-01T12:00:00+01:00")
    return limit


def forget_tool(
    db: Database,
    encoder: Encoder,
    tool: str,
    *,
    progress: Progress | None = None,
    half_life: float | None = None,
) -> Forgotten:
    """What was taken out: a tool, every run that called it, and what only these runs named.

    :param tool: Its id.
    :param half_life: As for :func:`forget_runs`.
    :raises NotFound: no such tool.
    """
    known = db.read("retrieve/tool_declarations")
    if all(row["id"] != tool for row in known):
        near = [row["id"] for row in known if tool.casefold() in (row["id"].casefold(), row["name"].casefold())]
        hint = f"; near it: {', '.join(near[:_CANDIDATES])}" if near else ""
        raise NotFound(f"no tool {tool[:_SHOWN]!r} in the store; nothing was taken out{hint}")
    return _forget(db, encoder, lambda run: tool in run.tools, (tool,), progress, half_life)


@dataclass(frozen=True, slots=True)
class _Left:
    """What is left of the stages that lose runs.

    :param changed: Stages with fewer runs.
    :param empty: Stages of which no run is left.
    :param runs: Number of runs that go.
    :param unused: Tools that no run calls now, but one that goes did.
    """

    changed: tuple[Stage, ...]
    empty: tuple[Stage, ...]
    runs: int
    unused: frozenset[str]


def _without(stages: Iterable[Stage], goes: Callable[[Run], bool]) -> _Left:
    changed, empty = [], []
    going: list[Run] = []
    used: set[str] = set()
    for stage in stages:
        left = {id: run for id, run in stage.runs.items() if not goes(run)}
        used.update(tool for run in left.values() for tool in run.tools)
        if len(left) == len(stage.runs):
            continue
        going += [run for id, run in stage.runs.items() if id not in left]
        if left:
            changed.append(stage_of(stage.id, stage.task, left))
        else:
            empty.append(stage)
    unused = frozenset(tool for run in going for tool in run.tools) - used
    return _Left(tuple(changed), tuple(empty), len(going), unused)


def _forget(
    db: Database,
    encoder: Encoder,
    goes: Callable[[Run], bool],
    named: Sequence[str],
    progress: Progress | None,
    half_life: float | None,
) -> Forgotten:
    gone = until_written(db, partial(_take_out, db, Vectors(encoder), goes, named, half_life))
    if gone.runs or gone.tools:
        # the write before says that this is due, should it be interrupted here
        derive(db, encoder, progress, half_life=half_life)
    return gone


def _take_out(
    db: Database, vectors: Vectors, goes: Callable[[Run], bool], named: Sequence[str], half_life: float | None
) -> Forgotten:
    version, (stage_rows, tools) = db.read_consistent(
        [("retrieve/tool_stage_runs_all", {}), ("retrieve/tool_declarations", {})]
    )
    left = _without((stored.stage_from_row(row) for row in stage_rows), goes)
    undeclared = {tool["id"] for tool in tools if not tool["declared"]}
    gone = sorted((left.unused & undeclared) | set(named))
    steps: list[Step] = []
    if left.changed:
        steps += stage_steps(db, vectors, left.changed)
    if left.empty:
        steps.append(("maintain/forget_stages", {"ids": [stage.id for stage in left.empty]}))
        steps.append(("maintain/forget_tasks", {"ids": sorted({stage.task for stage in left.empty})}))
    if gone:
        steps.append(("maintain/forget_tools", {"ids": gone}))
    if steps:
        db.write(*steps, state_step(None, Fade(half_life)), REMOVED, expect=version)
    return Forgotten(left.runs, tuple(sorted(stage.id for stage in left.empty)), tuple(gone))


def _instant(text: str | None) -> datetime | None:
    """A point in time; without a zone it is UTC, a date is its midnight."""
    try:
        read = datetime.fromisoformat((text or "").strip())
    except ValueError:
        return None
    return read if read.tzinfo else read.replace(tzinfo=UTC)
