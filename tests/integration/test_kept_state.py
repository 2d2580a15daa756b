"""What a process keeps for the next one is never believed against the store, and forgets what is forgotten."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from graphstore.loaders import read_documents, read_entities
from hash_encoder import ENCODER

from graphstore.corpusmap import keeping, registries, stored, update
from graphstore.corpusmap.build import build_map
from graphstore.corpusmap.builder import LocalBuilder
from graphstore.corpusmap.forget import forget
from graphstore.corpusmap.update import load_documents
from graphstore.ordered_export import ordered_export

if TYPE_CHECKING:
    from collections.abc import Iterator

    from graphstore.db import Database
    from graphstore.records import SourceDocument

TEXTS = {
    "minutes/launch.md": "# Launch meeting\n\nProject Atlas (code name Bluebird) slips to 12 March 2026. Priya "
    "Raman and Tom Becker agreed.\n",
    "mail/budget.md": "# Budget mail\n\nThe Bluebird budget was approved by Priya Raman. Ticket INC-1042 is open.\n",
    "tickets/inc-1042.md": "# INC-1042 Login fails\n\nINC-1042 blocks Project Atlas. Owner: Tom Becker. "
    "Zanzibarian hotfix.\n",
    "hr/note.md": "# Note\n\nYesterday Li Wei asked Tom Becker about the Zurich office.\n",
}
MORE = "# Depot\n\nThe Quillon depot opens in Tromsdalen.\n"


@pytest.fixture(autouse=True)
def keep_small_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "_WORTH_KEEPING", 1)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write(tmp_path / "docs", TEXTS)


def write(folder: Path, texts: dict[str, str]) -> Path:
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def export(db: Database) -> list[str]:
    return list(ordered_export(db))


def emptied(db: Database) -> Database:
    db.driver.execute_query("MATCH (n) WHERE NOT n:Meta DETACH DELETE n", database_=db.database)
    return db


def fresh(db: Database, folder: Path) -> list[str]:
    """The graph of a folder loaded at once, without a cache, into an emptied store."""
    load_documents(emptied(db), ENCODER, lambda: read_documents(folder))
    return export(db)


def loaded(db: Database, folder: Path, cache: Path) -> None:
    load_documents(db, ENCODER, lambda: read_documents(folder), cache=cache)


def files(cache: Path) -> list[Path]:
    return [file for file in cache.rglob("*") if file.is_file()]


def test_loading_and_forgetting_gives_the_graph_before(db: Database, folder: Path, tmp_path: Path) -> None:
    """A document that changes no other decision leaves no trace; nor does one that does, once it is looked at again."""
    cache = tmp_path / "cache"
    loaded(db, folder, cache)
    before = export(db)
    for text in (MORE, "# Aliases\n\nProject Atlas (code name Kestrel) and Priya Raman <p.raman@helio.example>.\n"):
        write(folder, {"extra/depot.md": text})
        loaded(db, folder, cache)
        assert export(db) != before
        forget(db, ENCODER, ["extra/depot.md"], cache=cache)
        assert export(db) == before
        (folder / "extra/depot.md").unlink()


def test_a_state_goes_on_where_the_last_process_ended(
    db: Database, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path / "cache"
    loaded(db, folder, cache)
    assert len(files(cache)) == 1
    read = noted(monkeypatch)
    write(folder, {"extra/depot.md": MORE})
    loaded(db, folder, cache)
    assert read == []  # of what the store held, nothing was read again
    assert export(db) == fresh(db, folder)


def test_what_others_wrote_meanwhile_counts_and_not_what_was_kept(db: Database, folder: Path, tmp_path: Path) -> None:
    """Two machines with caches of their own and one without take turns."""
    draw = random.Random(7)
    texts = dict(TEXTS)
    caches = [tmp_path / "one", tmp_path / "two", None]
    for step in range(8):
        cache = caches[step % 3]
        name = draw.choice(sorted(texts))
        if step % 2:
            texts[name] += f"\nAlso Tom Becker met Priya Raman about INC-10{40 + step} and Project Atlas.\n"
            write(folder, texts)
            load_documents(db, ENCODER, lambda: read_documents(folder), cache=cache)
        else:
            load_documents(db, ENCODER, lambda: read_documents(folder), cache=cache)
            forget(db, ENCODER, [name], cache=cache)
            load_documents(db, ENCODER, lambda: read_documents(folder), cache=caches[(step + 1) % 3])
    assert export(db) == fresh(db, folder)


def noted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Documents that are read from the store from now on."""
    read: list[str] = []
    plain = stored.StoredResolver._read

    def reading(self: stored.StoredResolver, ids: list[str]) -> None:
        read.extend(ids)
        plain(self, ids)

    monkeypatch.setattr(stored.StoredResolver, "_read", reading)
    return read


def test_a_load_that_ends_midway_leaves_what_it_had_read(
    db: Database, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(update, "_BATCH", 1)
    cache = tmp_path / "cache"

    def broken_off() -> Iterator[SourceDocument]:
        yield from list(read_documents(folder))[:3]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        load_documents(db, ENCODER, broken_off, cache=cache)
    assert len(files(cache)) == 1
    read = noted(monkeypatch)
    loaded(db, folder, cache)
    assert read == []
    assert export(db) == fresh(db, folder)


@pytest.mark.parametrize("table", ["decisions", "name_docs", "made_of"])
def test_damage_that_shows_late_has_all_read_from_the_store(
    db: Database, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, table: str
) -> None:
    cache = tmp_path / "cache"
    loaded(db, folder, cache)
    (file,) = files(cache)
    with sqlite3.connect(file) as kept:
        (root,) = kept.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()
        (size,) = kept.execute("PRAGMA page_size").fetchone()
    kept.close()
    whole = file.read_bytes()
    file.write_bytes(whole[: (root - 1) * size] + bytes(size) + whole[root * size :])
    read = noted(monkeypatch)
    write(folder, {"extra/depot.md": "# Depot\n\nPriya Raman met Tom Becker at Project Atlas.\n"})
    loaded(db, folder, cache)
    assert sorted(read) == sorted(TEXTS)
    assert export(db) == fresh(db, folder)


class Blunt(LocalBuilder):
    """Reads no names at all."""

    def extract(self, documents):
        return [type(found)(by="local blunt") for found in super().extract(documents)]

    def stamp(self, document):
        return "local blunt"

    def keeps(self, by):
        return by == "local blunt"


def test_what_was_read_anew_elsewhere_is_not_taken_from_the_cache(db: Database, folder: Path, tmp_path: Path) -> None:
    """The texts are as they were: only what was extracted from them is another."""
    cache = tmp_path / "cache"
    loaded(db, folder, cache)
    build_map(db, ENCODER, builder=Blunt())
    blunt = export(db)
    write(folder, {"extra/depot.md": MORE})
    load_documents(db, ENCODER, lambda: read_documents(folder), builder=Blunt(), cache=cache)
    forget(db, ENCODER, ["extra/depot.md"])
    assert export(db) == blunt


def test_what_is_forgotten_is_in_no_file(db: Database, folder: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    loaded(db, folder, cache)
    assert any(b"zanzibarian" in file.read_bytes().lower() for file in files(cache))
    elsewhere = tmp_path / "elsewhere"  # another machine: it learns of it when it writes again
    loaded(db, write(folder, {"extra/depot.md": MORE}), elsewhere)
    assert any(b"zanzibarian" in file.read_bytes().lower() for file in files(elsewhere))
    forget(db, ENCODER, ["tickets/inc-1042.md"], cache=cache)
    (folder / "tickets/inc-1042.md").unlink()
    loaded(db, write(folder, {"extra/depot.md": MORE.upper()}), elsewhere)
    for kept in (cache, elsewhere):
        assert files(kept)
        assert not any(b"zanzibarian" in file.read_bytes().lower() for file in files(kept))


SCRIPT = """
import os, sys
from graphstore.corpusmap import registries
registries._BATCH = 5
from graphstore.db import Database
from graphstore.loaders import read_entities
with Database.open(sys.argv[1], (sys.argv[2], os.environ["TEST_PASSWORD"])) as db:
    registries.load_records(db, read_entities(sys.argv[3]),
                            progress=lambda label, done, total: print(label, done, flush=True))
"""


def test_a_killed_load_of_records_run_again_gives_the_graph_of_an_uninterrupted_one(
    db: Database, server, folder: Path, tmp_path: Path
) -> None:
    fresh(db, folder)
    people = ["Priya Raman", "Tom Becker", "Li Wei", *(f"Person Number{n}" for n in range(37))]
    directory = tmp_path / "people.jsonl"
    records = [{"id": f"e{n}", "name": name, "type": "person"} for n, name in enumerate(people)]
    directory.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    for wait in (1, 3):
        process = subprocess.Popen(
            [sys.executable, "-c", SCRIPT, server.uri, server.username, str(directory)],
            env={**os.environ, "TEST_PASSWORD": server.password},
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        seen = 0
        for line in process.stdout:
            seen += line.startswith("records")
            if seen >= wait:
                break
        time.sleep(0.02 * wait)
        process.send_signal(signal.SIGKILL)
        process.wait(timeout=60)
    registries.load_records(db, read_entities(directory))
    interrupted = export(db)
    fresh(db, folder)
    registries.load_records(db, read_entities(directory))
    assert interrupted == export(db)
