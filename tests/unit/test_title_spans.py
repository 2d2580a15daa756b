"""Titles in texts: what is taken for one, which of several counts, and for whom."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from graphstore.retrieval import title_spans as spans_module
from graphstore.retrieval.title_spans import spellings, weak_links


def title_spans(titles, texts):
    return spans_module.title_spans({i: spellings(title) for i, title in enumerate(titles)}, dict(enumerate(texts)))


def linked(titles, texts, *, links=(), own=(), visible=None):
    """Pairs of titles, the first in whose text the second stands, and how many documents name each.

    :param links: Pairs of a document and an entity, both by number; ``own`` are those that the document is about.
    """
    n = len(titles)
    pairs = sorted({*links, *own})
    rows, columns = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    matrix = sparse.csr_array((np.ones(len(pairs)), (rows, columns)), shape=(n, 1 + max(columns, default=0)))
    about = np.array([pair in own for pair in pairs], dtype=np.bool_)
    seen = None if visible is None else np.array(visible, dtype=np.bool_)
    weak, named = weak_links(title_spans(titles, texts), matrix, about, seen)
    return {(titles[a], titles[b]) for a, b in zip(*weak.nonzero(), strict=True)}, named.tolist()


def held(title, text):
    return bool(len(title_spans([title], [text])))


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Socrates", "Lamprocles was Socrates' and Xanthippe's eldest son."),
        ("Socrates", "It was the trial of Socrates’s pupils (Socrates)."),
        ("Christian August, Prince of Zerbst", "She married Christian August, Prince of Zerbst, in 1727."),
        ("Christine of Kassel (1578–1658)", "He then married Christine of Kassel, a daughter of William."),
        ("Big Day (film)", "They met on the set of Big Day (film)."),
        ("Blue Heron", "Blue Heron waits."),
        ("Blue Heron", "When Blue Heron waits"),
        ("Blue-Heron", "so the Blue\n Heron waits"),
        ("McDonald's", "at a McDonald's in town"),
        ("2022 Winter Olympics", "the 2022 Winter Olympics"),
    ],
)
def test_a_title_is_found_as_it_is_written(title, text):
    assert held(title, text)


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Socrates", "for socrates it was"),  # another spelling
        ("Socrates", "Socrates was a man. Socrates died."),  # a sentence's first word
        ("Empire", "the Ottoman Empire fell"),  # a part of a longer name
        ("Empire", "the Empire State Building"),
        ("Blue Heron", "the Great Blue Heron waits"),
        ("Atlanta (album)", "he lives in Atlanta"),  # one word is not enough where brackets say which of several it is
        ("March", "it was in March"),
        ("Up", "going Up there"),
        ("", "nothing at all"),
        ("(…)", "marks (…) only"),
    ],
)
def test_what_may_be_something_else_is_no_title(title, text):
    assert not held(title, text)


def test_the_longest_title_counts():
    titles = ["Blue Heron", "Blue Heron Two", "Note"]
    assert linked(titles, ["", "", "see Blue Heron Two here"])[0] == {("Note", "Blue Heron Two")}


def test_a_documents_own_title_is_no_link_and_covers_what_lies_within():
    titles = ["Blue Heron of Kestrel", "Blue Heron"]
    assert linked(titles, ["the Blue Heron of Kestrel", ""])[0] == set()


def test_a_title_of_several_documents_names_none():
    assert linked(["Big Day (film)", "Big Day (song)", "Note"], ["", "", "see Big Day now"])[0] == set()
    assert linked(["Big Day", "Big Day", "Note"], ["", "", "see Big Day now"])[0] == set()
    assert linked(["Big Day (film)", "Big Day (song)", "Note"], ["", "", "see Big Day (song) now"])[0] == {
        ("Note", "Big Day (song)")
    }


def test_what_an_entity_links_needs_no_weak_link_and_is_counted():
    titles, texts = ["Blue Heron", "Note", "Letter"], ["", "of Blue Heron", "of Blue Heron"]
    weak, named = linked(titles, texts, links=[(1, 0), (2, 5)], own=[(0, 0), (1, 5)])
    assert weak == {("Letter", "Blue Heron")}
    assert named == [2, 0, 0]


def test_an_invisible_document_neither_links_nor_makes_a_title_ambiguous_nor_covers_one():
    titles = ["Big Day (film)", "Big Day (song)", "Note", "Big Day Two"]
    texts = ["", "", "of Big Day, then of Big Day Two", "of Big Day (film)"]
    assert linked(titles, texts, visible=[1, 0, 1, 1])[0] == {
        ("Note", "Big Day (film)"),
        ("Note", "Big Day Two"),
        ("Big Day Two", "Big Day (film)"),
    }
    assert linked(titles, texts, visible=[0, 0, 1, 0])[0] == set()


def test_nothing_has_no_titles():
    assert linked([], []) == (set(), [])


WORDS = st.sampled_from(["Ada", "Bel", "Cid", "of", "Ada,", "Bel's", "(Cid)"])
TEXTS = st.lists(WORDS, max_size=12).map(" ".join)


@given(st.lists(st.tuples(TEXTS, TEXTS, st.booleans()), max_size=6))
def test_links_are_those_of_the_visible_documents_alone(corpus):
    """Numbers stand for titles: two documents may have one."""
    numbers = [i for i, (_, _, seen) in enumerate(corpus) if seen]

    def pairs(documents, visible=None):
        n = len(documents)
        none = sparse.csr_array((n, 1))
        spans = title_spans([title for title, _, _ in documents], [text for _, text, _ in documents])
        weak, named = weak_links(spans, none, np.zeros(0, dtype=np.bool_), visible)
        return set(zip(*(side.tolist() for side in weak.nonzero()), strict=True)), named

    among, named = pairs(corpus, np.array([seen for _, _, seen in corpus], dtype=np.bool_))
    alone, counted = pairs([corpus[i] for i in numbers])
    assert among == {(numbers[a], numbers[b]) for a, b in alone}
    assert named[numbers].tolist() == counted.tolist()
