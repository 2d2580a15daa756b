"""The loop: the model calls tools until it answers; then its citations are checked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from importlib import resources
from typing import TYPE_CHECKING, Any, TypeVar

from graphstore.agent.citations import Checked, checked
from graphstore.agent.records import Asked, Spent, Step, Stopped
from graphstore.agent.steps import Steps
from graphstore.errors import ModelError, SeedError, SettingsError
from graphstore.extras import require
from graphstore.navigation.budget import sendable
from graphstore.retrieval.prompt_tokens import estimated_tokens
from graphstore.retrieval.questions import NO_WORDS, require_question
from graphstore.tokens import has_words

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage, ModelResponse
    from pydantic_ai.models import Model

    from graphstore.llm import Meter
    from graphstore.navigation import Navigation

T = TypeVar("T")

STEPS = 16
"""Calls of a run, as in the work that this follows."""
TOKENS = 150_000
"""Tokens of a run, input and output of all requests together."""

NOT_FOUND = "Not in the documents"
_REPEATS = 3  # equal calls before the model is told to answer
_ANSWER = 1_500  # tokens kept for the answer
_NOW = {
    "steps": "Your calls are used up.",
    "tokens": "There are no tokens left to read more.",
    "repeats": "You make the same calls again and again.",
}


def ask(
    navigation: Navigation,
    question: str,
    *,
    model: Model[Any],
    meter: Meter,
    steps: int = STEPS,
    max_tokens: int = TOKENS,
    told: Callable[[Step], None] | None = None,
) -> Asked:
    """The answer of a model that navigates the corpus as one reader, its citations checked.

    :param model: Behind the meter.
    :param steps: Calls that it may make.
    :param max_tokens: Input and output of all requests together; near its end the model is told to answer.
    :param told: Hears of each step.
    :raises SeedError: the question is blank, signs alone that name nothing, or no Unicode text.
    :raises ModelError: the endpoint fails, or the model gives no answer.
    :raises BudgetSpent: the meter's own limit ends the run before there is an answer.
    """
    require("pydantic_ai", "llm")
    require_question(question)
    if question != sendable(question):
        raise SeedError("the question is no Unicode text (half of a surrogate pair): write it anew")
    if not has_words(question) and not navigation.search(question, k=1).documents:
        raise SeedError(NO_WORDS)  # before a model is paid for
    if steps < 1 or max_tokens < 1:
        raise SettingsError("steps and max_tokens are 1 or more")
    run = _Run(question, model, meter, Steps(navigation, steps, told or _silent), steps, max_tokens)
    return completed(run.answer())


def prompt(steps: int) -> str:
    """What the model is told before the question."""
    text = resources.files("graphstore.agent").joinpath("prompt.md").read_text("utf-8")
    return text.replace("{steps}", str(steps))


def completed(work: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine, also where a loop runs in this thread already, as in a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


class _Run:
    def __init__(
        self, question: str, model: Model[Any], meter: Meter, steps: Steps, most: int, max_tokens: int
    ) -> None:
        self._question = question
        self._model, self._meter = model, meter
        self._steps, self._most, self._max_tokens = steps, most, max_tokens
        self._messages: list[ModelMessage] = []
        self._input = self._output = self._last = 0
        self._stopped: Stopped = "answered"

    async def answer(self) -> Asked:
        self._say(self._question)
        found = checked(await self._text(), self._steps.opened.values())
        if complaint := self._complaint(found):
            self._say(complaint)
            found = checked(await self._text(), self._steps.opened.values())
        return Asked(
            question=self._question,
            answer="\n\n".join([found.text, *self._notes(found)]),
            citations=found.cited,
            refused=found.refused,
            steps=tuple(self._steps.done),
            tokens=Spent(input=self._input, output=self._output, read=self._steps.read),
            stopped=self._stopped,
        )

    async def _text(self) -> str:
        """The text that the model ends with, after as many calls as it makes and may make."""
        while True:
            response = await self._request()
            calls = response.tool_calls
            if not calls:
                if text := (response.text or "").strip():
                    return text
                raise ModelError(f"{self._meter.endpoint.model} gave an empty answer: ask again, or take another model")
            if self._stopped != "answered":
                raise ModelError(
                    f"{self._meter.endpoint.model} gave no answer: it went on calling tools when told to answer; raise "
                    "--steps or --max-tokens, or take another model"
                )
            self._call(calls)

    def _call(self, calls: list[Any]) -> None:
        from pydantic_ai.messages import ModelRequest, ToolReturnPart, UserPromptPart

        parts: list[Any] = [
            ToolReturnPart(call.tool_name, self._steps.call(call.tool_name, call.args), call.tool_call_id)
            for call in calls
        ]
        if reason := self._reason(sum(estimated_tokens(str(part.content)) for part in parts)):
            self._stopped = reason
            parts.append(UserPromptPart(f"{_NOW[reason]} Answer the question now, from what you have read."))
        self._messages.append(ModelRequest(parts=parts, instructions=prompt(self._most)))

    def _reason(self, read: int) -> Stopped | None:
        """Why the model must answer now."""
        if self._steps.left <= 0:
            return "steps"
        if self._steps.repeated >= _REPEATS:
            return "repeats"
        following = self._last + read + _ANSWER  # the next request, and after it the one that answers
        return "tokens" if self._input + self._output + 2 * following > self._max_tokens else None

    async def _request(self) -> ModelResponse:
        from pydantic_ai.direct import model_request
        from pydantic_ai.exceptions import AgentRunError
        from pydantic_ai.models import ModelRequestParameters
        from pydantic_ai.tools import ToolDefinition

        offered = [
            ToolDefinition(name=tool.name, description=tool.about, parameters_json_schema=tool.schema)
            for tool in (self._steps.tools if self._stopped == "answered" else ())
        ]
        parameters = ModelRequestParameters(function_tools=offered, allow_text_output=True)
        before = self._meter.report().total
        try:
            response = await model_request(self._model, self._messages, model_request_parameters=parameters)
        except AgentRunError as error:
            told = self._meter.endpoint.redacted(str(error))[:200]
            raise ModelError(f"{self._meter.endpoint.shown}: no usable answer ({told})") from error
        after = self._meter.report().total
        self._last = after.input_tokens - before.input_tokens
        self._input += self._last
        self._output += after.output_tokens - before.output_tokens
        self._messages.append(response)
        return response

    def _say(self, text: str) -> None:
        from pydantic_ai.messages import ModelRequest, UserPromptPart

        self._messages.append(ModelRequest(parts=[UserPromptPart(text)], instructions=prompt(self._most)))

    def _complaint(self, found: Checked) -> str | None:
        """What the model is told once, to mend it; ``None`` if nothing is wrong."""
        if found.refused:
            names = ", ".join(f"[{name}]" for name in found.refused)
            return (
                f"You have not opened {names} in this run, and may cite only what you have opened. "
                f"{'Open it with read_document, or leave' if self._offers else 'Leave'} the citation and what rests on "
                "it out. Give the whole answer again."
            )
        if not found.cited and not found.text.lstrip("*# ").lower().startswith(NOT_FOUND.lower()):
            return (
                "Your answer cites no document. Give it again with the path of an opened document in square brackets "
                f'after each statement, or begin with "{NOT_FOUND}:".'
            )
        return None

    @property
    def _offers(self) -> bool:
        return self._stopped == "answered" and self._steps.left > 0

    def _notes(self, found: Checked) -> list[str]:
        """What the reader of the answer must know of it."""
        if found.refused:
            return [f"(Citations taken out, since these were not opened: {', '.join(found.refused)}.)"]
        if not found.cited and self._complaint(found):
            return ["(No document is cited for this answer.)"]
        return []


def _silent(step: Step) -> None:
    """Tell nobody."""
