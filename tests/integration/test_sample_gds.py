"""Diffusion in the server: the contract of the one in process, its projections, and what it says when it cannot run."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from graphstore.cli import run
from graphstore.client import GraphStore
from graphstore.db import Database, StaleVersion
from graphstore.encoders import Encoder
from graphstore.errors import GdsMissing, GraphStoreError, SeedError, SettingsError
from graphstore.retrieval.corpus_cache import load_snapshot
from graphstore.retrieval.corpus_snapshot import CorpusSnapshot
from graphstore.retrieval.corpus_view import view_for
from graphstore.retrieval.gds import GdsDiffusion, GdsEngine
from graphstore.retrieval.tool_snapshot import ToolSnapshot
from graphstore.retrieval.tools import ToolSearch
from graphstore.server import ServerAddress, home, scratch_server
from graphstore.settings import Settings
from graphstore.visibility import Visibility

REQUESTS = ("approve that document access request", "book a room for tomorrow", "tell the team about the outage")
QUESTIONS = ("Can Project Atlas launch on time?", "Who is Li Wei?", "What did Norrfjord agree to?")
READERS = (None, ("legal",), ("board", "hr"), ())
BY_SEED = "retrieve/gds_page_rank_by_seed"
SAMPLE = Path(__file__).parents[2] / "graphstore" / "sample"


@pytest.fixture
def engine(sample: GraphStore, connection: Database) -> Iterator[GdsEngine]:
    with GdsEngine.open(connection) as engine:
        yield engine


@pytest.fixture
def tools(sample: GraphStore, connection: Database, encoder: Encoder) -> ToolSnapshot:
    return ToolSearch.read(connection, encoder).snapshot


@pytest.fixture
def corpus(sample: GraphStore, connection: Database) -> CorpusSnapshot:
    return load_snapshot(connection, 384)


def projections(db: Database) -> set[str]:
    return {row["name"] for row in db.run("CALL gds.graph.list() YIELD graphName RETURN graphName AS name")}


def restarts(n: int, count: int = 2) -> Iterator[np.ndarray]:
    rng = np.random.default_rng(7)
    for _ in range(count):
        weights = np.zeros(n)
        weights[rng.choice(n, 6, replace=False)] = rng.random(6)
        yield weights


@pytest.mark.parametrize("damping", [0.0, 0.5, 0.85, 0.95])
def test_tool_walks_in_the_server_are_those_here(engine: GdsEngine, tools: ToolSnapshot, damping: float):
    walk = engine.tools(tools)
    for restart in restarts(walk.n):
        here = tools.diffusion.scores(restart, damping=damping, tol=1e-10)
        there = walk.scores(restart, damping=damping, tol=1e-8)
        assert there.sum() == pytest.approx(1)
        assert there.min() >= 0
        assert np.abs(here - there).sum() <= 1e-8


@pytest.mark.parametrize("reader", READERS)
def test_document_walks_in_the_server_are_those_here_for_every_reader(
    engine: GdsEngine, corpus: CorpusSnapshot, reader: tuple[str, ...] | None
):
    view = view_for(corpus, Visibility.of(reader))
    walk = engine.documents(view)
    for restart in restarts(walk.n):
        here = view.diffusion.scores(restart, tol=1e-10)
        assert np.abs(here - walk.scores(restart, tol=1e-7)).sum() <= 1e-7


@pytest.mark.parametrize("tol", [1e-1, 1e-3, 1e-6])
def test_error_stays_below_the_tolerance_asked_for(engine: GdsEngine, corpus: CorpusSnapshot, tol: float):
    view = view_for(corpus)
    for restart in restarts(view.diffusion.n):
        exact = view.diffusion.scores(restart, tol=1e-12)
        assert np.abs(exact - engine.documents(view).scores(restart, tol=tol)).sum() <= tol


def test_seeds_one_by_one_give_what_weighted_seeds_give(connection: Database, tools: ToolSnapshot):
    with GdsEngine.open(connection) as usual, GdsEngine(connection, rank=BY_SEED) as by_seed:
        for restart in restarts(len(tools.tools) + len(tools.stages)):
            one, other = usual.tools(tools).scores(restart, tol=1e-9), by_seed.tools(tools).scores(restart, tol=1e-9)
            assert np.abs(one - other).sum() <= 1e-9


def test_many_walks_are_each_one_alone(engine: GdsEngine, tools: ToolSnapshot):
    walk = engine.tools(tools)
    rows = np.array(list(restarts(walk.n, 2)))
    many = walk.scores_many(rows, tol=1e-8)
    assert np.abs(many - [walk.scores(row, tol=1e-8) for row in rows]).max() <= 1e-12


@pytest.mark.parametrize("request_", REQUESTS)
def test_tools_come_in_the_same_order_from_either_engine(sample: GraphStore, request_: str):
    here, there = (sample.tools(request_, k=20, engine=engine) for engine in ("local", "gds"))
    assert [hit.id for hit in here] == [hit.id for hit in there]
    assert [hit.because for hit in here] == [hit.because for hit in there]
    assert [hit.score for hit in here] == pytest.approx([hit.score for hit in there], abs=1e-5)


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("question", QUESTIONS)
def test_pages_come_in_the_same_order_from_either_engine(
    sample: GraphStore, question: str, reader: tuple[str, ...] | None
):
    here, there = (sample.search(question, reader=reader, engine=engine) for engine in ("local", "gds"))
    assert here.documents == there.documents
    # both are right to an L1 error of 1e-2: pages closer than that may change places
    for first, second in zip(here.pages, there.pages, strict=True):
        assert first.score == pytest.approx(second.score, abs=2e-2)
    assert {page.id for page in here.pages[:5]} == {page.id for page in there.pages[:5]}


def test_projection_is_named_by_store_and_version_and_dropped_at_the_end(connection: Database, tools: ToolSnapshot):
    name = f"graphstore-{connection.store_id}-{tools.version}-tools"
    with GdsEngine.open(connection) as engine:
        engine.tools(tools).scores(next(restarts(len(tools.tools) + len(tools.stages))))
        assert name in projections(connection)
    assert name not in projections(connection)


def test_projection_of_an_older_version_is_dropped(
    engine: GdsEngine, connection: Database, encoder: Encoder, tools: ToolSnapshot
):
    restart = next(restarts(len(tools.tools) + len(tools.stages)))
    engine.tools(tools).scores(restart)
    connection.write()
    newer = ToolSearch.read(connection, encoder).snapshot
    assert newer.version > tools.version
    engine.tools(newer).scores(restart)
    left = {name for name in projections(connection) if connection.store_id in name and name.endswith("-tools")}
    assert left == {f"graphstore-{connection.store_id}-{newer.version}-tools"}


def test_snapshot_of_an_older_version_is_refused_not_mixed(
    engine: GdsEngine, connection: Database, tools: ToolSnapshot
):
    connection.write()
    with pytest.raises(StaleVersion, match="ask again"):
        engine.tools(tools).scores(next(restarts(len(tools.tools) + len(tools.stages))))
    assert f"graphstore-{connection.store_id}-{tools.version}-tools" not in projections(connection)


def test_client_answers_from_the_newest_version(sample: GraphStore, connection: Database):
    before = sample.tools(REQUESTS[0], engine="gds")
    connection.write()
    assert sample.tools(REQUESTS[0], engine="gds") == before


def test_projection_that_another_process_dropped_is_made_again(
    engine: GdsEngine, connection: Database, tools: ToolSnapshot
):
    walk = engine.tools(tools)
    restart = next(restarts(walk.n))
    first = walk.scores(restart)
    connection.read("retrieve/gds_drop", graph=f"graphstore-{connection.store_id}-{tools.version}-tools")
    np.testing.assert_allclose(walk.scores(restart), first)


def test_threads_and_processes_share_one_projection(connection: Database, tools: ToolSnapshot):
    restart = next(restarts(len(tools.tools) + len(tools.stages)))
    engines = [GdsEngine.open(connection) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda engine: engine.tools(tools).scores(restart), engines))
    for scores in found:
        np.testing.assert_allclose(scores, found[0])
    assert len([name for name in projections(connection) if name.endswith(f"-{tools.version}-tools")]) == 1
    for engine in engines:
        engine.close()


def test_projection_larger_than_the_heap_is_refused_before_it_is_made(
    engine: GdsEngine, connection: Database, tools: ToolSnapshot
):
    walk = engine.tools(tools)
    huge = GdsDiffusion(connection, replace(walk._projection, moves=10**10), rank=BY_SEED)
    with pytest.raises(GraphStoreError, match=r"10,000,000,000 relationships.*GRAPHSTORE_HEAP"):
        huge.scores(next(restarts(walk.n)))


def test_seeds_are_checked_as_here(engine: GdsEngine, tools: ToolSnapshot):
    walk = engine.tools(tools)
    with pytest.raises(SeedError, match="zero"):
        walk.scores(np.zeros(walk.n))
    with pytest.raises(SettingsError, match="damping"):
        walk.scores(np.ones(walk.n), damping=1.0)


def test_unknown_engine_is_named(sample: GraphStore):
    with pytest.raises(SettingsError, match="no engine 'spark': use one of local, gds, auto"):
        sample.tools(REQUESTS[0], engine="spark")  # type: ignore[arg-type]


def test_command_line_takes_the_engine(
    sample: GraphStore, server: ServerAddress, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("NEO4J_URI", server.uri)
    monkeypatch.setenv("NEO4J_PASSWORD", server.password)
    said = []
    for engine in ("local", "gds", "auto"):
        assert run(["tools", REQUESTS[0], "--engine", engine]) == 0
        said.append(capsys.readouterr().out)
    assert said[0] == said[1] == said[2]
    assert run(["search", QUESTIONS[0], "--engine", "gds"]) == 0
    assert "Project Atlas" in capsys.readouterr().out


def test_server_without_the_library_is_told_apart_and_answered_from_here(
    encoder: Encoder, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setattr(home, "PROCEDURES", ("none.at.all",))
    settings = Settings.load(heap="512m")
    with scratch_server(settings) as bare:
        address = {"uri": bare.uri, "username": bare.username, "password": bare.password}
        with GraphStore.connect(Settings.load(**address, cache=tmp_path)) as store:
            store.load_tools(SAMPLE / "tools.json")
            with pytest.raises(GdsMissing, match=r"no Graph Data Science library.*pageRank\.stream.*--engine local"):
                store.tools(REQUESTS[0], engine="gds")
            assert store.tools(REQUESTS[0], engine="auto") == store.tools(REQUESTS[0], engine="local")
