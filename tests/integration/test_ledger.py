"""Decisions of people in a real store: what they change, that they are remembered, and that they can be taken back."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from graphstore.check import check
from graphstore.cli import cli
from graphstore.client import GraphStore
from graphstore.corpusmap.catalog import Refused, catalog_of
from graphstore.corpusmap.catalog_store import keep, use
from graphstore.corpusmap.refine import write_refinements
from graphstore.corpusmap.rulings import Ruling
from graphstore.corpusmap.stored import StoredResolver
from graphstore.corpusmap.types import EntityType
from graphstore.corpusmap.update import optimistic, settled_steps
from graphstore.db import Database
from graphstore.errors import DecisionError, NotFound
from graphstore.ordered_export import ordered_export
from graphstore.settings import Settings

DOCUMENTS = {
    "a.md": "# Minutes\n\nDr. Katharina Bergmann met Dr. Tom Becker of Northwind Ltd. in May.\n",
    "b.md": "# Memo\n\nDr. Katrin Voss signed for Northwind Ltd. and Dr. Katharina Bergmann agreed.\n",
    "c.md": "# Note\n\nDr. Katrin Voss wrote to Dr. Tom Becker. Becker agreed.\n",
    "d.md": "# Report\n\nDr. Katharina Bergmann chaired. Dr. Anna M. Schmidt spoke for Project Meridian.\n",
    "e.md": "# Letter\n\nDr. Anna Schmidt asked Dr. Tom Becker for the offer of Project Meridian.\n",
}
PEOPLE = "id,name,email\nk1,Katrin Voss,voss@helio.example\n"


@pytest.fixture
def store(db: Database, encoder, tmp_path: Path) -> GraphStore:
    folder = tmp_path / "docs"
    folder.mkdir()
    for name, text in DOCUMENTS.items():
        (folder / name).write_text(text)
    made = GraphStore(db, encoder, Settings.load(cache=tmp_path / "cache"))
    made.load_documents(folder)
    return made


def exported(store: GraphStore) -> list[str]:
    assert check(store._db) == []
    return list(ordered_export(store._db))


def documents_of(store: GraphStore, name: str) -> set[str]:
    return {link.document for link in store.entity_decisions(name).links}


def test_merge_then_undo_gives_the_same_graph_and_both_stand_in_the_ledger(store: GraphStore):
    before = exported(store)
    (row,) = store.merge_entities("Katharina Bergmann", "Katrin Voss", by="ann", reason="married")
    assert (row.id, row.kind, row.by, row.reason, row.names) == (
        1,
        "merge",
        "ann",
        "married",
        ("Dr. Katharina Bergmann", "Dr. Katrin Voss"),
    )
    assert row.moved == ("b.md", "c.md")
    assert row.score is None, "nothing but the person's word speaks for it"
    assert documents_of(store, "Katharina Bergmann") == {"a.md", "b.md", "c.md", "d.md"}
    assert "Dr. Katrin Voss" in store.page("katrin voss").aliases
    after = exported(store)
    assert after != before
    assert store.build_map().decided == 0
    assert exported(store) == after
    assert [row.id for row in store.undo_decision()] == [1]
    assert exported(store) == before
    assert store.ledger()[0].undone is not None
    with pytest.raises(NotFound, match="ledger"):
        store.undo_decision()


def test_a_decision_outlives_what_it_is_about_and_holds_for_what_comes_later(store: GraphStore, tmp_path: Path):
    store.merge_entities("Katharina Bergmann", "Katrin Voss")
    merged = exported(store)
    for name in ("b.md", "c.md"):
        (tmp_path / "docs" / name).write_text("# Nothing\n\nNobody is named here.\n")
    store.load_documents(tmp_path / "docs")
    assert [row.dormant for row in store.ledger()] == [True]
    for name in ("b.md", "c.md"):
        (tmp_path / "docs" / name).write_text(DOCUMENTS[name])
    store.load_documents(tmp_path / "docs")
    assert [row.dormant for row in store.ledger()] == [False]
    assert exported(store) == merged
    (tmp_path / "docs" / "f.md").write_text("# New\n\nDr. Katrin Voss retired.\n")
    store.load_documents(tmp_path / "docs")
    assert "f.md" in documents_of(store, "Katharina Bergmann")


def everything(store: GraphStore) -> str:
    """All that the store holds in any property of any node or relationship, and in the cache folder."""
    rows = store.query("MATCH (n) RETURN properties(n) AS held UNION ALL MATCH ()-[r]->() RETURN properties(r) AS held")
    files = [path for path in store._settings.cache.rglob("*") if path.is_file()]
    kept = " ".join(path.read_bytes().decode("utf-8", "replace") for path in files)
    return f"{[dict(row) for row in rows]} {kept}".casefold()


def test_forgetting_takes_the_decisions_whose_names_no_document_bears_any_more(store: GraphStore):
    store.distinct_entities("Katharina Bergmann", "Katrin Voss")
    store.merge_entities("Anna Schmidt", "Katrin Voss")
    store.undo_decision(2)
    store.merge_entities("Anna Schmidt", "Katharina Bergmann", reason="married")
    assert "voss" in everything(store)
    assert "b.md" in everything(store)
    store.forget("b.md")
    assert {row.id for row in store.ledger()} == {1, 2, 3}, "another document bears the name"
    assert "b.md" not in everything(store)
    store.forget("c.md")
    assert [row.id for row in store.ledger()] == [3], "those that were taken back go too"
    assert "voss" not in everything(store)
    assert store.build_map().decided == 0
    assert check(store._db) == []


def test_a_split_does_not_hold_for_another_text_at_the_place_of_a_forgotten_one(store: GraphStore, tmp_path: Path):
    becker = store.split_entity("Tom Becker", documents=["e.md", "c.md"]).entities[0]
    store.split_entity("Katharina Bergmann", documents=["d.md"])
    store.forget("d.md", "e.md")
    assert [row.documents for row in store.ledger()] == [("c.md",)]
    before = exported(store)
    store.load_documents(tmp_path / "docs")
    assert "d.md" in documents_of(store, "Katharina Bergmann")
    assert "e.md" in documents_of(store, becker)
    assert "c.md" not in documents_of(store, becker)
    store.forget("d.md", "e.md")
    assert exported(store) == before


def test_a_proposed_catalog_forgets_what_only_a_forgotten_document_says(store: GraphStore, tmp_path: Path):
    for number in range(24):
        rare = "Quizzaciously" if number == 5 else "Blue"
        text = f"# Note {number}\n\nThe {rare} Harbour Handbook and the Old Travel Handbook say so. A handbook helps.\n"
        (tmp_path / "docs" / f"n{number}.md").write_text(text)
    (tmp_path / "docs" / "n6.md").write_text("---\nship: Zephyrine\n---\n# Ship\n\nThe Red Harbour Handbook.\n")
    store.load_documents(tmp_path / "docs")
    kind = EntityType(
        "handbook", "Such as Zephyrine.", "Equal name.", ("Red Harbour Handbook", "Quizzaciously Harbour Handbook")
    )
    refused = [Refused("zephyrine", "too few"), Refused("travel", "too few")]
    made = keep(
        store._db, catalog_of([replace(kind, keywords=("handbook", "zephyrine"))], source="llm", refused=refused)
    )
    own = keep(store._db, catalog_of([replace(kind, examples=("Zephyrine",), definition="A book.")], source="file"))
    use(store._db, made.version)
    store.build_map()
    store.forget("n5.md", "n6.md")
    left = store.catalog()
    (handbook,) = left.own
    assert (left.version, handbook.definition, handbook.examples) == (made.version, "What is called handbook.", ())
    assert handbook.keywords == ("handbook",)
    assert [each.name for each in left.refused] == ["travel"]
    assert store.catalog(version=own.version).own == own.own, "a file's words are its owner's"
    assert "quizzaciously" not in everything(store)
    assert check(store._db) == []


def test_a_record_that_comes_later_gives_its_id_to_what_was_merged(store: GraphStore, tmp_path: Path):
    before = exported(store)
    store.merge_entities("Katharina Bergmann", "Katrin Voss")
    (tmp_path / "people.csv").write_text(PEOPLE)
    store.load_entities(tmp_path / "people.csv")
    assert store.entity_decisions("k1").name == "Katrin Voss"
    assert documents_of(store, "k1") == {"a.md", "b.md", "c.md", "d.md"}
    store.forget_records("k1")
    store.undo_decision(1)
    assert exported(store) == before


def test_a_split_by_documents_follows_the_document_when_it_moves(store: GraphStore, tmp_path: Path):
    before = exported(store)
    row = store.split_entity("Katharina Bergmann", documents=["d.md"])
    assert row.documents == ("d.md",)
    assert documents_of(store, row.entities[0]) == {"a.md", "b.md"}
    (tmp_path / "docs" / "d.md").rename(tmp_path / "docs" / "g.md")
    store.load_documents(tmp_path / "docs")
    assert documents_of(store, row.entities[0]) == {"a.md", "b.md"}
    assert store.build_map().decided == 0
    (tmp_path / "docs" / "g.md").rename(tmp_path / "docs" / "d.md")
    store.load_documents(tmp_path / "docs")
    store.undo_decision(row.id)
    assert exported(store) == before
    with pytest.raises(NotFound, match=r"c\.md"):
        store.split_entity("Katharina Bergmann", documents=["c.md"])
    with pytest.raises(DecisionError, match="all documents"):
        store.split_entity("Katharina Bergmann", documents=["a.md", "b.md", "d.md"])


def test_a_split_name_and_distinct_entities_are_not_one_and_not_proposed(store: GraphStore):
    before = exported(store)
    assert documents_of(store, "Anna Schmidt") == {"d.md", "e.md"}
    store.split_entity("Anna Schmidt", name="Anna Schmidt")
    assert documents_of(store, "Anna Schmidt") == {"e.md"}
    with pytest.raises(DecisionError, match="nothing would change"):
        store.split_entity("Tom Becker", name="Tom Becker")
    store.distinct_entities("Anna Schmidt", "Anna M. Schmidt")
    store.undo_decision(1)
    assert documents_of(store, "Anna Schmidt") == {"e.md"}
    assert not any("Schmidt" in pair.keep.name + pair.merge.name for pair in store.duplicates(k=50))
    with pytest.raises(DecisionError, match="distinct"):
        store.merge_entities("Anna Schmidt", "Anna M. Schmidt")
    store.undo_decision()
    assert exported(store) == before


def test_what_cannot_be_decided_says_so_and_changes_nothing(store: GraphStore):
    before = exported(store)
    with pytest.raises(NotFound, match="no entity 'Nobody'"):
        store.merge_entities("Tom Becker", "Nobody")
    with pytest.raises(DecisionError, match="one entity already"):
        store.merge_entities("Tom Becker", "tom  becker")
    with pytest.raises(DecisionError, match="one entity now"):
        store.distinct_entities("Anna Schmidt", "Anna M. Schmidt")
    assert store.ledger() == []
    assert exported(store) == before


def test_the_command_line_merges_lists_and_takes_back(store: GraphStore, server, monkeypatch: pytest.MonkeyPatch):
    for name, value in (("URI", server.uri), ("USERNAME", server.username), ("PASSWORD", server.password)):
        monkeypatch.setenv(f"NEO4J_{name}", value)

    def run(*arguments: str) -> dict:
        done = CliRunner().invoke(cli, ["entities", *arguments, "--json"], catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return json.loads(done.stdout)

    assert run("merge", "Tom Becker", "Katrin Voss", "--reason", "test")["ledger"][0]["names"] == [
        "Dr. Tom Becker",
        "Dr. Katrin Voss",
    ]
    assert {link["document"] for link in run("show", "Katrin Voss")["links"]} == {"a.md", "b.md", "c.md", "e.md"}
    assert [row["undone"] for row in run("ledger")["ledger"]] == [None]
    assert run("undo", "1")["ledger"][0]["undone"]
    text = CliRunner().invoke(cli, ["entities", "ledger"]).stdout
    assert "merge  Dr. Tom Becker" in text
    assert "taken back" in text


def test_a_refinement_without_a_measure_decides_nothing(store: GraphStore):
    before = exported(store)
    report = store.refine_map()
    assert (report.linked, report.opened, report.margin) == (0, 0, None)
    assert exported(store) == before


def test_what_a_refinement_decides_holds_for_that_text_and_can_be_taken_back(store: GraphStore, tmp_path: Path):
    before = exported(store)
    state = StoredResolver(store._db)
    state.sync()
    bergmann = state.resolver.anchor_of(store.entity_decisions("Katharina Bergmann").id)
    digest = state.digest_of("e.md")
    assert digest is not None
    found = Ruling(0, "refine", (bergmann,), ("e.md",), "anna schmidt", digest, 0.95, "context")
    write_refinements(state, [found], by="refine")
    (link,) = [each for each in store.entity_decisions("Katharina Bergmann").links if each.document == "e.md"]
    assert (link.decided_by, link.confidence, link.reason) == ("refine", 0.95, "context")
    assert store.build_map().decided == 0
    letter = tmp_path / "docs" / "e.md"
    letter.write_text(DOCUMENTS["e.md"] + "\nAnother line.\n")
    store.load_documents(tmp_path / "docs")
    assert [row.dormant for row in store.ledger()] == [True]
    assert "e.md" not in documents_of(store, "Katharina Bergmann")
    letter.write_text(DOCUMENTS["e.md"])
    store.load_documents(tmp_path / "docs")
    assert "e.md" in documents_of(store, "Katharina Bergmann")
    assert [row.id for row in store.undo_decision(kind="refine")] == [1]
    assert exported(store) == before


def test_a_document_that_another_writer_takes_away_meanwhile_is_left_out(store: GraphStore):
    state = StoredResolver(store._db)
    state.sync()
    anchors = tuple(state.resolver.anchor_of(store.page(name).id) for name in ("Tom Becker", "Katrin Voss"))
    store.forget("b.md")

    def steps(state: StoredResolver):
        state.rule(Ruling(1, "merge", anchors))
        return settled_steps(state, (), "2026-01-01")

    optimistic(state, steps)
    assert documents_of(store, "Tom Becker") == {"a.md", "c.md", "e.md"}


def test_a_decision_that_another_writer_makes_meanwhile_is_the_newest(
    store: GraphStore, monkeypatch: pytest.MonkeyPatch
):
    store.distinct_entities("Katharina Bergmann", "Katrin Voss")
    sync, other = StoredResolver.sync, iter([lambda: store.merge_entities("Katharina Bergmann", "Tom Becker")])

    def synced(state: StoredResolver) -> None:
        sync(state)
        next(other, lambda: None)()

    monkeypatch.setattr(StoredResolver, "sync", synced)
    assert [row.id for row in store.undo_decision()] == [2]
    assert [row.undone is None for row in store.ledger()] == [False, True]
