"""Runs and tools out of the store: what is left is what loading without them gives."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

import pytest

from graphstore.check import check
from graphstore.cli import run
from graphstore.db import Database
from graphstore.errors import NotFound, SettingsError
from graphstore.ordered_export import ordered_export
from graphstore.records import StageRun, ToolCall, ToolSpec
from graphstore.toolgraph.forget import forget_runs, forget_tool
from graphstore.toolgraph.update import load_logs, load_tools

if TYPE_CHECKING:
    from graphstore.encoders import Encoder

DECLARED = [ToolSpec(name, f"{name} something.") for name in ("find", "open", "approve")]
LIMIT = "2026-03-01"


def records(seed: int) -> list[StageRun]:
    chosen = random.Random(seed)
    made = []
    for i in range(60):
        tools = chosen.choices(["find", "open", "approve", "notify", "archive", f"rare{i % 9}"], k=chosen.randint(0, 4))
        made.append(
            StageRun(
                task=f"T{i % 7}",
                stage=f"T{i % 7}/{i % 2}",
                run=f"r{i}",
                request=chosen.choice(["do it", f"request {i % 5}"]),
                passed=chosen.choice([True, True, False, None]),
                calls=tuple(ToolCall(tool, turn=chosen.choice([None, None, 1])) for tool in tools),
                source="log",
                task_name=chosen.choice(["", f"Task {i % 3}"]),
                domain=chosen.choice([None, "mail"]),
                finished=chosen.choice([None, "2026-01-05", "2026-02-28T23:30:00-03:00", "2026-03-01", "2026-04-01"]),
            )
        )
    return made


def taken(db: Database) -> list[str]:
    """The graph, which is sound; the store is emptied."""
    assert check(db) == []
    lines = list(ordered_export(db))
    list(db.run("MATCH (n) WHERE NOT n:Meta DETACH DELETE n", write=True))
    return lines


def loaded(db: Database, encoder: Encoder, tools: Sequence[ToolSpec], runs: Sequence[StageRun]) -> list[str]:
    load_tools(db, encoder, tools)
    load_logs(db, encoder, runs)
    return taken(db)


@pytest.mark.parametrize("seed", [1, 2])
def test_forgetting_old_runs_is_loading_without_them(db: Database, encoder: Encoder, seed: int) -> None:
    runs = records(seed)
    old = {"2026-01-05"}
    kept = [run for run in runs if run.finished not in old]
    expected = loaded(db, encoder, DECLARED, kept)
    load_tools(db, encoder, DECLARED)
    load_logs(db, encoder, runs)
    gone = forget_runs(db, encoder, LIMIT)
    assert gone.runs == len(runs) - len(kept)
    assert set(gone.stages) == {run.stage for run in runs} - {run.stage for run in kept}
    version = db.graph_version()
    assert forget_runs(db, encoder, LIMIT).runs == 0
    assert db.graph_version() == version
    assert taken(db) == expected


def test_forgetting_a_tool_is_loading_without_it_and_the_runs_that_called_it(db: Database, encoder: Encoder) -> None:
    runs = records(3)
    for tool in ("approve", "rare1"):
        kept = [run for run in runs if tool not in {call.tool for call in run.calls}]
        expected = loaded(db, encoder, [spec for spec in DECLARED if spec.id != tool], kept)
        load_tools(db, encoder, DECLARED)
        load_logs(db, encoder, runs)
        gone = forget_tool(db, encoder, tool)
        assert (gone.runs, tool in gone.tools) == (len(runs) - len(kept), True)
        assert taken(db) == expected


def test_forgetting_all_runs_leaves_the_declared_tools(db: Database, encoder: Encoder) -> None:
    load_tools(db, encoder, DECLARED)
    expected = list(ordered_export(db))
    load_logs(db, encoder, [run for run in records(4) if run.finished])
    forget_runs(db, encoder, "2030-01-01")
    assert list(ordered_export(db)) == expected


def test_a_run_without_a_time_stays(db: Database, encoder: Encoder) -> None:
    load_logs(db, encoder, [StageRun("T", "T/1", "r", "q", True, (ToolCall("a"), ToolCall("b")), "log")])
    assert forget_runs(db, encoder, "2100-01-01").runs == 0


def test_what_cannot_be_meant_is_one_clear_line(db: Database, encoder: Encoder) -> None:
    load_tools(db, encoder, DECLARED)
    with pytest.raises(SettingsError, match="'last week' is no date; write it as 2026-03-01"):
        forget_runs(db, encoder, "last week")
    with pytest.raises(NotFound, match="no tool 'FIND' in the store; nothing was taken out; near it: find"):
        forget_tool(db, encoder, "FIND")


def test_a_reader_is_told_that_something_was_deleted(db: Database, encoder: Encoder) -> None:
    load_logs(db, encoder, records(5))
    (before,) = db.run("MATCH (m:Meta {id: 'tool_graph'}) RETURN m.removed AS removed")
    version = db.graph_version()
    forget_tool(db, encoder, "find")
    (after,) = db.run("MATCH (m:Meta {id: 'tool_graph'}) RETURN m.removed AS removed")
    assert (before["removed"] or 0) <= version < after["removed"]


@pytest.mark.parametrize("written", ["last week", ""])
def test_a_date_that_is_none_is_refused_before_anything_is_taken_out(
    written: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:9")  # nobody answers: no store is opened
    assert run(["forget", "a.md", "--tool", "find", "--runs-before", written]) == 1
    assert capfd.readouterr().err == (
        f"graphstore: {written!r} is no date; write it as 2026-03-01 or 2026-03-01T12:00:00+01:00\n"
    )
