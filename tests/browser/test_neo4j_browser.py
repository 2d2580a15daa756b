"""Neo4j Browser in headless Chromium: address, style sheet and saved queries do what docs/browser.md says."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from graphstore import queries
from graphstore.browser.export import ARCHIVE, FOLDER, PARAMETERS_TITLE, STYLE, export, saved_queries, title
from graphstore.browser.links import browser_url
from graphstore.db import Database

if TYPE_CHECKING:
    from graphstore.server import ServerAddress

pytestmark = pytest.mark.browser

# What the mouse does when a file is dropped on the page; Browser listens to these events and to no file input.
_DROP = """([content, name]) => {
  const bytes = Uint8Array.from(atob(content), c => c.charCodeAt(0));
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([bytes], name));
  const target = document.querySelector(".filedrop");
  for (const type of ["dragenter", "dragover", "drop"])
    target.dispatchEvent(new DragEvent(type, {dataTransfer, bubbles: true, cancelable: true}));
}"""
_MILLISECONDS = 180_000  # the page holds 40 MB of scripts, and the machine may be busy
# Saved queries whose graph is shown in docs/browser.md.
PHOTOGRAPHED = {"tool_workflow", "shared_entities", "stage_paths"}


class BrowserPage:
    """Neo4j Browser as its user handles it: one tab of headless Chromium on Neo4j Browser."""

    def __init__(self, tab: Any, images: Path | None) -> None:
        self.tab = tab
        self._images = images
        tab.set_default_timeout(_MILLISECONDS)

    def open(self, url: str) -> None:
        self.tab.goto(url, wait_until="commit")
        self.tab.wait_for_selector("[data-testid=password]")

    def value(self, field: str) -> str:
        return str(self.tab.input_value(f"[data-testid={field}]"))

    def log_in(self, password: str) -> None:
        self.tab.fill("[data-testid=password]", password)
        self.tab.click("[data-testid=connect]")
        self.tab.wait_for_selector("text=You are connected as user")

    def drop(self, file: Path) -> None:
        content = base64.b64encode(file.read_bytes()).decode()
        self.tab.evaluate(_DROP, [content, file.name])

    def style(self) -> str:
        """The style sheet that is in force."""
        self.clear()
        self.run(":style")
        return str(self.frame().inner_text())

    def open_favorites(self) -> None:
        if not self.tab.is_visible("text=Local scripts"):
            self.tab.click("[data-testid=navigationFavorites]")

    def close_drawer(self) -> None:
        if self.tab.is_visible("text=Local scripts"):
            self.tab.click("[data-testid=navigationFavorites]")
            self.tab.wait_for_selector("text=Local scripts", state="hidden")

    def folder(self, name: str) -> list[str]:
        """Titles of the saved queries in a folder, in the order shown."""
        self.open_favorites()
        if not self.tab.is_visible("[data-testid=savedScriptListItem]"):
            self.tab.click(f'[data-testid="expandFolder-{name}"]')
        self.tab.wait_for_selector("[data-testid=savedScriptListItem]")
        return [str(each) for each in self.tab.locator("[data-testid^=scriptTitle-]").all_inner_texts()]

    def run_saved(self, folder: str, title: str) -> None:
        self.clear()
        self.folder(folder)
        self.tab.click(f'[data-testid="scriptTitle-{title}"]')
        self._run()

    def run(self, command: str) -> None:
        self.tab.click("[data-testid=activeEditor]")
        self.tab.keyboard.insert_text(command)
        self._run()

    def frame(self) -> Any:
        """The newest frame of the stream."""
        return self.tab.locator("[data-testid=frame]").first

    def wait_for_frame(self, text: str) -> None:
        self.frame().locator(f"text={text}").first.wait_for()

    def see(self, view: str) -> None:
        """Show the newest result as Graph, Table or Text."""
        self.frame().locator(f"text={view}").first.click()

    def picture(self, name: str) -> None:
        """Keep what the window shows, if pictures are wanted."""
        if self._images is not None:
            self.tab.wait_for_timeout(1500)  # the layout comes to rest
            self.tab.screenshot(path=self._images / f"{name}.png")

    def clear(self) -> None:
        """Empty the stream, so that the next frame is the only one."""
        self.run(":clear")
        self.tab.locator("[data-testid=frame]").first.wait_for(state="detached")

    def _run(self) -> None:
        self.tab.click("[data-testid=editor-Run]")


@pytest.fixture(scope="module")
def page(
    chromium: Any, demo: ServerAddress, images: Path | None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[BrowserPage]:
    """Browser, logged in, with all that `graphstore browser --export` writes dropped on it."""
    assert demo.http is not None
    files = tmp_path_factory.mktemp("export")
    export(files)
    tab = chromium.new_page(viewport={"width": 1400, "height": 640})
    page = BrowserPage(tab, images)
    page.open(browser_url(demo.http, demo.uri, username=demo.username))
    assert (page.value("boltaddress"), page.value("username")) == (demo.uri.removeprefix("bolt://"), demo.username)
    page.picture("browser-connect")
    page.log_in(demo.password)
    page.drop(files / STYLE)
    page.drop(files / ARCHIVE)
    yield page
    tab.close()


@pytest.fixture(scope="module")
def answers(demo: ServerAddress) -> dict[str, int]:
    """How many rows each saved query has for the driver, with the values that its parameters get in Browser."""
    with Database.open(demo.uri, (demo.username, demo.password)) as database:
        values = database.read("retrieve/example_parameters")[0]
        return {
            name: len(list(database.run(queries.load(name).text, values)))
            for name in queries.names()
            if name.startswith("console/")
        }


def test_dropped_style_sheet_is_in_force(page: BrowserPage):
    assert "node.Tool" in page.style()


def test_dropped_archive_is_a_folder_of_saved_queries(page: BrowserPage):
    titles = {title(name.removesuffix(".cypher")) for name in saved_queries()}
    assert set(page.folder(FOLDER)) == {PARAMETERS_TITLE, *titles}


def test_parameters_get_values_that_the_store_holds(page: BrowserPage):
    page.run_saved(FOLDER, PARAMETERS_TITLE)
    page.wait_for_frame("Successfully set your parameters")
    shown = page.frame().inner_text()
    for name in ("tool", "entity", "request", "limit"):
        assert f'"{name}": ' in shown
    page.picture("browser-parameters")


@pytest.mark.parametrize("name", sorted(name for name in queries.names() if name.startswith("console/")))
def test_saved_query_shows_the_rows_that_the_driver_gets(page: BrowserPage, answers: dict[str, int], name: str):
    stem = name.removeprefix("console/")
    page.run_saved(FOLDER, title(stem))
    page.see("Table")
    page.wait_for_frame("tarted streaming" if answers[name] else "no changes, no records")
    if answers[name]:
        assert f"Started streaming {answers[name]} record" in page.frame().inner_text()
    if stem in PHOTOGRAPHED:
        page.close_drawer()
        page.see("Graph")
        page.picture(f"browser-{stem.replace('_', '-')}")
