"""The figures of an evaluation of tool retrieval as a table for a terminal, and as charts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from graphstore.evaluation.charts import bars, lines
from graphstore.evaluation.significance import SAMPLES
from graphstore.evaluation.tables import ALPHA, aligned, cell, mark

_NOTE = (
    f"* the product is better, † worse: p < {ALPHA:g} after Holm; paired bootstrap, {SAMPLES:,} resamples by {{by}}; "
    "unmarked: no difference shown"
)


def lines_of(report: Mapping[str, Any]) -> Iterator[str]:
    """The report as lines of text: methods below metrics, then the parts, then the learning curve."""
    held_out = "" if report["held_out"] == "test" else f", {report['held_out']}"
    yield (
        f"{report['dataset']}, {report['protocol']}{held_out}: {report['questions']:,} requests in "
        f"{len(report['splits'])} splits, {report['tools']} tools, {report['encoder']}"
    )
    yield from _table(report)
    for part, own in report["parts"].items():
        yield ""
        yield f"{part} ({own['questions']:,})"
        yield from _table(own)
    if "learning_curve" in report:
        yield ""
        yield from _curve(report["learning_curve"])
    if report["comparisons"]:
        yield ""
        yield _NOTE.format(by=report["resampled_by"])


def charts_of(report: Mapping[str, Any]) -> dict[str, str]:
    """File name → SVG: the methods side by side, and the learning curve if there is one."""
    named = f"{report['dataset']}, {report['protocol']}: "
    last = _cutoffs(report["methods"])[-1]
    out = {
        "methods.svg": bars(
            f"{named}{report['questions']:,} requests",
            report["methods"],
            [f"{metric}@{last}" for metric in ("full", "recall", "ndcg", "map")],
        )
    }
    for part, own in report["parts"].items():
        name = f"methods-{part.replace(' ', '-')}.svg"
        metrics = [f"{metric}@{last}" for metric in ("full", "recall", "ndcg", "map")]
        out[name] = bars(f"{named}{part}, {own['questions']:,} requests", own["methods"], metrics)
    if curve := report.get("learning_curve"):
        shares = [point["share"] for point in curve]
        figures = {name: [point["methods"][name][f"full@{last}"] for point in curve] for name in curve[-1]["methods"]}
        out["learning-curve.svg"] = lines(f"{named}Full@{last} by history seen", shares, figures)
    return out


def _table(part: Mapping[str, Any]) -> Iterator[str]:
    methods = part["methods"]
    ks = _cutoffs(methods)
    columns = [
        *(f"recall@{k}" for k in ks),
        *(f"full@{k}" for k in ks),
        f"ndcg@{ks[-1]}",
        f"map@{ks[-1]}",
        *(name for name in ("tau", "tokens") if any(name in figures for figures in methods.values())),
    ]
    marks = {(row["b"], row["metric"]): mark(row) for row in part["comparisons"]}
    rows = [["", *(f"{name} " for name in columns)]]
    rows += [
        [method, *(cell(figures.get(name), name) + marks.get((method, name), " ") for name in columns)]
        for method, figures in methods.items()
    ]
    yield from aligned(rows)


def _curve(curve: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    last = _cutoffs(curve[-1]["methods"])[-1]
    yield f"full@{last} by share of the history loaded"
    rows = [["", *(f"{point['share']:.0%}" for point in curve)], ["runs", *(f"{point['runs']:,}" for point in curve)]]
    rows += [
        [method, *(cell(point["methods"][method].get(f"full@{last}"), "full") for point in curve)]
        for method in curve[-1]["methods"]
    ]
    yield from aligned(rows)


def _cutoffs(methods: Mapping[str, Mapping[str, float]]) -> list[int]:
    names = next(iter(methods.values()))
    return sorted(int(name.partition("@")[2]) for name in names if name.startswith("recall@"))
