"""Vectors of entities in a real store: those of what is stored, found by the index, and for each reader his own."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from graphstore.loaders import read_documents
from hash_encoder import ENCODER
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphstore.cli import cli
from graphstore.client import GraphStore
from graphstore.corpusmap import entity_vectors, update
from graphstore.corpusmap.update import load_documents
from graphstore.db import Database
from graphstore.ordered_export import ordered_export
from graphstore.records import SourceDocument
from graphstore.retrieval.documents import DocumentSearch
from graphstore.retrieval.entity_meaning import entities_like
from graphstore.settings import Settings
from graphstore.visibility import Visibility

PEOPLE = ("Priya Raman", "Tom Becker", "Anna Schmidt", "Maria Keller")
TEXTS = {
    "a.md": "# Minutes\n\nDr. Priya Raman met Dr. Tom Becker about Project Atlas. It rained. Priya Raman left early.\n",
    "b.md": "# Memo\n\nProject Atlas waits for Priya Raman. The gearbox is by Northwind Ltd. of Hull.\n",
    "c.md": "# Northwind Ltd.\n\nNorthwind Ltd. makes gearboxes. Dr. Tom Becker founded it.\n",
    "d.md": "# Letter\n\nDr. Anna Schmidt wrote to Maria Keller. Maria Keller wrote to Tom Becker.\n",
    "e.md": "# Reply\n\nAnna Schmidt thanks Maria Keller for INC-1042.\n",
}


@pytest.fixture
def store(db: Database, encoder, tmp_path: Path) -> GraphStore:
    made = GraphStore(db, encoder, Settings.load(cache=tmp_path / "cache"))
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text)
    made.load_documents(tmp_path)
    return made


def should_be(db: Database) -> dict[str, np.ndarray]:
    """The vector of each entity of several documents, made once more from all that is stored, without the limit."""
    found: dict[str, list[np.ndarray]] = {}
    links = list(db.run("MATCH (d:Document)-[m:MENTIONS]->(e:Entity) RETURN d.id AS d, e.id AS e, m.starts AS starts"))
    for link in links:
        said = []
        chunks = "MATCH (:Document {id: $id})-[:HAS_CHUNK]->(c) RETURN properties(c) AS c ORDER BY c.index"
        with db.driver.session(database=db.database) as session:
            for row in session.run(chunks, id=link["d"]):
                chunk = row["c"]
                rows = np.frombuffer(bytes(chunk["sentences"]), dtype=np.float16).reshape(-1, 384).astype(np.float64)
                for start, end, vector in zip(chunk["sentence_starts"], chunk["sentence_ends"], rows, strict=True):
                    said += [vector] * any(start <= place < end for place in link["starts"])
                if not link["starts"] and chunk["index"] == 0:
                    said.append(np.array(chunk["embedding"]))
        found.setdefault(link["e"], []).append(np.sum(said, axis=0) / np.linalg.norm(np.sum(said, axis=0)))
    return {e: np.sum(v, axis=0) / np.linalg.norm(np.sum(v, axis=0)) for e, v in found.items() if len(v) > 1}


def stored(db: Database) -> dict[str, np.ndarray]:
    rows = db.run("MATCH (e:Entity) WHERE e.embedding IS NOT NULL RETURN e.id AS id, e.embedding AS v")
    return {row["id"]: np.array(row["v"]) for row in rows}


def assert_true_to_what_is_stored(db: Database) -> None:
    expected, found = should_be(db), stored(db)
    assert found.keys() == expected.keys()
    assert found, "nothing to compare"
    for entity, vector in found.items():
        assert vector == pytest.approx(expected[entity], abs=1e-6)
        assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-6)


def the_last(store: GraphStore, path: Path) -> None:
    store.forget("b.md")


def rewritten(store: GraphStore, path: Path) -> None:
    """Other words at the same places: what is linked stays as it was."""
    (path / "a.md").write_text(TEXTS["a.md"].replace("met", "sued").replace("rained", "snowed"))
    store.load_documents(path)


def records(store: GraphStore, path: Path) -> None:
    (path / "people.csv").write_text("id,name\np1,Priya Raman\np2,Tom Becker\n")
    store.load_entities(path / "people.csv")


def records_gone(store: GraphStore, path: Path) -> None:
    records(store, path)
    store.forget_records("p1")


def split_off(store: GraphStore, path: Path) -> None:
    store.split_entity("Tom Becker", documents=["d.md"])


def merged(store: GraphStore, path: Path) -> None:
    store.merge_entities("Anna Schmidt", "Maria Keller")


def undone(store: GraphStore, path: Path) -> None:
    merged(store, path)
    store.undo_decision()


def built_again(store: GraphStore, path: Path) -> None:
    list(store.query("MATCH ()-[m:MENTIONS]->(:Entity {key: 'tom becker'}) DELETE m", write=True))
    list(store.query("MATCH (:Document {id: 'e.md'})-->(c:Chunk) DETACH DELETE c", write=True))
    store.build_map()


def repaired(store: GraphStore, path: Path) -> None:
    list(store.query("MATCH (e:Entity {key: 'tom becker'}) SET e.embedding = [x IN range(1, 384) | 0.0]", write=True))
    list(store.query("MATCH (e:Entity {key: 'project atlas'}) SET e.embedding = [1.0]", write=True))
    assert len(store.check()) == 2
    assert store.repair().left == ()


def encoded_again(store: GraphStore, path: Path) -> None:
    store.reindex()


CHANGES: list[Callable[[GraphStore, Path], None]] = [
    *(the_last, rewritten, records, records_gone, split_off, merged, undone, built_again, repaired, encoded_again),
]


@pytest.mark.parametrize("change", CHANGES)
def test_vectors_are_those_of_what_is_stored_after(store: GraphStore, tmp_path: Path, change):
    assert_true_to_what_is_stored(store._db)
    change(store, tmp_path)
    assert_true_to_what_is_stored(store._db)
    assert store.check() == []
    version = store._db.graph_version()
    store.load_documents(tmp_path / "c.md")
    assert store._db.graph_version() == version


def test_only_what_changed_is_made_again(store: GraphStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    asked: list[str] = []
    real = entity_vectors.evidence
    monkeypatch.setattr(entity_vectors, "evidence", lambda ids: asked.extend(ids) or real(ids))
    (tmp_path / "f.md").write_text("# Note\n\nAnna Schmidt is away.\n")
    store.load_documents(tmp_path)
    rows = store.query("MATCH (e:Entity) WHERE e.id IN $ids RETURN e.key AS key", {"ids": asked})
    assert [row["key"] for row in rows] == ["anna schmidt"]


def test_a_load_that_breaks_off_before_vectors_is_made_good_by_the_next(
    db: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text)

    def breaks(*args: Any, **more: Any) -> int:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(update, "write_entity_vectors", breaks)
        with pytest.raises(KeyboardInterrupt):
            load_documents(db, ENCODER, lambda: read_documents(tmp_path))
    assert stored(db) == {}
    load_documents(db, ENCODER, lambda: read_documents(tmp_path))
    assert_true_to_what_is_stored(db)


def test_of_many_documents_those_count_that_say_most_whatever_the_order_of_loading(db: Database):
    texts = {
        f"{i:02}": f"Number {i} is about Project Atlas. {'Project Atlas has grown. ' * (i % 3)}" for i in range(20)
    }
    documents = [SourceDocument(name, f"{name}.md", f"Report {name}", text) for name, text in texts.items()]
    load_documents(db, ENCODER, lambda: documents)
    one = list(ordered_export(db))
    most = [doc for i, doc in enumerate(documents) if i % 3 == 2]
    assert len(most) < entity_vectors.DOCUMENTS < len(documents)
    db.driver.execute_query("MATCH (n) WHERE NOT n:Meta DETACH DELETE n", database_=db.database)
    for document in reversed(documents):
        load_documents(db, ENCODER, lambda document=document: [document])
    assert list(ordered_export(db)) == one
    (atlas,) = db.run("MATCH (e:Entity {key: 'project atlas'}) RETURN e.id AS id")
    statement, parameters = entity_vectors.evidence([atlas["id"]])
    read = {row["document"] for row in db.read(statement, **parameters)}
    assert len(read) == entity_vectors.DOCUMENTS
    assert read >= {document.id for document in most}


def test_the_index_finds_an_entity_by_what_is_said_of_it(store: GraphStore):
    vector = store._encoder.encode(["a maker of gearboxes"])[0].tolist()
    rows = store.query(
        "CALL db.index.vector.queryNodes('vector_entity', 3, $vector) YIELD node, score RETURN node.name AS name",
        {"vector": vector},
    )
    assert next(row["name"] for row in rows) == "Northwind Ltd"


def test_entities_are_listed_by_name_and_by_meaning(store: GraphStore):
    assert store.entities(like="the supplier of the gearbox", k=1)[0]["name"] == "Northwind Ltd"
    found = store.entities(like="priya")
    assert found[0]["name"].endswith("Priya Raman")
    assert found[0]["score"] > 1 > found[1]["score"]
    assert store.entities(like="the supplier of the gearbox", type="person", k=9)[0]["type"] == "person"


def test_as_many_entities_are_listed_as_were_asked_for(store: GraphStore, served):
    every = store.entities()
    assert len(every) > 2
    assert store.entities(k=2) == every[:2]
    listed = CliRunner().invoke(cli, ["entities", "list", "-k", "2", "--json"])
    assert json.loads(listed.stdout)["entities"] == every[:2]
    assert json.loads(CliRunner().invoke(cli, ["entities", "list", "--json"]).stdout)["entities"] == every


ACLS = st.lists(st.sampled_from([(), ("ann",), ("bob",), ("ann", "bob")]), min_size=8, max_size=8)


@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(acls=ACLS, query=st.sampled_from(["raman", "who asked for the gearbox", "項目"]))
def test_a_reader_gets_what_a_store_of_his_documents_gives(db: Database, acls, query):
    names = [(PEOPLE[i % 4], PEOPLE[(i + 1 + i // 4) % 4]) for i in range(8)]
    documents = [
        SourceDocument(
            str(i), f"{i}.md", f"Report {i}", f"{a} asked {b} for gearbox {'abcdefgh'[i]}. {b} agreed.", acl=acls[i]
        )
        for i, (a, b) in enumerate(names)
    ]

    def answers(kept: list[SourceDocument], who: Visibility) -> str:
        db.driver.execute_query("MATCH (n) WHERE NOT n:Meta DETACH DELETE n", database_=db.database)
        db.write(("maintain/written_past", {}))
        load_documents(db, ENCODER, lambda: kept)
        search = DocumentSearch.read(db, ENCODER)
        found = entities_like(db, search, query, k=9, who=who)
        return json.dumps([{**each, "score": round(each["score"], 5)} for each in found])

    ann = Visibility.of(["ann"], None)
    assert answers(documents, ann) == answers([d for d in documents if not d.acl or "ann" in d.acl], ann)


def test_the_command_lists_the_best_with_their_scores(store: GraphStore, served):
    asked = ["entities", "list", "the supplier of the gearbox", "-k", "2", "--json"]
    result = CliRunner().invoke(cli, asked)
    assert (result.exit_code, result.stderr) == (0, "")
    found = json.loads(result.stdout)["entities"]
    assert found[0]["name"] == "Northwind Ltd"
    assert found == store.entities(like="the supplier of the gearbox", k=2)
    plain = CliRunner().invoke(cli, asked[:-1])
    assert "Northwind Ltd" in plain.stdout.splitlines()[0]
    blank = CliRunner().invoke(cli, ["entities", "list", " "])
    assert (blank.exit_code, str(blank.exception)) == (1, "the question is blank: ask something")
    signs = CliRunner().invoke(cli, ["entities", "list", "???"])
    assert (signs.exit_code, signs.stdout, signs.stderr) == (0, "", "no entity that two documents mention\n")
