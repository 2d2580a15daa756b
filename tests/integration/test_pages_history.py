"""Pages over time: what new documents leave alone, where moved documents are found, what was known at a date."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner
from graphstore.loaders import read_documents

from graphstore.cli.page import page as page_command
from graphstore.client import GraphStore
from graphstore.corpusmap.update import load_documents
from graphstore.db import Database
from graphstore.encoders import Encoder
from graphstore.errors import NotFound
from graphstore.pages import document, entities, entity_page, page_text
from graphstore.pages.export import export
from graphstore.settings import Settings
from graphstore.visibility import Visibility

TEXTS = {
    "plan.md": "---\ncreated: 2026-01-10\n---\n# Plan\n\nProject Atlas launches on 3 May 2026. Priya Raman leads it.\n",
    "mail.md": "---\ncreated: 2026-02-20\n---\n# Mail\n\nThe launch of Project Atlas moves to 10 June 2026, "
    "says Priya Raman.\n",
    "note.md": "---\ncreated: 2026-01-15\n---\n# Note\n\nPriya Raman met Tom Becker about Project Atlas.\n",
    "other.md": "---\ncreated: 2026-03-01\n---\n# Other\n\nTom Becker visits Northwind Traders Ltd in March.\n",
}
LATER = {
    "x/new.md": "---\ncreated: 2026-04-01\n---\n# New\n\nAnna Schmidt signs with Northwind Traders Ltd.\n",
    "x/newer.md": "---\ncreated: 2026-04-02\n---\n# Newer\n\nAnna Schmidt calls Northwind Traders Ltd.\n",
}


def write(folder: Path, texts: Mapping[str, str]) -> Path:
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder


def load(db: Database, encoder: Encoder, folder: Path) -> None:
    load_documents(db, encoder, lambda: read_documents(folder))


def files(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Bytes and time of change of every page and document."""
    found = [*folder.glob("pages/*.md"), *folder.glob("documents/**/*.md")]
    return {file.relative_to(folder).as_posix(): (file.read_bytes(), file.stat().st_mtime_ns) for file in found}


def test_pages_that_new_documents_do_not_touch_stay_byte_for_byte(db: Database, encoder: Encoder, tmp_path: Path):
    folder = write(tmp_path / "docs", TEXTS)
    load(db, encoder, folder)
    export(db, tmp_path / "out")
    before = files(tmp_path / "out")
    load(db, encoder, write(folder, LATER))
    report = export(db, tmp_path / "out")
    after = files(tmp_path / "out")
    new = {each["name"] for each in entities(db)} & {"Northwind Traders Ltd", "Anna Schmidt"}
    assert new == {"Northwind Traders Ltd", "Anna Schmidt"}
    touched = {name for name in before if before[name] != after[name]}
    assert touched == {"documents/other.md"}, "its list of pages has grown; its bytes and nobody else's changed"
    # two pages, three documents, and the two index files
    assert (report.written, report.removed) == (2 + 3 + 2, 0)


def test_a_moved_document_is_found_by_every_path_it_had(db: Database, encoder: Encoder, tmp_path: Path):
    folder = write(tmp_path / "docs", TEXTS)
    load(db, encoder, folder)
    for old, new in (("plan.md", "archive/plan.md"), ("archive/plan.md", "archive/2026/plan.md")):
        (folder / new).parent.mkdir(parents=True, exist_ok=True)
        (folder / old).rename(folder / new)
        load(db, encoder, folder)
    found = document(db, "plan.md")
    assert (found.path, found.earlier) == ("archive/2026/plan.md", ("plan.md", "archive/plan.md"))
    assert document(db, "archive/plan.md") == found == document(db, found.id)
    page = entity_page(db, "Project Atlas")
    assert {fact.document for fact in page.facts} == {"archive/2026/plan.md", "mail.md", "note.md"}
    export(db, tmp_path / "out")
    text = (tmp_path / "out/documents/archive/2026/plan.md").read_text("utf-8")
    assert "earlier_paths:\n- plan.md\n- archive/plan.md\n" in text
    # back again: it lies there now, and another document that comes to an old path is the one found there
    (folder / "archive/2026/plan.md").rename(folder / "plan.md")
    load(db, encoder, folder)
    assert document(db, "plan.md").earlier == ("archive/plan.md", "archive/2026/plan.md")
    write(folder, {"archive/plan.md": "# Another\n\nAnother text.\n"})
    load(db, encoder, folder)
    assert document(db, "archive/plan.md").title == "Another"


def test_an_old_path_of_a_hidden_document_leads_nowhere(db: Database, encoder: Encoder, tmp_path: Path):
    text = "---\nacl: [ann]\n---\n# Plan\n\nProject Atlas.\n"
    folder = write(tmp_path / "docs", {"plan.md": text, "open.md": "# Open\n\nProject Atlas.\n"})
    load(db, encoder, folder)
    (folder / "plan.md").rename(folder / "moved.md")
    load(db, encoder, folder)
    assert document(db, "plan.md", Visibility.of(["ann"])).path == "moved.md"
    said = []
    for asked in ("plan.md", "none.md"):
        with pytest.raises(NotFound) as error:
            document(db, asked, Visibility.of(["bob"]))
        said.append(str(error.value).replace(asked, "X"))
    assert said[0] == said[1]


def test_the_map_of_a_date_holds_what_was_known_then(db: Database, encoder: Encoder, tmp_path: Path):
    load(db, encoder, write(tmp_path / "docs", TEXTS))
    now, then = entity_page(db, "Project Atlas"), entity_page(db, "Project Atlas", Visibility.of(as_of="2026-01-31"))
    assert [conflict.attribute for conflict in now.conflicts] == ["launch"]
    assert [version.value for version in now.conflicts[0].versions] == ["10 June 2026", "3 May 2026"]
    assert {each.id for each in then.documents} == {"plan.md", "note.md"}
    assert (then.conflicts, then.as_of) == ((), "2026-01-31")
    assert "10 June" not in page_text(db, "Project Atlas", Visibility.of(as_of="2026-01-31")).text
    assert {each["name"] for each in entities(db, who=Visibility.of(as_of="2026-01-31"))} == {
        "Project Atlas",
        "Priya Raman",
    }
    with pytest.raises(NotFound):
        document(db, "mail.md", Visibility.of(as_of="2026-01-31"))
    assert document(db, "mail.md", Visibility.of(as_of="2026-02-20")).title == "Mail"


def test_an_undated_document_is_known_from_the_day_it_was_loaded(db: Database, encoder: Encoder, tmp_path: Path):
    load(db, encoder, write(tmp_path / "docs", {"a.md": "# A\n\nProject Atlas.\n"}))
    assert document(db, "a.md").title == "A"
    with pytest.raises(NotFound):
        document(db, "a.md", Visibility.of(as_of="2020-01-01"))
    assert document(db, "a.md", Visibility.of(as_of="2999-01-01")).title == "A"


@pytest.mark.parametrize("max_tokens", [None, 500])
def test_every_way_to_a_page_gives_the_very_same_text(
    db: Database,
    encoder: Encoder,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    max_tokens: int | None,
):
    alike = {"note.MD": TEXTS["note.md"].replace("Note", "Alike")}  # one file for a file system that ignores case
    load(db, encoder, write(tmp_path / "a", TEXTS))
    load(db, encoder, write(tmp_path / "b", alike))
    store = GraphStore(db, encoder, Settings.load(cache=tmp_path / "cache"))
    store.export_pages(tmp_path / "out", max_tokens=max_tokens)
    monkeypatch.setattr("graphstore.client.GraphStore.connect", lambda *_, **__: store)
    monkeypatch.setattr(store, "close", lambda: None)
    for entity in store.entities():
        path = tmp_path / "out" / store.page(entity["id"]).path
        parts = store.page_text(entity["id"], max_tokens=max_tokens).parts
        for part in range(1, parts + 1):
            text = store.page_text(entity["id"], part=part, max_tokens=max_tokens).text
            file = path if part == 1 else path.with_name(f"{path.stem}-{part}.md")
            assert file.read_text("utf-8") == text
            budget = [] if max_tokens is None else ["--max-tokens", str(max_tokens)]
            shown = CliRunner().invoke(page_command, [entity["id"], "--part", str(part), *budget])
            assert shown.output == text
        assert not path.with_name(f"{path.stem}-{parts + 1}.md").exists()


def test_search_knows_what_pages_know_at_a_date_and_of_a_record(db: Database, encoder: Encoder, tmp_path: Path):
    load(db, encoder, write(tmp_path / "docs", TEXTS))
    key = entity_page(db, "Project Atlas").id
    change = (
        "MATCH (e:Entity {id: $id}) SET e.record_name = 'Atlas Programme', e.record_aliases = [], e.acl = ['board']"
    )
    list(db.run(change, {"id": key}, write=True))
    store = GraphStore(db, encoder, Settings.load(cache=tmp_path / "cache"))
    for reader, as_of in (
        (None, None),
        (["board"], None),
        (["bob"], None),
        (None, "2026-01-31"),
        (["bob"], "2026-02-20"),
    ):
        found = store.search("When does Project Atlas launch?", reader=reader, as_of=as_of)
        pages = {page.id: page for page in found.pages}
        page = store.page(key, reader=reader, as_of=as_of)
        assert (pages[key].name, pages[key].path) == (page.name, page.path)
        assert page.name == ("Atlas Programme" if as_of is None and reader != ["bob"] else "Project Atlas")
        known = {"plan.md", "note.md"} if as_of == "2026-01-31" else {"plan.md", "note.md", "mail.md", "other.md"}
        assert {hit.id for hit in found.documents} <= known - ({"other.md"} if as_of else set())
