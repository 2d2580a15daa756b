"""The lock file: which jars make up the embedded server, each with its hash and size."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import files
from pathlib import PurePosixPath
from typing import Any, Literal, get_args

from graphstore.errors import ServerError

Line = Literal["current", "lts"]
VERSIONS: dict[Line, str] = {"current": "2026.01.4", "lts": "5.26.30"}


@dataclass(frozen=True, slots=True)
class LockedFile:
    """One jar.

    :param coordinate: ``group:artifact:version`` or ``group:artifact:version:classifier``.
    :param sha256: Hex digest of its content.
    :param size: Bytes.
    :param plugin: Whether the server must scan it for procedures.
    """

    coordinate: str
    sha256: str
    size: int
    plugin: bool = False

    @property
    def path(self) -> PurePosixPath:
        """Where a Maven repository keeps it, relative to the repository's root."""
        group, artifact, version, *classifier = self.coordinate.split(":")
        name = "-".join([artifact, version, *classifier]) + ".jar"
        return PurePosixPath(*group.split("."), artifact, version, name)


@dataclass(frozen=True, slots=True)
class ServerLock:
    """One pinned server: its jars in class path order and how to start it.

    :param neo4j: Version of the database.
    :param gds: Version of the Graph Data Science library.
    :param entry_point: Java class whose ``main`` starts the server.
    :param java: Oldest Java that runs it.
    """

    neo4j: str
    gds: str
    entry_point: str
    java: int
    files: tuple[LockedFile, ...]

    @property
    def size(self) -> int:
        """Bytes of all files together."""
        return sum(file.size for file in self.files)


def load_lock(line: Line = "current") -> ServerLock:
    """The lock that comes with the package.

    :raises ServerError: no such line.
    """
    if line not in get_args(Line):
        raise ServerError(f"no server line {line!r}; GRAPHSTORE_SERVER_LINE is one of: {', '.join(get_args(Line))}")
    name = f"neo4j-{VERSIONS[line]}.lock.json"
    return parse_lock(files("graphstore.server").joinpath(name).read_text(encoding="utf-8"), name)


def parse_lock(text: str, name: str) -> ServerLock:
    """A lock from its JSON text.

    :param name: What errors call it.
    :raises ServerError: it is not a lock; the message names the entry.
    """
    try:
        data = json.loads(text)
        return ServerLock(
            neo4j=str(data["neo4j"]),
            gds=str(data["gds"]),
            entry_point=str(data["entry_point"]),
            java=int(data["java"]),
            files=tuple(_parse_file(entry, name) for entry in data["files"]),
        )
    except (ValueError, KeyError, TypeError) as error:
        raise ServerError(f"{name} is not a server lock ({error!r}); install graphstore again") from error


def _parse_file(entry: Any, name: str) -> LockedFile:
    file = LockedFile(entry["coordinate"], entry["sha256"], entry["size"], bool(entry.get("plugin", False)))
    parts = file.coordinate.split(":")
    # The coordinate becomes a path below the cache: nothing in it may lead out of there.
    fit = len(parts) in (3, 4) and all(part and ".." not in part and "/" not in part for part in parts)
    if not fit or "\\" in file.coordinate or len(file.sha256) != 64 or file.size <= 0:
        raise ServerError(f"{name} is damaged at {file.coordinate!r}; install graphstore again")
    return file
