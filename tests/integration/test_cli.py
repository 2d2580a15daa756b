"""The command line as its users meet it: streams, exit statuses, the demo."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from graphstore.cli import run
from graphstore.db import Database
from graphstore.navigation.texts import WORDLESS
from graphstore.retrieval.questions import NO_WORDS

if TYPE_CHECKING:
    from graphstore.server import ServerAddress

SAMPLE = Path(__file__).parents[2] / "graphstore" / "sample"
FIELDS = ("id", "name", "domain", "score", "seed", "because", "position", "when")
NEEDED = {
    "approve_permission_request",
    "list_permission_requests",
    "list_document_permissions",
    "check_document_permission",
    "get_document",
    "query_users",
}


@dataclass(frozen=True)
class Outcome:
    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Cli = Callable[..., Outcome]


@pytest.fixture
def cli(
    db: Database,
    served: ServerAddress,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> Cli:
    """``graphstore`` on the emptied test store."""
    monkeypatch.chdir(tmp_path)

    def call(*words: str) -> Outcome:
        capfd.readouterr()
        status = run(list(words))
        out, err = capfd.readouterr()
        return Outcome(status, out, err)

    return call


def document(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def test_signs_that_name_nothing_are_told_to_hold_no_word(cli: Cli, tmp_path: Path) -> None:
    assert cli("load", "tools", str(SAMPLE / "tools.json")).status == 0
    document(tmp_path, "docs/lunch.md", "# Lunch\nSoup on Monday.")
    assert cli("load", "docs", "docs").status == 0
    found = cli("search", "🙂 ???")
    assert (found.status, found.out) == (0, "No documents\n")
    assert found.err == f"{NO_WORDS}\n"
    tools = cli("tools", "???", "-k", "2")
    assert (tools.status, len(tools.out.splitlines()), tools.err) == (0, 2, f"{WORDLESS}\n")


def test_a_domain_is_chosen_then_its_tools_then_their_definitions(cli: Cli) -> None:
    cli("load", "tools", str(SAMPLE / "tools.json"))
    cli("load", "logs", str(SAMPLE / "task_logs"))
    request = "approve that document access request"
    listed = cli("tools", "--domains", "--json").json["domains"]
    assert listed[-1]["name"] == "system"
    assert [domain["name"] for domain in listed[:-1]] == sorted(domain["name"] for domain in listed[:-1])
    chosen = cli("tools", "--domains", request, "--json").json["domains"][0]["name"]
    assert chosen == "permission"
    shown = cli("tools", request, "--domain", chosen, "--with-system", "--beyond", "2", "--json").json["tools"]
    domains = [tool["domain"] for tool in shown]
    assert domains.count("system") == listed[-1]["tools"]
    assert len([domain for domain in domains if domain not in ("permission", "system")]) == 2
    words = ("tools", request, "-k", "4", "--schemas", "anthropic")
    sent = cli(*words)
    assert [tool["name"] for tool in json.loads(sent.out)] == [
        t["id"] for t in cli(*words[:-2], "--json").json["tools"]
    ]
    assert all(tool["input_schema"]["type"] == "object" for tool in json.loads(sent.out))
    assert "4 tools, about" in sent.err
    whole = cli(*words, "--json").json
    tight = cli(*words, "--max-tokens", str(whole["tokens"] - 1), "--json").json
    assert tight["tools"] == whole["tools"][:3]
    assert [out["id"] for out in tight["left_out"]] == [whole["names"][whole["tools"][3]["name"]]]


def test_steps_of_exposure_that_do_not_go_together_are_wrong_usage(cli: Cli) -> None:
    for words, message in [
        (["--domains", "--domain", "hr"], "use one of them"),
        (["pay", "--max-tokens", "9"], "--schemas"),
        ([], "Missing argument"),
    ]:
        outcome = cli("tools", *words)
        assert (outcome.status, message in outcome.err) == (2, True)


def test_json_is_all_that_is_on_stdout(cli: Cli) -> None:
    report = cli("load", "tools", str(SAMPLE / "tools.json"), "--json").json
    assert (report["created"], report["changed"], report["rejected"]) == (49, 0, [])
    answer = cli("tools", "find a document", "-k", "3", "--json").json
    assert [set(tool) for tool in answer["tools"]] == [set(FIELDS)] * 3
    assert [tool["position"] for tool in cli("tools", "find it", "--order", "--json").json["tools"]] == [*range(1, 9)]


def test_the_order_is_one_of_the_list_and_told_beside_each_tool(cli: Cli) -> None:
    cli("load", "tools", str(SAMPLE / "tools.json"))
    cli("load", "logs", str(SAMPLE / "task_logs"))
    words = ("tools", "approve that document access request", "-k", "6")
    ranked, ordered = (cli(*words, *more, "--json").json["tools"] for more in ((), ("--order",)))
    assert sorted(ranked, key=lambda tool: tool["position"]) == ordered
    told = {tool["id"]: tool["when"] for tool in ordered}
    assert told["approve_permission_request"] is None
    assert (told["list_permission_requests"], told["list_document_permissions"]) == ("before", "after")
    table = cli(*words, "--order").out.splitlines()
    for line, tool in zip(table, ordered, strict=True):
        when = "best" if tool["id"] == "approve_permission_request" else tool["when"]
        assert line.split()[2:4] == [when, tool["id"]] if when else line.split()[2] == tool["id"]
    assert cli(*words, "--order", "--schemas", "mcp").status == 2


def test_an_error_is_one_line_and_status_one(cli: Cli) -> None:
    outcome = cli("page", "Nobody Known")
    assert (outcome.status, outcome.out) == (1, "")
    assert outcome.err.startswith("graphstore: ")
    assert outcome.err.count("\n") == 1


@pytest.mark.parametrize(
    "words", [["nonsense"], ["tools"], ["tools", "x", "-k", "0"], ["load", "docs", "no/such/path"]]
)
def test_wrong_usage_is_status_two(cli: Cli, words: list[str]) -> None:
    assert cli(*words).status == 2


def test_a_bad_record_is_named_counted_and_passed_over(cli: Cli, tmp_path: Path) -> None:
    good = {"id": "a", "path": "a.md", "title": "A", "text": "Project Atlas is late."}
    lines = [json.dumps(good), "{broken", json.dumps({**good, "id": "b", "path": "b.md"})]
    file = document(tmp_path, "docs.jsonl", "\n".join(lines))
    outcome = cli("load", "docs", str(file))
    assert outcome.status == 1
    assert "2 new" in outcome.out
    assert "1 skipped" in outcome.out
    assert "docs.jsonl:2: " in outcome.err
    assert cli("load", "docs", str(file), "--allow-failures").status == 0


def test_an_empty_document_is_a_warning_only(cli: Cli, tmp_path: Path) -> None:
    document(tmp_path, "docs/empty.md", "")
    document(tmp_path, "docs/hello.txt", "Hello world")
    outcome = cli("load", "docs", str(tmp_path / "docs"))
    assert (outcome.status, "2 new" in outcome.out) == (0, True)
    assert "warning: " in outcome.err
    assert "empty.md" in outcome.err


def test_loading_twice_says_that_nothing_changed(cli: Cli, db: Database) -> None:
    for words in (["tools", "tools.json"], ["logs", "task_logs"], ["docs", "documents"]):
        path = str(SAMPLE / words[1])
        assert cli("load", words[0], path, "--json").json["created"] > 0
        version = db.graph_version()
        again = cli("load", words[0], path, "--json").json
        assert (again["created"], again["changed"], again["moved"]) == (0, 0, 0)
        assert db.graph_version() == version


def test_building_twice_says_that_nothing_was_decided_otherwise(cli: Cli, db: Database) -> None:
    cli("load", "docs", str(SAMPLE / "documents"))
    assert cli("build", "map").out.startswith("built; 0 documents decided otherwise; graph version ")
    cli("query", "--write", "MATCH (:Document)-[m:MENTIONS]->(:Entity) WITH m LIMIT 1 DELETE m")
    changed = cli("build", "map", "--json").json
    assert changed["decided"] == 1
    assert changed["extracted"] == 0
    assert cli("build", "map", "--json").json["decided"] == 0


def test_query_prints_a_row_a_line(cli: Cli) -> None:
    rows = cli("query", "UNWIND range(1, 3) AS x RETURN x, $y AS y", "--param", 'y={"a": [1]}', "--json").out
    assert [json.loads(line) for line in rows.splitlines()] == [{"x": x, "y": {"a": [1]}} for x in (1, 2, 3)]


@pytest.mark.parametrize(
    "text", ["CREATE (n:Intruder)", "LOAD CSV FROM 'file:///etc/passwd' AS l RETURN l", "RETRUN 1"]
)
def test_query_refuses_in_one_line(cli: Cli, text: str) -> None:
    outcome = cli("query", text)
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (1, "", 1)


def test_query_writes_only_when_told(cli: Cli) -> None:
    assert cli("query", "CREATE (n:Tool {id: 'x', name: 'x'})", "--write").status == 0
    assert json.loads(cli("query", "MATCH (n:Tool) RETURN count(n) AS n", "--json").out) == {"n": 1}


def test_the_demo_answers_both_questions_in_under_twenty_lines(cli: Cli, tmp_path: Path) -> None:
    outcome = cli("demo")
    assert outcome.status == 0, outcome.err
    assert outcome.out.count("\n") < 20
    hits = cli("tools", "approve that document access request", "-k", "8", "--json").json["tools"]
    assert {hit["id"] for hit in hits} >= NEEDED
    assert (tmp_path / "graphstore-demo" / "index.md").is_file()
    assert "Project Atlas" in outcome.out
    # found by following the code name: neither of them holds the project's name
    for path in ("minutes/2026-05-19-bluebird-weekly.md", "tickets/INC-1042.md"):
        assert f"  {path}  " in outcome.out
        assert "Atlas" not in (SAMPLE / "documents" / path).read_text("utf-8")
    again = cli("demo", "--json").json
    assert [(part["created"], part["changed"]) for part in again["loaded"]] == [(0, 0)] * 3
    assert (again["export"]["written"], again["export"]["removed"]) == (0, 0)
    assert cli("check").out == "no faults\n"


def test_the_demo_refuses_a_store_with_other_data(cli: Cli, tmp_path: Path) -> None:
    cli("load", "docs", str(document(tmp_path, "docs/mine.md", "Something of mine.").parent))
    outcome = cli("demo")
    assert outcome.status == 1
    assert "holds other data (document mine.md)" in outcome.err


def test_an_interrupted_command_is_status_130(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_args: object, **_kwargs: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("graphstore.client.GraphStore.check", interrupt)
    outcome = cli("check")
    assert outcome.status == 130
    assert outcome.err.strip().startswith("graphstore: interrupted; what was finished is kept")


def test_the_module_runs_as_a_command() -> None:
    done = subprocess.run([sys.executable, "-m", "graphstore", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("graphstore")
