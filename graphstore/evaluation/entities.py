"""``graphstore eval entities``: how well records that are one thing are found, and how it compares to simpler ways."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from graphstore.errors import LoadError
from graphstore.evaluation import entity_texts
from graphstore.evaluation.entity_metrics import Figures, b_cubed, clusters_of, pairs_of, pairwise
from graphstore.evaluation.entity_trials import RECORD_SETS, RecordSet, read_record_set
from graphstore.linkage import SURE, THRESHOLD, Linkage, Pair, link
from graphstore.linkage.text import fold
from graphstore.progress import Progress

_DECIMALS = 4
Pairs = list[tuple[int, int]]


def entity_figures(name: str, *, protocol: str | None = None, progress: Progress) -> dict[str, Any]:
    """The report of an evaluation, as ``--json`` prints it.

    :param protocol: Of a collection of texts: how it is asked; without it the collection's first.
    :raises LoadError: the data set is not there or has none of the known forms.
    """
    if (collection := entity_texts.collection(name)) is not None:
        report, folder = collection
        return report(folder, protocol=protocol, progress=progress)
    if protocol is not None:
        raise LoadError("has one protocol only: one-to-one between two tables, groups within one", name)
    if name not in RECORD_SETS and not Path(name).exists():
        known = ", ".join([*entity_texts.COLLECTIONS, *RECORD_SETS])
        raise LoadError(f"is neither a file, nor a folder, nor one of {known}", name)
    data = read_record_set(name)
    progress("comparing records", 0, len(data.records))
    return figures_of(data)


def figures_of(data: RecordSet) -> dict[str, Any]:
    """The report of a data set.

    Methods: ``local`` is the product's default, one-to-one between two tables and groups within one; ``pairs`` takes
    each pair by itself; ``proposals`` is what a person is shown; ``equal`` is equality of whole folded records.
    """
    found = link(data.records, sources=data.sources)
    methods = {
        "local": _default(found, data),
        "pairs": _indexes(found.pairs()),
        "proposals": _indexes(found.proposals()),
        "equal": _equal(data),
    }
    return {
        "dataset": data.name,
        "protocol": "one-to-one" if data.sources else "groups",
        "encoder": None,
        "questions": len(data.records),
        "pairs": len(data.gold),
        "threshold": THRESHOLD,
        "proposal_threshold": SURE,
        "compared": len(found.left),
        "methods": {method: _figures(pairs, data) for method, pairs in methods.items()},
        "comparisons": [],
    }


def _default(found: Linkage, data: RecordSet) -> Pairs:
    return _indexes(found.one_to_one()) if data.sources else pairs_of(found.groups())


def _indexes(pairs: Sequence[Pair]) -> Pairs:
    return [(pair.a, pair.b) for pair in pairs]


def _equal(data: RecordSet) -> Pairs:
    same: dict[str, list[int]] = {}
    for index, record in enumerate(data.records):
        same.setdefault(fold(" ".join(record.values())), []).append(index)
    pairs = pairs_of(same.values())
    sources = data.sources
    return [(a, b) for a, b in pairs if sources[a] != sources[b]] if sources else pairs


def _figures(pairs: Pairs, data: RecordSet) -> dict[str, float]:
    by_pair = pairwise(pairs, data.gold)
    by_record = b_cubed(clusters_of(len(data.records), pairs), clusters_of(len(data.records), data.gold))
    return {**_named("", by_pair, "pairwise_f1"), **_named("bcubed_", by_record, "bcubed_f1")}


def _named(prefix: str, figures: Figures, f1: str) -> dict[str, float]:
    return {
        f"{prefix}precision": round(figures.precision, _DECIMALS),
        f"{prefix}recall": round(figures.recall, _DECIMALS),
        f1: round(figures.f1, _DECIMALS),
    }
