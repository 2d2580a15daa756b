"""``graphstore up``, ``down``, ``status`` and ``reset``: the embedded server."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from graphstore.cli.options import json_option, progress, store_options
from graphstore.cli.output import print_json

if TYPE_CHECKING:
    from graphstore.server import ServerAddress, ServerStatus
    from graphstore.settings import Settings


def embedded_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Options of the commands that concern the embedded server only."""
    return store_options(json_option(function))


@click.command()
@click.option("--read-only", is_flag=True, help="Refuse every write, whoever connects.")
@embedded_options
def up(settings: Settings, read_only: bool, as_json: bool) -> None:
    """Start the embedded Neo4j, or say where it is.

    It stays up until `graphstore down`. A server that runs the other way (with or without --read-only) is restarted.
    The first start fetches the server: 200 MB, once a user.
    """
    from graphstore.server import configured, status

    with progress() as report:
        configured(settings, read_only=read_only, progress=report)
    _show(status(settings.home), settings, as_json)


@click.command()
@embedded_options
def down(settings: Settings, as_json: bool) -> None:
    """Stop the embedded Neo4j; its data stay."""
    from graphstore.server import stop

    stopped = stop(settings.home)
    if as_json:
        print_json({"home": str(settings.home), "stopped": stopped})
    else:
        click.echo(f"stopped the server in {settings.home}" if stopped else f"no server runs in {settings.home}")


@click.command()
@embedded_options
def status(settings: Settings, as_json: bool) -> None:
    """Say whether the embedded Neo4j runs, where, and what it holds."""
    from graphstore.server import status

    _show(status(settings.home), settings, as_json)


@click.command()
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--embedded", is_flag=True, help="Delete the embedded store although NEO4J_URI names another server.")
@embedded_options
def reset(settings: Settings, yes: bool, embedded: bool, as_json: bool) -> None:
    """Delete the embedded store and everything in it, as far as it is known what that is.

    The store of a server at NEO4J_URI is never deleted; with one named, --embedded says which store is meant.
    """
    from graphstore.probe import masked
    from graphstore.server import reset, status

    state = status(settings.home)
    if settings.uri and not embedded and not _is_at(settings.uri, state.address):
        raise click.UsageError(
            f"other commands use {masked(settings.uri)} (NEO4J_URI), which reset never touches; "
            f"to delete the embedded store in {settings.home}: graphstore reset --embedded"
        )
    holds = _holdings_or_none(state.address)
    told = ", ".join(f"{count} {name}" for name, count in holds.items()) if holds else "everything in it"
    if not yes:
        click.confirm(f"Delete the store in {settings.home} with {told}?", abort=True, err=True)
    reset(settings.home)
    if as_json:
        print_json({"home": str(settings.home), "reset": True, "held": holds})
    else:
        click.echo(f"deleted the store in {settings.home} with {told}")


def _is_at(uri: str, address: ServerAddress | None) -> bool:
    """Whether an address is that of the embedded server."""
    from urllib.parse import urlsplit

    if address is None:
        return False
    try:
        named = urlsplit(uri)
        return named.hostname in ("localhost", "127.0.0.1") and named.port == urlsplit(address.uri).port
    except ValueError:  # no address at all
        return False


def _holdings_or_none(address: ServerAddress | None) -> dict[str, int] | None:
    """What a running store holds; ``None`` where it cannot be asked: what is broken can be deleted all the same."""
    from graphstore.errors import GraphStoreError

    if address is None:
        return None
    try:
        return _holdings(address)
    except GraphStoreError:
        return None


def _show(state: ServerStatus, settings: Settings, as_json: bool) -> None:
    from graphstore.probe import masked

    address = state.address
    other = masked(settings.uri) if settings.uri else None
    holds = _holdings(address) if address else {}
    facts = {
        "running": state.running,
        "home": str(state.home),
        "uri": address.uri if address else None,
        "username": address.username if address else None,
        "browser": f"{address.http}/browser/" if address and address.http else None,
        "version": state.version,
        "read_only": state.read_only,
        "pid": state.pid,
        "memory_mb": round(state.rss / 1e6) if state.rss else None,
        "holds": holds,
        "other": other,
    }
    if as_json:
        print_json(facts)
    elif not state.running:
        click.echo(f"no server runs in {state.home}; `graphstore up` starts one")
    else:
        mode = "read-only" if state.read_only else "read and write"
        click.echo(f"Neo4j {state.version} ({mode}), process {state.pid}, {facts['memory_mb']} MB, home {state.home}")
        if address:
            click.echo(f"Bolt {address.uri}, user {address.username}, password in {state.home / 'password'}")
            click.echo(f"Browser {facts['browser']}")
            click.echo(", ".join(f"{count} {name}" for name, count in holds.items()))
    if other and not as_json:
        click.echo(f"other commands use {other} (NEO4J_URI), not this server", err=True)


def _holdings(address: ServerAddress) -> dict[str, int]:
    from graphstore.db import Database

    with Database.open(address.uri, (address.username, address.password)) as database:
        return dict(database.read("maintain/holdings")[0])
