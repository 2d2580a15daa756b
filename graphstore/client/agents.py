"""What agents do in the corpus."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from graphstore.client.base import OpenStore
from graphstore.visibility import Visibility

if TYPE_CHECKING:
    from graphstore.agent import Asked, Step
    from graphstore.llm import Meter
    from graphstore.models import ToolHit
    from graphstore.navigation import Navigation


class Agents(OpenStore):
    """Navigation for agents, and an agent that navigates."""

    def navigation(self, *, reader: Sequence[str] | None = None, as_of: str | None = None) -> Navigation:
        """The corpus as one reader may navigate it: search, pages, documents by section, neighbours, grep.

        Every answer says its size in tokens and keeps to a budget. The store must stay open meanwhile.

        :param reader: Principals and groups; ``None`` is the local owner, who sees all.
        :param as_of: A date: only what was known by then.
        """
        from graphstore.navigation import Navigation

        def tools(request: str, k: int) -> list[ToolHit]:
            return self._db.current(lambda: self._tools().search(request, k=k))

        return Navigation(self._db, documents=self._documents, tools=tools, who=Visibility.of(reader, as_of))

    def ask(
        self,
        question: str,
        *,
        steps: int | None = None,
        max_tokens: int | None = None,
        meter: Meter | None = None,
        told: Callable[[Step], None] | None = None,
        reader: Sequence[str] | None = None,
        as_of: str | None = None,
    ) -> Asked:
        """The answer of a language model that navigates the corpus; it cites only documents that it has opened.

        What it reads is sent to the model's endpoint. Nothing is, unless the settings name one (``llm_url``,
        ``llm_model``).

        :param steps: Calls of tools that it may make; 16 if not given.
        :param max_tokens: Input and output of all its requests together; 150,000 if not given. Near the end it is told
            to answer from what it has.
        :param meter: Budget, price and counts, of :mod:`graphstore.llm`; one without limits if not given.
        :param told: Hears of each step.
        :raises SettingsError: no model is named.
        :raises MissingExtra: the agent library is not installed.
        :raises ModelError: the endpoint fails, or the model gives no answer.
        """
        from graphstore.agent import STEPS, TOKENS, ask
        from graphstore.llm import Meter, open_model

        meter = meter or Meter.of(self._settings)
        return ask(
            self.navigation(reader=reader, as_of=as_of),
            question,
            model=open_model(self._settings, meter=meter, stage="ask"),
            meter=meter,
            steps=STEPS if steps is None else steps,
            max_tokens=TOKENS if max_tokens is None else max_tokens,
            told=told,
        )
