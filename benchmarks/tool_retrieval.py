"""Tools for requests: the product and its baselines on four data sets, by ``graphstore eval tools``' own code.

``--out FILE`` writes the reports and whether the targets are met. Finished splits are kept in ``build/eval`` and taken
from there if code and data are the same, so an interrupted run goes on. Names of runs (see ``RUNS``) choose some.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from datasets import data_folder
from run import machine

from graphstore import Settings
from graphstore.evaluation.tool_evaluation import Plan
from graphstore.evaluation.tool_tables import lines_of
from graphstore.evaluation.tools import tool_figures

KEPT = Path(__file__).parents[1] / "build" / "eval"
RUNS = {
    "ultratool": Plan(name="ultratool", protocol="official", curve=True),
    "traject-bench": Plan(name="traject-bench", protocol="by-path"),
    "toollinkos": Plan(name="toollinkos", protocol="history"),
    "toollinkos-declared": Plan(name="toollinkos", protocol="declared"),
    "workbench": Plan(name="workbench", protocol="by-task"),
    "workbench-by-template": Plan(name="workbench", protocol="by-template"),
}
TARGETS: dict[str, list[tuple[str | None, str, float]]] = {
    "ultratool": [
        (None, "full@10", 0.965),
        (None, "recall@5", 0.965),
        (None, "ndcg@10", 0.95),
        ("unseen path", "recall@10", 0.90),
        ("unseen path", "full@10", 0.75),
        (None, "tau", 0.78),
    ],
    "traject-bench": [(None, "full@10", 0.69), (None, "recall@10", 0.91), (None, "tau", 0.70)],
    "toollinkos": [(None, "recall@10", 0.93), (None, "full@10", 0.74), (None, "map@10", 0.90)],
    "toollinkos-declared": [
        ("no history", "map@10", 0.90),
        ("history", "map@10", 0.97),
        ("history", "full@10", 0.93),
    ],
    "workbench": [(None, "recall@3", 0.97), (None, "full@3", 0.95)],
    "workbench-by-template": [(None, "recall@2", 0.76), (None, "recall@5", 0.95), (None, "full@5", 0.91)],
}
"""Run → part, metric, and the least that is asked of the product."""
CURVE = {0.01: 0.10, 0.1: 0.20}
"""Share of UltraTool's history → points of Full@10 that are asked above hybrid."""
ALPHA = 0.01


def plan_of(run: str) -> Plan:
    """The plan of a run, its splits kept in their folder."""
    plan = RUNS[run]
    return replace(plan, name=str(data_folder() / "tools" / plan.name), out=KEPT / run)


def targets(run: str, report: dict[str, Any]) -> list[dict[str, Any]]:
    """The targets of a run, each with what was reached."""
    out = []
    for part, metric, at_least in TARGETS[run]:
        whole = report if part is None else report["parts"][part]
        out.append(_met(f"{run}{f', {part}' if part else ''}: {metric}", whole["methods"]["graph"][metric], at_least))
    for point in report.get("learning_curve", []):
        if point["share"] in CURVE:
            full = {method: figures["full@10"] for method, figures in point["methods"].items()}
            name = f"{run}, {point['share']:.0%} of the history: full@10 above hybrid"
            out.append(_met(name, full["graph"] - full["hybrid"], CURVE[point["share"]]))
    return [*out, *_beaten(run, report)]


def _beaten(run: str, report: dict[str, Any]) -> list[dict[str, Any]]:
    """Whether each other method is beaten: better on some metric beyond chance, and worse on none."""
    out = []
    for method in (name for name in report["methods"] if name != "graph"):
        rows = [row for row in report["comparisons"] if row["b"] == method and row["p_holm"] < ALPHA]
        better, worse = (sum(row["difference"] * sign > 0 for row in rows) for sign in (1, -1))
        compared = sum(row["b"] == method for row in report["comparisons"])
        met = better > 0 and worse == 0
        out.append({"name": f"{run}: beats {method}", "better": better, "worse": worse, "of": compared, "met": met})
    return out


def _met(name: str, figure: float, at_least: float) -> dict[str, Any]:
    return {"name": name, "figure": round(figure, 4), "at_least": at_least, "met": round(figure, 4) >= at_least}


def _tell(label: str, done: int, total: int | None) -> None:
    if label == "splits":
        print(f"  split {done + 1} of {total}", file=sys.stderr, flush=True)


def main() -> None:
    """Print the tables; write the reports with ``--out``."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path)
    parser.add_argument("runs", nargs="*", help=f"of {', '.join(RUNS)}; default: all")
    options = parser.parse_args()
    if unknown := set(options.runs) - set(RUNS):
        parser.error(f"no such run: {', '.join(sorted(unknown))}")
    settings = Settings.load()
    reports: dict[str, Any] = {}
    for run in options.runs or RUNS:
        print(run, file=sys.stderr, flush=True)
        reports[run] = tool_figures(plan_of(run), settings, progress=_tell)
        print("\n".join(lines_of(reports[run])), end="\n\n", flush=True)
    reached = [target for run, report in reports.items() for target in targets(run, report)]
    if options.out:
        value = {"machine": machine(), "targets": reached, "reports": reports}
        options.out.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", "utf-8")
    for target in reached:
        print("met   " if target["met"] else "missed", target["name"], {k: v for k, v in target.items() if k != "name"})


if __name__ == "__main__":
    main()
