"""What can be told of an embedded server without starting it: Java, jars, home, disk. Nothing is changed."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil

from graphstore.errors import ServerError
from graphstore.findings import Diagnosis, Status
from graphstore.server.download import verified
from graphstore.server.home import Home, Running
from graphstore.server.java import find_java
from graphstore.server.lock import LockedFile, ServerLock, load_lock
from graphstore.server.state import ServerAddress, answering, living, speaks_bolt
from graphstore.settings import Settings

_LITTLE_SPACE = 1_000_000_000
_NO_SPACE = 100_000_000


def survey(settings: Settings) -> list[Diagnosis]:
    """What was found of Java, the server's jars, its home and the disk."""
    lock = load_lock(settings.line)
    place = Home(settings.home)
    return [
        _java(lock, settings.java_home),
        _jars(lock, settings.cache),
        *_home(place),
        *_disk({"home": settings.home, "cache": settings.cache}),
    ]


def running(settings: Settings) -> ServerAddress | None:
    """The home's server if it runs and answers."""
    try:
        return answering(Home(settings.home), None)
    except OSError:
        return None


def _java(lock: ServerLock, java_home: Path | None) -> Diagnosis:
    try:
        java = find_java(lock.java, java_home)
    except ServerError as error:
        finding, _, remedy = str(error).partition(": ")
        return Diagnosis("Java", "fail", finding, remedy)
    return Diagnosis("Java", "ok", f"Java {java.version}, {java.executable}")


def _jars(lock: ServerLock, cache: Path) -> Diagnosis:
    root = cache / "jars"
    with ThreadPoolExecutor(4) as pool:
        states = list(pool.map(lambda file: _state(file, root), lock.files))
    present, damaged = states.count("present"), states.count("damaged")
    version = f"Neo4j {lock.neo4j} with GDS {lock.gds}"
    megabytes = sum(file.size for file, state in zip(lock.files, states, strict=True) if state != "present") / 1e6
    if present == len(lock.files):
        return Diagnosis("jars", "ok", f"{version}: {present} files, each with the hash of the lock, in {root}")
    finding = f"{version}: {present} of {len(lock.files)} files in {root}"
    if damaged:
        finding += f", {damaged} damaged"
    remedy = f"`graphstore up` fetches the rest ({megabytes:.0f} MB; GRAPHSTORE_MAVEN names a mirror)"
    return Diagnosis("jars", "warn", finding, remedy)


def _state(file: LockedFile, root: Path) -> str:
    path = root / file.path
    if verified(file, path):
        return "present"
    return "damaged" if os.path.lexists(path) else "missing"


def _home(place: Home) -> Iterator[Diagnosis]:
    ground = _ground(place.root)
    if not ground.is_dir() or not os.access(ground, os.W_OK | os.X_OK):
        where = (
            f"{place.root} cannot be written" if ground == place.root else f"{place.root} cannot be made in {ground}"
        )
        yield Diagnosis("home", "fail", where, "set GRAPHSTORE_HOME to a folder that you can write")
        return
    if not place.root.exists():
        yield Diagnosis("home", "ok", f"{place.root} is not made yet; the first command makes it")
        return
    yield _password(place)
    yield _process(place)


def _ground(path: Path) -> Path:
    """The path itself, or the nearest folder above it that exists."""
    while not os.path.lexists(path) and path != path.parent:
        path = path.parent
    return path


def _password(place: Home) -> Diagnosis:
    try:
        known = place.read_password() is not None
        mode = place.password.stat().st_mode & 0o077 if known else 0
    except OSError as error:
        return Diagnosis("home", "fail", f"{place.password}: {error.strerror}", "run as the user who made the store")
    if not known and (place.data / "databases").exists():
        return Diagnosis(
            "home",
            "fail",
            f"{place.password} is missing, and the store has a password",
            "put the file back, or start anew with `graphstore reset`",
        )
    if mode:
        finding = f"other users of this machine may read {place.password}"
        return Diagnosis("home", "warn", finding, f"chmod 600 {place.password}")
    return Diagnosis("home", "ok", f"{place.root} can be written" + (", password kept for you alone" if known else ""))


def _process(place: Home) -> Diagnosis:
    try:
        record = place.read_record()
    except OSError as error:
        return Diagnosis("server", "fail", f"{place.record}: {error.strerror}", "run as the user who made the store")
    if record is None:
        if place.record.exists():
            finding = f"{place.record} is unreadable: its server, if one runs, is not found again"
            return Diagnosis("server", "warn", finding, f"end that server if it runs, then delete {place.record}")
        return Diagnosis("server", "ok", "down; any command that needs the store starts it")
    if living(record) is None:
        return _ended(record)
    if not speaks_bolt(record.bolt):
        return Diagnosis(
            "server",
            "fail",
            f"process {record.pid} runs but does not answer on 127.0.0.1:{record.bolt}: still starting, or hung",
            f"wait a minute; then `graphstore down`, and look at {place.logs}",
        )
    mode = "read-only" if record.read_only else "read and write"
    return Diagnosis(
        "server", "ok", f"Neo4j {record.version} runs: process {record.pid}, 127.0.0.1:{record.bolt}, {mode}"
    )


def _ended(record: Running) -> Diagnosis:
    # `graphstore down` leaves the record too, so that the next start takes the same ports: no fault.
    fate = "its number is another process's now" if psutil.pid_exists(record.pid) else "ended"
    finding = f"down (process {record.pid}: {fate}); any command that needs the store starts it"
    return Diagnosis("server", "ok", finding)


def _disk(folders: dict[str, Path]) -> Iterator[Diagnosis]:
    seen: set[int] = set()
    for name, folder in folders.items():
        ground = _ground(folder)
        try:
            device, free = ground.stat().st_dev, shutil.disk_usage(ground).free
        except OSError as error:
            yield Diagnosis("disk", "fail", f"{ground}: {error.strerror}", f"set GRAPHSTORE_{name.upper()} elsewhere")
            continue
        if device in seen:
            continue
        seen.add(device)
        status: Status = "fail" if free < _NO_SPACE else "warn" if free < _LITTLE_SPACE else "ok"
        remedy = f"free some space, or set GRAPHSTORE_{name.upper()} to another disk"
        yield Diagnosis("disk", status, f"{free / 1e9:.1f} GB free at {folder}", "" if status == "ok" else remedy)
