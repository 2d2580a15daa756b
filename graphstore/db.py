"""The boundary to Neo4j: one class, and the only module that imports the driver.

Writes are managed transactions whose first statement raises ``graph_version``; that statement locks the ``Meta`` node,
so that writers queue instead of deadlocking. The one exception is :meth:`Database.bulk`: the server allows
``CALL {…} IN TRANSACTIONS`` only in auto-commit, so its statements must be idempotent and are retried here.
"""

from __future__ import annotations

import logging
import re
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any, Self, TypeAlias, TypeVar

import neo4j
from neo4j import exceptions as driver_errors

from graphstore import queries
from graphstore.errors import AuthError, ConnectError, GraphStoreError, QueryError
from graphstore.execution import Execution, operators
from graphstore.probe import cause, malformed

Driver: TypeAlias = neo4j.Driver
Row = dict[str, Any]
T = TypeVar("T")
Step = tuple[str, Mapping[str, Any]]

WRITTEN_PAST: Step = ("maintain/written_past", {})
"""Notes that other statements than graphstore's may have written: whoever knows an older state reads all again."""

_BUMP = "maintain/bump_graph_version"
_VERSION = "maintain/graph_version"
_OLDEST_SERVER = (5, 26)  # the long-term line; scoped subqueries and vector options are not older
_CONSISTENT_READS = 12
_BULK_ATTEMPTS = 6
_CURRENT_READS = 8
_DEFINED_ALREADY = ("EquivalentSchemaRuleAlreadyExists", "IndexAlreadyExists", "ConstraintAlreadyExists")
_TERMINATE = "maintain/terminate"
_ESCAPE = re.compile(r"\\u+([0-9a-fA-F]{4})")  # Cypher 5 reads these anywhere, in keywords too


class StaleVersion(GraphStoreError):
    """Another writer changed the graph since the version that a write was computed from; nothing was written."""


@dataclass(frozen=True, slots=True)
class WriteResult:
    """What a write transaction did.

    :param version: The ``graph_version`` it produced.
    :param rows: The rows of each step, in order.
    :param counters: Sums of the server's counters, such as ``nodes_created``; the version's own bump left out.
    """

    version: int
    rows: list[list[Row]]
    counters: dict[str, int]


class Database:
    """One Neo4j database. Use as a context manager; it closes the driver it opened, never one handed in."""

    def __init__(self, driver: neo4j.Driver, *, address: str, database: str | None = None, owns: bool = False) -> None:
        self.driver = driver
        self.address = address
        self.database = database
        self._owns = owns
        self._bookmarks = neo4j.GraphDatabase.bookmark_manager()

    @classmethod
    def open(
        cls, uri: str, auth: tuple[str, str] | None, *, database: str | None = None, timeout: float = 15.0
    ) -> Database:
        """A database behind ``uri``, connected and verified once.

        :param timeout: Seconds to wait for a connection.
        :raises AuthError: wrong user or password (tried once: three failures lock the account).
        :raises ConnectError: nothing usable answers there; the message names the cause.
        """
        if wrong := malformed(uri):
            raise ConnectError(f"{wrong.finding}; {wrong.remedy}")
        # Without a handler the driver's retry warnings would reach the user's stderr.
        logging.getLogger("neo4j").addHandler(logging.NullHandler())
        with _translated(uri):
            driver = neo4j.GraphDatabase.driver(
                uri,
                auth=auth,
                connection_timeout=timeout,
                connection_acquisition_timeout=max(timeout, 60.0),
                notifications_min_severity="OFF",
                user_agent="graphstore",
            )
        opened = cls(driver, address=uri, database=database, owns=True)
        try:
            opened._require_supported_server()
        except ConnectError as error:
            opened.close()
            if isinstance(error.__cause__, driver_errors.DriverError | OSError):
                raise ConnectError(_why(uri)) from error
            raise
        except BaseException:
            opened.close()
            raise
        return opened

    def _require_supported_server(self) -> None:
        # Auto-commit, so that nothing is retried: three wrong passwords lock the account.
        with self._session(neo4j.READ_ACCESS, None) as session:
            record = session.run(queries.load("maintain/ping").text).single()
        version = str(record["versions"][0]) if record else ""
        numbers = tuple(int(part) for part in re.findall(r"\d+", version)[:2])
        if numbers < _OLDEST_SERVER:
            raise ConnectError(
                f"{self.address}: Neo4j {version or 'of unknown version'} answers; graphstore needs "
                f"{_OLDEST_SERVER[0]}.{_OLDEST_SERVER[1]} or newer"
            )

    def close(self) -> None:
        """Close the driver if it was opened here."""
        if self._owns:
            self.driver.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    # -- reading -------------------------------------------------------------------------------------------------

    def read(self, name: str, **params: Any) -> list[Row]:
        """All rows of a named statement, in a managed read transaction.

        :raises QueryError: the server refused it.
        :raises ConnectError: the server went away.
        """
        return self._read(name, params, None)

    def _read(self, name: str, params: Mapping[str, Any], each: Callable[[Row], Row] | None) -> list[Row]:
        text = queries.load(name).text
        with self._session(neo4j.READ_ACCESS, name) as session:
            return session.execute_read(_fetch, text, params, each)

    def stream(self, name: str, **params: Any) -> Iterator[Row]:
        """Rows of a named statement as they arrive, for more than memory should hold; nothing is retried.

        :raises QueryError: the server refused it.
        :raises ConnectError: the server went away.
        """
        with self._session(neo4j.READ_ACCESS, name) as session:
            for record in session.run(queries.load(name).text, params):
                yield dict(record)

    def read_consistent(
        self, steps: Sequence[Step], *, each: Callable[[Row], Row] | None = None, expect: int | None = None
    ) -> tuple[int, list[list[Row]]]:
        """``graph_version`` and the rows of several statements that all saw this one version.

        The version is read before and after; when a writer moved it in between, all is read again.

        :param each: Made of each row as it arrives, to hold less of many.
        :param expect: The version that these rows are to go with.
        :raises StaleVersion: ``graph_version`` is not ``expect`` any more.
        :raises ConnectError: the store is being written faster than it can be read.
        """
        for attempt in range(_CONSISTENT_READS):
            before = self.graph_version()
            if expect is not None and before != expect:
                raise StaleVersion(f"{self.address}: another process wrote to the store; ask again")
            results = [self._read(name, params, each) for name, params in steps]
            if self.graph_version() == before:
                return before, results
            time.sleep(0.05 * 2 ** min(attempt, 6))
        raise ConnectError(f"{self.address}: the store is written without a pause; try again when the load is done")

    def current(self, read: Callable[[], T]) -> T:
        """What ``read`` returns, read again where a writer came between a snapshot and what is read for it.

        :param read: Raises :class:`StaleVersion` where it meets that.
        :raises ConnectError: the store is being written faster than it can be read.
        """
        for _ in range(_CURRENT_READS):
            try:
                return read()
            except StaleVersion:
                continue
        raise ConnectError(f"{self.address}: the store is written without a pause; try again when the load is done")

    def graph_version(self) -> int:
        """The number of the graph's state; 0 before the schema exists."""
        rows = self.read(_VERSION)
        return int(rows[0]["version"]) if rows else 0

    @property
    def store_id(self) -> str:
        """Identity of the store's content, made when its schema was first applied; caches are keyed by it."""
        rows = self.read(_VERSION)
        if not rows:
            raise ConnectError(f"{self.address}: no graphstore schema here yet")
        return str(rows[0]["store"])

    # -- writing -------------------------------------------------------------------------------------------------

    def write(self, *steps: Step, expect: int | None = None) -> WriteResult:
        """Run named statements in one managed transaction that raises ``graph_version`` first; all or nothing.

        :param steps: ``(name, parameters)`` in order.
        :param expect: The version that the rows were computed from.
        :raises StaleVersion: ``graph_version`` is not ``expect`` any more; nothing was written.
        """
        texts = [(queries.load(name).text, dict(params)) for name, params in steps]
        bump = queries.load(_BUMP).text

        def work(tx: neo4j.ManagedTransaction) -> WriteResult:
            version = int(tx.run(bump).single(strict=True)["version"])
            if expect is not None and version != expect + 1:
                raise StaleVersion(f"{self.address}: another process wrote to the store; load again")
            rows: list[list[Row]] = []
            counters: dict[str, int] = {}
            for text, params in texts:
                result = tx.run(text, params)
                rows.append([dict(record) for record in result])
                _add(counters, result.consume().counters)
            return WriteResult(version, rows, counters)

        with self._session(neo4j.WRITE_ACCESS, steps[0][0] if steps else _BUMP) as session:
            return session.execute_write(work)

    def define(self, name: str, **params: Any) -> None:
        """Run a schema statement: the server keeps those apart from data, so no version is raised.

        Where another process defines the same at the same time, ``IF NOT EXISTS`` is no protection: one of the two is
        refused, and has what it wanted.
        """
        text = queries.load(name).text
        with self._session(neo4j.WRITE_ACCESS, name, translate=False) as session, _translated(self.address, name):
            try:
                session.execute_write(_fetch, text, params)
            except driver_errors.ClientError as error:
                if not (error.code or "").endswith(_DEFINED_ALREADY):
                    raise

    def bulk(self, name: str, rows: Iterable[Row], *, batch: int = 20_000, **params: Any) -> None:
        """Write derived rows through ``CALL {…} IN TRANSACTIONS`` over ``$rows``.

        The statement must be idempotent: it is run again when the server reports a transient fault.
        ``graph_version`` is raised before and after, not around it.
        """
        text = queries.load(name).text
        source = iter(rows)
        part = list(islice(source, batch))
        if not part:
            return
        self.write()
        while part:
            self._auto_commit(name, text, {**params, "rows": part})
            part = list(islice(source, batch))
        self.write()

    def _auto_commit(self, name: str, text: str, params: Row) -> None:
        for attempt in range(_BULK_ATTEMPTS):
            try:
                with self._session(neo4j.WRITE_ACCESS, name, translate=False) as session:
                    session.run(text, params).consume()
                    return
            except (driver_errors.TransientError, driver_errors.ServiceUnavailable, driver_errors.SessionExpired):
                if attempt == _BULK_ATTEMPTS - 1:
                    with _translated(self.address, name):
                        raise
                time.sleep(0.2 * 2**attempt)
            except (driver_errors.Neo4jError, driver_errors.DriverError):
                with _translated(self.address, name):
                    raise

    # -- the user's own Cypher -----------------------------------------------------------------------------------

    def run(self, text: str, params: Mapping[str, Any] | None = None, *, write: bool = False) -> Iterator[Row]:
        """Rows of the user's statement as they arrive, values as plain Python (see ``graphstore.values``).

        :param write: READ access mode unless set; with it ``graph_version`` is raised before and after.
        :raises QueryError: the server refused it, or it reads files with ``LOAD CSV`` in READ mode.
        """
        with self.execute(text, params, write=write) as execution:
            for row in execution:
                yield dict(zip(execution.columns, row, strict=True))

    @contextmanager
    def execute(
        self, text: str, params: Mapping[str, Any] | None = None, *, write: bool = False
    ) -> Iterator[Execution]:
        """The user's statement while it runs: its columns, its rows, a way to stop it; arguments as for :meth:`run`."""
        if not write:
            self._refuse_load_csv(text, params)
            with self._executing(text, params, neo4j.READ_ACCESS) as execution:
                yield execution
            return
        self.write()
        try:
            with self._executing(text, params, neo4j.WRITE_ACCESS) as execution:
                yield execution
        finally:
            # after a failure too: CALL {…} IN TRANSACTIONS keeps the batches that came before it
            self.write(WRITTEN_PAST)

    @contextmanager
    def _executing(self, text: str, params: Mapping[str, Any] | None, mode: str) -> Iterator[Execution]:
        tag = uuid.uuid4().hex
        query = neo4j.Query(text, metadata={"graphstore": tag})
        with self._session(mode, None, translate=False) as session:
            execution = Execution(
                lambda: session.run(query, dict(params or {})),
                lambda: _translated(self.address),
                lambda: len(self.read(_TERMINATE, tag=tag)),
            )
            try:
                yield execution
            finally:
                execution.finish()

    def _refuse_load_csv(self, text: str, params: Mapping[str, Any] | None) -> None:
        # The server's own plan decides: comments, escapes and strings hide or imitate the words.
        words = _ESCAPE.sub(lambda match: chr(int(match[1], 16)), text).lower()
        if "load" not in words or "csv" not in words:
            return
        with self._executing(f"EXPLAIN {text}", params, neo4j.READ_ACCESS) as execution:
            list(execution)
        if execution.outcome.plan and "LoadCSV" in operators(execution.outcome.plan):
            raise QueryError("LOAD CSV reads files of the server's machine: not in READ mode; allow writing to run it")

    @contextmanager
    def _session(self, mode: str, name: str | None, *, translate: bool = True) -> Iterator[neo4j.Session]:
        with _translated(self.address, name) if translate else _untranslated():
            session = self.driver.session(
                database=self.database,
                default_access_mode=mode,
                bookmark_manager=self._bookmarks,
                fetch_size=2000,
            )
            with session:
                yield session


def _fetch(
    tx: neo4j.ManagedTransaction, text: str, params: Mapping[str, Any], each: Callable[[Row], Row] | None = None
) -> list[Row]:
    found = (dict(record) for record in tx.run(text, dict(params)))
    return list(found) if each is None else [each(row) for row in found]


def _add(total: dict[str, int], counters: neo4j.SummaryCounters) -> None:
    for key in (
        "nodes_created",
        "nodes_deleted",
        "relationships_created",
        "relationships_deleted",
        "properties_set",
        "labels_added",
    ):
        total[key] = total.get(key, 0) + int(getattr(counters, key))


def _why(uri: str) -> str:
    """Why the driver got no connection, in words that it does not have."""
    if broken := cause(uri):
        return f"{broken.finding}; {broken.remedy}"
    if uri.startswith("neo4j"):
        direct = "bolt" + uri.removeprefix("neo4j")
        return (
            f"{uri}: a Bolt server answers, but not at the address that it tells clients to use; "
            f"connect to it alone by {direct}, or set its server.bolt.advertised_address"
        )
    return f"{uri}: a Bolt server answers, but closed the connection; look at its logs"


@contextmanager
def _untranslated() -> Iterator[None]:
    yield


@contextmanager
def _translated(address: str, name: str | None = None) -> Iterator[None]:
    """Turn the driver's exceptions into ours, each one line that names cause and remedy."""
    try:
        yield
    except driver_errors.AuthError as error:
        raise AuthError(
            f"{address}: wrong user name or password; check NEO4J_USERNAME and NEO4J_PASSWORD ({_first_line(error)})"
        ) from error
    except driver_errors.ClientError as error:
        raise _refusal(address, name, error) from error
    except driver_errors.Neo4jError as error:
        where = f"cypher/{name}.cypher: " if name else ""
        raise QueryError(f"{where}{_first_line(error)} ({error.code})") from error
    except driver_errors.ConfigurationError as error:
        raise ConnectError(f"{address}: {_first_line(error)}; check NEO4J_URI") from error
    except UnicodeEncodeError as error:
        around = error.object[max(error.start - 20, 0) : error.end + 20]
        raise QueryError(f"{around!r} is no Unicode text (half of a surrogate pair): write it anew") from error
    except (driver_errors.DriverError, OSError) as error:
        raise ConnectError(
            f"{address}: no Neo4j answers ({_first_line(error)}); is the server up and the address right?"
        ) from error


def _refusal(address: str, name: str | None, error: driver_errors.ClientError) -> GraphStoreError:
    """What the server refused a client, in our words."""
    code = error.code or ""
    if "AuthenticationRateLimit" in code:
        return AuthError(
            f"{address}: the account is locked for some seconds after too many wrong passwords; "
            "correct NEO4J_USERNAME and NEO4J_PASSWORD, wait, then try once"
        )
    if "CredentialsExpired" in code:
        return AuthError(
            f"{address}: the initial password must be changed before anything else: run "
            "ALTER CURRENT USER SET PASSWORD in Neo4j Browser, then set NEO4J_PASSWORD"
        )
    if "DatabaseNotFound" in code:
        return ConnectError(f"{address}: {_first_line(error)}; check NEO4J_DATABASE")
    if "ReadOnly" in code:
        return QueryError(
            f"{address}: the server is read-only, nothing was written; restart it with `graphstore up` for writing"
        )
    where = f"cypher/{name}.cypher: " if name else ""
    remedy = "; allow writing to run it" if code.endswith("Statement.AccessMode") else ""
    return QueryError(f"{where}{_first_line(error)}{remedy}")


def _first_line(error: BaseException) -> str:
    text: str = getattr(error, "message", None) or str(error) or type(error).__name__
    return text.strip().splitlines()[0].rstrip(".")
