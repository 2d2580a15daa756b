"""Pictures of the graph as one reader may see it, and the commands that lead to them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from graphstore import GraphStore
from graphstore.cli import run
from graphstore.db import Database
from graphstore.errors import NotFound
from graphstore.settings import Settings

if TYPE_CHECKING:
    from graphstore.encoders import Encoder
    from graphstore.server import ServerAddress


@pytest.fixture
def store(db: Database, encoder: Encoder, tmp_path: Path) -> GraphStore:
    """Three tools of one run; two open documents and one that only legal may read, all on Project Heron."""
    store = GraphStore(db, encoder, Settings(cache=tmp_path / "cache"))
    tools = [{"name": name, "description": f"{name} of a calendar"} for name in ("find_slot", "book", "invite")]
    (tmp_path / "tools.json").write_text(json.dumps(tools), "utf-8")
    store.load_tools(tmp_path / "tools.json")
    documents = [
        {"id": "a", "path": "a.md", "text": "Project Heron is led by Marta Kowalczyk. Project Heron moves to Gdansk."},
        {"id": "b", "path": "b.md", "text": "Marta Kowalczyk reports that Project Heron is late in Gdansk."},
        {"id": "c", "path": "c.md", "text": "Project Heron is sued by Kestrel Hosting Ltd.", "acl": ["legal"]},
        {"id": "d", "path": "d.md", "text": "Kestrel Hosting Ltd raises its price.", "acl": ["legal"]},
    ]
    (tmp_path / "docs.jsonl").write_text("\n".join(json.dumps(each) for each in documents), "utf-8")
    store.load_documents(tmp_path / "docs.jsonl")
    db.driver.execute_query(
        "MATCH (a:Tool {name: 'find_slot'}), (b:Tool {name: 'book'}), (c:Tool {name: 'invite'}) "
        "CREATE (a)-[:NEXT {count: 3, weight: 2.5}]->(b)-[:NEXT {count: 1, weight: 0.5}]->(c)",
        database_=db.database,
    )
    return store


def test_tool_is_drawn_between_its_neighbours(store: GraphStore):
    picture = store.picture("book")
    assert [(line.type, round(line.strength, 2)) for line in picture.lines if not line.dashed] == [
        ("NEXT", 1.0),
        ("NEXT", 0.2),
    ]
    assert {spot.caption: spot.column for spot in picture.spots if spot.note.endswith("×")} == {
        "find_slot": "left",
        "invite": "right",
    }


def test_owner_sees_every_document_and_entity(store: GraphStore):
    names = {spot.caption for spot in store.picture("Project Heron").spots}
    assert {"Project Heron", "Marta Kowalczyk", "Kestrel Hosting Ltd"} <= names


def test_reader_sees_nothing_of_hidden_documents(store: GraphStore):
    picture = store.picture("project heron", reader=["sales"])
    assert [spot.key for spot in picture.spots if spot.label == "Document"] == ["a", "b"]
    assert "Kestrel" not in picture.to_html()


def test_unknown_name_says_that_neither_exists(store: GraphStore):
    with pytest.raises(NotFound, match="no tool of this name, and no page for"):
        store.picture("nothing of the kind")


@pytest.fixture
def here(served: ServerAddress, store: GraphStore, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A working folder whose commands use the test server."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_show_writes_one_file_called_after_what_it_shows(here: Path, capsys: pytest.CaptureFixture[str]):
    assert run(["show", "Project Heron", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["file"].startswith("project-heron-")
    assert "Project Heron" in (here / answer["file"]).read_text("utf-8")


def test_show_that_cannot_write_says_where(here: Path, capsys: pytest.CaptureFixture[str]):
    assert run(["show", "book", "--out", str(here / "missing" / "x.html")]) == 1
    assert "give another --out" in capsys.readouterr().err


def test_browser_export_needs_no_server(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert run(["browser", "--export", str(tmp_path / "files"), "--uri", "bolt://127.0.0.1:1"]) == 0
    assert str(tmp_path / "files" / "graphstore.grass") in capsys.readouterr().out


def test_browser_names_the_page_and_never_the_password(
    server: ServerAddress, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr("graphstore.server.configured", lambda *_, **__: server)
    monkeypatch.delenv("NEO4J_URI", raising=False)
    if server.http is None:
        pytest.skip("the server that GRAPHSTORE_TEST_URI names has no known HTTP address")
    assert run(["browser", "--no-open", "--home", str(tmp_path), "--json"]) == 0
    told = capsys.readouterr()
    assert json.loads(told.out)["browser"].startswith(f"{server.http}/browser/?dbms=bolt%3A%2F%2Fneo4j%40127.0.0.1")
    assert json.loads(told.out)["password_file"] == str(tmp_path / "password")
    assert server.password not in told.out + told.err
