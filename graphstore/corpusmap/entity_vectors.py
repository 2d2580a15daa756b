"""Vectors of entities: the mean direction of what documents say of each.

Nothing is encoded for them: the vectors of sentences are stored. Each of the documents that say most of an entity
counts once, by the sentences that its page quotes; one that only names it, as in a title, by its first piece. So a
vector is a function of what is stored, of any order of loading, and costs the same for a name that is everywhere.
Statements that change a link, a document or a piece of one take the vectors away that were made of them; here those
that are missing are made. An entity of one document has none: nothing is added to what its document says.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from graphstore.corpusmap.documents import batched
from graphstore.db import Database
from graphstore.progress import Progress
from graphstore.visibility import OWNER, Visibility
from graphstore.writers import until_written

Vector: TypeAlias = NDArray[np.float64]

DOCUMENTS = 8
"""Documents of an entity that are read for its vector."""
_AT_ONCE = 200
_LEAST = 1e-6
"""Length of a sum of directions below which they are none together."""


def write_entity_vectors(db: Database, *, progress: Progress | None = None) -> int:
    """How many entities were given vectors: those of several documents that had none.

    :raises ConnectError: other writers never paused.
    """
    bare = [row["id"] for row in db.stream("retrieve/corpus_entities_bare")]
    made = 0
    for part in batched(bare, _AT_ONCE):
        made += until_written(db, partial(_write, db, part))
        if progress:
            progress("vectors of entities", made, len(bare))
    return made


def _write(db: Database, ids: Sequence[str]) -> int:
    version, (meta, rows) = db.read_consistent([("maintain/graph_version", {}), evidence(ids)])
    found = directions(rows, meta[0]["dimensions"])
    if found:
        made = [{"id": entity, "embedding": vector.tolist()} for entity, vector in sorted(found.items())]
        db.write(("load/corpus_entity_vectors", {"rows": made}), expect=version)
    return len(found)


def evidence(ids: Sequence[str], who: Visibility = OWNER) -> tuple[str, dict[str, Any]]:
    """The statement that reads what vectors of entities are made of, as a reader may see it."""
    return "retrieve/corpus_evidence", {"ids": list(ids), "documents": DOCUMENTS, **who.parameters}


def directions(rows: Iterable[Mapping[str, Any]], dimensions: int) -> dict[str, NDArray[np.float32]]:
    """The unit vector of each entity of which something is said, in any order of the rows the same to the last bit.

    :param rows: Of :func:`evidence`.
    :param dimensions: Of the store's vectors; what is of another size was written past graphstore and does not count.
    """
    said: dict[str, dict[str, list[Vector]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        said[row["entity"]][row["document"]].extend(_vectors(row, dimensions))
    found = {}
    for entity, documents in said.items():
        whole = _direction([each for of_one in documents.values() if (each := _direction(of_one)) is not None])
        if whole is not None:
            found[entity] = whole.astype(np.float32)
    return found


def _vectors(row: Mapping[str, Any], dimensions: int) -> Iterator[Vector]:
    """The vectors of the sentences of a chunk that speak of the entity; its own if the document has none."""
    starts, ends, packed = row["starts"] or (), row["ends"] or (), row["sentences"] or b""
    if row["embedding"] is not None:
        yield from _usable([row["embedding"]], dimensions)
    elif starts and len(packed) == 2 * dimensions * len(starts):
        every = np.frombuffer(packed, dtype=np.float16).reshape(-1, dimensions)
        spans = list(zip(*row["said"], strict=True))
        inside = [any(a < end and start < b for a, b in spans) for start, end in zip(starts, ends, strict=True)]
        yield from _usable(every[np.array(inside, dtype=np.bool_)], dimensions)


def _usable(vectors: Any, dimensions: int) -> Iterator[Vector]:
    rows = np.asarray(vectors, dtype=np.float64)
    if rows.shape[1] == dimensions:
        yield from rows[np.isfinite(rows).all(axis=1)]


def _direction(vectors: Sequence[Vector]) -> Vector | None:
    """The mean direction; ``None`` of vectors that cancel each other, or of none."""
    if not vectors:
        return None
    total = np.zeros_like(vectors[0])
    for vector in sorted(vectors, key=lambda each: each.tobytes()):  # a sum of floats depends on their order
        total += vector
    length = float(np.sqrt(np.square(total).sum()))
    return total / length if length > _LEAST else None
