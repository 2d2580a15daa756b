"""A snapshot grown by updates is the one that would be read afresh: for any documents, any changes, any reader."""

from __future__ import annotations

import zlib
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from same_snapshots import assert_same, assert_same_view

from graphstore.retrieval.corpus_growth import build_snapshot, title_keys
from graphstore.retrieval.splices import Grouped, Places
from graphstore.visibility import OWNER, Visibility

DIMENSIONS = 4
NAMES = ("Blue Heron", "Atlas", "Kestrel Ltd", "Maria", "李伟", "The Who", "O'Brien", "C++")
TITLES = (*NAMES, "Maria (queen)", "Notes", "", "the Atlas of Kestrel Ltd")
WORDS = (*NAMES, "saw", "The Who’s", "O\u02bcBrien", "Maria\u02bcs", "blue-Heron", "Blue_Heron", "C++_x", "and.", "In")
ACLS = ((), ("anna",), ("anna", "bo"))

document = st.fixed_dictionaries(
    {
        "title": st.sampled_from(TITLES),
        "text": st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join),
        "mentions": st.sets(st.sampled_from(NAMES), max_size=3),
        "forms": st.sampled_from(["", "s", " & Co"]),
        "acl": st.sampled_from(ACLS),
        "date": st.sampled_from([None, "2026-01-02", "2026-05-06"]),
        "vectors": st.integers(0, 3),
    }
)
state = st.dictionaries(st.sampled_from([*"abcdefgh", "é", "\uffee", "\U0001f600"]), document, max_size=9)
kinds = st.dictionaries(st.sampled_from(NAMES), st.sampled_from(["person", "place"]), max_size=3)


def vector(*of):
    return np.random.default_rng(zlib.crc32(repr(of).encode())).normal(size=DIMENSIONS)


def entities_of(documents, types):
    held = {name for each in documents.values() for name in each["mentions"]}
    return {f"e-{name}": {"id": f"e-{name}", "name": name, "type": types.get(name, "topic")} for name in held}


def rows(documents, entities):
    """What the statements return of documents and entities, in the server's order: not that of Python."""
    ids = sorted(documents, key=lambda id: id.encode("utf-16-be"))
    chosen = [documents[id] for id in ids]
    block = {
        "ids": ids,
        "paths": [f"{id}.md" for id in ids],
        "titles": [each["title"] for each in chosen],
        "texts": [each["text"] for each in chosen],
        "acl": [list(each["acl"]) for each in chosen],
        "dates": [each["date"] for each in chosen],
        "known": [each["date"] for each in chosen],
    }
    pairs = [(id, name) for id in ids for name in sorted(documents[id]["mentions"], reverse=True)]
    links = {
        "documents": [id for id, _ in pairs],
        "entities": [f"e-{name}" for _, name in pairs],
        "weights": [1.0 + len(documents[id]["text"]) for id, _ in pairs],
        "own": [documents[id]["title"] == name for id, name in pairs],
        "names": [sorted({name, name + documents[id]["forms"]}) for id, name in pairs],
    }
    chunks = [(id, i) for id in ids for i in range(documents[id]["vectors"])]
    vectors = {
        "documents": [id for id, _ in chunks],
        "embeddings": [vector(id, i).tolist() if i < 2 else None for id, i in chunks],
        "sentences": [
            np.array([vector(id, i, s) for s in range(i)], dtype=np.float16).tobytes() or None for id, i in chunks
        ],
    }
    return [[block] if ids else [], list(entities.values()), [links], [vectors]]


def fresh(documents, types):
    return build_snapshot(1, rows(documents, entities_of(documents, types)), DIMENSIONS)


def grown(before, old, new):
    """A snapshot of one state grown to another; states are documents and types."""
    entities, entities_before = entities_of(*new), entities_of(*old)
    changed = {id: each for id, each in new[0].items() if old[0].get(id) != each}
    written = {id: each for id, each in entities.items() if entities_before.get(id) != each}
    asked = []

    def texts_of(ids):
        assert not set(ids) & set(changed)
        asked.extend(ids)
        return {id: new[0][id]["text"] for id in ids}

    return build_snapshot(
        2,
        rows(changed, written),
        DIMENSIONS,
        before,
        gone=old[0].keys() - new[0].keys(),
        entities_gone=entities_before.keys() - entities.keys(),
        texts_of=texts_of,
    )


@given(st.lists(st.tuples(state, kinds), min_size=2, max_size=4))
@settings(max_examples=200, deadline=None)
def test_growing_through_states_gives_what_a_fresh_reading_gives(states):
    snapshot = fresh(*states[0])
    for old, new in pairwise(states):
        snapshot = grown(snapshot, old, new)
        wanted = fresh(*new)
        assert_same(snapshot, wanted)
        for who in (OWNER, Visibility.of(["anna"]), Visibility.of(["bo"]), Visibility.of(["anna"], "2026-03-01")):
            assert_same_view(snapshot, wanted, who)


@given(state, document, st.sampled_from("abz"))
@settings(max_examples=100, deadline=None)
def test_one_document_more_or_changed(documents, one, id):
    old, new = (documents, {}), ({**documents, id: one}, {})
    assert_same(grown(fresh(*old), old, new), fresh(*new))


def test_a_new_title_is_looked_for_only_where_its_words_stand():
    bare = {"mentions": set(), "forms": "", "acl": (), "date": None, "vectors": 1}
    documents = {
        "a": bare | {"title": "Notes", "text": "they saw Kestrel Ltd there"},
        "b": bare | {"title": "More notes", "text": "they saw nobody"},
    }
    new = {**documents, "c": bare | {"title": "Kestrel Ltd", "text": "a firm"}}
    asked = []

    def texts_of(ids):
        asked.extend(ids)
        return {id: documents[id]["text"] for id in ids}

    snapshot = build_snapshot(2, rows({"c": new["c"]}, {}), DIMENSIONS, fresh(documents, {}), texts_of=texts_of)
    assert asked == ["a"]
    assert snapshot.titles.documents.tolist() == [0]
    assert_same(snapshot, fresh(new, {}))


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Maria", "they saw Maria\u02bcs house"),
        ("O'Brien", "they saw O\u02bcBrien there"),
        ("C++ Group", "they saw the C++_Group there"),
        ("The Who", "they saw The Who there"),
        ("Blue-Heron", "they saw Blue\u00adHeron there"),
        ("Ｂ１２", "they saw B12 there"),
    ],
)
def test_a_new_title_is_found_however_the_text_writes_it(title, text):
    bare = {"mentions": set(), "forms": "", "acl": (), "date": None, "vectors": 1}
    documents = {"a": bare | {"title": "Notes", "text": text}, "b": bare | {"title": "More", "text": "they saw nobody"}}
    new = {**documents, "c": bare | {"title": title, "text": "this one"}}
    found = grown(fresh(documents, {}), (documents, {}), (new, {}))
    assert found.titles.documents.tolist() == [0]
    assert_same(found, fresh(new, {}))


def test_what_did_not_change_is_not_cut_into_words_again(monkeypatch):
    bare = {"title": "Notes", "text": "they saw", "mentions": set(), "forms": "", "acl": (), "date": None, "vectors": 1}
    documents = {id: bare for id in "abcd"}
    before = fresh(documents, {})
    read = []
    real = build_snapshot.__globals__["tokenise"]
    monkeypatch.setitem(build_snapshot.__globals__, "tokenise", lambda text: read.append(text) or real(text))
    grown(before, (documents, {}), ({**documents, "e": bare | {"text": "another"}}, {}))
    assert read == ["Notes", "Notes\nanother"]


@pytest.mark.parametrize(
    ("before", "new", "gone", "ids", "places"),
    [
        ("bd", "ac", "", "abcd", [1, 3]),
        ("bd", "b", "", "bd", [-1, 1]),
        ("bd", "", "b", "d", [-1, 0]),
        ("", "", "", "", []),
        ("b", "b", "b", "b", [-1]),
    ],
)
def test_places_after_an_update(before, new, gone, ids, places):
    found = Places.of(list(before), list(new), set(gone))
    assert ("".join(found.ids), found.before.tolist()) == (ids, places)
    assert [found.ids[i] for i in found.new] == list(new)
    assert "".join(found.listed(before, new)) == ids


@given(st.lists(st.integers(0, 3), max_size=5), st.lists(st.integers(0, 3), max_size=5), st.randoms())
def test_splicing_gives_each_thing_its_own_values(old, new, chance):
    parts = [
        Grouped.by(np.repeat(np.arange(len(counts)), counts), len(counts), start + np.arange(sum(counts)))
        for counts, start in ((old, 0), (new, 100))
    ]
    order = list(range(len(old) + len(new)))
    chance.shuffle(order)
    order = order[: chance.randint(0, len(order))]
    found = parts[0].spliced(parts[1], np.array(order, dtype=np.int64))
    lists = [
        part.values[0][part.starts[i] : part.starts[i + 1]].tolist()
        for part in parts
        for i in range(len(part.starts) - 1)
    ]
    assert found.values[0].tolist() == [value for i in order for value in lists[i]]
    assert np.diff(found.starts).tolist() == [len(lists[i]) for i in order]


def test_title_keys_are_the_names_that_a_title_gives():
    assert title_keys("Inception (film)") == ["inception", "inception (film"]
    assert title_keys("") == []
