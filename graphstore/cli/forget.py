"""``graphstore forget``: documents out of the store."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from graphstore.cli.options import json_option, opened, store_options
from graphstore.cli.output import print_json

if TYPE_CHECKING:
    from graphstore.settings import Settings


@click.command()
@click.argument("documents", nargs=-1, required=True, metavar="PATH-OR-ID...")
@store_options
@json_option
def forget(documents: tuple[str, ...], settings: Settings, as_json: bool) -> None:
    """Take documents out: their text, vectors, links, statements, and entities that only they mention.

    What another document supports too stays. Exported folders follow at the next `pages export`.
    """
    with opened(settings) as store:
        gone = store.forget(*documents)
    if as_json:
        print_json({"forgotten": gone})
    else:
        click.echo(f"forgotten: {len(gone)} document{'' if len(gone) == 1 else 's'}")
