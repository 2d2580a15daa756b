"""Sets of values under keys."""

from __future__ import annotations


class Index(dict[str, str | set[str]]):
    """Sets of values per key, without empty sets.

    Most keys of a corpus have one value, which is held as it is: a set of one takes four times the memory.
    """

    def add(self, key: str, value: str) -> None:
        """Put a value under a key."""
        held = self.get(key)
        if held is None:
            self[key] = value
        elif isinstance(held, set):
            held.add(value)
        elif held != value:
            self[key] = {held, value}

    def discard(self, key: str, value: str) -> None:
        """Take a value from a key, and the key with its last value."""
        held = self.get(key)
        if isinstance(held, set):
            held.discard(value)
            if len(held) == 1:
                (self[key],) = held
        elif held == value:
            del self[key]

    def at(self, key: str) -> set[str]:
        """The values of a key, not to be changed; never creates it."""
        held = self.get(key)
        if held is None:
            return set()
        return held if isinstance(held, set) else {held}
