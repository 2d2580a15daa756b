"""An agent that answers questions by navigating the corpus, and cites what it has opened."""

from __future__ import annotations

from graphstore.agent.records import Asked, Citation, Spent, Step
from graphstore.agent.run import STEPS, TOKENS, ask

__all__ = ["STEPS", "TOKENS", "Asked", "Citation", "Spent", "Step", "ask"]
