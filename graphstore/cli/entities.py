"""``graphstore entities``: the registry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from graphstore.cli.options import as_of_option, count_option, json_option, opened, reader_option, store_options
from graphstore.cli.output import print_json

if TYPE_CHECKING:
    from graphstore.corpusmap.duplicates import Candidate, Duplicate
    from graphstore.settings import Settings


@click.group()
def entities() -> None:
    """The registry of entities."""


@entities.command("list")
@click.option("--type", "type_name", help="Only entities of this type.")
@store_options
@reader_option
@as_of_option
@json_option
def list_entities(
    type_name: str | None, settings: Settings, reader: tuple[str, ...] | None, as_of: str | None, as_json: bool
) -> None:
    """Cross-document entities that have a page, most documents first."""
    with opened(settings) as store:
        found = store.entities(type=type_name, reader=reader, as_of=as_of)
    if as_json:
        print_json({"entities": found})
        return
    for entity in found:
        click.echo(f"{entity['documents']:>5}  {entity['type'] or 'untyped':<13} {entity['name']}  ({entity['id']})")


@entities.command("duplicates")
@count_option(20)
@store_options
@reader_option
@as_of_option
@json_option
def list_duplicates(
    k: int, settings: Settings, reader: tuple[str, ...] | None, as_of: str | None, as_json: bool
) -> None:
    """Pairs of entities that may be one, surest first, with the reasons; nothing is merged."""
    with opened(settings) as store:
        found = store.duplicates(k=k, reader=reader, as_of=as_of)
    if as_json:
        print_json({"duplicates": [_as_json(pair) for pair in found]})
        return
    for pair in found:
        click.echo(f"{pair.confidence:.2f}  {_named(pair.keep)} = {_named(pair.merge)}: {'; '.join(pair.reasons)}")


def _named(entity: Candidate) -> str:
    return f"{entity.name} ({entity.kind}, {len(entity.documents)} documents, {entity.id})"


def _as_json(pair: Duplicate) -> dict[str, Any]:
    keep, merge = (
        {"id": each.id, "name": each.name, "type": each.kind, "documents": len(each.documents)}
        for each in (pair.keep, pair.merge)
    )
    return {
        "keep": keep,
        "merge": merge,
        "confidence": pair.confidence,
        "because": list(pair.reasons),
        "shared_documents": pair.shared,
    }
