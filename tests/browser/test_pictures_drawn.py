"""The files of `graphstore show` in headless Chromium: they fetch nothing, and nothing covers anything."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from graphstore.db import Database
from graphstore.pictures import picture

if TYPE_CHECKING:
    from graphstore.server import ServerAddress

pytestmark = pytest.mark.browser
PHOTOGRAPHED = {"show-tool", "show-entity"}  # what docs/browser.md shows
SHOWN = {"show-tool": "approve_permission_request", "show-entity": "Project Atlas", "show-chinese": "平台工程部"}


@pytest.fixture(scope="module")
def store(demo: ServerAddress) -> Iterator[Database]:
    with Database.open(demo.uri, (demo.username, demo.password)) as database:
        yield database


@pytest.fixture
def tab(chromium: Any) -> Iterator[Any]:
    tab = chromium.new_page(viewport={"width": 1200, "height": 760})
    yield tab
    tab.close()


@pytest.mark.parametrize("name", SHOWN)
def test_boxes_lie_side_by_side_and_nothing_is_fetched(
    store: Database, tab: Any, tmp_path: Path, images: Path | None, name: str
):
    shown = picture(store, SHOWN[name])
    file = tmp_path / "picture.html"
    file.write_text(shown.to_html(), "utf-8")
    requests: list[str] = []
    tab.on("request", lambda request: requests.append(request.url))
    tab.goto(file.as_uri())
    boxes = [each.bounding_box() for each in tab.locator("div.box").all()]
    assert len(boxes) == len(shown.spots)
    assert tab.locator("path").count() == len(shown.lines)
    assert requests == [file.as_uri()]
    assert [pair for pair in combinations(boxes, 2) if overlap(*pair)] == []
    if images is not None and name in PHOTOGRAPHED:
        tab.screenshot(path=images / f"{name}.png", full_page=True)


def test_box_that_is_pointed_at_holds_back_what_it_is_not_joined_to(store: Database, tab: Any, tmp_path: Path):
    shown = picture(store, SHOWN["show-entity"])
    file = tmp_path / "picture.html"
    file.write_text(shown.to_html(), "utf-8")
    tab.goto(file.as_uri())
    other = next(spot for spot in shown.spots if spot.column == "right")
    tab.hover(f'[data-id="{other.id}"]')
    joined = {line.source for line in shown.lines if line.target == other.id}
    assert tab.locator("div.box.lit").count() == len(joined) + 1


def test_interactive_picture_is_drawn_offline(store: Database, tab: Any, tmp_path: Path):
    pytest.importorskip("neo4j_viz", reason="neo4j-viz is not installed: the extra viz brings it")
    file = tmp_path / "picture.html"
    file.write_text(picture(store, SHOWN["show-tool"]).to_html(interactive=True), "utf-8")
    requests: list[str] = []
    tab.on("request", lambda request: requests.append(request.url))
    tab.context.set_offline(True)
    tab.goto(file.as_uri())
    tab.wait_for_selector("canvas")
    assert requests == [file.as_uri()]


def overlap(a: dict[str, float], b: dict[str, float]) -> bool:
    apart_x = a["x"] + a["width"] <= b["x"] or b["x"] + b["width"] <= a["x"]
    apart_y = a["y"] + a["height"] <= b["y"] or b["y"] + b["height"] <= a["y"]
    return not (apart_x or apart_y)
