"""Rows as text: tables that fit, Chinese text, nodes and paths, and formats that machines read."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphstore.console.cells import cell, cut, width
from graphstore.console.formats import FORMATS, lines
from graphstore.console.tables import Surface

TOOL = {"id": "4:1", "labels": ["Tool"], "properties": {"runs": 3, "name": "get_document"}}
OTHER = {"id": "4:2", "labels": ["Tool"], "properties": {"name": "查询"}}
NEXT = {"id": "5:1", "type": "NEXT", "start": "4:1", "end": "4:2", "properties": {"count": 2}}
SAID = {**NEXT, "properties": {"count": 2, "weight": 0.5, "own": True, "at": "2026-03-01", "names": ["a"]}}


def drawn(columns: list[str], rows: list[list[Any]], fit: int | None = None) -> list[str]:
    return list(lines("table", columns, rows, Surface(fit)))


def test_chinese_characters_take_two_columns() -> None:
    assert drawn(["name", "n"], [["李伟", 1], ["Li Wei", 20]]) == [
        "name   │ n",
        "───────┼───",
        "李伟   │  1",
        "Li Wei │ 20",
    ]


def test_a_combining_mark_takes_no_column() -> None:
    assert (width("Zoe\u0308"), cut("Zoe\u0308x", 3)) == (3, ("Zoe\u0308", "x"))


def test_a_wide_character_is_never_halved() -> None:
    assert cut("长城", 3) == ("长", "城")


def test_a_table_without_rows_has_a_head() -> None:
    assert drawn(["a", "b"], []) == ["a │ b", "──┼──"]


def test_a_cell_is_wrapped_at_spaces_and_cut_after_four_lines() -> None:
    found = drawn(["n", "text"], [[1, "one two three four five six seven eight nine ten"]], 14)
    assert found[2:] == ["1 │ one two", "  │ three four", "  │ five six", "  │ seven eig…"]


def test_narrow_columns_keep_their_width_beside_wide_ones() -> None:
    head, _, *body = drawn(["id", "text"], [["INC-1042", "x" * 200]], 40)
    assert head.index("│") == len("INC-1042 ")
    assert max(map(width, body)) == 40


def test_more_columns_than_fit_become_blocks() -> None:
    found = drawn([f"column_{i}" for i in range(12)], [list(range(12)), ["值" * 50] * 12], 40)
    assert found[0] == "── 1 " + "─" * 35
    assert found[1:3] == ["column_0  │ 0", "column_1  │ 1"]
    assert max(map(width, found)) <= 40


def test_without_a_terminal_nothing_is_cut() -> None:
    assert drawn(["text"], [["x" * 500]])[2] == "x" * 500


CELLS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=60),
    st.lists(st.text(max_size=5), max_size=30),
)


@given(st.integers(10, 120), st.integers(1, 8).flatmap(lambda n: st.lists(st.lists(CELLS, min_size=n, max_size=n))))
def test_no_line_is_wider_than_the_terminal_or_moves_its_cursor(fit: int, rows: list[list[Any]]) -> None:
    columns = [f"列{i}" for i in range(len(rows[0]) if rows else 2)]
    for line in drawn(columns, rows, fit):
        assert width(line) <= fit
        assert not any(ord(character) < 32 or 127 <= ord(character) < 160 for character in line)


@pytest.mark.parametrize("text", ["\x1b[2J", "a\x9bb", "\u202eabc", "a\rb", "\x07"])
def test_control_characters_are_shown_not_sent(text: str) -> None:
    assert "\\" in cell(text)
    assert cell(text).isprintable()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (TOOL, '(:Tool {name: "get_document", runs: 3})'),
        (NEXT, "[:NEXT {count: 2}]"),
        ([TOOL, NEXT, OTHER], '(:Tool {name: "get_document"})-[:NEXT {count: 2}]->(:Tool {name: "查询"})'),
        ([OTHER, NEXT, TOOL], '(:Tool {name: "查询"})<-[:NEXT {count: 2}]-(:Tool {name: "get_document"})'),
        ([TOOL, SAID, OTHER], '(:Tool {name: "get_document"})-[:NEXT {count: 2, weight: 0.5}]->(:Tool {name: "查询"})'),
        ([TOOL], '[(:Tool {name: "get_document", runs: 3})]'),
        ({"id": "4:3", "labels": [], "properties": {}}, "()"),
        ([0.5] * 384, "[384 numbers]"),
        ([1, None, "a\nb", True], '[1, null, "a\\nb", true]'),
        ({}, "{}"),
        ("plain text", "plain text"),
        (float("inf"), "Infinity"),
    ],
)
def test_a_value_is_drawn_as_cypher_writes_it(value: Any, text: str) -> None:
    assert cell(value) == text


ROWS = [["a|b", None, [1, "x"], float("nan")], ['say "hi",\nLi', "", True, 1.5]]
COLUMNS = ["text", "empty", "mixed", "number"]


def written(form: str) -> str:
    known = next(known for known in FORMATS if known == form)
    return "\n".join(lines(known, COLUMNS, ROWS))


def test_json_is_one_valid_array() -> None:
    def refuse(name: str) -> None:
        raise AssertionError(f"{name} is not JSON")

    first, second = json.loads(written("json"), parse_constant=refuse)
    assert (first["number"], first["empty"], first["mixed"]) == ("NaN", None, [1, "x"])
    assert list(second) == COLUMNS
    assert list(lines("json", COLUMNS, [])) == ["[]"]


def test_jsonl_is_one_object_a_row_and_line() -> None:
    assert [json.loads(line)["text"] for line in written("jsonl").split("\n")] == ["a|b", 'say "hi",\nLi']


def test_csv_is_read_back_by_a_csv_reader() -> None:
    head, *rows = csv.reader(io.StringIO(written("csv")))
    assert head == COLUMNS
    assert rows == [["a|b", "", '[1, "x"]', "NaN"], ['say "hi",\nLi', "", "true", "1.5"]]


def test_markdown_keeps_every_cell_in_its_column() -> None:
    head, rule, *rows = written("markdown").split("\n")
    assert (head, rule) == ("| text | empty | mixed | number |", "| --- | --- | --- | --- |")
    assert rows == ['| a\\|b |  | \\[1, "x"] | NaN |', '| say "hi",<br>Li |  | true | 1.5 |']


def test_a_row_is_printed_before_the_last_one_came() -> None:
    def endless():
        while True:
            yield [1]

    for form in FORMATS:
        found = lines(form, ["n"], endless())
        assert "1" in "".join(next(found) for _ in range(5))


def test_ascii_terminals_get_ascii_rules() -> None:
    assert list(lines("table", ["a", "b"], [[1, 2]], Surface(None, ascii_only=True))) == ["a | b", "--+--", "1 | 2"]
