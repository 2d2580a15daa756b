"""How long work tells how far it is."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str, int, int | None], None]
"""Called with a label, how many are done, and how many there are, or ``None`` while that is unknown."""


def silent(label: str, done: int, total: int | None) -> None:
    """Tell nobody."""
