"""When the state of a resolver is left for other processes, and what it is made of."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

from graphstore.corpusmap.kept import open_state, purge_state, save_state
from graphstore.corpusmap.packing import pack, unpack
from graphstore.corpusmap.resolve import Resolver
from graphstore.corpusmap.rulings import Ruling
from graphstore.corpusmap.shelf import DamagedState
from graphstore.corpusmap.table import Table
from graphstore.db import Database

_WORTH_KEEPING = 200
"""Documents of a store from which on its state is kept: fewer are read as fast."""

_SELDOM = 50
"""A state is kept anew when one in so many documents is new, changed or gone: it costs as much as reading one."""

_MIDWAY = 4
"""While much is written, it is kept when one in so many is new: a load that is killed then need not read all again."""

Stored = tuple[str, str, str | None]
"""Of a document in the store: hash of its content, path, hash of its extraction."""


class MadeOf:
    """All that a resolver has taken in of a store; the hashes of documents lie on its shelf."""

    def __init__(self, resolver: Resolver) -> None:
        self.documents: Table[Stored] = Table(resolver.shelf, "made_of", pack, _stored)
        self.records: dict[str, str] = {}
        self.rulings: dict[int, Ruling] = {}
        self.unkept = 0

    def __len__(self) -> int:
        return len(self.documents) + len(self.records)

    def differences(self, db: Database) -> tuple[list[str], list[str], list[str]]:
        """Documents that the store has no more, has otherwise, and has besides."""
        changed, new, same = [], [], 0
        for row in db.stream("retrieve/corpus_registry_hashes"):
            held = self.documents.get(row["id"])
            if held is None:
                new.append(row["id"])
            elif held != (row["hash"], row["path"], row["extraction"]):
                changed.append(row["id"])
            else:
                same += 1
        if same + len(changed) == len(self.documents):
            return [], changed, new
        there = {row["id"] for row in db.stream("retrieve/corpus_registry_hashes")}
        return [held for held in self.documents if held not in there], changed, new


class Keeping:
    """Keeps the states of a store's resolver in a cache folder."""

    def __init__(self, db: Database, cache: Path | None) -> None:
        """Nothing is kept yet.

        :param cache: ``None`` keeps none.
        """
        self._db = db
        self._cache = cache
        self._kept = False

    def take_over(self, resolver: Resolver, made_of: MadeOf) -> None:
        """Begin with what another process kept, if there is something; what differs from the store is read as ever."""
        if self._cache is None or resolver.shelf.in_use or resolver.registry.entries:
            return
        if (state := open_state(self._cache, self._db.store_id, resolver.shelf)) is not None:
            made_of.records, made_of.rulings = state["made of"]
            resolver.restore(state["resolver"])
            self._kept = True

    def keep(self, resolver: Resolver, made_of: MadeOf, *, midway: bool = False) -> None:
        """Leave a state, where much of it is new; between steps only.

        :param midway: More is to come.
        """
        if self._cache is None or len(made_of) < _WORTH_KEEPING:
            return
        due = made_of.unkept * (_MIDWAY if midway else _SELDOM) > len(made_of)
        if due or not (self._kept or midway):
            state: dict[str, Any] = {"made of": (made_of.records, made_of.rulings), "resolver": resolver.state()}
            with suppress(DamagedState):  # what was written is written; the next sync begins anew
                save_state(self._cache, self._db.store_id, resolver.shelf, state)
            self._kept, made_of.unkept = not resolver.shelf.damaged, 0

    def purge(self) -> None:
        """Take away what is kept: something is about to be forgotten."""
        if self._cache is not None:
            purge_state(self._cache, self._db.store_id)
            self._kept = False


def _stored(text: str) -> Stored:
    digest, path, extraction = unpack(text)
    return digest, path, extraction
