"""``graphstore tools`` and ``graphstore paths``."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Unpack

import click

from graphstore.cli.options import count_option, engine_option, json_option, opened, store_options
from graphstore.cli.output import print_json
from graphstore.counts import counted

if TYPE_CHECKING:
    from graphstore.models import StagePaths, ToolHit
    from graphstore.retrieval.engine import EngineName
    from graphstore.retrieval.tool_definitions import DefinitionForm, ToolDefinitions
    from graphstore.retrieval.tools import ToolOptions
    from graphstore.settings import Settings


@click.command()
@click.argument("query", required=False)
@count_option(8)
@click.option("--domains", is_flag=True, help="List the domains, those that fit QUERY best first.")
@click.option("--domain", help="Only tools of this domain.")
@click.option("--with-system", "system", is_flag=True, help="With --domain: all tools of the domain “system” too.")
@click.option(
    "--beyond", type=click.IntRange(0), default=0, metavar="N", help="With --domain: the best N of others too."
)
@click.option("--server", help="Only tools of this server.")
@click.option("--exclude", multiple=True, metavar="TOOL", help="Leave this tool out (repeatable).")
@click.option(
    "--schemas",
    type=click.Choice(["openai", "anthropic", "mcp"]),
    help="Print their definitions, ready to be sent to a model in this form.",
)
@click.option("--max-tokens", type=click.IntRange(1), metavar="N", help="With --schemas: most tokens, estimated.")
@click.option("--order", is_flag=True, help="In the likely order of execution instead of best first.")
@engine_option
@store_options
@json_option
def tools(
    query: str | None,
    domains: bool,
    schemas: DefinitionForm | None,
    max_tokens: int | None,
    order: bool,
    engine: EngineName,
    settings: Settings,
    as_json: bool,
    **options: Unpack[ToolOptions],
) -> None:
    """The tools that the whole workflow for QUERY needs, each with its reasons."""
    if max_tokens is not None and schemas is None:
        raise click.UsageError("--max-tokens is a budget for --schemas")
    if domains:
        if schemas or options["domain"]:
            raise click.UsageError("--domains lists what --domain can choose: use one of them")
        _print_domains(settings, query, as_json=as_json)
        return
    if query is None:
        raise click.UsageError("Missing argument 'QUERY'.")
    if order and schemas:
        raise click.UsageError("--order sorts the list of tools; definitions stand best first: use one of them")
    with opened(settings) as store:
        if schemas:
            found = store.tool_definitions(query, schemas=schemas, max_tokens=max_tokens, engine=engine, **options)
            _print_definitions(query, found, as_json=as_json)
            return
        hits = store.tools(query, order=order, engine=engine, **options)
    if as_json:
        print_json({"query": query, "tools": [hit.to_dict() for hit in hits]})
        return
    _print_hits(hits)
    _say_if_wordless(query, hits)


def _say_if_wordless(query: str, hits: list[ToolHit]) -> None:
    from graphstore.navigation.texts import WORDLESS, wordless

    if wordless(query, hits):
        click.echo(WORDLESS, err=True)


def _print_hits(hits: list[ToolHit]) -> None:
    """A line a tool; whether it comes before or after the best one stands before its name."""
    from graphstore.navigation.texts import tool_reason

    best = max(hits, key=lambda hit: hit.score, default=None)
    width = max((len(hit.id) for hit in hits), default=0)
    for rank, hit in enumerate(hits, start=1):
        when = "best" if hit is best else hit.when or ""
        click.echo(f"{rank:>3}  {hit.score:.3f}  {when:<6}  {hit.id:<{width}}  {tool_reason(hit)}".rstrip())


def _print_domains(settings: Settings, query: str | None, *, as_json: bool) -> None:
    with opened(settings) as store:
        found = store.tool_domains(query)
    if as_json:
        print_json({"query": query, "domains": [domain.to_dict() for domain in found]})
        return
    width = max((len(domain.name) for domain in found), default=0)
    for domain in found:
        fit = "" if query is None else f"{'':7}" if domain.fit is None else f"{domain.fit:.3f}  "
        always = "always offered: " if domain.system else ""
        shown = ", ".join(domain.examples) + (", …" if domain.tools > len(domain.examples) else "")
        click.echo(f"{fit}{domain.name:<{width}}  {domain.tools:>4} tools  {always}{shown}")


def _print_definitions(query: str, found: ToolDefinitions, *, as_json: bool) -> None:
    if as_json:
        print_json({"query": query, **found.to_dict()})
        return
    click.echo(json.dumps(list(found.tools), ensure_ascii=False, indent=2))
    click.echo(f"{counted(len(found.tools), 'tool')}, about {found.tokens} tokens", err=True)
    for name, tool in found.names.items():
        if name != tool:
            click.echo(f"{name} is {tool}", err=True)
    for out in found.left_out:
        click.echo(f"left out: {out.id} ({out.reason}; about {out.tokens} tokens)", err=True)
    for note in found.notes:
        click.echo(f"note: {note}", err=True)


_PATHS = 5
"""Paths that are compared on the terminal."""


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


def _compared(found: StagePaths) -> Iterator[str]:
    """A column a path, equal steps of them in one row, and what is known of each below."""
    from graphstore.console.tables import Surface, table
    from graphstore.toolgraph.compared import side_by_side

    yield f"{found.stage}: {found.request}"
    others = [f", {count} {what}" for count, what in ((found.failed, "failed"), (found.unknown, "unknown")) if count]
    yield f"{found.passed} of {found.runs} runs passed{''.join(others)}"
    if not found.paths:
        return
    shown, more = found.paths[:_PATHS], found.paths[_PATHS:]
    names = [f"path {number}{' (shortest)' if path.shortest else ''}" for number, path in enumerate(shown, start=1)]
    rows: list[list[str]] = [
        ["", *("" if step is None else _step(step) for step in row)]
        for row in side_by_side([path.steps for path in shown])
    ]
    rows.append(["runs", *(str(path.count) for path in shown)])
    rows.append(["length", *(str(path.length) for path in shown)])
    rows.append(["calls made", *(_range(path.calls) for path in shown)])
    rows.append(["efficiency", *(f"{path.efficiency:.2f}" for path in shown)])
    fit = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    yield from table(["", *names], rows, Surface(fit=fit))
    if more:
        yield f"and {len(more)} longer or rarer paths: --json lists them"


def _step(step: tuple[str, ...]) -> str:
    return step[0] if len(step) == 1 else "{" + ", ".join(step) + "}"


def _range(calls: tuple[int, ...]) -> str:
    return str(min(calls)) if min(calls) == max(calls) else f"{min(calls)}–{max(calls)}"
