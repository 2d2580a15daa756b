"""A server for one purpose, in a temporary home that is removed afterwards: tests and evaluation."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from graphstore.progress import Progress
from graphstore.server.configured import configured
from graphstore.server.process import reset
from graphstore.server.state import ServerAddress
from graphstore.settings import Settings


@contextmanager
def scratch_server(settings: Settings | None = None, *, progress: Progress | None = None) -> Iterator[ServerAddress]:
    """A second embedded server with an empty store; stopped and deleted at the end.

    :param settings: Jars' cache, heap, line and Java; read from the environment if ``None``. Its home is not used.
    :raises ServerError: it cannot be started.
    """
    chosen = settings or Settings.load()
    home = Path(tempfile.mkdtemp(prefix="graphstore-"))
    try:
        yield configured(chosen, home=home, progress=progress)
    finally:
        reset(home)
        shutil.rmtree(home, ignore_errors=True)
