"""Which faults of an endpoint pass, how long to wait for it, and how the others are told."""

from __future__ import annotations

import random
from dataclasses import dataclass

from graphstore.errors import ModelError, NoAnswer
from graphstore.llm.endpoint import Endpoint

_PASSING_STATUS = frozenset({408, 409, 425, 429})
_SHOWN = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How often and how long a call is tried again.

    :param attempts: Calls in all, the first included.
    :param unreached: The same while the endpoint has not been reached at all: a wrong address does not mend itself.
    :param first: Seconds before the second call; doubled each time, spread at random over half of it.
    :param longest: The most seconds of one wait, and the most that an endpoint may ask for (``Retry-After``).
    :param timeout: Seconds that one answer may take.
    """

    attempts: int = 6
    unreached: int = 2
    first: float = 1.0
    longest: float = 120.0
    timeout: float = 180.0

    def wait(self, attempt: int, asked: float | None, *, reached: bool = True) -> float | None:
        """Seconds before the next call, or ``None`` if it is not to be made.

        :param attempt: Calls made so far.
        :param asked: Seconds that the endpoint asked for.
        :param reached: Whether some call of the run got through to the endpoint.
        """
        most = self.attempts if reached else min(self.unreached, self.attempts)
        if attempt >= most or (asked is not None and asked > self.longest):
            return None
        backoff = min(self.longest, self.first * 2.0 ** (attempt - 1))
        spread = backoff * random.uniform(0.5, 1.0)
        return spread if asked is None else asked + min(spread, 1.0)  # not all at once when the pause ends


def passes(error: BaseException) -> bool:
    """Whether a fault of the library is one that may be gone on the next call."""
    from pydantic_ai import exceptions as faults

    if isinstance(error, faults.ModelHTTPError) and error.status_code in _PASSING_STATUS:
        return not isinstance(error, faults.ModelQuotaExceededError)
    passing = (
        faults.ModelRateLimitError,
        faults.ModelUnavailableError,
        faults.ModelServerError,
        faults.ModelConnectionError,
        faults.ModelRequestTimeout,
    )
    return isinstance(error, passing)


def broke_off(error: BaseException) -> bool:
    """Whether the endpoint may have worked, and charged, for a call without an answer."""
    from pydantic_ai import exceptions as faults

    if isinstance(error, faults.ModelConnectionError):
        return got_through(error)
    return isinstance(error, faults.ModelRequestTimeout)


def got_through(error: BaseException) -> bool:
    """Whether a call reached the endpoint before it failed."""
    from pydantic_ai import exceptions as faults

    return not isinstance(error, faults.ModelConnectionError) or error.phase not in ("pool", "connect")


def _detail(error: BaseException) -> str:
    """What the endpoint or the connection says of a fault."""
    body: object = getattr(error, "body", None)
    while isinstance(body, dict) and (inner := body.get("error") or body.get("message")):
        body = inner
    return str(body or error)


def told(error: BaseException, endpoint: Endpoint, attempts: int) -> ModelError:
    """The fault in one line: what, where, what to do."""
    from pydantic_ai import exceptions as faults

    often = f" ({attempts} attempts)" if attempts > 1 else ""
    detail = endpoint.redacted(_detail(error))[:_SHOWN]
    reasons: list[tuple[type[BaseException], str, str]] = [
        (faults.ModelAuthenticationError, "the key was refused", "set GRAPHSTORE_LLM_KEY"),
        (faults.ModelQuotaExceededError, "the account is used up", "top it up; the same command goes on"),
        (
            faults.ModelContextWindowExceededError,
            f"the text is longer than {endpoint.model} reads",
            "take a model that reads more",
        ),
        (
            faults.ModelNotFoundError,
            f"no model {endpoint.model!r}",
            "check GRAPHSTORE_LLM_URL and GRAPHSTORE_LLM_MODEL",
        ),
        (faults.ModelRateLimitError, f"the rate limit holds on{often}", "wait, or lower --concurrency"),
        (
            faults.ModelTimeoutError,
            f"no answer in time{often}",
            "check that the endpoint is up; the same command goes on",
        ),
        (faults.ModelConnectionError, f"not reached{often}", "check GRAPHSTORE_LLM_URL and that the endpoint is up"),
        (faults.ModelServerError, f"the endpoint failed{often}", "try again later; the same command goes on"),
        (faults.ModelUnavailableError, f"not available{often}", "try again later; the same command goes on"),
    ]
    for kind, what, remedy in reasons:
        if isinstance(error, kind):
            lasting = NoAnswer if kind is faults.ModelContextWindowExceededError else ModelError
            return lasting(f"{endpoint.shown}: {what}: {detail}; {remedy}")
    if isinstance(error, faults.ModelRequestRejectedError):
        return NoAnswer(f"{endpoint.shown}: {endpoint.model} does not take the request: {detail}")
    return ModelError(f"{endpoint.shown}: {endpoint.model} gave no usable answer{often}: {detail}")
