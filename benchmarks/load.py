"""Loading 2wikimultihopqa-101 (6,119 documents) through the command line, again, and searching it in one process.

The command runs in a process of its own against a scratch server: wall time, and the process's peak resident memory as
the kernel counted it (the server's is not in it). ``--out FILE`` writes the figures and whether the targets are met.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from datasets import data_folder

from graphstore import GraphStore, Settings
from graphstore.server import scratch_server

FIRST_SECONDS, AGAIN_SECONDS, PEAK_GB, SEARCH_MS = 240.0, 20.0, 1.5, 60.0


def corpus(data: Path, target: Path) -> int:
    """The number of documents, written to ``target`` as JSON lines."""
    with gzip.open(data / "docs/2wikimultihopqa-101/2wikimultihopqa_corpus.json.gz", "rt", encoding="utf-8") as file:
        documents = json.load(file)
    with target.open("w", encoding="utf-8") as out:
        for document in documents:
            row = {"id": document["title"], "title": document["title"], "text": document["text"]}
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
    return len(documents)


def questions(data: Path) -> list[str]:
    """The 101 questions."""
    path = data / "docs/2wikimultihopqa-101/results/vdb/2wikimultihopqa_101.json"
    return [record["question"] for record in json.loads(path.read_text("utf-8"))]


def command(arguments: list[str], environment: Mapping[str, str]) -> dict[str, Any]:
    """Wall seconds, peak resident GB and the JSON that ``graphstore ARGUMENTS --json`` printed."""
    with tempfile.TemporaryFile("w+") as out:
        words = [sys.executable, "-m", "graphstore", *arguments, "--json"]
        started = time.perf_counter()
        pid = os.posix_spawn(
            sys.executable, words, dict(environment), file_actions=[(os.POSIX_SPAWN_DUP2, out.fileno(), 1)]
        )
        _, status, usage = os.wait4(pid, 0)
        seconds = time.perf_counter() - started
        out.seek(0)
        if os.waitstatus_to_exitcode(status):
            raise SystemExit(f"graphstore {' '.join(arguments)} failed: {out.read()}")
        return {"seconds": round(seconds, 1), "peak_gb": round(usage.ru_maxrss / 2**20, 2), "report": json.load(out)}


def search_ms(store: GraphStore, texts: list[str]) -> list[float]:
    """Milliseconds of each question's answer, its encoding included, after one question that reads the snapshot."""
    store.search(texts[0])
    times = []
    for text in texts:
        started = time.perf_counter()
        store.search(text, k=10)
        times.append(1e3 * (time.perf_counter() - started))
    return times


def measure(data: Path) -> dict[str, Any]:
    """All figures."""
    with tempfile.TemporaryDirectory() as folder, scratch_server() as address:
        environment = {
            **os.environ,
            "NEO4J_URI": address.uri,
            "NEO4J_USERNAME": address.username,
            "NEO4J_PASSWORD": address.password,
            "GRAPHSTORE_CACHE": folder,
        }
        file = Path(folder) / "corpus.jsonl"
        count = corpus(data, file)
        first = command(["load", "docs", str(file)], environment)
        again = command(["load", "docs", str(file)], environment)
        settings = Settings.load(uri=address.uri, username=address.username, password=address.password, cache=folder)
        with GraphStore.connect(settings) as store:
            times = search_ms(store, questions(data))
            faults = store.check()
    changed = again["report"]["created"] + again["report"]["changed"] + again["report"]["moved"]
    median = statistics.median(times)
    return {
        "documents": count,
        "first": first,
        "again": again,
        "search_ms": {"median": round(median, 1), "p95": round(statistics.quantiles(times, n=20)[-1], 1)},
        "faults": len(faults),
        "targets": [
            {"name": "load 6,119 documents", **_met(first["seconds"], FIRST_SECONDS, "seconds")},
            {"name": "peak memory of the loading process", **_met(first["peak_gb"], PEAK_GB, "gb")},
            {"name": "load them again", **_met(again["seconds"], AGAIN_SECONDS, "seconds")},
            {"name": "changes when loaded again", **_met(changed, 0, "documents")},
            {"name": "search in a serving process, median with encoding", **_met(median, SEARCH_MS, "ms")},
            {"name": "broken invariants", **_met(len(faults), 0, "faults")},
        ],
    }


def _met(figure: float, at_most: float, unit: str) -> dict[str, Any]:
    return {unit: figure, "at_most": at_most, "met": figure <= at_most}


def main() -> None:
    """Print the figures; write them with ``--out``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    report = measure(data_folder())
    text = json.dumps(report, indent=2, ensure_ascii=False)
    if options.out:
        options.out.write_text(text + "\n", "utf-8")
    print(text)


if __name__ == "__main__":
    main()
