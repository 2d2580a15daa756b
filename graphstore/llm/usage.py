"""What a run asked of a model, stage by stage."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from graphstore.counts import counted
from graphstore.llm.budget import Tokens
from graphstore.llm.prices import Price


@dataclass(frozen=True, slots=True)
class StageUsage:
    """The calls of one stage.

    :param calls: Calls that were answered and paid.
    :param cached: Answers taken from the cache, which cost nothing.
    :param again: Attempts after a fault that passes, such as a rate limit.
    :param cut_off: Attempts that broke off; their input is counted as paid, since it may have been.
    :param estimated: Calls of which the endpoint told no usage: tokens are estimated.
    :param saved_tokens: Tokens of the cached answers when they were paid.
    :param cost: ``None`` where the price is unknown.
    """

    stage: str
    calls: int = 0
    cached: int = 0
    again: int = 0
    cut_off: int = 0
    estimated: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    saved_tokens: int = 0
    cost: float | None = None

    @property
    def tokens(self) -> int:
        """Input and output together."""
        return self.input_tokens + self.output_tokens


@dataclass(frozen=True, slots=True)
class UsageReport:
    """All stages of a run.

    :param price_source: Where the price comes from; ``"unknown"`` where nobody says.
    """

    model: str
    price_source: str
    stages: tuple[StageUsage, ...]

    @property
    def total(self) -> StageUsage:
        """The stages together."""
        known = [stage.cost for stage in self.stages if stage.cost is not None]
        cost = sum(known) if self.price_source != "unknown" else None
        counts = {name: sum(getattr(stage, name) for stage in self.stages) for name in COUNTED}
        return StageUsage("total", cost=cost, **counts)

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON."""
        return {
            "model": self.model,
            "price": self.price_source,
            "stages": [{**asdict(stage), "tokens": stage.tokens} for stage in self.stages],
            "total": {**asdict(self.total), "tokens": self.total.tokens},
        }

    def lines(self) -> list[str]:
        """The report for people, one line a stage and one for all."""
        shown = [*self.stages, self.total] if len(self.stages) != 1 else [*self.stages]
        return [_line(stage, self.model) for stage in shown]


COUNTED = (
    *("calls", "cached", "again", "cut_off", "estimated"),
    *("input_tokens", "output_tokens", "saved_tokens"),
)


class Ledger:
    """Counts, while a run goes on."""

    def __init__(self) -> None:
        self._stages: dict[str, dict[str, int]] = {}

    def count(self, stage: str, **counts: int) -> None:
        """Add to the counts of a stage; names are those of :class:`StageUsage`."""
        held = self._stages.setdefault(stage, dict.fromkeys(COUNTED, 0))
        for name, value in counts.items():
            held[name] += value

    def mean(self, stage: str) -> Tokens | None:
        """Mean tokens of a call of this stage, ``None`` before the first."""
        held = self._stages.get(stage)
        if not held or not held["calls"]:
            return None
        return Tokens(round(held["input_tokens"] / held["calls"]), round(held["output_tokens"] / held["calls"]))

    def report(self, model: str, price: Price | None) -> UsageReport:
        """The report so far, stages in the order in which they began."""
        return UsageReport(model, price.source if price else "unknown", tuple(self._rows(price)))

    def _rows(self, price: Price | None) -> Iterable[StageUsage]:
        for stage, held in self._stages.items():
            cost = price.cost(held["input_tokens"], held["output_tokens"]) if price else None
            yield StageUsage(stage, cost=cost, **held)


def _line(stage: StageUsage, model: str) -> str:
    cost = "at an unknown price" if stage.cost is None else f"for {stage.cost:.4f}"
    cached = f", {stage.cached} from the cache" if stage.cached else ""
    again = f", {stage.again} tried again" if stage.again else ""
    return (
        f"{stage.stage}: {counted(stage.calls, 'call')} of {model}{cached}{again}, "
        f"{stage.input_tokens:,} tokens in, {stage.output_tokens:,} out, {cost}"
    )
