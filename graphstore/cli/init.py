"""``graphstore init``: a configuration file to start from."""

from __future__ import annotations

from pathlib import Path

import click

from graphstore.cli.options import json_option
from graphstore.cli.output import print_json


@click.command()
@json_option
def init(as_json: bool) -> None:
    """Write graphstore.toml here: every setting, what it means and its default, to be changed where wanted.

    Nothing else is needed to begin: the store is made by the first command that needs it.
    """
    from graphstore.errors import SettingsError
    from graphstore.settings import CONFIG_FILE, template

    path = Path.cwd() / CONFIG_FILE
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(template())
    except FileExistsError:
        raise SettingsError(f"{path}: is there already; it is left as it is") from None
    except OSError as error:
        raise SettingsError(f"{path}: cannot be written ({error.strerror})") from error
    if as_json:
        print_json({"file": str(path)})
    else:
        click.echo(f"{path}: every setting at its default; flags and environment variables go before it")
