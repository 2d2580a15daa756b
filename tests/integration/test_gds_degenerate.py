"""Diffusion in the server on graphs that have little to diffuse over: the answers are those of the one in process."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from graphstore.client import GraphStore
from graphstore.db import Database
from graphstore.encoders import Encoder
from graphstore.records import StageRun, ToolCall, ToolSpec
from graphstore.retrieval.gds import GdsEngine
from graphstore.retrieval.tools import ToolSearch
from graphstore.settings import Settings
from graphstore.toolgraph.update import load_logs, load_tools

RUNS = {
    "a single tool": [],
    "a loop": [["a", "a", "a"]],
    "there and back": [["a", "b"], ["b", "a"]],
    "a sink": [["a", "b", "c"]],
    "two islands": [["a", "b"], ["c", "d"]],
}


@pytest.mark.parametrize("name", RUNS)
def test_small_graphs_are_walked_as_here(db: Database, encoder: Encoder, name: str):
    load_tools(db, encoder, [ToolSpec("a", "Send a letter to the customer")])
    runs = [
        StageRun(f"t{i}", f"t{i}/1", f"r{i}", f"Request {i}", True, tuple(ToolCall(t) for t in tools), source="x:1")
        for i, tools in enumerate(RUNS[name])
    ]
    load_logs(db, encoder, runs)
    snapshot = ToolSearch.read(db, encoder).snapshot
    n = len(snapshot.tools) + len(snapshot.stages)
    with GdsEngine.open(db) as engine:
        for seed in range(n):
            restart = np.eye(n)[seed]
            here = snapshot.diffusion.scores(restart, tol=1e-10)
            assert np.abs(here - engine.tools(snapshot).scores(restart, tol=1e-8)).sum() <= 1e-8


def test_map_without_shared_entities_is_answered(db: Database, encoder: Encoder, tmp_path: Path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("# Canteen\n\nSoup on Monday.\n", "utf-8")
    store = GraphStore(db, encoder, Settings.load(cache=tmp_path / "cache"))
    store.load_documents(tmp_path / "docs")
    found = [store.search("soup", engine=engine) for engine in ("local", "gds")]
    assert found[0] == found[1]
    assert [hit.path for hit in found[0].documents] == ["a.md"]


def test_empty_store_is_answered(db: Database, encoder: Encoder, tmp_path: Path):
    store = GraphStore(db, encoder, Settings.load(cache=tmp_path))
    assert store.search("anything", engine="gds").documents == ()
