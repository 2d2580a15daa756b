"""Options of commands that may ask a language model, and how they tell what it cost."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from graphstore.errors import ModelError

if TYPE_CHECKING:
    from graphstore.corpusmap.llm.run import ModelOptions


def _builder(here: str) -> Callable[..., Any]:
    return click.option(
        "--builder",
        type=click.Choice(["local", "llm"]),
        default="local",
        show_default=True,
        help=f"{here}, or the language model that GRAPHSTORE_LLM_URL and GRAPHSTORE_LLM_MODEL name; "
        "docs/llm.md says what is sent to it.",
    )


_SPENDING = (
    click.option("--max-tokens", type=click.IntRange(0), help="llm: the most tokens of this run."),
    click.option("--max-cost", type=click.FloatRange(0), help="llm: the most it may cost; needs a price."),
    click.option("--price-in", type=click.FloatRange(0), help="llm: price of a million tokens read."),
    click.option("--price-out", type=click.FloatRange(0), help="llm: price of a million tokens written."),
    click.option("--concurrency", type=click.IntRange(1, 256), help="llm: calls at a time (8)."),
    click.option("--per-minute", type=click.FloatRange(0, min_open=True), help="llm: calls that begin in a minute."),
)
_READING = (
    _builder("What reads documents: patterns and spaCy here"),
    *_SPENDING,
    click.option("--include-restricted", is_flag=True, help="llm: send documents with an acl too."),
    click.option("--no-catalog", is_flag=True, help="llm: make no type catalog; read with the types that there are."),
    click.option("--new-catalog", is_flag=True, help="llm: make one anew; `build map` reads all again with it."),
    click.option("--no-resolve", is_flag=True, help="llm: leave open what the local resolver leaves open."),
    click.option("--tokens-saved", type=click.IntRange(1), help="llm: per question, for the estimate of break-even."),
    click.option("--price-of-reading", type=click.FloatRange(0), help="llm: what answers questions, per million."),
)
_PROPOSING = (_builder("What proposes types: patterns and counts here"), *_SPENDING)
_FLAGS = ("include_restricted", "no_catalog", "new_catalog", "no_resolve")
_GIVEN = (
    "max_tokens",
    "max_cost",
    "price_in",
    "price_out",
    "concurrency",
    "per_minute",
    "tokens_saved",
    "price_of_reading",
)


def model_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """``--builder`` and what goes with it; the command gets ``model``, ``None`` for the local builder.

    When a run with a model fails, what it had asked till then is told on stderr.
    """
    return _offering(_READING, function)


def proposing_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """``--builder`` and what it may spend, for a command that makes a type catalog and reads nothing else."""
    return _offering(_PROPOSING, function)


def _offering(options: tuple[Callable[..., Any], ...], function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def wrapped(*args: Any, builder: str, **kwargs: Any) -> Any:
        asked = {name: kwargs.pop(name, None) for name in _GIVEN}
        flags = {name: kwargs.pop(name, False) for name in _FLAGS}
        if builder == "local":
            _refuse({**asked, **flags})
            return function(*args, model=None, **kwargs)
        try:
            return function(*args, model=_options(asked, flags), **kwargs)
        except ModelError as error:
            if error.report is not None:
                tell(error.report)
            raise

    for option in reversed(options):
        wrapped = option(wrapped)
    return wrapped


def _options(asked: dict[str, Any], flags: dict[str, bool]) -> ModelOptions:
    from graphstore.corpusmap.llm.run import ModelOptions

    return ModelOptions(
        **{name: value for name, value in asked.items() if value is not None},
        restricted=flags["include_restricted"],
        catalog=not flags["no_catalog"],
        new_catalog=flags["new_catalog"],
        resolve=not flags["no_resolve"],
    )


def _refuse(given: dict[str, Any]) -> None:
    for name, value in given.items():
        if value not in (None, False):
            raise click.UsageError(f"--{name.replace('_', '-')} goes with --builder llm")


def tell(report: Any) -> None:
    """Say on stderr what a run with a model asked."""
    for line in report.lines():
        click.echo(line, err=True)
