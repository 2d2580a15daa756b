"""``check`` finds each kind of broken invariant, and none in a sound graph."""

from __future__ import annotations

from typing import Any

import pytest

from graphstore.check import check
from graphstore.db import Database
from graphstore.schema import SCHEMA_VERSION

DIMENSIONS = 384
SOUND = """
CREATE (a:Tool {id: 'a', embedding: $vector}), (b:Tool {id: 'b', embedding: $vector})
CREATE (:Task {id: 'T'})-[:HAS_STAGE]->(s:Stage {id: 'T/1', embedding: $vector})
CREATE (s)-[:SOLVED_BY]->(p:ToolPath {id: 'p', tools: ['a', 'b', 'a', 'b'], length: 4, count: 2, sources: ['r1', 'r2']})
CREATE (p)-[:STEP {index: 0}]->(a), (p)-[:STEP {index: 1}]->(b)
CREATE (p)-[:STEP {index: 2}]->(a), (p)-[:STEP {index: 3}]->(b)
CREATE (a)-[:NEXT {count: 2}]->(b), (b)-[:NEXT {count: 2}]->(a), (b)-[:NEXT {count: 0, failures: 1}]->(b)
CREATE (d:Document {id: 'd', path: 'd', text: 'Text.', hash: 'h', acl: [], extracted: '[]'})
CREATE (d)-[:HAS_CHUNK]->(:Chunk {id: 'd#0', index: 0, embedding: $vector})
CREATE (:Document {id: 'empty', path: 'empty', text: ' ', hash: 'h', acl: [], extracted: '[]'})
CREATE (d)-[:MENTIONS {names: ['E'], statements: ['Text.'], starts: [0], ends: [5], dates: ['']}]->
  (:Entity {id: 'e', documents: 1, embedding: $vector})-[:OF_TYPE]->(:EntityType {name: 'project'})
CREATE (e2:Entity {id: 'e2', documents: 1})-[:OF_TYPE]->(t2:EntityType {name: 'x'})
CREATE (:Record {id: 'r1', hash: 'h1'}), (:Record {id: 'unmentioned', hash: 'h2'})
CREATE (r1:Entity {id: 'r1', documents: 1, record: 'h1'})-[:OF_TYPE]->(t2)
CREATE (d)-[:MENTIONS {names: ['R'], statements: [], starts: [], ends: [], dates: []}]->(r1)
CREATE (:Decision {id: '1', number: 1, kind: 'merge', subjects: ['name:e', 'record:r1'], documents: [], key: '',
  by: 'me', at: '2026-01-01', entities: ['e', 'r1'], names: ['E', 'R']})
CREATE (d)-[:MENTIONS {names: ['E'], statements: [], starts: [], ends: [], dates: []}]->(e2)
"""


def write(db: Database, text: str, **params: Any) -> None:
    list(db.run(text, params, write=True))


@pytest.fixture
def sound(db: Database) -> Database:
    """A graph in which everything holds."""
    write(db, SOUND, vector=[1.0] + [0.0] * (DIMENSIONS - 1))
    return db


def test_a_sound_graph_has_no_fault(sound: Database):
    assert check(sound) == []


def test_an_empty_graph_has_no_fault(db: Database):
    assert check(db) == []


@pytest.mark.parametrize(
    ("damage", "kind", "where", "what"),
    [
        ("MATCH (e:Entity {id: 'e'}) SET e.documents = 7", "counts", "e", "counts 7 documents, 1 mention it"),
        ("MATCH (e:Entity {id: 'e'}) REMOVE e.documents", "counts", "e", "counts None documents, 1 mention it"),
        (
            "MATCH (e:Entity {id: 'e'})<-[m:MENTIONS]-() DELETE m SET e.documents = 0",
            "orphan entity",
            "e",
            "no document mentions it",
        ),
        ("MATCH (:Entity {id: 'e'})-[t:OF_TYPE]->() DELETE t", "type", "e", "has 0 types, not one"),
        ("MATCH (r:Record {id: 'r1'}) DELETE r", "record", "r1", "no record has its id"),
        ("MATCH (r:Record {id: 'r1'}) SET r.hash = 'x'", "record", "r1", "its record says something else"),
        ("MATCH (d:Decision) SET d.subjects = ['name:e']", "decision", "1", "1 entities, not two"),
        ("MATCH (d:Decision) SET d.kind = 'guess'", "decision", "1", "kind guess"),
        ("MATCH (d:Decision) REMOVE d.by", "decision", "1", "nobody decided it"),
        ("MATCH (c:Chunk) DETACH DELETE c", "half document", "d", "lacks chunks"),
        ("MATCH (d:Document {id: 'd'}) REMOVE d.extracted", "half document", "d", "lacks extraction"),
        ("MATCH (d:Document {id: 'd'}) REMOVE d.acl", "half document", "d", "lacks text, hash or acl"),
        (
            "MATCH (d:Document {id: 'd'}) SET d.text = '' WITH d MATCH (d)-[h:HAS_CHUNK]->() DELETE h",
            "orphan chunk",
            "d#0",
            "belongs to 0 documents, not to one",
        ),
        ("MATCH (c:Chunk) SET c.index = 1", "chunk numbers", "d", "its chunks are numbered [1]"),
        (
            "MATCH ()-[m:MENTIONS]->(:Entity {id: 'e'}) SET m.dates = []",
            "statements",
            "d → e",
            "lengths of names, statements, starts, ends, dates: [1, 1, 1, 1, 0]",
        ),
        (
            "MATCH ()-[m:MENTIONS]->(:Entity {id: 'e'}) SET m.names = []",
            "statements",
            "d → e",
            "lengths of names, statements, starts, ends, dates: [0, 1, 1, 1, 1]",
        ),
        (
            "MATCH (c:Chunk) SET c.embedding = [1.0, 2.0]",
            "vector",
            "Chunk d#0",
            "2 dimensions, the encoder gives 384 dimensions",
        ),
        (
            "MATCH (t:Tool {id: 'a'}) SET t.embedding = [x IN range(1, 384) | 0.0]",
            "vector",
            "Tool a",
            "zeros, the encoder gives 384 dimensions",
        ),
        ("MATCH (c:Chunk) REMOVE c.embedding", "vector", "Chunk d#0", "no vector, the encoder gives 384 dimensions"),
        ("MATCH (p:ToolPath) SET p.length = 3", "tool path", "p", "length 3 for 4 tools"),
        ("MATCH (:ToolPath)-[s:STEP {index: 3}]->() DELETE s", "tool path", "p", "3 steps for 4 tools"),
        (
            "MATCH (p)-[s:STEP {index: 3}]->(), (a:Tool {id: 'a'}) DELETE s CREATE (p)-[:STEP {index: 3}]->(a)",
            "tool path",
            "p",
            "4 steps for 4 tools",
        ),
        ("MATCH (p:ToolPath) SET p.count = 3", "tool path", "p", "count 3 for 2 runs"),
        ("MATCH ()-[s:SOLVED_BY]->() DELETE s", "tool path", "p", "no stage"),
        ("MATCH (:Tool {id: 'a'})-[n:NEXT]->() SET n.count = 1", "history", "a → b", "count 1, the tool paths give 2"),
        ("MATCH (:Tool {id: 'a'})-[n:NEXT]->() DELETE n", "history", "a → b", "count 0, the tool paths give 2"),
        (
            "MATCH (a:Tool {id: 'a'}) CREATE (a)-[:NEXT {count: 4}]->(a)",
            "history",
            "a → a",
            "count 4, the tool paths give 0",
        ),
        ("MATCH ()-[h:HAS_STAGE]->() DELETE h", "orphan stage", "T/1", "belongs to 0 tasks, not to one"),
        (
            "MATCH (m:Meta) SET m.schema_version = 0",
            "identity",
            "Meta",
            f"schema 0, this graphstore writes {SCHEMA_VERSION}",
        ),
        (
            "MATCH (m:Meta) REMOVE m.encoder",
            "identity",
            "Meta",
            "names no encoder: its vectors cannot be told from another's",
        ),
    ],
)
def test_each_kind_of_damage_is_found_and_nothing_else(sound: Database, damage: str, kind: str, where: str, what: str):
    write(sound, damage)
    assert [(fault.check, fault.where, fault.what) for fault in check(sound)] == [(kind, where, what)]


def test_vector_indexes_of_another_size_are_found(sound: Database):
    write(sound, "MATCH (m:Meta) SET m.dimensions = 768")
    found = check(sound)
    assert {fault.where for fault in found if fault.check == "index"} == {
        "vector_tool",
        "vector_stage",
        "vector_chunk",
        "vector_entity",
    }
    assert {fault.what for fault in found if fault.check == "index"} == {
        "384 dimensions, the store's encoder gives 768"
    }


def test_a_missing_index_is_found(sound: Database):
    write(sound, "DROP INDEX range_document_path")
    try:
        (fault,) = check(sound)
        assert (fault.check, fault.where) == ("index", "range_document_path")
        assert "cypher/schema/range_document_path.cypher" in fault.what
    finally:
        sound.define("schema/range_document_path")
        sound.define("schema/await_indexes", seconds=60)
