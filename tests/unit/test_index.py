"""An index is a set of values per key, and a table a mapping, whatever is in memory and whatever is put away."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphstore.corpusmap.index import Index
from graphstore.corpusmap.packing import pack, unpack
from graphstore.corpusmap.shelf import DamagedState, Shelf
from graphstore.corpusmap.table import Table
from graphstore.errors import GraphStoreError

KEYS, VALUES = "abcdef", "uvwxyz"
SIZES = st.sampled_from([None, 1.0, 1e-3, 1e-6])
"""Without a shelf; all in memory; some; next to nothing."""

steps = st.lists(st.tuples(st.booleans(), st.sampled_from(KEYS), st.sampled_from(VALUES)), max_size=60)
sets = st.lists(st.tuples(st.sampled_from(KEYS), st.none() | st.integers(0, 9)), max_size=60)


@given(steps, SIZES)
def test_an_index_is_a_set_of_values_per_key(taken: list[tuple[bool, str, str]], hot: float | None) -> None:
    index, expected = Index(None if hot is None else Shelf(hot), "docs"), dict[str, set[str]]()
    for add, key, value in taken:
        (index.add if add else index.discard)(key, value)
        values = expected.setdefault(key, set())
        (values.add if add else values.discard)(value)
        assert index.count(key) == len(values)
        assert index.has(key, value) == add
        assert index.first(key, 2) == sorted(values)[:2]
        assert (key in index) == bool(values)
    assert {key: index.at(key) for key in KEYS} == {key: expected.get(key, set()) for key in KEYS}
    assert set(index.keys()) == {key for key, values in expected.items() if values}
    assert len(index) == len(set(index.keys()))
    for a in expected:
        assert sorted(index.values_of(a)) == sorted(expected[a])
        assert [index.meet(a, b) for b in KEYS] == [not expected[a].isdisjoint(expected.get(b, ())) for b in KEYS]


@given(sets, st.sampled_from([1.0, 1e-3, 1e-6]))
def test_a_table_is_a_mapping(taken: list[tuple[str, int | None]], hot: float) -> None:
    table: Table[int] = Table(Shelf(hot), "numbers", pack, unpack)
    expected: dict[str, int] = {}
    for key, value in taken:
        if value is None:
            assert table.pop(key, None) == expected.pop(key, None)
        elif value % 2:
            table[key] = expected[key] = value
        else:
            table.put(key, value)
            expected[key] = value
        assert table.get(key) == expected.get(key)
        assert len(table) == len(expected)
    assert table == expected
    assert dict(table.items()) == expected
    assert sorted(table.values()) == sorted(expected.values())
    assert [key in table for key in KEYS] == [key in expected for key in KEYS]
    with pytest.raises(KeyError):
        table["none"]


@given(steps, sets, st.sampled_from([1.0, 1e-6]))
def test_what_is_saved_is_taken_over(
    tmp_path_factory: pytest.TempPathFactory, taken: list[tuple[bool, str, str]], put: list, hot: float
) -> None:
    def parts(shelf: Shelf) -> tuple[Index, Table[int]]:
        return Index(shelf, "docs"), Table(shelf, "numbers", pack, unpack)

    shelf, other = Shelf(hot), Shelf(hot)
    index, table = parts(shelf)
    for add, key, value in taken:
        (index.add if add else index.discard)(key, value)
    for key, value in put:
        table.pop(key, None) if value is None else table.put(key, value)
    target = tmp_path_factory.mktemp("shelf") / "file"
    shelf.save(target, {"rest": b"more"})
    index_there, table_there = parts(other)
    assert other.take_over(target, lambda rest: rest["rest"]) == b"more"
    assert table_there == table
    assert len(table_there) == len(table)
    for key in KEYS:
        assert index_there.count(key) == index.count(key)
        assert index_there.at(key) == index.at(key)
    for each in (index, index_there):
        each.add("a", "new")
        each.discard("b", "u")
    assert [index_there.first(key, 3) for key in KEYS] == [index.first(key, 3) for key in KEYS]


@given(steps, steps, st.sampled_from([None, 1.0, 1e-6]))
def test_what_two_common_keys_share_is_what_they_share_now(
    before: list[tuple[bool, str, str]], after: list[tuple[bool, str, str]], hot: float | None
) -> None:
    index = Index(None if hot is None else Shelf(hot), "docs")
    expected: dict[str, set[str]] = {key: set() for key in "ab"}
    for add, key, value in [*((True, key, "uvw"[n] + key) for key in "ab" for n in range(3)), *before, *after]:
        key = "ab"[key > "c"]
        there = value in expected[key]
        if add == there:
            continue
        (index.add if add else index.discard)(key, value, sure=True)
        (expected[key].add if add else expected[key].discard)(value)
        assert index.meet("a", "b") == index.meet("b", "a") == (not expected["a"].isdisjoint(expected["b"]))
    assert {key: index.at(key) for key in "ab"} == expected


def test_memory_holds_no_more_than_it_is_told_to() -> None:
    shelf = Shelf(0.01)
    index, table = Index(shelf, "docs"), Table(shelf, "numbers", pack, unpack)
    for number in range(5_000):
        index.add(str(number), "x")
        index.add("common", str(number))
        table[str(number)] = number
    assert len(table._new) + len(table._old) < 100
    assert sum(len(held) for part in (index._new, index._old) for held in part.values()) < 500
    assert sum(map(len, index._changed.values())) < 500
    assert (index.count("common"), len(index), len(table)) == (5_000, 5_001, 5_000)
    assert all(table[str(number)] == number for number in range(5_000))


def test_a_full_disk_is_no_damage() -> None:
    shelf = Shelf(1e-6)
    table: Table[str] = Table(shelf, "texts", pack, unpack)
    table["a"] = table["b"] = "x"
    shelf._opened().execute("PRAGMA max_page_count = 1")
    with pytest.raises(GraphStoreError, match=r"full.*set SQLITE_TMPDIR"):
        table.update({str(number): "x" * 10_000 for number in range(100)})
    assert not shelf.damaged


def test_what_cannot_be_read_says_so(tmp_path: Path) -> None:
    shelf = Shelf(1e-6)
    table: Table[int] = Table(shelf, "numbers", pack, unpack)
    for number in range(2_000):
        table[f"{number:05}"] = number
    shelf.save(tmp_path / "file", {})
    text = (tmp_path / "file").read_bytes()
    page = 4096
    (tmp_path / "file").write_bytes(text[: 2 * page] + bytes(len(text) - 3 * page) + text[-page:])
    other = Shelf(1e-6)
    table = Table(other, "numbers", pack, unpack)
    other.take_over(tmp_path / "file", lambda rest: rest)
    assert not other.damaged
    with pytest.raises(DamagedState, match=r"file: damaged.*run it again"):
        assert [table[f"{number:05}"] for number in range(2_000)] == list(range(2_000))
    assert other.damaged
    assert not (tmp_path / "file").exists()
