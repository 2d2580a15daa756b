"""`doctor` on real servers, real sockets and wrong addresses: each fault is named with its remedy."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
import pytest

from graphstore import db as boundary
from graphstore import schema
from graphstore.cli import run
from graphstore.db import Database
from graphstore.doctor import Report, examine
from graphstore.errors import ConnectError
from graphstore.findings import Diagnosis
from graphstore.server.download import fetch
from graphstore.server.home import Home, choose_ports, configuration
from graphstore.server.java import find_java
from graphstore.server.launch import command
from graphstore.server.lock import load_lock
from graphstore.server.state import speaks_bolt
from graphstore.settings import Settings

if TYPE_CHECKING:
    from graphstore.server import ServerAddress

SECRET = "a-secret-of-the-test"
VARIABLES = ("NEO4J_URI", "NEO4J_USERNAME", "NEO4J_PASSWORD", "NEO4J_DATABASE", "GRAPHSTORE_HOME", "GRAPHSTORE_ENCODER")


@pytest.fixture(autouse=True)
def unset(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for variable in VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.chdir(tmp_path)


def look(uri: str, password: str = SECRET, *, seconds: float = 10.0, **flags: object) -> Report:
    return examine(uri=uri, password=password, seconds=seconds, **flags)


def failure(report: Report) -> Diagnosis:
    """The one check that fails."""
    assert not report.healthy
    (failed,) = [check for check in report.checks if check.status == "fail"]
    assert failed.remedy
    assert "\n" not in failed.finding + failed.remedy
    assert SECRET not in str(report)
    return failed


def named(report: Report, check: str) -> Diagnosis:
    (found,) = [diagnosis for diagnosis in report.checks if diagnosis.check == check]
    return found


def port_of(server: ServerAddress) -> int:
    return int(server.uri.rsplit(":", 1)[1])


# --- a server that is well ------------------------------------------------------------------------------------------


def test_a_good_server_passes_every_check(db: Database, server: ServerAddress) -> None:
    report = look(server.uri, server.password)
    assert [c for c in report.checks if c.status != "ok"] == []
    names = [c.check for c in report.checks]
    assert names == ["address", "port", "protocol", "login", "GDS", "schema", "encoder", "indexes"]


def test_looking_changes_nothing(db: Database, server: ServerAddress) -> None:
    before = db.graph_version()
    look(server.uri, server.password)
    assert db.graph_version() == before


# --- login and database ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
def test_a_wrong_password_is_tried_once(server: ServerAddress, scheme: str) -> None:
    with Database.open(server.uri, (server.username, server.password)):
        pass  # a good login sets the server's count of failures back
    uri = f"{scheme}://127.0.0.1:{port_of(server)}"
    for _ in range(2):  # the third failure would lock the account
        failed = failure(look(uri))
        assert (failed.check, "wrong user name or password" in failed.finding) == ("login", True)
    with Database.open(server.uri, (server.username, server.password)):
        pass


def test_a_locked_account_is_told_from_a_wrong_password(server: ServerAddress) -> None:
    for _ in range(3):
        look(server.uri)
    try:
        assert "locked" in failure(look(server.uri)).finding
    finally:
        time.sleep(6)  # the lock is for five seconds
    with Database.open(server.uri, (server.username, server.password)):
        pass


def test_a_missing_password_is_named_before_any_login(server: ServerAddress) -> None:
    failed = failure(examine(uri=server.uri))
    assert (failed.check, failed.remedy) == ("login", "set NEO4J_PASSWORD")


@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
def test_a_missing_database_is_named_with_those_that_exist(server: ServerAddress, scheme: str) -> None:
    uri = f"{scheme}://127.0.0.1:{port_of(server)}"
    failed = failure(look(uri, server.password, database="nowhere"))
    assert "no database nowhere" in failed.finding
    assert failed.remedy == "set NEO4J_DATABASE to one of: neo4j"


def test_an_old_server_is_named(server: ServerAddress, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boundary, "_OLDEST_SERVER", (9999, 1))
    failed = failure(look(server.uri, server.password))
    assert "answers" in failed.finding
    assert "9999.1 or newer" in failed.remedy


# --- addresses ------------------------------------------------------------------------------------------------------


def closed_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


@contextmanager
def silent() -> Iterator[int]:
    """A port that accepts connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0), backlog=16) as listening:
        yield listening.getsockname()[1]


@contextmanager
def dropping() -> Iterator[int]:
    """A port whose queue is full: the kernel drops what comes, as a firewall does."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(0)
        waiting = [socket.socket() for _ in range(4)]
        for connection in waiting:
            connection.setblocking(False)
            connection.connect_ex(listening.getsockname())
        time.sleep(0.2)
        yield listening.getsockname()[1]
        for connection in waiting:
            connection.close()


def test_a_closed_port_is_named() -> None:
    failed = failure(look(f"bolt://127.0.0.1:{closed_port()}"))
    assert (failed.check, "nothing listens" in failed.finding) == ("port", True)


@pytest.mark.parametrize("scheme", ["bolt", "neo4j", "bolt+s", "neo4j+ssc"])
def test_a_firewall_that_drops_is_named_within_bounds(scheme: str) -> None:
    with dropping() as port:
        start = time.monotonic()
        failed = failure(look(f"{scheme}://127.0.0.1:{port}", seconds=1))
        assert time.monotonic() - start < 4
    assert (failed.check, "firewall" in failed.finding) == ("port", True)


@pytest.mark.parametrize("scheme", ["bolt", "neo4j", "bolt+s", "neo4j+ssc"])
def test_a_port_that_never_answers_is_named_within_bounds(scheme: str) -> None:
    with silent() as port:
        start = time.monotonic()
        failed = failure(look(f"{scheme}://127.0.0.1:{port}", seconds=1))
        assert time.monotonic() - start < 8
    assert "says nothing" in failed.finding


def test_a_server_that_hangs_is_named(server: ServerAddress) -> None:
    (process,) = {c.pid for c in psutil.net_connections() if c.laddr and c.laddr.port == port_of(server) and c.pid} - {
        os.getpid()
    }
    psutil.Process(process).suspend()
    try:
        assert "hangs" in failure(look(server.uri, server.password, seconds=2)).finding
    finally:
        psutil.Process(process).resume()


@pytest.mark.parametrize(
    ("uri", "finding", "remedy"),
    [
        ("bolt://no-such-host.invalid", "no-such-host.invalid is not known", "NEO4J_URI"),
        ("http://localhost:7474", "no Bolt address", "neo4j://"),
        ("localhost:7687", "no Bolt address", "bolt://"),
        ("bolt://localhost:76870", "Port out of range", "7687"),
        ("bolt://", "names no host", "bolt://localhost:7687"),
        (f"bolt://neo4j:{SECRET}@localhost", "holds a user name or password", "NEO4J_PASSWORD"),
    ],
)
def test_an_unusable_address_is_named(uri: str, finding: str, remedy: str) -> None:
    failed = failure(look(uri))
    assert (failed.check, finding in failed.finding, remedy in failed.remedy) == ("address", True, True)


@pytest.mark.parametrize("scheme", ["bolt", "neo4j+s"])
def test_the_http_port_is_told_from_the_bolt_port(server: ServerAddress, scheme: str) -> None:
    if server.http is None:
        pytest.skip("the HTTP port of GRAPHSTORE_TEST_URI is not known")
    failed = failure(look(f"{scheme}://127.0.0.1:{server.http.rsplit(':', 1)[1]}"))
    assert "is an HTTP port" in failed.finding


def test_tls_against_a_plain_server_is_named(server: ServerAddress) -> None:
    failed = failure(look(f"neo4j+s://127.0.0.1:{port_of(server)}"))
    assert (failed.check, failed.remedy) == ("TLS", "use neo4j:// in NEO4J_URI")


def test_every_command_names_the_cause_in_one_line(server: ServerAddress) -> None:
    for uri, words in [
        (f"bolt+s://127.0.0.1:{port_of(server)}", "without TLS; use bolt://"),
        (f"neo4j://127.0.0.1:{closed_port()}", "nothing listens"),
        ("neo4j://no-such-host.invalid", "is not known"),
        (f"bolt://neo4j:{SECRET}@localhost", "take it out of NEO4J_URI"),
    ]:
        with pytest.raises(ConnectError) as caught:
            Database.open(uri, ("neo4j", SECRET), timeout=1)
        assert words in str(caught.value)
        assert SECRET not in str(caught.value)


# --- a server of another make: TLS only, self-signed, without GDS ----------------------------------------------------


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, str]]:
    """Its Bolt port and its password."""
    place = Home(tmp_path_factory.mktemp("odd"))
    place.create()
    password = place.secure()
    ports = choose_ports(None)
    folder = place.root / "certificates" / "bolt"
    folder.mkdir(parents=True)
    make = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1"
    try:
        subprocess.run(
            [*make.split(), "-keyout", "private.key", "-out", "public.crt"], cwd=folder, check=True, capture_output=True
        )
    except FileNotFoundError:
        pytest.skip("no openssl to make a certificate with")
    lines = [line for line in configuration(ports).splitlines() if "procedures" not in line]
    lines += [
        "server.bolt.tls_level=REQUIRED",
        "dbms.ssl.policy.bolt.enabled=true",
        f"dbms.ssl.policy.bolt.base_directory={folder}",
        "dbms.ssl.policy.bolt.client_auth=NONE",
    ]
    (place.conf / "neo4j.conf").write_text("\n".join(lines))
    settings = Settings.load()
    lock = load_lock(settings.line)
    jars = [jar for jar in fetch(lock, settings.cache, maven=settings.maven) if "gds" not in jar.as_posix()]
    arguments = command(place, lock, jars, find_java(lock.java, settings.java_home), "512m")
    with place.console.open("wb") as console:
        child = subprocess.Popen(arguments, stdout=console, stderr=console, stdin=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 120
        while "Started." not in place.console.read_text("utf-8"):
            assert child.poll() is None, place.console.read_text("utf-8")
            assert time.monotonic() < deadline
            time.sleep(0.2)
        assert not speaks_bolt(ports.bolt)
        yield ports.bolt, password
    finally:
        child.terminate()
        child.wait(60)


def test_plain_against_a_tls_server_is_named(odd: tuple[int, str]) -> None:
    failed = failure(look(f"neo4j://127.0.0.1:{odd[0]}"))
    assert (failed.check, "TLS connections only" in failed.finding) == ("TLS", True)
    assert "neo4j+s://" in failed.remedy


def test_a_self_signed_certificate_is_named(odd: tuple[int, str]) -> None:
    failed = failure(look(f"bolt+s://127.0.0.1:{odd[0]}"))
    assert (failed.check, "self-signed" in failed.finding) == ("TLS", True)
    assert "bolt+ssc://" in failed.remedy


def test_a_server_without_gds_is_a_warning(odd: tuple[int, str]) -> None:
    report = look(f"bolt+ssc://127.0.0.1:{odd[0]}", odd[1])
    assert report.healthy
    found = named(report, "GDS")
    assert (found.status, "no Graph Data Science" in found.finding) == ("warn", True)
    assert "no graphstore schema yet" in named(report, "schema").finding


# --- what the store holds -------------------------------------------------------------------------------------------


def test_another_encoders_store_is_named(db: Database, server: ServerAddress) -> None:
    meta = {"store": "x", "schema_version": schema.SCHEMA_VERSION}
    db.write(("schema/meta", {**meta, "encoder": "other", "dimensions": 768}))
    report = look(server.uri, server.password)
    assert "other (768 dimensions)" in named(report, "encoder").finding
    assert "graphstore reindex" in named(report, "encoder").remedy
    assert named(report, "indexes").status == "fail"


def test_a_newer_schema_is_named(db: Database, server: ServerAddress) -> None:
    meta = {"store": "x", "encoder": "all-MiniLM-L6-v2-int8", "dimensions": 384}
    db.write(("schema/meta", {**meta, "schema_version": 99}))
    assert failure(look(server.uri, server.password)).remedy == "update graphstore"


def test_a_missing_index_is_named(db: Database, server: ServerAddress) -> None:
    list(db.run("DROP INDEX vector_tool", write=True))
    try:
        assert "vector_tool missing" in failure(look(server.uri, server.password)).finding
    finally:
        db.define("schema/vector_tool", dimensions=384)
        schema.await_indexes(db)


def test_an_encoder_that_cannot_be_loaded_is_named(db: Database, server: ServerAddress) -> None:
    failed = failure(look(server.uri, server.password, encoder="no-such-model"))
    assert (failed.check, "GRAPHSTORE_ENCODER" in failed.remedy) == ("encoder", True)


# --- the command ----------------------------------------------------------------------------------------------------


def test_the_command_prints_one_screen_and_exits_by_the_worst(
    db: Database, server: ServerAddress, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEO4J_PASSWORD", server.password)
    monkeypatch.setenv("NEO4J_URI", server.uri)
    assert run(["doctor"]) == 0
    out, err = capfd.readouterr()
    assert (len(out.splitlines()) <= 24, err) == (True, "")
    assert f"uri={server.uri}, from NEO4J_URI" in out
    assert run(["doctor", "--uri", f"bolt://127.0.0.1:{closed_port()}", "--json"]) == 1
    out, err = capfd.readouterr()
    report = json.loads(out)
    assert (report["ok"], report["checks"][-1]["status"]) == (False, "fail")
    assert {"name": "password", "value": "***", "source": "NEO4J_PASSWORD"} in report["settings"]
    assert server.password not in out + err
