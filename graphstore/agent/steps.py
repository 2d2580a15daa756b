"""The calls of one run: counted, checked, remembered."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from graphstore.agent.records import Citation, Step
from graphstore.errors import GraphStoreError, SettingsError
from graphstore.navigation import Navigation
from graphstore.navigation.arguments import checked
from graphstore.navigation.budget import in_line
from graphstore.navigation.records import DocumentReading
from graphstore.navigation.tools import TOOLS, NavigationTool, tool_named
from graphstore.retrieval.prompt_tokens import estimated_tokens

MOST_A_CALL = 6_000
"""Tokens that one call may bring: a run is a look at several things."""


def agents_tools() -> tuple[NavigationTool, ...]:
    """The tools of an agent, whose answers are no longer than :data:`MOST_A_CALL`."""
    return tuple(
        replace(
            tool,
            parameters=tuple(
                replace(each, most=MOST_A_CALL) if each.name == "max_tokens" else each for each in tool.parameters
            ),
        )
        for tool in TOOLS
    )


class Steps:
    """The calls of one run.

    :param most: How many there may be.
    :param told: Hears of each.
    """

    def __init__(self, navigation: Navigation, most: int, told: Callable[[Step], None]) -> None:
        self.tools = agents_tools()
        self.done: list[Step] = []
        self.opened: dict[str, Citation] = {}
        """Documents of which text was shown, by id."""
        self.repeated = 0
        self.read = 0
        self._navigation = navigation
        self._most = most
        self._told = told
        self._made: dict[str, int] = {}

    @property
    def left(self) -> int:
        """How many calls may still be made."""
        return self._most - len(self.done)

    def call(self, name: str, arguments: Mapping[str, Any] | str | None) -> str:
        """What the model gets to read: the answer, or in one line what was wrong with the call.

        A call that fails is a call; one that was made before is answered by saying so. Without calls left, that is
        the answer, and nothing is counted.

        :param arguments: A text is JSON, as models write it.
        """
        if self.left <= 0:
            return f"Not called: the {self._most} calls are used. Answer from what you have read."
        number = len(self.done) + 1
        given: Mapping[str, Any] | str = arguments or {}
        try:
            given = _object(given)
            tool = tool_named(name, self.tools)
            key = json.dumps([name, checked(tool.parameters, given)], sort_keys=True, ensure_ascii=False)
            if (before := self._made.get(key)) is not None:
                self.repeated += 1
                text = f"This is call {before} again: its answer stands above. Do something else, or answer."
                return self._noted(Step(number=number, tool=name, arguments=given, tokens=0, repeats=before), text)
            answer = tool(self._navigation, given)
        except GraphStoreError as error:
            text = f"Error: {' '.join(str(error).split())}"
            return self._noted(
                Step(number=number, tool=in_line(name, 60), arguments=given, tokens=0, error=text[7:]), text
            )
        self._made[key] = number
        if isinstance(answer, DocumentReading) and answer.text.strip():
            self.opened[answer.id] = Citation(id=answer.id, path=answer.path, title=answer.title)
        return self._noted(Step(number=number, tool=name, arguments=given, tokens=0), answer.markdown)

    def _noted(self, step: Step, text: str) -> str:
        step = replace(step, tokens=estimated_tokens(text))
        self.done.append(step)
        self.read += step.tokens
        self._told(step)
        return text


def _object(arguments: Mapping[str, Any] | str) -> Mapping[str, Any]:
    if isinstance(arguments, Mapping):
        return arguments
    try:
        found = json.loads(arguments or "{}")
    except (ValueError, RecursionError) as error:
        raise SettingsError(
            f"the arguments are no JSON ({in_line(str(error), 80)}): {in_line(arguments, 80)}"
        ) from None
    if not isinstance(found, dict):
        raise SettingsError(f"the arguments are a JSON object: got {in_line(arguments, 80)}")
    return found
