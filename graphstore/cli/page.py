"""``graphstore page``, ``doc`` and ``pages``: what one entity or one document holds, and all pages as files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from graphstore.cli.options import as_of_option, json_option, opened, reader_option, store_options
from graphstore.cli.output import print_json

if TYPE_CHECKING:
    from graphstore.settings import Settings


@click.command()
@click.argument("name_or_id")
@store_options
@reader_option
@as_of_option
@json_option
def page(name_or_id: str, settings: Settings, reader: tuple[str, ...] | None, as_of: str | None, as_json: bool) -> None:
    """The entity page of NAME_OR_ID as Markdown: overview, latest, facts with their documents, variants."""
    from graphstore.pages.render import page_markdown

    with opened(settings) as store:
        found = store.page(name_or_id, reader=reader, as_of=as_of)
    if as_json:
        print_json(found.to_dict())
    else:
        click.echo(page_markdown(found), nl=False)


@click.command()
@click.argument("path_or_id")
@store_options
@reader_option
@as_of_option
@json_option
def doc(path_or_id: str, settings: Settings, reader: tuple[str, ...] | None, as_of: str | None, as_json: bool) -> None:
    """The document PATH_OR_ID and the pages that mention it."""
    with opened(settings) as store:
        found = store.document(path_or_id, reader=reader, as_of=as_of)
    if as_json:
        print_json(found.to_dict())
        return
    click.echo(f"# {found.title}\n\n{found.text.strip()}\n")
    click.echo("Pages: " + (", ".join(ref.name for ref in found.pages) or "none"))


@click.group()
def pages() -> None:
    """All entity pages as files."""


@pages.command("export")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@store_options
@reader_option
@as_of_option
@json_option
def export(folder: Path, settings: Settings, reader: tuple[str, ...] | None, as_of: str | None, as_json: bool) -> None:
    """Write every page that the reader may see to FOLDER, with an index; only what changed is written."""
    with opened(settings) as store:
        report = store.export_pages(folder, reader=reader, as_of=as_of)
    if as_json:
        print_json(report.to_dict())
    else:
        click.echo(
            f"{folder}: {report.pages} pages, {report.documents} documents; "
            f"{report.written} written, {report.removed} removed"
        )
