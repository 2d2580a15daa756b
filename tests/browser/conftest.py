"""Headless Chromium and a demo store, for `make test-browser`; `make test` leaves these tests out.

``GRAPHSTORE_SCREENSHOTS`` names a folder: what is checked is photographed there too. ``GRAPHSTORE_DEMO_HOME``
names the home of a demo store to be used as it is.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from graphstore import GraphStore
from graphstore.settings import Settings

if TYPE_CHECKING:
    from graphstore.server import ServerAddress

SAMPLE = Path(__file__).parents[2] / "graphstore" / "sample"
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def images() -> Path | None:
    """The folder for pictures, if they are wanted."""
    folder = os.environ.get("GRAPHSTORE_SCREENSHOTS")
    return Path(folder) if folder else None


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """Headless Chromium, as installed on this machine."""
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="playwright is not installed: make test-browser does it"
    )
    program = next((found for name in CHROMIUM if (found := shutil.which(name))), None)
    if program is None:
        pytest.skip("no Chromium here: install chromium and, for Chinese, fonts-noto-cjk")
    arguments = [
        "--no-sandbox",  # root in a container has no user namespaces, and the only pages are ours
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",  # what they show comes from this machine alone
    ]
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=program, args=arguments)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerAddress]:
    """An embedded server that holds the sample."""
    from graphstore.server import ensure_running, scratch_server

    defaults = Settings.load()
    if home := os.environ.get("GRAPHSTORE_DEMO_HOME"):
        yield ensure_running(Path(home), cache=defaults.cache, heap=defaults.heap, maven=defaults.maven)
        return
    with scratch_server() as address:
        settings = Settings(
            uri=address.uri, password=address.password, cache=tmp_path_factory.mktemp("cache"), encoder=defaults.encoder
        )
        with GraphStore.connect(settings) as store:
            store.load_tools(SAMPLE / "tools.json")
            store.load_logs(SAMPLE / "task_logs")
            store.load_documents(SAMPLE / "documents")
        yield address
