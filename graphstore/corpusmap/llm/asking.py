"""Questions whose answer is a record: asked many at a time from ordinary code, validated, kept."""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from graphstore.errors import ModelError, NoAnswer
from graphstore.extras import require
from graphstore.llm.answers import Shelf
from graphstore.llm.meter import Meter
from graphstore.llm.model import endpoint_model, metered

if TYPE_CHECKING:
    from pydantic_ai.models import Model

T = TypeVar("T")
R = TypeVar("R")
_SHOWN = 200
_MORE = re.compile(r"\s*For further information visit \S+")  # what validation adds is no help to whoever loads


@dataclass(frozen=True, slots=True)
class Question(Generic[T]):
    """One question.

    :param stage: Under which its calls are counted.
    :param shelf: Under which its answer is kept.
    :param answer: The record that is asked for; its docstring and fields are the schema.
    """

    stage: str
    shelf: Shelf
    instructions: str
    text: str
    answer: type[T]


class Asker:
    """Asks questions over one connection, in an event loop of its own; made by :func:`asking`."""

    def __init__(
        self, meter: Meter, model: Model[Any], run: Callable[[Callable[[], Coroutine[Any, Any, Any]]], Any]
    ) -> None:
        self.meter = meter
        self._model = model
        self._run = run

    def each(
        self,
        work: Callable[[R], Coroutine[Any, Any, T]],
        items: Iterable[R],
        done: Callable[[int], None] = lambda _: None,
    ) -> list[T]:
        """What the work gives for each item, in their order; as many at a time as the meter lets go.

        The first error ends all of it; answers that were given are kept.

        :param done: Called with the number of items that are finished.
        """
        listed = list(items)

        async def together() -> list[T]:
            import asyncio

            finished = 0

            async def one(item: R) -> T:
                nonlocal finished
                found = await work(item)
                finished += 1
                done(finished)
                return found

            tasks = [asyncio.ensure_future(one(item)) for item in listed]
            try:
                return list(await asyncio.gather(*tasks))
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)

        found: list[T] = self._run(together)
        return found

    async def ask(self, question: Question[T]) -> T:
        """The answer.

        An answer that does not fit the schema is asked for once more, with what is wrong with it.

        :raises NoAnswer: the model gave no usable one to this question.
        :raises ModelError: the endpoint gives none at all, or the budget is spent.
        """
        from pydantic_ai import Agent, NativeOutput, PromptedOutput, ToolOutput
        from pydantic_ai.exceptions import UnexpectedModelBehavior

        model = metered(self._model, self.meter, stage=question.stage, shelf=question.shelf)
        form = {"tool": ToolOutput, "schema": NativeOutput, "prompt": PromptedOutput}[self.meter.endpoint.output]
        agent: Agent[None, T] = Agent(
            model,
            output_type=form(question.answer),
            instructions=question.instructions,
            retries=1,
            deps_type=type(None),
        )
        try:
            return (await agent.run(question.text)).output
        except UnexpectedModelBehavior as error:
            if self.meter.answers:  # the next run asks anew
                self.meter.answers.drop(question.shelf, getattr(model, "kept", ()))
            raise _no_answer(error) from error


def _no_answer(error: Exception) -> NoAnswer:
    from pydantic_ai import exceptions as faults

    if isinstance(error, faults.OutputTokenLimitExceeded):
        return NoAnswer("the answer was cut off at its longest", cut_off=True)
    if isinstance(error, faults.ContentFilterError):
        return NoAnswer("the model refused")
    cause = " ".join(_MORE.sub("", str(error.__cause__ or error)).split())[:_SHOWN]
    return NoAnswer(f"the answer does not fit what was asked, twice: {cause}")


@contextmanager
def asking(meter: Meter) -> Iterator[Asker]:
    """Somebody to ask; leaving the block ends what is under way.

    :raises MissingExtra: the agent library is not installed.
    """
    require("pydantic_ai", "llm")
    require("openai", "llm")
    portals = require("anyio.from_thread", "llm")
    model = endpoint_model(meter)

    def run(work: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
        under_way = portal.start_task_soon(work)
        try:
            return under_way.result()
        except BaseException:  # of the work, or Ctrl-C here: it does not go on behind the caller's back
            under_way.cancel()
            raise

    with portals.start_blocking_portal() as portal, portal.wrap_async_context_manager(model):
        yield Asker(meter, model, run)


__all__ = ["Asker", "ModelError", "Question", "asking"]
