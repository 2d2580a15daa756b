"""``graphstore forget``: documents, runs and tools out of the store."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from graphstore.cli.options import json_option, opened, store_options
from graphstore.cli.output import print_json
from graphstore.counts import counted
from graphstore.errors import GraphStoreError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from graphstore.client import GraphStore
    from graphstore.models import Forgotten
    from graphstore.settings import Settings


@click.command()
@click.argument("documents", nargs=-1, metavar="[PATH-OR-ID]...")
@click.option("--runs-before", metavar="DATE", help="Take out the runs that finished before, such as 2026-03-01.")
@click.option("--record", "records", multiple=True, metavar="ID", help="Take out a record of a registry.")
@click.option("--tool", "tools", multiple=True, metavar="ID", help="Take out a tool and every run that called it.")
@store_options
@json_option
def forget(
    documents: tuple[str, ...],
    runs_before: str | None,
    records: tuple[str, ...],
    tools: tuple[str, ...],
    settings: Settings,
    as_json: bool,
) -> None:
    """Take documents out: their text, vectors, links, statements, and entities that only they mention.

    What another document supports too stays. Exported folders follow at the next `pages export`.

    Runs and tools go likewise: what is left is what loading without them gives. Runs without a time stay; of a tool
    that is loaded again nothing is remembered. Of a record the entity stays, under an id of its own, while documents
    mention it.
    """
    if not (documents or runs_before is not None or records or tools):
        raise click.UsageError("name documents, --runs-before DATE, --record ID or --tool ID")
    if runs_before is not None:
        from graphstore.toolgraph.forget import limit_of

        limit_of(runs_before)  # before anything is taken out
    gone: dict[str, Any] = {"forgotten": [], "runs": 0, "stages": [], "tools": [], "records": []}
    try:
        with opened(settings) as store:
            if documents:
                gone["forgotten"] += store.forget(*documents)
            for report in _of_tools(store, runs_before, tools):
                gone["runs"] += report.runs
                gone["stages"] += report.stages
                gone["tools"] += report.tools
            if records:
                gone["records"] += store.forget_records(*records)
    except GraphStoreError:
        if told := _told(gone):
            click.echo(f"forgotten before it failed: {told}", err=True)
        raise
    if as_json:
        print_json(gone)
    else:
        click.echo(f"forgotten: {_told(gone) or 'nothing'}")


def _of_tools(store: GraphStore, runs_before: str | None, tools: tuple[str, ...]) -> Iterator[Forgotten]:
    if runs_before is not None:
        yield store.forget_runs(before=runs_before)
    for tool in dict.fromkeys(tools):
        yield store.forget_tool(tool)


def _told(gone: dict[str, Any]) -> str:
    named = [("document", len(gone["forgotten"])), ("run", gone["runs"]), ("stage", len(gone["stages"]))]
    counts = [*named, ("tool", len(gone["tools"])), ("record", len(gone["records"]))]
    return ", ".join(counted(count, what) for what, count in counts if count)
