"""The store from Python: threads, an event loop, py2neo, the notebook."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from graphstore import AsyncGraphStore, GraphStore, Settings
from graphstore.db import Database
from graphstore.errors import ConnectError, NotFound

if TYPE_CHECKING:
    from graphstore.encoders import Encoder
    from graphstore.server import ServerAddress

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "graphstore" / "sample"
REQUEST = "approve that document access request"
QUESTION = "Who approves documents of Project Atlas?"


@pytest.fixture
def settings(server: ServerAddress, tmp_path: Path) -> Settings:
    return Settings(
        uri=server.uri, username=server.username, password=server.password, cache=tmp_path / "cache", home=tmp_path
    )


@pytest.fixture
def bare(db: Database, encoder: Encoder, settings: Settings) -> GraphStore:
    return GraphStore(db, encoder, settings)


@pytest.fixture
def store(bare: GraphStore) -> GraphStore:
    """The sample's tools and logs, and half of its documents."""
    store = bare
    store.load_tools(SAMPLE / "tools.json")
    store.load_logs(SAMPLE / "task_logs")
    store.load_documents(*documents()[::2])
    return store


def documents() -> list[Path]:
    return sorted(path for path in (SAMPLE / "documents").rglob("*") if path.is_file())


# --- threads --------------------------------------------------------------------------------------------------------


def test_sixteen_threads_ask_while_another_loads(store: GraphStore) -> None:
    loaded = threading.Event()
    asked: list[int] = []

    def ask(number: int) -> None:
        while not loaded.is_set() or not asked.count(number):
            hits = store.tools(REQUEST, k=6)
            assert len(hits) == 6
            assert len({hit.id for hit in hits}) == 6
            result = store.search(QUESTION, k=5)
            assert result.documents
            assert all(document.score == document.score for document in result.documents)
            asked.append(number)

    with ThreadPoolExecutor(17) as pool:
        jobs = [pool.submit(ask, number) for number in range(16)]
        try:
            for path in documents()[1::2]:
                store.load_documents(path)
            store.load_logs(SAMPLE / "task_logs")
        finally:
            loaded.set()
        for job in jobs:
            job.result()
    assert set(asked) == set(range(16))
    assert store.check() == []


def test_after_a_load_threads_and_one_caller_get_the_same_answers(store: GraphStore) -> None:
    store.load_documents(*documents())
    tools, result = store.tools(REQUEST), store.search(QUESTION)
    with ThreadPoolExecutor(16) as pool:
        assert list(pool.map(lambda _: store.tools(REQUEST), range(32))) == [tools] * 32
        assert list(pool.map(lambda _: store.search(QUESTION), range(32))) == [result] * 32


# --- an event loop --------------------------------------------------------------------------------------------------


def run(store: GraphStore, work: Callable[[AsyncGraphStore], Awaitable[Any]]) -> Any:
    async def main() -> Any:
        return await work(AsyncGraphStore(store))

    return asyncio.run(main())


def test_awaited_methods_answer_as_the_blocking_ones_do(store: GraphStore) -> None:
    async def work(awaited: AsyncGraphStore) -> None:
        tools, result, faults = await asyncio.gather(
            awaited.tools(REQUEST, k=3), awaited.search(QUESTION, k=3), awaited.check()
        )
        assert tools == store.tools(REQUEST, k=3)
        assert result == store.search(QUESTION, k=3)
        assert faults == []
        assert (await awaited.query("RETURN 1 AS one")) == [{"one": 1}]

    run(store, work)


def test_an_error_reaches_the_awaiting_caller(bare: GraphStore) -> None:
    async def work(awaited: AsyncGraphStore) -> None:
        with pytest.raises(NotFound):
            await awaited.page("Nobody Known")

    run(bare, work)


def test_the_loop_stays_free_while_the_store_works(bare: GraphStore) -> None:
    async def work(awaited: AsyncGraphStore) -> int:
        slow = asyncio.ensure_future(awaited.query("UNWIND range(1, 3000000) AS i RETURN sum(i % 7) AS s"))
        ticks = 0
        while not slow.done():
            await asyncio.sleep(0.005)
            ticks += 1
        await slow
        return ticks

    assert run(bare, work) > 3


def test_a_stream_gives_every_row_in_order(bare: GraphStore) -> None:
    async def work(awaited: AsyncGraphStore) -> None:
        rows = [row["i"] async for row in awaited.stream("UNWIND range(1, $n) AS i RETURN i", {"n": 5000})]
        assert rows == list(range(1, 5001))
        assert [row async for row in awaited.stream("UNWIND [] AS i RETURN i")] == []

    run(bare, work)


def test_a_stream_that_is_left_early_gives_its_statement_up(bare: GraphStore) -> None:
    async def work(awaited: AsyncGraphStore) -> None:
        endless = "UNWIND range(1, 100000000) AS i RETURN i"
        async with contextlib.aclosing(awaited.stream(endless)) as rows:
            assert [(await anext(rows))["i"] for _ in range(10)] == list(range(1, 11))
        running = "SHOW TRANSACTIONS YIELD currentQuery WHERE currentQuery CONTAINS $part RETURN count(*) AS n"
        part = "range(1, 100000000)"
        assert (await awaited.query(running, {"part": part}))[0]["n"] == 0

    run(bare, work)


def test_a_cancelled_call_returns_at_once(bare: GraphStore) -> None:
    async def work(awaited: AsyncGraphStore) -> float:
        slow = asyncio.ensure_future(awaited.query("UNWIND range(1, 20000000) AS i RETURN sum(i % 7) AS s"))
        await asyncio.sleep(0.1)
        start = time.monotonic()
        slow.cancel()
        with pytest.raises(asyncio.CancelledError):
            await slow
        return time.monotonic() - start

    assert run(bare, work) < 1


def test_a_connection_is_awaited_or_entered(db: Database, settings: Settings) -> None:
    async def work() -> None:
        async with AsyncGraphStore.connect(settings) as entered:
            assert await entered.query("RETURN 1 AS one") == [{"one": 1}]
        awaited = await AsyncGraphStore.connect(settings, threads=1)
        assert await awaited.check() == []
        await awaited.close()

    asyncio.run(work())


def test_a_failed_connection_raises_in_the_loop() -> None:
    async def work() -> None:
        with pytest.raises(ConnectError):
            await AsyncGraphStore.connect(Settings(uri="bolt://127.0.0.1:1", password="x"))

    asyncio.run(work())


# --- py2neo ---------------------------------------------------------------------------------------------------------


def test_py2neo_reads_and_writes_the_store(store: GraphStore) -> None:
    pytest.importorskip("py2neo")
    from py2neo import Node, NodeMatcher

    graph = store.py2neo()
    tools = [row["id"] for row in store.query("MATCH (t:Tool) RETURN t.id AS id ORDER BY id")]
    assert sorted(tool["id"] for tool in NodeMatcher(graph).match("Tool")) == tools
    assert len(graph.run("MATCH (t:Tool) RETURN t.name AS name, t.runs AS runs").to_data_frame()) == len(tools)
    graph.create(Node("Tool", id="from_py2neo", name="from_py2neo", description="Made through py2neo."))
    store.build("tools")
    assert "from_py2neo" in {hit.id for hit in store.tools("made through py2neo", k=5)}


def test_py2neo_without_routing_takes_the_one_server(bare: GraphStore, settings: Settings) -> None:
    pytest.importorskip("py2neo")
    from graphstore.legacy import py2neo_graph

    graph = py2neo_graph(settings, settings.uri.replace("bolt", "neo4j") if settings.uri else "")
    assert graph.evaluate("RETURN 1") == 1


def test_py2neo_that_cannot_connect_says_so(settings: Settings) -> None:
    pytest.importorskip("py2neo")
    from graphstore.legacy import py2neo_graph

    with pytest.raises(ConnectError, match=r"py2neo cannot connect.*GraphStore\.driver"):
        py2neo_graph(settings, "bolt://127.0.0.1:1")


def example(heading: str) -> str:
    """The first Python example below a heading of docs/python.md."""
    text = (ROOT / "docs" / "python.md").read_text("utf-8").split(f"\n## {heading}\n")[1]
    return text.split("```python\n")[1].split("```")[0]


def test_the_documented_examples_run(store: GraphStore) -> None:
    pytest.importorskip("py2neo")
    for heading in ("Data frames", "py2neo"):
        names: dict[str, Any] = {"store": store}
        exec(compile(example(heading), "docs/python.md", "exec"), names)
        assert len(names["frame"])
    assert [tool["name"] for tool in names["tools"]] == sorted(tool["name"] for tool in names["tools"])


# --- the notebook ---------------------------------------------------------------------------------------------------


def test_the_notebook_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    monkeypatch.setenv("GRAPHSTORE_HEAP", "512m")
    monkeypatch.chdir(tmp_path)
    notebook = nbformat.read(ROOT / "docs" / "notebooks" / "quickstart.ipynb", as_version=4)
    nbclient.NotebookClient(notebook, timeout=500, kernel_name="python3").execute()
    shown = "".join(
        output["data"].get("text/plain", "")
        for cell in notebook.cells
        for output in cell.get("outputs", ())
        if "data" in output
    )
    for expected in ("approve_permission_request", "list_permission_requests", "Atlas", "PAST"):
        assert expected in shown
    assert list(tmp_path.iterdir()) == []
