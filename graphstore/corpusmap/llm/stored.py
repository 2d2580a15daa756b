"""What a model reads and decides, in the store."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Set

from graphstore.corpusmap.entity_vectors import write_entity_vectors
from graphstore.corpusmap.llm.asking import Asker
from graphstore.corpusmap.llm.doubts import Doubt, Doubts
from graphstore.corpusmap.llm.reading import PREFIX
from graphstore.corpusmap.llm.resolving import resolve_with_model
from graphstore.corpusmap.refine import write_refinements
from graphstore.corpusmap.stored import StoredResolver
from graphstore.db import Database, StaleVersion
from graphstore.progress import Progress

_BATCH = 64
"""Names judged between two writes."""


def resolve_stored(
    db: Database, asker: Asker, *, restricted: bool = False, progress: Progress | None = None
) -> dict[str, int]:
    """Names by what the model made of them: those that the local resolver leaves open or weak, where the model read.

    Each decision is a row of the ledger, ``refine`` by the model; it holds for the text that the document has now.
    Names that were asked about before are not asked about again, so a second run asks nothing; nor are those of which
    a person took the answer back.

    :param restricted: Whether what documents say that only some may read may be sent too.
    """
    state = StoredResolver(db, progress)
    state.sync()
    hidden = set() if restricted else _restricted(db)
    digests = {row["id"]: row["hash"] for row in db.read("retrieve/corpus_registry_hashes")}
    by = f"{PREFIX}:{asker.meter.endpoint.model}"
    asked = _taken_back(db)
    counts: Counter[str] = Counter()
    # What is settled may open, or weaken, another name; each is asked about once, so this ends.
    while listed := [
        doubt
        for doubt in _doubts(state, hidden)
        if (doubt.document, doubt.key) not in asked and doubt.documents <= digests.keys()
    ]:
        for first in range(0, len(listed), _BATCH):
            part = listed[first : first + _BATCH]
            try:
                texts = state.texts(sorted({name for doubt in part for name in doubt.documents}))
            except StaleVersion:  # another process took one of them away: what is left is looked for anew
                state.sync()
                break
            asked |= {(doubt.document, doubt.key) for doubt in part}
            # looked up after the texts were read: what another process restricts meanwhile is not sent
            hidden = set() if restricted else _restricted(db)
            part = [doubt for doubt in part if not doubt.documents & hidden]
            found = resolve_with_model(asker, part, state.resolver, texts, digests, progress=progress)
            counts += found.counts
            if found.rulings:
                write_refinements(state, found.rulings, by=by)
    write_entity_vectors(db, progress=progress)
    return dict(counts)


def _restricted(db: Database) -> set[str]:
    """Documents that only some may read."""
    return {row["id"] for row in db.read("retrieve/corpus_restricted")}


def _taken_back(db: Database) -> set[tuple[str, str]]:
    """Documents and keys of which a refinement was undone."""
    rows = db.read("retrieve/ledger")
    return {
        (document, row["form"])
        for row in rows
        if row["kind"] == "refine" and row["undone"] is not None
        for document in row["documents"]
    }


def _doubts(state: StoredResolver, hidden: Set[str]) -> Iterator[Doubt]:
    """Doubts in what a model read, as the map is now."""
    entries = state.resolver.registry.entries
    read = [name for name, entry in entries.items() if entry.by.startswith(f"{PREFIX}:")]
    return Doubts(state.resolver, {name: name not in hidden for name in entries}).of(read)
