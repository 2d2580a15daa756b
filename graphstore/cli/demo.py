"""``graphstore demo``: the sample through both graphs."""

from __future__ import annotations

import time
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import click

from graphstore.cli.options import json_option, opened, store_options
from graphstore.cli.output import print_json, summary
from graphstore.counts import counted

if TYPE_CHECKING:
    from graphstore.client import GraphStore
    from graphstore.models import SearchResult, ToolHit
    from graphstore.settings import Settings

REQUEST = "approve that document access request"
QUESTION = "Is Project Atlas blocked, and by whom?"


@click.command()
@click.option(
    "--pages",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("graphstore-demo"),
    show_default=True,
    help="Folder for the entity pages.",
)
@store_options
@json_option
def demo(folder: Path, settings: Settings, as_json: bool) -> None:
    """Load the sample of a fictional company, ask one question of each graph, write the entity pages.

    Refuses a store that holds other data; run again, it changes nothing.
    """
    started = time.perf_counter()
    with resources.as_file(resources.files("graphstore.sample")) as sample, opened(settings) as store:
        _refuse_other_data(store, sample)
        reports = [
            store.load_tools(sample / "tools.json"),
            store.load_logs(sample / "task_logs"),
            store.load_documents(sample / "documents"),
        ]
        hits = store.tools(REQUEST, k=8)
        found = store.search(QUESTION, k=10)
        exported = store.export_pages(folder)
    seconds = time.perf_counter() - started
    if as_json:
        print_json(
            {
                "loaded": [report.to_dict() for report in reports],
                "tools": [hit.to_dict() for hit in hits],
                "search": found.to_dict(),
                "export": exported.to_dict(),
                "seconds": round(seconds, 1),
            }
        )
        return
    lines = ["; ".join(map(summary, reports)), *_tool_lines(hits), *_search_lines(found)]
    made = f"{counted(exported.pages, 'entity page')} and {counted(exported.documents, 'document')}"
    lines.append(f"{made} in {folder}/ ({seconds:.0f} s)")
    lines.append(f'next: {folder}/index.md · graphstore page "Project Atlas" · graphstore query "MATCH (n) RETURN n"')
    lines.append("      graphstore down stops the server; graphstore reset deletes the store")
    for line in lines:
        click.echo(line)


def _refuse_other_data(store: GraphStore, sample: Path) -> None:
    from graphstore.errors import GraphStoreError

    others = store.beside(tools=sample / "tools.json", logs=sample / "task_logs", documents=sample / "documents")
    if others:
        raise GraphStoreError(
            f"the store holds other data ({', '.join(others)}); give the demo one of its own: "
            "graphstore demo --home FOLDER"
        )


def _tool_lines(hits: list[ToolHit]) -> list[str]:
    return [f"tools for “{REQUEST}”:", "  " + ", ".join(hit.id for hit in hits)]


def _search_lines(found: SearchResult) -> list[str]:
    pages = "  pages: " + ", ".join(page.name for page in found.pages[:5])
    return [f"evidence for “{QUESTION}”:", pages, *(f"  {hit.path}  {hit.title}" for hit in found.documents)]
