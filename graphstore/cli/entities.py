"""``graphstore entities``: the registry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from graphstore.cli.options import as_of_option, count_option, json_option, opened, reader_option, store_options
from graphstore.cli.output import print_json
from graphstore.counts import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from graphstore.corpusmap.duplicates import Candidate, Duplicate
    from graphstore.corpusmap.ledger import LedgerRow
    from graphstore.settings import Settings


@click.group()
def entities() -> None:
    """The registry of entities."""


@entities.command("list")
@click.argument("query", required=False)
@click.option("-k", "k", type=click.IntRange(1, 1000), help="Results.  [default: 20 with QUERY, else all]")
@click.option("--type", "type_name", help="Only entities of this type.")
@store_options
@reader_option
@as_of_option
@json_option
def list_entities(
    query: str | None,
    k: int | None,
    type_name: str | None,
    settings: Settings,
    reader: tuple[str, ...] | None,
    as_of: str | None,
    as_json: bool,
) -> None:
    """Cross-document entities that have a page, most documents first; then records of registries that have none.

    With QUERY, words of a name or what is said of an entity ("the supplier of the gearbox"), the best: those first
    whose name holds all of its words, then those of which documents say what is nearest to it.
    With --as or --as-of no record is listed that has no page.
    """
    with opened(settings) as store:
        found = store.entities(like=query, k=k, type=type_name, reader=reader, as_of=as_of)
        if query is None and reader is None and as_of is None:
            known = {entity["id"] for entity in found}
            records = [record for record in store.records() if record["id"] not in known]
            found = [*found, *(record for record in records if type_name in (None, record["type"]))][:k]
    if as_json:
        print_json({"entities": found})
        return
    for entity in found:
        click.echo(f"{entity['documents']:>5}  {entity['type'] or 'untyped':<13} {entity['name']}  ({entity['id']})")
    if not found:
        of_type = f" of the type {type_name!r}" if type_name else ""
        click.echo(f"no entity{of_type} that two documents mention", err=True)


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
    if not found:
        click.echo("no two entities look like one", err=True)


_BY = click.option("--by", default="owner", show_default=True, help="Who decides; stands in the ledger.")
_REASON = click.option("--reason", default="", help="Why; stands in the ledger.")


@entities.command("show")
@click.argument("name_or_id")
@store_options
@reader_option
@as_of_option
@json_option
def show_entity(
    name_or_id: str, settings: Settings, reader: tuple[str, ...] | None, as_of: str | None, as_json: bool
) -> None:
    """Why documents are linked to the entity NAME_OR_ID, least sure first, and what its record in a registry says."""
    with opened(settings) as store:
        found = store.entity_decisions(name_or_id, reader=reader, as_of=as_of)
    if as_json:
        print_json(found.to_dict())
        return
    click.echo(f"{found.name} ({found.type or 'untyped'}, {counted(len(found.links), 'document')}, {found.id})")
    if found.aliases:
        click.echo(f"names: {', '.join(found.aliases)}")
    if found.source:
        said = "; ".join(f"{name}: {value}" for name, value in found.attributes.items())
        click.echo(f"record of {found.source}{': ' if said else ''}{said}")
    for link in found.links:
        second = f"; else {link.runner_up[1]} ({link.runner_up[0]})" if link.runner_up else ""
        by = "" if link.decided_by == "local" else f" [{link.decided_by}]"
        click.echo(f"{link.confidence:.2f}  {link.path}  {', '.join(link.names)}: {link.reason}{second}{by}")


@entities.command("merge")
@click.argument("keep")
@click.argument("others", nargs=-1, required=True)
@_REASON
@_BY
@store_options
@json_option
def merge(keep: str, others: tuple[str, ...], reason: str, by: str, settings: Settings, as_json: bool) -> None:
    """Make the entities KEEP and OTHERS one, now and for whatever is loaded later.

    KEEP, by name or id, keeps its id and name; a record of a registry keeps its own in any case.
    """
    with opened(settings) as store:
        _told(store.merge_entities(keep, *others, by=by, reason=reason), as_json)


@entities.command("split")
@click.argument("entity")
@click.option("--documents", "-d", multiple=True, metavar="PATH-OR-ID", help="Mentions in this document (repeatable).")
@click.option("--name", metavar="NAME", help="Mentions under this name, wherever it stands by itself.")
@_REASON
@_BY
@store_options
@json_option
def split(
    entity: str,
    documents: tuple[str, ...],
    name: str | None,
    reason: str,
    by: str,
    settings: Settings,
    as_json: bool,
) -> None:
    """Take mentions that mean something else out of ENTITY, as an entity of their own."""
    if bool(documents) == (name is not None):
        raise click.UsageError("give --documents or --name, one of the two")
    with opened(settings) as store:
        _told([store.split_entity(entity, documents=documents, name=name, by=by, reason=reason)], as_json)


@entities.command("distinct")
@click.argument("a")
@click.argument("b")
@_REASON
@_BY
@store_options
@json_option
def distinct(a: str, b: str, reason: str, by: str, settings: Settings, as_json: bool) -> None:
    """Remember that A and B are two: they are never linked as one, merged or proposed again."""
    with opened(settings) as store:
        _told([store.distinct_entities(a, b, by=by, reason=reason)], as_json)


@entities.command("undo")
@click.argument("number", required=False, type=int, metavar="[LEDGER-ID]")
@click.option("--refined", is_flag=True, help="Take back all that `build map --refine` decided.")
@_BY
@store_options
@json_option
def undo(number: int | None, refined: bool, by: str, settings: Settings, as_json: bool) -> None:
    """Take a decision back, the newest if none is named; links are again what they would be without it."""
    if refined and number is not None:
        raise click.UsageError("give a number or --refined, not both")
    with opened(settings) as store:
        _told(store.undo_decision(number, kind="refine" if refined else None, by=by), as_json)


@entities.command("ledger")
@store_options
@json_option
def list_ledger(settings: Settings, as_json: bool) -> None:
    """Every decision about entities, newest first: who, when, why, what moved; those taken back too."""
    with opened(settings) as store:
        _told(store.ledger(), as_json)


def _told(rows: Sequence[LedgerRow], as_json: bool) -> None:
    if as_json:
        print_json({"ledger": [row.to_dict() for row in rows]})
        return
    for row in rows:
        click.echo(_line(row))
    if not rows:
        click.echo("no decisions in the ledger", err=True)


def _line(row: LedgerRow) -> str:
    about = [f"{name} ({entity})" for name, entity in zip(row.names, row.entities, strict=False)]
    what = " = ".join(about) if row.kind == "merge" else ", ".join(about)
    told = [f"name {row.form}" if row.form else "", ", ".join(row.documents), row.reason]
    told.append(f"{counted(row.changed, 'document')} changed")
    told.append("dormant: what it is about is not there now" if row.dormant else "")
    told.append(f"taken back {row.undone} by {row.undone_by}" if row.undone else "")
    return f"{row.id:>4}  {row.at}  {row.by}  {row.kind}  {what}: {'; '.join(text for text in told if text)}"


def _named(entity: Candidate) -> str:
    return f"{entity.name} ({entity.kind}, {counted(len(entity.documents), 'document')}, {entity.id})"


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
