"""Personalised PageRank: the product beside GDS over Bolt, scipy power iteration, networkx, igraph and fast-pagerank.

    OMP_WAIT_POLICY=PASSIVE python benchmarks/ppr.py [--full] [--without-gds] [--out FILE]

Graphs a (107 nodes, weights both ways) and b (30k × 10k nodes, 300k links) are made by the module named with
``--graphs`` (default: ``bench/graphs.py`` beside the folder of ``GRAPHSTORE_DATA``); ``--full`` adds c (700k × 300k,
5M links) without GDS. A query is five seeds, damping .85. *Exact head*: all of the first 20 right and an L1 error of at
most 5e-3 against a solution to 1e-13; where only 20 scores are sent the rest counts as missing. Times are medians in
milliseconds; only ratios within one run count.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import statistics
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import fast_pagerank
import igraph
import networkx as nx
import numpy as np
from datasets import data_folder
from gds_peer import GdsPeer, gds_server
from numpy.typing import NDArray
from scipy import sparse

from graphstore.db import Database
from graphstore.retrieval.ppr import BipartiteDiffusion, Diffusion, top

DAMPING = 0.85
HEAD_TOL = 5e-3
Vector = NDArray[np.float64]
Method = Callable[[NDArray[np.int64]], Vector]


@dataclass(frozen=True)
class Timing:
    """One method on one graph: median time, and its worst query in correct places of 20 and in L1."""

    graph: str
    method: str
    ms: float
    top20: int
    l1: float


@dataclass(frozen=True)
class Target:
    """A ratio that must be reached."""

    name: str
    at_least: float
    ratio: float

    @property
    def met(self) -> bool:
        """Whether it is."""
        return self.ratio >= self.at_least


def load_graphs(path: Path | None) -> ModuleType:
    """The module that makes the benchmark graphs."""
    file = path or data_folder().parent / "bench" / "graphs.py"
    if not file.is_file():
        sys.exit(f"no benchmark graphs at {file}: name graphs.py with --graphs")
    spec = importlib.util.spec_from_file_location("benchmark_graphs", file)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def restart(n: int, seeds: NDArray[np.int64]) -> Vector:
    """Equal weights for the seeds."""
    r = np.zeros(n)
    r[seeds] = 1 / len(seeds)
    return r


def power(walk: sparse.csr_array, r: Vector, tol: float) -> Vector:
    """Power iteration until the L1 change is at most tol; ``walk`` is P'."""
    x = r
    while True:
        new = DAMPING * (walk @ x) + (1 - DAMPING) * r
        if np.abs(new - x).sum() <= tol:
            return np.asarray(new)
        x = new


def peers(graph: Any, adjacency: sparse.csr_array, walk: sparse.csr_array, slow: bool) -> dict[str, Method]:
    """The other libraries on the same graph, each prepared as its manual says."""
    n = graph.n
    classic = sparse.csr_matrix(adjacency)
    ig = igraph.Graph(n=n, edges=np.c_[graph.src, graph.dst])
    ig.es["weight"] = graph.w
    methods: dict[str, Method] = {
        "igraph prpack": lambda s: np.array(
            ig.personalized_pagerank(damping=DAMPING, reset=restart(n, s).tolist(), weights="weight", directed=False)
        ),
        "scipy power 1e-6": lambda s: power(walk, restart(n, s), 1e-6),
        "fast-pagerank 1e-6": lambda s: np.asarray(
            fast_pagerank.pagerank_power(classic, p=DAMPING, personalize=restart(n, s), tol=1e-6)
        ),
    }
    if not slow:
        nxg = nx.Graph()
        nxg.add_nodes_from(range(n))
        nxg.add_weighted_edges_from(zip(graph.src.tolist(), graph.dst.tolist(), graph.w.tolist(), strict=True))

        def by_networkx(s: NDArray[np.int64]) -> Vector:
            scores = nx.pagerank(nxg, DAMPING, personalization={int(i): 1.0 for i in s}, tol=1e-6 / n, max_iter=1000)
            return np.fromiter(scores.values(), float, n)

        methods["networkx 1e-6"] = by_networkx
    return methods


def product(graph: Any, adjacency: sparse.csr_array) -> tuple[BipartiteDiffusion | Diffusion, dict[str, Method]]:
    """The product's solver for the graph, and its methods to time."""
    if graph.n_entities == graph.n:
        general = Diffusion(adjacency)
        return general, {"graphstore": lambda s: np.asarray(general.scores(restart(graph.n, s)), float)}
    links = adjacency[: graph.n_entities][:, graph.n_entities :]
    diffusion = BipartiteDiffusion(sparse.csr_array(links))

    def at(tol: float) -> Method:
        return lambda s: np.asarray(diffusion.scores(restart(graph.n, s), tol=tol))

    return diffusion, {"graphstore head": at(HEAD_TOL), "graphstore 1e-6": at(1e-6)}


def measure(name: str, methods: dict[str, Method], seeds: list[Any], exact: list[Vector], rounds: int) -> list[Timing]:
    """One timing a method; methods take turns, so that a slow moment of the machine hits all."""
    times: dict[str, list[float]] = {label: [] for label in methods}
    places = dict.fromkeys(methods, 20)
    error = dict.fromkeys(methods, 0.0)
    for label, method in methods.items():
        method(seeds[0])
        for s, x in zip(seeds, exact, strict=True):
            y = method(s)
            places[label] = min(places[label], len(set(top(x, 20).tolist()) & set(top(y, 20).tolist())))
            error[label] = max(error[label], float(np.abs(x - y).sum()))
    for _ in range(rounds):
        for label, method in methods.items():
            for s in seeds:
                begin = time.perf_counter()
                method(s)
                times[label].append(time.perf_counter() - begin)
    return [
        Timing(name, label, 1e3 * statistics.median(times[label]), places[label], error[label]) for label in methods
    ]


def batch_times(graph: Any, diffusion: BipartiteDiffusion, queries: int) -> tuple[float, float]:
    """Milliseconds of a query alone, and of one in a batch, at the tolerance of the head."""
    seeds = graph.seed_sets(queries)
    rows = np.repeat(np.arange(queries), [len(s) for s in seeds])
    columns = np.concatenate(seeds)
    restarts = sparse.csr_array((np.full(len(rows), 0.2), (rows, columns)), shape=(queries, graph.n))
    alone = []
    for s in seeds[:40]:
        begin = time.perf_counter()
        diffusion.scores(restart(graph.n, s), tol=HEAD_TOL)
        alone.append(time.perf_counter() - begin)
    begin = time.perf_counter()
    diffusion.scores_many(restarts, tol=HEAD_TOL)
    together = (time.perf_counter() - begin) / queries
    return 1e3 * statistics.median(alone), 1e3 * together


def cold_ms(graph: Any, adjacency: sparse.csr_array, seeds: NDArray[np.int64]) -> float:
    """Milliseconds of one query at the tolerance of the head, the preparation of the graph included."""
    times = []
    for _ in range(3):
        begin = time.perf_counter()
        product(graph, adjacency)[1]["graphstore" if graph.n_entities == graph.n else "graphstore head"](seeds)
        times.append(time.perf_counter() - begin)
    return 1e3 * statistics.median(times)


def bandwidth_ratio(diffusion: BipartiteDiffusion) -> float:
    """The memory-bandwidth bound of one step as a share of the step's time, in float32 with 32-bit indices."""
    system = diffusion._single
    source = np.ones(100_000_000 // 4, dtype=np.float32)
    target = np.empty_like(source)
    copies, steps = [], []
    vector = np.ones(system.links.shape[1], dtype=np.float32)
    for _ in range(5):
        begin = time.perf_counter()
        np.copyto(target, source)
        copies.append(time.perf_counter() - begin)
        begin = time.perf_counter()
        system.back @ (system.links @ vector)
        steps.append(time.perf_counter() - begin)
    rate = 2 * source.nbytes / min(copies)
    moved = 2 * (system.links.nnz * 8 + 4 * sum(system.links.shape) * 2)
    return float(moved / rate / statistics.median(steps))


def targets(
    timings: list[Timing], batch: tuple[float, float], cold: dict[str, float], bandwidth: float | None
) -> list[Target]:
    """The ratios of PPR; those against GDS only where it was measured, each against its faster way to answer.

    :param cold: How many times sooner the first answer is here than by GDS, by graph.
    """
    ms = {(t.graph, t.method): t.ms for t in timings}
    for graph in cold:
        ms[graph, "GDS"] = min(ms[graph, "GDS default"], ms[graph, "GDS default, 20 sent"])
    wanted = [
        ("b", "graphstore head", {"GDS": 20.0, "igraph prpack": 10.0, "scipy power 1e-6": 8.0, "networkx 1e-6": 80.0}),
        ("b", "graphstore 1e-6", {"igraph prpack": 6.0, "scipy power 1e-6": 4.0, "fast-pagerank 1e-6": 5.0}),
        ("a", "graphstore", {"GDS": 100.0, "networkx 1e-6": 20.0, "igraph prpack": 2.0}),
        ("c", "graphstore head", {"igraph prpack": 15.0}),
    ]
    out = [
        Target(f"{graph}: {ours} against {other}", least, ms[graph, other] / ms[graph, ours])
        for graph, ours, others in wanted
        for other, least in others.items()
        if (graph, ours) in ms and (graph, other) in ms
    ]
    alone, together = batch
    out.append(Target("b: a query of a batch of 1,000 against one alone", 4.0, alone / together))
    if ("b", "GDS") in ms:
        out.append(Target("b: a query of a batch of 1,000 against GDS", 100.0, ms["b", "GDS"] / together))
    # why --engine auto is local: a first answer, too, comes sooner
    out += [Target(f"{graph}: a first answer here against a first one by GDS", 1.0, cold[graph]) for graph in cold]
    if bandwidth is not None:
        out.append(Target("c: one step against the memory-bandwidth bound", 0.5, bandwidth))
    return out


def main() -> None:
    """Parse, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--full", action="store_true", help="also graph c: minutes, and 2 GB")
    parser.add_argument("--without-gds", action="store_true", help="start no server")
    parser.add_argument("--graphs", type=Path, help="the module that makes the graphs")
    parser.add_argument("--out", type=Path, help="write the figures there as JSON")
    options = parser.parse_args()
    graphs = load_graphs(options.graphs)

    with ExitStack() as stack:
        server = None if options.without_gds else stack.enter_context(gds_server())
        timings, reached = measured(graphs, server, full=options.full)
    print_table(timings, reached)
    if options.out:
        report = {
            "timings": [asdict(t) for t in timings],
            "targets": [asdict(goal) | {"met": goal.met} for goal in reached],
        }
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text(json.dumps(report, indent=2) + "\n", "utf-8")


def measured(graphs: ModuleType, server: Database | None, *, full: bool) -> tuple[list[Timing], list[Target]]:
    """All timings and what they reach."""
    timings: list[Timing] = []
    batch, bandwidth = (0.0, 1.0), None
    cold: dict[str, float] = {}
    for name in ("a", "b", "c") if full else ("a", "b"):
        graph = graphs.make(name)
        adjacency = sparse.csr_array(graph.csr)
        walk = sparse.csr_array((sparse.diags_array(1 / np.asarray(adjacency.sum(axis=1))) @ adjacency).T)
        seeds = graph.seed_sets(3 if name == "c" else 8)
        exact = [power(walk, restart(graph.n, s), 1e-14) for s in seeds]
        diffusion, ours = product(graph, adjacency)
        methods = ours | peers(graph, adjacency, walk, slow=name == "c")
        peer = GdsPeer(server, graph, DAMPING) if server is not None and name != "c" else None
        if peer is not None:
            methods |= peer.methods()
        timings += measure(name, methods, seeds, exact, rounds={"a": 20, "b": 2, "c": 1}[name])
        if peer is not None:
            cold[name] = peer.first_ms(seeds[0]) / cold_ms(graph, adjacency, seeds[0])
            peer.close()
        if name == "b":
            batch = batch_times(graph, diffusion, 1000)  # type: ignore[arg-type]
        if name == "c":
            bandwidth = bandwidth_ratio(diffusion)  # type: ignore[arg-type]

    return timings, targets(timings, batch, cold, bandwidth)


def print_table(timings: list[Timing], reached: list[Target]) -> None:
    """Nothing; a table of both goes to stdout."""
    print(f"{'graph':6}{'method':22}{'ms':>10}{'top 20':>8}{'L1':>10}")
    for t in timings:
        print(f"{t.graph:6}{t.method:22}{t.ms:10.3f}{t.top20:8d}{t.l1:10.1e}")
    print()
    for goal in reached:
        print(f"{goal.name:52}{goal.ratio:8.1f}x  at least {goal.at_least:g}x  {'met' if goal.met else 'NOT MET'}")


if __name__ == "__main__":
    main()
