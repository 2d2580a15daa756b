"""What the console does with a statement or a command, at a prompt and in a script alike."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from graphstore.console import output
from graphstore.console.formats import Format, lines
from graphstore.console.plans import plan_table
from graphstore.console.script import finished, split
from graphstore.console.vocabulary import LiveVocabulary, Store
from graphstore.errors import GraphStoreError, LoadError, QueryError

_EXPLAIN = re.compile(r"\s*EXPLAIN\b", re.IGNORECASE)  # has columns, but no rows
_DEEPEST = 8  # scripts that run scripts


class Session:
    """The state between statements: parameters, mode, format, the last statement.

    :param store: Runs statements.
    :param form: Format of rows.
    :param parameters: Values of statement parameters.
    :param talkative: Say after each statement how many rows it gave and how long it took.
    """

    def __init__(
        self, store: Store, form: Format = "table", *, parameters: dict[str, Any] | None = None, talkative: bool = False
    ) -> None:
        self.store = store
        self.form: Format = form
        self.parameters: dict[str, Any] = dict(parameters or {})
        self.talkative = talkative
        self.writing = False
        self._last: tuple[str, dict[str, Any]] | None = None
        self.failures = 0
        self.over = False
        self.vocabulary = LiveVocabulary(store)
        self._depth = 0

    def run(self, item: str) -> None:
        """Run a statement or a command; what goes wrong is one line on stderr, and counted.

        :raises KeyboardInterrupt: Ctrl-C stopped it and there is no prompt to go back to.
        """
        from graphstore.console.commands import command

        try:
            if item.startswith(":"):
                command(self, item)
            else:
                self.statement(*self.chosen(item))
        except GraphStoreError as error:
            self.failures += 1
            output.note(f"error: {error}")
        except KeyboardInterrupt:
            if not self.talkative:
                raise
            output.note("cancelled")

    def statement(self, text: str, parameters: dict[str, Any] | None = None, *, write: bool | None = None) -> None:
        """Run a statement and print its rows as they arrive, then its plan if it has one.

        :param parameters: Values beside those of the session.
        :param write: Mode of this statement; that of the session if not given.
        :raises QueryError: the server refused it.
        :raises KeyboardInterrupt: Ctrl-C stopped it; it is gone from the server.
        """
        mode = self.writing if write is None else write
        started = time.monotonic()
        with self.store.execute(text, {**self.parameters, **(parameters or {})}, write=mode) as execution:
            if _EXPLAIN.match(text):
                list(execution)
            else:
                output.write(execution, self.form)
        if execution.cancelled:
            raise KeyboardInterrupt
        if mode:
            self.vocabulary.forget()
        done = execution.outcome
        if done.plan is not None:
            self.show(*plan_table(done.plan))
        self._say(execution.count if execution.columns else None, done.changes, time.monotonic() - started)

    def show(self, columns: tuple[str, ...], rows: list[list[Any]]) -> None:
        """Print rows that come from the console itself."""
        for line in lines(self.form, columns, rows, output.surface()):
            output.data(line)

    def script(self, path: Path) -> None:
        """Run a file of statements and commands; those that fail do not stop it.

        :raises LoadError: it cannot be read, or scripts run each other in a circle.
        """
        if self._depth >= _DEEPEST:
            raise LoadError(f"scripts are nested deeper than {_DEEPEST}: does one run itself?", path)
        try:
            text = path.read_text("utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "is not UTF-8 text"
            raise LoadError(f"cannot be read: {reason}", path) from error
        self._depth += 1
        try:
            self._run_all(finished(text))
        finally:
            self._depth -= 1

    def stream(self, source: Iterable[str]) -> None:
        """Run statements and commands from lines as they come, until ``:quit`` or the end."""
        pending = ""
        for line in source:
            items, pending = split(pending + line)
            self._run_all(items)
            if self.over:
                return
        self._run_all(finished(pending))

    def _run_all(self, items: list[str]) -> None:
        for item in items:
            if not self.over:
                self.run(item)

    def chosen(self, text: str = "", values: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        """The statement ``text`` and its values, from now on the last one; or the last one, if ``text`` is empty.

        :raises QueryError: there is none yet.
        """
        if text:
            self._last = text, dict(values or {})
        if self._last is None:
            raise QueryError("no statement was run yet: write one after the command")
        return self._last

    def _say(self, count: int | None, changed: dict[str, int], seconds: float) -> None:
        parts = [output.changes(changed)] if changed else []
        if self.talkative and count is not None:
            parts.insert(0, f"{count} row" if count == 1 else f"{count} rows")
        if self.talkative:
            parts.append(f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s")
        if parts:
            output.note(", ".join(parts))
