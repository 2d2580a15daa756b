"""``graphstore search``: candidate pages and documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from graphstore.cli.options import count_option, engine_option, json_option, opened, reader_option, store_options
from graphstore.cli.output import print_json

if TYPE_CHECKING:
    from graphstore.retrieval.engine import EngineName
    from graphstore.settings import Settings


@click.command()
@click.argument("query")
@count_option(10)
@engine_option
@store_options
@reader_option
@json_option
def search(
    query: str, k: int, engine: EngineName, settings: Settings, reader: tuple[str, ...] | None, as_json: bool
) -> None:
    """Entity pages and documents for QUERY: titles and paths; `page` and `doc` show the texts."""
    with opened(settings) as store:
        found = store.search(query, k=k, reader=reader, engine=engine)
    if as_json:
        print_json(found.to_dict())
        return
    names = {page.id: page.name for page in found.pages}
    if found.pages:
        click.echo("Pages")
    for page in found.pages:
        click.echo(f"  {page.score:.3f}  {page.name}  ({page.type or 'untyped'})")
    click.echo("Documents" if found.documents else "No documents")
    for hit in found.documents:
        through = [names[entity] for entity in hit.via if entity in names]
        click.echo(f"  {hit.score:.3f}  {hit.title}  [{hit.path}]" + (f"  via {', '.join(through)}" if through else ""))
