"""Taking documents out, with everything that they alone support."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from graphstore.clock import now
from graphstore.corpusmap.entity_vectors import write_entity_vectors
from graphstore.corpusmap.rows import Step
from graphstore.corpusmap.stored import StoredResolver
from graphstore.corpusmap.traces import catalog_steps, ledger_steps
from graphstore.corpusmap.update import optimistic, settled_steps
from graphstore.db import Database
from graphstore.errors import NotFound
from graphstore.progress import Progress

if TYPE_CHECKING:
    from graphstore.encoders import Encoder


def forget(
    db: Database,
    encoder: Encoder,
    documents: Sequence[str],
    *,
    progress: Progress | None = None,
    cache: Path | None = None,
) -> list[str]:
    """Ids of the documents that were taken out, with their chunks, links, statements and emptied entities.

    The ledger and catalogs that were made of documents forget what only these say, names of people above all.
    What other documents support stays; names whose decision rested on these documents are decided again.

    :param documents: Ids or paths.
    :param cache: Folder in which the resolver's state is kept between processes; it forgets them too.
    :raises NotFound: one of them is not in the store; nothing was taken out.
    """
    wanted = list(dict.fromkeys(documents))
    rows = db.read("retrieve/corpus_registry_named", names=wanted)
    missing = [name for name in wanted if name not in {row["name"] for row in rows}]
    if missing:
        raise NotFound(f"no document {missing[0][:100]!r} in the store; nothing was taken out")
    exact = {row["name"] for row in rows if row["id"] == row["name"]}
    ids = sorted({row["id"] for row in rows if row["name"] not in exact or row["id"] == row["name"]})

    def steps(state: StoredResolver) -> list[Step]:
        state.purge()
        for document in ids:
            if document in state.resolver.registry.entries:
                state.drop(document)
        at = now()
        told = [*ledger_steps(state, set(ids)), *catalog_steps(state, ids)]
        return [("maintain/forget_documents", {"ids": ids}), *told, *settled_steps(state, (), at)]

    state = StoredResolver(db, progress, cache=cache)
    optimistic(state, steps)
    state.keep()
    write_entity_vectors(db, progress=progress)
    if progress:
        progress("documents forgotten", len(ids), len(ids))
    return ids
