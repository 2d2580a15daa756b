"""Documents into the store, only what is new or changed; one transaction a batch, resumable at any moment.

Each batch is computed from the state of one ``graph_version`` and written only if that still holds; else the state is
taken over from the store and the batch decided again. Decisions are a function of the set of stored documents, so two
writers, or an interrupted load that is run again, give the same graph as one load.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphstore.clock import now
from graphstore.corpusmap.builder import Builder, LocalBuilder
from graphstore.corpusmap.catalog_store import used
from graphstore.corpusmap.decisions import Changes
from graphstore.corpusmap.documents import read_documents
from graphstore.corpusmap.entity_vectors import write_entity_vectors
from graphstore.corpusmap.extraction import Extraction
from graphstore.corpusmap.intake import Intake, Move
from graphstore.corpusmap.rows import Row, Step, chunk_rows, content_hash, decision_steps, document_row, type_steps
from graphstore.corpusmap.shelf import DamagedState
from graphstore.corpusmap.stored import StoredResolver
from graphstore.db import Database, StaleVersion
from graphstore.models import LoadReport
from graphstore.progress import Progress
from graphstore.records import Ignored, Rejected, SourceDocument
from graphstore.writers import until_written

if TYPE_CHECKING:
    from graphstore.encoders import Encoder

Records = Callable[[], Iterable[SourceDocument | Rejected | Ignored]]

_BATCH = 256


def load_documents(
    db: Database,
    encoder: Encoder,
    records: Records,
    *,
    builder: Builder | None = None,
    progress: Progress | None = None,
    cache: Path | None = None,
) -> LoadReport:
    """Store documents and what they mention; what is already so stays untouched.

    :param records: Gives what a loader yields; called again where a second reading is needed.
    :param builder: What reads the documents; the local one if not given. What is stored stays as it was read.
    :param progress: Called with a label, the documents done, and their total if known.
    :param cache: Folder in which the resolver's state is kept between processes.
    :returns: Counts of documents. A document that is stored but was not read is left alone: see ``forget``.
    """
    intake = Intake(db.stream("retrieve/corpus_registry_hashes"))
    writer = _Writer(db, encoder, progress, builder or LocalBuilder(used(db)), cache)
    with ThreadPoolExecutor(1, thread_name_prefix="encode") as pool:
        try:
            _write_all(writer, pool, intake.new_and_changed(records()), intake)
            moves, copies = intake.moves_and_copies()
            writer.move(moves)
            if copies:
                _write_all(writer, pool, intake.again(records(), copies), intake)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    writer.state.keep()
    write_entity_vectors(db, progress=progress)
    return intake.report()


def _write_all(writer: _Writer, pool: ThreadPoolExecutor, documents: Iterator[SourceDocument], intake: Intake) -> None:
    """Extraction here, encoding in the other thread, one batch ahead of the writing."""
    pending: _Batch | None = None
    while part := list(islice(documents, _BATCH)):
        vectors = pool.submit(chunk_rows, part, writer.encoder)
        try:
            made = writer.builder.extract(part)
        except Exception:
            if pending:  # what was read before is worth keeping
                writer.write(pending)
            raise
        for document, failed in zip(part, made, strict=True):
            if isinstance(failed, Rejected):
                intake.reject(document.id, failed)
        read = [(document, found) for document, found in zip(part, made, strict=True) if isinstance(found, Extraction)]
        if pending:
            writer.write(pending)
        pending = _Batch([document for document, _ in read], [found for _, found in read], vectors)
    if pending:
        writer.write(pending)


@dataclass(frozen=True, slots=True)
class _Batch:
    documents: Sequence[SourceDocument]
    extractions: Sequence[Extraction]
    chunks: Future[list[Row]]


@dataclass(slots=True)
class _Writer:
    """Writes batches against the state they were decided in."""

    db: Database
    encoder: Encoder
    progress: Progress | None
    builder: Builder
    cache: Path | None
    state: StoredResolver = field(init=False)
    done: int = 0

    def __post_init__(self) -> None:
        self.state = StoredResolver(self.db, self.progress, self.builder, cache=self.cache)

    def write(self, batch: _Batch) -> None:
        """Write a batch: documents, chunks, vectors, links and all that they change elsewhere, or nothing."""
        if not batch.documents:
            return
        ids = {document.id for document in batch.documents}
        chunks = [row for row in batch.chunks.result() if row["document"] in ids]
        digests = [content_hash(document) for document in batch.documents]

        def steps(state: StoredResolver) -> list[Step]:
            for document, digest, extraction in zip(batch.documents, digests, batch.extractions, strict=True):
                state.put(document, digest, extraction)
            at = now()
            rows = [
                document_row(document, digest, extraction, at)
                for document, digest, extraction in zip(batch.documents, digests, batch.extractions, strict=True)
            ]
            return [
                *type_steps(state.catalog),
                ("load/corpus_documents", {"rows": rows}),
                ("load/corpus_chunks_remove", {"documents": [document.id for document in batch.documents]}),
                ("load/corpus_chunks", {"rows": chunks}),
                *settled_steps(state, batch.documents, at),
            ]

        optimistic(self.state, steps)
        self.state.keep(midway=True)
        self.done += len(batch.documents)
        if self.progress:
            self.progress("documents", self.done, None)

    def move(self, moves: Sequence[Move]) -> None:
        """Give documents their new ids and paths; only what the folder had decided is decided again."""
        if not moves:
            return

        names = {move.old: move for move in moves}
        moved = [
            replace(document, id=names[document.id].id, path=names[document.id].path)
            for document in read_documents(self.db, list(names))
        ]

        def steps(state: StoredResolver) -> list[Step]:
            here = [move for move in moves if move.old in state.resolver.registry.entries]
            before = {move.id: state.resolver.decisions.get(move.old, ()) for move in here}
            for move in here:
                state.move(move.old, move.id, move.path)
            rows = [{"old": move.old, "id": move.id, "path": move.path} for move in here]
            ruled = state.moved_rulings({move.old: move.id for move in here})
            about = [{"number": ruling.number, "documents": list(ruling.documents)} for ruling in ruled]
            kept: list[Step] = [("load/decisions_moved", {"rows": about})] if about else []
            return [("load/corpus_moves", {"rows": rows}), *kept, *settled_steps(state, moved, now(), before)]

        optimistic(self.state, steps)


def optimistic(state: StoredResolver, steps: Callable[[StoredResolver], list[Step]]) -> int:
    """Write steps that were computed from the state; when another writer was faster, compute them again.

    :param steps: May raise :class:`~graphstore.db.StaleVersion` itself, where it meets what is not there any more.
    :returns: The ``graph_version`` after.
    :raises ConnectError: other writers never paused.
    """
    current = state.version >= 0

    def work() -> int:
        nonlocal current
        if not current:
            state.sync()
        current = False
        try:
            made = steps(state)
        except DamagedState as error:
            raise StaleVersion(str(error)) from error
        state.version = state.db.write(*made, expect=state.version).version
        return state.version

    return until_written(state.db, work)


def settled_steps(
    state: StoredResolver,
    documents: Iterable[SourceDocument],
    at: str,
    before: Mapping[str, Any] | None = None,
) -> list[Step]:
    """Decide what changed, and the statements that store it.

    :param documents: Those whose text is at hand.
    :param before: Decisions that the store holds for documents which the resolver does not know yet.
    """
    changes = state.resolver.settle()
    changes.documents.update(before or {})
    return changed_steps(state, changes, at, documents)


def changed_steps(
    state: StoredResolver, changes: Changes, at: str, documents: Iterable[SourceDocument] = ()
) -> list[Step]:
    """The statements that store what changed.

    :param documents: Those whose text is at hand.
    """
    wanted = [document for document in changes.documents if document in state.resolver.decisions]
    return decision_steps(state.resolver, changes, state.texts(wanted, documents), at)
