"""Logs of several formats through the command line into the store."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from graphstore.cli import run
from graphstore.client import GraphStore
from graphstore.db import Database
from graphstore.server import ServerAddress

CALL = {"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "find_room", "arguments": "{}"}}]}
BOTH = {
    "role": "assistant",
    "tool_calls": [{"id": n, "function": {"name": n, "arguments": "{}"}} for n in ("book", "mail")],
}


def chat(name: str, **more: object) -> str:
    messages = [{"role": "user", "content": f"Book a room, {name}."}, CALL, {"role": "tool", "tool_call_id": "1"}, BOTH]
    return json.dumps({"id": name, "messages": messages, **more})


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    file = tmp_path / "chats.jsonl"
    file.write_text(
        "\n".join([chat("one", reward=1), chat("two", reward=0.1), chat("three"), '{"messages": [5]}', "{"])
    )
    return file


@pytest.fixture
def store(db: Database, served: ServerAddress) -> ServerAddress:
    return served


def test_what_passed_is_by_the_condition_and_what_cannot_be_read_is_named(
    db: Database, store: ServerAddress, logs: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["load", "logs", str(logs), "--passed-if", "reward>=0.5", "--json"]) == 1
    report = json.loads(capfd.readouterr().out)
    assert (report["created"], [each.split(": ", 1)[0] for each in report["rejected"]]) == (
        3,
        [f"{logs}:4", f"{logs}:5"],
    )
    rows = db.run(
        "MATCH (s:Stage) RETURN s.id AS id, s.passed AS passed, size(s.unjudged_runs) AS unjudged ORDER BY id"
    )
    assert [(row["id"], row["passed"], row["unjudged"]) for row in rows] == [
        ("one/1", True, 0),
        ("three/1", False, 1),
        ("two/1", False, 0),
    ]
    edges = db.run("MATCH (a:Tool)-[n:NEXT]->(b:Tool) RETURN a.id AS a, b.id AS b, n.count AS count ORDER BY b")
    assert [(row["a"], row["b"], row["count"]) for row in edges if row["count"]] == [
        ("find_room", "book", 1),
        ("find_room", "mail", 1),
    ]
    assert run(["load", "logs", str(logs), "--passed-if", "reward>=0.5", "--allow-failures"]) == 0
    printed = capfd.readouterr()
    assert "3 unchanged" in printed.out
    assert "warning" not in printed.err


def test_without_a_verdict_nothing_passed_and_the_user_is_told(
    db: Database, store: ServerAddress, logs: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["load", "logs", str(logs), "--passed-if", "rewrad>=0.5", "--allow-failures"]) == 0
    told = "warning: of 3 stage runs read none is known to have passed or failed"
    assert told in capfd.readouterr().err
    assert run(["load", "logs", str(logs), "--allow-failures"]) == 0
    assert told in capfd.readouterr().err
    (row,) = db.run("MATCH (s:Stage) RETURN count(s) AS stages, sum(size(s.unjudged_runs)) AS unjudged")
    assert dict(row) == {"stages": 3, "unjudged": 3}
    assert list(db.run("MATCH (:Tool)-[n:NEXT]->(:Tool) WHERE n.count > 0 RETURN n")) == []


def test_paths_tell_runs_that_failed_from_those_of_which_nothing_is_known(
    store: ServerAddress, logs: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["load", "logs", str(logs), "--passed-if", "reward>=0.5", "--allow-failures"]) == 0
    capfd.readouterr()
    told = []
    for stage in ("one/1", "two/1", "three/1"):
        assert run(["paths", stage]) == 0
        told.append(capfd.readouterr().out.splitlines()[1])
    assert told == ["1 of 1 runs passed", "0 of 1 runs passed, 1 failed", "0 of 1 runs passed, 1 unknown"]
    assert run(["paths", "three/1", "--json"]) == 0
    found = json.loads(capfd.readouterr().out)
    assert (found["runs"], found["passed"], found["failed"], found["unknown"]) == (1, 0, 0, 1)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--format", "chats"], "graphstore: no format of logs is named 'chats': anthropic, langfuse, "),
        (["--passed-if", "reward>="], "graphstore: --passed-if 'reward>=': write FIELD, FIELD=VALUE or FIELD>=NUMBER"),
    ],
)
def test_an_unknown_format_or_condition_is_one_line(
    store: ServerAddress, logs: Path, capfd: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    assert run(["load", "logs", str(logs), *words]) == 1
    printed = capfd.readouterr()
    assert (printed.out, printed.err.count("\n")) == ("", 1)
    assert printed.err.startswith(said)


def test_a_format_may_be_named_from_python(store: ServerAddress, logs: Path) -> None:
    with GraphStore.connect(uri=store.uri, username=store.username, password=store.password) as graph:
        report = graph.load_logs(logs, format="openai-chat", passed_if="true")
        assert (report.created, len(report.rejected)) == (3, 2)
        assert {hit.id for hit in graph.tools("Book a room", k=3)} == {"find_room", "book", "mail"}
