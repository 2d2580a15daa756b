"""``graphstore query``: Cypher from the shell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from graphstore.cli.options import format_option, opened, param_option, store_options

if TYPE_CHECKING:
    from graphstore.console.formats import Format
    from graphstore.settings import Settings


@click.command()
@click.argument("cypher")
@param_option
@click.option("--write", is_flag=True, help="Allow writing; without it the statement runs in READ mode.")
@store_options
@format_option
def query(cypher: str, parameters: dict[str, Any], write: bool, settings: Settings, form: Format) -> None:
    """Run CYPHER and print its rows as they arrive. Ctrl-C stops it on the server.

    A table is as wide as the terminal; in a pipe its cells are not cut.
    """
    from graphstore.console import output

    with opened(settings) as store, store.execute(cypher, parameters, write=write) as execution:
        output.write(execution, form)
    if execution.cancelled:
        raise KeyboardInterrupt
    if execution.outcome.changes:
        output.note(output.changes(execution.outcome.changes))
