"""``graphstore backup`` and ``graphstore restore``: a store in one file, and a store from one."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from graphstore.cli.options import json_option, opened, progress, store_options
from graphstore.cli.output import print_json
from graphstore.counts import counted

if TYPE_CHECKING:
    from graphstore.backups import Held
    from graphstore.settings import Settings

_FILE = click.Path(path_type=Path, dir_okay=False)


@click.command()
@click.argument("file", type=_FILE)
@click.option("--replace", is_flag=True, help="Write over FILE if it is there.")
@store_options
@json_option
def backup(settings: Settings, file: Path, replace: bool, as_json: bool) -> None:
    """Write the whole store to FILE, as one state of it was: documents and the ledger too, whoever may read them.

    FILE is there when it is whole, and not before. Only you may read it.
    """
    with opened(settings, accept_encoder=True) as store:
        held = store.backup(file, replace=replace)
    _say(held, file, f"backed up to {file}", as_json)


@click.command()
@click.argument("file", type=_FILE)
@store_options
@json_option
def restore(settings: Settings, file: Path, as_json: bool) -> None:
    """Bring FILE, made by `graphstore backup`, back into an empty store.

    FILE is looked at from end to end before anything is written. A store that is half restored opens for nobody: the
    same command begins anew.
    """
    from graphstore.client import GraphStore

    with progress() as report:
        held = GraphStore.restore(file, settings=settings, progress=report)
    _say(held, file, f"restored from {file}", as_json)


def _say(held: Held, file: Path, done: str, as_json: bool) -> None:
    if as_json:
        print_json({"file": str(file), **asdict(held)})
    else:
        click.echo(f"{counted(held.nodes, 'node')}, {counted(held.relationships, 'relationship')} {done}")
