"""The folder of an embedded server: its configuration, password file and record of the running process."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
import socket
from dataclasses import asdict, dataclass
from pathlib import Path

from graphstore.errors import ServerError

USERNAME = "neo4j"
_PASSWORD_BYTES = 24
_SALT_BYTES = 32
_ITERATIONS = 1024

# Procedures and functions of GDS that cypher/ and the diffusion use; nothing else of the plugin is even loaded, so
# that a statement cannot export graphs or models to the server's disk.
PROCEDURES = (
    "gds.version",
    "gds.list",
    "gds.graph.project",
    "gds.graph.project.estimate",
    "gds.graph.drop",
    "gds.graph.exists",
    "gds.graph.list",
    "gds.pageRank.stream",
    "gds.pageRank.stream.estimate",
)


@dataclass(frozen=True, slots=True)
class Ports:
    """Loopback ports of a server."""

    bolt: int
    http: int


@dataclass(frozen=True, slots=True)
class Running:
    """The record of a started server.

    :param pid: Its process.
    :param created: Start time of that process, seconds since the epoch: a recycled pid has another one.
    :param training: Where this run writes an archive of its classes when it is stopped.
    """

    pid: int
    created: float
    bolt: int
    http: int
    read_only: bool
    version: str
    training: str | None = None


@dataclass(frozen=True, slots=True)
class Home:
    """Paths inside the home of one embedded server."""

    root: Path

    @property
    def conf(self) -> Path:
        """Neo4j's configuration folder."""
        return self.root / "conf"

    @property
    def logs(self) -> Path:
        """Neo4j's logs, and ``console.log``: what the process printed."""
        return self.root / "logs"

    @property
    def temporary(self) -> Path:
        """What the server unpacks; emptied at each start, for a killed server leaves it behind."""
        return self.root / "tmp"

    @property
    def console(self) -> Path:
        """Output of the server process."""
        return self.logs / "console.log"

    @property
    def lock(self) -> Path:
        """Held while a process starts or stops the server."""
        return self.root / "server.lock"

    @property
    def record(self) -> Path:
        """JSON of :class:`Running`."""
        return self.root / "server.json"

    @property
    def password(self) -> Path:
        """The password, mode 0600."""
        return self.root / "password"

    @property
    def data(self) -> Path:
        """Neo4j's data folder."""
        return self.root / "data"

    @property
    def credential(self) -> Path:
        """Where a new store finds its first user's credential, as ``neo4j-admin dbms set-initial-password`` puts it."""
        return self.data / "dbms" / "auth.ini"

    def create(self) -> None:
        """Make the folders, the home for its owner alone.

        :raises ServerError: the disk is full or the folder cannot be written.
        """
        try:
            self.root.mkdir(parents=True, exist_ok=True, mode=0o700)
            for name in ("conf", "data", "import", "logs", "plugins", "tmp"):
                (self.root / name).mkdir(exist_ok=True)
        except OSError as error:
            raise self.unwritable(error) from error

    def unwritable(self, error: OSError) -> ServerError:
        """The error to raise when a file here cannot be written."""
        return ServerError(
            f"cannot write {error.filename or self.root}: {error.strerror or error}; "
            "free some disk space or set GRAPHSTORE_HOME to a folder that you can write"
        )

    def read_password(self) -> str | None:
        """The password, ``None`` before the first start."""
        return _read(self.password)

    def secure(self) -> str:
        """The password; a new store gets a random one before its first start, so that no known one is ever accepted.

        :raises ServerError: the store has a password, but the file that says which is gone.
        """
        known = self.read_password()
        if known is not None:
            return known
        if (self.data / "databases").exists():
            raise ServerError(
                f"{self.password} is missing and the store has a password: put the file back, "
                "or start anew with `graphstore reset`"
            )
        password = secrets.token_urlsafe(_PASSWORD_BYTES)
        try:
            self.credential.parent.mkdir(parents=True, exist_ok=True)
            write_private(self.credential, initial_credential(password))
            write_private(self.password, password)
        except OSError as error:
            raise self.unwritable(error) from error
        return password

    def clear_temporary(self) -> None:
        """Empty :attr:`temporary`."""
        shutil.rmtree(self.temporary, ignore_errors=True)
        self.temporary.mkdir(exist_ok=True)

    def read_record(self) -> Running | None:
        """The started server, ``None`` if none is recorded or the record is unreadable."""
        try:
            return Running(**json.loads(self.record.read_text("utf-8")))
        except (FileNotFoundError, ValueError, TypeError):
            return None

    def write_record(self, running: Running) -> None:
        """Record the started server."""
        write_private(self.record, json.dumps(asdict(running)))

    def remove(self) -> None:
        """Delete what a server keeps here, and the folder if nothing else is in it."""
        for name in ("conf", "data", "import", "licenses", "logs", "plugins", "run", "tmp"):
            shutil.rmtree(self.root / name, ignore_errors=True)
        for path in (self.record, self.password):
            path.unlink(missing_ok=True)


def _read(path: Path) -> str | None:
    try:
        return path.read_text("utf-8").strip() or None
    except FileNotFoundError:
        return None


def initial_credential(password: str) -> str:
    """The line of ``auth.ini`` for Neo4j's user: SHA-256 over salt and password, iterated."""
    salt = secrets.token_bytes(_SALT_BYTES)
    digest = hashlib.sha256(salt + password.encode())
    for _ in range(_ITERATIONS - 1):
        digest = hashlib.sha256(digest.digest())
    return f"{USERNAME}:SHA-256,{digest.hexdigest()},{salt.hex()},{_ITERATIONS}:\n"


def write_private(path: Path, text: str) -> None:
    """Write a file that only its owner can read, whole or not at all."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as stream:
        stream.write(text)
    os.replace(temporary, path)


def choose_ports(before: Running | None) -> Ports:
    """Free loopback ports: those of the last run if they are still free, so that addresses stay."""
    if before is not None and is_free(before.bolt) and is_free(before.http):
        return Ports(before.bolt, before.http)
    with socket.socket() as first, socket.socket() as second:
        first.bind(("127.0.0.1", 0))
        second.bind(("127.0.0.1", 0))
        return Ports(first.getsockname()[1], second.getsockname()[1])


def is_free(port: int) -> bool:
    """Whether nothing listens on a loopback port."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def configuration(ports: Ports, *, read_only: bool = False) -> str:
    """The text of ``neo4j.conf``; it holds no secret."""
    procedures = ",".join(PROCEDURES)
    settings = {
        "server.default_listen_address": "127.0.0.1",
        "server.default_advertised_address": "127.0.0.1",
        "server.bolt.listen_address": f"127.0.0.1:{ports.bolt}",
        "server.bolt.advertised_address": f"127.0.0.1:{ports.bolt}",
        "server.http.listen_address": f"127.0.0.1:{ports.http}",
        "server.http.advertised_address": f"127.0.0.1:{ports.http}",
        "server.https.enabled": "false",
        "server.http_enabled_modules": "TRANSACTIONAL_ENDPOINTS,BROWSER",
        "server.databases.default_to_read_only": str(read_only).lower(),
        "dbms.security.auth_enabled": "true",
        "dbms.security.allow_csv_import_from_file_urls": "false",
        "dbms.security.procedures.unrestricted": procedures,
        "dbms.security.procedures.allowlist": procedures,
        "dbms.usage_report.enabled": "false",
        "client.allow_telemetry": "false",
        "db.transaction.timeout": "30m",
        "db.logs.query.enabled": "OFF",
        "db.tx_log.preallocate": "false",
        "db.tx_log.rotation.size": "32m",
        "db.tx_log.rotation.retention_policy": "128M size",
        "server.memory.pagecache.size": "256m",
    }
    return "".join(f"{key}={value}\n" for key, value in settings.items())
