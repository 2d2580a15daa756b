"""Where the console writes: rows to stdout as wide as the terminal, notes to stderr; and Ctrl-C while it does."""

from __future__ import annotations

import shutil
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import click

from graphstore.console.formats import Format, lines
from graphstore.console.tables import Surface
from graphstore.execution import Execution


def write(execution: Execution, form: Format) -> None:
    """Print the rows of a statement, each as it arrives.

    Ctrl-C stops the statement on the server, and the rows end there; a second Ctrl-C does not wait for the server.
    """
    with stoppable(execution):
        for line in lines(form, execution.columns, execution, surface()):
            if execution.cancelled:
                break
            data(line)
        if not execution.columns:
            list(execution)


def surface() -> Surface:
    """What stdout can show now: as wide as the terminal, or unlimited if it is none."""
    fit = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    return Surface(fit, ascii_only=not _draws(sys.stdout.encoding))


def data(line: str) -> None:
    """Print a line of an answer."""
    click.echo(line)


def note(text: str) -> None:
    """Print a line that is not data."""
    click.echo(text, err=True)


def changes(counted: dict[str, int]) -> str:
    """The server's counters as words, such as ``2 nodes created``."""
    return ", ".join(f"{number} {_words(name, number)}" for name, number in counted.items())


@contextmanager
def stoppable(execution: Execution) -> Iterator[None]:
    """Let Ctrl-C stop the statement on the server; a second one raises ``KeyboardInterrupt``."""
    if threading.current_thread() is not threading.main_thread():  # only there do signals arrive
        yield
        return

    def stop(_number: int, _frame: FrameType | None) -> None:
        if execution.cancelled:
            raise KeyboardInterrupt
        execution.cancel()

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _draws(encoding: str | None) -> bool:
    try:
        "│─┼…".encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _words(name: str, number: int) -> str:
    thing, _, verb = name.rpartition("_")
    thing = {"properties": "property"}.get(thing, thing.removesuffix("s")) if number == 1 else thing
    return f"{thing.replace('_', ' ')} {verb}"
