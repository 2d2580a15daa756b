"""What the console makes of typed text: where statements end, and what could follow."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from graphstore.console.completion import candidates, quoted
from graphstore.console.plans import plan_table
from graphstore.console.script import complete, finished, split
from graphstore.console.vocabulary import Vocabulary

NAMES = Vocabulary(
    labels=("Tool", "ToolPath", "odd label"),
    types=("NEXT", "SIMILAR"),
    properties=("name", "number"),
    functions=("count", "coalesce", "gds.util.asNode"),
    procedures=("db.labels", "gds.pageRank.stream"),
)


@pytest.mark.parametrize(
    ("text", "items", "rest"),
    [
        ("RETURN 1; RETURN 2;", ["RETURN 1", "RETURN 2"], ""),
        ("RETURN ';' AS a, \";\" AS b, `;`; ", ["RETURN ';' AS a, \";\" AS b, `;`"], ""),
        ("RETURN 'it\\'s;' AS a;", ["RETURN 'it\\'s;' AS a"], ""),
        ("// one; two\nRETURN 1 /* ; */;", ["RETURN 1 /* ; */"], ""),
        ("MATCH (n)\n\nRETURN n", [], "MATCH (n)\n\nRETURN n"),
        ("RETURN 'open;", [], "RETURN 'open;"),
        (":help\nRETURN 1;", [":help", "RETURN 1"], ""),
        ("// about\n:help;\n", [":help"], ""),
        (":params q=it's\n:quit\n", [":params q=it's", ":quit"], ""),
        (":explain MATCH (n)\nRETURN n;", [":explain MATCH (n)\nRETURN n"], ""),
        (":export csv 'my rows.csv'\n:explain\n", [":export csv 'my rows.csv'", ":explain"], ""),
        (":export csv rows.csv RETURN\n1;", [":export csv rows.csv RETURN\n1"], ""),
        (":write\n", [":write"], ""),
        (" ;;\n ; ", [], ""),
        (";\n1", [], "1"),
        ("// of a\nRETURN 1;// of b\nRETURN 2", ["RETURN 1"], "RETURN 2"),
        ("/* nothing */ ;\nRETURN 1;", ["RETURN 1"], ""),
        ("// only a comment", [], ""),
    ],
)
def test_a_statement_ends_with_a_semicolon_and_a_command_with_its_line(text: str, items: list[str], rest: str) -> None:
    assert split(text) == (items, rest)


@given(st.text(alphabet="R1;'\"`/*\n: e", max_size=40))
@example(";\n1")
@example("/**/;\n1")
def test_text_that_comes_in_parts_is_split_like_the_whole(text: str) -> None:
    # lines are what comes
    parts = text.splitlines(keepends=True)
    items, pending = [], ""
    for part in parts:
        found, pending = split(pending + part)
        items += found
    assert items + finished(pending) == finished(text)


@pytest.mark.parametrize(
    "text", ["RETURN 1;", ":help", "MATCH (n)\nRETURN n\n", "", "// nothing", ":explain RETURN 1;"]
)
def test_enter_runs_what_is_complete(text: str) -> None:
    assert complete(text)


@pytest.mark.parametrize("text", ["MATCH (n)", "RETURN ';", ":explain MATCH (n)", "RETURN 1 /* ;"])
def test_enter_goes_on_to_the_next_line_otherwise(text: str) -> None:
    assert not complete(text)


@pytest.mark.parametrize(
    ("before", "offered"),
    [
        ("MATCH (t:To", {"Tool", "ToolPath"}),
        ("MATCH (:", {"Tool", "ToolPath", "`odd label`"}),
        ("MATCH (a:Tool)-[:", {"NEXT", "SIMILAR"}),
        ("MATCH (a)-[n:NEXT|s", {"SIMILAR"}),
        ("MATCH (a) WHERE a.n", {"name", "number"}),
        ("MATCH (a) WHERE a:To", {"Tool", "ToolPath"}),
        ("MATCH (a {na", {"name"}),
        ("MATCH (a:Tool {name: 'x', nu", {"number"}),
        ("MATCH (a {name: coun", {"count"}),
        ("CALL gds.", {"gds.pageRank.stream"}),
        ("call DB.", {"db.labels"}),
        ("RETURN gds.util.a", {"gds.util.asNode"}),
        ("RETURN $q", {"query"}),
        ("RETURN co", {"count", "coalesce", "CONTAINS"}),
        ("RETURN 'a:To", set()),
        ("// MATCH (t:To", set()),
        ("RETURN 'it\\'s' AS x, cou", {"count"}),
        ("MATCH (a:`odd label`:To", {"Tool", "ToolPath"}),
    ],
)
def test_what_could_follow_is_offered(before: str, offered: set[str]) -> None:
    assert {candidate.text for candidate in candidates(before, NAMES, ["query"])} == offered


def test_an_odd_name_is_quoted() -> None:
    assert (quoted("a`b"), quoted("工具"), quoted("Tool")) == ("`a``b`", "工具", "Tool")


def test_a_plan_is_printed_from_the_last_step_down() -> None:
    leaf = {"operatorType": "AllNodesScan@neo4j", "args": {"Details": "n", "EstimatedRows": 10.2}}
    join = {"operatorType": "Apply@neo4j", "args": {}, "children": [leaf, leaf]}
    columns, rows = plan_table({"operatorType": "ProduceResults@neo4j", "args": {"Rows": 3}, "children": [join]})
    assert columns == ("operator", "details", "estimated rows", "rows", "db hits")
    assert [row[0] for row in rows] == ["ProduceResults", "Apply", "| AllNodesScan", "AllNodesScan"]
    assert rows[3] == ["AllNodesScan", "n", 10, None, None]
