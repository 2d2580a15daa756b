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


def tools() -> list[str]:
    """UltraTool: the product beside its baselines."""
    report = _report("ultratool")
    names = {"graph": "**graphstore**", "past requests": "nearest past requests"}
    lines = [
        f"**Tools for a request.** UltraTool, {report['requests']['all']} held-out test requests, history from the "
        "others (`benchmarks/ultratool.py`):",
        "",
        "| | Recall@5 | Recall@10 | Full@10 | nDCG@10 | Full@10, paths never seen |",
        "|---|---|---|---|---|---|",
    ]
    for method, parts in report["methods"].items():
        whole, unseen = parts["all"], parts["unseen"]
        cells = [whole["recall@5"], whole["recall@10"], whole["full@10"], whole["ndcg@10"], unseen["full@10"]]
        lines.append(f"| {names.get(method, method)} | " + " | ".join(f"{cell:.3f}" for cell in cells) + " |")
    return lines


def documents() -> list[str]:
    """The question sets: the product beside its baselines."""
    lines = [
        "**Documents for a question.** No LLM, nothing learned; choices that the design left open were made on "
        "hotpotqa and musique, 2wiki was kept for the test (`benchmarks/document_retrieval.py`):",
        "",
        "| | Recall@2 | Recall@5 | Full@10 |",
        "|---|---|---|---|",
    ]
    for report in _report("document_retrieval")["sets"]:
        for method, figures in report["methods"].items():
            name = "**graphstore**" if method == "graph" else method
            cells = " | ".join(f"{figures[key]:.3f}" for key in ("R@2", "R@5", "Full@10"))
            lines.append(f"| {report['set']} ({report['documents']:,}), {name} | {cells} |")
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
    return "\n".join([*tools(), "", *documents(), "", *speed(), "", where, ""])


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
