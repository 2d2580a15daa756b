"""How cost grows with size: told by ratios of processor time, which a busy machine does not spoil."""

from __future__ import annotations

import time
from collections.abc import Callable

LINEAR = 10.0
"""Above what linear growth gives (4), below quadratic (16)."""

_ROUNDS = 3
_LEAST = 0.001


def growth(work: Callable[[int], object], size: int) -> float:
    """How many times the processor time of a size four times the size takes; the best of three rounds each."""
    small, large = (min(_seconds(work, n) for _ in range(_ROUNDS)) for n in (size, 4 * size))
    return large / max(small, _LEAST)


def _seconds(work: Callable[[int], object], size: int) -> float:
    started = time.process_time()
    work(size)
    return time.process_time() - started
