"""``graphstore grep`` and ``graphstore neighbours``: what agents look with, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from graphstore.cli.options import as_of_option, count_option, json_option, opened, reader_option, store_options
from graphstore.cli.output import print_answer

if TYPE_CHECKING:
    from graphstore.settings import Settings

_BUDGET = click.option(
    "--max-tokens", type=click.IntRange(100), default=20_000, show_default=True, metavar="N", help="Most tokens shown."
)


@click.command()
@click.argument("pattern")
@click.option("--regex", "expression", is_flag=True, help="PATTERN is a regular expression.")
@click.option("--case", is_flag=True, help="Tell capitals from small letters.")
@click.option("--folder", help="Only documents in this folder.")
@click.option("-C", "--context", type=click.IntRange(0, 10), default=0, metavar="N", help="Lines around each match.")
@click.option("--start", type=click.IntRange(1), default=1, metavar="N", help="Matching line to begin at.")
@click.option(
    "--seconds", type=click.FloatRange(0.1, 600), default=30.0, show_default=True, help="Time; the rest is told."
)
@_BUDGET
@store_options
@reader_option
@as_of_option
@json_option
def grep(
    pattern: str,
    expression: bool,
    case: bool,
    folder: str | None,
    context: int,
    start: int,
    seconds: float,
    max_tokens: int,
    settings: Settings,
    reader: tuple[str, ...] | None,
    as_of: str | None,
    as_json: bool,
) -> None:
    """The lines of all documents that hold PATTERN, by document."""
    with opened(settings) as store:
        found = store.navigation(reader=reader, as_of=as_of).grep(
            pattern,
            expression=expression,
            case=case,
            folder=folder,
            context=context,
            start=start,
            seconds=seconds,
            max_tokens=max_tokens,
        )
    print_answer(found, as_json=as_json)


@click.command()
@click.argument("of")
@count_option(10, most=100)
@_BUDGET
@store_options
@reader_option
@as_of_option
@json_option
def neighbours(
    of: str,
    k: int,
    max_tokens: int,
    settings: Settings,
    reader: tuple[str, ...] | None,
    as_of: str | None,
    as_json: bool,
) -> None:
    """What is near OF: of an entity the entities in its documents, of a document those with the same rare entities."""
    with opened(settings) as store:
        near = store.navigation(reader=reader, as_of=as_of).neighbours(of, k=k, max_tokens=max_tokens)
    print_answer(near, as_json=as_json)
