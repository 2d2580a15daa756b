"""UltraTool's 500 official test requests, answered by the client from catalog and history in a scratch store.

History are the tasks outside the test split (``ultratool_history.py``). Reported for all requests, and apart for those
whose tool path occurs in the history (seen) and those whose path does not. ``--out FILE`` writes the figures and
whether the targets are met.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from ultratool_history import dataset, tasks, test_ids, write_history

from graphstore import GraphStore, Settings
from graphstore.db import Database
from graphstore.encoders import load_encoder
from graphstore.evaluation.metrics import table
from graphstore.evaluation.tool_baselines import BASELINES, ranked
from graphstore.retrieval.tool_signals import Evidence
from graphstore.retrieval.tools import ToolSearch
from graphstore.server import scratch_server

RECALL_10, FULL_10 = 0.95, 0.91
K = 10

Task = dict[str, Any]


def path_of(task: Task) -> tuple[str, ...]:
    """The tools of a task, in order."""
    return tuple(node["task"] for node in task["task_nodes"])


def product(store: GraphStore, requests: list[str]) -> tuple[list[list[str]], list[float]]:
    """The client's rankings, and the milliseconds of each request, its encoding included."""
    store.tools(requests[0], k=K)  # reads the snapshot
    rankings, times = [], []
    for request in requests:
        started = time.perf_counter()
        hits = store.tools(request, k=K)
        times.append(1e3 * (time.perf_counter() - started))
        rankings.append([hit.id for hit in hits])
    return rankings, times


def baselines(db: Database, requests: list[str]) -> tuple[dict[str, list[list[str]]], list[float]]:
    """The baselines' rankings, and the milliseconds that encoding each request took."""
    encoder = load_encoder()
    snapshot = ToolSearch.read(db, encoder).snapshot
    rankings: dict[str, list[list[str]]] = {name: [] for name in BASELINES}
    times = []
    for request in requests:
        started = time.perf_counter()
        vector = encoder.encode([request])[0]
        times.append(1e3 * (time.perf_counter() - started))
        evidence = Evidence(snapshot, request, vector)
        for name, lists in rankings.items():
            lists.append(ranked(evidence, name, K))
    return rankings, times


def measure(folder: Path) -> dict[str, Any]:
    """All figures."""
    held_out = test_ids(folder)
    every = [task for _, task in tasks(folder)]
    asked = [task for task in every if task["id"] in held_out]
    known = {path_of(task) for task in every if task["id"] not in held_out}
    requests = [task["user_request"].strip() for task in asked]
    with tempfile.TemporaryDirectory() as temporary, scratch_server() as address:
        history = Path(temporary) / "history.jsonl"
        write_history(folder, history)
        settings = Settings.load(uri=address.uri, username=address.username, password=address.password, cache=temporary)
        with GraphStore.connect(settings) as store:
            started = time.perf_counter()
            tools = store.load_tools(folder / "tool_desc.json")
            logs = store.load_logs(history)
            load_seconds = time.perf_counter() - started
            rankings, times = product(store, requests)
        with Database.open(address.uri, (address.username, address.password)) as db:
            others, encoding = baselines(db, requests)
    parts = {
        "all": list(range(len(asked))),
        "seen": [i for i, task in enumerate(asked) if path_of(task) in known],
        "unseen": [i for i, task in enumerate(asked) if path_of(task) not in known],
    }
    golds = [set(path_of(task)) for task in asked]
    methods = {
        name: {part: table([lists[i] for i in rows], [golds[i] for i in rows]) for part, rows in parts.items()}
        for name, lists in {"graph": rankings, **others}.items()
    }
    figures = methods["graph"]["all"]
    return {
        "tools": tools.created,
        "runs": logs.created,
        "load_seconds": round(load_seconds, 1),
        "requests": {part: len(rows) for part, rows in parts.items()},
        "tools_ms": {"median": round(statistics.median(times), 2), "of which encoding": _median(encoding)},
        "methods": methods,
        "targets": [
            {"name": "Recall@10 of the product", **_met(figures["recall@10"], RECALL_10)},
            {"name": "Full@10 of the product", **_met(figures["full@10"], FULL_10)},
        ],
    }


def text_table(report: dict[str, Any]) -> str:
    """The methods as a Markdown table, parts apart."""
    lines = []
    for part, count in report["requests"].items():
        columns = list(report["methods"]["graph"][part])
        lines += [f"\n| {part} ({count}) | {' | '.join(columns)} |", "|---" * (len(columns) + 1) + "|"]
        for name, parts in report["methods"].items():
            lines.append(f"| {name} | " + " | ".join(f"{parts[part][column]:.3f}" for column in columns) + " |")
    return "\n".join(lines)


def _median(values: list[float]) -> float:
    return round(statistics.median(values), 2)


def _met(figure: float, at_least: float) -> dict[str, Any]:
    return {"figure": round(figure, 4), "at_least": at_least, "met": figure >= at_least}


def main() -> None:
    """Print the figures; write them with ``--out``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    report = measure(dataset())
    if options.out:
        options.out.write_text(json.dumps(report, indent=2, ensure_ascii=False) + "\n", "utf-8")
    print(text_table(report))
    print(json.dumps({key: value for key, value in report.items() if key != "methods"}, indent=2))


if __name__ == "__main__":
    main()
