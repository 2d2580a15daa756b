"""Another encoder's vectors for everything that has one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphstore import schema
from graphstore.corpusmap.build import build_map
from graphstore.corpusmap.builder import Builder
from graphstore.db import Database
from graphstore.progress import Progress
from graphstore.toolgraph.update import derive

if TYPE_CHECKING:
    from graphstore.encoders import Encoder


def reindex(
    db: Database,
    encoder: Encoder,
    *,
    builder: Builder | None = None,
    progress: Progress | None = None,
    half_life: float | None = None,
) -> dict[str, int]:
    """How much was encoded with ``encoder``: ``{"tools", "tasks", "documents"}``.

    The old vectors go and the store names the new encoder in one transaction; what has no vector is then encoded, as
    ``graphstore build`` does, which also goes on from here after an interruption. Until it is done, texts without a
    vector are found by their words only.

    :param builder: What reads documents; the local one with the store's catalog if not given.
    """
    schema.replace_encoder(db, encoder=encoder.name, dimensions=encoder.dimensions)
    derive(db, encoder, progress=progress, half_life=half_life)
    build_map(db, encoder, builder=builder, progress=progress)
    held = db.read("maintain/holdings")[0]
    return {kind: int(held[kind]) for kind in ("tools", "tasks", "documents")}
