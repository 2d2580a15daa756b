"""``graphstore ask``: an agent that navigates the corpus and answers with citations."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from graphstore.cli.options import as_of_option, json_option, opened, reader_option, store_options
from graphstore.cli.output import print_json

if TYPE_CHECKING:
    from graphstore.agent import Step
    from graphstore.settings import Settings

_SHOWN = 100


@click.command()
@click.argument("question")
@click.option("--steps", type=click.IntRange(1, 200), help="Calls of tools that the model may make.  [default: 16]")
@click.option("--max-tokens", type=click.IntRange(1), help="Most tokens, all requests together.  [default: 150000]")
@click.option("--max-cost", type=click.FloatRange(0), help="The most it may cost; needs a price.")
@click.option("--price-in", type=click.FloatRange(0), help="Price of a million tokens read.")
@click.option("--price-out", type=click.FloatRange(0), help="Price of a million tokens written.")
@store_options
@reader_option
@as_of_option
@json_option
def ask(
    question: str,
    steps: int | None,
    max_tokens: int | None,
    max_cost: float | None,
    price_in: float | None,
    price_out: float | None,
    settings: Settings,
    reader: tuple[str, ...] | None,
    as_of: str | None,
    as_json: bool,
) -> None:
    """Have a language model answer QUESTION from the documents, with citations of documents that it has opened.

    The model is the one that GRAPHSTORE_LLM_URL and GRAPHSTORE_LLM_MODEL name; what it reads is sent there. Each step
    is told on stderr.
    """
    from graphstore.llm import Meter

    meter = Meter.of(settings, max_tokens=max_tokens, max_cost=max_cost, price_in=price_in, price_out=price_out)
    with opened(settings) as store:
        found = store.ask(
            question, steps=steps, max_tokens=max_tokens, meter=meter, told=_tell, reader=reader, as_of=as_of
        )
    for line in meter.report().lines():
        click.echo(line, err=True)
    if as_json:
        print_json(found.to_dict())
        return
    click.echo(found.answer)
    if found.citations:
        click.echo("\nDocuments")
        for each in found.citations:
            click.echo(f"  [{each.path}]  {each.title}")


def _tell(step: Step) -> None:
    """A line on stderr, as the step is made."""
    given = step.arguments if isinstance(step.arguments, str) else json.dumps(step.arguments, ensure_ascii=False)
    short = given if len(given) <= _SHOWN else f"{given[:_SHOWN]}…"
    what = step.error or (f"call {step.repeats} again" if step.repeats else f"{step.tokens:,} tokens")
    click.echo(f"{step.number:>3}  {step.tool} {' '.join(short.split())} → {what}", err=True)
