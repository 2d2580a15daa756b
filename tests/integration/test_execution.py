"""A user's statement while it runs: what it may do, what is known of it, and how it is stopped."""

from __future__ import annotations

import threading

import pytest

from graphstore.db import Database
from graphstore.errors import QueryError
from graphstore.execution import operators

ENDLESS = "UNWIND range(1, 1000000) AS a UNWIND range(1, 1000000) AS b WITH a, b WHERE a * b = -1 RETURN count(*) AS n"


def running(db: Database) -> list[str]:
    # another session than the one that is watched
    rows = db.driver.execute_query(
        "SHOW TRANSACTIONS YIELD currentQuery, metaData WHERE metaData.graphstore IS NOT NULL RETURN currentQuery"
    ).records
    return [row["currentQuery"] for row in rows if "SHOW TRANSACTIONS" not in row["currentQuery"]]


@pytest.mark.parametrize(
    "text",
    [
        "LOAD CSV FROM 'file:///etc/passwd' AS l RETURN l",
        "load /* */ csv FROM 'file:///etc/passwd' AS l RETURN l",
        "// a comment ends at a carriage return too\rLOAD CSV FROM 'file:///etc/passwd' AS l RETURN l",
        "WITH 'http://example.org' AS u LOAD CSV FROM u AS l RETURN l",
        "L\\u004FAD CSV FROM 'file:///etc/passwd' AS l RETURN l",
        "UNWIND [1] AS x CALL (x) { LOAD CSV FROM 'file:///etc/passwd' AS l RETURN l } RETURN l",
    ],
)
def test_load_csv_is_refused_in_read_mode_however_it_is_written(db: Database, text: str) -> None:
    with pytest.raises(QueryError, match="LOAD CSV reads files"):
        list(db.run(text))


def test_the_words_load_csv_are_not_refused(db: Database) -> None:
    assert list(db.run("RETURN 'LOAD CSV' AS x // load csv")) == [{"x": "LOAD CSV"}]


def test_columns_are_known_without_rows(db: Database) -> None:
    with db.execute("MATCH (n:Nothing) RETURN n.a AS a, n.b AS b") as execution:
        assert (execution.columns, list(execution)) == (("a", "b"), [])


def test_changes_are_counted_and_raise_the_version(db: Database) -> None:
    version = db.graph_version()
    with db.execute("CREATE (n:Tool {id: 'x', name: 'x'})", write=True) as execution:
        assert list(execution) == []
    assert execution.outcome.changes == {"nodes_created": 1, "labels_added": 1, "properties_set": 2}
    assert db.graph_version() > version


def test_a_failed_write_raises_the_version_after_it_too(db: Database) -> None:
    version = db.graph_version()
    batches = "UNWIND [1, 2, 0] AS x CALL (x) { CREATE (:Tool {id: toString(1 / x)}) } IN TRANSACTIONS OF 1 ROW"
    with pytest.raises(QueryError):
        list(db.run(batches, write=True))
    assert list(db.run("MATCH (t:Tool) RETURN count(t) AS n")) == [{"n": 2}]
    assert db.graph_version() == version + 2


def test_a_plan_names_its_operators(db: Database) -> None:
    with db.execute("EXPLAIN MATCH (t:Tool) RETURN count(t) AS n") as execution:
        assert list(execution) == []
    assert execution.outcome.plan is not None
    assert operators(execution.outcome.plan) == ["ProduceResults", "NodeCountFromCountStore"]


@pytest.mark.parametrize("write", [False, True])
@pytest.mark.parametrize("text", [ENDLESS, "UNWIND range(1, 1000000000) AS n RETURN n"])
def test_a_cancelled_statement_is_gone_from_the_server(db: Database, text: str, write: bool) -> None:
    seen: list[str] = []

    def stop() -> None:
        seen.extend(running(db))
        execution.cancel()

    with db.execute(text, write=write) as execution:
        timer = threading.Timer(0.7, stop)
        timer.start()
        for _ in execution:
            pass
    timer.join()
    assert execution.cancelled
    assert seen == [text]
    assert running(db) == []
    assert list(db.run("RETURN 1 AS x")) == [{"x": 1}]
