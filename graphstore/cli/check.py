"""``graphstore check``: broken invariants."""

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
@store_options
@json_option
def check(settings: Settings, as_json: bool) -> int:
    """Check that counts equal links, no document is half stored, nothing is orphaned, and vectors fit.

    Exit status 1 if a fault was found.
    """
    with opened(settings) as store:
        faults = store.check()
    if as_json:
        print_json({"faults": [asdict(fault) for fault in faults]})
    else:
        for fault in faults:
            click.echo(f"{fault.check}: {fault.where}: {fault.what}")
        click.echo(counted(len(faults), "fault") if faults else "no faults")
    return 1 if faults else 0
