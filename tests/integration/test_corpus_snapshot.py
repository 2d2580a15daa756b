"""The search snapshot, read from a real server and kept in the cache folder."""

from __future__ import annotations

import json

import numpy as np
import pytest
from same_snapshots import assert_same, assert_same_view

from graphstore.client import GraphStore
from graphstore.db import Database
from graphstore.errors import ConnectError
from graphstore.retrieval import corpus_cache, corpus_growth
from graphstore.retrieval.corpus_cache import load_snapshot, open_snapshot
from graphstore.retrieval.corpus_reading import read_snapshot
from graphstore.retrieval.documents import DocumentSearch
from graphstore.settings import Settings
from graphstore.visibility import OWNER, Visibility

DIMENSIONS = 384
TEXTS = {
    "minutes": ("Minutes of Monday", "Blue Heron waits for the audit.", ["Blue Heron"]),
    "plan": (
        "Project Atlas",
        "Project Atlas is called Blue Heron inside the company.",
        ["Project Atlas", "Blue Heron"],
    ),
    "lunch": ("Canteen", "Soup on Monday.", []),
}


def write(db, encoder, texts=TEXTS):
    """Documents with vectors, entities and links, as loading writes them."""
    names = sorted({name for _, _, mentions in texts.values() for name in mentions})
    documents, chunks, links = [], [], []
    for id, (title, text, mentions) in texts.items():
        vectors, spans = encoder.encode_spans([f"{title}\n{text}"], [[(len(title) + 1, len(title) + 1 + len(text))]])
        base = {"id": id, "path": f"{id}.md", "title": title, "text": text, "hash": id, "acl": [], "loaded": ""}
        documents.append(base | {"created": None, "modified": None, "metadata": "{}", "extracted": "{}"})
        chunk = {"document": id, "id": f"{id}#0", "index": 0, "start": 0, "end": len(text)}
        chunk |= {"sentence_starts": [0], "sentence_ends": [len(text)], "embedding": vectors[0].tolist()}
        chunks.append(chunk | {"sentences": spans[0].astype(np.float16).tobytes()})
        for name in mentions:
            link = dict.fromkeys(("confidence", "decision", "reason", "runner_up", "decided_by", "at"))
            link |= {"document": id, "entity": name, "names": [name], "count": 1, "weight": 1.0, "own": name == title}
            links.append(link | {"statements": [text], "starts": [0], "ends": [len(text)], "dates": [""]})
    kinds = [{"name": "project", "definition": "", "identity": "", "examples": []}]
    entities = [
        {"id": n, "name": n, "key": n.casefold(), "type": "project", "aliases": [n], "documents": 1} for n in names
    ]
    db.write(
        ("load/corpus_types", {"rows": kinds}),
        ("load/corpus_documents", {"rows": documents}),
        ("load/corpus_chunks", {"rows": chunks}),
        ("load/corpus_entities", {"rows": entities}),
        ("load/corpus_links", {"rows": links}),
    )


def test_question_is_answered_from_what_the_server_holds(db, encoder, tmp_path):
    write(db, encoder)
    search = DocumentSearch.read(db, encoder, cache=tmp_path)
    result = search.search("can Project Atlas launch?", k=2)
    assert search.version == db.graph_version()
    assert [hit.id for hit in result.documents] == ["plan", "minutes"]
    assert result.documents[1].via == ("Blue Heron",)
    assert [page.name for page in result.pages] == ["Blue Heron"]


@pytest.mark.parametrize("block", [1, 2])
def test_blocks_of_any_size_give_one_snapshot(db, encoder, block, monkeypatch):
    write(db, encoder)
    whole = read_snapshot(db, DIMENSIONS)
    monkeypatch.setattr(corpus_growth, "BLOCK", block)
    assert_same(read_snapshot(db, DIMENSIONS), whole)


def test_empty_store_gives_an_empty_snapshot(db, encoder):
    assert DocumentSearch.read(db, encoder).search("anything").documents == ()


def test_cache_holds_the_version_that_was_read_and_no_older_one(db, encoder, tmp_path):
    write(db, encoder)
    first = load_snapshot(db, DIMENSIONS, cache=tmp_path)
    assert open_snapshot(tmp_path, db.store_id, first.version) is not None
    write(db, encoder, {"new": ("New", "Another text.", [])})
    second = load_snapshot(db, DIMENSIONS, cache=tmp_path)
    assert second.documents.ids == ["lunch", "minutes", "new", "plan"]
    assert open_snapshot(tmp_path, db.store_id, first.version) is None


def test_a_document_that_is_not_whole_yet_is_found_by_its_words(db, encoder):
    db.write(
        (
            "load/corpus_documents",
            {
                "rows": [
                    dict.fromkeys(("created", "modified", "metadata", "extracted", "hash", "loaded"))
                    | {"id": "bare", "path": "bare.md", "title": "Bare", "text": "No vectors.", "acl": []}
                ]
            },
        )
    )
    assert [hit.id for hit in DocumentSearch.read(db, encoder).search("vectors").documents] == ["bare"]


def test_chunks_without_vectors_do_not_shift_those_of_others(db, encoder):
    write(db, encoder)
    list(db.run("MATCH (c:Chunk {id: 'lunch#0'}) SET c.embedding = null, c.sentences = null", write=True))
    snapshot = load_snapshot(db, DIMENSIONS)
    lengths = np.linalg.norm(snapshot.chunks.rows, axis=1).round(3).tolist()
    assert dict(zip(snapshot.documents.ids, lengths, strict=True)) == {"lunch": 0.0, "minutes": 1.0, "plan": 1.0}
    assert np.diff(snapshot.sentences.starts).tolist() == [0, 1, 1]


RECORDS = {
    "a": ("Minutes", "Anna Schmidt of Kestrel Labs met Orla Quist in Berlin.", []),
    "b": ("Project Atlas", "Project Atlas is led by Anna Schmidt, says Orla Quist.", []),
    "c": ("Orla Quist", "Orla Quist of Kestrel Labs wrote to Anna Schmidt.", ["anna"]),
    "d": ("Notes", "The harbour of Berlin froze. A note on Marlow Bridge.", ["bo"]),
}


def load(store, folder, records):
    lines = (
        {"id": id, "path": f"{id}.md", "title": title, "text": text, "acl": acl}
        for id, (title, text, acl) in records.items()
    )
    file = folder / "records.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    assert not store.load_documents(file).rejected


def written(db, statement):
    list(db.run(statement, write=True))


CHANGES = {
    "a new document": lambda store, folder: load(store, folder, {"e": ("Marlow Bridge", "Anna Schmidt spans it.", [])}),
    "another text": lambda store, folder: load(store, folder, {"a": ("Minutes", "Orla Quist stayed at home.", [])}),
    "another reader": lambda store, folder: load(store, folder, {"c": (*RECORDS["c"][:2], ["bo"])}),
    "another title": lambda store, folder: load(store, folder, {"d": ("Marlow Bridge", RECORDS["d"][1], ["bo"])}),
    "nothing": lambda store, folder: load(store, folder, {"b": RECORDS["b"]}),
    "forgotten": lambda store, folder: store.forget("a", "c"),
    "all forgotten": lambda store, folder: store.forget("a", "b", "c", "d"),
    "a merge": lambda store, folder: store.merge_entities("Orla Quist", "Anna Schmidt"),
    "written past": lambda store, folder: written(store._db, "MATCH (d:Document {id: 'a'}) SET d.title = 'Other'"),
    "links cut past": lambda store, folder: written(store._db, "MATCH (:Document {id: 'b'})-[m:MENTIONS]->() DELETE m"),
    "words": lambda store, folder: store.build("words"),
    "built": lambda store, folder: store.build(),
    "repaired": lambda store, folder: (
        written(store._db, "MATCH (c:Chunk {id: 'b#0'}) SET c.embedding = null"),
        store.repair(),
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_refreshed_snapshot_is_the_one_that_a_new_reading_gives(db, encoder, tmp_path, change):
    store = GraphStore(db, encoder, Settings(cache=tmp_path))
    load(store, tmp_path, RECORDS)
    search = DocumentSearch.read(db, encoder)
    CHANGES[change](store, tmp_path)
    refreshed = search.refresh(db)
    wanted = read_snapshot(db, DIMENSIONS)
    assert refreshed.version == db.graph_version()
    assert_same(refreshed.snapshot, wanted)
    for who in (OWNER, Visibility.of(["anna"]), Visibility.of(["bo"])):
        assert_same_view(refreshed.snapshot, wanted, who)


def test_a_refresh_reads_what_was_written_and_nothing_else(db, encoder, tmp_path, monkeypatch):
    store = GraphStore(db, encoder, Settings(cache=tmp_path))
    load(store, tmp_path, RECORDS)
    search = DocumentSearch.read(db, encoder)
    load(store, tmp_path, {"e": ("Tide table", "Nothing that others know.", [])})
    read = []
    real = db._read
    monkeypatch.setattr(db, "_read", lambda name, *rest: [read.append((name, row)) or row for row in real(name, *rest)])
    search.refresh(db)
    assert [row["ids"] for name, row in read if name == "retrieve/corpus_documents"] == [["e"]]
    assert {id for name, row in read if name == "retrieve/corpus_vectors" for id in row["documents"]} == {"e"}
    assert not [name for name, _ in read if name in ("retrieve/corpus_texts", "retrieve/corpus_ids")]


def test_a_new_process_reads_what_was_written_since_the_cached_version(db, encoder, tmp_path):
    write(db, encoder)
    load_snapshot(db, DIMENSIONS, cache=tmp_path)
    write(db, encoder, {"new": ("Canteen soup", "Soup of Blue Heron.", ["Blue Heron"])})
    second = load_snapshot(db, DIMENSIONS, cache=tmp_path)
    assert_same(second, read_snapshot(db, DIMENSIONS))
    assert_same(open_snapshot(tmp_path, db.store_id, second.version), second)


def test_a_refreshed_search_leaves_no_older_version_in_the_cache(db, encoder, tmp_path):
    write(db, encoder)
    search = DocumentSearch.read(db, encoder, cache=tmp_path)
    write(db, encoder, {"new": ("New", "Another text.", [])})
    search.refresh(db, cache=tmp_path)
    assert open_snapshot(tmp_path, db.store_id, search.version) is None


def test_a_store_that_is_closed_keeps_what_it_had_read_anew(db, encoder, tmp_path):
    own = Database(db.driver, address=db.address, database=db.database)  # closing it leaves the driver open
    store = GraphStore(own, encoder, Settings(cache=tmp_path))
    load(store, tmp_path, RECORDS)
    store.search("who led Project Atlas?")
    load(store, tmp_path, {"e": ("Tide table", "Nothing that others know.", [])})
    store.search("tides")
    assert not list((tmp_path / "corpus" / db.store_id).iterdir())
    store.close()
    kept = open_snapshot(tmp_path, db.store_id, db.graph_version())
    assert_same(kept, read_snapshot(db, DIMENSIONS))


def test_a_version_that_the_store_has_left_is_not_kept(db, encoder, tmp_path):
    write(db, encoder)
    search = DocumentSearch.read(db, encoder, cache=tmp_path)
    write(db, encoder, {"new": ("New", "Another text.", [])})
    search = search.refresh(db, cache=tmp_path)
    write(db, encoder, {"newer": ("Newer", "A third text.", [])})
    search.keep(db, cache=tmp_path)
    assert not list((tmp_path / "corpus" / db.store_id).iterdir())


def test_every_few_refreshes_the_cache_gets_the_version(db, encoder, tmp_path, monkeypatch):
    monkeypatch.setattr("graphstore.retrieval.documents.KEPT_EVERY", 2)
    write(db, encoder)
    search = DocumentSearch.read(db, encoder, cache=tmp_path)
    kept = []
    for number in range(4):
        write(db, encoder, {f"new{number}": ("New", "Another text.", [])})
        search = search.refresh(db, cache=tmp_path)
        kept.append(open_snapshot(tmp_path, db.store_id, search.version) is not None)
    assert kept == [False, True, False, True]


def test_what_another_process_has_forgotten_meanwhile_is_not_kept(db, encoder, tmp_path):
    store = GraphStore(db, encoder, Settings(cache=tmp_path))
    load(store, tmp_path, RECORDS)
    snapshot = read_snapshot(db, DIMENSIONS)
    store.forget("a.md")  # read before, written to the cache after
    corpus_cache.keep_snapshot(db, tmp_path, db.store_id, snapshot)
    assert open_snapshot(tmp_path, db.store_id, snapshot.version) is None
    snapshot = read_snapshot(db, DIMENSIONS)
    load(store, tmp_path, {"e": ("Tide table", "Nothing that others know.", [])})
    corpus_cache.keep_snapshot(db, tmp_path, db.store_id, snapshot)
    assert open_snapshot(tmp_path, db.store_id, snapshot.version) is not None


def test_a_search_is_closed_without_its_server(db, encoder, tmp_path, monkeypatch):
    write(db, encoder)
    search = DocumentSearch.read(db, encoder, cache=tmp_path)
    write(db, encoder, {"new": ("New", "Another text.", [])})
    search = search.refresh(db, cache=tmp_path)
    monkeypatch.setattr(db, "stream", gone)
    search.keep(db, cache=tmp_path)
    assert not list((tmp_path / "corpus" / db.store_id).iterdir())


def gone(name):
    raise ConnectError("the server went away")


def test_words_get_vectors_once_and_again_where_a_text_changes(db, encoder, tmp_path):
    store = GraphStore(db, encoder, Settings(cache=tmp_path))
    load(store, tmp_path, RECORDS)
    assert (store.build_words(), store.build_words()) == (4, 0)
    load(store, tmp_path, {"a": ("Minutes", "Orla Quist stayed at home.", [])})
    assert store.build_words() == 1
    snapshot = read_snapshot(db, DIMENSIONS)
    # Minutes; Orla, Quist, stayed, home
    assert np.diff(snapshot.sketches.starts)[0] == 5
    found = store.search("who stayed at home?", token_coverage=True).documents
    assert found[0].id == "a"
