"""The store for programs that run an event loop.

Every method runs :class:`graphstore.GraphStore`'s in a worker thread: ranking is computed in this process, with locks
of its own, so an asynchronous driver beneath would only move the thread. What is gained is that the loop stays free.
A cancelled call returns at once, but its thread works on to the end: a load that was begun is finished.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial, update_wrapper
from itertools import islice
from threading import Lock
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from graphstore.client import GraphStore
from graphstore.db import Driver
from graphstore.progress import Progress
from graphstore.settings import Settings

P = ParamSpec("P")
R = TypeVar("R")

_THREADS = 16
_LARGEST_BATCH = 1024


def _threaded(
    method: Callable[Concatenate[GraphStore, P], R],
) -> Callable[Concatenate[AsyncGraphStore, P], Awaitable[R]]:
    """The method as a coroutine that runs it in a worker thread."""

    async def run(self: AsyncGraphStore, /, *args: P.args, **kwargs: P.kwargs) -> R:
        return await self._run(partial(method, self.store, *args, **kwargs))

    update_wrapper(run, method)
    return run


class AsyncGraphStore:
    """A store of tool workflows and entity pages whose methods are awaited.

    ::

        async with AsyncGraphStore.connect() as store:
            hits = await store.tools("approve that document access request")
            async for row in store.stream("MATCH (t:Tool) RETURN t.name AS name"):
                ...

    Calls may overlap: up to ``threads`` of them run at once.
    """

    def __init__(self, store: GraphStore, *, threads: int = _THREADS) -> None:
        self.store = store
        """The store beneath; its methods block."""
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="graphstore")

    @classmethod
    def connect(
        cls,
        settings: Settings | None = None,
        *,
        threads: int = _THREADS,
        progress: Progress | None = None,
        accept_encoder: bool = False,
        **flags: Any,
    ) -> Connecting:
        """A store to be awaited or entered with ``async with``; arguments as for :meth:`GraphStore.connect`.

        :param threads: How many calls run at once.
        :param progress: Told about long work, in a worker thread.
        """
        return Connecting(
            partial(GraphStore.connect, settings, progress=progress, accept_encoder=accept_encoder, **flags), threads
        )

    async def close(self) -> None:
        """Wait for the calls that run, then close the connection; the embedded server stays up."""
        await asyncio.to_thread(self._pool.shutdown)
        await asyncio.to_thread(self.store.close)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.close()

    @property
    def driver(self) -> Driver:
        """The driver beneath, which blocks. What is written through it is seen after :meth:`build`."""
        return self.store.driver

    load_tools = _threaded(GraphStore.load_tools)
    add_tools = _threaded(GraphStore.add_tools)
    load_logs = _threaded(GraphStore.load_logs)
    add_runs = _threaded(GraphStore.add_runs)
    load_documents = _threaded(GraphStore.load_documents)
    load_entities = _threaded(GraphStore.load_entities)
    add_records = _threaded(GraphStore.add_records)
    forget_records = _threaded(GraphStore.forget_records)
    load_documents_with_model = _threaded(GraphStore.load_documents_with_model)
    build = _threaded(GraphStore.build)
    build_map = _threaded(GraphStore.build_map)
    build_words = _threaded(GraphStore.build_words)
    catalog = _threaded(GraphStore.catalog)
    catalogs = _threaded(GraphStore.catalogs)
    propose_catalog = _threaded(GraphStore.propose_catalog)
    use_catalog = _threaded(GraphStore.use_catalog)
    build_map_with_model = _threaded(GraphStore.build_map_with_model)
    propose_catalog_with_model = _threaded(GraphStore.propose_catalog_with_model)
    forget = _threaded(GraphStore.forget)
    forget_runs = _threaded(GraphStore.forget_runs)
    forget_tool = _threaded(GraphStore.forget_tool)
    reindex = _threaded(GraphStore.reindex)
    tools = _threaded(GraphStore.tools)
    tool_domains = _threaded(GraphStore.tool_domains)
    tool_definitions = _threaded(GraphStore.tool_definitions)
    paths = _threaded(GraphStore.paths)
    search = _threaded(GraphStore.search)
    page = _threaded(GraphStore.page)
    page_text = _threaded(GraphStore.page_text)
    document = _threaded(GraphStore.document)
    pages_of = _threaded(GraphStore.pages_of)
    entities = _threaded(GraphStore.entities)
    duplicates = _threaded(GraphStore.duplicates)
    navigation = _threaded(GraphStore.navigation)
    ask = _threaded(GraphStore.ask)
    records = _threaded(GraphStore.records)
    merge_entities = _threaded(GraphStore.merge_entities)
    split_entity = _threaded(GraphStore.split_entity)
    distinct_entities = _threaded(GraphStore.distinct_entities)
    undo_decision = _threaded(GraphStore.undo_decision)
    refine_map = _threaded(GraphStore.refine_map)
    ledger = _threaded(GraphStore.ledger)
    entity_decisions = _threaded(GraphStore.entity_decisions)
    picture = _threaded(GraphStore.picture)
    export_pages = _threaded(GraphStore.export_pages)
    query = _threaded(GraphStore.query)
    check = _threaded(GraphStore.check)
    repair = _threaded(GraphStore.repair)
    backup = _threaded(GraphStore.backup)
    beside = _threaded(GraphStore.beside)
    py2neo = _threaded(GraphStore.py2neo)

    async def stream(
        self, cypher: str, params: Mapping[str, Any] | None = None, *, write: bool = False
    ) -> AsyncGenerator[dict[str, Any], None]:
        """The rows of :meth:`query` one by one, as they arrive; no more is read than is asked for.

        The first row comes as soon as it is there; later ones are fetched in growing batches. Leave the loop early
        inside ``async with contextlib.aclosing(…)``, so that the statement is given up at once.
        """
        rows = iter(self.store.stream(cypher, params, write=write))
        guard = Lock()  # a cancelled consumer closes the rows while a thread may still be reading them

        def take(count: int) -> list[dict[str, Any]]:
            with guard:
                return list(islice(rows, count))

        def give_up() -> None:
            with guard:
                getattr(rows, "close", _nothing)()

        size = 1
        try:
            while batch := await self._run(partial(take, size)):
                for row in batch:
                    yield row
                size = min(size * 2, _LARGEST_BATCH)
        finally:
            await asyncio.shield(self._run(give_up))

    async def _run(self, call: Callable[[], R]) -> R:
        context = contextvars.copy_context()
        return await asyncio.get_running_loop().run_in_executor(self._pool, context.run, call)


class Connecting:
    """A connection to come: ``await`` it, or enter it with ``async with``."""

    def __init__(self, connect: Callable[[], GraphStore], threads: int) -> None:
        self._connect = connect
        self._threads = threads
        self._opened: AsyncGraphStore | None = None

    def __await__(self) -> Generator[Any, None, AsyncGraphStore]:
        return self._open().__await__()

    async def __aenter__(self) -> AsyncGraphStore:
        self._opened = await self._open()
        return self._opened

    async def __aexit__(self, *exc: object) -> None:
        if self._opened is not None:
            await self._opened.close()

    async def _open(self) -> AsyncGraphStore:
        return AsyncGraphStore(await asyncio.to_thread(self._connect), threads=self._threads)


def _nothing() -> None:
    """Close nothing."""
