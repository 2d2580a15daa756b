"""The graph itself: Cypher, and its invariants."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphstore.client.base import OpenStore
from graphstore.progress import Progress, silent
from graphstore.rows import Rows
from graphstore.settings import Settings

if TYPE_CHECKING:
    from graphstore.backups import Held
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

    def backup(self, file: Path | str, *, replace: bool = False) -> Held:
        """How much was written to a file: the whole graph, as one state of it was. No reader of the file is refused.

        :param replace: Write over a file that is there.
        :raises LoadError: the file is there, or cannot be written.
        :raises ConnectError: the store is written without a pause.
        """
        from graphstore.backups import save

        return save(self._db, Path(file), replace=replace, progress=self._progress)

    @classmethod
    def restore(
        cls, file: Path | str, *, settings: Settings | None = None, progress: Progress | None = None, **flags: Any
    ) -> Held:
        """How much was brought back from a file of :meth:`backup` into the store, which must be empty.

        Till it is done nobody can open the store; if it breaks off, the same call begins anew.

        :param settings: As for :meth:`connect`, and ``flags`` too.
        :raises LoadError: the file is no backup, or a part of one.
        :raises SchemaError: the store holds data, or the backup is of a newer graphstore.
        """
        from graphstore.backups import restore
        from graphstore.opening import open_database

        settings = settings or Settings.load(**flags)
        with open_database(settings, progress or silent) as db:
            return restore(db, Path(file), analyzer=settings.analyzer, progress=progress or silent)

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
