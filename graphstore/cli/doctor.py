"""``graphstore doctor``: what works and what does not between here and the store."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from graphstore.cli.options import json_option
from graphstore.cli.output import print_json

if TYPE_CHECKING:
    from graphstore.doctor import Origin, Report

_COLOURS = {"ok": "green", "warn": "yellow", "fail": "red"}


@click.command()
@click.option("--uri", help="Neo4j server to use instead of the embedded one (NEO4J_URI).")
@click.option("--database", help="Its database (NEO4J_DATABASE).")
@click.option("--home", type=click.Path(path_type=Path), help="Folder of the embedded server (GRAPHSTORE_HOME).")
@json_option
def doctor(uri: str | None, database: str | None, home: Path | None, as_json: bool) -> int:
    """Say what works and what does not between here and the store, with the remedy.

    Looks at settings, Java, the server's files, the home, the disk, the address, TLS, the login, GDS, schema, encoder
    and indexes. Starts and changes nothing; tries a password once. Exit status 1 if something fails.
    """
    from graphstore.doctor import examine

    report = examine(uri=uri, database=database, home=home)
    if as_json:
        print_json(report.to_dict())
    else:
        _show(report)
    return 0 if report.healthy else 1


def _show(report: Report) -> None:
    for origin in report.settings:
        if origin.source != "default":
            click.echo(f"      {'set':<9} {_assigned(origin)}, from {origin.source}")
    defaults = [_assigned(o) for o in report.settings if o.source == "default" and o.value is not None]
    click.echo(f"      {'default':<9} {', '.join(defaults)}")
    for check in report.checks:
        click.echo(f"{click.style(f'{check.status:<5}', fg=_COLOURS[check.status])} {check.check:<9} {check.finding}")
        if check.remedy:
            click.echo(f"{'':<15} → {check.remedy}")
    counts = {status: sum(check.status == status for check in report.checks) for status in _COLOURS}
    click.echo(", ".join(f"{count} {status}" for status, count in counts.items() if count))


def _assigned(origin: Origin) -> str:
    return f"{origin.name}={origin.value}"
