"""``graphstore serve``: navigation as an MCP server."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from graphstore.cli.options import as_of_option, opened, reader_option, store_options

if TYPE_CHECKING:
    from graphstore.settings import Settings


@click.command()
@click.option("--http", is_flag=True, help="Serve over HTTP instead of standard input and output.")
@click.option("--host", help="With --http: address to bind.  [default: 127.0.0.1]")
@click.option("--port", type=click.IntRange(0, 65535), help="With --http: 0 takes a free one.  [default: 8765]")
@click.option(
    "--name",
    "names",
    multiple=True,
    metavar="HOST",
    help="With --http: a further name by which clients reach it (repeatable); others are refused.",
)
@store_options
@reader_option
@as_of_option
def serve(
    http: bool,
    host: str | None,
    port: int | None,
    names: tuple[str, ...],
    settings: Settings,
    reader: tuple[str, ...] | None,
    as_of: str | None,
) -> int:
    """Serve the corpus to agents by the Model Context Protocol, as the reader that --as names.

    The tools: search, read_page, read_document, pages_of_document, neighbours, grep, find_tools. With --http clients
    send GRAPHSTORE_SERVE_TOKEN as bearer token; it is needed where other machines can reach the server.
    """
    from graphstore.extras import require

    if reader is None:
        raise click.UsageError("an agent reads as somebody: name a principal or group with --as (repeatable)")
    if not http and (host or port is not None or names):
        raise click.UsageError("--host, --port and --name go with --http")
    require("mcp", "serve")
    from graphstore.serve.run import Http, log_to_stderr, serve_http, serve_stdio
    from graphstore.serve.server import mcp_server

    log_to_stderr()
    where = Http(host=host or "127.0.0.1", port=8765 if port is None else port, token=settings.serve_token, names=names)
    with opened(settings) as store:
        server = mcp_server(store.navigation(reader=reader, as_of=as_of))
        who = ", ".join(reader)
        if not http:
            click.echo(f"graphstore: serving {who} on standard input and output", err=True)
            return serve_stdio(server, store.close)
        return serve_http(server, where, lambda url: click.echo(f"graphstore: serving {who} at {url}", err=True))
