"""What asking gives: frozen records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

Stopped = Literal["answered", "steps", "tokens", "repeats"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A document that the answer cites, which was opened in this run."""

    id: str
    path: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A call of a tool.

    :param number: From 1.
    :param arguments: As the model gave them; a text where they were no JSON object.
    :param tokens: Size of what came back.
    :param error: What was wrong with the call, in one line.
    :param repeats: Number of an equal call made before, from whose answer this one was taken.
    """

    number: int
    tool: str
    arguments: Mapping[str, Any] | str
    tokens: int
    error: str | None = None
    repeats: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """Tokens of a run.

    :param input: Sent to the model, all requests together.
    :param output: Written by it.
    :param read: Of these, what the tools answered; a text that is sent again with each request is counted once.
    """

    input: int
    output: int
    read: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """An answer, what it cites, and how it came about.

    :param answer: With its citations as ``[path]``; what was refused is told at its end.
    :param citations: In the order of the answer, each once.
    :param refused: What the model cited without having opened it, and was taken out.
    :param stopped: ``answered``: the model was done. ``steps``, ``tokens``: its calls or tokens were used up, and it
        answered from what it had. ``repeats``: it made the same calls again and again, and was told to answer.
    """

    question: str
    answer: str
    citations: tuple[Citation, ...]
    refused: tuple[str, ...]
    steps: tuple[Step, ...]
    tokens: Spent
    stopped: Stopped

    def to_dict(self) -> dict[str, Any]:
        """The answer as JSON."""
        return asdict(self)
