"""Neo4j Browser: its address, and the files that it imports."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from graphstore import queries
from graphstore.browser import links
from graphstore.browser.export import ARCHIVE, PARAMETERS, STYLE, export, parameters_command, saved_queries
from graphstore.errors import ConnectError, SettingsError

LABELS = {"Tool", "Task", "Stage", "ToolPath", "Entity", "EntityType", "Document", "Chunk"}


def test_address_carries_server_user_and_database_but_no_password():
    url = links.browser_url("http://127.0.0.1:7474/", "neo4j+s://db.example:7687", username="a@b", database="x&y")
    parts = urlsplit(url)
    assert (parts.netloc, parts.path) == ("127.0.0.1:7474", "/browser/")
    assert parse_qs(parts.query) == {"dbms": ["neo4j+s://a%40b@db.example:7687"], "db": ["x&y"]}


def test_aura_is_sent_to_its_console():
    assert links.remote_browser("neo4j+s://1234.databases.neo4j.io", username="neo4j") == links.AURA_CONSOLE


@pytest.mark.parametrize(
    ("bolt", "page"),
    [
        ("bolt://db.example:7687", "http://db.example:7474"),
        ("neo4j+s://db.example", "https://db.example:7473"),
        ("bolt://[::1]:7687", "http://[::1]:7474"),
    ],
)
def test_other_servers_are_looked_for_at_the_usual_port(monkeypatch: pytest.MonkeyPatch, bolt: str, page: str):
    monkeypatch.setattr(links, "_answers", lambda http: http == page)
    assert links.remote_browser(bolt, username="neo4j").startswith(f"{page}/browser/?dbms=")


def test_server_without_a_browser_is_named(monkeypatch: pytest.MonkeyPatch):
    with pytest.raises(ConnectError, match="no Neo4j Browser answers"):
        links.remote_browser("bolt://127.0.0.1:1", username="neo4j")


def test_address_of_something_else_is_refused():
    with pytest.raises(SettingsError, match="NEO4J_URI"):
        links.remote_browser("https://db.example", username="neo4j")


def test_saved_query_is_called_by_its_first_line_and_runs_as_it_is():
    for name, text in saved_queries().items():
        first, _, rest = text.partition("\n")
        assert first.startswith("// ")
        assert rest == queries.load(f"console/{Path(name).stem}").text


def test_every_parameter_of_a_saved_query_gets_a_value():
    used = {p for name in saved_queries() for p in queries.load(f"console/{Path(name).stem}").parameters}
    chosen = re.search(r":param \[\{(.*?)\}\] => \{", parameters_command())
    assert chosen
    assert set(chosen[1].split(", ")) - {""} == used, "add the missing one to retrieve/example_parameters"


def test_export_is_what_browser_imports(tmp_path: Path):
    files = export(tmp_path / "new")
    assert [path.name for path in files[:2]] == [STYLE, ARCHIVE]
    assert all(path.is_file() for path in files)
    with zipfile.ZipFile(files[1]) as packed:
        assert packed.namelist() == [f"graphstore/{name}" for name in [*saved_queries(), PARAMETERS]]


def test_export_twice_is_the_same(tmp_path: Path):
    before = {path: path.read_bytes() for path in export(tmp_path)}
    assert {path: path.read_bytes() for path in export(tmp_path)} == before


def test_style_sheet_names_every_label_and_holds_no_comment(tmp_path: Path):
    text = export(tmp_path)[0].read_text("utf-8")
    assert set(re.findall(r"^node\.(\w+) \{", text, re.MULTILINE)) == LABELS
    assert "/*" not in text  # Browser takes a comment for part of the next selector
    assert text.count("{\n") == text.count("\n}")
