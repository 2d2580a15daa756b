"""``graphstore reindex``: another encoder's vectors for everything."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from graphstore.cli.options import json_option, opened, store_options
from graphstore.cli.output import print_json

if TYPE_CHECKING:
    from graphstore.settings import Settings


@click.command()
@store_options
@json_option
def reindex(settings: Settings, as_json: bool) -> None:
    """Encode tools, past requests and documents again with the configured encoder."""
    with opened(settings, accept_encoder=True) as store:
        counts = store.reindex()
    if as_json:
        print_json(counts)
    else:
        click.echo("encoded again: " + ", ".join(f"{count} {what}" for what, count in counts.items()))
