"""The embedded server as a process: one a home, private, found again, and clear when it fails."""

import os
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time
import urllib.request

import psutil
import pytest
from click.testing import CliRunner

from graphstore.cli import cli
from graphstore.db import Database
from graphstore.errors import AuthError, QueryError, ServerError
from graphstore.server import ServerAddress, ensure_running, reset, scratch_server, status, stop
from graphstore.server.home import PROCEDURES
from graphstore.settings import Settings

STARTER = """
import sys
from pathlib import Path
from graphstore.server import ensure_running
from graphstore.settings import Settings
s = Settings.load()
a = ensure_running(Path(sys.argv[1]), cache=s.cache, heap="512m", line=s.line, java_home=s.java_home, maven=s.maven)
print(a.uri, a.password)
"""


def started(home, **options) -> ServerAddress:
    settings = Settings.load()
    values = {"heap": "512m", **options}
    return ensure_running(
        home,
        cache=settings.cache,
        line=settings.line,
        java_home=settings.java_home,
        maven=settings.maven,
        **values,
    )


def opened(address: ServerAddress) -> Database:
    return Database.open(address.uri, (address.username, address.password))


def rows(address: ServerAddress, statement: str, *, write: bool = False):
    with opened(address) as database:
        records, _, _ = database.driver.execute_query(statement, routing_="w" if write else "r")
        return [record.data() for record in records]


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("embedded") / "home"
    yield folder
    reset(folder)


@pytest.fixture
def address(home):
    return started(home)


def test_two_processes_at_once_get_one_server(home):
    starters = [
        subprocess.Popen(
            [sys.executable, "-c", STARTER, home], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    outputs = [starter.communicate(timeout=300) for starter in starters]
    assert [starter.returncode for starter in starters] == [0, 0], outputs
    assert outputs[0][0] == outputs[1][0]
    servers = [p for p in psutil.process_iter(["cmdline"]) if f"--home-dir={home}" in (p.info["cmdline"] or [])]
    assert len(servers) == 1
    assert servers[0].pid == status(home).pid


def test_it_outlives_the_process_that_started_it_and_is_found_at_once(home, address):
    pid = status(home).pid
    began = time.monotonic()
    assert started(home) == address
    assert time.monotonic() - began < 1
    assert status(home).pid == pid


def test_reset_says_what_it_would_delete_and_asks_first(home, address, monkeypatch):
    monkeypatch.setenv("NEO4J_URI", address.uri)  # the very server that it deletes
    asked = CliRunner().invoke(cli, ["reset", "--home", str(home)], input="n\n")
    assert f"Delete the store in {home} with 0 tools, 0 tasks, 0 documents, 0 entities?" in asked.output
    assert asked.exit_code == 1
    assert rows(address, "RETURN 1 AS one") == [{"one": 1}]


def test_gds_runs_and_nothing_of_it_is_there_but_what_is_used(address):
    assert rows(address, "RETURN gds.version() AS version")[0]["version"][0] == "2"
    names = {row["name"] for row in rows(address, "SHOW PROCEDURES YIELD name WHERE name STARTS WITH 'gds.'")}
    assert names
    assert names <= set(PROCEDURES)


def test_browser_is_served(address):
    deadline = time.monotonic() + 60
    while True:
        try:
            with urllib.request.urlopen(f"{address.http}/browser/") as page:
                assert page.status == 200
                return
        except OSError:  # HTTP follows Bolt by a second or two
            assert time.monotonic() < deadline
            time.sleep(0.2)


def test_neo4js_initial_password_is_refused(address):
    with pytest.raises(AuthError):
        Database.open(address.uri, ("neo4j", "neo4j"))


def test_the_password_is_in_its_file_and_nowhere_else(home, address):
    assert stat.S_IMODE((home / "password").stat().st_mode) == 0o600
    assert (home / "password").read_text() == address.password
    assert address.password not in repr(address)
    process = psutil.Process(status(home).pid)
    assert address.password not in " ".join(process.cmdline())
    assert address.password not in "".join(process.environ().values())
    secret = address.password.encode()
    holders = {path.name for path in home.rglob("*") if path.is_file() and secret in path.read_bytes()}
    assert holders == {"password"}


@pytest.mark.parametrize("target", ["{home}/password", "/password", "/../password", "/etc/passwd"])
def test_load_csv_cannot_read_a_file(home, address, target):
    url = "file://" + target.format(home=home)
    with opened(address) as database, pytest.raises(QueryError, match="allow_csv_import_from_file_urls"):
        list(database.run(f"LOAD CSV FROM '{url}' AS line RETURN line", write=True))


def test_it_listens_on_loopback_only(home, address):
    listening = [c for c in psutil.Process(status(home).pid).net_connections("inet") if c.status == psutil.CONN_LISTEN]
    assert listening
    assert {c.laddr.ip.removeprefix("::ffff:") for c in listening} <= {"127.0.0.1", "::1"}


def test_a_killed_server_is_started_again_with_its_data_on_other_ports_if_its_own_are_taken(home, address):
    rows(address, "MERGE (:Kept {id: 1})", write=True)
    old = status(home)
    os.kill(old.pid, signal.SIGKILL)
    psutil.wait_procs([psutil.Process(old.pid)] if psutil.pid_exists(old.pid) else [], timeout=30)
    assert not status(home).running
    port = int(address.uri.rsplit(":", 1)[1])
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", port))
        other.listen()
        again = started(home)
    assert again.uri != address.uri
    assert again.password == address.password
    assert rows(again, "MATCH (k:Kept) RETURN k.id AS id") == [{"id": 1}]


def test_read_only_refuses_every_write_and_writing_comes_back(home, address):
    rows(address, "MERGE (:Kept {id: 1})", write=True)
    reader = started(home, read_only=True)
    assert status(home).read_only
    assert started(home) == reader  # who does not ask takes it as it is
    assert rows(reader, "MATCH (k:Kept) RETURN k.id AS id") == [{"id": 1}]
    with opened(reader) as database, pytest.raises(Exception, match=r"(?i)read.only"):
        database.driver.execute_query("CREATE (:Forbidden)")
    with opened(reader) as database, pytest.raises(QueryError, match=r"read-only, nothing was written.*graphstore up"):
        database.write()
    assert stop(home)
    assert not stop(home)


def test_a_server_that_dies_is_reported_with_its_last_words(tmp_path):
    with pytest.raises(ServerError, match=r"died at its start: .*heap") as caught:
        started(tmp_path / "home", heap="1m")
    assert "\n" not in str(caught.value)
    assert "console.log" in str(caught.value)
    assert not status(tmp_path / "home").running


def test_a_scratch_server_leaves_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with scratch_server() as address:
        assert rows(address, "RETURN 1 AS one") == [{"one": 1}]
        assert list(tmp_path.glob("graphstore-*/password"))
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", int(address.uri.rsplit(":", 1)[1])), timeout=2)
