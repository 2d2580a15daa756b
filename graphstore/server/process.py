"""Starting, finding and stopping the embedded server: at most one a home, whoever asks."""

from __future__ import annotations

import errno
import os
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psutil
from filelock import FileLock, Timeout

from graphstore.errors import AuthError, ConnectError, ServerError
from graphstore.server import home as homes
from graphstore.server.download import Progress, fetch
from graphstore.server.home import USERNAME, Home, Running
from graphstore.server.java import find_java
from graphstore.server.launch import command, link_plugins
from graphstore.server.lock import Line, ServerLock, load_lock

_START_SECONDS = 180.0
_STOP_SECONDS = 60.0
_LOCK_SECONDS = 900.0  # another process may be downloading
_HANDSHAKE = bytes.fromhex("6060b017") + bytes.fromhex("00000405") + bytes(12)
_LOG_LINES = 12
# The servers that this process started, kept so that a dead one is reaped and seen as dead.
_CHILDREN: dict[int, subprocess.Popen[bytes]] = {}


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

    :param address: ``None`` if it does not.
    :param rss: Resident memory of the process in bytes.
    """

    home: Path
    running: bool
    address: ServerAddress | None = None
    pid: int | None = None
    read_only: bool = False
    version: str | None = None
    rss: int | None = None


def ensure_running(
    home: Path,
    *,
    cache: Path,
    heap: str = "1g",
    line: Line = "current",
    java_home: Path | None = None,
    maven: str | None = None,
    read_only: bool | None = None,
    progress: Progress | None = None,
) -> ServerAddress:
    """The address of the home's server, started if it is down; it stays up when this process ends.

    :param cache: Folder of the downloaded jars, shared by all homes.
    :param heap: Java heap, such as ``1g``.
    :param maven: Maven repository to fetch from instead of the configured one.
    :param read_only: Whether databases must be read-only (the server is restarted to change it); ``None`` takes a
        running server as it is.
    :param progress: Told about the download and the start.
    :raises ServerError: it cannot be fetched, started or reached; one line with the remedy.
    """
    place = Home(home.expanduser().absolute())
    present = _answering(place, read_only)
    if present is not None:
        return present
    place.create()
    with _locked(place):
        present = _answering(place, read_only)
        if present is not None:
            return present
        _stop(place)
        lock = load_lock(line)
        java = find_java(lock.java, java_home)
        jars = fetch(lock, cache, maven=maven, progress=progress)
        link_plugins(place, lock, jars)
        arguments = command(place, lock, jars, java, heap)
        fresh = not (place.root / "data" / "databases").exists()
        if progress:
            progress("starting Neo4j", 0, None)
        if fresh and read_only:  # a read-only server cannot make its first database
            _start(place, lock, arguments, read_only=False)
            _stop(place)
        return _start(place, lock, arguments, read_only=bool(read_only))


def stop(home: Path) -> bool:
    """Stop the home's server; whether one ran.

    :raises ServerError: it does not end.
    """
    place = Home(home.expanduser().absolute())
    if not place.root.is_dir():
        return False
    with _locked(place):
        return _stop(place)


def status(home: Path) -> ServerStatus:
    """What is known of the home's server, without starting it."""
    place = Home(home.expanduser().absolute())
    running = place.read_record()
    process = _process(running)
    if running is None or process is None:
        return ServerStatus(place.root, running=False)
    password = place.read_password()
    return ServerStatus(
        home=place.root,
        running=True,
        address=None if password is None else _address(running, password),
        pid=running.pid,
        read_only=running.read_only,
        version=running.version,
        rss=process.memory_info().rss,
    )


def reset(home: Path) -> None:
    """Stop the home's server and delete its data, configuration, logs and password."""
    place = Home(home.expanduser().absolute())
    if not place.root.is_dir():
        return
    with _locked(place):
        _stop(place)
        place.remove()


@contextmanager
def _locked(place: Home) -> Iterator[None]:
    lock = FileLock(place.lock)
    try:
        lock.acquire(timeout=_LOCK_SECONDS)
    except Timeout as error:
        raise ServerError(
            f"another process has been starting the server in {place.root} for {_LOCK_SECONDS / 60:.0f} minutes; end it, then try again"
        ) from error
    except OSError as error:
        raise place.unwritable(error) from error
    try:
        yield
    finally:
        lock.release()


def _address(running: Running, password: str) -> ServerAddress:
    return ServerAddress(
        uri=f"bolt://127.0.0.1:{running.bolt}",
        username=USERNAME,
        password=password,
        http=f"http://127.0.0.1:{running.http}",
    )


def _answering(place: Home, read_only: bool | None) -> ServerAddress | None:
    """The address if a server of this home runs, answers and is as writable as asked."""
    running = place.read_record()
    password = place.read_password()
    if running is None or password is None or _process(running) is None or not speaks_bolt(running.bolt):
        return None
    if read_only is not None and read_only != running.read_only:
        return None
    return _address(running, password)


def _process(running: Running | None) -> psutil.Process | None:
    """The recorded process if it still is that process."""
    if running is None:
        return None
    child = _CHILDREN.get(running.pid)
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
        with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
            connection.sendall(_HANDSHAKE)
            return len(connection.recv(4)) == 4
    except OSError:
        return False


def _start(place: Home, lock: ServerLock, arguments: list[str], *, read_only: bool) -> ServerAddress:
    ports = homes.choose_ports(place.read_record())
    try:
        homes.write_private(place.conf / "neo4j.conf", homes.configuration(ports, read_only=read_only))
        with place.console.open("wb") as console:
            child = subprocess.Popen(
                arguments,
                stdin=subprocess.DEVNULL,
                stdout=console,
                stderr=subprocess.STDOUT,
                cwd=place.root,
                start_new_session=True,  # Ctrl-C in the client must not end it
            )
    except OSError as error:
        if error.errno == errno.ENOENT:
            raise ServerError(f"cannot run {arguments[0]}: {error.strerror}; check JAVA_HOME") from error
        raise place.unwritable(error) from error
    _CHILDREN[child.pid] = child
    try:
        created = psutil.Process(child.pid).create_time()
        running = Running(child.pid, created, ports.bolt, ports.http, read_only, lock.neo4j)
        place.write_record(running)
        _wait(place, child, ports.bolt)
        return _address(running, _settle_password(place, f"bolt://127.0.0.1:{ports.bolt}"))
    except BaseException:
        child.kill()
        child.wait()
        raise


def _wait(place: Home, child: subprocess.Popen[bytes], port: int) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while not speaks_bolt(port):
        if child.poll() is not None:
            raise ServerError(f"the server in {place.root} died at its start: {last_words(place)}")
        if time.monotonic() > deadline:
            raise ServerError(
                f"the server in {place.root} did not answer within {_START_SECONDS:.0f} s: {last_words(place)}"
            )
        time.sleep(0.1)


def _settle_password(place: Home, uri: str) -> str:
    """The password in force; on a new store Neo4j's initial one is replaced by a random one first."""
    password = place.read_password()
    if password is not None:
        return password
    from graphstore.db import change_password, server_answers

    password, interrupted = place.pending_password()
    try:
        change_password(uri, USERNAME, USERNAME, password)
    except AuthError as error:
        # An earlier start was interrupted after the server took the password, before the file had its name.
        if not interrupted or not server_answers(uri, (USERNAME, password)):
            raise ServerError(
                f"{place.password} is missing and the store has a password: put the file back, or start anew with `graphstore reset`"
            ) from error
    except ConnectError as error:
        raise ServerError(f"the server in {place.root} took no password: {error}") from error
    place.accept_password()
    return password


def _stop(place: Home) -> bool:
    running = place.read_record()
    process = _process(running)
    if process is None:
        return False
    try:
        process.terminate()
        try:
            process.wait(_STOP_SECONDS)
        except psutil.TimeoutExpired:
            process.kill()
            process.wait(10)
    except psutil.NoSuchProcess:
        pass
    except (psutil.TimeoutExpired, psutil.AccessDenied) as error:
        raise ServerError(f"the server in {place.root} (process {process.pid}) does not end: {error}") from error
    return True


def last_words(place: Home) -> str:
    """The last lines of what the server printed, in one line, and where to read the rest."""
    try:
        text = place.console.read_text("utf-8", errors="replace")
    except OSError:
        text = ""
    lines = [line.strip() for line in text.splitlines() if line.strip()][-_LOG_LINES:]
    return " | ".join(lines) + f" (all of it: {place.console})" if lines else f"it printed nothing ({place.logs})"
