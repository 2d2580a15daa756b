"""How much may be spent, checked before each call."""

from __future__ import annotations

import math
from dataclasses import dataclass

from graphstore.errors import BudgetSpent, SettingsError
from graphstore.llm.prices import Price


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The most that a run may cost; ``None`` is no limit.

    :param max_tokens: Input and output tokens together.
    :param max_cost: In the currency of the price.
    """

    max_tokens: int | None = None
    max_cost: float | None = None

    def __post_init__(self) -> None:
        if (self.max_tokens is not None and self.max_tokens < 0) or (self.max_cost is not None and self.max_cost < 0):
            raise SettingsError("a budget is 0 or more")


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens of one call."""

    input: int = 0
    output: int = 0

    def __add__(self, other: Tokens) -> Tokens:
        return Tokens(self.input + other.input, self.output + other.output)

    def __sub__(self, other: Tokens) -> Tokens:
        return Tokens(self.input - other.input, self.output - other.output)

    @property
    def total(self) -> int:
        """Input and output together."""
        return self.input + self.output


class Budget:
    """What was spent and what is under way, against the limits.

    A call is let go if even the longest answers of all calls under way fit. Where they do not, it waits until those
    are back; alone, it is let go if what it is likely to cost fits. So the limits are never passed by more than what
    one call costs beyond its estimate, and never stopped at while much is left.
    """

    def __init__(self, limits: Limits, price: Price | None) -> None:
        """:raises SettingsError: a cost is limited and the price is unknown."""
        if limits.max_cost is not None and price is None:
            raise SettingsError(
                "--max-cost needs a price, and none is known for this model at this address: "
                "give --price-in and --price-out, per million tokens"
            )
        self._limits, self._price = limits, price
        self.spent = Tokens()
        self._reserved = Tokens()
        self._under_way = 0

    def fits(self, longest: Tokens, likely: Tokens) -> bool:
        """Whether a call may go now; ``False`` means after the calls under way.

        :param longest: The call with the longest answer that it may get.
        :param likely: The call with the answer that is to be expected.
        :raises BudgetSpent: it may not go at all.
        """
        if self._holds(self.spent + self._reserved + longest):
            return True
        if self._under_way:
            return False
        if self._holds(self.spent + likely):
            return True
        raise BudgetSpent(self._message(likely))

    def begin(self, longest: Tokens) -> None:
        """A call is under way."""
        self._reserved += longest
        self._under_way += 1

    def end(self, longest: Tokens, used: Tokens) -> None:
        """A call is back, and has cost this."""
        self._reserved -= longest
        self._under_way -= 1
        self.spent += used

    def _holds(self, tokens: Tokens) -> bool:
        of_tokens, of_cost = _or_endless(self._limits.max_tokens), _or_endless(self._limits.max_cost)
        cost = self._price.cost(tokens.input, tokens.output) if self._price else 0.0
        return tokens.total <= of_tokens and cost <= of_cost

    def _message(self, likely: Tokens) -> str:
        limits, parts = self._limits, []
        if limits.max_tokens is not None:
            parts.append(f"{self.spent.total:,} of {limits.max_tokens:,} tokens")
        if limits.max_cost is not None and self._price:
            parts.append(f"{self._price.cost(self.spent.input, self.spent.output):.4f} of {limits.max_cost:g}")
        return (
            f"the budget ends here: {' and '.join(parts)} spent, the next call takes about {likely.total:,} tokens; "
            "what is done is kept and not paid again: the same command with a higher --max-tokens or --max-cost goes on"
        )


def _or_endless(limit: float | None) -> float:
    return math.inf if limit is None else limit
