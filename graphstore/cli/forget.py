"""``graphstore forget``: documents, runs and tools out of the store."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from graphstore.cli.options import json_option, opened, store_options
from graphstore.cli.output import print_json

if TYPE_CHECKING:
    from graphstore.client import GraphStore
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
    if not (documents or runs_before or records or tools):
        raise click.UsageError("name documents, --runs-before DATE, --record ID or --tool ID")
    with opened(settings) as store:
        gone = _forgotten(store, documents, runs_before, tools)
        gone["records"] = store.forget_records(*records) if records else []
    if as_json:
        print_json(gone)
    else:
        named = [("document", len(gone["forgotten"])), ("run", gone["runs"]), ("stage", len(gone["stages"]))]
        counts = [*named, ("tool", len(gone["tools"])), ("record", len(gone["records"]))]
        told = [f"{count} {what}{'' if count == 1 else 's'}" for what, count in counts if count]
        click.echo(f"forgotten: {', '.join(told) or 'nothing'}")


def _forgotten(
    store: GraphStore, documents: tuple[str, ...], runs_before: str | None, tools: tuple[str, ...]
) -> dict[str, Any]:
    gone: dict[str, Any] = {"forgotten": store.forget(*documents) if documents else []}
    reports = [store.forget_runs(before=runs_before)] if runs_before else []
    reports += [store.forget_tool(tool) for tool in dict.fromkeys(tools)]
    gone["runs"] = sum(report.runs for report in reports)
    gone["stages"] = [stage for report in reports for stage in report.stages]
    gone["tools"] = [tool for report in reports for tool in report.tools]
    return gone
