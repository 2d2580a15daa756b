"""``graphstore build``: derive again what loading derives."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from graphstore.cli.options import json_option, opened, store_options
from graphstore.cli.output import print_json

if TYPE_CHECKING:
    from graphstore.settings import Settings


@click.command()
@click.argument("what", type=click.Choice(["tools", "map"]), required=False)
@store_options
@json_option
def build(what: str | None, settings: Settings, as_json: bool) -> None:
    """Derive the tool graph's edges and the corpus map's links again from what is stored.

    Loading does this itself; needed after an interruption, or after writing to the graph past graphstore.
    """
    with opened(settings) as store:
        version = store.build(what)
    if as_json:
        print_json({"graph_version": version})
    else:
        click.echo(f"built; graph version {version}")
