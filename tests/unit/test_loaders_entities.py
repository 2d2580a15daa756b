"""Registries from delimited text and JSON."""

from __future__ import annotations

import csv
import gzip
import io
import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from graphstore.loaders import read_entities
from graphstore.loaders.delimited import delimited_rows, delimiter
from hypothesis import given
from hypothesis import strategies as st

from graphstore.errors import LoadError
from graphstore.records import Ignored, Rejected, SourceEntity

PEOPLE = [
    ("e1", "Anna Schmidt", "person", "A. Schmidt; Anni", "Finance"),
    ("e2", "李伟", "person", "", "Legal, Shanghai"),
]


def written(folder: Path, text: str, name: str = "people.csv") -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def entities(path: Path, **columns: str) -> list[SourceEntity]:
    found = list(read_entities(path, **columns))
    assert all(isinstance(each, SourceEntity) for each in found), found
    return [each for each in found if isinstance(each, SourceEntity)]


@pytest.mark.parametrize("mark", [",", ";", "\t", "|", "%"])
def test_any_delimiter_is_told_from_the_lines(tmp_path: Path, mark: str) -> None:
    quoted = [[f'"{value}"' if mark in value or ";" in value else value for value in row] for row in PEOPLE]
    lines = [mark.join(row) for row in (["ID", "Name", "Type", "Aliases", "department"], *quoted)]
    anna, wei = entities(written(tmp_path, "\n".join(lines)))
    assert (anna.id, anna.name, anna.type, anna.aliases) == ("e1", "Anna Schmidt", "person", ("A. Schmidt", "Anni"))
    assert anna.attributes == {"department": "Finance"}
    assert (wei.name, wei.aliases, wei.attributes) == ("李伟", (), {"department": "Legal, Shanghai"})


def test_json_lines_keep_lists_and_nested_attributes(tmp_path: Path) -> None:
    record = {"id": 7, "name": "Project Atlas", "aliases": ["Atlas", "PA"], "owner": {"id": "e1"}, "tags": ["x"]}
    (atlas,) = entities(written(tmp_path, json.dumps(record) + "\n", "projects.jsonl"))
    assert (atlas.id, atlas.aliases) == ("7", ("Atlas", "PA"))
    assert atlas.attributes == {"owner": {"id": "e1"}, "tags": ["x"]}


def test_a_packed_file_and_spaces_after_delimiters(tmp_path: Path) -> None:
    path = tmp_path / "people.csv.gz"
    path.write_bytes(gzip.compress(b"rec_id, given_name, surname, born\nr1, ada, lovelace, 1815\n"))
    (ada,) = entities(path)
    assert (ada.id, ada.name) == ("r1", "ada lovelace")
    assert ada.attributes == {"given_name": "ada", "surname": "lovelace", "born": "1815"}


def test_a_record_without_id_gets_one_from_its_content(tmp_path: Path) -> None:
    first, second = entities(written(tmp_path, "name,city\nNorthwind Ltd.,Oslo\nNorthwind Ltd.,Bergen\n"))
    again, *_ = entities(written(tmp_path, "city,name\nOslo,Northwind Ltd.\n", "other.csv"))
    assert first.id != second.id
    assert first.id == again.id


def test_columns_may_be_named(tmp_path: Path) -> None:
    path = written(tmp_path, "number,hostname,name\n12,db-01,ignored\n")
    (host,) = entities(path, id="number", name="hostname")
    assert (host.id, host.name, host.attributes) == ("12", "db-01", {"name": "ignored"})


def test_what_cannot_be_read_is_named_with_its_line_and_the_rest_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_bytes(b"id,name,city\ne1,Anna,Oslo\ne2,Ben\ne3,,Oslo\n\ne4,B\xff,Oslo\ne1,Other,Oslo\ne5,Cem,Oslo\n")
    found = list(read_entities(path))
    assert [each.id for each in found if isinstance(each, SourceEntity)] == ["e1", "e5"]
    assert [str(each) for each in found if isinstance(each, Rejected)] == [
        f"{path}:3: has 2 fields, the header 3",
        f"{path}:4: has no name",
        f"{path}:6: is not UTF-8",
        f"{path}:7: the id 'e1' was read from {path}:2",
    ]


def test_json_records_that_are_none_are_named(tmp_path: Path) -> None:
    path = written(
        tmp_path, '{"id":"a","name":"A"}\n[1]\n{"id":"b"}\n{"name":{}}\n{"name":"D","aliases":3}\nx\n', "p.jsonl"
    )
    found = list(read_entities(path))
    assert [type(each) for each in found] == [SourceEntity, *[Rejected] * 5]
    assert [each.line for each in found[1:] if isinstance(each, Rejected)] == [2, 3, 4, 5, 6]


def test_a_line_too_long_for_a_field_is_skipped(tmp_path: Path) -> None:
    path = written(tmp_path, f"id,name\ne1,{'x' * 200_000}\ne2,Ben\n")
    found = list(read_entities(path))
    assert [type(each) for each in found] == [Rejected, SourceEntity]
    assert str(found[0]).startswith(f"{path}:2: ")


@pytest.mark.parametrize(
    ("text", "bad", "ids"),
    [
        ('id,name\ne1,"Anna\ne2,Ben\ne3,"Cem"\n', [2], ["e2", "e3"]),
        ('id,name\ne1,"Anna\ne2,Ben\n', [2], ["e2"]),
        ('id,name\ne1,Anna\ne2,"Ben', [3], ["e1"]),
        ('id,name\ne1,"Anna\ne2,"Ben\ne3,"Cem\ne4,Dora\n', [2, 3, 4], ["e4"]),
        ('id,name\ne1,"Anna\n' + "x,y\n" * 60_000, [2], ["x"]),
    ],
)
def test_a_quote_that_is_not_closed_costs_its_own_line_only(
    tmp_path: Path, text: str, bad: list[int], ids: list[str]
) -> None:
    found = list(read_entities(written(tmp_path, text)))
    assert [each.line for each in found if isinstance(each, Rejected)] == bad
    assert [each.id for each in found if isinstance(each, SourceEntity)] == ids
    assert all("quote" in str(each) or "delimited" in str(each) for each in found if isinstance(each, Rejected))


def test_a_value_in_quotes_may_hold_line_ends_and_quotes(tmp_path: Path) -> None:
    text = 'id,name,note\ne1,"Anna ""Ann"" Schmidt","two\nlines, one value"\ne2,Ben,5" pipe\n'
    anna, ben = entities(written(tmp_path, text))
    assert (anna.name, anna.attributes["note"]) == ('Anna "Ann" Schmidt', "two\nlines, one value")
    assert (ben.id, ben.attributes["note"]) == ("e2", '5" pipe')


@given(st.lists(st.tuples(st.text(min_size=1), st.text(min_size=1)), min_size=1, max_size=5))
def test_what_csv_writes_is_read_whatever_it_holds(rows: list[tuple[str, str]]) -> None:
    kept = [row for row in rows if "\r" not in "".join(row) and "\0" not in "".join(row) and "".join(row).strip()]
    text = io.StringIO()
    csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows([("one", "two"), *kept])
    with TemporaryDirectory() as folder:
        found = [row for _, row in delimited_rows(written(Path(folder), text.getvalue()))]
    assert found == [["one", "two"], *map(list, kept)]


@pytest.mark.parametrize(
    ("text", "says"),
    [("id,city\n1,Oslo\n", "no column of names"), ("id,name,Name\n1,a,b\n", "stands twice in the header")],
)
def test_a_header_that_cannot_be_right_stops_the_load(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(LoadError, match=says):
        list(read_entities(written(tmp_path, text)))


def test_a_column_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match="has no column 'mail'"):
        list(read_entities(written(tmp_path, "id,name\n1,a\n"), id="mail"))
    with pytest.raises(LoadError, match="is a folder"):
        list(read_entities(tmp_path))


def test_an_empty_file_is_a_warning(tmp_path: Path) -> None:
    for text in ("", "id,name\n"):
        assert [type(each) for each in read_entities(written(tmp_path, text))] == [Ignored]


def test_the_same_record_twice_is_one(tmp_path: Path) -> None:
    path = written(tmp_path, "id,name\n1,a\n1,a\n")
    assert len(entities(path)) == 1
    assert len(list(read_entities(path, path))) == 1


@given(st.lists(st.text(alphabet="ab ,;|%", max_size=6), min_size=2, max_size=4), st.sampled_from(",;\t|"))
def test_the_delimiter_that_wrote_the_lines_reads_them(values: list[str], mark: str) -> None:
    header = mark.join(f"column{index}" for index in range(len(values)))
    row = mark.join(f'"{value}"' for value in values)
    assert delimiter([header, row, row]) == mark
