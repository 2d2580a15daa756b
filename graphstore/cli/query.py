"""``graphstore query``: Cypher from the shell."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from graphstore.cli.options import json_option, opened, store_options
from graphstore.cli.output import print_json

if TYPE_CHECKING:
    from graphstore.settings import Settings


def _parameters(_ctx: click.Context, _param: click.Parameter, values: tuple[str, ...]) -> dict[str, Any]:
    parsed: dict[str, Any] = {}
    for value in values:
        name, separator, text = value.partition("=")
        if not separator or not name.isidentifier():
            raise click.BadParameter(f"{value!r}: write name=value")
        try:
            parsed[name] = json.loads(text)
        except json.JSONDecodeError:
            parsed[name] = text
    return parsed


@click.command()
@click.argument("cypher")
@click.option(
    "--param",
    "parameters",
    multiple=True,
    metavar="NAME=VALUE",
    callback=_parameters,
    help="A parameter; the value is JSON, or else text (repeatable).",
)
@click.option("--write", is_flag=True, help="Allow writing; without it the statement runs in READ mode.")
@store_options
@json_option
def query(cypher: str, parameters: dict[str, Any], write: bool, settings: Settings, as_json: bool) -> None:
    """Run CYPHER and print its rows: tab-separated, or with --json one object a row and line."""
    with opened(settings) as store:
        first = True
        for row in store.stream(cypher, parameters, write=write):
            if as_json:
                print_json(row)
                continue
            if first:
                click.echo("\t".join(row))
                first = False
            click.echo("\t".join(_cell(value) for value in row.values()))


def _cell(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text.replace("\t", " ").replace("\n", " ")
