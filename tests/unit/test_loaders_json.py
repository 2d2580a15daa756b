"""JSON files of any form and size: what can be read is read, what cannot is named with its line."""

from __future__ import annotations

import gzip
import io
import json
import tracemalloc
from pathlib import Path

import pytest
from graphstore.loaders import json_split
from graphstore.loaders.json_records import JsonRecord, parse, read_records
from graphstore.loaders.lines import lines
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from graphstore.records import Rejected

JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"]), max_size=5), inner, max_size=4)
    ),
    max_leaves=20,
)


def read(tmp_path: Path, content: bytes, name: str = "f.json", limit: int = 2**20) -> list[JsonRecord | Rejected]:
    file = tmp_path / name
    file.write_bytes(content)
    return list(read_records(file, name, ("task_logs",), limit))


def values(found: list[JsonRecord | Rejected]) -> list[object]:
    return [each.value for each in found if isinstance(each, JsonRecord)]


def rejected(found: list[JsonRecord | Rejected]) -> list[str]:
    return [str(each) for each in found if isinstance(each, Rejected)]


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (b'{"a": 1}\n{"a": 2}\n', "f.jsonl"),
        (b'{"a": 1}\n\n  {"a": 2}', "f.json"),
        (b'[{"a": 1}, {"a": 2}]', "f.json"),
        (b'{"x": 0, "task_logs": [{"a": 1},\n {"a": 2}], "y": [3]}', "f.json"),
        (b'\xef\xbb\xbf[{"a": 1}, {"a": 2}]', "f.json"),
        (b'\xef\xbb\xbf{"a": 1}\r\n{"a": 2}\r\n', "f.ndjson"),
    ],
)
@pytest.mark.parametrize("packed", [False, True])
def test_every_form_gives_the_same_records(tmp_path: Path, content: bytes, name: str, packed: bool):
    found = read(tmp_path, gzip.compress(content) if packed else content, name + (".gz" if packed else ""))
    assert values(found) == [{"a": 1}, {"a": 2}]
    assert rejected(found) == []


def test_json_lines_are_told_by_their_content_however_long_the_first_is(tmp_path: Path):
    lines = [json.dumps({"a": "x" * 100_000, "i": index}) for index in range(3)]
    assert len(values(read(tmp_path, "\n".join(lines).encode(), "f.json"))) == 3
    assert len(values(read(tmp_path, gzip.compress("\n".join(lines).encode()), "f.json.gz"))) == 3


def test_one_object_is_one_record_however_it_is_printed(tmp_path: Path):
    value = {"a": [1, {"b": "}]"}], "c": None}
    assert values(read(tmp_path, json.dumps(value).encode())) == [value]
    assert values(read(tmp_path, json.dumps(value, indent=2).encode())) == [value]


def test_the_members_before_an_array_come_with_its_records(tmp_path: Path):
    (record,) = read(tmp_path, b'{"server": "mail", "task_logs": [{"a": 1}]}')
    assert isinstance(record, JsonRecord)
    assert (record.around, record.where) == ({"server": "mail"}, "task_logs[0]")


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        (b'{"a": NaN}', "NaN is not JSON"),
        (b'{"a": -Infinity}', "-Infinity is not JSON"),
        (b'{"a": 1, "a": 2}', "'a' occurs twice"),
        (b'{"a": "\xff"}', "not UTF-8 (byte 0xff)"),
        (b'{"a": "\\ud800"}', "surrogate"),
        (b'{"a" 1}', "not JSON"),
        (b'{"a": ' + b"9" * 5000 + b"}", "integer string conversion"),
        (b"[" * 100_000 + b"]" * 100_000, "nested too deeply"),
    ],
)
@pytest.mark.parametrize("name", ["f.jsonl", "f.json"])
def test_a_broken_record_costs_itself_only(tmp_path: Path, broken: bytes, reason: str, name: str):
    good = b'{"a": "good"}'
    content = (
        b"\n".join([good, broken, good]) if name == "f.jsonl" else b"[\n" + b",\n".join([good, broken, good]) + b"\n]"
    )
    found = read(tmp_path, content, name)
    assert values(found) == [{"a": "good"}] * 2
    (said,) = rejected(found)
    assert said.startswith("f.jsonl:2: " if name == "f.jsonl" else "f.json:3: ")
    assert reason in said


def test_a_bad_record_of_a_printed_document_is_named_by_the_line_it_starts_on(tmp_path: Path):
    found = read(tmp_path, b'{\n "task_logs": [\n  {\n   "a": 1\n  },\n  {\n   "a": NaN\n  },\n  {"a": 3}\n ]\n}')
    assert values(found) == [{"a": 1}, {"a": 3}]
    assert rejected(found) == ["f.json:6: task_logs[1]: NaN is not JSON"]


@pytest.mark.parametrize(
    "cut", [b'{"a": 1}\n{"a": 2}\n{"a": "th', b'[{"a": 1},\n {"a": 2},\n{"a": "th', b'[{"a": 1},\n{"a": 2},\n']
)
def test_what_stands_before_a_truncation_is_kept(tmp_path: Path, cut: bytes):
    found = read(tmp_path, cut)
    assert values(found) == [{"a": 1}, {"a": 2}]
    assert [said.split(": ")[0] for said in rejected(found)] == ["f.json:3"]


def test_a_truncated_gzip_keeps_what_was_unpacked_and_says_so(tmp_path: Path):
    content = b"".join(b'{"a": "%d"}\n' % i for i in range(50_000))
    found = read(tmp_path, gzip.compress(content)[:-2000], "f.jsonl.gz")
    assert len(values(found)) > 10_000
    assert len(rejected(found)) == 1
    assert "damaged gzip" in rejected(found)[0]
    assert ", after the record of line " in rejected(found)[0]


@pytest.mark.parametrize("content", [b"", b"   \n\n", b"\xef\xbb\xbf", b"[]", b"{}", b'{"task_logs": []}'])
@pytest.mark.parametrize("name", ["f.json", "f.jsonl"])
def test_an_empty_file_holds_no_record_to_load(tmp_path: Path, content: bytes, name: str):
    found = read(tmp_path, content, name)
    assert rejected(found) == []
    assert name == "f.jsonl" or values(found) == []


@pytest.mark.parametrize(
    "content", [b"hello", b'"text"', b"12", b"<html>", b"]", b"{]", b"[}", b'{"a"}', b'{"a":}', b"[1 2", b"[1] x"]
)
def test_what_is_no_json_is_said_in_a_line(tmp_path: Path, content: bytes):
    found = read(tmp_path, content)
    assert len(rejected(found)) == 1
    assert rejected(found)[0].startswith("f.json:1: ")


def test_utf16_is_refused_with_the_remedy(tmp_path: Path):
    assert "iconv" in rejected(read(tmp_path, '[{"a": 1}]'.encode("utf-16")))[0]


@pytest.mark.parametrize("name", ["f.jsonl", "f.json"])
def test_a_record_over_the_limit_is_named_and_skipped_without_being_held(tmp_path: Path, name: str):
    long = b'{"a": "' + b"x" * (30 * 2**20) + b'"}'
    good = b'{"a": 1}'
    content = b"\n".join([good, long, good]) if name == "f.jsonl" else b"[" + b",\n".join([good, long, good]) + b"]"
    (tmp_path / name).write_bytes(content)
    del content, long
    tracemalloc.start()
    found = list(read_records(tmp_path / name, name, (), 2**20))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert values(found) == [{"a": 1}] * 2
    assert len(rejected(found)) == 1
    assert rejected(found)[0].startswith(f"{name}:2: ")
    assert rejected(found)[0].endswith("longer than 1 MiB: skipped")
    assert peak < 10 * 2**20


def test_a_long_document_is_not_held_in_memory(tmp_path: Path):
    file = tmp_path / "f.json"
    with file.open("wb") as out:
        out.write(b'{"task_logs": [')
        for index in range(3000):
            out.write((b"," if index else b"") + json.dumps({"a": "x" * 10_000, "i": index}, indent=1).encode())
        out.write(b"]}")
    tracemalloc.start()
    count = sum(1 for _ in read_records(file, "f.json", ("task_logs",)))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 3000
    assert peak < 10 * 2**20


@settings(deadline=None)
@given(st.lists(JSON_VALUES, max_size=5), st.sampled_from([None, 0, 3]), st.integers(1, 40), st.booleans())
def test_splitting_gives_back_the_elements_whatever_the_chunks(
    values: list[object], indent: int | None, chunk: int, ascii_only: bool
):
    raw = json.dumps(values, indent=indent, ensure_ascii=ascii_only).encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_split, "CHUNK", chunk)
        items = list(json_split.split(io.BytesIO(raw)))
    assert [parse(item.raw or b"") for item in items] == values
    assert [item.index for item in items] == list(range(len(values)))
    if indent is not None:
        starts = [raw.index(item.raw or b"") if len(values) == 1 else None for item in items]
        assert all(
            start is None or item.line == raw[:start].count(b"\n") + 1
            for start, item in zip(starts, items, strict=True)
        )


@settings(deadline=None)
@given(st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), JSON_VALUES, max_size=5), st.integers(1, 40))
def test_splitting_gives_back_the_members_of_an_object(members: dict[str, object], chunk: int):
    raw = json.dumps(members).encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_split, "CHUNK", chunk)
        items = list(json_split.split(io.BytesIO(raw)))
    assert {item.key: parse(item.raw or b"") for item in items} == members


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.binary(max_size=200) | st.text('{}[]",:\\ \n1a', max_size=60).map(str.encode),
    st.sampled_from(["f.json", "f.jsonl", "f.json.gz"]),
)
@example(b'{"a\\', "f.json")
@example(b'["\\', "f.json")
@example(b"\x1f\x8b", "f.json")
def test_random_bytes_never_raise(tmp_path: Path, content: bytes, name: str):
    for found in read(tmp_path, content, name, limit=50):
        assert isinstance(found, (JsonRecord, Rejected))


@settings(deadline=None)
@given(st.binary(max_size=200), st.integers(1, 30))
def test_lines_are_those_of_the_bytes_but_for_the_long_ones(content: bytes, limit: int):
    found = list(lines(io.BytesIO(content), limit))
    expected = content.split(b"\n")
    if expected[-1] == b"":
        expected.pop()
    assert [line.number for line in found] == list(range(1, len(expected) + 1))
    for line, whole in zip(found, expected, strict=True):
        bare = whole.rstrip(b"\r")
        assert line.raw == bare or (line.raw is None and len(whole) + 1 > limit)
        assert line.raw is None or len(line.raw) <= limit
