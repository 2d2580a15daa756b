"""Where tables lie that memory need not hold: a private file, made when something is first put away.

What is used stays in memory as ever (:class:`~graphstore.corpusmap.table.Table`,
:class:`~graphstore.corpusmap.index.Index`); of the rest, however much it is, only the file grows. The file has no name
and ends with the process. :meth:`Shelf.save` writes a copy that has one, whole and without what was taken out, and
:meth:`Shelf.take_over` begins with such a copy.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol, TypeVar

from graphstore.errors import GraphStoreError

T = TypeVar("T")

_PRAGMAS = (
    "journal_mode = OFF",  # what is lost with the process was no one's
    "synchronous = OFF",
    "locking_mode = EXCLUSIVE",
    "cache_size = -8192",  # KiB
    "trusted_schema = OFF",
)
_REST = "CREATE TABLE rest (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID"
_SIZES = "sizes"
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


class Part(Protocol):
    """Something that a shelf holds."""

    name: str
    schema: str
    """The statement that makes its table."""

    def flush(self) -> None:
        """Write what only memory has."""
        ...

    def sizes(self) -> dict[str, int]:
        """What is counted of it, for :meth:`resume`."""
        ...

    def resume(self, sizes: dict[str, int]) -> None:
        """Begin with what the file has."""
        ...


class DamagedState(GraphStoreError):
    """What was put away cannot be read; whoever used it begins anew, with what the store has."""


class Shelf:
    """Tables that share a file.

    :param hot: How much of the usual each part keeps in memory.
    """

    def __init__(self, hot: float = 1.0) -> None:
        self.hot = hot
        self.damaged = False
        self._parts: dict[str, Part] = {}
        self._file: sqlite3.Connection | None = None
        self._source: Path | None = None

    def add(self, part: Part) -> None:
        """Take in a part, empty; before anything is put away."""
        assert self._file is None
        assert part.name not in self._parts
        self._parts[part.name] = part

    @property
    def in_use(self) -> bool:
        """Whether there is a file."""
        return self._file is not None

    # -- rows ----------------------------------------------------------------------------------------------------

    def rows(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """What a statement finds; nothing where nothing was put away."""
        if self._file is None:
            return []
        try:
            return self._file.execute(statement, values).fetchall()
        except sqlite3.DatabaseError as error:
            raise self._failed(error) from error

    def pages(self, selected: str, page: int) -> Iterator[tuple[Any, ...]]:
        """Rows in the order of their first column, ``key``, so many read at once; a row's key is no other's.

        :param selected: The statement, without conditions.
        """
        last: tuple[Any, ...] = ()
        while True:
            where = "WHERE key > ? " if last else ""
            rows = self.rows(f"{selected} {where}ORDER BY key LIMIT {page}", last)
            yield from rows
            if len(rows) < page:
                return
            last = rows[-1][:1]

    def write(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run a statement for each row."""
        try:
            self._opened().executemany(statement, rows)
        except sqlite3.DatabaseError as error:
            raise self._failed(error) from error

    def _opened(self) -> sqlite3.Connection:
        if self._file is None:
            try:
                file = _connect("")  # a file of its own, without a name, on disk where it does not fit into the cache
                for schema in (_REST, *(part.schema for part in self._parts.values())):
                    file.execute(schema)
                file.execute("BEGIN")
            except sqlite3.DatabaseError as error:
                raise self._failed(error) from error
            self._file = file
        return self._file

    def _failed(self, error: sqlite3.Error) -> GraphStoreError:
        if error.sqlite_errorcode & 0xFF in _DAMAGED:
            self.damaged = True
            if self._source:  # that the next process need not meet it again
                with suppress(OSError):
                    self._source.unlink(missing_ok=True)
            return DamagedState(
                f"{self._source or 'a temporary file'}: damaged ({error}); run it again, to make it anew"
            )
        return GraphStoreError(
            f"no temporary file can be used ({error}): free space where these lie (TMPDIR, else /var/tmp), "
            "or set SQLITE_TMPDIR to another folder"
        )

    # -- copies --------------------------------------------------------------------------------------------------

    def save(self, target: Path, rest: dict[str, bytes]) -> None:
        """Write all that is held to an empty file, in which nothing is left of what was taken out.

        :param rest: What the file holds besides, by name.
        :raises OSError: it cannot be written.
        """
        for part in self._parts.values():
            part.flush()
        sizes = {name: part.sizes() for name, part in self._parts.items()}
        held = [*rest.items(), (_SIZES, json.dumps(sizes).encode())]
        self.write("INSERT OR REPLACE INTO rest VALUES (?, ?)", held)
        file = self._opened()
        file.execute("COMMIT")
        try:
            file.execute("VACUUM INTO ?", (str(target),))
        except sqlite3.OperationalError as error:
            raise OSError(f"{target}: {error}") from error
        except sqlite3.DatabaseError as error:
            raise self._failed(error) from error
        finally:
            file.execute("BEGIN")
        with target.open("rb") as written:
            os.fsync(written.fileno())

    def take_over(self, source: Path, read: Callable[[dict[str, bytes]], T]) -> T:
        """Begin with what :meth:`save` wrote; nothing is held yet.

        :param read: Makes of what the file holds besides what is returned; if it fails, nothing is taken over.
        :raises sqlite3.Error: it is no such file, or there is none.
        :raises ValueError: it is another one's.
        """
        assert self._file is None
        rest, file = self._copied(source)
        made, sizes = read(rest), json.loads(rest[_SIZES])
        self._file, self._source = file, source
        for name, part in self._parts.items():
            part.resume(sizes[name])
        return made

    def _copied(self, source: Path) -> tuple[dict[str, bytes], sqlite3.Connection]:
        kept = sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True)
        try:
            pages, size = (kept.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size"))
            if source.stat().st_size != pages * size:
                raise ValueError(f"{source}: cut off")
            schemas = {row[0] for row in kept.execute("SELECT sql FROM sqlite_master")}
            if schemas != {_REST, *(part.schema for part in self._parts.values())}:
                raise ValueError(f"{source}: other tables")
            rest = dict(kept.execute("SELECT key, value FROM rest"))
            if json.loads(rest[_SIZES]).keys() != self._parts.keys():
                raise ValueError(f"{source}: other parts")
            file = _connect("")
            kept.backup(file)
        finally:
            kept.close()
        file.execute("BEGIN")
        return rest, file


def _connect(path: str) -> sqlite3.Connection:
    file = sqlite3.connect(path, isolation_level=None, check_same_thread=False, cached_statements=256)
    for pragma in _PRAGMAS:
        file.execute(f"PRAGMA {pragma}")
    return file
