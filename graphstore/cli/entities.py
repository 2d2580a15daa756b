"""``graphstore entities``: the registry."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from graphstore.cli.options import json_option, opened, reader_option, store_options
from graphstore.cli.output import print_json

if TYPE_CHECKING:
    from graphstore.settings import Settings


@click.group()
def entities() -> None:
    """The registry of entities."""


@entities.command("list")
@click.option("--type", "type_name", help="Only entities of this type.")
@store_options
@reader_option
@json_option
def list_entities(type_name: str | None, settings: Settings, reader: tuple[str, ...] | None, as_json: bool) -> None:
    """Cross-document entities that have a page, most documents first."""
    with opened(settings) as store:
        found = store.entities(type=type_name, reader=reader)
    if as_json:
        print_json({"entities": found})
        return
    for entity in found:
        click.echo(f"{entity['documents']:>5}  {entity['type'] or 'untyped':<13} {entity['name']}  ({entity['id']})")
