"""A resolver that is kept and taken over is the one that it was; a file that is not ours is not read."""

from __future__ import annotations

import pickle
import sqlite3
from pathlib import Path

import pytest

from graphstore.corpusmap.directory import known
from graphstore.corpusmap.extract import extract
from graphstore.corpusmap.kept import open_state, purge_state, save_state
from graphstore.corpusmap.resolve import Resolver
from graphstore.corpusmap.rulings import Ruling, name_anchor
from graphstore.corpusmap.shelf import Shelf
from graphstore.records import SourceDocument

TEXTS = (
    "Project Atlas (code name Bluebird) was started by Anna Bergmann <anna@acme.example> at Acme Ltd. in Oslo.",
    "Anna Bergmann met Ben Olsen of Acme. Bluebird is late, says Dr. Olsen.",
    "Anna Bergman and Ben Olsen wrote to Acme Group about INC-1042. Bergmann was not there.",
    "Ben Olsen <ben@other.example> works for the World Trade Organization (WTO). The WTO is in Geneva.",
    "Anna asked Olsen about WTO rules and INC-1042; Project Atlas goes on.",
)


@pytest.fixture(scope="module")
def extracted():
    documents = [
        SourceDocument(id=str(n), path=f"{n}.md", title=f"Note {n}", text=text) for n, text in enumerate(TEXTS)
    ]
    return list(zip(documents, extract(documents), strict=True))


def filled(extracted) -> Resolver:
    resolver = Resolver()
    for document, extraction in extracted:
        resolver.put(document.id, document.title, "notes", extraction)
    resolver.put_record(known("e17", "Ben Olsen", "person", ("Benno Olsen",), {"mail": "ben@other.example"}, "d"))
    resolver.put_ruling(Ruling(1, "distinct", (name_anchor("anna bergmann", None), name_anchor("anna bergman", None))))
    resolver.settle()
    return resolver


def test_what_is_kept_goes_on_as_what_was_never_away(tmp_path: Path, extracted) -> None:
    for away in range(len(extracted)):
        here = [each for number, each in enumerate(extracted) if number != away]
        kept = filled(here)
        save_state(tmp_path, "store", kept.shelf, kept.state())
        taken = Resolver()
        taken.restore(open_state(tmp_path, "store", taken.shelf))
        assert (taken.decisions, taken.entities) == (filled(here).decisions, filled(here).entities)
        document, extraction = extracted[away]
        taken.put(document.id, document.title, "notes", extraction)
        taken.settle()
        whole = filled(extracted)
        assert (taken.decisions, taken.entities) == (whole.decisions, whole.entities)
        taken.drop(document.id)
        taken.drop_record("e17")
        taken.drop_ruling(1)
        taken.settle()
        bare = Resolver()
        for each, found in here:
            bare.put(each.id, each.title, "notes", found)
        bare.settle()
        assert (taken.decisions, taken.entities) == (bare.decisions, bare.entities)


def test_a_damaged_file_and_another_store_are_nothing(tmp_path: Path, extracted) -> None:
    kept = filled(extracted)
    save_state(tmp_path, "store", kept.shelf, {"a": [1]})
    taken = Resolver()
    assert open_state(tmp_path, "store", taken.shelf) == {"a": [1]}
    assert taken.decisions == kept.decisions
    assert open_state(tmp_path, "other", Resolver().shelf) is None
    (file,) = (tmp_path / "resolver" / "store").iterdir()
    assert file.stat().st_mode & 0o077 == 0
    text = file.read_bytes()
    for damaged in (text[: len(text) // 2], text[:-3], b"", b"no table " * 1_000):
        file.write_bytes(damaged)
        shelf = Resolver().shelf
        assert open_state(tmp_path, "store", shelf) is None
        assert not shelf.in_use
    purge_state(tmp_path, "store")
    assert not list((tmp_path / "resolver" / "store").iterdir())


def test_a_file_that_would_run_something_is_not_read(tmp_path: Path) -> None:
    save_state(tmp_path, "store", Resolver().shelf, {})
    (file,) = (tmp_path / "resolver" / "store").iterdir()

    class Evil:
        def __reduce__(self):
            return Path.touch, (tmp_path / "touched",)

    with sqlite3.connect(file) as kept:
        kept.execute("UPDATE rest SET value = ? WHERE key = 'rest'", (pickle.dumps(Evil()),))
    kept.close()
    assert open_state(tmp_path, "store", Resolver().shelf) is None
    assert not (tmp_path / "touched").exists()


@pytest.mark.parametrize(
    "statement", ["CREATE TABLE more (a)", "CREATE VIEW shown AS SELECT 1", "DROP TABLE status", "DELETE FROM rest"]
)
def test_a_file_of_other_tables_is_not_read(tmp_path: Path, statement: str) -> None:
    save_state(tmp_path, "store", Resolver().shelf, {})
    (file,) = (tmp_path / "resolver" / "store").iterdir()
    with sqlite3.connect(file) as kept:
        kept.execute(statement)
    kept.close()
    assert open_state(tmp_path, "store", Resolver().shelf) is None


def test_other_code_finds_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_state(tmp_path, "store", Resolver().shelf, {"a": 1})
    monkeypatch.setattr("graphstore.corpusmap.kept._made_by", lambda: "other")
    assert open_state(tmp_path, "store", Resolver().shelf) is None
    save_state(tmp_path, "store", Resolver().shelf, {"b": 1})
    assert len(list((tmp_path / "resolver" / "store").iterdir())) == 1


def test_nothing_of_what_was_taken_out_is_in_the_file(tmp_path: Path) -> None:
    kept = Resolver(shelf=Shelf(0.001))
    words = [f"Quillon{n} Tromsdal{n}" for n in range(60)]
    documents = [SourceDocument(id=f"{n}", path="", title="", text=f"{w} met {w}.") for n, w in enumerate(words)]
    for document, extraction in zip(documents, extract(documents), strict=True):
        kept.put(document.id, "", "", extraction)
        kept.settle()
    save_state(tmp_path, "store", kept.shelf, {})
    (file,) = (tmp_path / "resolver" / "store").iterdir()
    assert file.read_bytes().lower().count(b"tromsdal") > 60
    for document in documents:
        kept.drop(document.id)
    kept.settle()
    save_state(tmp_path, "store", kept.shelf, {})
    assert b"tromsdal" not in file.read_bytes().lower()
