"""``graphstore browser``: Neo4j Browser on this store."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING

import click

from graphstore.cli.options import json_option, progress, store_options
from graphstore.cli.output import print_json

if TYPE_CHECKING:
    from graphstore.settings import Settings

_TEXT_BROWSERS = {"www-browser", "links", "elinks", "lynx", "w3m"}


@click.command()
@click.option("--no-open", is_flag=True, help="Print the address, open no window.")
@click.option(
    "--export",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write the style sheet and the saved queries to DIR instead, to be dropped on Browser's page.",
)
@store_options
@json_option
def browser(no_open: bool, folder: Path | None, settings: Settings, as_json: bool) -> None:
    """Open the server's own Neo4j Browser, its address and user filled in.

    The password is not printed: the file that holds it is named. docs/browser.md shows what to do there.
    """
    if folder is not None:
        _export(folder, as_json)
        return
    url, password = _address(settings)
    opened = not no_open and open_page(url)
    if as_json:
        print_json({"browser": url, "password_file": password, "opened": opened})
        return
    click.echo(url)
    where = f"in {password}, which only you can read" if password else "the one of NEO4J_PASSWORD, or your Aura login"
    click.echo(f"the password is {where}", err=True)
    if not opened and not no_open:
        click.echo("no window was opened: open the address yourself", err=True)
    click.echo("style sheet and saved queries: graphstore browser --export DIR", err=True)


def open_page(url: str) -> bool:
    """Whether a window was opened; a browser that would take over the terminal is not."""
    try:
        controller = webbrowser.get()
    except webbrowser.Error:
        return False
    if Path(getattr(controller, "name", "")).name in _TEXT_BROWSERS:
        return False
    return controller.open(url)


def _address(settings: Settings) -> tuple[str, str | None]:
    """The page's address, and the file of the password if the server is ours."""
    from graphstore.browser.links import browser_url, remote_browser

    if settings.uri:
        return remote_browser(settings.uri, username=settings.username, database=settings.database), None
    from graphstore.server import configured

    with progress() as report:
        server = configured(settings, progress=report)
    assert server.http is not None  # the embedded server always has one
    url = browser_url(server.http, server.uri, username=server.username, database=settings.database)
    return url, str(settings.home / "password")


def _export(folder: Path, as_json: bool) -> None:
    from graphstore.browser.export import export

    files = [str(path) for path in export(folder)]
    if as_json:
        print_json({"folder": str(folder), "files": files})
        return
    for name in files:
        click.echo(name)
    click.echo("drop the .grass file, then the .zip file, on the page of Neo4j Browser (docs/browser.md)", err=True)
