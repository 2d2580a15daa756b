"""``graphstore tools`` and ``graphstore paths``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from graphstore.cli.options import count_option, engine_option, json_option, opened, store_options
from graphstore.cli.output import print_json

if TYPE_CHECKING:
    from graphstore.models import Because, StagePaths, ToolHit
    from graphstore.retrieval.engine import EngineName
    from graphstore.settings import Settings

_VERBS = {
    "NEXT": "follows",
    "PREVIOUS": "comes before",
    "SIMILAR": "resembles",
    "REQUIRES": "needed by",
    "PAST": "solved",
    "CLAUSE": "asked for in",
}


@click.command()
@click.argument("query")
@count_option(8)
@click.option("--domain", help="Only tools of this domain.")
@click.option("--server", help="Only tools of this server.")
@click.option("--exclude", multiple=True, metavar="TOOL", help="Leave this tool out (repeatable).")
@engine_option
@store_options
@json_option
def tools(
    query: str,
    k: int,
    domain: str | None,
    server: str | None,
    exclude: tuple[str, ...],
    engine: EngineName,
    settings: Settings,
    as_json: bool,
) -> None:
    """The tools that the whole workflow for QUERY needs, each with its reasons."""
    with opened(settings) as store:
        hits = store.tools(query, k=k, domain=domain, server=server, exclude=exclude, engine=engine)
    if as_json:
        print_json({"query": query, "tools": [hit.to_dict() for hit in hits]})
        return
    width = max((len(hit.id) for hit in hits), default=0)
    for rank, hit in enumerate(hits, start=1):
        click.echo(f"{rank:>3}  {hit.score:.3f}  {hit.id:<{width}}  {_reason(hit)}".rstrip())


def _reason(hit: ToolHit) -> str:
    texts = ["matches the request"] if hit.seed else []
    return "; ".join(texts + [_sentence(reason) for reason in hit.because[:2]])


def _sentence(reason: Because) -> str:
    what = f"“{reason.request}”" if reason.request else reason.source
    return f"{_VERBS[reason.via]} {what}"


@click.command()
@click.argument("stage")
@store_options
@json_option
def paths(stage: str, settings: Settings, as_json: bool) -> None:
    """The successful paths of STAGE side by side: its id (task/stage), its task's id, or its request."""
    with opened(settings) as store:
        found = store.paths(stage)
    if as_json:
        print_json(found.to_dict())
        return
    for line in _compared(found):
        click.echo(line)


def _compared(found: StagePaths) -> list[str]:
    lines = [f"{found.stage}: {found.request}", f"{found.passed} of {found.runs} runs passed"]
    for path in found.paths:
        mark = "*" if path.shortest else " "
        lines.append(f"{mark} {path.efficiency:.2f}  {path.count}x  {path.length} calls  {' > '.join(path.tools)}")
    return [*lines, "* shortest; the number before it: length of the shortest / length of this path"]
