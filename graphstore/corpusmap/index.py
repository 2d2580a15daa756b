"""Sets of values under keys."""

from __future__ import annotations

from collections import defaultdict
from typing import Any


class Index(defaultdict[str, set[str]]):
    """Sets of values per key, without empty sets."""

    def __init__(self) -> None:
        super().__init__(set)

    def __reduce__(self) -> tuple[Any, ...]:
        return Index, (), None, None, iter(self.items())

    def add(self, key: str, value: str) -> None:
        """Put a value under a key."""
        self[key].add(value)

    def discard(self, key: str, value: str) -> None:
        """Take a value from a key, and the key with its last value."""
        if key in self:
            self[key].discard(value)
            if not self[key]:
                del self[key]

    def at(self, key: str) -> set[str]:
        """The values of a key; never creates it."""
        return self.get(key) or set()
