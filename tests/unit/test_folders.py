"""The rule of what lies in a folder, on its own."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from graphstore.folders import folder_named, in_folder
from graphstore.retrieval.narrowing import Filters

NAMES = st.lists(st.sampled_from(["a", "ab", "minutes", "会议", "x.md"]), min_size=1, max_size=4)


@given(path=NAMES, depth=st.integers(0, 3), dressed=st.sampled_from(["{}", "{}/", "/{}", "./{}", "./{}//", ".//{}"]))
def test_every_folder_above_a_document_holds_it_however_it_is_written(path, depth, dressed):
    folder = folder_named(dressed.format("/".join(path[:depth])))
    assert in_folder("/".join(path), folder)


@given(path=NAMES, folder=NAMES)
def test_a_folder_holds_what_begins_with_its_own_parts_and_nothing_else(path, folder):
    assert in_folder("/".join(path), "/".join(folder)) == (path[: len(folder)] == folder)


def test_a_filter_keeps_the_folder_as_it_is_compared():
    assert Filters.of(folder="./minutes/").folder == "minutes"
    assert Filters.of(folder="/") == Filters.of(folder=None)
