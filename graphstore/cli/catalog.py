"""``graphstore catalog``: the types of entity that documents are read with."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from graphstore.cli.model_options import proposing_options, tell
from graphstore.cli.options import json_option, opened, store_options
from graphstore.cli.output import print_json

if TYPE_CHECKING:
    from graphstore.client import GraphStore
    from graphstore.corpusmap.catalog import Catalog
    from graphstore.corpusmap.llm.run import ModelOptions, ModelReport
    from graphstore.settings import Settings

_NEXT = "documents that are stored are read again by: graphstore build map"


@click.group()
def catalog() -> None:
    """The types of entity that documents are read with; every version is kept. docs/catalog.md says more."""


@catalog.command("list")
@store_options
@json_option
def list_catalogs(settings: Settings, as_json: bool) -> None:
    """Every kept version: its number, when and of what it was made, its own types; * marks the one in use."""
    with opened(settings) as store:
        kept = store.catalogs()
    if as_json:
        print_json({"catalogs": [{"note": k.note, "at": k.at, "used": k.used, **_row(k.catalog)} for k in kept]})
        return
    for each in kept:
        own = ", ".join(kind.name for kind in each.catalog.own) or "no types of its own"
        mark = "*" if each.used else " "
        click.echo(f"{mark} {each.catalog.version}  {each.at}  {each.catalog.source} ({each.note}): {own}")
    if not any(each.used for each in kept):
        click.echo("* 0  the built-in types")


@catalog.command("show")
@click.argument("version", type=click.IntRange(0), required=False)
@click.option("--toml", is_flag=True, help="Print its own types as a catalog.toml, to be changed and used.")
@store_options
@json_option
def show_catalog(version: int | None, toml: bool, settings: Settings, as_json: bool) -> None:
    """The catalog in use, or VERSION: its types (* not built in), and what was refused and why."""
    from graphstore.corpusmap.catalog_file import as_toml, describe

    with opened(settings) as store:
        found = store.catalog(version=version)
    if as_json:
        print_json(_row(found))
    else:
        click.echo(as_toml(found) if toml else "\n".join([f"version {found.version}", *describe(found)]), nl=not toml)


@catalog.command("propose")
@click.option("--use", "use_it", is_flag=True, help="Use it at once.")
@proposing_options
@store_options
@json_option
def propose_catalog(use_it: bool, model: ModelOptions | None, settings: Settings, as_json: bool) -> None:
    """Make a catalog of the stored documents: proposed from several samples, tried, revised, kept, not yet used.

    By patterns and counts, here; or by a language model, which sees the beginnings of up to 64 documents that everybody
    may read.
    """
    asked: ModelReport | None = None
    with opened(settings) as store:
        if model is None:
            found = store.propose_catalog()
        else:
            found, asked = store.propose_catalog_with_model(options=model)
            tell(asked)
        if use_it:
            store.use_catalog(found.version)
    if asked is not None and not asked.usage.stages:
        click.echo("nothing was asked: the store has no document that everybody may read", err=True)
    _tell(found, asked, as_json=as_json, after=_NEXT if use_it else f"use it: graphstore catalog use {found.version}")


@catalog.command("use")
@click.argument("which", metavar="FILE-OR-VERSION")
@store_options
@json_option
def use_catalog(which: str, settings: Settings, as_json: bool) -> None:
    """Read documents with a catalog from now on: a catalog.toml, kept as a version, or a version (0 is built in).

    It changes what things are called, not which things are one. Documents that it does not concern stay as they are.
    """
    with opened(settings) as store:
        found = store.use_catalog(int(which) if which.isdigit() else Path(which))
    _tell(found, as_json=as_json, after=_NEXT)


@catalog.command("diff")
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW", required=False)
@store_options
@json_option
def diff_catalogs(old: str, new: str | None, settings: Settings, as_json: bool) -> None:
    """What differs from OLD to NEW, versions or files; to the catalog in use without NEW."""
    from graphstore.corpusmap.catalog_file import difference

    with opened(settings) as store:
        lines = difference(_named(store, old), _named(store, new) if new else store.catalog())
    if as_json:
        print_json({"differences": lines})
    else:
        click.echo("\n".join(lines) or "no difference")


def _named(store: GraphStore, which: str) -> Catalog:
    from graphstore.corpusmap.catalog_file import read_catalog

    return store.catalog(version=int(which)) if which.isdigit() else read_catalog(Path(which))


def _row(found: Catalog) -> dict[str, Any]:
    return {
        "version": found.version,
        "source": found.source,
        "types": [asdict(kind) for kind in found.types],
        "refused": [asdict(each) for each in found.refused],
    }


def _tell(found: Catalog, asked: ModelReport | None = None, *, as_json: bool, after: str) -> None:
    from graphstore.corpusmap.catalog_file import describe

    if as_json:
        print_json({**_row(found), **({"model": asked.to_dict()} if asked else {})})
        return
    own = {kind.name for kind in found.own}
    click.echo(f"version {found.version} of the catalog")
    for line in describe(found):
        if line.split(" *:")[0] in own or line.startswith("refused "):
            click.echo(f"  {line}")
    click.echo(after if own or not found.version else "it has no types of its own: the built-in ones", err=True)
