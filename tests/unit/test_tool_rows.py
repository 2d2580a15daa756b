"""Rows kept in memory: what they say stays, in less room."""

from __future__ import annotations

import json

import numpy as np
import pytest

from graphstore.retrieval import tool_rows
from graphstore.retrieval.tool_rows import Packed
from graphstore.retrieval.tool_usage import Clauses


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
    vectors, halves = np.ones((2, 3), np.float32), np.ones((3, 3), np.float16)
    rows.share("retrieve/tool_solved_stages", vectors, Clauses(halves, np.array([0, 1, 3])))
    first, second = rows.rows["retrieve/tool_solved_stages"]
    assert np.shares_memory(first["embedding"], vectors)
    assert np.shares_memory(second["clauses"], halves)
    assert (first["clauses"].shape, second["clauses"].shape) == ((1, 3), (2, 3))
