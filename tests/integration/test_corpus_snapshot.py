"""The search snapshot, read from a real server and kept in the cache folder."""

from __future__ import annotations

import numpy as np
import pytest

from graphstore.retrieval import corpus_snapshot
from graphstore.retrieval.corpus_cache import load_snapshot, open_snapshot
from graphstore.retrieval.documents import DocumentSearch

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


@pytest.mark.parametrize("block", [1, 2, 500])
def test_blocks_of_any_size_give_one_snapshot(db, encoder, block, monkeypatch):
    write(db, encoder)
    whole = load_snapshot(db, DIMENSIONS)
    steps = tuple((name, {"block": block} if "block" in p else p) for name, p in corpus_snapshot.STATEMENTS)
    monkeypatch.setattr("graphstore.retrieval.corpus_cache.STATEMENTS", steps)
    parts = load_snapshot(db, DIMENSIONS)
    assert parts.documents == whole.documents
    assert (parts.links != whole.links).nnz == 0
    np.testing.assert_array_equal(parts.sentences.rows, whole.sentences.rows)


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
