"""Documents in a real store: incremental, resumable, the same graph whatever happened on the way."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from graphstore.loaders import read_documents
from hash_encoder import ENCODER

from graphstore.corpusmap.build import build_map
from graphstore.corpusmap.forget import forget
from graphstore.corpusmap.update import load_documents
from graphstore.db import Database
from graphstore.errors import NotFound
from graphstore.ordered_export import ordered_export

TEXTS = {
    "minutes/launch.md": "# Launch meeting\n\nProject Atlas (code name Bluebird) slips to 12 March 2026. Priya "
    "Raman and Tom Becker agreed.\n",
    "mail/budget.md": "# Budget mail\n\nThe Bluebird budget was approved by Priya Raman. Ticket INC-1042 is open.\n",
    "tickets/inc-1042.md": "# INC-1042 Login fails\n\nINC-1042 blocks Project Atlas. Owner: Tom Becker. "
    "Zanzibarian hotfix.\n",
    "hr/people.md": "# Directory\n\n- Li Wei (Finance) <li.wei@helio.example>\n- Li Wei (Engineering) "
    "<li.wei2@helio.example>\n",
    "hr/note.md": "# Note\n\nYesterday Li Wei asked Tom Becker about the Zurich office.\n",
    "zh/review.md": "# 评审纪要\n\n主持：王芳（法务部）。项目Atlas（代号Bluebird）进展顺利。\n",
    "misc/empty.md": "",
    "misc/hello.md": "Hello world\n",
}


def write(folder: Path, texts: dict[str, str]) -> Path:
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def load(db: Database, folder: Path):
    return load_documents(db, ENCODER, lambda: read_documents(folder))


def export(db: Database) -> list[str]:
    return list(ordered_export(db))


def rows(db: Database, text: str, **params):
    return list(db.run(text, params))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write(tmp_path / "docs", TEXTS)


def fresh(db: Database, folder: Path) -> list[str]:
    """The graph of a folder loaded at once into an emptied store; the store is emptied."""
    db.driver.execute_query("MATCH (n) WHERE NOT n:Meta DETACH DELETE n", database_=db.database)
    load(db, folder)
    return export(db)


def test_loading_twice_changes_nothing(db, folder):
    first = load(db, folder)
    assert (first.created, first.changed, first.unchanged) == (8, 0, 0)
    before, version = export(db), db.graph_version()
    again = load(db, folder)
    assert (again.created, again.changed, again.moved, again.unchanged) == (0, 0, 0, 8)
    assert db.graph_version() == version
    assert export(db) == before


def test_a_code_name_gathers_its_documents_on_one_entity(db, folder):
    load(db, folder)
    found = rows(
        db, "MATCH (d:Document)-[m:MENTIONS]->(e:Entity {key: 'project atlas'}) RETURN d.id AS id, e.documents AS n"
    )
    assert {row["id"] for row in found} == {
        "minutes/launch.md",
        "mail/budget.md",
        "tickets/inc-1042.md",
        "zh/review.md",
    }
    assert {row["n"] for row in found} == {4}


def test_statements_are_verbatim_with_offsets_and_dates(db, folder):
    load(db, folder)
    found = rows(
        db,
        "MATCH (d:Document)-[m:MENTIONS]->() "
        "RETURN d.text AS text, m.statements AS s, m.starts AS a, m.ends AS b, m.dates AS dates",
    )
    assert found
    for row in found:
        assert [row["text"][a:b] for a, b in zip(row["a"], row["b"], strict=True)] == row["s"]
        assert len(row["dates"]) == len(row["s"])
    assert any("2026-03-12" in row["dates"] for row in found)


def test_two_people_of_one_name_stay_two_and_the_bare_mention_open(db, folder):
    load(db, folder)
    assert len(rows(db, "MATCH (e:Entity {key: 'li wei'}) RETURN e.id AS id")) == 2
    opened = rows(
        db, "MATCH (d:Document)-[u:UNRESOLVED]->(t) WHERE u.name = 'Li Wei' RETURN d.id AS id, t.name AS kind"
    )
    assert opened == [{"id": "hr/note.md", "kind": "person"}]


def test_a_changed_file_gives_the_graph_of_the_changed_folder(db, folder):
    load(db, folder)
    (folder / "hr/note.md").write_text("# Note\n\nProject Atlas hired Anna Schmidt.\n", encoding="utf-8")
    report = load(db, folder)
    assert (report.created, report.changed, report.unchanged) == (0, 1, 7)
    assert export(db) == fresh(db, folder)


def test_a_move_is_a_move_and_gives_the_graph_of_the_new_folder(db, folder):
    load(db, folder)
    (folder / "archive").mkdir()
    (folder / "mail/budget.md").rename(folder / "archive/budget.md")
    report = load(db, folder)
    assert (report.created, report.changed, report.moved) == (0, 0, 1)
    assert export(db) == fresh(db, folder)


def test_equal_files_in_two_folders_of_one_load_are_two_documents(db, tmp_path):
    folder = write(tmp_path, {"a/readme.md": "Tom Becker wrote this.\n", "b/readme.md": "Tom Becker wrote this.\n"})
    assert load(db, folder).created == 2
    (folder / "c").mkdir()
    shutil.copy(folder / "a/readme.md", folder / "c/readme.md")
    report = load(db, folder)
    assert (report.created, report.moved) == (1, 0)


def test_forgetting_a_document_leaves_no_trace_and_takes_nothing_else(db, folder):
    load(db, folder)
    assert forget(db, ENCODER, ["tickets/inc-1042.md"]) == ["tickets/inc-1042.md"]
    text = "\n".join(export(db))
    assert "Zanzibarian" not in text
    assert "tickets/inc-1042" not in text
    hits = rows(
        db, "CALL db.index.fulltext.queryNodes('fulltext_document', 'Zanzibarian') YIELD node RETURN node.id AS id"
    )
    assert hits == []
    assert rows(db, "MATCH (e:Entity {key: 'inc-1042'}) RETURN e.documents AS n") == [{"n": 1}]
    (folder / "tickets/inc-1042.md").unlink()
    assert export(db) == fresh(db, folder)


def test_a_fact_of_two_documents_stays_while_one_remains(db, tmp_path):
    fact = "Heliograph AG acquired Northwind Traders Ltd on 3 May 2026.\n"
    load(db, write(tmp_path, {"a.md": "# One\n\n" + fact, "b.md": "# Two\n\n" + fact}))
    forget(db, ENCODER, ["a.md"])
    stored = rows(db, "MATCH (:Document)-[m:MENTIONS]->(e:Entity {key: 'heliograph ag'}) RETURN m.statements AS s")
    assert stored == [{"s": [fact.strip()]}]


def test_forgetting_an_unknown_document_is_an_error_and_changes_nothing(db, folder):
    load(db, folder)
    before = export(db)
    with pytest.raises(NotFound, match="nowhere"):
        forget(db, ENCODER, ["hr/note.md", "nowhere.md"])
    assert export(db) == before


def test_folders_loaded_one_by_one_give_the_graph_of_one_load(db, tmp_path, folder):
    for index, name in enumerate(sorted(TEXTS, reverse=True)):
        load(db, write(tmp_path / f"part{index}", {name: TEXTS[name]}))
    assert export(db) == fresh(db, folder)


def test_build_restores_what_was_lost(db, folder):
    load(db, folder)
    before = export(db)
    db.driver.execute_query("MATCH ()-[m:MENTIONS]->() DELETE m", database_=db.database)
    db.driver.execute_query("MATCH (e:Entity {key: 'tom becker'}) DETACH DELETE e", database_=db.database)
    db.driver.execute_query("MATCH (c:Chunk) DETACH DELETE c", database_=db.database)
    db.driver.execute_query("MATCH (d:Document {id: 'hr/note.md'}) SET d.extracted = null", database_=db.database)
    assert build_map(db, ENCODER).decided > 0
    assert sorted(set(export(db)) ^ set(before)) == []
    assert build_map(db, ENCODER).decided == 0


def test_empty_and_tiny_documents_are_stored(db, tmp_path):
    report = load(db, write(tmp_path, {"empty.md": "", "blank.md": " \n\n", "hello.md": "Hello world\n"}))
    assert report.created == 3
    assert len(report.warnings) == 2
    assert rows(db, "MATCH (e:Entity) WHERE e.documents > 1 RETURN e.name AS name") == []


SCRIPT = """
import os, sys
sys.path.insert(0, {tests!r})
import graphstore.corpusmap.update as update
update._BATCH = 4
from hash_encoder import ENCODER
from graphstore.db import Database
from graphstore.loaders import read_documents
with Database.open(sys.argv[1], (sys.argv[2], os.environ["TEST_PASSWORD"])) as db:
    print("ready", flush=True)
    update.load_documents(db, ENCODER, lambda: read_documents(sys.argv[3]),
                          progress=lambda label, done, total: print(label, done, flush=True))
"""


def start(server, folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [
            sys.executable,
            "-c",
            SCRIPT.format(tests=str(Path(__file__).parents[1])),
            server.uri,
            server.username,
            str(folder),
        ],
        env={**os.environ, "TEST_PASSWORD": server.password},
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.fixture
def many(tmp_path: Path) -> Path:
    people = ["Priya Raman", "Tom Becker", "Anna Schmidt", "Li Wei", "Maria Keller"]
    texts = {
        f"f{i % 3}/d{i:02}.md": (
            f"# Report {i}\n\n{people[i % 5]} met {people[(i * 3 + 1) % 5]} "
            f"about Project Atlas and INC-{1000 + i % 7}.\n"
        )
        for i in range(40)
    }
    return write(tmp_path / "many", {**texts, **TEXTS})


def test_two_processes_loading_one_folder_give_the_graph_of_one(db, server, many):
    processes = [start(server, many) for _ in range(2)]
    assert [process.wait(timeout=300) for process in processes] == [0, 0]
    assert export(db) == fresh(db, many)


def test_a_killed_load_run_again_gives_the_graph_of_an_uninterrupted_one(db, server, many):
    for wait in (1, 2):
        process = start(server, many)
        assert process.stdout is not None
        seen = 0
        for line in process.stdout:
            seen += line.startswith("documents")
            if seen >= wait:
                break
        time.sleep(0.05 * wait)
        process.send_signal(signal.SIGKILL)
        process.wait(timeout=60)
        half = rows(
            db, "MATCH (d:Document) WHERE NOT EXISTS { (d)-[:HAS_CHUNK]->() } AND trim(d.text) <> '' RETURN d.id AS id"
        )
        assert half == []
    load(db, many)
    assert export(db) == fresh(db, many)
