"""One meter for all calls of a run: budget, number at a time, patience, counts and cache."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

from graphstore.errors import SettingsError
from graphstore.llm.answers import Answers
from graphstore.llm.budget import Budget, Limits, Tokens
from graphstore.llm.endpoint import Endpoint
from graphstore.llm.faults import Patience, broke_off, got_through, passes, told
from graphstore.llm.prices import price_of
from graphstore.llm.usage import Ledger, UsageReport
from graphstore.settings import Settings

T = TypeVar("T")

_EXPECTED_OUTPUT = 400
"""Tokens of an answer before the first of its stage."""


class Meter:
    """What all calls of a run go through; belongs to one event loop at a time.

    :param concurrency: Calls at a time.
    :param per_minute: The most calls that begin in a minute, at even distances.
    :param longest_answer: The most tokens of one answer; asked of the endpoint with each call.
    :param cache: Folder in which answers are kept; ``None`` keeps none.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        limits: Limits | None = None,
        price_in: float | None = None,
        price_out: float | None = None,
        concurrency: int = 8,
        per_minute: float | None = None,
        longest_answer: int = 8_192,
        patience: Patience | None = None,
        cache: Path | None = None,
    ) -> None:
        """:raises SettingsError: a cost is limited and the price is unknown, or a number is out of range."""
        if concurrency < 1 or longest_answer < 1 or (per_minute is not None and per_minute <= 0):
            raise SettingsError("--concurrency, --per-minute and the longest answer are above 0")
        self.endpoint = endpoint
        self.price = price_of(endpoint, price_in=price_in, price_out=price_out)
        self.budget = Budget(limits or Limits(), self.price)
        self.patience = patience or Patience()
        self.longest_answer = longest_answer
        self.answers = Answers(cache) if cache else None
        self.ledger = Ledger()
        self._concurrency = concurrency
        self._loop: asyncio.AbstractEventLoop | None = None
        self._changed = asyncio.Condition()
        self._slots = asyncio.Semaphore(concurrency)
        self._pause_until = 0.0
        self._distance = 60.0 / per_minute if per_minute else 0.0
        self._next = 0.0
        self._reached = False

    @classmethod
    def of(
        cls,
        settings: Settings,
        *,
        max_tokens: int | None = None,
        max_cost: float | None = None,
        price_in: float | None = None,
        price_out: float | None = None,
        concurrency: int = 8,
        per_minute: float | None = None,
        patience: Patience | None = None,
        keep_answers: bool = False,
    ) -> Meter:
        """The meter of the endpoint that the settings name.

        :param keep_answers: Keep answers in the cache folder of the settings, and take them from there.
        :raises SettingsError: no endpoint is named, or a limit cannot be kept.
        """
        return cls(
            Endpoint.of(settings),
            limits=Limits(max_tokens=max_tokens, max_cost=max_cost),
            price_in=price_in,
            price_out=price_out,
            concurrency=concurrency,
            per_minute=per_minute,
            patience=patience,
            cache=settings.cache if keep_answers else None,
        )

    def report(self) -> UsageReport:
        """What was asked so far."""
        return self.ledger.report(self.endpoint.model, self.price)

    @asynccontextmanager
    async def call(self, stage: str, input_tokens: int) -> AsyncIterator[Paid]:
        """One call: waits until it may go, and counts what it has used.

        :param input_tokens: Estimated.
        :raises BudgetSpent: it may not go.
        """
        self._adopt()
        longest = Tokens(input_tokens, self.longest_answer)
        async with self._slots:
            async with self._changed:
                while not self.budget.fits(longest, self._likely(stage, input_tokens)):
                    await self._changed.wait()
                self.budget.begin(longest)
            paid = Paid(stage, input_tokens)
            try:
                yield paid
            finally:
                # Nothing is awaited here but the lock: a call that is cancelled still counts.
                self.budget.end(longest, paid.used)
                self.ledger.count(stage, **paid.counts)
                async with self._changed:
                    self._changed.notify_all()

    async def patiently(self, paid: Paid, attempt: Callable[[], Awaitable[T]]) -> T:
        """What an attempt gives, made again after faults that pass.

        :raises ModelError: the fault does not pass.
        """
        made = 0
        while True:
            await self._pause()
            made += 1
            try:
                answer = await attempt()
            except Exception as error:
                await self._wait_or_tell(error, paid, made)
            else:
                self._reached = True
                return answer

    def told(self, error: BaseException) -> BaseException:
        """A fault of the library in one line of ours; any other error as it is."""
        from pydantic_ai.exceptions import ModelAPIError

        return told(error, self.endpoint, 1) if isinstance(error, ModelAPIError) else error

    async def _wait_or_tell(self, error: Exception, paid: Paid, made: int) -> None:
        from pydantic_ai.exceptions import ModelAPIError, ModelRateLimitError

        if not isinstance(error, ModelAPIError):
            raise error
        if broke_off(error):
            paid.broke_off()
        self._reached = self._reached or got_through(error)
        seconds = self.patience.wait(made, error.retry_after, reached=self._reached) if passes(error) else None
        if seconds is None:
            raise told(error, self.endpoint, made) from error
        paid.again()
        if isinstance(error, ModelRateLimitError):  # it holds for all calls, not only for this one
            self._pause_until = max(self._pause_until, time.monotonic() + seconds)
        else:
            await asyncio.sleep(seconds)

    async def _pause(self) -> None:
        while (left := max(self._pause_until, self._next) - time.monotonic()) > 0:
            await asyncio.sleep(left)
        self._next = time.monotonic() + self._distance

    def _likely(self, stage: str, input_tokens: int) -> Tokens:
        mean = self.ledger.mean(stage)
        return Tokens(input_tokens, min(mean.output if mean else _EXPECTED_OUTPUT, self.longest_answer))

    def _adopt(self) -> None:
        """Locks belong to a loop; a meter that is used again in another one gets new ones."""
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            self._loop = loop
            self._changed, self._slots = asyncio.Condition(), asyncio.Semaphore(self._concurrency)


class Paid:
    """What one call used, told by its end."""

    def __init__(self, stage: str, input_tokens: int) -> None:
        self._stage, self._estimate = stage, input_tokens
        self.used = Tokens()
        self.counts: dict[str, int] = {}

    def answered(self, tokens: Tokens | None, written: int) -> None:
        """It was answered.

        :param tokens: As the endpoint says; ``None`` if it says nothing.
        :param written: Tokens of the answer, estimated.
        """
        used = tokens or Tokens(self._estimate, written)
        self.used += used
        self._add(calls=1, estimated=tokens is None, input_tokens=used.input, output_tokens=used.output)

    def broke_off(self) -> None:
        """An attempt ended without an answer after it was sent: its input may have been charged."""
        self.used += Tokens(self._estimate)
        self._add(cut_off=1, input_tokens=self._estimate)

    def again(self) -> None:
        """Another attempt is made."""
        self._add(again=1)

    def _add(self, **counts: int) -> None:
        for name, value in counts.items():
            self.counts[name] = self.counts.get(name, 0) + value
