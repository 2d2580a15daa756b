"""Starting and stopping the embedded server: at most one a home, whoever asks."""

from __future__ import annotations

import errno
import subprocess
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil
from filelock import FileLock, Timeout

from graphstore.errors import ServerError
from graphstore.progress import Progress
from graphstore.server import aot
from graphstore.server.download import fetch
from graphstore.server.home import Home, Running, choose_ports, configuration, write_private
from graphstore.server.java import find_java
from graphstore.server.launch import command, link_plugins
from graphstore.server.lock import Line, load_lock
from graphstore.server.state import (
    CHILDREN,
    ServerAddress,
    ServerStatus,
    address_of,
    answering,
    describe,
    last_words,
    living,
    speaks_bolt,
)

_START_SECONDS = 180.0
_STOP_SECONDS = 60.0
_TRAINED_STOP_SECONDS = 240.0  # it also writes its archive of classes
_LOCK_SECONDS = 900.0  # another process may be downloading


@dataclass(frozen=True, slots=True)
class _Plan:
    """All that a start needs but its ports."""

    arguments: list[str]
    version: str
    archive: Path | None
    training: Path | None


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
    place = _place(home)
    present = answering(place, read_only)
    if present is not None:
        return present
    place.create()
    with _locked(place):
        password = place.secure()
        present = _join(place, read_only)
        if present is not None:
            return present
        _stop(place)
        plan = _plan(place, cache, heap, line, java_home, maven, progress)
        if progress:
            progress("starting Neo4j", 0, None)
        if read_only and not (place.data / "databases" / "neo4j").exists():
            _start(place, plan, read_only=False)  # a read-only server cannot make its first database
            _stop(place)
        return address_of(_start(place, plan, read_only=bool(read_only)), password)


def stop(home: Path) -> bool:
    """Stop the home's server; whether one ran.

    :raises ServerError: it does not end.
    """
    place = _place(home)
    if not place.root.is_dir():
        return False
    with _locked(place):
        return _stop(place)


def status(home: Path) -> ServerStatus:
    """What is known of the home's server, without starting it."""
    return describe(_place(home))


def reset(home: Path) -> None:
    """Stop the home's server and delete its data, configuration, logs and password."""
    place = _place(home)
    if not place.root.is_dir():
        return
    with _locked(place):
        _stop(place)
        place.remove()


def _place(home: Path) -> Home:
    return Home(home.expanduser().absolute())


@contextmanager
def _locked(place: Home) -> Iterator[None]:
    lock = FileLock(place.lock)
    try:
        lock.acquire(timeout=_LOCK_SECONDS)
    except Timeout as error:
        raise ServerError(
            f"another process has been starting the server in {place.root} for {_LOCK_SECONDS / 60:.0f} minutes; "
            "end it, then try again"
        ) from error
    except OSError as error:
        raise place.unwritable(error) from error
    try:
        yield
    finally:
        lock.release()


def _join(place: Home, read_only: bool | None) -> ServerAddress | None:
    """The address of a server that runs already, waited for if it is still starting or very busy.

    Never ends one that is only slow: its silence is an error that says so.
    """
    running = place.read_record()
    if running is None or living(running) is None:
        return None
    deadline = time.monotonic() + _START_SECONDS
    while not speaks_bolt(running.bolt):
        if living(running) is None:
            return None
        if time.monotonic() > deadline:
            raise ServerError(
                f"the server in {place.root} (process {running.pid}) runs but does not answer; "
                "stop it with `graphstore down`, then try again"
            )
        time.sleep(0.2)
    return answering(place, read_only)


def _plan(
    place: Home,
    cache: Path,
    heap: str,
    line: Line,
    java_home: Path | None,
    maven: str | None,
    progress: Progress | None,
) -> _Plan:
    lock = load_lock(line)
    java = find_java(lock.java, java_home)
    jars = fetch(lock, cache, maven=maven, progress=progress)
    archive = aot.archive_path(cache, java, jars)
    try:
        link_plugins(place, lock, jars)
        training = None
        if archive is not None and not archive.exists():
            training = archive.with_name(f"{archive.stem}.{uuid.uuid4().hex}.part")
        options = aot.options(archive, training)
    except OSError as error:
        raise place.unwritable(error) from error
    return _Plan(command(place, lock, jars, java, heap, options), lock.neo4j, archive, training)


def _start(place: Home, plan: _Plan, *, read_only: bool) -> Running:
    ports = choose_ports(place.read_record())
    try:
        place.clear_temporary()
        write_private(place.conf / "neo4j.conf", configuration(ports, read_only=read_only))
        with place.console.open("wb") as console:
            child = subprocess.Popen(
                plan.arguments,
                stdin=subprocess.DEVNULL,
                stdout=console,
                stderr=subprocess.STDOUT,
                cwd=place.root,
                start_new_session=True,  # Ctrl-C in the client must not end it
            )
    except OSError as error:
        if error.errno in (errno.ENOENT, errno.EACCES) and error.filename == plan.arguments[0]:
            raise ServerError(f"cannot run {error.filename}: {error.strerror}; check JAVA_HOME") from error
        raise place.unwritable(error) from error
    CHILDREN[child.pid] = child
    try:
        created = psutil.Process(child.pid).create_time()
        training = None if plan.training is None else str(plan.training)
        running = Running(child.pid, created, ports.bolt, ports.http, read_only, plan.version, training)
        place.write_record(running)
        _wait(place, child, ports.bolt)
        if plan.archive is not None:
            aot.discard_if_refused(plan.archive, place.console)
        return running
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


def _stop(place: Home) -> bool:
    """End the recorded process, gently first; whether it ran."""
    running = place.read_record()
    process = living(running)
    if process is not None:
        seconds = _TRAINED_STOP_SECONDS if running and running.training else _STOP_SECONDS
        try:
            process.terminate()
            _await_end(process, seconds)
        except psutil.NoSuchProcess:
            pass
        except (psutil.TimeoutExpired, psutil.AccessDenied) as error:
            raise ServerError(f"the server in {place.root} (process {process.pid}) does not end: {error}") from error
    if running is not None and running.training:
        aot.adopt(Path(running.training), place.console)
    return process is not None


def _await_end(process: psutil.Process, seconds: float) -> None:
    try:
        process.wait(seconds)
    except psutil.TimeoutExpired:
        process.kill()
        process.wait(10)
