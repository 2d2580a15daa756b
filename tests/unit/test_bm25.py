"""BM25 against an independent implementation, by hand, and for readers who see only a part."""

from __future__ import annotations

import math

import bm25s
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphstore.retrieval.bm25 import BM25

WORDS = ["atlas", "launch", "minutes", "权限", "c++", "budget"]
DOCUMENTS = st.lists(st.lists(st.sampled_from(WORDS), max_size=12), min_size=1, max_size=8)
QUERY = st.lists(st.sampled_from([*WORDS, "unheard"]), max_size=8)


def test_single_match_has_the_score_of_the_formula():
    index = BM25([["red", "apple"], ["green", "apple", "pie", "crust"]])
    expected = math.log(1 + 1.5 / 1.5) * 1 / (1 + 1.5 * (1 - 0.75 + 0.75 * 2 / 3))
    np.testing.assert_allclose(index.scores(["red"]), [expected, 0], rtol=1e-6)


@settings(max_examples=60, deadline=None)
@given(DOCUMENTS, QUERY)
def test_agrees_with_bm25s(documents, query):
    known = [token for token in query if any(token in d for d in documents)]
    if not known:
        return
    peer = bm25s.BM25(method="lucene", k1=1.5, b=0.75)
    peer.index(documents, show_progress=False)
    np.testing.assert_allclose(BM25(documents).scores(query), peer.get_scores(known), rtol=1e-4, atol=1e-6)


@settings(max_examples=60, deadline=None)
@given(DOCUMENTS, QUERY, st.integers(0, 255))
def test_invisible_documents_leave_no_trace(documents, query, bits):
    visible = np.array([bool(bits >> i & 1) for i in range(len(documents))])
    whole = BM25(documents).scores(query, visible=visible)
    alone = BM25([d for d, seen in zip(documents, visible, strict=True) if seen]).scores(query)
    np.testing.assert_allclose(whole[visible], alone, rtol=1e-6)
    assert not whole[~visible].any()


@pytest.mark.parametrize("documents", [[], [[]], [[], []]])
def test_empty_collections_score_zero(documents):
    assert not BM25(documents).scores(["atlas"]).any()


def test_unknown_and_absent_words_score_zero():
    index = BM25([["atlas"]])
    assert index.scores([]).tolist() == [0.0]
    assert index.scores(["unheard"]).tolist() == [0.0]


def test_rare_words_weigh_more_than_common_ones():
    index = BM25([["atlas", "launch"], ["launch"], ["launch"]])
    assert index.idf("atlas") > index.idf("launch") > index.idf("unheard") == 0.0


def test_two_thousand_words_are_one_question():
    index = BM25([["atlas"], ["launch"]])
    assert index.scores(["atlas"] * 1000 + ["x"] * 1000)[0] > 0
