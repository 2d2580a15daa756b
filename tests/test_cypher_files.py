"""Every statement of cypher/: well documented, in use, and planned by the real server."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from graphstore import queries
from graphstore.db import Database

ROOT = Path(__file__).parents[1]
NAMES = queries.names()
# A header says `$rows: LIST<MAP>, …`: what EXPLAIN needs to know of a parameter is that it has a value.
SAMPLES: dict[str, Any] = {"LIST": [], "MAP": {}, "INTEGER": 1, "FLOAT": 0.5, "BOOLEAN": False, "STRING": "x"}
DIALECT = re.compile(r"^\s*CYPHER\s+\d+", re.MULTILINE)


def test_files_on_disk_are_the_files_installed():
    on_disk = {p.relative_to(ROOT / "cypher").with_suffix("").as_posix() for p in ROOT.glob("cypher/*/*.cypher")}
    assert set(NAMES) == on_disk
    assert [p for p in ROOT.glob("cypher/**/*.cypher") if len(p.relative_to(ROOT).parts) != 3] == []


@pytest.mark.parametrize("name", NAMES)
def test_header_declares_what_the_statement_uses(name: str):
    query = queries.load(name)  # raises when declared and used parameters differ
    assert len(query.purpose.split()) >= 3
    assert not query.text.rstrip().endswith(";")
    assert not DIALECT.search(query.text), "both server lines read it: no dialect switch"


@pytest.mark.parametrize("name", NAMES)
def test_returned_columns_are_declared(name: str):
    query = queries.load(name)
    if not query.columns:
        return
    statement = "\n".join(line for line in query.text.splitlines() if not line.startswith("//"))
    assert {c for c in query.columns if not re.search(rf"\b{c}\b", statement)} == set()


@cache
def mentions() -> list[tuple[set[str], list[str]]]:
    """Of each package module: its string constants, and its f-strings as patterns whose gaps are such constants."""
    found = []
    for path in [*ROOT.glob("graphstore/**/*.py"), *ROOT.glob("loaders/**/*.py")]:
        nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
        words = {n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)}
        patterns = [
            "".join(re.escape(str(p.value)) if isinstance(p, ast.Constant) else "(.+)" for p in node.values)
            for node in nodes
            if isinstance(node, ast.JoinedStr)
        ]
        found.append((words, patterns))
    return found


def is_mentioned(name: str, words: set[str], patterns: list[str]) -> bool:
    if name in words:
        return True
    filled = (match.groups() for pattern in patterns if (match := re.fullmatch(pattern, name)))
    return any(set(gaps) <= words for gaps in filled)


@pytest.mark.parametrize("name", [n for n in NAMES if not n.startswith("console/")])
def test_statement_is_used(name: str):
    assert any(is_mentioned(name, words, patterns) for words, patterns in mentions())


def sample(declaration: str) -> Any:
    kind = re.split(r"[^A-Z]", declaration.strip(), maxsplit=1)[0]
    return SAMPLES.get(kind)


@pytest.mark.parametrize("name", NAMES)
def test_the_server_plans_the_statement(connection: Database, name: str):
    query = queries.load(name)
    declared = dict(re.findall(r"^//\s+\$(\w+):(.*)$", query.text, re.MULTILINE))
    parameters = {key: sample(declared[key]) for key in query.parameters}
    # account statements run on the system database
    database = "system" if re.search(r"^ALTER CURRENT USER", query.text, re.MULTILINE) else connection.database
    with connection.driver.session(database=database) as session:
        session.run(f"EXPLAIN\n{query.text}", parameters).consume()  # type: ignore[arg-type]
