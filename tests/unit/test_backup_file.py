"""The file of a backup: what is written is read, and a part of it is never taken for all of it."""

from __future__ import annotations

import gzip
import math
import stat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphstore.backups.file import Head, Held, checked, head_line, line, read, written
from graphstore.backups.values import packed, unpacked
from graphstore.errors import LoadError

HEAD = Head("2026-01-01T00:00:00+00:00", 4, "words", 3, 17)
ROWS: list[list[Any]] = [
    ["node", ["Tool"], {"id": "a"}],
    ["node", [], {}],
    ["relationship", "NEXT", 0, 1, {"count": 2}],
]

_scalars = (
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False),
    st.text(),
    st.binary(max_size=40),
)
_lists = [st.lists(each, max_size=30) for each in _scalars]
PROPERTIES = st.dictionaries(st.text(min_size=1), st.one_of(*_scalars, *_lists), max_size=6)


@given(PROPERTIES)
def test_properties_come_back_as_they_were_with_their_kinds(properties: dict[str, Any]) -> None:
    import json

    back = unpacked(json.loads(json.dumps(packed(properties), ensure_ascii=False)))
    assert repr(back) == repr(properties)  # repr: 1 is not 1.0, and -0.0 is not 0.0


def test_numbers_that_json_has_no_word_for() -> None:
    back = unpacked(packed({"a": math.inf, "b": math.nan, "c": [math.nan] * 9}))
    assert back["a"] == math.inf
    assert math.isnan(back["b"])
    assert all(math.isnan(each) for each in back["c"])


def test_vectors_take_four_bytes_a_number() -> None:
    vector = [float(each) for each in (0.5, 0.25, 1.5, -2.0)] * 96
    assert len(str(packed({"embedding": vector}))) < 384 * 4 * 1.4


def test_a_value_of_another_kind_is_named() -> None:
    with pytest.raises(TypeError, match="born is a date"):
        packed({"born": __import__("datetime").date(2026, 1, 1)})


def _backup(path: Path, *, counts: dict[str, int] | None = None) -> Path:
    with written(path) as lines:
        lines.write(head_line(HEAD))
        for row in ROWS:
            lines.write(line(row))
        lines.write(line(counts or {"nodes": 2, "relationships": 1}))
    return path


def test_what_is_written_is_read_by_its_owner_alone(tmp_path: Path) -> None:
    path = _backup(tmp_path / "store.backup")
    head, rows = read(path)
    assert head == HEAD
    assert [row for _, row in rows] == ROWS
    assert checked(path) == (HEAD, Held(2, 1))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [each.name for each in tmp_path.iterdir()] == ["store.backup"]


def test_nothing_is_there_when_writing_breaks_off(tmp_path: Path) -> None:
    lines = written(tmp_path / "store.backup")
    lines.__enter__().write("half")
    assert not lines.__exit__(KeyboardInterrupt, KeyboardInterrupt(), None)  # it goes on its way
    assert not list(tmp_path.iterdir())


def test_every_part_of_a_file_is_refused(tmp_path: Path) -> None:
    whole = _backup(tmp_path / "whole").read_bytes()
    part = tmp_path / "part"
    for size in range(len(whole)):
        part.write_bytes(whole[:size])
        with pytest.raises(LoadError):
            checked(part)


@pytest.mark.parametrize("counts", [{"nodes": 3, "relationships": 1}, {"nodes": 2, "relationships": 0}])
def test_counts_that_differ_are_refused(tmp_path: Path, counts: dict[str, int]) -> None:
    with pytest.raises(LoadError, match="damaged"):
        checked(_backup(tmp_path / "file", counts=counts))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[1]\n", "no backup"),
        ("hello\n", "no backup"),
        ('{"graphstore backup":2}\n', "newer"),
        ('{"graphstore backup":1,"made":"x"}\n', "damaged"),
        (head_line(HEAD), "not whole"),
        (head_line(HEAD) + "nonsense\n", "damaged"),
    ],
)
def test_what_is_no_backup_is_said_in_one_line(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(gzip.compress(text.encode()))
    with pytest.raises(LoadError, match=said):
        checked(path)


def test_a_file_that_is_not_compressed_or_not_there(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with pytest.raises(LoadError, match="cannot be read"):
        checked(path)
    path.write_text("# notes\n")
    with pytest.raises(LoadError, match="no backup"):
        checked(path)
