"""One run of the builder that asks a model: options, the stages in their order, and the report."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

from graphstore.corpusmap.builder import Builder
from graphstore.corpusmap.catalog import Catalog
from graphstore.corpusmap.llm.asking import asking
from graphstore.corpusmap.llm.break_even import TOKENS_SAVED, BreakEven, break_even
from graphstore.corpusmap.llm.cataloging import OTHERWISE, make_catalog, samples_of
from graphstore.corpusmap.llm.reading import ModelBuilder
from graphstore.counts import counted
from graphstore.errors import ModelError, SettingsError
from graphstore.llm.meter import Meter
from graphstore.llm.usage import UsageReport
from graphstore.progress import Progress
from graphstore.records import SourceDocument
from graphstore.settings import Settings

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelOptions:
    """How a model may be used.

    :param max_tokens: The most tokens of this run, input and output together.
    :param max_cost: The most it may cost, in the currency of the price.
    :param price_in: Per million input tokens; looked up if not given.
    :param concurrency: Calls at a time.
    :param per_minute: The most calls that begin in a minute.
    :param restricted: Whether documents that only some may read are sent too; else the local builder reads them.
    :param catalog: Whether a store without types of its own gets a catalog by the model.
    :param new_catalog: Whether one is made although there is one: everything is read again.
    :param resolve: Whether the model is asked what the local resolver leaves open.
    :param tokens_saved: Per question, for the break-even estimate.
    :param price_of_reading: Per million tokens of the model that answers questions, for the same.
    """

    max_tokens: int | None = None
    max_cost: float | None = None
    price_in: float | None = None
    price_out: float | None = None
    concurrency: int = 8
    per_minute: float | None = None
    restricted: bool = False
    catalog: bool = True
    new_catalog: bool = False
    resolve: bool = True
    tokens_saved: int = TOKENS_SAVED
    price_of_reading: float | None = None


@dataclass(frozen=True, slots=True)
class ModelReport:
    """What a run asked, and what came of it.

    :param dropped: What the model said and the documents do not, by kind.
    :param kept_here: Documents that were not sent since only some may read them.
    """

    usage: UsageReport
    break_even: BreakEven
    dropped: dict[str, int]
    kept_here: int
    resolved: dict[str, int]

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON."""
        return {
            "usage": self.usage.to_dict(),
            "break_even": asdict(self.break_even),
            "dropped": self.dropped,
            "kept_here": self.kept_here,
            "resolved": self.resolved,
        }

    def lines(self) -> list[str]:
        """The report for people."""
        lines = self.usage.lines()
        if self.dropped:
            lines.append("dropped: " + ", ".join(f"{count} {kind}" for kind, count in sorted(self.dropped.items())))
        if self.resolved:
            lines.append("resolved: " + ", ".join(f"{count} {kind}" for kind, count in sorted(self.resolved.items())))
        if self.kept_here:
            lines.append(
                f"read here, not sent: {counted(self.kept_here, 'document')} that only some may read; "
                "--include-restricted sends such documents too"
            )
        even = self.break_even
        if self.usage.total.tokens:
            asked = counted(even.questions, "question")
            lines.append(f"repaid after about {asked}, if each saves {even.tokens_saved:,} tokens")
        return lines


def run_with_model(
    settings: Settings,
    options: ModelOptions,
    work: Callable[[ModelBuilder], T],
    *,
    documents: Callable[[], Iterable[SourceDocument]],
    used: Catalog,
    keep: Callable[[Catalog], Catalog],
    local: Callable[[Catalog], Builder],
    resolve: Callable[[Any], dict[str, int]] | None = None,
    progress: Progress | None = None,
    otherwise: str = OTHERWISE,
) -> tuple[T, ModelReport]:
    """What the work gives with a builder that asks the model, and the report of what was asked.

    :param work: Loads or builds.
    :param documents: Gives those that a catalog may be made from.
    :param used: The store's catalog.
    :param keep: Keeps a catalog in the store, and gives it with its number.
    :param local: The local builder for a catalog.
    :param otherwise: What to do where no catalog can be made, for the message.
    :raises ModelError: the endpoint gives no answer, or the budget is spent; ``report`` holds what was asked till then.
    """
    if options.tokens_saved < 1:
        raise SettingsError("--tokens-saved is 1 or more")
    meter = Meter.of(
        settings,
        max_tokens=options.max_tokens,
        max_cost=options.max_cost,
        price_in=options.price_in,
        price_out=options.price_out,
        concurrency=options.concurrency,
        per_minute=options.per_minute,
        keep_answers=True,
    )
    builder: ModelBuilder | None = None
    resolved: dict[str, int] = {}

    def report() -> ModelReport:
        usage = meter.report()
        even = break_even(
            usage.total, meter.price, tokens_saved=options.tokens_saved, price_of_reading=options.price_of_reading
        )
        dropped, here = (dict(builder.dropped), builder.kept_here) if builder else ({}, 0)
        return ModelReport(usage, even, dropped, here, resolved)

    try:
        with asking(meter) as asker:
            catalog = used
            wanted = options.new_catalog or (options.catalog and used.source == "built-in")
            if wanted and (samples := samples_of(documents())):
                catalog = keep(make_catalog(asker, samples, otherwise=otherwise))
            builder = ModelBuilder(
                asker, catalog, restricted=options.restricted, local=local(catalog), progress=progress
            )
            found = work(builder)
            if resolve is not None and options.resolve:
                resolved.update(resolve(asker))
    except ModelError as error:
        error.report = report()
        raise
    return found, report()
