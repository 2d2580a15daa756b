"""``graphstore eval docs`` from end to end: a question set loaded, asked in every way, and its figures."""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from typing import Any

from graphstore.encoders import load_encoder
from graphstore.errors import SettingsError
from graphstore.evaluation.document_methods import COVERAGE, GRAPH, HYBRID, METHODS, Asked, Methods
from graphstore.evaluation.document_report import DEPTH, report
from graphstore.evaluation.document_sets import DocumentSet, read_document_set
from graphstore.evaluation.document_stores import Built, built
from graphstore.evaluation.navigators import Listed, Reader, Trace, Unit
from graphstore.progress import Progress
from graphstore.retrieval.document_paths import NOWHERE, remaining
from graphstore.retrieval.documents import DocumentSearch, SearchOptions
from graphstore.settings import Settings

UNITS: tuple[Unit, ...] = ("documents", "parts")


def document_figures(
    name: str, settings: Settings, *, methods: Sequence[str] = (), keep: bool = False, progress: Progress
) -> dict[str, Any]:
    """The report of an evaluation, as ``--json`` prints it.

    :param name: A set's name, a folder of the same form, or several joined by ``+``: one store of their union.
    :param methods: Some of :data:`METHODS`, all if empty; the product and hybrid search are always measured.
    :param keep: Whether the built snapshot stays in the cache folder, for the next evaluation of the same.
    :raises LoadError: the data is not there or cannot be read.
    :raises SettingsError: no such method.
    """
    if unknown := sorted(set(methods) - set(METHODS)):
        raise SettingsError(f"no method {unknown[0]!r}: {', '.join(METHODS)}")
    data = read_document_set(name)
    encoder = load_encoder(settings.encoder)
    store = built(data, settings, encoder=encoder.name, keep=keep, progress=progress)
    chosen = [each for each in METHODS if not methods or each in (*methods, GRAPH, HYBRID)]
    return _asked(data, store, chosen, settings, progress)


def _asked(
    data: DocumentSet, store: Built, chosen: Sequence[str], settings: Settings, progress: Progress
) -> dict[str, Any]:
    encoder = load_encoder(settings.encoder)
    search, ways = DocumentSearch(store.snapshot, encoder), Methods(store.snapshot, encoder)
    ids = store.snapshot.documents.ids
    rankings: dict[str, list[list[str]]] = {method: [] for method in chosen}
    reader = Reader(data.documents, store.snapshot.words.idf)
    traces: dict[str, list[Trace]] = {f"{name} {unit}": [] for unit in UNITS for name in ("raw", "map")}
    seconds, covered = [], []
    options = SearchOptions(token_coverage=COVERAGE in chosen)
    search.search("a first question, so that everything is in memory")
    for number, question in enumerate(data.questions):
        progress("questions", number, len(data.questions))
        begin = time.perf_counter()
        search.search(question.text)
        seconds.append(time.perf_counter() - begin)
        if options.token_coverage:
            search.search(question.text, options=options)
            covered.append(time.perf_counter() - begin - seconds[-1])
        hits = search.search(question.text, k=DEPTH).documents
        asked = ways.asked(question.text)
        found = {method: [ids[i] for i in ways.ranking(method, asked, DEPTH)] for method in chosen if method != GRAPH}
        found[GRAPH] = [hit.id for hit in hits]
        for method in chosen:
            rankings[method].append(found[method])
        near = _Near(ways, asked)
        listed = {"raw": [Listed(id, near=near.of(id)) for id in found[HYBRID]]}
        listed["map"] = [Listed(hit.id, [step.name for step in hit.trail], near.still(hit.id)) for hit in hits]
        for name, unit in ((name, unit) for name in listed for unit in UNITS):
            traces[f"{name} {unit}"].append(reader.read(question, listed[name], unit))
    tokens = dict(zip(ids, store.snapshot.documents.tokens, strict=True))
    figures = report(
        data,
        rankings,
        tokens,
        traces,
        encoder=encoder.name,
        load_s=store.load_s,
        milliseconds=1e3 * statistics.median(seconds),
    )
    return {**figures, "token_coverage_ms": round(1e3 * statistics.median(covered), 1)} if covered else figures


class _Near:
    """How near the sentences of a document are to a question, in the order of its text."""

    def __init__(self, ways: Methods, asked: Asked) -> None:
        self._view, self._number, self._asked = ways.view, ways.numbers, asked

    def of(self, id: str) -> list[float]:
        """To all of it."""
        return [float(each) for each in self._asked.evidence.sentences[self._span(self._number[id])]]

    def still(self, id: str) -> list[float]:
        """To what it still asks, where a path leads to the document from one that answers a part of it."""
        number = self._number[id]
        source = int(self._asked.ranking.paths.source[number])
        if source == NOWHERE:
            return self.of(id)
        rest = remaining(self._view, self._asked.question, self._asked.evidence, source)
        return [float(each) for each in self._view.snapshot.sentences.rows[self._span(number)] @ rest]

    def _span(self, number: int) -> slice:
        starts = self._view.snapshot.sentences.starts
        return slice(int(starts[number]), int(starts[number + 1]))
