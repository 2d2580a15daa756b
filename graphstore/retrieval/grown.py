"""Matrices that grow at their end, so that a new state of a snapshot needs work for its new lines alone.

Lines are written once, behind those that are there, and never moved or written again: whoever knows which lines are his
sees them unchanged, while later states add theirs to the same matrix. A line that no later state needs stays where it
is; when there are many of these, or no room is left, the next state begins a matrix of its own.
"""

from __future__ import annotations

from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

_ROOM = 0.5
"""Room that is left, as a share of the lines: memory that was never written to is none."""
_LEAST = 256
_LIVE = 0.75


class Grown:
    """Matrices with the same lines.

    :param lines: How many there are to begin with.
    :param parts: Width and type of each matrix.
    """

    def __init__(self, lines: int, *parts: tuple[int, DTypeLike]) -> None:
        room = lines + max(int(_ROOM * lines), _LEAST)
        self.parts: tuple[NDArray[Any], ...] = tuple(np.empty((room, width), dtype=dtype) for width, dtype in parts)
        self._room = room
        self._end = 0
        self._lock = Lock()

    def reserve(self, lines: int, kept: int = 0) -> slice | None:
        """Where so many new lines are to be written; ``None`` where a matrix of its own is better.

        :param kept: How many lines of those that are there the new state needs.
        """
        with self._lock:
            end = self._end + lines
            if end > self._room or kept + lines < _LIVE * end - _LEAST:
                return None
            start, self._end = self._end, end
        return slice(start, end)
