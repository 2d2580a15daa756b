"""Sets of values under keys, of which only those in use are in memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from graphstore.corpusmap.shelf import Shelf

_MANY = 256
"""Values of a key, at most, that are held as a set. Of more it is known how many they are, and the rest is read."""

_PAGE = 4_096
_UNWRITTEN = 16_384
"""Changes that wait in memory to be written, at most."""

_PAIRS = 1_024
"""Pairs of common keys of which it is held what they have in common."""

_NONE: frozenset[str] = frozenset()

Held = str | set[str] | frozenset[str]


class Index:
    """Sets of values per key, without empty sets.

    Most keys of a corpus have one value, which is held as it is: a set of one takes four times the memory. Sets are in
    memory by generations, as in a :class:`~graphstore.corpusmap.table.Table`. The many values of a common key are not,
    though it is in use all the time: only how many they are, and what of them was just read.
    """

    def __init__(self, shelf: Shelf | None = None, name: str = "", *, most: int = 8_192) -> None:
        """An empty one.

        :param shelf: Where to put away what is not in use; without it, all is in memory.
        :param most: Values of a generation.
        """
        self.name = name
        self.schema = f"CREATE TABLE {name} (key TEXT, value TEXT, PRIMARY KEY (key, value)) WITHOUT ROWID"
        self._shelf = shelf
        self._most = max(1, round(most * shelf.hot)) if shelf else 0
        self._many = max(2, round(_MANY * min(1.0, shelf.hot))) if shelf else 0
        self._unwritten = max(1, round(_UNWRITTEN * shelf.hot)) if shelf else 0
        self._new: dict[str, Held] = {}
        self._old: dict[str, Held] = {}
        self._whole = True  # nothing is in the file only
        self._held = self._size = self._waiting = 0
        self._counts: dict[str, int] = {}
        self._wide: dict[str, set[str]] = {}
        self._changed: dict[str, dict[str, bool]] = {}
        self._common: dict[tuple[str, str], str] = {}
        if shelf:
            self._of_key = f"SELECT value FROM {name} WHERE key = ?"
            self._of_value = f"SELECT 1 FROM {name} WHERE key = ? AND value = ?"
            there = f"EXISTS (SELECT 1 FROM {name} AS other WHERE other.key = ?2 AND other.value = one.value)"
            self._of_both = f"SELECT value FROM {name} AS one WHERE key = ?1 AND {there} LIMIT 1"
            shelf.add(self)

    # -- reading -------------------------------------------------------------------------------------------------

    def at(self, key: str) -> set[str] | frozenset[str]:
        """The values of a key, not to be changed; never creates it."""
        held = self._new.get(key) or (self._all_of(key) if key in self._counts else self._found(key))
        return {held} if isinstance(held, str) else held

    def count(self, key: str) -> int:
        """How many values a key has."""
        held = self._counts.get(key)
        if held is not None:
            return held
        found = self._new.get(key) or self._found(key)
        return 1 if isinstance(found, str) else len(found)

    def first(self, key: str, most: int) -> list[str]:
        """The least values of a key, sorted."""
        if key not in self._counts or self._shelf is None:
            return sorted(self.at(key))[:most]
        changed = self._changed.get(key, {})
        rows = self._shelf.rows(f"{self._of_key} ORDER BY value LIMIT ?", (key, most + len(changed)))
        kept = {value for (value,) in rows if changed.get(value, True)}
        return sorted(kept | {value for value, there in changed.items() if there})[:most]

    def has(self, key: str, value: str) -> bool:
        """Whether a value is among those of a key."""
        if key not in self._counts or self._shelf is None:
            return value in self.at(key)
        if key in self._wide:
            return value in self._wide[key]
        there = self._changed.get(key, {}).get(value)
        return bool(self._shelf.rows(self._of_value, (key, value))) if there is None else there

    def meet(self, a: str, b: str) -> bool:
        """Whether two keys have a value in common."""
        few, many = sorted((a, b), key=self.count)
        if few in self._counts and few != many and self._shelf is not None:
            return self._met(self._shelf, few, many)
        return any(self.has(many, value) for value in self.at(few))

    def _met(self, shelf: Shelf, a: str, b: str) -> bool:
        """Whether two keys that have many values have one in common; that which they last had is looked at first."""
        found = self._common.get((a, b))
        if found is not None and self.has(a, found) and self.has(b, found):
            return True
        if a in self._changed or b in self._changed:
            self.flush()
        rows = shelf.rows(self._of_both, (a, b))
        if len(self._common) >= _PAIRS:
            self._common.clear()
        if rows:
            self._common[a, b] = rows[0][0]
        return bool(rows)

    def values_of(self, key: str) -> Values:
        """The values of a key, read when they are asked for."""
        return Values(self, key)

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and bool(self._new.get(key) or key in self._counts or self._found(key))

    def any_of(self, keys: Iterable[str]) -> bool:
        """Whether one of these keys has a value."""
        return any(key in self for key in keys)

    def __len__(self) -> int:
        """How many keys have values."""
        return self._size

    def keys(self) -> Iterator[str]:
        """Every key, to be read before the next change."""
        if self._shelf is None or not self._shelf.in_use:  # then one generation has ever been
            return iter([*(key for key, held in self._new.items() if held), *self._counts])
        return self._all_keys(self._shelf)

    def _all_keys(self, shelf: Shelf) -> Iterator[str]:
        self.flush()
        yield from (key for (key,) in shelf.pages(f"SELECT DISTINCT key FROM {self.name}", _PAGE))

    # -- changing ------------------------------------------------------------------------------------------------

    def add(self, key: str, value: str, *, sure: bool = False) -> None:
        """Put a value under a key.

        :param sure: It is known not to be there, which then need not be read.
        """
        if key in self._counts:
            self._change_many(key, value, there=True, sure=sure)
            return
        held = self._found(key)
        if not held:
            self._size += 1
            self._hold(key, value)
        elif isinstance(held, set):
            if value in held:
                return
            held.add(value)
            self._held += 1
            if self._shelf and len(held) > self._many:
                self._counts[key] = len(held)
                self._new.pop(key, None)
                self._old.pop(key, None)
        elif held != value:
            assert isinstance(held, str)
            self._hold(key, {held, value})
        else:
            return
        self._note(key, value, there=True)

    def discard(self, key: str, value: str, *, sure: bool = False) -> None:
        """Take a value from a key, and the key with its last value.

        :param sure: It is known to be there, which then need not be read.
        """
        if key in self._counts:
            self._change_many(key, value, there=False, sure=sure)
            return
        held = self._found(key)
        if isinstance(held, set) and value in held:
            held.discard(value)
            if len(held) == 1:
                self._hold(key, next(iter(held)))
        elif held == value:
            self._size -= 1
            self._hold(key, _NONE)
        else:
            return
        self._note(key, value, there=False)

    def _change_many(self, key: str, value: str, *, there: bool, sure: bool) -> None:
        """Add to, or take from, the values of a key that has many; few are held as a set again."""
        if not sure and self.has(key, value) == there:
            return
        if key in self._wide:
            self._wide[key].add(value) if there else self._wide[key].discard(value)
        self._counts[key] += 1 if there else -1
        self._note(key, value, there=there)
        if self._counts[key] <= self._many and self._shelf:
            del self._counts[key]
            self._wide.pop(key, None)
            self._hold(key, self._read(self._shelf, key))

    # -- what is in memory ---------------------------------------------------------------------------------------

    def _all_of(self, key: str) -> set[str]:
        """The values of a key that has many."""
        found = self._wide.get(key)
        if found is None:
            assert self._shelf is not None
            found = self._values(self._shelf, key)
            if len(found) + sum(map(len, self._wide.values())) > self._most:
                self._wide.clear()
            if len(found) <= self._most:
                self._wide[key] = found
        return found

    def _found(self, key: str) -> Held:
        held = self._new.get(key)
        if held is not None:
            return held
        held = self._old.get(key)
        if held is None:
            if self._whole or not self._size or self._shelf is None:
                return _NONE
            held = self._read(self._shelf, key)
        self._hold(key, held)
        return held

    def _read(self, shelf: Shelf, key: str) -> Held:
        values = self._values(shelf, key)
        if len(values) > 1:
            return values
        return values.pop() if values else _NONE

    def _values(self, shelf: Shelf, key: str) -> set[str]:
        values = {value for (value,) in shelf.rows(self._of_key, (key,))}
        for value, there in self._changed.get(key, {}).items():
            values.add(value) if there else values.discard(value)
        return values

    def _hold(self, key: str, held: Held) -> None:
        if not held and not (self._shelf and self._shelf.in_use):
            self._new.pop(key, None)
            return
        self._new[key] = held
        self._held += 1 if isinstance(held, str) else 1 + len(held)
        if self._shelf and self._held > self._most:
            self.flush()
            self._whole = self._whole and not self._old
            self._old, self._new, self._held = self._new, {}, 0

    def _note(self, key: str, value: str, *, there: bool) -> None:
        if self._shelf is None:
            return
        self._changed.setdefault(key, {})[value] = there
        self._waiting += 1
        if self._waiting > self._unwritten:
            self.flush()

    # -- the file ------------------------------------------------------------------------------------------------

    def flush(self) -> None:
        """Write what only memory has."""
        if self._shelf is None or not self._changed:
            return
        for there, statement in (
            (True, f"INSERT OR IGNORE INTO {self.name} VALUES (?, ?)"),
            (False, f"DELETE FROM {self.name} WHERE key = ? AND value = ?"),
        ):
            rows = [(key, v) for key, values in self._changed.items() for v, now in values.items() if now == there]
            if rows:
                self._shelf.write(statement, sorted(rows))
        self._changed.clear()
        self._waiting = 0

    def sizes(self) -> dict[str, int]:
        """How many keys there are, and how many values those have that have many."""
        return {**self._counts, "\n": self._size}

    def resume(self, sizes: dict[str, int]) -> None:
        """Begin with what the file has."""
        self._whole = False
        self._size = sizes.pop("\n")
        self._counts = sizes


class Values:
    """The values of a key: how many costs nothing."""

    def __init__(self, index: Index, key: str) -> None:
        self._index = index
        self._key = key

    def __len__(self) -> int:
        return self._index.count(self._key)

    def __iter__(self) -> Iterator[str]:
        return iter(self._index.at(self._key))

    def __contains__(self, value: object) -> bool:
        return isinstance(value, str) and self._index.has(self._key, value)
