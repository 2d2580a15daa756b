"""Text within a number of tokens. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from graphstore.errors import SettingsError
from graphstore.retrieval.prompt_tokens import estimated_tokens

LEAST = 100
"""The smallest budget of a call: what an answer is about, and what was left out, must fit."""

_SHOWN = 100


def checked_budget(max_tokens: int) -> int:
    """The budget.

    :raises SettingsError: It is below :data:`LEAST`.
    """
    if max_tokens < LEAST:
        raise SettingsError(f"max_tokens is {LEAST} or more: got {max_tokens}")
    return max_tokens


def most(count: int, fits: Callable[[int], bool]) -> int:
    """The most of 0 … ``count`` that fit, by bisection; 0 if not even one does.

    :param fits: Whether so many fit; where many do, so do fewer.
    """
    if fits(count):
        return count
    low, high = 0, count  # low fits, or is 0; high does not
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


def packed(
    blocks: Iterable[str], max_tokens: int, *, head: str, note: Callable[[int], str | None]
) -> tuple[str, int, str | None]:
    """A head, as many blocks as fit, and what was left out: the text, the number of blocks in it, the note.

    The text has at most ``max_tokens``. A head that is too long by itself is cut.

    :param blocks: Taken only as far as they may fit.
    :param note: Says, for a number of blocks that are shown, what is left out; ``None`` if nothing is.
    """
    near: list[str] = []
    size = 0
    for block in blocks:
        near.append(block)
        size += estimated_tokens(block)
        if size > 2 * max_tokens:  # what is rounded for each block is less than half of it
            break

    def text(shown: int) -> str:
        return "\n".join([head, *near[:shown], *_noted(note(shown))])

    shown = most(len(near), lambda count: estimated_tokens(text(count)) <= max_tokens)
    whole = text(shown)
    if estimated_tokens(whole) > max_tokens:
        whole = shortened(whole, max_tokens)
    return whole, shown, note(shown)


def shortened(text: str, max_tokens: int) -> str:
    """The longest beginning of a text that has at most so many tokens, its end marked by an ellipsis."""
    if estimated_tokens(text) <= max_tokens:
        return text
    return text[: most(len(text), lambda size: estimated_tokens(text[:size] + "…") <= max_tokens)] + "…"


def in_line(text: str, size: int = _SHOWN) -> str:
    r"""A text on one line, at most so many characters long.

    >>> in_line("a  long\nname", 6)
    'a lon…'
    """
    flat = " ".join(text.split())
    return flat if len(flat) <= size else flat[: size - 1] + "…"


def sendable(text: str) -> str:
    """The text with halves of surrogate pairs, which a model may write and no message can carry, spelled out."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _noted(note: str | None) -> list[str]:
    return [f"({note})"] if note else []
