"""What users of such systems report as bugs, each through the command line or the client, as a user would meet it."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from graphstore import GraphStore, GraphStoreError
from graphstore.cli import run
from graphstore.db import Database

if TYPE_CHECKING:
    from graphstore.server import ServerAddress

SAMPLE = Path(__file__).parents[2] / "graphstore" / "sample"
ODD = [
    "`]->()",
    "'",
    '"',
    "nul\0char",
    "works for",
    "two\nlines",
    "{x: 1}",
    "$rows",
    "\\",
    "//",
    "工具",
    "a" * 900,
    "*:*",
]
SYNTAX = [
    "A/B",
    "tb-",
    '"',
    "C++",
    "AND",
    "OR NOT",
    "(",
    "a:b",
    "[* TO *]",
    "~2^",
    "\\",
    "`]->()",
    "工具 AND (",
    "\0",
    "x" * 9000,
]
"""What Lucene, Cypher or a shell would take for more than text."""


@dataclass(frozen=True)
class Outcome:
    status: int
    out: str
    err: str


@pytest.fixture
def environment(db: Database, server: ServerAddress, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> dict[str, str]:
    """The environment of a user of the emptied test store."""
    mine = {"NEO4J_URI": server.uri, "NEO4J_USERNAME": server.username, "NEO4J_PASSWORD": server.password}
    mine["GRAPHSTORE_CACHE"] = str(tmp_path / "cache")
    for name, value in mine.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    return {**os.environ, **mine}


@pytest.fixture
def cli(environment: dict[str, str], capfd: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    def call(*words: str) -> Outcome:
        capfd.readouterr()
        status = run(list(words))
        return Outcome(status, *capfd.readouterr())

    return call


Cli = Callable[..., Outcome]


@pytest.fixture
def store(environment: dict[str, str]) -> Iterator[GraphStore]:
    with GraphStore.connect() as opened:
        yield opened


def lines(path: Path, records: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return path


def log(task: str, run: str, *tools: str, request: str = "do it") -> dict[str, Any]:
    stage = {
        "stage_id": "1",
        "user_query": request,
        "passed": True,
        "tool_calls_detail": [{"tool_name": t} for t in tools],
    }
    return {"task_id": task, "run_id": run, "stages": [stage]}


def holders(folder: Path, word: str) -> list[str]:
    """Files whose name or bytes hold the word."""
    data = word.encode()
    return [str(p) for p in folder.rglob("*") if word in p.name or (p.is_file() and data in p.read_bytes())]


# -- deletion ---------------------------------------------------------------------------------


def test_what_was_forgotten_is_found_nowhere(cli: Cli, db: Database, tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    secret = "Quixotanium"
    (folder / "kept.md").write_text("# Kept\n\nTom Becker met Priya Raman about Project Atlas.\n", "utf-8")
    (folder / "other.md").write_text("# Other\n\nPriya Raman leads Project Atlas.\n", "utf-8")
    (folder / f"{secret}.md").write_text(
        f"# {secret} plan\n\nProject {secret} of Tom Becker, ZED-77 and ZED-77.\n", "utf-8"
    )
    (folder / "twin.md").write_text(f"# Twin\n\nProject {secret} again, says ZED-77.\n", "utf-8")
    assert cli("load", "docs", str(folder)).status == 0
    assert secret in cli("search", f"Project {secret}").out
    assert cli("pages", "export", "out").status == 0
    assert holders(tmp_path / "out", secret)
    assert holders(tmp_path / "cache", secret)
    (gone,) = db.run(
        "MATCH (d:Document)-[:HAS_CHUNK]->(c) WHERE d.id <> 'kept.md' AND d.id <> 'other.md' RETURN count(c) AS n"
    )
    assert gone["n"]
    assert cli("forget", f"{secret}.md", "twin.md").status == 0
    assert holders(tmp_path / "cache", secret) == []
    export = json.dumps([*db.read("maintain/export_nodes"), *db.read("maintain/export_relationships")], default=repr)
    assert secret.casefold() not in export.casefold()
    assert "zed-77" not in export.casefold()
    for index in ("fulltext_document", "fulltext_entity"):
        assert (
            list(
                db.run(
                    "CALL db.index.fulltext.queryNodes($index, $word) YIELD node RETURN node",
                    {"index": index, "word": secret},
                )
            )
            == []
        )
    assert list(db.run("MATCH (c:Chunk) WHERE NOT (:Document)-[:HAS_CHUNK]->(c) RETURN c.id AS id")) == []
    assert cli("pages", "export", "out").status == 0
    assert holders(tmp_path / "out", secret) == []
    found = cli("search", f"Project {secret}", "--json")
    assert secret not in json.dumps({**json.loads(found.out), "query": ""})
    assert holders(tmp_path / "cache", secret) == []
    assert cli("check").out == "no faults\n"
    assert cli("page", secret).status == cli("doc", f"{secret}.md").status == 1


# -- text is text -----------------------------------------------------------------------------


def test_plain_text_means_plain_text_everywhere(store: GraphStore, tmp_path: Path) -> None:
    store.load_tools(SAMPLE / "tools.json")
    store.load_documents(SAMPLE / "documents" / "minutes")
    for query in [*SYNTAX, " ".join(f"word{i} AND (" for i in range(1000))]:
        assert len(store.tools(query, k=3)) == 3
        assert store.search(query, k=3).query == query
        for read in (store.page, store.document, store.paths):
            with pytest.raises(GraphStoreError) as caught:
                read(query)
            assert "\n" not in str(caught.value)
            assert len(str(caught.value)) < 2000


@pytest.mark.parametrize("query", ["", " ", "\n\t", "\u3000"])
def test_an_empty_question_is_one_clear_line(store: GraphStore, query: str) -> None:
    store.load_tools(SAMPLE / "tools.json")
    for ask in (store.tools, store.search):
        with pytest.raises(GraphStoreError, match=r"^the (request|question) is (empty|blank): [^\n]+$"):
            ask(query)


def test_names_that_are_syntax_elsewhere_are_kept_exactly(store: GraphStore, tmp_path: Path) -> None:
    runs = [log(f"task {name}", name, "first", name, request=f"use {name}") for name in ODD]
    assert store.load_logs(lines(tmp_path / "log.jsonl", runs)).created == len(ODD)
    assert {row["id"] for row in store.query("MATCH (t:Tool) RETURN t.id AS id")} == {"first", *ODD}
    records = [
        {
            "id": f"id {name}",
            "path": f"p/{name}",
            "title": f"t {name}",
            "text": f"Tom Becker: {name}",
            name: {name: name},
        }
        for name in ODD
    ]
    assert store.load_documents(lines(tmp_path / "docs.jsonl", records)).created == len(ODD)
    for name in ODD:
        document = store.document(f"id {name}")
        assert (document.text, document.metadata) == (f"Tom Becker: {name}", {name: {name: name}})
        assert store.paths(f"task {name}/1").paths[0].tools == ("first", name)
    assert store.check() == []
    assert {label for row in store.query("CALL db.labels() YIELD label RETURN label") for label in row.values()} <= {
        *(
            "Meta",
            "Tool",
            "Task",
            "Stage",
            "ToolPath",
            "Document",
            "Chunk",
            "Entity",
            "EntityType",
            "Record",
            "Decision",
            "A",
            "B",
            "Kept",
        )
    }
    again = store.load_logs(tmp_path / "log.jsonl"), store.load_documents(tmp_path / "docs.jsonl")
    assert [(report.created, report.changed) for report in again] == [(0, 0), (0, 0)]


def test_paths_that_differ_only_in_where_a_name_ends_are_two(store: GraphStore, tmp_path: Path) -> None:
    store.load_logs(lines(tmp_path / "log.jsonl", [log("T", "1", "a\nb", "c"), log("T", "2", "a", "b\nc")]))
    assert {path.tools for path in store.paths("T/1").paths} == {("a\nb", "c"), ("a", "b\nc")}
    assert store.check() == []


@pytest.mark.parametrize("words", [["page"], ["doc"], ["paths"], ["forget"], ["query"], ["search"], ["tools"]])
def test_half_a_surrogate_pair_is_no_traceback(cli: Cli, words: list[str]) -> None:
    cli("load", "tools", str(SAMPLE / "tools.json"))
    outcome = cli(*words, "RETURN 'x\udcff' AS x", *(["--json"] if words in (["search"], ["tools"]) else []))
    assert outcome.err.count("\n") <= 1
    if outcome.status:
        assert "no Unicode text" in outcome.err
    else:
        assert json.loads(outcome.out)["query"] == "RETURN 'x\udcff' AS x"


def test_an_output_that_lacks_a_letter_is_one_line(environment: dict[str, str]) -> None:
    narrow = {**environment, "PYTHONIOENCODING": "cp1252"}
    done = python("from graphstore.cli import main; main()", narrow, "search", "工具", "--json")
    assert (done.returncode, done.stdout) == (1, "")
    assert "is not in the encoding of the output (charmap): set PYTHONUTF8=1" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_record_that_cannot_be_stored_costs_itself_only(cli: Cli, tmp_path: Path) -> None:
    runs = [log("T", "1", "a", "b"), log("T" * 9000, "2", "a"), log("T", "3", "t" * 9000), log("T", "4", "")]
    path = lines(tmp_path / "log.jsonl", [*runs, log("T", "5", "a", "c")])
    path.write_text(path.read_text("utf-8") + '{"task_id": "\\ud800"}\n{"task_id": "cut', "utf-8")
    outcome = cli("load", "logs", str(path))
    assert (outcome.status, outcome.out) == (1, "logs: 2 read, 2 new, 0 changed, 0 unchanged, 5 skipped\n")
    assert [line.split(":")[2] for line in outcome.err.splitlines()] == ["2", "3", "4", "6", "7"]


def test_a_path_that_climbs_stays_in_the_folder_of_the_export(cli: Cli, tmp_path: Path) -> None:
    ids = ["../../etc/x", "/etc/y", "..\\..\\z", "a/../../b", "C:\\w", "~/v", "."]
    lines(
        tmp_path / "docs.jsonl", [{"id": each, "title": each, "text": "Tom Becker of Project Atlas."} for each in ids]
    )
    cli("load", "docs", "docs.jsonl")
    before = {path for path in tmp_path.parent.rglob("*") if "out" not in path.parts and "cache" not in path.parts}
    assert cli("pages", "export", "out/deep/er").status == 0
    after = {path for path in tmp_path.parent.rglob("*") if "out" not in path.parts and "cache" not in path.parts}
    assert after == before
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"deep"}


# -- size -------------------------------------------------------------------------------------


def test_a_line_of_seventy_megabytes_is_named_and_skipped(environment: dict[str, str], tmp_path: Path) -> None:
    def loaded(path: Path) -> tuple[subprocess.CompletedProcess[str], list[str], int]:
        peak = "import resource; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
        code = f"import sys; from graphstore.cli import run; s = run(sys.argv[1:]); {peak}; sys.exit(s)"
        done = python(code, environment, "load", "logs", str(path))
        *said, kilobytes = done.stderr.splitlines()
        return done, said, int(kilobytes)

    usual, path = tmp_path / "usual.jsonl", tmp_path / "log.jsonl"
    usual.write_text("".join(json.dumps(log("S", number, "a", "b")) + "\n" for number in "12"))
    with path.open("w") as out:
        out.write(json.dumps(log("T", "1", "a", "b")) + "\n" + '{"task_id": "huge", "text": "')
        for _ in range(70):
            out.write("x" * 2**20)
        out.write('"}\n' + json.dumps(log("T", "2", "a", "c")) + "\n")
    _, _, least = loaded(usual)
    done, said, most = loaded(path)
    path.unlink()
    assert (done.returncode, done.stdout) == (1, "logs: 2 read, 2 new, 0 changed, 0 unchanged, 1 skipped\n")
    assert said == [f"skipped: {path}:2: longer than 64 MiB: skipped"]
    assert most - least < 200_000  # of what is read of the line: 64 MiB, and a copy


# -- network and secrets ----------------------------------------------------------------------

OFFLINE = """
import ipaddress, socket, sys
real, names = socket.socket.connect, socket.getaddrinfo
def connect(self, address):
    if self.family != socket.AF_UNIX and not ipaddress.ip_address(address[0]).is_loopback:
        raise AssertionError(f"connects to {address}")
    return real(self, address)
def getaddrinfo(host, *more, **options):
    if host not in ("127.0.0.1", "localhost", "::1"):
        raise AssertionError(f"asks for {host}")
    return names(host, *more, **options)
socket.socket.connect, socket.socket.connect_ex, socket.getaddrinfo = connect, connect, getaddrinfo
from graphstore.cli import run
for words in sys.argv[1:]:
    status = run(words.split("|"))
    assert status == 0, (words, status)
"""


def python(code: str, environment: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code, *words], env=environment, capture_output=True, text=True, timeout=500
    )


def test_nothing_is_fetched_at_run_time(environment: dict[str, str]) -> None:
    commands = [
        f"load|tools|{SAMPLE / 'tools.json'}",
        f"load|logs|{SAMPLE / 'task_logs'}",
        f"load|docs|{SAMPLE / 'documents' / 'minutes'}",
        "tools|book a meeting",
        "search|Can Project Atlas launch?",
        "pages|export|out",
        "check",
    ]
    done = python(OFFLINE, environment, *commands)
    assert done.returncode == 0, done.stderr


def test_the_password_is_in_no_log_line_no_error_and_no_repr(
    environment: dict[str, str], server: ServerAddress, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with GraphStore.connect() as store:
        shown = [repr(store), repr(vars(store)), repr(store.driver)]
        with pytest.raises(GraphStoreError) as caught:
            store.query("RETRUN 1")
        shown += [str(caught.value), repr(caught.value), repr(caught.value.__cause__)]
    for uri in (server.uri, server.uri.replace("://", f"://neo4j:{server.password}@"), "bolt://127.0.0.1:1"):
        with pytest.raises(GraphStoreError) as caught:
            GraphStore.connect(uri=uri, password=server.password if uri != server.uri else server.password + "x")
        shown += [str(caught.value), repr(caught.value), repr(caught.value.__cause__)]
    assert caplog.text
    assert server.password not in "\n".join([caplog.text, *shown])


# -- a newcomer's mistakes --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["docs", "a.pdf"], 1, "skipped: a.pdf: .pdf: only .md, .txt and .html are read"),
        (["docs", "logs"], 1, "name it to load its records"),
        (
            ["docs", "logs/run.json"],
            1,
            "graphstore: logs/run.json: holds task logs, no documents: graphstore load logs",
        ),
        (["docs", "tools.json"], 1, "graphstore: tools.json: holds tools, no documents: graphstore load tools"),
        (["logs", "tools.json"], 1, "graphstore: tools.json: holds tools: graphstore load tools"),
        (["tools", "logs/run.json"], 1, "graphstore: logs/run.json: holds task logs: graphstore load logs"),
        (["logs", "a.pdf"], 1, "skipped: a.pdf:1: is not JSON: it starts with neither { nor ["),
        (["logs", "none"], 0, "warning: none: holds no .json or .jsonl file"),
        (["docs", "none"], 0, "warning: none: holds no file"),
        (["docs", "missing"], 2, "Path 'missing' does not exist."),
    ],
)
def test_the_wrong_file_is_said_in_a_line(cli: Cli, tmp_path: Path, words: list[str], status: int, said: str) -> None:
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.4\n\0\1\xff")
    (tmp_path / "none").mkdir()
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "run.json").write_text(json.dumps(log("T", "1", "a")), "utf-8")
    (tmp_path / "tools.json").write_text(json.dumps([{"name": "a", "description": "Does it."}]), "utf-8")
    outcome = cli("load", *words)
    assert (outcome.status, said in outcome.err) == (status, True), outcome.err
    assert outcome.err.count("\n") == 1 or status == 2
