"""``graphstore eval``: how good answers are, measured on data sets whose answers are known."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from graphstore.cli.options import json_option, progress
from graphstore.cli.output import print_lines

if TYPE_CHECKING:
    from graphstore.evaluation.tool_report import Resample

_METHODS = ("graph", "popularity", "bm25", "dense", "hybrid", "past-requests", "ppr", "exposure")


@click.group(name="eval")
def evaluation() -> None:
    """How good answers are, on data sets whose answers are known.

    Measured on a store of its own, which is removed afterwards; the configured store is not touched.
    """


eval = evaluation  # the command line looks a command up by its name


@evaluation.command()
@click.argument("dataset")
@click.option(
    "--protocol", help="How history and test are split; without it the data set's first (docs/evaluation.md)."
)
@click.option(
    "--method",
    "methods",
    multiple=True,
    type=click.Choice(_METHODS),
    help="Only the product and this method (repeatable); without it all.",
)
@click.option("--split", "splits", multiple=True, type=click.IntRange(0), help="Only this split (repeatable).")
@click.option("--learning-curve", is_flag=True, help="Also with 0, 1, 3, 10 and 30 % of the history loaded.")
@click.option("--validation", is_flag=True, help="Ask what is held out of the history, not the test: for choices.")
@click.option(
    "--resample",
    type=click.Choice(["request", "group"]),
    default="request",
    show_default=True,
    help="What the bootstrap draws: requests, or all of a path, main tool or template together.",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for report, charts and finished splits, from where an interrupted run goes on.",
)
@json_option
def tools(
    dataset: str,
    protocol: str | None,
    methods: tuple[str, ...],
    splits: tuple[int, ...],
    learning_curve: bool,
    validation: bool,
    resample: Resample,
    out: Path | None,
    as_json: bool,
) -> None:
    """Tools for the requests of DATASET: ultratool, traject-bench, toollinkos, workbench, or a folder like these."""
    from graphstore.evaluation.tool_evaluation import Plan
    from graphstore.evaluation.tool_tables import charts_of, lines_of
    from graphstore.evaluation.tools import tool_figures
    from graphstore.settings import Settings

    plan = Plan(
        name=dataset,
        protocol=protocol,
        methods=methods or _METHODS,
        splits=splits or None,
        curve=learning_curve,
        held_out="validation" if validation else "test",
        out=out,
    )
    with progress() as bar:
        report = tool_figures(plan, Settings.load(), resample=resample, progress=bar)
    if out is not None:
        _write(out, report, charts_of(report))
    print_lines(report, lines_of, as_json=as_json)


_DOCUMENT_METHODS = (
    *("graph", "bm25", "dense", "hybrid", "hipporag", "document-pages", "group-pages", "entity-edges", "random"),
    "token-coverage",
)


@evaluation.command()
@click.argument("dataset")
@click.option(
    "--method",
    "methods",
    multiple=True,
    type=click.Choice(_DOCUMENT_METHODS),
    help="Only the product, hybrid search and this method (repeatable); without it all.",
)
@click.option("--keep", is_flag=True, help="Keep the built snapshot in the cache folder, for the next time.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Folder for the report and its charts.")
@json_option
def docs(dataset: str, methods: tuple[str, ...], keep: bool, out: Path | None, as_json: bool) -> None:
    """Documents for the questions of DATASET: 2wikimultihopqa-101, musique-100, hotpotqa-100, tau2-banking-knowledge,
    a folder like these, or several joined by + in one store.
    """
    from graphstore.evaluation.document_tables import charts_of, lines_of
    from graphstore.evaluation.documents import document_figures
    from graphstore.settings import Settings

    with progress() as bar:
        report = document_figures(dataset, Settings.load(), methods=methods, keep=keep, progress=bar)
    if out is not None:
        _write(out, report, charts_of(report))
    print_lines(report, lines_of, as_json=as_json)


@evaluation.command()
@click.argument("dataset")
@click.option("--protocol", help="How texts are asked; without it the data set's first (docs/resolution.md).")
@json_option
def entities(dataset: str, protocol: str | None, as_json: bool) -> None:
    """What is one thing in DATASET, in records or in texts.

    Records: febrl3, dblp-acm, abt-buy, cora. Texts: ecb-plus, enterprisebench-people, 2wikimultihopqa-101. Or a folder
    like one of these.
    """
    from graphstore.evaluation.entities import entity_figures
    from graphstore.evaluation.entity_tables import lines_of

    with progress() as bar:
        report = entity_figures(dataset, protocol=protocol, progress=bar)
    print_lines(report, lines_of, as_json=as_json)


def _write(folder: Path, report: dict[str, Any], charts: dict[str, str]) -> None:
    """Report and charts into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "report.json").write_text(json.dumps(report, indent=2, ensure_ascii=False) + "\n", "utf-8")
    for name, chart in charts.items():
        (folder / name).write_text(chart, "utf-8")
