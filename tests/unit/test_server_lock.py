import json

import pytest

from graphstore.errors import ServerError
from graphstore.server.lock import LockedFile, load_lock, parse_lock

HASH = "0" * 64


def lock_text(**entry):
    file = {"coordinate": "org.example:thing:1.0", "sha256": HASH, "size": 3, **entry}
    return json.dumps({"neo4j": "1", "gds": "2", "entry_point": "org.example.Main", "java": 21, "files": [file]})


def test_a_coordinate_is_laid_out_like_a_maven_repository():
    assert str(LockedFile("io.netty:epoll:4.2:linux-x86_64", HASH, 1).path) == (
        "io/netty/epoll/4.2/epoll-4.2-linux-x86_64.jar"
    )
    assert str(LockedFile("io.netty:epoll:4.2", HASH, 1).path) == "io/netty/epoll/4.2/epoll-4.2.jar"


@pytest.mark.parametrize("line", ["current", "lts"])
def test_each_line_is_locked_with_gds_browser_and_no_file_twice(line):
    lock = load_lock(line)
    names = {file.coordinate.rsplit(":", 1)[0] for file in lock.files}
    assert {"org.neo4j:neo4j", "org.neo4j.gds:opengds-extension", "org.neo4j.client:neo4j-browser"} <= names
    assert len({file.path for file in lock.files}) == len(lock.files)
    plugins = [file.coordinate for file in lock.files if file.plugin]
    assert plugins
    assert all(coordinate.startswith("org.neo4j.gds:") for coordinate in plugins)


def test_no_test_library_is_locked():
    assert not [file for file in load_lock().files if "mockito" in file.coordinate or "junit" in file.coordinate]


@pytest.mark.parametrize(
    "entry",
    [
        {"coordinate": "org.example:../../../etc:1.0"},
        {"coordinate": "org.example:thing:/etc"},
        {"coordinate": "org.example:thing"},
        {"coordinate": "org.example::1.0"},
        {"sha256": "abc"},
        {"size": 0},
    ],
)
def test_a_damaged_entry_is_named(entry):
    with pytest.raises(ServerError, match=r"test\.json is damaged at"):
        parse_lock(lock_text(**entry), "test.json")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"neo4j": "1", "files": 3}'])
def test_what_is_no_lock_is_refused_in_one_line(text):
    with pytest.raises(ServerError, match=r"test\.json is not a server lock") as caught:
        parse_lock(text, "test.json")
    assert "\n" not in str(caught.value)


def test_an_unknown_line_names_the_known_ones():
    with pytest.raises(ServerError, match="current, lts"):
        load_lock("newest")
