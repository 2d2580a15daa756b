"""Backups on the real server: what comes back is what was there, whole or not at all."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from graphstore import schema
from graphstore.backups import Held, restore, save
from graphstore.cli import run
from graphstore.client import GraphStore
from graphstore.db import Database, Row, Step, WriteResult
from graphstore.encoders import Encoder
from graphstore.errors import LoadError, SchemaError
from graphstore.ordered_export import ordered_export
from graphstore.progress import silent
from graphstore.server import ServerAddress
from graphstore.settings import Settings

SAMPLE = Path(__file__).parents[2] / "graphstore" / "sample"


@pytest.fixture
def store(db: Database, encoder: Encoder, tmp_path: Path) -> GraphStore:
    """Tools, logs, documents and a decision in the ledger."""
    store = GraphStore(db, encoder, Settings.load(cache=tmp_path / "cache"))
    store.load_tools(SAMPLE / "tools.json")
    store.load_logs(SAMPLE / "task_logs")
    store.load_documents(SAMPLE / "documents" / "tickets", SAMPLE / "documents" / "hr")
    first, second = [each["id"] for each in store.entities()][:2]
    store.distinct_entities(first, second, by="test")
    return store


def _everything(db: Database) -> list[str]:
    """All nodes and relationships with all their properties, but the store's own node."""
    nodes = [row for row in db.read("maintain/export_nodes") if row["properties"].get("id") != "graphstore"]
    rows = [*nodes, *db.read("maintain/export_relationships")]
    return sorted(json.dumps(row, sort_keys=True, default=lambda value: value.hex()) for row in rows)


def _back(db: Database, path: Path) -> Held:
    return restore(db, path, analyzer="cjk", progress=silent)


def _emptied(db: Database) -> None:
    db.driver.execute_query("MATCH (n) WHERE NOT n:Meta OR n.id <> 'graphstore' CALL (n) { DETACH DELETE n }")


def test_what_was_saved_comes_back_and_answers_the_same(store: GraphStore, db: Database, tmp_path: Path) -> None:
    everything, lines, store_id = _everything(db), list(ordered_export(db)), db.store_id
    tools, found = store.tools("approve that document access request"), store.search("Who owns INC-1042?")
    version = db.graph_version()
    held = store.backup(tmp_path / "store.backup")
    assert held.nodes + held.relationships == len(everything)
    assert db.graph_version() == version  # a backup writes nothing
    _emptied(db)

    assert _back(db, tmp_path / "store.backup") == held
    assert _everything(db) == everything
    assert list(ordered_export(db)) == lines
    assert store.check() == []
    assert store.ledger()
    assert store.tools("approve that document access request") == tools
    assert store.search("Who owns INC-1042?").to_dict() == found.to_dict()
    assert db.store_id != store_id  # caches of the two must not meet
    assert db.graph_version() > version
    report = store.load_documents(SAMPLE / "documents" / "tickets", SAMPLE / "documents" / "hr")
    assert list(ordered_export(db)) == lines, report


def test_a_store_that_holds_data_is_left_alone(store: GraphStore, db: Database, tmp_path: Path) -> None:
    store.backup(tmp_path / "store.backup")
    before = _everything(db)
    with pytest.raises(SchemaError, match="holds data"):
        _back(db, tmp_path / "store.backup")
    assert _everything(db) == before


def test_half_a_file_changes_nothing(store: GraphStore, db: Database, tmp_path: Path) -> None:
    path = tmp_path / "store.backup"
    store.backup(path)
    path.write_bytes(path.read_bytes()[:-2000])
    _emptied(db)
    version = db.graph_version()
    with pytest.raises(LoadError, match="not whole"):
        _back(db, path)
    assert db.graph_version() == version


def test_a_restore_that_broke_off_is_seen_by_nobody_and_begins_anew(
    store: GraphStore, db: Database, server: ServerAddress, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    everything = _everything(db)
    path = tmp_path / "store.backup"
    store.backup(path)
    _emptied(db)
    write = Database.write

    def broken(self: Database, *steps: Step, expect: int | None = None) -> WriteResult:
        if steps and steps[0][0] == "maintain/restore_relationships":
            raise KeyboardInterrupt
        return write(self, *steps, expect=expect)

    monkeypatch.setattr(Database, "write", broken)
    with pytest.raises(KeyboardInterrupt):
        _back(db, path)
    monkeypatch.undo()
    with pytest.raises(SchemaError, match="being restored"):
        GraphStore.connect(uri=server.uri, username=server.username, password=server.password)
    with pytest.raises(SchemaError, match="no whole graphstore"):
        save(db, tmp_path / "other.backup", progress=silent)
    _back(db, path)
    assert _everything(db) == everything
    assert store.check() == []


def test_a_writer_in_between_makes_the_backup_begin_anew(
    store: GraphStore, db: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = Database.stream
    wrote: list[str] = []

    def disturbed(self: Database, name: str, **params: Any) -> Iterator[Row]:
        if name == "maintain/backup_relationships" and not wrote:
            wrote.append(name)
            ticket = next(iter(sorted((SAMPLE / "documents" / "tickets").iterdir())))
            store.forget(f"{ticket.name}")
        return stream(self, name, **params)

    monkeypatch.setattr(Database, "stream", disturbed)
    before = _everything(db)
    store.backup(tmp_path / "store.backup")
    everything = _everything(db)
    _emptied(db)
    _back(db, tmp_path / "store.backup")
    assert wrote
    assert _everything(db) == everything != before


def test_an_interrupted_backup_leaves_nothing(store: GraphStore, db: Database, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()

    def interrupted(what: str, _done: int, _total: int | None) -> None:
        if what == "relationships":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        save(db, folder / "store.backup", progress=interrupted)
    assert not list(folder.iterdir())


def test_nodes_of_others_are_kept_and_what_cannot_be_is_named(db: Database, tmp_path: Path) -> None:
    db.driver.execute_query("CREATE (:Ours:`Two words` {n: 1, f: 1.0})-[:`KNOWS WELL` {since: [1, 2]}]->(:Ours)")
    everything = _everything(db)
    save(db, tmp_path / "a", progress=silent)
    _emptied(db)
    _back(db, tmp_path / "a")
    assert _everything(db) == everything
    db.driver.execute_query("CREATE (:Note {on: date('2026-01-01')})")
    with pytest.raises(SchemaError, match="Note: on is a Date"):
        save(db, tmp_path / "b", progress=silent)
    assert not (tmp_path / "b").exists()


def test_a_backup_of_another_encoder_or_a_newer_schema(db: Database, tmp_path: Path) -> None:
    db.driver.execute_query("CREATE (:Ours)")
    save(db, tmp_path / "a", progress=silent)
    lines = gzip.decompress((tmp_path / "a").read_bytes()).decode().splitlines(keepends=True)
    head = json.loads(lines[0])
    _emptied(db)

    newer = json.dumps({**head, "schema_version": schema.SCHEMA_VERSION + 1})
    (tmp_path / "b").write_bytes(gzip.compress("".join([newer + "\n", *lines[1:]]).encode()))
    with pytest.raises(SchemaError, match="update graphstore"):
        _back(db, tmp_path / "b")

    other = json.dumps({**head, "encoder": "other", "dimensions": 7})
    (tmp_path / "c").write_bytes(gzip.compress("".join([other + "\n", *lines[1:]]).encode()))
    try:
        _back(db, tmp_path / "c")
        assert schema.verify(db, encoder="other", dimensions=7)
    finally:
        schema.replace_encoder(db, encoder=head["encoder"], dimensions=head["dimensions"])


def test_the_command_line(
    served: ServerAddress, db: Database, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    db.driver.execute_query("CREATE (:Ours)-[:OWN]->(:Ours)")
    path = str(tmp_path / "store.backup")
    assert run(["backup", path, "--json"]) == 0
    assert json.loads(capfd.readouterr().out) == {"file": path, "nodes": 2, "relationships": 1}
    assert run(["backup", path]) == 1
    assert "is there already" in capfd.readouterr().err
    assert run(["backup", path, "--replace"]) == 0
    _emptied(db)
    assert run(["restore", path]) == 0
    assert "2 nodes, 1 relationship restored" in capfd.readouterr().out
