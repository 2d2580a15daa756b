"""Weak links and open names of a store examined again; the outcomes are rows of the ledger and can be taken back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphstore.clock import now
from graphstore.corpusmap.entity_vectors import write_entity_vectors
from graphstore.corpusmap.ledger_rows import moved_json, next_number, ruling_row
from graphstore.corpusmap.refining import Case, Margin, Refining, Span, best_of, learned_margin
from graphstore.corpusmap.rows import Row, Step
from graphstore.corpusmap.rulings import Ruling
from graphstore.corpusmap.stored import StoredResolver
from graphstore.corpusmap.update import changed_steps, optimistic
from graphstore.db import Database
from graphstore.progress import Progress

REFINE = "refine"
_BATCH = 128


@dataclass(frozen=True, slots=True)
class Refined:
    """What a refinement did.

    :param examined: Open names and weak links that have more than one candidate.
    :param linked: Names that were open and are linked now.
    :param opened: Weak links that were taken back, since another candidate fits better.
    :param examples: Sure links that showed how clear a case must be.
    :param margin: How clear that is; ``None`` where they showed none, and nothing was decided.
    :param precision: Share of them that are told right from there on.
    """

    examined: int
    linked: int
    opened: int
    examples: int
    margin: float | None
    precision: float | None
    graph_version: int

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON."""
        return asdict(self)


def refine_map(db: Database, *, progress: Progress | None = None, cache: Path | None = None) -> Refined:
    """Look at open names and weak links again with the whole corpus; what is clear is decided, the rest is left.

    A decision holds for the text that its document has now.
    """
    state = StoredResolver(db, progress, cache=cache)
    state.sync()
    vectors = _Vectors(db)
    refining = Refining(state.resolver, vectors.context)
    examples = list(refining.examples())
    cases = list(refining.cases())
    margin = learned_margin((case, refining.scores(case)) for case in examples) if cases else None
    rulings = list(_rulings(state, refining, cases, margin, progress)) if margin else []
    for first in range(0, len(rulings), _BATCH):
        write_refinements(state, rulings[first : first + _BATCH], by=REFINE)
    write_entity_vectors(db, progress=progress)
    linked = sum(bool(ruling.subjects) for ruling in rulings)
    least, precision = (margin.least, margin.precision) if margin else (None, None)
    return Refined(len(cases), linked, len(rulings) - linked, len(examples), least, precision, db.graph_version())


def _rulings(
    state: StoredResolver, refining: Refining, cases: Sequence[Case], margin: Margin, progress: Progress | None
) -> Iterator[Ruling]:
    for done, case in enumerate(cases):
        if progress and done % _BATCH == 0:
            progress("open names and weak links", done, len(cases))
        best, lead = best_of(refining.scores(case))
        if lead < margin.least or best == case.linked:
            continue
        subjects = () if case.linked else (state.resolver.anchor_of(best),)
        reason = (
            "another candidate fits better over the whole corpus" if case.linked else "context over the whole corpus"
        )
        yield Ruling(
            0,
            "refine",
            subjects,
            (case.document,),
            case.local.key,
            state.digest_of(case.document) or "",
            margin.precision,
            reason,
            REFINE,
        )


def write_refinements(state: StoredResolver, rulings: Sequence[Ruling], *, by: str) -> None:
    """Write decisions about single names as rows of the ledger, with all that follows from them.

    :param rulings: Their numbers are still to be given.
    """

    def steps(state: StoredResolver) -> list[Step]:
        at = now()
        rows: list[Row] = []
        for number, found in enumerate(rulings, next_number(state.db)):
            ruling = replace(found, number=number, by=by)
            state.rule(ruling)
            rows.append(ruling_row(ruling, (), (), by=by, reason=ruling.reason, at=at))
        changes = state.resolver.settle()
        for row in rows:
            row["moved"] = moved_json([document for document in row["documents"] if document in changes.documents])
            row["dormant"] = changes.dormant.pop(row["number"], False)
        return [("load/decisions", {"rows": rows}), *changed_steps(state, changes, at)]

    optimistic(state, steps)


class _Vectors:
    """Vectors of documents without the sentences around a name, read when they are needed."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._held: dict[str, list[tuple[int, int, NDArray[np.float32]]]] = {}

    def context(self, document: str, spans: Iterable[Span]) -> NDArray[np.float32] | None:
        """The mean direction of the sentences that hold none of the spans; ``None`` if there is no other."""
        if document not in self._held:
            self._held[document] = list(self._read(document))
        inside = list(spans)
        kept = [
            vector for start, end, vector in self._held[document] if not any(start < b and a < end for a, b in inside)
        ]
        total = np.sum(kept, axis=0) if kept else None
        size = float(np.linalg.norm(total)) if total is not None else 0.0
        return (total / size).astype(np.float32) if total is not None and size > 0 else None

    def _read(self, document: str) -> Iterator[tuple[int, int, NDArray[np.float32]]]:
        for row in self._db.read("retrieve/corpus_sentences", ids=[document]):
            starts, ends = row["starts"], row["ends"]
            if row["sentences"] and starts:
                vectors = np.frombuffer(row["sentences"], dtype=np.float16).reshape(len(starts), -1)
                yield from zip(starts, ends, vectors.astype(np.float32), strict=True)
