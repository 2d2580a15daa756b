"""README's table of results, made from ``benchmarks/results``: run it after ``make bench``.

``--check`` says whether README shows what the results hold, and changes nothing.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "benchmarks" / "results"
BEGIN, END = "<!-- results: made by benchmarks/readme.py -->\n", "<!-- end of results -->"


def _report(name: str) -> Any:
    return json.loads((RESULTS / f"{name}.json").read_text("utf-8"))


TOOL_COLUMNS = (
    ("UltraTool R@5", "ultratool", None, "recall@5"),
    ("F@10", "ultratool", None, "full@10"),
    ("F@10, paths never seen", "ultratool", "unseen path", "full@10"),
    ("TRAJECT R@10", "traject-bench", None, "recall@10"),
    ("F@10", "traject-bench", None, "full@10"),
    ("ToolLinkOS R@10", "toollinkos", None, "recall@10"),
    ("F@10", "toollinkos", None, "full@10"),
    ("F@10, declared needs", "toollinkos-declared", "history", "full@10"),
    ("WorkBench R@3", "workbench", None, "recall@3"),
    ("F@3", "workbench", None, "full@3"),
    ("F@5, new templates", "workbench-by-template", None, "full@5"),
)


def tools() -> list[str]:
    """The data sets of tools: the product beside its baselines."""
    whole = _report("tool_retrieval")
    about, reports = whole["machine"], whole["reports"]
    columns = [column for column in TOOL_COLUMNS if column[1] in reports]
    names = {"graph": "**graphstore**", "past-requests": "nearest past requests", "ppr": "PageRank over history"}
    lines = [
        "**Tools for a request.** Requests held out of four data sets, history from the rest; R is recall, F the share "
        "of requests whose tools were all found ([docs/evaluation.md](docs/evaluation.md), "
        f"`benchmarks/tool_retrieval.py`, {about['date']}, {about['commit'] or 'a working tree'}):",
        "",
        f"| | {' | '.join(title for title, *_ in columns)} |",
        "|---" * (len(columns) + 1) + "|",
    ]
    for method in reports["ultratool"]["methods"]:
        cells = [_tool_cell(reports[run], part, method, metric) for _, run, part, metric in columns]
        lines.append(f"| {names.get(method, method)} | {' | '.join(cells)} |")
    return lines


def _tool_cell(report: Any, part: str | None, method: str, metric: str) -> str:
    whole = report if part is None else report["parts"][part]
    return f"{whole['methods'][method][metric]:.3f}"


DOCUMENT_COLUMNS = (
    ("hotpotqa R@2", "hotpotqa-100", "recall@2"),
    ("R@5", "hotpotqa-100", "recall@5"),
    ("F@10", "hotpotqa-100", "full@10"),
    ("musique R@2", "musique-100", "recall@2"),
    ("R@5", "musique-100", "recall@5"),
    ("F@10", "musique-100", "full@10"),
    ("2wiki R@5", "2wikimultihopqa-101", "recall@5"),
    ("R@8", "2wikimultihopqa-101", "recall@8"),
    ("F@8", "2wikimultihopqa-101", "full@8"),
    ("tau2 R@20", "tau2-banking-knowledge", "recall@20"),
)


def documents() -> list[str]:
    """The question sets: the product beside its baselines."""
    reports = {report["dataset"]: report for report in _report("document_retrieval")["reports"].values()}
    columns = [column for column in DOCUMENT_COLUMNS if column[1] in reports]
    sizes = ", ".join(f"{reports[name]['documents']:,}" for name in dict.fromkeys(name for _, name, _ in columns))
    names = {
        "graph": "**graphstore**",
        "random": "links drawn at random",
        "hipporag": "HippoRAG-style diffusion",
        "token-coverage": "graphstore, its option of token coverage",
    }
    lines = [
        "**Documents for a question.** No LLM, nothing learned, one encoder for all; how the choices were made says "
        f"[docs/search.md](docs/search.md) (`benchmarks/document_retrieval.py`; {sizes} documents):",
        "",
        f"| | {' | '.join(title for title, *_ in columns)} |",
        "|---" * (len(columns) + 1) + "|",
    ]
    for method in reports[columns[0][1]]["methods"]:
        if any(key not in reports[name]["methods"].get(method, {}) for _, name, key in columns):
            continue  # a published run of one set
        cells = " | ".join(f"{reports[name]['methods'][method][key]:.3f}" for _, name, key in columns)
        lines.append(f"| {names.get(method, method.replace('-', ' '))} | {cells} |")
    return lines


NAME_ROWS = (
    ("ECB+ (topics 1-35), names only", "ecb-plus", "names"),
    ("ECB+, all mentions with a proper noun", "ecb-plus", "local"),
    ("ECB+, equal strings as one (baseline)", "ecb-plus", "exact"),
    ("enterprisebench-people, full names", "enterprisebench-people", "local"),
    ("enterprisebench-people, one slip of the pen", "enterprisebench-people", "slip"),
    ("enterprisebench-people, first name alone in a ticket", "enterprisebench-people", "first-name"),
)


def names() -> list[str]:
    """Who is who: resolution of names, and its baseline."""
    reports = _report("entities")
    lines = [
        "**Names that mean one thing.** Nothing learned, no LLM; thresholds were chosen on these ECB+ topics, a name "
        "that is left open counts as missed ([docs/resolution.md](docs/resolution.md), `benchmarks/entities.py`):",
        "",
        "| | precision | recall | B³ F1 |",
        "|---|---|---|---|",
    ]
    for title, run, method in NAME_ROWS:
        figures = reports[run]["methods"][method]
        cells = " | ".join(f"{figures[key]:.3f}" for key in ("precision", "recall", "bcubed_f1"))
        lines.append(f"| {title} | {cells} |")
    return lines


def speed() -> list[str]:
    """Loading, searching and diffusion."""
    load = _report("load")
    lines = [
        "**Speed**, on the machine named below (`benchmarks/load.py`, `benchmarks/ppr.py`; ratios are of one run):",
        "",
        "| | |",
        "|---|---|",
        f"| load {load['documents']:,} documents, everything derived | {load['first']['seconds']:.0f} s, "
        f"peak {load['first']['peak_gb']} GB |",
        f"| load them again | {load['again']['seconds']:.0f} s, nothing changed |",
        f"| search in a serving process, with the question's encoding | {load['search_ms']['median']:.0f} ms median |",
    ]
    if (RESULTS / "ppr.json").exists():
        for goal in _report("ppr")["targets"]:
            missed = "" if goal["met"] else f" (asked: {goal['at_least']:g}×)"
            lines.append(f"| Personalized PageRank, {goal['name']} | {goal['ratio']:.3g}×{missed} |")
    return lines


def section() -> str:
    """The text between the marks."""
    about = _report("bench")["machine"]
    where = (
        f"Measured {about['date']} at commit {about['commit']}: {about['cores']} cores, Python {about['python']}, "
        f"{about['system']}."
    )
    return "\n".join([*tools(), "", *documents(), "", *names(), "", *speed(), "", where, ""])


def main() -> int:
    """0 if README shows the results, or was made to."""
    readme = ROOT / "README.md"
    text = readme.read_text("utf-8")
    head, rest = text.split(BEGIN)
    new = head + BEGIN + section() + END + rest.split(END, 1)[1]
    if new == text:
        return 0
    if "--check" in sys.argv[1:]:
        sys.stderr.write("README does not show benchmarks/results: run python benchmarks/readme.py\n")
        return 1
    readme.write_text(new, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
