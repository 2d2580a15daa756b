"""A search that reads what changed is the one that reads everything, whatever was loaded in between."""

from __future__ import annotations

import dataclasses
import random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from scipy import sparse

from graphstore.db import Database
from graphstore.records import Requirement, StageRun, ToolCall, ToolSpec
from graphstore.retrieval.nearest import Nearest
from graphstore.retrieval.tool_clauses import Clauses
from graphstore.retrieval.tool_snapshot import ToolSnapshot
from graphstore.retrieval.tools import ToolSearch
from graphstore.toolgraph.forget import forget_tool
from graphstore.toolgraph.update import load_logs, load_tools

if TYPE_CHECKING:
    from graphstore.encoders import Encoder

WORDS = ("list", "approve", "request", "room", "mail", "file", "查询", "budget", "𝒂")


def assert_equal(one: Any, other: Any, where: str = "snapshot") -> None:
    """Nothing, if both hold the same, to the last bit."""
    assert type(one) is type(other), where
    if isinstance(one, (Nearest, Clauses)):  # where each vector stands is its own affair
        assert_equal([one[number] for number in range(len(one))], [other[n] for n in range(len(other))], where)
    elif isinstance(one, np.ndarray):
        np.testing.assert_array_equal(one, other, err_msg=where)
    elif sparse.issparse(one):
        assert_equal(one.indptr, other.indptr, where)
        assert_equal(one.indices, other.indices, where)
        assert_equal(one.data, other.data, where)
    elif dataclasses.is_dataclass(one):
        for field in dataclasses.fields(one):
            assert_equal(getattr(one, field.name), getattr(other, field.name), f"{where}.{field.name}")
    elif isinstance(one, (list, tuple)):
        assert len(one) == len(other), where
        for number, pair in enumerate(zip(one, other, strict=True)):
            assert_equal(*pair, f"{where}[{number}]")
    elif hasattr(one, "__dict__") and not isinstance(one, type):
        assert one.__dict__.keys() == other.__dict__.keys(), where
        for key, value in one.__dict__.items():
            assert_equal(value, other.__dict__[key], f"{where}.{key}")
    else:
        assert one == other, where


def spec(rng: random.Random, number: int) -> ToolSpec:
    words = rng.choices(WORDS, k=3)
    needs = (Requirement(f"{WORDS[0]}_{rng.randrange(6)}"),) if rng.random() < 0.3 else ()
    return ToolSpec(f"{WORDS[number % 3]}_{number}", " ".join(words), domain=rng.choice(WORDS), requires=needs)


def run(rng: random.Random) -> StageRun:
    task = rng.choice(WORDS) + str(rng.randrange(20))
    return StageRun(
        task=task,
        stage=f"{task}/1",
        run=f"run-{rng.randrange(60)}",
        request=" ".join(rng.choices(WORDS, k=4)),
        passed=rng.choice([True, True, True, False, None]),
        calls=tuple(ToolCall(f"{WORDS[n % 3]}_{n}") for n in rng.choices(range(9), k=rng.randrange(0, 4))),
        source="log.json",
        finished=rng.choice([None, "2026-01-02T00:00:00Z", "2026-03-04T00:00:00Z"]),
    )


@pytest.mark.parametrize("seed", range(3))
def test_a_refreshed_snapshot_is_a_fresh_one(db: Database, encoder: Encoder, seed: int) -> None:
    rng = random.Random(seed)
    load_tools(db, encoder, [spec(rng, number) for number in range(5)])
    search = ToolSearch.read(db, encoder)
    for _ in range(8):
        what = rng.random()
        if what < 0.25:
            load_tools(db, encoder, [spec(rng, rng.randrange(9)) for _ in range(2)])
        elif what < 0.9:
            load_logs(db, encoder, [run(rng) for _ in range(rng.randrange(1, 12))])
        elif (tools := [tool.id for tool in search.snapshot.tools])[1:]:
            forget_tool(db, encoder, rng.choice(tools))
        search = search.refresh(db)
        fresh = ToolSearch.read(db, encoder)
        assert_equal(search.snapshot, fresh.snapshot)
        assert search.search("approve the request", k=5) == fresh.search("approve the request", k=5)


def reads(db: Database, monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """Rows that each statement returns from now on."""
    counts: dict[str, int] = {}
    before = Database._read

    def counted(self: Database, name: str, *rest: Any) -> list[dict[str, Any]]:
        rows = before(self, name, *rest)
        counts[name] = counts.get(name, 0) + len(rows)
        return rows

    monkeypatch.setattr(Database, "_read", counted)
    return counts


def test_only_what_changed_is_read(db: Database, encoder: Encoder, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(1)
    load_logs(db, encoder, [run(rng) for _ in range(80)])
    search = ToolSearch.read(db, encoder)
    assert len(search.snapshot.stages) > 20
    new = StageRun("new", "new/1", "r", "approve the new thing", True, (ToolCall("list_0"), ToolCall("approve_1")), "x")
    load_logs(db, encoder, [new])
    counts = reads(db, monkeypatch)
    refreshed = search.refresh(db)
    assert "retrieve/tool_solved_stages" not in counts
    assert counts["retrieve/tool_stages_changed"] == 1
    assert counts["retrieve/tool_next_changed"] <= 1
    assert counts.keys().isdisjoint({"retrieve/tool_similar", "retrieve/tool_requires", "retrieve/tool_tried"})
    assert len(refreshed.snapshot.stages) == len(search.snapshot.stages) + 1
    assert refreshed.search("approve the new thing", k=1)[0].because


def test_another_store_is_read_whole(db: Database, encoder: Encoder) -> None:
    load_tools(db, encoder, [ToolSpec("one")])
    search = ToolSearch.read(db, encoder)
    search._store = "another"
    load_tools(db, encoder, [ToolSpec("two")])
    assert [tool.id for tool in search.refresh(db).snapshot.tools] == ["one", "two"]


def test_what_other_statements_wrote_is_read(db: Database, encoder: Encoder) -> None:
    load_tools(db, encoder, [ToolSpec("one", domain="mail")])
    search = ToolSearch.read(db, encoder)
    list(db.run("MATCH (t:Tool) SET t.domain = 'rooms'", write=True))
    assert [tool.domain for tool in search.refresh(db).snapshot.tools] == ["rooms"]


def test_vectors_are_in_memory_once(db: Database, encoder: Encoder) -> None:
    rng = random.Random(2)
    load_logs(db, encoder, [run(rng) for _ in range(30)])
    search = ToolSearch.read(db, encoder)
    snapshot: ToolSnapshot = search.snapshot
    assert search._rows is not None
    for number, row in enumerate(search._rows.rows["retrieve/tool_solved_stages"]):
        assert np.shares_memory(row["embedding"], snapshot.past.nearest[number])
        assert np.shares_memory(row["clauses"], snapshot.past.clauses.vectors)
