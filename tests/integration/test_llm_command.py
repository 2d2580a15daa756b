"""``--builder llm`` as its users meet it: streams, exit statuses, and processes that are killed or interrupted."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from model_server import After, Calls, ModelServer, Reply, Says, Status, last_text

from graphstore.cli import run
from graphstore.corpusmap.llm.prompts import prompt
from graphstore.ordered_export import ordered_export

if TYPE_CHECKING:
    from graphstore.db import Database
    from graphstore.server import ServerAddress

KEY = "sk-n0-0ne-sees-this"
ARGUMENTS = ("load", "docs", "docs", "--builder", "llm", "--no-catalog")


def reader(body: Any) -> Reply:
    """A model that finds Tom Becker and Project Atlas wherever they stand."""
    known = {"Tom Becker": "person", "Project Atlas": "project"}
    found = [{"names": [n], "type": kind, "statements": []} for n, kind in known.items() if n in last_text(body)]
    return Calls(("final_result", {"entities": found}))


def write(folder: Path, count: int) -> Path:
    folder.mkdir()
    for number in range(count):
        text = f"# Note {number}\n\nTom Becker wrote note {number} of Project Atlas."
        (folder / f"n{number}.md").write_text(text)
    return folder


@pytest.fixture
def environment(db: Database, server: ServerAddress, tmp_path: Path) -> Callable[[ModelServer], dict[str, str]]:
    def of(endpoint: ModelServer) -> dict[str, str]:
        return {
            "NEO4J_URI": server.uri,
            "NEO4J_USERNAME": server.username,
            "NEO4J_PASSWORD": server.password,
            "GRAPHSTORE_CACHE": str(tmp_path / "cache"),
            "GRAPHSTORE_LLM_URL": endpoint.url,
            "GRAPHSTORE_LLM_MODEL": "scripted",
            "GRAPHSTORE_LLM_KEY": KEY,
        }

    return of


@pytest.fixture
def cli(
    environment: Callable[[ModelServer], dict[str, str]],
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> Callable[..., tuple[int, str, str]]:
    """Status, stdout and stderr of ``graphstore`` on the emptied test store, with an endpoint."""
    monkeypatch.chdir(tmp_path)

    def call(endpoint: ModelServer, *words: str) -> tuple[int, str, str]:
        for name, value in environment(endpoint).items():
            monkeypatch.setenv(name, value)
        capfd.readouterr()
        status = run(list(words))
        out, err = capfd.readouterr()
        assert KEY not in out + err
        return status, out, err

    return call


Cli = Callable[..., tuple[int, str, str]]


def test_what_was_asked_is_told_by_stage_on_stderr_and_in_json(cli: Cli, tmp_path: Path) -> None:
    write(tmp_path / "docs", 3)
    with ModelServer(reader) as endpoint:
        status, out, err = cli(endpoint, *ARGUMENTS, "--price-in", "1", "--price-out", "2", "--json")
    report = json.loads(out)
    assert status == 0
    assert (report["created"], report["rejected"]) == (3, [])
    (stage,) = report["model"]["usage"]["stages"]
    assert (stage["stage"], stage["calls"]) == ("extract", 3)
    assert stage["cost"] == pytest.approx((stage["input_tokens"] + 2 * stage["output_tokens"]) / 1e6)
    assert report["model"]["break_even"]["by"] == "cost"
    assert err.startswith("extract: 3 calls of scripted")


def test_a_document_that_is_not_read_is_named_and_the_status_says_so(cli: Cli, tmp_path: Path) -> None:
    write(tmp_path / "docs", 3)

    def script(body: Any) -> Reply:
        return Says("no") if "note 1 " in str(body["messages"]) else reader(body)

    with ModelServer(script) as endpoint:
        status, out, err = cli(endpoint, *ARGUMENTS)
        assert status == 1
        assert "2 new" in out
        assert "n1.md: not read: the answer does not fit what was asked, twice" in err
        status, _, _ = cli(endpoint, *ARGUMENTS, "--allow-failures")
        assert status == 0
        endpoint.script = reader
        assert cli(endpoint, *ARGUMENTS)[0] == 0
        status, out, err = cli(endpoint, "build", "map", "--builder", "llm", "--no-catalog", "--json")
    assert (status, json.loads(out)["extracted"]) == (0, 0)


def test_an_endpoint_that_fails_or_a_spent_budget_is_one_line_after_what_was_asked(cli: Cli, tmp_path: Path) -> None:
    write(tmp_path / "docs", 12)
    with ModelServer(reader) as endpoint:
        status, out, err = cli(endpoint, *ARGUMENTS, "--max-tokens", "5000", "--concurrency", "2")
        assert (status, out) == (1, "")
        told = err.splitlines()
        assert told[0].startswith("extract: ")
        assert told[-1].startswith("graphstore: the budget ends here")
        endpoint.script = [Status(401, f"Incorrect API key {KEY}")]
        status, out, err = cli(endpoint, *ARGUMENTS)
        assert (status, out) == (1, "")
        assert "the key was refused" in err.splitlines()[-1]


def test_options_of_the_model_without_it_are_wrong_usage(cli: Cli, tmp_path: Path) -> None:
    write(tmp_path / "docs", 1)
    with ModelServer(reader) as endpoint:
        assert cli(endpoint, "load", "docs", "docs", "--max-tokens", "5")[0] == 2
        assert cli(endpoint, "build", "tools", "--builder", "llm")[0] == 2
        assert cli(endpoint, "load", "docs", "docs")[0] == 0
    assert endpoint.requests == []


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT], ids=["killed", "interrupted"])
def test_a_load_that_ends_early_goes_on_without_paying_again(
    db: Database, environment: Callable[[ModelServer], dict[str, str]], tmp_path: Path, how: signal.Signals
) -> None:
    count, at_once = 40, 4
    folder = write(tmp_path / "docs", count)
    words = [sys.executable, "-m", "graphstore", "load", "docs", str(folder), "--builder", "llm", "--no-catalog"]
    words += ["--concurrency", str(at_once), "--json"]
    with ModelServer(lambda body: After(0.1, reader(body))) as endpoint:
        of_endpoint = {**os.environ, **environment(endpoint)}
        with subprocess.Popen(
            words, env=of_endpoint, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as load:
            while len(endpoint.requests) < 12:
                assert load.poll() is None
                time.sleep(0.01)
            load.send_signal(how)
            _, said = load.communicate(timeout=60)
        if how is signal.SIGINT:
            assert load.returncode == 130
            assert said.splitlines()[-1].startswith("graphstore: interrupted; what was finished is kept")
        asked = len(endpoint.requests)
        assert asked < count
        again = subprocess.run(words, env=of_endpoint, capture_output=True, text=True, timeout=120, check=True)
        report = json.loads(again.stdout)
        assert report["created"] == count
        assert report["model"]["usage"]["total"]["cached"] >= asked - at_once
        assert len(endpoint.requests) <= count + at_once
    if how is signal.SIGINT:
        return
    resumed = sorted(ordered_export(db))
    list(db.run("MATCH (n) WHERE NOT n:Meta CALL (n) { DETACH DELETE n } IN TRANSACTIONS", write=True))
    with ModelServer(reader) as endpoint:
        subprocess.run(words, env={**os.environ, **environment(endpoint)}, capture_output=True, timeout=120, check=True)
    assert sorted(ordered_export(db)) == resumed


def proposer(body: Any) -> Reply:
    """A model that misses ships, and whose review finds nothing wrong."""
    if body["messages"][0]["content"] == prompt("catalog_verify"):
        return Calls(("final_result", {"objections": []}))
    vessel = {"name": "vessel", "definition": "A ship.", "identity": "Equal name.", "like": "product", "examples": []}
    return Calls(("final_result", {"types": [vessel]}))


def test_a_catalog_is_proposed_by_the_model_kept_and_paid_once(cli: Cli, tmp_path: Path) -> None:
    write(tmp_path / "docs", 9)
    words = ("catalog", "propose", "--builder", "llm")
    with ModelServer(proposer) as endpoint:
        assert cli(endpoint, "load", "docs", "docs")[0] == 0
        status, _, err = cli(endpoint, *words, "--max-tokens", "10")
        assert status == 1
        assert "the budget ends here" in err
        assert endpoint.requests == []
        status, out, err = cli(endpoint, *words, "--json")
        report = json.loads(out)
        assert status == 0
        assert (report["version"], report["source"]) == (1, "llm")
        assert "vessel" in [kind["name"] for kind in report["types"]]
        (stage,) = report["model"]["usage"]["stages"]
        asked = len(endpoint.requests)
        assert (stage["stage"], stage["calls"]) == ("catalog", asked)
        assert err.startswith("catalog: ")
        assert json.loads(cli(endpoint, "catalog", "list", "--json")[1])["catalogs"][0]["used"] is False
        status, out, err = cli(endpoint, *words, "--use")
        assert (status, len(endpoint.requests)) == (0, asked)
        assert "version 1 of the catalog\n  vessel *: A ship." in out
        assert json.loads(cli(endpoint, "catalog", "list", "--json")[1])["catalogs"][0]["used"] is True


def test_a_proposal_that_cannot_be_read_keeps_nothing_and_is_one_line(cli: Cli, tmp_path: Path) -> None:
    write(tmp_path / "docs", 9)
    words = ("catalog", "propose", "--builder", "llm")
    with ModelServer(proposer) as endpoint:
        assert cli(endpoint, "load", "docs", "docs")[0] == 0
        endpoint.script = lambda body: Calls(("final_result", {"types": "ships"}))
        status, out, err = cli(endpoint, *words)
        assert (status, out) == (1, "")
        assert err.splitlines()[-1].startswith("graphstore: no type catalog could be made: the answer does not fit")
        assert err.rstrip().endswith("the same command asks again")
        assert json.loads(cli(endpoint, "catalog", "list", "--json")[1]) == {"catalogs": []}
        endpoint.script = proposer
        assert cli(endpoint, *words)[0] == 0


def test_a_proposal_of_an_empty_store_asks_nothing_and_says_so(cli: Cli) -> None:
    with ModelServer(proposer) as endpoint:
        status, out, err = cli(endpoint, "catalog", "propose", "--builder", "llm")
    assert (status, endpoint.requests) == (0, [])
    assert "version 0 of the catalog" in out
    assert "nothing was asked: the store has no document that everybody may read" in err


def test_what_a_model_may_spend_goes_with_the_model(cli: Cli) -> None:
    with ModelServer(proposer) as endpoint:
        status, _, err = cli(endpoint, "catalog", "propose", "--max-cost", "1")
    assert status == 2
    assert "--max-cost goes with --builder llm" in err
