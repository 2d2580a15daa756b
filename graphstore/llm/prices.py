"""What a call costs: by the user's own prices, else by the price list that comes with the library, else unknown."""

from __future__ import annotations

from dataclasses import dataclass

from graphstore.errors import SettingsError
from graphstore.extras import require
from graphstore.llm.endpoint import Endpoint

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Price:
    """Dollars, or whatever currency the user counts in, per million tokens.

    :param source: ``"given"``, or ``"genai-prices"`` with its version.
    """

    input: float
    output: float
    source: str = "given"

    def cost(self, input_tokens: int, output_tokens: int) -> float:
        """Cost of a call.

        >>> Price(2.0, 8.0).cost(1_000_000, 500_000)
        6.0
        """
        return (input_tokens * self.input + output_tokens * self.output) / _MILLION


def price_of(endpoint: Endpoint, *, price_in: float | None = None, price_out: float | None = None) -> Price | None:
    """The price of an endpoint's model; ``None`` where nobody says, which is never taken for free.

    The bundled list is read, never the network. It is asked for the provider at this very address: a model of a known
    name on a server of one's own costs what its owner says.

    :param price_in: Per million input tokens; goes with ``price_out``.
    :raises SettingsError: one of the two prices is given without the other, or is negative.
    """
    if price_in is not None or price_out is not None:
        if price_in is None or price_out is None or min(price_in, price_out) < 0:
            raise SettingsError("a price is two numbers, each 0 or more: give --price-in and --price-out")
        return Price(price_in, price_out)
    listed = require("genai_prices", "llm")
    try:
        usage = [listed.Usage(input_tokens=1_000), listed.Usage(input_tokens=0, output_tokens=1_000)]
        per_thousand = [
            float(listed.calc_price(of, endpoint.model, provider_api_url=endpoint.url).total_price) for of in usage
        ]
    except (LookupError, ValueError):
        return None
    return Price(per_thousand[0] * 1_000, per_thousand[1] * 1_000, f"genai-prices {listed.__version__}")
