"""The figures of an evaluation of document retrieval, as the JSON that ``graphstore eval docs --json`` prints."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphstore.evaluation.comparisons import comparisons, means
from graphstore.evaluation.document_methods import GRAPH
from graphstore.evaluation.document_sets import DocumentSet, Question
from graphstore.evaluation.metrics import full, ndcg, recall
from graphstore.evaluation.navigators import Trace

KS = (2, 5, 8, 10, 20)
BUDGETS = (250, 500, 1000, 2000, 4000, 8000)
"""Tokens that are read: whole documents, best first, until the next one does not fit."""
DEPTH = 100
"""Documents that a method is asked for."""
SAMPLES = 100_000
PUBLISHED_DEPTH = 8
NAMES = (
    *(f"{name}@{k}" for name in ("recall", "full", "ndcg") for k in KS),
    *(f"recall@{budget}t" for budget in BUDGETS),
    "tokens_to_full",
)
_COMPARED = tuple(f"{name}@{k}" for name in ("recall", "full") for k in KS)

Rankings = Mapping[str, Sequence[Sequence[str]]]
Floats = NDArray[np.float64]


def figures(ranking: Sequence[str], gold: Sequence[str], tokens: Mapping[str, int], depth: int) -> list[float]:
    """One question's figures in the order of :data:`NAMES`; NaN beyond ``depth``.

    ``tokens_to_full``: what is read until all gold is; of all that the method found, if that is not enough.
    """
    row = [metric(ranking, gold, k) if k <= depth else math.nan for metric in (recall, full, ndcg) for k in KS]
    if depth < DEPTH:
        return [*row, *([math.nan] * (len(BUDGETS) + 1))]
    spent = np.cumsum([tokens[id] for id in ranking])
    row += [recall(ranking, gold, int(np.searchsorted(spent, budget, side="right"))) for budget in BUDGETS]
    places = [ranking.index(id) if id in ranking else len(ranking) - 1 for id in gold]
    return [*row, float(spent[max(places)]) if len(ranking) else 0.0]


def report(
    data: DocumentSet,
    rankings: Rankings,
    tokens: Mapping[str, int],
    traces: Mapping[str, Sequence[Trace]],
    *,
    encoder: str,
    load_s: float,
    milliseconds: float,
    samples: int = SAMPLES,
) -> dict[str, Any]:
    """All figures.

    :param rankings: Method → a ranking a question; ``graph`` is the product.
    :param traces: Navigator → what it read, a question each.
    :param milliseconds: Median of a whole answer of the product, the question's encoding included.
    """
    gold = [question.gold for question in data.questions]
    values = {name: _table(listed, gold, tokens, DEPTH) for name, listed in rankings.items()}
    values |= {
        f"published:{system}": _table(listed, gold, tokens, PUBLISHED_DEPTH)
        for system, listed in _published(data.questions).items()
    }
    weights = np.ones(len(gold))
    parts = sorted({part for question in data.questions for part in question.parts})
    pairs = [(GRAPH, name) for name in values if name != GRAPH] if GRAPH in values else []
    units = [question.id for question in data.questions]
    return {
        "dataset": data.name,
        "protocol": "all questions",
        "encoder": encoder,
        "documents": len(data.documents),
        "questions": len(gold),
        "load_s": load_s,
        "search_ms": round(milliseconds, 1),
        "methods": means(values, NAMES, weights),
        "comparisons": comparisons(values, NAMES, pairs, _COMPARED, units, samples=samples),
        "parts": {part: _part(part, data.questions, values) for part in parts},
        "navigators": {name: curve(listed, gold) for name, listed in traces.items()},
    }


def curve(traces: Sequence[Trace], gold: Sequence[Sequence[str]]) -> dict[str, float]:
    """Mean recall of what a navigator has read within each budget, ``recall@500t``."""
    return {
        f"recall@{budget}t": round(
            float(
                np.mean(
                    [recall(trace.within(budget), wanted, DEPTH) for trace, wanted in zip(traces, gold, strict=True)]
                )
            ),
            4,
        )
        for budget in CURVE
    }


CURVE = tuple(sorted({*BUDGETS, *(round(0.43 * budget) for budget in BUDGETS)}))
"""Budgets of the navigators: the usual ones, and 43 % of each."""


def _table(
    listed: Sequence[Sequence[str]], gold: Sequence[Sequence[str]], tokens: Mapping[str, int], depth: int
) -> Floats:
    """*Shape:* ``(questions, metrics)``"""
    return np.array([figures(ranking, wanted, tokens, depth) for ranking, wanted in zip(listed, gold, strict=True)])


def _part(part: str, questions: Sequence[Question], values: Mapping[str, Floats]) -> dict[str, Any]:
    keep = np.array([part in question.parts for question in questions])
    chosen = {name: table[keep] for name, table in values.items()}
    return {"questions": int(keep.sum()), "methods": means(chosen, NAMES, np.ones(int(keep.sum())))}


def _published(questions: Sequence[Question]) -> dict[str, list[tuple[str, ...]]]:
    """System → rankings, of the systems that answered every question."""
    systems = set.intersection(*(set(question.published) for question in questions)) if questions else set()
    return {system: [question.published[system] for question in questions] for system in sorted(systems)}
