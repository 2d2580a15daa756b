"""Records of authoritative registries in a real store: linked, kept apart, changed, taken out."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from graphstore.check import check
from graphstore.cli import cli
from graphstore.client import GraphStore
from graphstore.db import Database
from graphstore.errors import NotFound
from graphstore.ordered_export import ordered_export
from graphstore.settings import Settings

PEOPLE = """id,name,type,aliases,email,department
e1,Anna Schmidt,employee,A. Schmidt,anna@helio.example,Finance
e2,Tom Becker,employee,,tom@helio.example,Legal
e3,Nobody Mentioned,employee,,nobody@helio.example,Legal
v1,Northwind,vendor,Northwind Trading,,
s9,Reactor Nine,Coolant Loop,,,
"""
DOCUMENTS = {
    "a.md": "# Minutes\n\nDr. Anna Schmidt met Dr. Tom Becker. An offer came from Northwind.\n",
    "b.md": "# Memo\n\nThe offer of Northwind was read by Anna Schmidt <anna@helio.example>. Reactor Nine leaks.\n",
    "c.md": "# Note\n\nReactor Nine was shut down by Dr. Tom Becker. Contact: tom@helio.example.\n",
}


@pytest.fixture
def store(db: Database, encoder, tmp_path: Path) -> GraphStore:
    return GraphStore(db, encoder, Settings.load(cache=tmp_path / "cache"))


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    folder, people = tmp_path / "docs", tmp_path / "people.csv"
    folder.mkdir()
    for name, text in DOCUMENTS.items():
        (folder / name).write_text(text)
    people.write_text(PEOPLE)
    return folder, people


def exported(store: GraphStore) -> list[str]:
    assert check(store._db) == []
    return list(ordered_export(store._db))


def entities(store: GraphStore) -> dict[str, tuple[str, str, int]]:
    rows = store.query(
        "MATCH (e:Entity)-[:OF_TYPE]->(t) RETURN e.id AS id, e.name AS name, t.name AS type, e.documents AS documents"
    )
    return {row["id"]: (row["name"], row["type"], row["documents"]) for row in rows}


def test_records_are_listed_and_shown_under_the_types_of_entities(store: GraphStore, files, tmp_path: Path):
    directory = tmp_path / "directory.csv"
    directory.write_text("id,given_name,surname\nd1,Priya,Raman\n")
    store.load_entities(files[1], directory)
    found = {row["id"]: row["type"] for row in store.records()}
    assert found == {"e1": "person", "e2": "person", "e3": "person", "v1": "organisation", "s9": "coolant loop"} | {
        "d1": "person"
    }
    assert (store.entity_decisions("e3").type, store.entity_decisions("Priya Raman").type) == ("person", "person")
    assert set(store.records()[0]) == {"id", "name", "type", "source", "documents"}


def test_entities_take_id_name_type_and_attributes_of_their_record(store: GraphStore, files):
    folder, people = files
    report = store.load_entities(people)
    assert (report.kind, report.read, report.created) == ("entities", 5, 5)
    store.load_documents(folder)
    found = entities(store)
    assert found["e1"] == ("Anna Schmidt", "person", 2)
    assert found["v1"] == ("Northwind", "organisation", 2)
    assert found["s9"] == ("Reactor Nine", "coolant loop", 2)
    assert "e3" not in found
    (row,) = store.query(
        "MATCH (e:Entity {id: 'e1'}) RETURN e.attributes AS a, e.record_aliases AS names, e.acl AS acl"
    )
    assert '"department": "Finance"' in row["a"]
    assert (row["names"], row["acl"]) == (["A. Schmidt"], [])
    assert store.page("Anna Schmidt").id == "e1"
    with pytest.raises(NotFound):
        store.page("Nobody Mentioned")


def test_records_before_or_after_documents_give_the_same_graph_and_twice_changes_nothing(store: GraphStore, files, db):
    folder, people = files
    store.load_documents(folder)
    without = exported(store)
    store.load_entities(people)
    after = exported(store)
    version = db.graph_version()
    assert store.load_entities(people).unchanged == 5
    assert db.graph_version() == version
    assert store.build_map().decided == 0
    assert store.forget_records("e1", "e2", "e3", "v1", "s9") == ["e1", "e2", "e3", "s9", "v1"]
    assert exported(store) == without
    store.forget(*DOCUMENTS)
    store.load_entities(people)
    store.load_documents(folder)
    assert exported(store) == after


def test_a_changed_record_and_one_that_has_gone(store: GraphStore, files):
    folder, people = files
    store.load_documents(folder)
    store.load_entities(people)
    lines = PEOPLE.splitlines()
    people.write_text("\n".join([lines[0], lines[1].replace("Finance", "Board"), *lines[3:]]) + "\n")
    report = store.load_entities(people)
    assert (report.changed, report.unchanged, report.removed) == (1, 3, 0)
    assert "e2" in entities(store)
    assert store.load_entities(people, replace=True).removed == 1
    assert "e2" not in entities(store)
    (row,) = store.query("MATCH (e:Entity {id: 'e1'}) RETURN e.attributes AS a")
    assert '"department": "Board"' in row["a"]
    assert check(store._db) == []
    with pytest.raises(NotFound, match="e2"):
        store.forget_records("e1", "e2")


def test_a_reason_says_nothing_of_a_record_that_the_reader_may_not_see(store: GraphStore, tmp_path: Path):
    people, folder = tmp_path / "people.csv", tmp_path / "docs"
    people.write_text(
        "id,name,type,email,department,acl\n"
        "e1,Anna Schmidt,employee,anna@helio.example,Quantum Research,hr\n"
        "e2,Anna Schmidt,employee,as@helio.example,Legal,hr\n"
    )
    folder.mkdir()
    (folder / "a.md").write_text("# Minutes\n\nDr. Anna Schmidt spoke for Quantum Research about the offer.\n")
    (folder / "b.md").write_text("# Memo\n\nAnna Schmidt <anna@helio.example> agreed.\n")
    store.load_entities(people)
    store.load_documents(folder)
    reasons = {link.document: link.reason for link in store.entity_decisions("e1", reader=["hr"]).links}
    assert set(reasons) == {"a.md", "b.md"}
    assert "registry" in reasons["a.md"]
    assert "quantum" in next(each.reason for each in store.entity_decisions("e1").links if each.document == "a.md")
    for link in store.entity_decisions("e1", reader=["bob"]).links:
        assert "registry" not in link.reason
        assert "quantum" not in link.reason


def test_what_was_forgotten_before_an_error_is_told(store: GraphStore, files, server, monkeypatch: pytest.MonkeyPatch):
    for name, value in (("URI", server.uri), ("USERNAME", server.username), ("PASSWORD", server.password)):
        monkeypatch.setenv(f"NEO4J_{name}", value)
    store.load_documents(files[0])
    result = CliRunner().invoke(cli, ["forget", "a.md", "--record", "e99"])
    assert result.exit_code != 0
    assert "forgotten before it failed: 1 document\n" in result.stderr
    assert isinstance(result.exception, NotFound) or "e99" in result.stderr
