"""The embedded server that the settings describe."""

from __future__ import annotations

from pathlib import Path

from graphstore.progress import Progress
from graphstore.server.process import ensure_running
from graphstore.server.state import ServerAddress
from graphstore.settings import Settings


def configured(
    settings: Settings, *, home: Path | None = None, read_only: bool | None = None, progress: Progress | None = None
) -> ServerAddress:
    """The address of the embedded server, started if it is down.

    :param home: Another home than the settings name.
    :param read_only: Whether it must be read-only; ``None`` takes a running server as it is.
    :raises ServerError: it cannot be fetched, started or reached; one line with the remedy.
    """
    return ensure_running(
        home or settings.home,
        cache=settings.cache,
        heap=settings.heap,
        line=settings.line,
        java_home=settings.java_home,
        maven=settings.maven,
        read_only=read_only,
        progress=progress,
    )
