"""Pictures: what they show, and that the file needs nothing else."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest

from graphstore.models import EntityPage, Fact, PageDocument
from graphstore.pages.build import named
from graphstore.pictures import Picture
from graphstore.pictures.html import html
from graphstore.pictures.read import LIMIT, entity_picture, tool_picture

TOOL = {"id": "cal/create", "name": "create_event", "domain": "calendar", "description": "Creates.", "runs": 5}


def edge(id: str, type: str = "NEXT", *, outgoing: bool = True, itself: bool = False, **values: Any) -> dict[str, Any]:
    empty = dict.fromkeys(("domain", "description", "count", "weight", "score", "kind", "parameter"))
    return {**empty, "id": id, "name": id, "type": type, "outgoing": outgoing, "itself": itself, **values}


def page(documents: int = 2, name: str = "李伟 <b>") -> EntityPage:
    found = tuple(PageDocument(f"d{n}", f"mail/{n}.md", f"Title {n}", f"2026-01-{n + 1:02}") for n in range(documents))
    facts = (*(Fact(f"statement {n}", "d0", None) for n in range(4)), Fact("one", "d1", None))
    return EntityPage("e1", name, "person", "person · 2 documents", (), facts, (name,), found, "pages/x.md")


def columns(picture: Picture) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for spot in picture.spots:
        found.setdefault(spot.column, []).append(spot.key)
    return found


def test_tool_stands_between_what_comes_before_and_after_it():
    rows = [
        edge("a", outgoing=False, count=3, weight=2.0),
        edge("b", count=1, weight=0.5),
        edge("c", "SIMILAR", score=0.7),
    ]
    picture = tool_picture(TOOL, rows)
    assert columns(picture) == {"middle": ["cal/create", "c"], "left": ["a"], "right": ["b"]}
    assert [(line.type, line.strength, line.dashed) for line in picture.lines] == [
        ("NEXT", 1.0, False),
        ("NEXT", 0.25, False),
        ("SIMILAR", 0.7, True),
    ]


def test_tool_on_both_sides_stands_on_both_sides_and_is_one_node():
    picture = tool_picture(TOOL, [edge("a", count=1, weight=1.0), edge("a", outgoing=False, count=2, weight=2.0)])
    assert [spot.key for spot in picture.spots] == ["cal/create", "a", "a"]
    assert list(picture.by_key()) == ["cal/create", "a"]
    assert [(n["from"], n["to"]) for n in picture.to_dict()["relationships"]] == [
        ("a", "cal/create"),
        ("cal/create", "a"),
    ]


def test_required_tool_comes_before():
    assert columns(tool_picture(TOOL, [edge("a", "REQUIRES", kind="tool")]))["left"] == ["a"]


def test_call_after_call_of_the_same_tool_is_said_not_drawn():
    picture = tool_picture(TOOL, [edge("cal/create", itself=True, count=3, weight=1.0)])
    assert picture.lines == ()
    assert "called again at once in 3" in picture.subtitle


def test_tool_alone_is_a_picture():
    assert "create_event" in html(tool_picture({**TOOL, "runs": None, "domain": None}, []))


def test_column_that_is_cut_says_so():
    rows = [edge(f"t{n:02}", count=1, weight=1.0) for n in range(LIMIT + 5)]
    picture = tool_picture(TOOL, rows)
    assert picture.headings["right"] == f"comes after · {LIMIT} of {LIMIT + 5} tools"
    assert len(columns(picture)["right"]) == LIMIT


def test_entity_stands_before_its_documents_and_their_entities():
    others = [named("e2", "Atlas", "project", [["Atlas"], ["Atlas"]]), named("e3", "Rare", None, [["Rare"]] * 2)]
    picture = entity_picture(page(), {"d0": ["e2", "e3"], "d1": ["e2", "unseen"]}, others)
    assert columns(picture) == {"left": ["e1"], "middle": ["d0", "d1"], "right": ["e2", "e3"]}
    assert [line.strength for line in picture.lines if line.target == "e1"] == [1.0, 0.25]
    assert "unseen" not in html(picture)


class Elements(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href")]


def test_file_fetches_nothing():
    text = html(entity_picture(page(), {}, []))
    read = Elements()
    read.feed(text)
    assert read.addresses == []
    assert not re.search(r"https?://|@import|url\(", text)
    assert "default-src 'none'" in text


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", '"><img src=x>', "李伟 & 王芳", "a'b"])
def test_names_stay_text(name: str):
    read = Elements()
    read.feed(html(entity_picture(page(name=name), {}, [])))
    assert read.tags.count("script") == 1
    assert "img" not in read.tags


def test_interactive_file_holds_each_thing_once():
    pytest.importorskip("neo4j_viz", reason="neo4j-viz is not installed: the extra viz brings it")
    picture = tool_picture(TOOL, [edge("a", count=1, weight=1.0), edge("a", outgoing=False, count=2, weight=2.0)])
    text = picture.to_html(interactive=True)
    shown = re.search(r'<script type="application/json" id="neo4j-viz-data">(.*?)</script>', text)
    assert shown
    assert [node["id"] for node in json.loads(shown[1])["nodes"]] == ["cal/create", "a"]
    assert not re.search(r'<(script|link)[^>]+(src|href)="?http', text)
