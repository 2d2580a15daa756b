from pathlib import Path

import pytest

from graphstore.server import aot
from graphstore.server.java import Java

DONE = "AOTCache creation is complete: /x 1 bytes\n"


@pytest.fixture
def java(tmp_path):
    (tmp_path / "java").write_text("")
    return Java(tmp_path / "java", 25)


@pytest.fixture
def run(tmp_path):
    """The archive that a run wrote, and its console."""
    training, console = tmp_path / "aot" / "0123.abc.part", tmp_path / "console.log"
    training.parent.mkdir()
    training.write_bytes(b"classes")
    training.with_name(training.name + ".config").write_bytes(b"")
    return training, console


def test_java_before_25_has_no_archive(java, tmp_path):
    assert aot.archive_path(tmp_path, Java(java.executable, 24), []) is None
    assert aot.options(None, None) == []


def test_other_jars_have_another_archive(java, tmp_path):
    one, two = (aot.archive_path(tmp_path, java, [Path(name)]) for name in ("/a.jar", "/b.jar"))
    assert one != two
    assert one == aot.archive_path(tmp_path, java, [Path("/a.jar")])


def test_a_run_that_ended_well_leaves_its_archive(run):
    training, console = run
    console.write_text(DONE)
    assert aot.adopt(training, console)
    assert [path.name for path in training.parent.iterdir()] == ["0123.aot"]


def test_an_archive_cut_short_is_thrown_away(run):
    training, console = run
    console.write_text("killed")
    assert not aot.adopt(training, console)
    assert list(training.parent.iterdir()) == []


def test_a_refused_archive_is_made_anew(run):
    training, console = run
    console.write_text(DONE)
    aot.adopt(training, console)
    archive = training.with_name("0123.aot")
    console.write_text("Started.")
    aot.discard_if_refused(archive, console)
    assert archive.exists()
    console.write_text("[error][aot] Unable to map shared spaces")
    aot.discard_if_refused(archive, console)
    assert not archive.exists()
