"""``graphstore console``: Cypher at a prompt, or a script of it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from graphstore.cli.options import format_option, opened, param_option, store_options

if TYPE_CHECKING:
    from graphstore.console.formats import Format
    from graphstore.settings import Settings


@click.command()
@param_option
@store_options
@format_option
def console(parameters: dict[str, Any], settings: Settings, form: Format) -> int:
    """Run Cypher that is typed or, without a terminal, read from stdin; `:help` lists the commands.

    A statement ends with `;` or, at the prompt, with an empty line. Nothing can be changed before `:write`. Ctrl-C
    stops a statement on the server. What fails is one line, and the console goes on; a script in which something
    failed ends with exit status 1.
    """
    from graphstore.console.session import Session

    with opened(settings, accept_encoder=True) as store:
        if sys.stdin.isatty() and (sys.stdout.isatty() or sys.stderr.isatty()):
            from graphstore.console.prompt import converse

            converse(Session(store, form, parameters=parameters, talkative=True), settings.cache / "console_history")
            return 0
        session = Session(store, form, parameters=parameters)
        session.stream(sys.stdin)
        return 1 if session.failures else 0
