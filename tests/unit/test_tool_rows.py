"""Rows kept in memory: what they say stays, in less room."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphstore.retrieval import tool_rows
from graphstore.retrieval.tool_clauses import Clauses
from graphstore.retrieval.tool_rows import Packed


def arrived(number: int) -> dict[str, object]:
    """A row as a driver makes it: no text in it is any other's."""
    clauses = np.full((2, 3), number, dtype=np.float16).tobytes()
    path = {"tools": ["find", "open"], "steps": [0, number % 2], "count": 1, "efficiency": 1.0, "shortest": True}
    row = {"id": f"s{number}", "request": "find it", "paths": [path]}
    return {**json.loads(json.dumps(row)), "embedding": [float(number)] * 3, "clauses": clauses}


@pytest.mark.parametrize("block", [1, 100, 1 << 20])
def test_packed_rows_say_the_same(monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    monkeypatch.setattr(tool_rows, "_BLOCK", block)
    packed = Packed()
    rows = [packed(arrived(number)) for number in range(9)]
    for number, row in enumerate(rows):
        assert row["embedding"].tolist() == [number] * 3
        assert row["embedding"].dtype == np.float32
        assert row["clauses"].tolist() == [number] * 6
        assert row["clauses"].dtype == np.float16
        (path,) = row["paths"]
        assert path["tools"] == ("find", "open")
        # each tool a step of its own needs no numbers
        assert path.get("steps") == (None if number % 2 else (0, 0))


def test_what_rows_repeat_is_there_once() -> None:
    packed = Packed()
    (one,), (other,) = (packed(arrived(number))["paths"] for number in range(2))
    assert one["tools"][0] is other["tools"][0]
    assert next(key for key in one if key == "tools") is next(key for key in other if key == "tools")


def test_a_path_is_there_once_for_all_stages_that_it_solved_alike() -> None:
    packed = Packed()
    paths = [packed(arrived(number))["paths"][0] for number in range(4)]
    assert paths[0] is paths[2]
    assert paths[1] is paths[3]
    other = arrived(0)
    other["paths"] = [{**path, "count": 2} for path in arrived(0)["paths"]]  # type: ignore[attr-defined]
    assert packed(other)["paths"][0]["count"] == 2
    assert paths[0]["count"] == 1


def test_rows_without_vectors_stay_without() -> None:
    row = Packed()({"id": "t", "embedding": None, "clauses": b""})
    assert row == {"id": "t", "embedding": None, "clauses": b""}


def test_shared_rows_hold_the_lines_of_the_matrices() -> None:
    packed = Packed()
    rows = tool_rows.ToolRows({"retrieve/tool_solved_stages": [packed(arrived(number)) for number in range(2)]})
    vectors = np.ones((2, 3), np.float32)
    clauses = Clauses.of([np.ones((1, 3), np.float16), np.ones((2, 3), np.float16)], 3)
    rows.share("retrieve/tool_solved_stages", np.array([1]), vectors.__getitem__, clauses.__getitem__)
    first, second = rows.rows["retrieve/tool_solved_stages"]
    assert not np.shares_memory(first["embedding"], vectors)
    assert np.shares_memory(second["embedding"], vectors)
    assert np.shares_memory(second["clauses"], clauses.vectors)
    assert second["clauses"].shape == (2, 3)


@given(
    st.sets(st.integers(0, 15)),
    st.dictionaries(st.integers(0, 15), st.booleans()),
)
def test_rows_after_others_are_those_read_whole(known: set[int], written: dict[int, bool]) -> None:
    name, fresh = "retrieve/tool_solved_stages", Packed()
    before = tool_rows.ToolRows.read([name], [[fresh(arrived(number)) for number in sorted(known)]])
    # a stage that no passed run solves any more is none of the solved ones
    changed = [fresh(arrived(number) | ({} if solved else {"paths": []})) for number, solved in written.items()]
    after = before.after([name], [changed])
    names = [row["id"] for row in before.rows[name]]
    wanted = {row["id"]: row for row in before.rows[name] if int(row["id"][1:]) not in written}
    wanted |= {row["id"]: row for row in changed if row["paths"]}
    rows, since = after.rows[name], after.since[name]
    assert [row["id"] for row in rows] == sorted(wanted)
    assert all(row is wanted[row["id"]] for row in rows)
    assert [names[number] if number >= 0 else None for number in since.numbers.tolist()] == [
        row["id"] if row["id"] in names else None for row in rows
    ]
    assert since.written.tolist() == [number for number, row in enumerate(rows) if int(row["id"][1:]) in written]
