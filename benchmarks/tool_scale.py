"""Answers over 10,000 tools and 100,000 solved stages (made up: ``synthetic_tools.py``) in one serving process.

Measured: the milliseconds of an answer by the learned mix, with the encoding of its request by the default encoder; the
seconds to make the snapshot of its rows; the seconds until a search answers after 100 new runs, from their rows; and
the process's resident memory when it has answered. Rows are what the store's statements return, made by the same pure
functions (no server), in a process of their own, so that what making them takes is not in the serving one's memory.

The mix is fitted on these rows as loading logs or ``graphstore build tools`` does it, in a process of its own, and how
long that takes is measured, too. ``fitted`` says what it learned: with how many trees, and how well it ranks requests
that they were not fitted on, with and without them. What is asked are requests that no stage holds word for word, and
``other_order`` is the share of answers that the mix without training orders otherwise.

``--out FILE`` writes the figures and whether the targets are met; ``--rows FOLDER`` keeps the rows, and takes them from
there if they are. Set ``OPENBLAS_NUM_THREADS=1`` on a machine that is busy otherwise.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import multiprocessing
import pickle
import statistics
import tempfile
import time
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import psutil
from synthetic_tools import Company, WordEncoder

from graphstore.encoders import DEFAULT_ENCODER, Encoder, load_encoder
from graphstore.records import StageRun
from graphstore.retrieval.tool_fit import fit
from graphstore.retrieval.tool_mix import FORM
from graphstore.retrieval.tool_rows import Packed, ToolRows
from graphstore.retrieval.tool_snapshot import STATEMENTS
from graphstore.retrieval.tools import READ, ToolSearch
from graphstore.toolgraph import stored
from graphstore.toolgraph.history import history
from graphstore.toolgraph.mining import stages_of
from graphstore.toolgraph.semantic import similar_tools
from graphstore.toolgraph.vectors import Vectors

MEDIAN_MS, RESIDENT_GB = 30.0, 1.0
NEW = 100
REQUESTS = "requests.json"
_BATCH = 5000
_PATH = ("tools", "steps", "count", "efficiency", "shortest")


def tool_rows(company: Company, encoder: Encoder) -> list[dict[str, Any]]:
    """What ``retrieve/tool_catalog`` would return."""
    rows = sorted((stored.tool_row(spec) for spec in company.catalog), key=lambda row: str(row["id"]))
    vectors = encoder.encode([stored.row_text(row) for row in rows])
    for row, vector in zip(rows, vectors, strict=True):
        row.update(embedding=vector, runs=0, last_seen=None, linked=True)
    return rows


def stage_rows(runs: list[StageRun], encoder: Encoder) -> list[dict[str, Any]]:
    """What ``retrieve/tool_solved_stages`` would return."""
    stages = stages_of(runs)
    rows = []
    for start in range(0, len(runs), _BATCH):
        part = [stages[name] for name in sorted(stages)[start : start + _BATCH]]
        texts = [stored.stage_text(stage) for stage in part]
        clauses = Vectors(encoder).of_clauses(texts)
        for stage, vector, of_clauses in zip(part, encoder.encode(texts), clauses, strict=True):
            paths = [{key: path[key] for key in _PATH} for path in stored.path_rows(stage)]
            row = {"id": stage.id, "request": stored.stage_text(stage), "embedding": vector, "clauses": of_clauses}
            rows.append(row | {"paths": paths})
    return rows


def results(tools: list[dict[str, Any]], runs: list[StageRun], encoder: Encoder) -> dict[str, list[dict[str, Any]]]:
    """The rows of the statements that a snapshot is made of; those that are not listed have none."""
    edges = history(stages_of(runs).values())
    return {
        "retrieve/tool_catalog": tools,
        "retrieve/tool_solved_stages": stage_rows(runs, encoder),
        "retrieve/tool_next": stored.edge_rows(edges),
    }


def make(folder: Path, tools: int, stages: int, asked: int) -> None:
    """Write all rows, those of 100 further runs, and requests."""
    company, words = Company(tools=tools), WordEncoder()
    catalog = tool_rows(company, words)
    similar = similar_tools([row["id"] for row in catalog], np.array([row["embedding"] for row in catalog]))
    edges = {"retrieve/tool_similar": stored.edge_rows(similar)}
    write(folder / "all", results(catalog, list(company.runs(stages)), words) | edges)
    write(folder / "new", results([], list(company.runs(NEW, first=stages)), words) | edges)
    (folder / REQUESTS).write_text(json.dumps(company.requests(asked + 1)), "utf-8")


def learn(folder: Path) -> tuple[dict[str, Any], float]:
    """The learned mix, as ``retrieve/tool_mix`` would return it, and the seconds that fitting took."""
    started = time.perf_counter()
    mix = fit(read(folder / "all")[: len(STATEMENTS)], DEFAULT_ENCODER)
    if mix is None:
        raise SystemExit("tool_scale.py: too few stages to learn from: give --stages a larger number")
    return {**mix.to_row(), "form": FORM, "encoder": DEFAULT_ENCODER}, time.perf_counter() - started


def write(path: Path, rows: Mapping[str, list[dict[str, Any]]]) -> None:
    """Write rows one by one, so that they are read back as a driver reads them."""
    with path.open("wb") as file:
        for name, of_name in rows.items():
            for row in of_name:
                pickle.dump((name, row), file, protocol=pickle.HIGHEST_PROTOCOL)


def read(path: Path) -> list[list[dict[str, Any]]]:
    """The rows of each statement of :data:`READ`, packed as they are from a store."""
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in READ}
    packed = Packed()
    with path.open("rb") as file, contextlib.suppress(EOFError):
        while True:
            name, row = pickle.load(file)
            found[name].append(packed(row))
    return list(found.values())


def prepared(folder: Path, tools: int, stages: int, asked: int) -> tuple[dict[str, Any], float]:
    """The mix learned from the rows in a folder, which are made where they are not there yet; as :func:`learn`."""
    alone = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"), max_tasks_per_child=1)
    with alone as other:
        if not (folder / REQUESTS).exists():
            folder.mkdir(parents=True, exist_ok=True)
            other.submit(make, folder, tools, stages, asked).result()
        return other.submit(learn, folder).result()


def measure(folder: Path, tools: int, stages: int, asked: int) -> dict[str, Any]:
    """All figures.

    :param folder: Where the rows are, or are to be.
    """
    mix, fitting = prepared(folder, tools, stages, asked)
    found, new = read(folder / "all"), read(folder / "new")
    found[-1] = new[-1] = [mix]
    rows = ToolRows.read(READ, found)
    requests = json.loads((folder / REQUESTS).read_text("utf-8"))
    del found
    serving = WordEncoder(load_encoder())  # every request is encoded by the real one too
    started = time.perf_counter()
    search = ToolSearch.of(1, rows, serving, "")
    built = time.perf_counter() - started
    times = answers(search, requests)
    gigabytes = psutil.Process().memory_info().rss / 2**30
    started = time.perf_counter()
    ToolSearch.of(2, rows.after(READ, new), serving, "", search.snapshot)
    refreshed = time.perf_counter() - started
    encoding = encodings(serving, requests)
    median = statistics.median(times)
    return {
        "tools": tools,
        "stages": stages,
        "answer_ms": {"median": round(median, 1), "p95": round(statistics.quantiles(times, n=20)[-1], 1)},
        "of_it_encoding_ms": round(statistics.median(encoding), 1),
        "fitted": {key: search.mix.fitted[key] for key in ("requests", "trees", "quality", "untrained")},
        "other_order": other_order(search, requests[1:]),
        "fitting_seconds": round(fitting, 1),
        "snapshot_seconds": round(built, 1),
        "after_100_runs_seconds": round(refreshed, 1),
        "resident_gb": round(gigabytes, 2),
        "targets": [
            {
                "name": "answer over 10,000 tools and 100,000 stages, median with encoding and the learned mix",
                **_met(median, MEDIAN_MS, "ms"),
            },
            {"name": "memory of the serving process", **_met(gigabytes, RESIDENT_GB, "gb")},
        ],
    }


def other_order(search: ToolSearch, requests: list[str]) -> float:
    """The share of requests that are answered otherwise without the learned mix."""
    plain = ToolSearch(search.snapshot, WordEncoder())
    found = [[[hit.id for hit in each.search(request, k=8)] for each in (search, plain)] for request in requests]
    return round(sum(ours != others for ours, others in found) / len(found), 3)


def answers(search: ToolSearch, requests: list[str]) -> list[float]:
    """Milliseconds of each answer but the first, which prepares what is kept."""
    times = []
    for request in requests:
        started = time.perf_counter()
        search.search(request, k=8)
        times.append(1e3 * (time.perf_counter() - started))
    return times[1:]


def encodings(encoder: Encoder, requests: list[str]) -> list[float]:
    """Milliseconds of encoding each request."""
    times = []
    for request in requests[1:]:
        started = time.perf_counter()
        encoder.encode([request])
        times.append(1e3 * (time.perf_counter() - started))
    return times


def _met(figure: float, at_most: float, unit: str) -> dict[str, Any]:
    return {unit: round(figure, 2), "at_most": at_most, "met": figure <= at_most}


def main() -> None:
    """Print the figures; write them with ``--out``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tools", type=int, default=10_000)
    parser.add_argument("--stages", type=int, default=100_000)
    parser.add_argument("--requests", type=int, default=200)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--rows", type=Path)
    options = parser.parse_args()
    size = options.tools, options.stages, options.requests
    with tempfile.TemporaryDirectory() as name:
        folder = (options.rows or Path(name)) / "-".join(map(str, size))
        text = json.dumps(measure(folder, *size), indent=2)
    print(text)
    if options.out:
        options.out.write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
