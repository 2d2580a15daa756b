"""The names that statements on this store can hold, read from the live store."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from typing import Any, Protocol

from graphstore import queries
from graphstore.errors import GraphStoreError
from graphstore.execution import Execution

_FRESH = 60.0  # seconds that names are used before they are read again


class Store(Protocol):
    """What runs statements."""

    def execute(
        self, cypher: str, params: Mapping[str, Any] | None = None, *, write: bool = False
    ) -> AbstractContextManager[Execution]:
        """The statement while it runs."""
        ...


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Names by kind, each sorted."""

    labels: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    properties: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    procedures: tuple[str, ...] = ()


def read(store: Store) -> Vocabulary:
    """The store's names as they are now."""
    names: dict[str, list[str]] = {}
    for statement in ("maintain/vocabulary", "maintain/vocabulary_functions", "maintain/vocabulary_procedures"):
        with store.execute(queries.load(statement).text) as execution:
            for kind, name in execution:
                names.setdefault(kind, []).append(name)
    return Vocabulary(**{kind: tuple(sorted(set(found))) for kind, found in names.items()})


class LiveVocabulary:
    """The names of a store, read when they are first asked for and again when they may have changed."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._names = Vocabulary()
        self._read_at = float("-inf")

    def __call__(self) -> Vocabulary:
        """The names; those of the last reading, or none, while the store does not answer."""
        with self._lock:
            if time.monotonic() - self._read_at > _FRESH:
                with suppress(GraphStoreError):  # completion is a help: the next statement says what is wrong
                    self._names = read(self._store)
                self._read_at = time.monotonic()
            return self._names

    def forget(self) -> None:
        """Read the names again when they are next asked for."""
        self._read_at = float("-inf")
