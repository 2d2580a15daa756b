"""``graphstore search``: candidate pages and documents."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from graphstore.cli.options import (
    as_of_option,
    count_option,
    engine_option,
    json_option,
    opened,
    reader_option,
    store_options,
)
from graphstore.cli.output import print_json
from graphstore.counts import counted
from graphstore.tokens import has_words

if TYPE_CHECKING:
    from graphstore.models import DocumentHit, Explanation, SearchResult
    from graphstore.retrieval.engine import EngineName
    from graphstore.settings import Settings

_EMPTY = "`graphstore load docs PATH` loads documents; `graphstore status` says what the store holds"


@click.command()
@click.argument("query")
@count_option(10)
@click.option("--type", "type_", metavar="TYPE", help="Pages of this type of entity, and documents that mention one.")
@click.option("--folder", metavar="PATH", help="Documents in this folder, and pages that link one.")
@click.option("--since", metavar="DATE", help="Documents known from this day on or later, as 2026-03-01.")
@click.option("--until", metavar="DATE", help="Documents known up to this day.")
@click.option("--max-tokens", type=click.IntRange(1), help="The most tokens of the answer; the rest is counted.")
@click.option("--explain", is_flag=True, help="Seeds, beam and weights, and the Cypher that shows the same paths.")
@click.option("--token-coverage", is_flag=True, help="Count words held nearly, by vectors that `build words` makes.")
@engine_option
@store_options
@reader_option
@as_of_option
@json_option
def search(
    query: str,
    k: int,
    type_: str | None,
    folder: str | None,
    since: str | None,
    until: str | None,
    max_tokens: int | None,
    explain: bool,
    token_coverage: bool,
    engine: EngineName,
    settings: Settings,
    reader: tuple[str, ...] | None,
    as_of: str | None,
    as_json: bool,
) -> None:
    """Entity pages and documents for QUERY: titles and paths; `page` and `doc` show the texts."""
    with opened(settings) as store:
        found = store.search(
            query,
            k=k,
            type=type_,
            folder=folder,
            since=since,
            until=until,
            max_tokens=max_tokens,
            explain=explain,
            token_coverage=token_coverage,
            reader=reader,
            as_of=as_of,
            engine=engine,
        )
    if as_json:
        print_json(found.to_dict())
        return
    for line in _lines(found):
        click.echo(line)
    if not found.documents:
        from graphstore.retrieval.questions import NO_WORDS

        narrowed = type_ or folder or since or until
        hint = "without --type, --folder, --since and --until there may be some" if narrowed else _EMPTY
        click.echo(hint if has_words(query) else NO_WORDS, err=True)


def _lines(found: SearchResult) -> Iterator[str]:
    if found.pages:
        yield "Pages"
    for page in found.pages:
        yield f"  {page.score:.3f}  {page.name}  ({page.type or 'untyped'}, {counted(page.documents, 'document')})"
    yield "Documents" if found.documents else "No documents"
    for hit in found.documents:
        dated = f"  {hit.date[:10]}" if hit.date else ""
        yield f"  {hit.score:.3f}  {hit.title}  [{hit.path}]{dated}{_way(hit)}"
    if found.left_out:
        yield f"{found.left_out} more left out; a larger --max-tokens shows them"
    if found.explanation:
        yield from _explained(found.explanation, {hit.id: hit.title for hit in found.documents})


def _way(hit: DocumentHit) -> str:
    """How a document was reached: from which document, through which names."""
    names = (f"“{step.name}” in its text" if step.kind == "title" else step.name for step in hit.trail)
    return "  via " + " → ".join(names) if hit.trail else ""


def _explained(told: Explanation, titles: dict[str, str]) -> Iterator[str]:
    yield ""
    yield "Names in the question: " + (", ".join(name for name, _ in told.named) or "none known")
    yield "Weights: " + ", ".join(f"{name} {weight:g}" for name, weight in told.weights)
    yield "Links were followed from"
    for seed in told.seeds:
        why = "gone on from" if seed.onward else "named" if seed.named else "found"
        yield f"  {seed.prior:.3f}  {seed.title}  [{seed.path}]  {why}"
    if not told.beam:
        yield "No document was reached through a name"
        return
    yield "and led to"
    for hop in told.beam:
        how = "" if hop.entity else f"  its title stands in {hop.source}"
        yield f"  {hop.score:.3f}  {titles.get(hop.target, hop.target)}{how}"
    yield ""
    yield "// The same ways in Neo4j Browser or `graphstore console`:"
    yield told.cypher
