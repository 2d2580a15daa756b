"""What ``check`` finds, made good as far as the store itself knows what is right."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from graphstore import schema
from graphstore.check import check
from graphstore.db import WRITTEN_PAST, Database
from graphstore.findings import Fault

_STATEMENTS = ("chunks", "orphan_chunks", "vectors", "links", "tool_paths")


@dataclass(frozen=True, slots=True)
class Repaired:
    """What a repair did.

    :param repaired: Faults that were there and are not any more.
    :param left: Faults that are there still, or came to light: evidence is gone, and has to be loaded again.
    """

    repaired: tuple[Fault, ...]
    left: tuple[Fault, ...]


def repair(db: Database, build: Callable[[], object], *, dimensions: int, analyzer: str) -> Repaired:
    """What was repaired and what was not; a sound store is not written.

    Indexes are made again. What is derived and unusable is removed, so that ``build`` makes it from the evidence.

    :param build: Derives again what is derived: edges, links, chunks, vectors.
    :param dimensions: Of the encoder's vectors.
    :param analyzer: Of full-text indexes that are missing.
    """
    before = check(db)
    if not before:
        return Repaired((), ())
    if wrong := [fault.where for fault in before if fault.check == "index"]:
        schema.redefine(db, wrong, dimensions=dimensions, analyzer=analyzer)
    db.write(*((f"maintain/repair_{name}", {}) for name in _STATEMENTS), WRITTEN_PAST)
    build()
    left = check(db)
    still = {(fault.check, fault.where) for fault in left}
    return Repaired(tuple(fault for fault in before if (fault.check, fault.where) not in still), tuple(left))
