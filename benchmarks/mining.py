"""Mining synthetic logs: in memory, into a store, and one run more into a store that holds many.

    python benchmarks/mining.py [--runs N] [--out FILE]

Logs are made from a seed: runs of five calls over 500 tools, five runs a stage, some failed, retried, paged, parallel
or without a verdict. *In memory*: stage runs → stages, paths, rows of the history graph. *Into the store*: the same
runs as ``graphstore load logs`` writes them, on a scratch server, with an encoder that costs nothing (a vector made
from the text's hash), so that what is measured is mining, reading, writing and the server's indexes. *Once more*: the
median time of a load of one new run of five calls, when the store holds 1,000 runs and when it holds all.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphstore import schema
from graphstore.check import check
from graphstore.db import Database
from graphstore.records import StageRun, ToolCall
from graphstore.server import scratch_server
from graphstore.toolgraph import stored
from graphstore.toolgraph.history import history, runs_per_tool
from graphstore.toolgraph.mining import stages_of
from graphstore.toolgraph.update import derive, load_logs

SEED, CALLS, TOOLS, RUNS_A_STAGE = 11, 5, 500, 5
IN_MEMORY, INTO_STORE = 100_000.0, 10_000.0  # calls a second
ROUNDS, LOADS, FEW = 3, 9, 1000


class HashEncoder:
    """Unit vectors made from a text's hash: an encoder whose time is none."""

    name, dimensions, max_tokens = "hash", 384, 256

    def __init__(self) -> None:
        self.encoded = 0
        self._table = np.random.default_rng(SEED).standard_normal((4096, self.dimensions)).astype(np.float32)
        self._table /= np.linalg.norm(self._table, axis=1, keepdims=True)

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One vector a text."""
        self.encoded += len(texts)
        numbers = [int.from_bytes(sha256(text.encode()).digest()[:2], "big") % 4096 for text in texts]
        vectors: NDArray[np.float32] = self._table[numbers]
        return vectors


def logs(count: int, *, first: int = 0) -> list[StageRun]:
    """Stage runs of five calls."""
    chosen = random.Random(SEED + first)
    popular = [f"tool_{int(chosen.paretovariate(0.8)) % TOOLS}" for _ in range(4096)]
    runs = []
    for number in range(first, first + count):
        stage = number // RUNS_A_STAGE
        own = random.Random(stage)  # runs of one stage resemble each other
        tools = [popular[own.randrange(4096)] for _ in range(CALLS)]
        runs.append(
            StageRun(
                task=f"task {stage // 4}",
                stage=f"task {stage // 4}/{stage}",
                run=f"run {number}",
                request=f"request {stage} about {own.choice(['mail', 'rooms', 'rights'])}",
                passed=(True, True, True, False, None)[int(chosen.random() * 5)],
                calls=tuple(calls(chosen, tools)),
                source="log",
                finished=f"2026-{1 + number % 12:02}-{1 + number % 28:02}",
            )
        )
    return runs


def calls(chosen: random.Random, tools: list[str]) -> list[ToolCall]:
    """Calls of the tools in order: in a third of the runs one is retried, paged, or made beside another."""
    made = [ToolCall(tool, {"id": i}, True) for i, tool in enumerate(tools)]
    what = chosen.randrange(9)
    if what == 0:
        made[1] = ToolCall(made[2].tool, {"id": 9}, False)
    elif what == 1:
        made[1] = ToolCall(made[0].tool, {"id": 0, "page": 2}, True)
    elif what == 2:
        made[2], made[3] = (ToolCall(call.tool, call.arguments, True, turn=1) for call in made[2:4])
    return made


def in_memory(runs: list[StageRun]) -> float:
    """Calls a second, the best of some rounds."""
    best = 0.0
    for _ in range(ROUNDS):
        started = time.perf_counter()
        stages = stages_of(runs)
        for stage in stages.values():
            stored.path_rows(stage)
        stored.edge_rows(history(stages.values()))
        runs_per_tool(stages.values())
        best = max(best, sum(len(run.calls) for run in runs) / (time.perf_counter() - started))
    return best


def once_more(db: Database, encoder: HashEncoder, first: int) -> float:
    """Milliseconds of a load of one run, the median."""
    times = []
    for number in range(LOADS):
        runs = logs(1, first=first + number * RUNS_A_STAGE)
        started = time.perf_counter()
        load_logs(db, encoder, runs)
        times.append(1e3 * (time.perf_counter() - started))
    return statistics.median(times)


def measure(count: int) -> dict[str, Any]:
    """All figures."""
    runs = logs(count)
    made = sum(len(run.calls) for run in runs)
    memory = in_memory(runs)
    encoder = HashEncoder()
    with scratch_server() as address, Database.open(address.uri, (address.username, address.password)) as db:
        schema.apply(db, encoder=encoder.name, dimensions=encoder.dimensions, analyzer="cjk")
        load_logs(db, encoder, logs(FEW, first=10 * count))  # warms the server; other stages of the same tools
        few = once_more(db, encoder, 20 * count)
        before = encoder.encoded
        started = time.perf_counter()
        load_logs(db, encoder, runs)
        seconds = time.perf_counter() - started
        encoded = encoder.encoded - before
        many = once_more(db, encoder, 30 * count)
        changed = derive(db, encoder)
        faults = len(check(db))
    distinct = len({run.request for run in runs})
    beyond = max(0, encoded - distinct - TOOLS)
    return {
        "runs": count,
        "calls": made,
        "in_memory_calls_per_second": round(memory),
        "store": {
            "seconds": round(seconds, 2),
            "calls_per_second": round(made / seconds),
            "requests_encoded": encoded,
            "distinct_requests": distinct,
        },
        "one_run_more_ms": {"few": round(few, 1), "many": round(many, 1)},
        "targets": [
            {"name": "mining in memory", **_at_least(memory, IN_MEMORY)},
            {"name": "mining into the store, without encoding", **_at_least(made / seconds, INTO_STORE)},
            {"name": "texts encoded beyond distinct requests and new tools", **_none(beyond)},
            {"name": "differences between following and deriving anew", **_none(int(changed))},
            {"name": "broken invariants", **_none(faults)},
        ],
    }


def _at_least(figure: float, at_least: float) -> dict[str, Any]:
    return {"calls_per_second": round(figure), "at_least": at_least, "met": figure >= at_least}


def _none(figure: int) -> dict[str, Any]:
    return {"found": figure, "at_most": 0, "met": figure == 0}


def main() -> None:
    """Print the figures; write them with ``--out``."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=20_000)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    text = json.dumps(measure(options.runs), indent=2, ensure_ascii=False)
    if options.out:
        options.out.write_text(text + "\n", "utf-8")
    print(text)


if __name__ == "__main__":
    main()
