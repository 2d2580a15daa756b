"""``graphstore check``: broken invariants, and their repair."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from graphstore.cli.options import json_option, opened, store_options
from graphstore.cli.output import print_json
from graphstore.counts import counted

if TYPE_CHECKING:
    from graphstore.settings import Settings


@click.command()
@click.option(
    "--repair", is_flag=True, help="Make good what the store itself knows how: derived data, indexes, vectors."
)
@store_options
@json_option
def check(settings: Settings, repair: bool, as_json: bool) -> int:
    """Check that counts equal links, no document is half stored, nothing is orphaned, and vectors fit.

    Exit status 1 if a fault was found, or with --repair if one is left: what it names has to be loaded again.
    """
    with opened(settings) as store:
        done = store.repair() if repair else None
        faults = done.left if done else tuple(store.check())
    if as_json:
        repaired = {"repaired": [asdict(fault) for fault in done.repaired]} if done else {}
        print_json({"faults": [asdict(fault) for fault in faults], **repaired})
        return 1 if faults else 0
    for fault in done.repaired if done else ():
        click.echo(f"repaired: {fault.check}: {fault.where}: {fault.what}")
    for fault in faults:
        click.echo(f"{fault.check}: {fault.where}: {fault.what}")
    click.echo((counted(len(faults), "fault") + (" left" if done else "")) if faults else "no faults")
    return 1 if faults else 0
