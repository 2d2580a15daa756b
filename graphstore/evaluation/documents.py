"""``graphstore eval docs`` from end to end: a question set loaded, asked in every way, and its figures."""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from typing import Any

from graphstore.encoders import load_encoder
from graphstore.errors import SettingsError
from graphstore.evaluation.document_methods import GRAPH, HYBRID, METHODS, Methods
from graphstore.evaluation.document_report import DEPTH, report
from graphstore.evaluation.document_sets import DocumentSet, read_document_set
from graphstore.evaluation.document_stores import Built, built
from graphstore.evaluation.navigators import Reader, Trace, Unit
from graphstore.progress import Progress
from graphstore.retrieval.documents import DocumentSearch
from graphstore.settings import Settings

UNITS: tuple[Unit, ...] = ("documents", "sentences")


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
    seconds = []
    search.search("a first question, so that everything is in memory")
    for number, question in enumerate(data.questions):
        progress("questions", number, len(data.questions))
        begin = time.perf_counter()
        search.search(question.text)
        seconds.append(time.perf_counter() - begin)
        hits = search.search(question.text, k=DEPTH).documents
        asked = ways.asked(question.text)
        for method in chosen:
            found = (
                [hit.id for hit in hits] if method == GRAPH else [ids[i] for i in ways.ranking(method, asked, DEPTH)]
            )
            rankings[method].append(found)
    tokens = dict(zip(ids, store.snapshot.documents.tokens, strict=True))
    return report(
        data,
        rankings,
        tokens,
        _navigated(data, rankings),
        encoder=encoder.name,
        load_s=store.load_s,
        milliseconds=1e3 * statistics.median(seconds),
    )


def _navigated(data: DocumentSet, rankings: dict[str, list[list[str]]]) -> dict[str, list[Trace]]:
    """What each navigator reads: ``raw`` by hybrid search, ``map`` by the product's."""
    out = {}
    for unit in UNITS:
        reader = Reader(data.documents, unit)
        for name, method in (("raw", HYBRID), ("map", GRAPH)):
            pairs = zip(data.questions, rankings[method], strict=True)
            out[f"{name} {unit}"] = [reader.read(question.text, ranking) for question, ranking in pairs]
    return out
