"""Values under keys, of which only those in use are in memory."""

from __future__ import annotations

from collections.abc import Callable, ItemsView, Iterator, MutableMapping, ValuesView
from typing import Any, Generic, TypeVar, cast, overload

from graphstore.corpusmap.shelf import Shelf

V = TypeVar("V")
T = TypeVar("T")

_PAGE = 512
"""Rows that are read at once where all are."""


class _Gone:
    """Stands for no value."""

    __slots__ = ()


_GONE: Any = _Gone()


class Table(MutableMapping[str, V], Generic[V]):
    """A mapping. A value is never changed in place, or is set again when it was.

    Two generations of values are in memory: what is used is of the younger one. When that is full, what was changed is
    written, the older one is dropped and a new one begins; so what is in use stays, and all stays until there is much.
    """

    def __init__(
        self,
        shelf: Shelf,
        name: str,
        pack: Callable[[V], str],
        unpack: Callable[[str], V],
        *,
        most: int = 2_048,
        weight: Callable[[V], int] | None = None,
    ) -> None:
        """An empty one.

        :param most: Values of a generation, or what they weigh together.
        :param weight: What a value weighs beside one for its key.
        """
        self.name = name
        self.schema = f"CREATE TABLE {name} (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID"
        self._shelf = shelf
        self._pack, self._unpack, self._weight = pack, unpack, weight
        self._most = max(1, round(most * shelf.hot))
        self._new: dict[str, V] = {}
        self._old: dict[str, V] = {}
        self._dirty: set[str] = set()
        self._whole = True  # nothing is in the file only
        self._held = self._size = 0
        self._select = f"SELECT value FROM {name} WHERE key = ?"
        shelf.add(self)

    # -- single values -------------------------------------------------------------------------------------------

    def _found(self, key: str) -> V:
        found = self._new.get(key)
        if found is not None:
            return found
        found = self._old.get(key)
        if found is None:
            if self._whole or not self._size:
                return cast(V, _GONE)
            rows = self._shelf.rows(self._select, (key,))
            found = self._unpack(rows[0][0]) if rows else cast(V, _GONE)
        self._hold(key, found)
        return found

    def _hold(self, key: str, value: V) -> None:
        self._new[key] = value
        self._held += 1 if self._weight is None or value is _GONE else 1 + self._weight(value)
        if self._held > self._most:
            self.flush()
            self._whole = self._whole and not self._old
            self._old, self._new, self._held = self._new, {}, 0

    def __getitem__(self, key: str) -> V:
        found = self._new.get(key)
        if found is None or found is _GONE:
            found = self._found(key)
            if found is _GONE:
                raise KeyError(key)
        return found

    @overload
    def get(self, key: str, /) -> V | None: ...
    @overload
    def get(self, key: str, /, default: V | T) -> V | T: ...
    def get(self, key: str, /, default: Any = None) -> Any:
        """The value of a key."""
        found = self._new.get(key)
        if found is None:
            found = self._found(key)
        return default if found is _GONE else found

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and self._found(key) is not _GONE

    def __setitem__(self, key: str, value: V) -> None:
        if self._found(key) is _GONE:
            self._size += 1
        self._dirty.add(key)
        self._hold(key, value)

    def __delitem__(self, key: str) -> None:
        if self._found(key) is _GONE:
            raise KeyError(key)
        self._size -= 1
        if self._shelf.in_use:
            self._dirty.add(key)
            self._hold(key, cast(V, _GONE))
        else:  # then only one generation has ever been
            del self._new[key]
            self._dirty.discard(key)
            self._held -= 1

    def put(self, key: str, value: V) -> None:
        """Set a value if it is another one than there was: what is the same need not be written."""
        if self._found(key) != value:
            self[key] = value

    def __len__(self) -> int:
        return self._size

    # -- all values ----------------------------------------------------------------------------------------------

    def __iter__(self) -> Iterator[str]:
        return (key for key, _ in self._all())

    def items(self) -> ItemsView[str, V]:
        """Keys with their values, read in order; the table may be read meanwhile, not changed."""
        return _Items(self)

    def values(self) -> ValuesView[V]:
        """All values, read in order."""
        return _Values(self)

    def _all(self) -> Iterator[tuple[str, V]]:
        if not self._shelf.in_use:
            yield from list(self._new.items())
            return
        self.flush()
        for key, value in self._shelf.pages(f"SELECT key, value FROM {self.name}", _PAGE):
            yield key, self._unpack(value)

    # -- the file ------------------------------------------------------------------------------------------------

    def flush(self) -> None:
        """Write what only memory has."""
        if not self._dirty:
            return
        put: list[tuple[str, str]] = []
        gone: list[tuple[str]] = []
        for key in sorted(self._dirty):
            value = self._new[key]  # what was changed since the last generation
            if value is _GONE:
                gone.append((key,))
            else:
                put.append((key, self._pack(value)))
        self._shelf.write(f"INSERT OR REPLACE INTO {self.name} VALUES (?, ?)", put)
        if gone:
            self._shelf.write(f"DELETE FROM {self.name} WHERE key = ?", gone)
        self._dirty.clear()

    def sizes(self) -> dict[str, int]:
        """How many values there are."""
        return {"": self._size}

    def resume(self, sizes: dict[str, int]) -> None:
        """Begin with what the file has."""
        self._size, self._whole = sizes[""], False


class _Items(ItemsView[str, V]):
    def __init__(self, table: Table[V]) -> None:
        super().__init__(table)
        self._table = table

    def __iter__(self) -> Iterator[tuple[str, V]]:
        return self._table._all()


class _Values(ValuesView[V]):
    def __init__(self, table: Table[V]) -> None:
        super().__init__(table)
        self._table = table

    def __iter__(self) -> Iterator[V]:
        return (value for _, value in self._table._all())
