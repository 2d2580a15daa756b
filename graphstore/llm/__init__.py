"""Language models behind any OpenAI-compatible endpoint: one door for the LLM builder and for the agent.

Nothing here is used, and nothing is sent anywhere, unless a user names an endpoint (``llm_url``, ``llm_model``).
Every call is metered: checked against a budget before it is made, limited in number at a time, tried again after a
fault that passes, counted by stage, and, where a cache is given, never paid twice.
"""

from __future__ import annotations

from graphstore.llm.budget import Limits
from graphstore.llm.endpoint import Endpoint
from graphstore.llm.meter import Meter
from graphstore.llm.model import open_model
from graphstore.llm.prices import Price
from graphstore.llm.usage import StageUsage, UsageReport

__all__ = ["Endpoint", "Limits", "Meter", "Price", "StageUsage", "UsageReport", "open_model"]
