"""Pages, documents and exports from a real graph, for the owner and for readers."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from graphstore.db import Database
from graphstore.errors import LoadError, NotFound
from graphstore.names import normalise
from graphstore.pages import document, entities, entity_page, pages_of
from graphstore.pages.export import MANIFEST, export
from graphstore.visibility import Visibility

DIMENSIONS = 384
DOCUMENTS = """
UNWIND $rows AS row
CREATE (d:Document {id: row.id, path: row.path, title: row.title, text: row.text, hash: row.id, acl: row.acl,
  created: row.created, metadata: '{"n": 1}', extracted: '[]'})
CREATE (d)-[:HAS_CHUNK]->(:Chunk {id: row.id + '#0', index: 0, start: 0, end: size(row.text), embedding: $vector})
"""
ENTITIES = """
UNWIND $rows AS row
MERGE (t:EntityType {name: row.type})
CREATE (e:Entity {id: row.id, name: row.name, key: row.key, aliases: row.aliases, documents: size(row.links)})
CREATE (e)-[:OF_TYPE]->(t)
WITH e, row UNWIND row.links AS link
MATCH (d:Document {id: link.document})
CREATE (d)-[:MENTIONS {names: link.names, count: 1, weight: 1.0, statements: link.statements, dates: link.dates,
  starts: [x IN link.statements | 0], ends: [x IN link.statements | 1]}]->(e)
"""


def reading(*names: str) -> Visibility:
    return Visibility.of(names)


def write(db: Database, text: str, **params: Any) -> None:
    list(db.run(text, params, write=True))


def add_documents(db: Database, *rows: tuple[str, Sequence[str]]) -> None:
    vector = [1.0] + [0.0] * (DIMENSIONS - 1)
    made = [
        {
            "id": path,
            "path": path,
            "title": f"Title of {path}",
            "text": f"Text of {path}.",
            "acl": list(acl),
            "created": f"2026-01-{day:02}",
        }
        for day, (path, acl) in enumerate(rows, start=1)
    ]
    write(db, DOCUMENTS, rows=made, vector=vector)


def add_entity(
    db: Database, name: str, kind: str, *links: tuple[str, Sequence[str], Sequence[str]], tag: str = ""
) -> str:
    """An entity with links (document, names, statements); its id."""
    key = hashlib.sha256(f"{name}{kind}{tag}".encode()).hexdigest()[:32]
    rows = [
        {"document": d, "names": list(n), "statements": list(s), "dates": ["2026-01-05"] * len(s)} for d, n, s in links
    ]
    aliases = sorted({form for _, names, _ in links for form in names})
    row = {"id": key, "name": name, "key": normalise(name), "type": kind, "aliases": aliases, "links": rows}
    write(db, ENTITIES, rows=[row])
    return key


@pytest.fixture
def atlas(db: Database) -> str:
    """Three documents, one for the board only; Project Atlas in all, its code name in the board's and one other."""
    add_documents(db, ("minutes/a.md", []), ("mail/b.txt", []), ("board/c.md", ["board", "ann"]))
    return add_entity(
        db,
        "Project Atlas",
        "project",
        ("minutes/a.md", ["Project Atlas"], ["Project Atlas is the new ledger."]),
        ("mail/b.txt", ["Atlas"], ["Atlas slips."]),
        ("board/c.md", ["Blue Heron"], ["Blue Heron is sold."]),
    )


@pytest.mark.parametrize("asked", ["Project Atlas", "project-atlas", " PROJECT  ATLAS ", "atlas", "Blue Heron"])
def test_a_page_is_found_by_any_written_form(db: Database, atlas: str, asked: str):
    assert entity_page(db, asked).id == atlas
    assert entity_page(db, atlas).id == atlas


def test_the_owner_sees_every_document(db: Database, atlas: str):
    page = entity_page(db, "Project Atlas")
    assert [each.path for each in page.documents] == ["board/c.md", "mail/b.txt", "minutes/a.md"]
    assert page.overview.startswith("project · 3 documents, 2026-01-01 to 2026-01-03")
    assert set(page.aliases) == {"Project Atlas", "Atlas", "Blue Heron"}
    assert page.path == f"pages/project-atlas-{atlas[:12]}.md"


def test_what_a_reader_may_not_see_contributes_nothing(db: Database, atlas: str):
    page = entity_page(db, "Project Atlas", reading("bob"))
    assert "Heron" not in json.dumps(page.to_dict())
    assert "board" not in json.dumps(page.to_dict())
    assert page.overview.startswith("project · 2 documents")
    with pytest.raises(NotFound) as error:
        entity_page(db, "Blue Heron", reading("bob"))
    assert "Atlas" not in str(error.value), "what is similar by a hidden name would tell whose name it is"
    assert entity_page(db, "Blue Heron", reading("bob", "board")).id == atlas
    assert len(entity_page(db, atlas, reading("ann")).documents) == 3


def test_an_entity_with_one_visible_document_has_no_page_for_that_reader(db: Database):
    add_documents(db, ("a.md", []), ("b.md", ["ann"]))
    key = add_entity(db, "Vega", "project", ("a.md", ["Vega"], []), ("b.md", ["Vega"], []))
    assert entity_page(db, "Vega", reading("ann")).id == key
    for asked in ("Vega", key):
        with pytest.raises(NotFound, match=r"a page needs two documents that mention the entity$"):
            entity_page(db, asked, reading("bob"))
    assert entities(db, who=reading("bob")) == []
    assert document(db, "a.md", reading("bob")).pages == ()


def test_the_name_of_a_page_is_one_that_the_reader_can_know(db: Database):
    add_documents(db, ("a.md", []), ("b.md", []), ("c.md", ["ann"]))
    links = [("a.md", ["Atlas"], []), ("b.md", ["Atlas"], []), ("c.md", ["Blue Heron"], [])]
    key = add_entity(db, "Blue Heron", "project", *links)
    assert entity_page(db, key, reading("bob")).name == "Atlas"
    assert [each["name"] for each in entities(db, who=reading("bob"))] == ["Atlas"]
    assert [each.name for each in document(db, "a.md", reading("bob")).pages] == ["Atlas"]
    assert "heron" not in entity_page(db, key, reading("bob")).path


def test_two_people_of_one_name_are_listed_and_each_page_says_so(db: Database):
    add_documents(db, ("a.md", []), ("b.md", []), ("c.md", []), ("d.md", []))
    one = add_entity(db, "Li Wei", "person", ("a.md", ["Li Wei"], []), ("b.md", ["Li Wei"], []), tag="sales")
    two = add_entity(db, "Li Wei", "person", ("c.md", ["Li Wei"], []), ("d.md", ["Li Wei"], []), tag="legal")
    with pytest.raises(NotFound) as error:
        entity_page(db, "li wei")
    assert one in str(error.value)
    assert two in str(error.value)
    assert f"Another person of this name: Li Wei (2 documents, id {two})" in entity_page(db, one).overview


@pytest.mark.parametrize(
    "asked", ["nobody", "", "  ", '"', "A/B", "tb-", "C++", "AND", "(", "*:*", "`]->()", "x OR y", "w " * 2000, "\\"]
)
def test_what_is_not_there_is_said_whatever_the_words(db: Database, atlas: str, asked: str):
    with pytest.raises(NotFound, match="no page for"):
        entity_page(db, asked)


@pytest.mark.parametrize("name", ["李伟", "C++", "C#", ".NET", "O'Brien & Søn", 'The "Q"', "a`b", "v1.2", "AND"])
def test_odd_names_are_found_and_told_apart(db: Database, name: str):
    add_documents(db, ("a.md", []), ("b.md", []))
    add_entity(db, "C", "product", ("a.md", ["C"], []), ("b.md", ["C"], []))
    key = add_entity(db, "Other", "product", ("a.md", [name], []), ("b.md", ["Other"], []))
    assert entity_page(db, name).id == key


def test_a_near_miss_suggests_what_the_reader_may_see(db: Database, atlas: str):
    with pytest.raises(NotFound, match=rf"similar: Project Atlas \(project, 2 documents, id {atlas}\)"):
        entity_page(db, "Atlas project plan", reading("bob"))


def test_a_document_comes_with_the_pages_that_mention_it(db: Database, atlas: str):
    found = document(db, "minutes/a.md")
    assert (found.title, found.text, found.metadata) == ("Title of minutes/a.md", "Text of minutes/a.md.", {"n": 1})
    assert [(each.id, each.path) for each in found.pages] == [(atlas, f"pages/project-atlas-{atlas[:12]}.md")]
    assert pages_of(db, "minutes/a.md") == found.pages


def test_a_document_that_the_reader_may_not_see_is_as_one_that_is_not_there(db: Database, atlas: str):
    said = []
    for asked in ("board/c.md", "board/z.md"):
        with pytest.raises(NotFound) as error:
            document(db, asked, reading("bob"))
        said.append(str(error.value).replace(asked, "X"))
    assert said[0] == said[1]
    assert document(db, "board/c.md", reading("board")).acl == ("board", "ann")


def test_documents_of_one_path_are_listed(db: Database):
    add_documents(db, ("one", []), ("two", []))
    write(db, "MATCH (d:Document) SET d.path = 'same.md'")
    with pytest.raises(NotFound, match="ask by id: one, two"):
        document(db, "same.md")
    assert document(db, "two").path == "same.md"


def links_in(folder: Path) -> list[tuple[Path, Path]]:
    """Every link of the exported files: the file it is in, and the file it leads to."""
    found = []
    for file in folder.rglob("*.md"):
        prose = re.sub(r"^(`{3,})text\n.*?\n\1$", "", file.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
        found += [(file, file.parent / unquote(url)) for url in re.findall(r"(?<!\\)\]\(([^)]*)\)", prose)]
    return found


def tree(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_an_export_holds_pages_and_documents_with_links_both_ways(db: Database, atlas: str, tmp_path: Path):
    report = export(db, tmp_path / "out")
    assert (report.pages, report.documents, report.written, report.removed) == (1, 3, 6, 0)
    page = f"pages/project-atlas-{atlas[:12]}.md"
    documents = ["documents/board/c.md", "documents/mail/b.txt.md", "documents/minutes/a.md"]
    assert sorted(tree(tmp_path / "out")) == sorted([MANIFEST, "index.md", "index.json", page, *documents])
    links = links_in(tmp_path / "out")
    assert all(target.is_file() for _, target in links)
    there = {(str(a.relative_to(tmp_path / "out")), os.path.relpath(b, tmp_path / "out")) for a, b in links}
    assert {(page, each) for each in documents} | {(each, page) for each in documents} <= there


def test_an_export_for_a_reader_holds_nothing_hidden(db: Database, atlas: str, tmp_path: Path):
    export(db, tmp_path / "out")
    report = export(db, tmp_path / "out", reading("bob"))
    assert report.removed == 1
    left = tree(tmp_path / "out")
    assert not [name for name, content in left.items() if b"Heron" in content or "board" in name or b"board" in content]
    assert not (tmp_path / "out/documents/board").exists()


def test_exporting_again_writes_nothing_and_a_change_writes_what_it_touches(db: Database, atlas: str, tmp_path: Path):
    export(db, tmp_path / "out")
    stamps = {file: file.stat().st_mtime_ns for file in (tmp_path / "out").rglob("*")}
    assert export(db, tmp_path / "out").to_dict() == {
        "pages": 1,
        "documents": 3,
        "written": 0,
        "unchanged": 6,
        "removed": 0,
    }
    assert {file: file.stat().st_mtime_ns for file in (tmp_path / "out").rglob("*")} == stamps
    write(db, "MATCH (d:Document {id: 'mail/b.txt'}) SET d.text = 'New.'")
    report = export(db, tmp_path / "out")
    assert (report.written, report.unchanged) == (1, 5)


def test_what_is_gone_from_the_store_is_gone_from_the_export(db: Database, atlas: str, tmp_path: Path):
    export(db, tmp_path / "out")
    write(db, "MATCH (d:Document {id: 'mail/b.txt'})-[:HAS_CHUNK]->(c) DETACH DELETE d, c")
    write(db, "MATCH (e:Entity) SET e.documents = 2")
    report = export(db, tmp_path / "out")
    assert report.removed == 1
    assert not (tmp_path / "out/documents/mail").exists()
    assert all(target.is_file() for _, target in links_in(tmp_path / "out"))


def test_a_folder_with_other_files_is_refused_and_left_alone(db: Database, atlas: str, tmp_path: Path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out/notes.txt").write_text("mine")
    with pytest.raises(LoadError, match="holds files that graphstore did not write: name an empty folder"):
        export(db, tmp_path / "out")
    (tmp_path / "file").write_text("x")
    with pytest.raises(LoadError, match="is a file: name a folder"):
        export(db, tmp_path / "file")
    assert tree(tmp_path) == {"out/notes.txt": b"mine", "file": b"x"}


def test_files_added_to_an_export_are_never_touched(db: Database, atlas: str, tmp_path: Path):
    out = tmp_path / "out"
    export(db, out)
    (out / "pages/mine.md").write_text("mine")
    (out / "documents/mail/notes.md").write_text("mine")
    write(db, "MATCH (d:Document) DETACH DELETE d")
    export(db, out)
    assert tree(out).keys() == {MANIFEST, "index.md", "index.json", "pages/mine.md", "documents/mail/notes.md"}
    add_documents(db, ("mail/notes.md", []))
    with pytest.raises(LoadError, match=r"documents/mail/notes\.md is there and graphstore did not write it"):
        export(db, out)
    assert (out / "documents/mail/notes.md").read_text() == "mine"


@pytest.mark.parametrize("manifest", ["", "[]", "{}", '{"files": [1]}', '{"files": 3}'])
def test_a_damaged_manifest_is_refused(db: Database, tmp_path: Path, manifest: str):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / MANIFEST).write_text(manifest)
    with pytest.raises(LoadError, match="is damaged"):
        export(db, tmp_path / "out")


def test_nothing_outside_the_folder_is_written_or_removed(db: Database, tmp_path: Path):
    names = ["../../etc/x", "/etc/passwd", "a/../../b", "con.md", "é" * 200, "C:\\x.md", "a.md", "A.md"]
    add_documents(db, *((name, []) for name in names))
    add_entity(db, "../../etc/x", "code", *((name, ["../../etc/x"], [f"](../../x) {name}"]) for name in names))
    out = tmp_path / "deep/out"
    out.mkdir(parents=True)
    (tmp_path / "deep/victim.md").write_text("mine")
    victims = ["../victim.md", "pages/../../victim.md", str(tmp_path / "deep/victim.md"), ".bashrc"]
    (out / MANIFEST).write_text(json.dumps({"files": victims}))
    (out / ".bashrc").write_text("mine")
    report = export(db, out)
    assert (report.pages, report.documents, report.removed) == (1, len(names), 0)
    assert {name.split("/")[0] for name in tree(tmp_path / "deep")} == {"out", "victim.md"}
    assert len([name for name in tree(out) if name.startswith("documents/")]) == len(names)
    assert all(target.resolve().is_relative_to(out) and target.is_file() for _, target in links_in(out))


def test_a_folder_replaced_by_a_link_is_not_followed(db: Database, atlas: str, tmp_path: Path):
    out = tmp_path / "out"
    (tmp_path / "elsewhere").mkdir()
    export(db, out)
    for file in (out / "pages").iterdir():
        file.unlink()
    (out / "pages").rmdir()
    (out / "pages").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(LoadError, match="pages is a link that leaves the folder"):
        export(db, out)
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_an_interrupted_export_is_finished_by_the_next(
    db: Database, atlas: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def stop(label: str, done: int, total: int | None) -> None:
        if done == 2:
            raise KeyboardInterrupt

    out = tmp_path / "out"
    with pytest.raises(KeyboardInterrupt):
        export(db, out, progress=stop)
    (out / ".graphstore-part-1").write_text("half")
    report = export(db, out)
    assert (report.pages, report.documents, report.removed) == (1, 3, 0)
    export(db, tmp_path / "whole")
    assert tree(out) == tree(tmp_path / "whole")


def test_a_store_without_documents_exports_an_index(db: Database, tmp_path: Path):
    assert export(db, tmp_path / "out").to_dict() == {
        "pages": 0,
        "documents": 0,
        "written": 2,
        "unchanged": 0,
        "removed": 0,
    }


def test_progress_counts_pages_and_documents(db: Database, atlas: str, tmp_path: Path):
    told: list[tuple[str, int, int | None]] = []
    export(db, tmp_path / "out", progress=lambda *step: told.append(step))
    assert told == [("pages", done, 4) for done in range(1, 5)]


def test_what_a_record_says_is_for_those_who_may_read_the_record(db: Database, atlas: str):
    write(
        db,
        "MATCH (e:Entity) SET e.record_name = 'Atlas Programme', e.record_aliases = ['ATL-1'], "
        "e.attributes = '{\"budget holder\": \"Ines Duarte\"}', e.acl = ['board']",
    )
    page = entity_page(db, "Project Atlas")
    assert (page.name, page.attributes) == ("Atlas Programme", {"budget holder": "Ines Duarte"})
    assert page.aliases[-2:] == ("Atlas Programme", "ATL-1")
    assert entity_page(db, "Atlas", reading("board")).name == "Atlas Programme"
    for who in (reading("bob"), Visibility.of(as_of="2026-12-31")):  # a record has no date: it was not known then
        shown = json.dumps(entity_page(db, "Atlas", who).to_dict())
        assert not [word for word in ("Programme", "ATL-1", "Ines", "budget") if word in shown]
        with pytest.raises(NotFound):
            entity_page(db, "ATL-1", who)
    write(db, "MATCH (e:Entity) SET e.acl = []")
    assert entity_page(db, "Atlas", reading("bob")).name == "Atlas Programme"


def test_a_record_without_two_visible_documents_has_no_page(db: Database):
    add_documents(db, ("a.md", []), ("b.md", ["ann"]))
    key = add_entity(db, "Vega", "project", ("a.md", ["Vega"], []), ("b.md", ["Vega"], []))
    write(db, "MATCH (e:Entity) SET e.record_name = 'Vega Ltd', e.record_aliases = [], e.attributes = '{}', e.acl = []")
    assert entity_page(db, "Vega Ltd", reading("ann")).id == key
    with pytest.raises(NotFound) as error:
        entity_page(db, "Vega Ltd", reading("bob"))
    assert key not in str(error.value)
