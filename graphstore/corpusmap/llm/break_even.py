"""After how many questions a map that a model built is repaid: an estimate, from assumptions that are said."""

from __future__ import annotations

import math
from dataclasses import dataclass

from graphstore.llm.prices import Price
from graphstore.llm.usage import StageUsage

TOKENS_SAVED = 119_000
"""Tokens that an agent with a map reads less per question: 207,000 without and 88,000 with one, as published for
another collection and another model. One's own figure is what counts."""


@dataclass(frozen=True, slots=True)
class BreakEven:
    """The estimate and what it stands on.

    :param questions: Cost of the build over savings a question, rounded up.
    :param by: ``"cost"``, or ``"tokens"`` where no price is known: then a token written is taken to cost as much as one
        read, which is too little.
    :param tokens_saved: A question.
    :param price: Per million tokens that the agent reads.
    """

    questions: int
    by: str
    tokens_saved: int
    price: float | None


def break_even(
    build: StageUsage, price: Price | None, *, tokens_saved: int, price_of_reading: float | None
) -> BreakEven:
    """Questions after which the build is repaid.

    With a price: ``cost of the build / (tokens saved a question · price of a token read by the agent)``. Without one:
    ``tokens of the build / tokens saved a question``.

    :param build: What the build asked, all stages.
    :param price_of_reading: Per million tokens of the model that answers questions; that of the build's model if not
        given.

    >>> build = StageUsage("total", input_tokens=8_000_000, output_tokens=1_000_000, cost=30.0)
    >>> break_even(build, Price(2.5, 10.0), tokens_saved=100_000, price_of_reading=None).questions
    120
    """
    reading = price_of_reading if price_of_reading is not None else price.input if price else None
    if build.cost is not None and reading:
        saved = tokens_saved * reading / 1_000_000
        return BreakEven(math.ceil(build.cost / saved - 1e-9), "cost", tokens_saved, reading)
    return BreakEven(math.ceil(build.tokens / tokens_saved), "tokens", tokens_saved, None)
