"""Tool workflows and entity pages for agents, on Neo4j: seed, diffuse, rank.

::

    from graphstore import GraphStore

    with GraphStore.connect() as store:
        store.load_logs("task_logs/")
        store.tools("approve that document access request", k=6)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graphstore.asynchronous import AsyncGraphStore
    from graphstore.client import GraphStore
    from graphstore.errors import GraphStoreError
    from graphstore.findings import Fault
    from graphstore.models import (
        Because,
        DocumentHit,
        EntityPage,
        Fact,
        LoadReport,
        PageDocument,
        PageHit,
        PageRef,
        SearchResult,
        SolvedPath,
        StagePaths,
        StoredDocument,
        ToolDomain,
        ToolHit,
    )
    from graphstore.retrieval.tool_definitions import ToolDefinitions
    from graphstore.settings import Settings

__version__ = "0.1.0"

__all__ = [
    "AsyncGraphStore",
    "Because",
    "DocumentHit",
    "EntityPage",
    "Fact",
    "Fault",
    "GraphStore",
    "GraphStoreError",
    "LoadReport",
    "PageDocument",
    "PageHit",
    "PageRef",
    "SearchResult",
    "Settings",
    "SolvedPath",
    "StagePaths",
    "StoredDocument",
    "ToolDefinitions",
    "ToolDomain",
    "ToolHit",
]

_HOME = {
    "AsyncGraphStore": "asynchronous",
    "Fault": "findings",
    "GraphStore": "client",
    "GraphStoreError": "errors",
    "Settings": "settings",
    "ToolDefinitions": "retrieval.tool_definitions",
}


def __getattr__(name: str) -> Any:
    # Loaded on first use: the command line must answer --help without the driver and numpy.
    if name not in __all__:
        raise AttributeError(f"module 'graphstore' has no attribute {name!r}")
    return getattr(import_module(f"graphstore.{_HOME.get(name, 'models')}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
