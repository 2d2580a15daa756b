"""What `doctor` says of an embedded server's Java, jars, home and disk, without starting anything."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path

import psutil
import pytest

from graphstore.findings import Diagnosis
from graphstore.server import survey as module
from graphstore.server.home import Home, Running
from graphstore.server.lock import load_lock
from graphstore.server.survey import survey
from graphstore.settings import Settings

LOCK = load_lock("current")


def look(home: Path, cache: Path | None = None) -> dict[str, Diagnosis]:
    return {d.check: d for d in survey(Settings(home=home, cache=cache or home.parent / "cache"))}


def record(place: Home, pid: int, created: float, bolt: int = 1) -> None:
    place.record.write_text(json.dumps(asdict(Running(pid, created, bolt, 2, False, "2026.01.4"))))


@pytest.fixture
def place(tmp_path: Path) -> Home:
    place = Home(tmp_path / "home")
    place.create()
    place.secure()
    return place


def test_looking_at_a_new_home_makes_nothing(tmp_path: Path) -> None:
    found = look(tmp_path / "home")
    assert "not made yet" in found["home"].finding
    assert list(tmp_path.iterdir()) == []


def test_a_home_that_cannot_be_made_is_a_failure(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    found = look(tmp_path / "file" / "home")["home"]
    assert (found.status, "GRAPHSTORE_HOME" in found.remedy) == ("fail", True)


def test_a_home_that_cannot_be_written_is_a_failure(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o500)
    if os.access(home, os.W_OK):
        home = Path("/proc/self")  # the superuser may write everywhere else
        if os.access(home, os.W_OK):
            pytest.skip("every folder can be written here")
    assert "cannot be written" in look(home, tmp_path)["home"].finding


def test_a_home_at_rest_is_well(place: Home) -> None:
    found = look(place.root)
    assert (found["home"].status, found["server"].status) == ("ok", "ok")
    assert "down" in found["server"].finding
    password = place.read_password()
    assert password
    assert password not in str(found)


def test_a_password_that_others_may_read_is_a_warning(place: Home) -> None:
    place.password.chmod(0o644)
    assert (look(place.root)["home"].status, "chmod 600" in look(place.root)["home"].remedy) == ("warn", True)


def test_a_lost_password_is_a_failure(place: Home) -> None:
    (place.data / "databases").mkdir(parents=True)
    place.password.unlink()
    assert (look(place.root)["home"].status, "reset" in look(place.root)["home"].remedy) == ("fail", True)


def test_the_record_of_an_ended_process_is_told(place: Home) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as child:
        created = psutil.Process(child.pid).create_time()
    record(place, child.pid, created)
    assert (look(place.root)["server"].status, "ended" in look(place.root)["server"].finding) == ("ok", True)


def test_a_recycled_process_number_is_not_taken_for_the_server(place: Home) -> None:
    record(place, os.getpid(), 1.0)
    found = look(place.root)["server"]
    assert (found.status, "another process's" in found.finding) == ("ok", True)


def test_a_process_that_does_not_answer_is_a_failure(place: Home) -> None:
    record(place, os.getpid(), psutil.Process().create_time())
    found = look(place.root)["server"]
    assert (found.status, "does not answer" in found.finding, "graphstore down" in found.remedy) == ("fail", True, True)


def test_an_unreadable_record_is_a_warning(place: Home) -> None:
    place.record.write_text("{broken")
    assert look(place.root)["server"].status == "warn"


def test_missing_and_damaged_jars_are_counted(tmp_path: Path) -> None:
    first = tmp_path / "jars" / LOCK.files[0].path
    first.parent.mkdir(parents=True)
    first.write_bytes(b"\0" * LOCK.files[0].size)
    found = look(tmp_path / "home", tmp_path)["jars"]
    assert (found.status, "graphstore up" in found.remedy) == ("warn", True)
    assert f"0 of {len(LOCK.files)} files" in found.finding
    assert "1 damaged" in found.finding


def test_a_java_that_is_too_old_is_a_failure() -> None:
    found = module._java(replace(LOCK, java=99), None)
    assert (found.status, "needs Java 99" in found.finding, "JAVA_HOME" in found.remedy) == ("fail", True, True)


def test_little_disk_space_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_LITTLE_SPACE", float("inf"))
    assert look(tmp_path)["disk"].status == "warn"
    monkeypatch.setattr(module, "_NO_SPACE", float("inf"))
    assert (look(tmp_path)["disk"].status, "GRAPHSTORE_HOME" in look(tmp_path)["disk"].remedy) == ("fail", True)
