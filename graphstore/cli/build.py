"""``graphstore build``: derive again what loading derives."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from graphstore.cli.model_options import model_options, tell
from graphstore.cli.options import allow_failures_option, extractor_options, json_option, opened, store_options
from graphstore.cli.output import print_json
from graphstore.counts import counted

if TYPE_CHECKING:
    from graphstore.corpusmap.llm.run import ModelOptions
    from graphstore.settings import Settings


@click.command()
@click.argument("what", type=click.Choice(["tools", "map", "words"]), required=False)
@click.option("--refine", is_flag=True, help="Then look again at open names and weak links of the map; undoable.")
@model_options
@allow_failures_option
@store_options
@extractor_options
@json_option
def build(
    what: str | None,
    refine: bool,
    model: ModelOptions | None,
    allow_failures: bool,
    settings: Settings,
    as_json: bool,
) -> int | None:
    """Derive the tool graph's edges and the corpus map's links again from what is stored.

    Loading does this itself; needed after an interruption, or after writing to the graph past graphstore.

    With --refine, names that are open or weakly linked are compared with the whole corpus; what is as clear as the
    store's own sure links is decided and stands in the ledger: `entities undo --refined` takes it back.

    `build words` gives vectors to the words of documents that have none, for `search --token-coverage`.
    """
    if what == "words":
        _words(settings, as_json=as_json, other=refine or model is not None)
        return None
    if refine and what == "tools":
        raise click.UsageError("--refine looks at the map: graphstore build map --refine")
    if refine and model is not None:
        raise click.UsageError("build with the model first, then: graphstore build map --refine")
    if model is not None:
        return _with_model(what, model, settings, as_json=as_json, allow_failures=allow_failures)
    with opened(settings) as store:
        version = store.build("tools") if what != "map" else 0
        built = store.build_map() if what != "tools" else None
        refined = store.refine_map() if refine else None
    if built:
        version = built.graph_version
        if built.extracted:
            click.echo(f"{counted(built.extracted, 'document')} read again: what reads them has changed", err=True)
        version = refined.graph_version if refined else version
    if as_json:
        counts = {"decided": built.decided, "extracted": built.extracted} if built else {}
        print_json({"graph_version": version, **counts, **({"refined": refined.to_dict()} if refined else {})})
        return None
    decided = f"{counted(built.decided, 'document')} decided otherwise; " if built else ""
    click.echo(f"built; {decided}graph version {version}")
    if refined:
        sure = f"{refined.precision:.1%} of sure links told right" if refined.precision else "no measure in this corpus"
        click.echo(
            f"refined; {refined.examined} examined, {refined.linked} linked, {refined.opened} opened again ({sure})"
        )
    return None


def _words(settings: Settings, *, as_json: bool, other: bool) -> None:
    if other:
        raise click.UsageError("--refine and models are for the map: graphstore build map")
    with opened(settings) as store:
        documents = store.build_words()
    if as_json:
        print_json({"documents": documents})
    else:
        click.echo(f"vectors of the words of {counted(documents, 'document')}")


def _with_model(
    what: str | None, model: ModelOptions, settings: Settings, *, as_json: bool, allow_failures: bool
) -> int:
    if what != "map":
        raise click.UsageError("--builder llm reads documents: graphstore build map --builder llm")
    with opened(settings) as store:
        built, asked = store.build_map_with_model(options=model)
    tell(asked)
    for why in built.rejected:
        click.echo(f"skipped: {why}", err=True)
    if as_json:
        print_json({**asdict(built), "model": asked.to_dict()})
    else:
        click.echo(f"built; {counted(built.extracted, 'document')} read again, {built.decided} decided otherwise")
    return 1 if built.rejected and not allow_failures else 0
