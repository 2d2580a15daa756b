"""``graphstore show``: a picture of a tool's or an entity's neighbourhood."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from graphstore.cli.options import as_of_option, json_option, opened, reader_option, store_options
from graphstore.cli.output import print_json

if TYPE_CHECKING:
    from graphstore.settings import Settings


@click.command()
@click.argument("tool_or_entity")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE.html",
    help="File to write; by default one in this folder, called after what it shows.",
)
@click.option("--interactive", is_flag=True, help="Nodes to drag and search, by neo4j-viz (extra viz): 4 MB a file.")
@click.option("--open", "open_it", is_flag=True, help="Open the file in the web browser.")
@store_options
@reader_option
@as_of_option
@json_option
def show(
    tool_or_entity: str,
    out: Path | None,
    interactive: bool,
    open_it: bool,
    settings: Settings,
    reader: tuple[str, ...] | None,
    as_of: str | None,
    as_json: bool,
) -> None:
    """Draw TOOL_OR_ENTITY in its neighbourhood, as one HTML file that needs no network.

    A tool with those that come before and after it and those similar in meaning; an entity with the documents that
    mention it and the entities that they mention too. A tool's name goes before an entity's.
    """
    from graphstore.pages.paths import page_path

    with opened(settings) as store:
        picture = store.picture(tool_or_entity, reader=reader, as_of=as_of)
    target = out or Path(page_path(picture.title, picture.centre)).with_suffix(".html").name
    path = Path(target)
    _write(path, picture.to_html(interactive=interactive))
    if open_it:
        from graphstore.cli.browser import open_page

        open_page(path.absolute().as_uri())
    if as_json:
        print_json({"file": str(path), **picture.to_dict()})
    else:
        click.echo(f"{path}: {len(picture.spots)} nodes, {len(picture.lines)} relationships")


def _write(path: Path, text: str) -> None:
    from graphstore.errors import GraphStoreError

    try:
        path.write_text(text, "utf-8")
    except OSError as error:
        raise GraphStoreError(f"{path}: cannot be written ({error.strerror}); give another --out") from error
