"""All benchmarks, one after the other, into ``benchmarks/results``: ``make bench``, ``make bench QUICK=1``.

Each script is called with ``--out FILE`` and writes one JSON object there; those under its key ``targets`` have a
``name`` and ``met`` (true or false). Here they are gathered in ``bench.json``, and as a table in ``bench.md``, with the
machine, the commit and the commands. A script that fails is named and the others go on; the exit status is then 1.
A target that is not met is a result, not a failure.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
RESULTS = FOLDER / "results"


@dataclass(frozen=True, slots=True)
class Script:
    """A script of this folder and the options of its short and its full run."""

    name: str
    quick: tuple[str, ...] = ()
    full: tuple[str, ...] = ()

    def command(self, *, quick: bool, out: Path) -> list[str]:
        """The words that run it."""
        return [sys.executable, str(FOLDER / f"{self.name}.py"), *(self.quick if quick else self.full), f"--out={out}"]


SCRIPTS = (
    Script("ppr", full=("--full",)),
    Script("encoder", quick=("--texts", "60")),
    Script("tool_retrieval", quick=("ultratool",)),
    Script("document_retrieval", quick=("hotpotqa-100",)),
    Script("load"),
    Script("mining"),
    Script("tool_scale", quick=("--tools", "1000", "--stages", "5000", "--requests", "50")),
)


def machine() -> dict[str, Any]:
    """What the figures depend on besides the code."""
    commit = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=FOLDER, capture_output=True, text=True)
    return {
        "commit": commit.stdout.strip() or None,
        "date": datetime.now(UTC).date().isoformat(),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
    }


def gathered(reports: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """The targets of all scripts in order, each with the script's name."""
    return [{"script": script, **target} for script, report in reports.items() for target in report.get("targets", [])]


def table(targets: list[dict[str, Any]]) -> str:
    """The targets as a Markdown table."""
    rows = ["| script | target | figures | met |", "|---|---|---|---|"]
    for target in targets:
        rest = {key: value for key, value in target.items() if key not in ("script", "name", "met")}
        figures = ", ".join(f"{key.replace('_', ' ')} {_short(value)}" for key, value in rest.items())
        rows.append(f"| {target['script']} | {target['name']} | {figures} | {'yes' if target['met'] else 'no'} |")
    return "\n".join(rows) + "\n"


def _short(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def run(scripts: list[Script], *, quick: bool) -> tuple[dict[str, dict[str, Any]], list[str]]:
    """The reports by script, and the names of the scripts that failed."""
    reports: dict[str, dict[str, Any]] = {}
    failed: list[str] = []
    for script in scripts:
        out = RESULTS / f"{script.name}.json"
        out.unlink(missing_ok=True)
        print(f"bench: {script.name}", flush=True)
        if subprocess.run(script.command(quick=quick, out=out)).returncode or not out.exists():
            failed.append(script.name)
        else:
            reports[script.name] = json.loads(out.read_text("utf-8"))
    return reports, failed


def kept(name: str) -> dict[str, Any]:
    """A script's last report; empty if there is none."""
    file = RESULTS / f"{name}.json"
    found: dict[str, Any] = json.loads(file.read_text("utf-8")) if file.exists() else {}
    return found


def main() -> int:
    """0 when every script ran."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="the short runs")
    parser.add_argument("scripts", nargs="*", help="only these; default: all")
    options = parser.parse_args()
    if unknown := set(options.scripts) - {script.name for script in SCRIPTS}:
        parser.error(f"no such script: {', '.join(sorted(unknown))}")

    RESULTS.mkdir(exist_ok=True)
    chosen = [script for script in SCRIPTS if not options.scripts or script.name in options.scripts]
    fresh, failed = run(chosen, quick=options.quick)
    # a run of some scripts keeps what the others found last time
    reports = {script.name: fresh.get(script.name) or kept(script.name) for script in SCRIPTS}
    reports = {name: report for name, report in reports.items() if report and name not in failed}
    targets = gathered(reports)
    about = machine()
    summary = {"machine": about, "quick": options.quick, "failed": failed, "targets": targets, "reports": reports}
    (RESULTS / "bench.json").write_text(json.dumps(summary, indent=2, ensure_ascii=False) + "\n", "utf-8")
    head = f"`make bench{' QUICK=1' if options.quick else ''}` · " + " · ".join(f"{k} {v}" for k, v in about.items())
    (RESULTS / "bench.md").write_text(f"{head}\n\n{table(targets)}", "utf-8")
    print(table(targets))
    for name in failed:
        print(f"bench: {name} failed", file=sys.stderr)
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
