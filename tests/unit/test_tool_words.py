"""Names of tools, and the clauses that they were used for, as lexical indexes."""

from collections.abc import Collection

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphstore.retrieval import tool_words
from graphstore.retrieval.bm25 import BM25
from graphstore.retrieval.tool_usage import UsageVectors
from graphstore.retrieval.tool_words import PER_TOOL, Names, Read, asked_for

words = st.sampled_from(["send", "mail", "file", "room", "book"])


def index_of(
    requests: list[str],
    counts: list[int],
    used: list[list[int]],
    before: Read | None = None,
    changed: Collection[int] = (),
) -> Read:
    """
    :param used: Numbers of the clauses that each tool was used for, among those of all requests.
    """
    first = np.cumsum([0, *counts])
    rows = np.array([row for each in used for row in each], dtype=np.int64)
    stages = np.searchsorted(first, rows, side="right") - 1
    starts = np.cumsum([0, *map(len, used)])
    clauses = UsageVectors(np.empty((0, 1), np.float32), rows, starts, stages, rows - first[stages])
    tools = [f"tool {number}" for number in range(len(used))]
    return asked_for(requests.__getitem__, clauses, np.array(counts), tools, before, changed)


def test_a_clause_is_read_for_the_tool_that_answered_it_alone():
    index = index_of(["Find the signed contract, then mail it to Mrs Li"], [2], [[0], [1]])
    assert np.flatnonzero(index.scores(["contract"])).tolist() == [0]
    assert np.flatnonzero(index.scores(["mail"])).tolist() == [1]


def test_a_request_that_is_cut_otherwise_than_its_vectors_were_is_read_whole():
    index = index_of(["Book a room", "Find the signed contract, then mail it to Mrs Li"], [1, 3], [[0], [3]])
    assert index.scores(["contract"])[1] > 0
    assert index.scores(["mail"])[1] > 0
    assert index.scores(["room"])[1] == 0


def test_a_stage_without_vectors_says_nothing():
    index = index_of(["Book a room", "Mail the contract"], [0, 1], [[0]])
    assert index.scores(["mail"])[0] > 0
    assert index.scores(["room"])[0] == 0


def test_the_same_words_are_read_once_and_so_many_at_the_most():
    requests = ["Mail the contract", "Mail the contract", *(f"Mail letter{number}" for number in range(PER_TOOL))]
    index = index_of(requests, [1] * len(requests), [list(range(len(requests)))])
    assert index.postings.lengths.tolist() == [2 * PER_TOOL]
    assert index.scores([f"letter{PER_TOOL - 1}"])[0] == 0


def test_no_history_says_nothing():
    assert index_of([], [], [[], []]).scores(["mail"]).tolist() == [0, 0]


@given(st.lists(st.lists(words, max_size=3).map("_".join), min_size=1, max_size=6), st.sets(words))
def test_the_share_of_a_name_grows_with_the_words_and_is_whole_with_all(names, tokens):
    index = Names(names)
    share = index.held(tokens)
    assert ((share >= 0) & (share <= 1 + 1e-9)).all()
    assert (index.held({*tokens, "mail"}) >= share - 1e-12).all()
    whole = index.held({"send", "mail", "file", "room", "book"})
    assert np.allclose(whole, [float(bool(name)) for name in names])


texts = st.lists(words, max_size=4)


@given(st.dictionaries(words, texts), st.dictionaries(words, texts))
def test_an_index_of_what_changed_is_one_of_all(first: dict[str, list[str]], second: dict[str, list[str]]) -> None:
    def index(of: dict[str, list[str]], before: Read | None = None) -> Read:
        return Read({tool: tuple(tokens) for tool, tokens in of.items()}, list(of.values()).__getitem__, before)

    whole, refreshed = index(second), index(second, index(first))
    assert whole.read == refreshed.read
    for name in ("vocabulary", "starts", "documents", "counts", "lengths"):
        assert np.array_equal(getattr(whole.postings, name), getattr(refreshed.postings, name)), name
    plain = BM25(second.values())
    for token in ("send", "mail", "file", "room", "book"):
        assert whole.scores([token]).tolist() == plain.scores([token]).tolist()


def test_only_tools_that_were_used_anew_are_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    requests = ["Find the signed contract, then mail it to Mrs Li", "Book a room"]
    before = index_of(requests, [2, 1], [[0], [1], [2]])
    read: list[str] = []
    monkeypatch.setattr(tool_words, "tokenise", lambda text: read.append(text) or text.lower().split())
    index = index_of([*requests, "Reserve a hall"], [2, 1, 1], [[0], [1], [2, 3]], before, {2})
    assert read == ["Book a room", "Reserve a hall"]
    assert np.flatnonzero(index.scores(["hall"])).tolist() == [2]
    assert np.flatnonzero(index.scores(["contract"])).tolist() == [0]
