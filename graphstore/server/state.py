"""What can be told of a home's server without touching it."""

from __future__ import annotations

import socket
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from graphstore.server.home import USERNAME, Home, Running

_HANDSHAKE = bytes.fromhex("6060b017 00000405") + bytes(12)
_PROBE_SECONDS = 5.0
_LOG_LINES = 6
# The servers that this process started, kept so that a dead one is reaped and seen as dead.
CHILDREN: dict[int, subprocess.Popen[bytes]] = {}


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """Where a server is and how to log in.

    :param http: Address of its HTTP server, with Neo4j Browser at ``/browser/``; ``None`` if not known.
    """

    uri: str
    username: str
    password: str = field(repr=False)
    http: str | None = None


@dataclass(frozen=True, slots=True)
class ServerStatus:
    """Whether a home's server runs.

    :param address: ``None`` if it does not run, or has no password yet.
    :param rss: Resident memory of the process in bytes.
    """

    home: Path
    running: bool
    address: ServerAddress | None = None
    pid: int | None = None
    read_only: bool = False
    version: str | None = None
    rss: int | None = None


def address_of(running: Running, password: str) -> ServerAddress:
    """The address of a recorded server."""
    return ServerAddress(
        uri=f"bolt://127.0.0.1:{running.bolt}",
        username=USERNAME,
        password=password,
        http=f"http://127.0.0.1:{running.http}",
    )


def living(running: Running | None) -> psutil.Process | None:
    """The recorded process if it still is that process: a pid may have been given to another one since."""
    if running is None:
        return None
    child = CHILDREN.get(running.pid)
    if child is not None and child.poll() is not None:
        return None
    try:
        process = psutil.Process(running.pid)
        if abs(process.create_time() - running.created) > 1 or process.status() == psutil.STATUS_ZOMBIE:
            return None
    except psutil.NoSuchProcess:
        return None
    return process


def speaks_bolt(port: int) -> bool:
    """Whether a Bolt server answers the handshake on a loopback port."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=_PROBE_SECONDS) as connection:
            connection.sendall(_HANDSHAKE)
            return len(connection.recv(4)) == 4
    except OSError:
        return False


def answering(place: Home, read_only: bool | None) -> ServerAddress | None:
    """The address if a server of this home runs, answers and is as writable as asked (``None``: either way)."""
    running = place.read_record()
    password = place.read_password()
    if running is None or password is None or living(running) is None or not speaks_bolt(running.bolt):
        return None
    if read_only is not None and read_only != running.read_only:
        return None
    return address_of(running, password)


def describe(place: Home) -> ServerStatus:
    """What is known of the home's server."""
    running = place.read_record()
    process = living(running)
    if running is None or process is None:
        return ServerStatus(place.root, running=False)
    password = place.read_password()
    return ServerStatus(
        home=place.root,
        running=True,
        address=None if password is None else address_of(running, password),
        pid=running.pid,
        read_only=running.read_only,
        version=running.version,
        rss=process.memory_info().rss,
    )


def last_words(place: Home) -> str:
    """The last lines of what the server printed, in one line, without stack frames, and where to read the rest."""
    try:
        text = place.console.read_text("utf-8", errors="replace")
    except OSError:
        text = ""
    lines = [line.strip() for line in text.splitlines()]
    telling = [line for line in lines if line and not line.startswith(("at ", "... "))][-_LOG_LINES:]
    return " | ".join(telling) + f" (all of it: {place.console})" if telling else f"it printed nothing ({place.logs})"
