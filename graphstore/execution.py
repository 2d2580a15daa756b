"""One statement of a user while it runs: columns, rows as they arrive, what it changed, and how to stop it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

from graphstore.errors import ConnectError, GraphStoreError, QueryError
from graphstore.values import plain

_RETRY = 0.1  # seconds between attempts to stop a statement that the server does not list yet
_GRACE = 5.0  # seconds


class _Summary(Protocol):
    plan: dict[str, Any] | None
    profile: dict[str, Any] | None
    counters: Any


class _Result(Protocol):
    def keys(self) -> tuple[str, ...]: ...
    def __iter__(self) -> Iterator[Any]: ...
    def consume(self) -> Any: ...


@dataclass(frozen=True, slots=True)
class Outcome:
    """What is known when a statement is done.

    :param changes: The server's counters that are not zero, such as ``nodes_created``.
    :param plan: Its plan as the server sends it, for a statement that was explained or profiled.
    """

    changes: dict[str, int]
    plan: dict[str, Any] | None


class Execution:
    """A statement on the server, sent when its columns or rows are first asked for.

    Iterate once to get its rows, each a list of plain values in the order of :attr:`columns`; ``count`` is how many
    came so far, and ``outcome`` what is known at the end.

    :param run: Sends the statement; the driver's result.
    :param translated: Context that turns the driver's errors into ours.
    :param terminate: Stops the statement on the server, through a connection of its own; the number stopped.
    """

    def __init__(
        self,
        run: Callable[[], _Result],
        translated: Callable[[], AbstractContextManager[None]],
        terminate: Callable[[], int],
    ) -> None:
        self._run = run
        self._translated = translated
        self._terminate = terminate
        self._done = threading.Event()
        self._cancelling: threading.Thread | None = None
        self.count = 0
        self.outcome = Outcome({}, None)

    @property
    def cancelled(self) -> bool:
        """Whether :meth:`cancel` was called."""
        return self._cancelling is not None

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns.

        :raises QueryError: the server refused the statement.
        """
        with self._translated():
            return tuple(self._result.keys())

    @cached_property
    def _result(self) -> _Result:
        return self._run()

    def __iter__(self) -> Iterator[list[Any]]:
        try:
            with self._translated():
                records = iter(self._result)
            while not self.cancelled:
                with self._translated():
                    record = next(records, None)
                if record is None:
                    break
                self.count += 1
                yield [plain(value) for value in record.values()]
            with self._translated():
                summary: _Summary = self._result.consume()
        except QueryError:
            if not self.cancelled:
                raise
        else:
            self.outcome = Outcome(_changes(summary.counters), summary.profile or summary.plan)
        finally:
            self._done.set()

    def cancel(self) -> None:
        """Stop the statement on the server; the rows end there.

        Returns at once, so that a signal handler may call it: the thread that reads rows waits for the server's
        answer and may hold the driver's locks.
        """
        if self._cancelling is None:
            self._cancelling = threading.Thread(target=self._stop, name="graphstore-cancel", daemon=True)
            self._cancelling.start()

    def finish(self) -> None:
        """Let a thread that is stopping the statement end; it is not waited for when the server does not answer."""
        self._done.set()
        if self._cancelling is not None:
            self._cancelling.join(_GRACE)

    def _stop(self) -> None:
        while not self._done.is_set():
            try:
                self._terminate()
            except ConnectError:
                return
            except GraphStoreError:
                pass  # it ended between being found and being stopped
            self._done.wait(_RETRY)


def _changes(counters: Any) -> dict[str, int]:
    return {
        name: value
        for name, value in vars(counters).items()
        if isinstance(value, int) and not isinstance(value, bool) and value and not name.startswith("_")
    }


def operators(plan: Mapping[str, Any]) -> list[str]:
    """Names of the operators of a plan, without the database that the server appends to them; the last step first."""
    found = [str(plan["operatorType"]).partition("@")[0]]
    for child in plan.get("children", ()):
        found.extend(operators(child))
    return found
