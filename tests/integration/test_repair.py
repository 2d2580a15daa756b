"""``check --repair`` brings back what the evidence in the store gives, and says what it cannot."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from graphstore.cli import run
from graphstore.client import GraphStore
from graphstore.db import Database
from graphstore.encoders import Encoder
from graphstore.ordered_export import ordered_export
from graphstore.server import ServerAddress
from graphstore.settings import Settings

SAMPLE = Path(__file__).parents[2] / "graphstore" / "sample"
ENTITY = "MATCH (e:Entity) WITH e ORDER BY e.id SKIP {} LIMIT 1 "
DOCUMENT = "MATCH (d:Document) WITH d ORDER BY d.id SKIP {} LIMIT 1 "
LINK = "MATCH (d:Document)-[m:MENTIONS]->(e) WITH m ORDER BY d.id, e.id SKIP {} LIMIT 1 "
PATH = "MATCH (p:ToolPath) WITH p ORDER BY p.id SKIP {} LIMIT 1 "
NEXT = "MATCH (a:Tool)-[n:NEXT]->(b) WITH n ORDER BY a.id, b.id SKIP {} LIMIT 1 "
DAMAGE = [
    ENTITY.format(0) + "SET e.documents = 7",
    ENTITY.format(1) + "REMOVE e.documents",
    ENTITY.format(2) + "MATCH (e)<-[m:MENTIONS]-() DELETE m",
    ENTITY.format(3) + "MATCH (e)-[t:OF_TYPE]->() DELETE t",
    "CREATE (:Entity {id: 'nobody', name: 'Nobody', key: 'nobody', documents: 3})",
    DOCUMENT.format(0) + "MATCH (d)-[:HAS_CHUNK]->(c) DETACH DELETE c",
    DOCUMENT.format(1) + "REMOVE d.extracted",
    DOCUMENT.format(2) + "MATCH (d)-[h:HAS_CHUNK]->() DELETE h",
    DOCUMENT.format(3) + "MATCH (d)-[:HAS_CHUNK]->(c) SET c.index = 5",
    DOCUMENT.format(4) + "MATCH (d)-[:HAS_CHUNK]->(c) SET c.embedding = [1.0, 2.0]",
    DOCUMENT.format(5) + "MATCH (d)-[:HAS_CHUNK]->(c) REMOVE c.embedding",
    DOCUMENT.format(6) + "MATCH (d)-[:HAS_CHUNK]->(c) SET c.embedding = [x IN c.embedding | 0.0]",
    LINK.format(8) + "SET m.dates = []",
    LINK.format(20) + "SET m.names = []",
    "MATCH (t:Tool) WITH t ORDER BY t.id LIMIT 1 SET t.embedding = [x IN t.embedding | 0.0]",
    "MATCH (s:Stage) WHERE s.embedding IS NOT NULL WITH s ORDER BY s.id LIMIT 1 SET s.embedding = [1.0]",
    PATH.format(0) + "SET p.length = 99",
    PATH.format(1) + "MATCH (p)-[s:STEP]->() DELETE s",
    PATH.format(2) + "MATCH (t:Tool) WITH p, t ORDER BY t.id LIMIT 1 CREATE (p)-[:STEP {index: 0}]->(t)",
    PATH.format(3) + "SET p.count = 33",
    NEXT.format(0) + "SET n.count = 77",
    NEXT.format(1) + "DELETE n",
    "MATCH (a:Tool) WITH a ORDER BY a.id SKIP 5 LIMIT 1 CREATE (a)-[:NEXT {count: 4}]->(a)",
    "DROP INDEX range_document_path",
    "DROP INDEX vector_chunk",
]


@pytest.fixture
def store(db: Database, encoder: Encoder, tmp_path: Path) -> GraphStore:
    store = GraphStore(db, encoder, Settings.load(cache=tmp_path / "cache"))
    store.load_tools(SAMPLE / "tools.json")
    store.load_logs(SAMPLE / "task_logs")
    store.load_documents(SAMPLE / "documents" / "tickets", SAMPLE / "documents" / "hr")
    return store


def test_what_is_derived_is_made_again_from_the_evidence(store: GraphStore, db: Database) -> None:
    lines = list(ordered_export(db))
    for damage in DAMAGE:
        counters = db.driver.execute_query(damage).summary.counters
        assert counters.contains_updates or counters.contains_system_updates or damage.startswith("DROP"), damage
    found = store.check()
    kinds = (
        "index/counts/orphan entity/type/half document/orphan chunk/chunk numbers/statements/vector/tool path/history"
    )
    assert {fault.check for fault in found} == set(kinds.split("/"))

    done = store.repair()
    assert done.left == ()
    assert set(done.repaired) == set(found)
    assert store.check() == []
    assert list(ordered_export(db)) == lines


def test_a_sound_store_is_not_written(store: GraphStore, db: Database) -> None:
    version = db.graph_version()
    assert store.repair().repaired == ()
    assert db.graph_version() == version


def test_what_evidence_is_gone_is_said(
    store: GraphStore,
    db: Database,
    served: ServerAddress,
    capfd: pytest.CaptureFixture[str],
) -> None:
    db.driver.execute_query(PATH.format(0) + "MATCH ()-[s:SOLVED_BY]->(p) DELETE s")
    db.driver.execute_query(ENTITY.format(0) + "SET e.documents = 7")
    assert run(["check", "--repair", "--json"]) == 1
    told = json.loads(capfd.readouterr().out)
    assert {fault["check"] for fault in told["repaired"]} == {"counts"}
    assert ("tool path", "no stage") in {(fault["check"], fault["what"]) for fault in told["faults"]}
    assert run(["check"]) == 1
    assert "tool path" in capfd.readouterr().out
