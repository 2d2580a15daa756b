"""What a reader gets, at any date, is what a store of only the visible documents gives: nothing hidden contributes."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from graphstore.db import Database
from graphstore.errors import NotFound
from graphstore.names import normalise
from graphstore.pages import document, entities, entity_page, page_text
from graphstore.pages.decided import entity_decisions
from graphstore.pages.duplicates import duplicates
from graphstore.pages.export import MANIFEST, export
from graphstore.pages.read import find_entity
from graphstore.pictures import picture
from graphstore.visibility import Visibility

WRITE = """
UNWIND $documents AS row
CREATE (d:Document {id: row.id, path: row.path, title: row.title, text: row.text, hash: row.id, acl: row.acl,
  created: row.created, modified: row.modified, loaded: '2026-11-01T00:00:00+00:00', metadata: row.metadata,
  earlier: row.earlier})
WITH count(*) AS made
UNWIND $entities AS row
MERGE (t:EntityType {name: row.type})
CREATE (e:Entity {id: row.id, name: row.name, key: row.key, aliases: row.aliases, documents: size(row.links)})
CREATE (e)-[:OF_TYPE]->(t)
WITH e, row UNWIND row.links AS link
MATCH (d:Document {id: link.document})
CREATE (d)-[:MENTIONS {names: link.names, count: 1, weight: 1.0, statements: link.statements, dates: link.dates,
  starts: [x IN link.statements | 0], ends: [x IN link.statements | 1], confidence: link.confidence,
  decision: 'LINK', reason: 'name and mail:' + row.name, decided_by: 'local', at: '2026-11-01'}]->(e)
"""
EMPTY = "MATCH (n) WHERE NOT n:Meta DETACH DELETE n"
NAMES = ["Project Atlas", "Atlas", "Blue Heron", "project-atlas", "Heron", "李伟", "Atlas Two"]
PRINCIPALS = ["ann", "bob", "board"]
DAYS = ["2026-01-10", "2026-02-10T09:00:00", "2026-03-10"]
SAYS = ["{} launches on {} May 2026.", "The owner of {} is Priya Number {}.", "{} met {} people.", "In short: {} {}."]


@dataclass(frozen=True)
class Written:
    """A document: its number, readers and dates."""

    number: int
    acl: tuple[str, ...]
    created: str | None
    modified: str | None

    @property
    def word(self) -> str:
        """Stands in nothing but this document."""
        return f"zq{self.number}x"

    @property
    def row(self) -> dict[str, Any]:
        folder = "Notes" if self.number % 2 else "notes"
        return {
            "id": f"{folder}/{self.word}.md",
            "path": f"{folder}/{self.word}.md",
            "title": f"Title {self.word}",
            "text": f"Text {self.word}.",
            "acl": list(self.acl),
            "created": self.created,
            "modified": self.modified,
            "metadata": json.dumps({"by": self.word}),
            "earlier": [f"old/{self.word}.md"],
        }


@dataclass(frozen=True)
class Linked:
    """A link of a document to an entity: the name it uses, and the form of what it says."""

    document: int
    name: str
    says: int


@dataclass(frozen=True)
class World:
    documents: tuple[Written, ...]
    entities: tuple[tuple[str, tuple[Linked, ...]], ...]

    def rows(self, seen: Callable[[Written], bool]) -> dict[str, Any]:
        """The graph of the documents that are seen, with the link decisions of all."""
        shown = {each.number: each for each in self.documents if seen(each)}
        made = []
        for index, (kind, links) in enumerate(self.entities):
            left = [link for link in links if link.document in shown]
            if left:
                names = [link.name for link in left]
                # the registry's name, as far as a document that is seen uses it: that of the first link
                own = links[0].name if links[0].name in names else "?"
                made.append(
                    {
                        "id": f"{index}a{index}".ljust(32, "e"),
                        "name": own,
                        "key": normalise(own),
                        "type": kind,
                        "aliases": sorted(set(names)),
                        "links": [self._link(shown[link.document], link) for link in left],
                    }
                )
        return {"documents": [each.row for each in shown.values()], "entities": made}

    @staticmethod
    def _link(written: Written, link: Linked) -> dict[str, Any]:
        said = f"{SAYS[link.says].format(link.name, written.number + 1)} {written.word}"
        return {
            "document": written.row["id"],
            "names": [link.name],
            "statements": [said, f"{link.name} is named."],
            "dates": [(written.modified or written.created or "")[:10]] * 2,
            "confidence": 0.7 + written.number / 10,
        }


@st.composite
def worlds(draw: st.DrawFn) -> World:
    acls = st.lists(st.sampled_from(PRINCIPALS), max_size=2, unique=True).map(tuple)
    days = st.none() | st.sampled_from(DAYS)
    documents = tuple(Written(i, draw(acls), draw(days), draw(days)) for i in range(draw(st.integers(2, 6))))
    numbers = st.lists(st.sampled_from(range(len(documents))), min_size=1, unique=True)
    made = []
    for _ in range(draw(st.integers(1, 4))):
        links = [Linked(n, draw(st.sampled_from(NAMES)), draw(st.integers(0, 3))) for n in draw(numbers)]
        made.append((draw(st.sampled_from(["project", "person"])), tuple(links)))
    return World(documents, tuple(made))


def fill(db: Database, rows: dict[str, Any]) -> None:
    list(db.run(EMPTY, write=True))
    list(db.run(WRITE, rows, write=True))


def said(ask: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """The answer, or the error: it says nothing else either."""
    try:
        answer = ask(*arguments, **options)
    except NotFound as error:
        return str(error)
    return answer.to_dict() if hasattr(answer, "to_dict") else answer


def answers(db: Database, who: Visibility, ids: Sequence[str], paths: Sequence[str]) -> dict[str, Any]:
    """All that the pages, documents, lists, pictures and exports of a reader hold."""
    found: dict[str, Any] = {"entities": entities(db, who=who), "of a type": entities(db, "person", who)}
    # of the owner also those of records, which stand in no document: there are none here
    found["duplicates"] = [repr(pair) for pair in duplicates(db, 50, who)]
    for asked in (*ids, *NAMES, "Atlas plan Heron", "zq1x"):
        found[f"page {asked}"] = said(entity_page, db, asked, who)
        found[f"entity {asked}"] = said(find_entity, db, asked, who)
        found[f"text {asked}"] = said(page_text, db, asked, who, max_tokens=400)
        found[f"decisions {asked}"] = said(entity_decisions, db, asked, who)
        found[f"picture {asked}"] = said(picture, db, asked, who)
    for asked in paths:
        found[f"doc {asked}"] = said(document, db, asked, who)
    with tempfile.TemporaryDirectory() as folder:
        found["report"] = export(db, Path(folder), who).to_dict()
        files = [file for file in Path(folder).rglob("*") if file.is_file()]
        found["export"] = {file.relative_to(folder).as_posix(): file.read_text("utf-8") for file in files}
    return found


@settings(deadline=None, max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    worlds(),
    st.none() | st.lists(st.sampled_from(PRINCIPALS), max_size=2),
    st.none() | st.sampled_from(["2026-01-31", "2026-02-10", "2026-06-01"]),
)
@example(  # what is similar to "project-atlas" here is so by "Atlas Two" alone
    World(
        (*(Written(n, (), None, None) for n in range(2)), *(Written(n, (), "2026-01-10", None) for n in range(2, 4))),
        (("project", (Linked(0, "Project Atlas", 0), Linked(2, "Atlas Two", 0), Linked(3, "Heron", 0))),),
    ),
    None,
    "2026-06-01",
)
@example(  # the key of what the reader knows as "project-atlas" is that of a name which is hidden
    World(
        (Written(0, ("ann",), None, None), Written(1, (), None, None)),
        (("project", (Linked(0, "Project Atlas", 0), Linked(1, "project-atlas", 0))),),
    ),
    [],
    None,
)
def test_a_reader_at_a_date_gets_what_the_visible_documents_alone_give(
    db: Database, world: World, reader: list[str] | None, as_of: str | None
):
    who = Visibility.of(reader, as_of)

    def seen(each: Written) -> bool:
        return who.sees(each.acl, (each.modified or each.created or "2026-11-01")[:10])

    whole = world.rows(lambda each: True)
    ids = [row["id"] for row in whole["entities"]]
    paths = [path for row in whole["documents"] for path in (row["path"], *row["earlier"])]
    fill(db, whole)
    got = answers(db, who, ids, paths)
    fill(db, world.rows(seen))
    # a reader of open documents, for whom all of this store is open: who may read is all that differs from the owner
    reference = answers(db, Visibility.of(PRINCIPALS, as_of), ids, paths)
    assert got == (reference if reader is not None else answers(db, Visibility.of(None, as_of), ids, paths))
    # what was asked for is said in an error, so that a hidden path stands there; nothing else of it does
    told = json.dumps({key: value for key, value in got.items() if not key.startswith("doc ")}, default=repr)
    hidden = [each for each in world.documents if not seen(each)]
    assert not [each.word for each in hidden if each.word in told.replace("'zq1x'", "").replace('zq1x":', "")]


def test_the_property_sees_what_it_is_for(db: Database):
    """A world in which hidden documents would add a page, a name, a count, a conflict and a date."""
    world = World(
        (
            Written(0, (), "2026-01-10", None),
            Written(1, ("ann",), "2026-01-10", None),
            Written(2, (), "2026-01-10", "2026-03-10"),
        ),
        (("project", (Linked(1, "Blue Heron", 0), Linked(0, "Atlas", 0), Linked(2, "Atlas", 0))),),
    )
    fill(db, world.rows(lambda each: True))
    owner, bob = Visibility.of(), Visibility.of(["bob"])
    assert entity_page(db, "Atlas", owner).name == "Blue Heron"
    assert len(entity_page(db, "Atlas", owner).conflicts[0].versions) == 3
    assert entity_page(db, "Atlas", bob).name == "Atlas"
    assert len(entity_page(db, "Atlas", bob).conflicts[0].versions) == 2
    assert isinstance(said(entity_page, db, "Atlas", Visibility.of(["bob"], "2026-02-01")), str)
    with tempfile.TemporaryDirectory() as folder:
        export(db, Path(folder), bob)
        assert "zq1x" not in "".join(f.read_text("utf-8") for f in Path(folder).rglob("*") if f.is_file())
        assert (Path(folder) / MANIFEST).is_file()
