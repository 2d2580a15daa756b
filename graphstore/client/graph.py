"""The graph itself: Cypher, and its invariants."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphstore.client.base import OpenStore
from graphstore.rows import Rows

if TYPE_CHECKING:
    from graphstore.execution import Execution
    from graphstore.findings import Fault


class Graph(OpenStore):
    """What is asked of the graph as a graph."""

    def query(self, cypher: str, params: Mapping[str, Any] | None = None, *, write: bool = False) -> Rows:
        """All rows of a Cypher statement, values as plain Python.

        :param write: READ access mode unless set.
        :raises QueryError: the server refused it.
        """
        return Rows(self._db.run(cypher, params, write=write))

    def stream(
        self, cypher: str, params: Mapping[str, Any] | None = None, *, write: bool = False
    ) -> Iterator[dict[str, Any]]:
        """The rows of :meth:`query` one by one, as they arrive."""
        return self._db.run(cypher, params, write=write)

    def execute(
        self, cypher: str, params: Mapping[str, Any] | None = None, *, write: bool = False
    ) -> AbstractContextManager[Execution]:
        """The statement of :meth:`query` while it runs: its columns, its rows, its plan, and a way to stop it."""
        return self._db.execute(cypher, params, write=write)

    def check(self) -> list[Fault]:
        """Broken invariants; an empty list if there is none."""
        from graphstore.check import check

        return check(self._db)

    def beside(self, *, tools: Path | str, logs: Path | str, documents: Path | str) -> list[str]:
        """What the store holds that these files do not bring, one example of each kind; empty if nothing."""
        from graphstore.loaders import read_documents, read_logs, read_tools

        rows = self._db.read(
            "retrieve/foreign",
            documents=_attributes(read_documents(documents), "id"),
            tasks=_attributes(read_logs(logs), "task"),
            tools=_attributes(read_tools(tools), "id"),
        )
        return [f"{row['kind']} {row['id']}" for row in rows]


def _attributes(records: Iterable[object], name: str) -> list[str]:
    return sorted({getattr(record, name) for record in records if hasattr(record, name)})
