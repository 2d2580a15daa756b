"""Paths side by side: every column is its path, and what is equal shares a row."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from graphstore.toolgraph.compared import side_by_side, steps_of

steps = st.tuples(st.sampled_from("abcd"))


@given(st.lists(st.lists(steps, min_size=1, max_size=6), min_size=1, max_size=4))
def test_each_column_read_down_is_its_path(paths: list[list[tuple[str]]]) -> None:
    rows = side_by_side(paths)
    for column, path in enumerate(paths):
        assert [row[column] for row in rows if row[column] is not None] == path


@given(st.lists(st.lists(steps, min_size=1, max_size=6), min_size=1, max_size=4))
def test_a_row_holds_one_step_and_is_never_empty(paths: list[list[tuple[str]]]) -> None:
    for row in side_by_side(paths):
        assert len({step for step in row if step is not None}) == 1


def test_equal_paths_share_every_row() -> None:
    path = [("find",), ("copy", "open"), ("send",)]
    assert side_by_side([path, path]) == [(step, step) for step in path]


def test_what_one_path_does_more_has_a_row_of_its_own() -> None:
    rows = side_by_side([[("look",), ("book",)], [("clock",), ("look",), ("book",), ("tell",)]])
    assert rows == [
        (None, ("clock",)),
        (("look",), ("look",)),
        (("book",), ("book",)),
        (None, ("tell",)),
    ]


def test_calls_made_together_are_one_step() -> None:
    assert steps_of(["a", "b", "c"], [0, 0, 1]) == (("a", "b"), ("c",))
    assert steps_of(["a", "a"], None) == (("a",), ("a",))
