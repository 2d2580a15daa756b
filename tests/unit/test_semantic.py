"""The text of a tool and its semantic neighbours."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from graphstore.toolgraph.semantic import Similar, name_words, similar_tools, tool_text


def unit(rows: list[list[float]]) -> np.ndarray:
    vectors = np.array(rows, dtype=np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def test_text_holds_name_description_and_parameters() -> None:
    schema = {
        "type": "object",
        "properties": {"document_id": {"type": "string", "description": "Which document."}, "dryRun": {}},
    }
    text = tool_text("docs.checkAccess", "Check who may read.", schema)
    assert text == "docs check Access. Check who may read. document id: Which document., dry Run"


def test_text_of_a_tool_that_says_nothing_is_its_name_and_never_blank() -> None:
    assert tool_text("工具", "", {}) == "工具"
    assert tool_text("__", "", {"type": "object"}) == "__"
    assert name_words("tool-with-dash") == "tool with dash"


def test_edges_are_stored_once_with_source_before_target() -> None:
    assert similar_tools(["b", "a", "c"], unit([[1, 0.1], [1, 0], [-1, 0]])) == [Similar("a", "b", 0.995)]


def test_floor_and_number_of_neighbours_bound_the_edges() -> None:
    vectors = unit([[1, 0], [1, 0.1], [1, 0.2], [0, 1]])
    ids = ["a", "b", "c", "d"]
    assert all("d" not in (edge.source, edge.target) for edge in similar_tools(ids, vectors, floor=0.5))
    nearest = similar_tools(ids, vectors, neighbours=1, floor=0.5)
    assert {(edge.source, edge.target) for edge in nearest} == {("a", "b"), ("b", "c")}


def test_equal_texts_tie_by_name() -> None:
    ids = ["e", "d", "c", "b", "a"]
    edges = similar_tools(ids, unit([[1, 0]] * 5), neighbours=1)
    assert edges == [Similar("a", other, 1.0) for other in "bcde"]


def test_one_tool_has_no_neighbour() -> None:
    assert similar_tools(["a"], unit([[1, 0]])) == []


@given(st.permutations(range(12)), st.integers(0, 5))
def test_edges_do_not_depend_on_the_order_of_tools(order: list[int], seed: int) -> None:
    vectors = unit(np.random.default_rng(seed).normal(size=(12, 4)).tolist())
    ids = [f"t{i}" for i in range(12)]
    assert similar_tools([ids[i] for i in order], vectors[order], neighbours=3) == similar_tools(
        ids, vectors, neighbours=3
    )
