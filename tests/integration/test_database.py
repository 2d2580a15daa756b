"""The one boundary to Neo4j, on a real server."""

from __future__ import annotations

import socket
import subprocess
import sys
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from graphstore import schema
from graphstore.db import Database, StaleVersion
from graphstore.errors import AuthError, ConnectError, EncoderMismatch, QueryError, SchemaError

if TYPE_CHECKING:
    from graphstore.server import ServerAddress


def test_schema_applied_twice_changes_nothing(db: Database) -> None:
    before = db.graph_version()
    schema.apply(db, encoder="all-MiniLM-L6-v2-int8", dimensions=384, analyzer="cjk")
    assert db.graph_version() == before


def test_all_indexes_are_online(db: Database) -> None:
    states = {row["state"] for row in db.run("SHOW INDEXES YIELD state")}
    assert states == {"ONLINE"}


def test_another_encoder_is_refused_naming_both_and_the_remedy(db: Database) -> None:
    with pytest.raises(EncoderMismatch, match=r"all-MiniLM-L6-v2-int8 \(384.*other \(768.*graphstore reindex"):
        schema.apply(db, encoder="other", dimensions=768, analyzer="cjk")


def test_a_newer_schema_is_refused(db: Database) -> None:
    list(db.run("MATCH (m:Meta) SET m.schema_version = 99", write=True))
    with pytest.raises(SchemaError, match="update graphstore"):
        schema.apply(db, encoder="all-MiniLM-L6-v2-int8", dimensions=384, analyzer="cjk")


def test_documents_of_an_older_schema_are_found_by_what_their_paths_are_like(db: Database) -> None:
    made = "CREATE (:Document {id: 'a', path: 'Notes/\u00c9.md'}) WITH * MATCH (m:Meta) SET m.schema_version = 3"
    list(db.run(made, write=True))
    alike = [unicodedata.normalize("NFKD", "notes/\u00e9.md")]
    assert db.read("page/documents_alike", paths=alike, reader=None, as_of=None) == []
    schema.apply(db, encoder="all-MiniLM-L6-v2-int8", dimensions=384, analyzer="cjk")
    found = db.read("page/documents_alike", paths=alike, reader=None, as_of=None)
    assert [row["id"] for row in found] == ["a"]


def test_each_write_raises_the_version_by_one(db: Database) -> None:
    before = db.graph_version()
    assert db.write().version == before + 1
    assert db.graph_version() == before + 1


def test_a_failing_step_undoes_the_steps_before_it(db: Database) -> None:
    meta = {"store": "x", "schema_version": 7, "encoder": "e", "dimensions": 1}
    before = db.read("maintain/graph_version")
    with pytest.raises(QueryError, match=r"cypher/schema/meta\.cypher"):
        db.write(("schema/meta", meta), ("schema/meta", {**meta, "schema_version": {"a": "map"}}))
    assert db.read("maintain/graph_version") == before


def test_a_write_from_a_stale_version_is_refused_whole(db: Database) -> None:
    version = db.graph_version()
    db.write()
    with pytest.raises(StaleVersion):
        db.write(expect=version)
    assert db.graph_version() == version + 1


def test_the_bulk_door_writes_all_rows_and_raises_the_version_before_and_after(db: Database) -> None:
    list(db.run("UNWIND range(1, 25) AS i CREATE (:Stage {id: toString(i)})", write=True))
    rows = [{"id": str(i), "embedding": [float(i)] + [0.0] * 383} for i in range(1, 26)]
    before = db.graph_version()
    db.bulk("derive/tool_stage_vectors", rows, batch=10)
    assert db.graph_version() == before + 2
    found = {row["id"]: row["first"] for row in db.run("MATCH (s:Stage) RETURN s.id AS id, s.embedding[0] AS first")}
    assert found == {str(i): float(i) for i in range(1, 26)}
    db.bulk("derive/tool_stage_vectors", [])
    assert db.graph_version() == before + 2


def test_no_update_is_lost_between_eight_threads(db: Database) -> None:
    before = db.graph_version()
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: [db.write() for _ in range(25)], range(8)))
    assert db.graph_version() == before + 200


def test_read_mode_cannot_write(db: Database) -> None:
    with pytest.raises(QueryError, match=r"(?i)read"):
        list(db.run("CREATE (n:Intruder)"))


def test_a_refused_write_says_what_would_let_it_run(db: Database) -> None:
    with pytest.raises(QueryError, match="allow writing to run it"):
        list(db.run("CREATE (:Tool {id: 'x'})"))


@pytest.mark.parametrize("text", ["LOAD CSV FROM 'file:///x' AS l RETURN l", "load /* x */ csv FROM 'a' AS l RETURN l"])
def test_load_csv_is_refused_in_read_mode(db: Database, text: str) -> None:
    with pytest.raises(QueryError, match="LOAD CSV"):
        list(db.run(text))


def test_values_are_plain(db: Database) -> None:
    [row] = db.run("CREATE p = (a:A {x: date('2026-01-02')})-[r:R {y: 1.5}]->(b:B) RETURN p, r, a.x AS x", write=True)
    node, relation, _ = row["p"]
    assert node["labels"] == ["A"]
    assert node["properties"] == {"x": "2026-01-02"}
    assert (relation["type"], relation["properties"], row["x"]) == ("R", {"y": 1.5}, "2026-01-02")


def test_a_wrong_password_is_one_clear_line_after_one_try(server: ServerAddress) -> None:
    with pytest.raises(AuthError, match="wrong user name or password; check NEO4J_USERNAME") as caught:
        Database.open(server.uri, ("neo4j", "not-the-password"))
    assert "not-the-password" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_closed_port_is_one_clear_line() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    with pytest.raises(ConnectError, match=f"127.0.0.1:{port} refuses connections: nothing listens.*NEO4J_URI"):
        Database.open(f"bolt://127.0.0.1:{port}", ("neo4j", "x"))


def test_an_unknown_database_is_named(server: ServerAddress) -> None:
    with pytest.raises(ConnectError, match=r"nowhere.*check NEO4J_DATABASE"):
        Database.open(server.uri, (server.username, server.password), database="nowhere")


def test_an_unknown_scheme_points_at_the_setting() -> None:
    with pytest.raises(ConnectError, match=r"is no Bolt address.*set NEO4J_URI"):
        Database.open("http://127.0.0.1:1", ("neo4j", "x"))


def test_the_drivers_warnings_stay_off_stderr(server: ServerAddress) -> None:
    code = (
        "import sys; from graphstore.db import Database\n"
        "with Database.open(sys.argv[1], (sys.argv[2], sys.stdin.read())) as db:\n"
        "    list(db.run('MATCH (n:NoSuchLabel) WHERE n.nothing = 1 RETURN id(n)'))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, server.uri, server.username],
        input=server.password,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stderr == ""


def test_a_driver_that_was_handed_in_is_not_closed(connection: Database) -> None:
    with Database(connection.driver, address=connection.address):
        pass
    connection.driver.verify_connectivity()
