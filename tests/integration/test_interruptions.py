"""Loads of real processes: two at once, and killed at any moment, give the graph of one that nothing disturbed."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from graphstore.check import check
from graphstore.db import Database
from graphstore.ordered_export import ordered_export

if TYPE_CHECKING:
    from graphstore.server import ServerAddress

TOOLS = ["find", "open", "approve", "notify", "close", "工具"]
PEOPLE = ["Priya Raman", "Tom Becker", "Anna Schmidt", "Li Wei", "Maria Keller"]
RUNS, DOCUMENTS = 600, 300  # several batches each


@pytest.fixture
def inputs(tmp_path: Path) -> dict[str, Path]:
    """What the two loads read, by their kind."""
    chosen = random.Random(5)
    with (tmp_path / "log.jsonl").open("w") as out:
        for i in range(RUNS):
            calls = [{"tool_name": tool} for tool in chosen.sample(TOOLS, chosen.randint(1, 5))]
            stage = {"stage_id": 1, "user_query": f"request {i % 60}", "passed": i % 7 > 0, "tool_calls_detail": calls}
            out.write(json.dumps({"task_id": f"T{i % 120}", "run_id": f"r{i}", "stages": [stage]}) + "\n")
    with (tmp_path / "docs.jsonl").open("w") as out:
        for i in range(DOCUMENTS):
            one, other = chosen.sample(PEOPLE, 2)
            text = f"{one} met {other} about Project Atlas and INC-{1000 + i % 40}."
            out.write(
                json.dumps({"id": f"d{i}", "path": f"f{i % 5}/d{i}.md", "title": f"Report {i}", "text": text}) + "\n"
            )
    return {"logs": tmp_path / "log.jsonl", "docs": tmp_path / "docs.jsonl"}


class Loader:
    """``graphstore load`` as processes on the test store."""

    def __init__(self, server: ServerAddress, cache: Path) -> None:
        store = {"NEO4J_URI": server.uri, "NEO4J_USERNAME": server.username, "NEO4J_PASSWORD": server.password}
        self.environment = {**os.environ, **store, "GRAPHSTORE_CACHE": str(cache)}

    def start(self, kind: str, path: Path) -> subprocess.Popen[str]:
        words = [sys.executable, "-m", "graphstore", "load", kind, str(path)]
        return subprocess.Popen(words, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def finish(self, *processes: subprocess.Popen[str]) -> None:
        for process in processes:
            _, said = process.communicate(timeout=500)
            assert (process.returncode, said) == (0, "")


@pytest.fixture
def loader(server: ServerAddress, tmp_path: Path) -> Loader:
    return Loader(server, tmp_path / "cache")


def taken(db: Database) -> list[str]:
    """The graph, which is sound; the store is emptied."""
    assert check(db) == []
    lines = list(ordered_export(db))
    list(db.run("MATCH (n) WHERE NOT n:Meta CALL (n) { DETACH DELETE n } IN TRANSACTIONS", write=True))
    return lines


@pytest.mark.parametrize("kind", ["logs", pytest.param("docs", marks=pytest.mark.torture)])
def test_two_processes_at_once_give_the_graph_of_one(
    db: Database, loader: Loader, inputs: dict[str, Path], kind: str
) -> None:
    loader.finish(*[loader.start(kind, inputs[kind]) for _ in range(2)])
    both = taken(db)
    loader.finish(loader.start(kind, inputs[kind]))
    assert taken(db) == both


def test_killed_after_a_batch_and_run_again_is_as_if_nothing_had_been(
    db: Database, loader: Loader, inputs: dict[str, Path]
) -> None:
    loader.finish(loader.start("logs", inputs["logs"]))
    undisturbed = taken(db)
    version = db.graph_version()
    process = loader.start("logs", inputs["logs"])
    while db.graph_version() == version and process.poll() is None:
        time.sleep(0.01)
    process.kill()
    process.communicate(timeout=60)
    assert next(iter(db.run("MATCH (s:Stage) RETURN count(s) AS n")))["n"] > 0
    loader.finish(loader.start("logs", inputs["logs"]))
    assert taken(db) == undisturbed


@pytest.mark.torture
@pytest.mark.parametrize("kind", ["logs", "docs"])
def test_killed_at_random_moments_and_run_again_is_as_if_nothing_had_been(
    db: Database, loader: Loader, inputs: dict[str, Path], kind: str
) -> None:
    began = time.monotonic()
    loader.finish(loader.start(kind, inputs[kind]))
    whole = time.monotonic() - began
    undisturbed = taken(db)
    seed = random.randrange(2**32)
    chosen = random.Random(seed)
    for round_ in range(4):
        for kill in range(5):
            process = loader.start(kind, inputs[kind])
            wait = chosen.uniform(0, whole)
            time.sleep(wait)
            process.kill()
            process.communicate(timeout=60)
            half = "MATCH (d:Document) WHERE NOT EXISTS { (d)-[:HAS_CHUNK]->() } RETURN d.id AS id"
            assert list(db.run(half)) == [], f"seed {seed}, round {round_}, kill {kill} after {wait:.2f} s"
        loader.finish(loader.start(kind, inputs[kind]))
        assert taken(db) == undisturbed, f"seed {seed}, round {round_}"
