"""The figures of an evaluation of document retrieval as a table for a terminal, and as charts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from graphstore.evaluation.charts import bars, curves
from graphstore.evaluation.document_report import BUDGETS, CURVE, SAMPLES
from graphstore.evaluation.tables import ALPHA, aligned, cell, mark

_COLUMNS = (
    *("recall@2", "recall@5", "recall@8", "recall@10", "recall@20"),
    *("full@5", "full@8", "full@10", "ndcg@10", "tokens_to_full"),
)
_NOTE = (
    f"* the product is better, † worse: p < {ALPHA:g} after Holm; paired bootstrap, {SAMPLES:,} resamples; "
    "unmarked: no difference shown"
)


def lines_of(report: Mapping[str, Any]) -> Iterator[str]:
    """The report as lines of text: methods below metrics, the parts, the navigators."""
    yield (
        f"{report['dataset']}: {report['questions']:,} questions to {report['documents']:,} documents, "
        f"{report['encoder']}; an answer takes {report['search_ms']:.0f} ms"
    )
    marks = {(row["b"], row["metric"]): mark(row) for row in report["comparisons"]}
    yield from _table(report["methods"], marks)
    for part, own in report["parts"].items():
        yield ""
        yield f"{part} ({own['questions']:,})"
        yield from _table(own["methods"], {})
    yield ""
    yield "recall within tokens read"
    names = [f"recall@{budget}t" for budget in CURVE]
    rows = [["", *(f"{budget:,}" for budget in CURVE)]]
    rows += [[name, *(cell(figures[each], each) for each in names)] for name, figures in report["navigators"].items()]
    yield from aligned(rows)
    if report["comparisons"]:
        yield ""
        yield _NOTE


def charts_of(report: Mapping[str, Any]) -> dict[str, str]:
    """File name → SVG: the methods side by side, and recall against tokens, of methods and of navigators."""
    title = f"{report['dataset']}: {report['questions']:,} questions"
    whole = {name: own for name, own in report["methods"].items() if f"recall@{BUDGETS[0]}t" in own}
    return {
        "methods.svg": bars(title, report["methods"], ["recall@2", "recall@5", "recall@8", "full@8"]),
        "tokens.svg": curves(f"{title}, recall by tokens read", *_lines(whole, BUDGETS), label="tokens read"),
        "navigators.svg": curves(
            f"{title}, navigators without a model", *_lines(report["navigators"], CURVE), label="tokens read"
        ),
    }


def _lines(
    methods: Mapping[str, Mapping[str, float]], budgets: tuple[int, ...]
) -> tuple[list[str], dict[str, list[float]]]:
    return (
        [f"{budget:,}" for budget in budgets],
        {name: [figures[f"recall@{budget}t"] for budget in budgets] for name, figures in methods.items()},
    )


def _table(methods: Mapping[str, Mapping[str, float]], marks: Mapping[tuple[str, str], str]) -> Iterator[str]:
    rows = [["", *(f"{name} " for name in _COLUMNS)]]
    rows += [
        [method, *(cell(figures.get(name), name) + marks.get((method, name), " ") for name in _COLUMNS)]
        for method, figures in methods.items()
    ]
    yield from aligned(rows)
