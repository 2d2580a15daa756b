"""graph-tool-call, the nearest peer of tool retrieval, on the catalogs and requests of ``tool_retrieval.py``.

It knows the catalog only: the tools with their schemas and, where they are declared, their dependencies; what it does
with past requests is no retrieval. Measured are its default and, as a second method, its default with our encoder's
vectors. The product's answers are those that ``tool_retrieval.py`` kept under the same code, or are made anew.

    uv pip install --group bench
    python benchmarks/tool_peers.py ultratool

``--splits N`` measures only the first N splits of a run, ``--plain`` leaves out the vectors: a request takes it a good
part of a second.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tool_retrieval import KEPT, RUNS, plan_of

from graphstore import Settings
from graphstore.encoders import load_encoder
from graphstore.evaluation.remembered import Remembered
from graphstore.evaluation.tool_answers import GRAPH, Answer
from graphstore.evaluation.tool_evaluation import Measured, evaluate
from graphstore.evaluation.tool_report import cutoffs, report
from graphstore.evaluation.tool_sets import form_of
from graphstore.evaluation.tool_tables import lines_of
from graphstore.evaluation.tool_trials import Trial
from graphstore.records import ToolSpec
from graphstore.retrieval.tool_definitions import definition_tokens
from graphstore.toolgraph.stored import tool_row

try:
    from graph_tool_call import ToolGraph
except ModuleNotFoundError:
    sys.exit("graph-tool-call is not installed: uv pip install --group bench")

PEER, WITH_VECTORS = "graph-tool-call", "graph-tool-call+vectors"
Retrieve = Callable[[str], list[str]]


@dataclass
class Peer:
    """The peer on one catalog; each request is asked once, whatever splits ask it, and its answer kept in a file."""

    name: str
    catalog: Sequence[ToolSpec]
    k: int
    encode: Callable[[list[str]], list[list[float]]] | None

    def __post_init__(self) -> None:
        self.graph = ToolGraph()
        self.graph.ingest_mcp_tools([_definition(tool) for tool in self.catalog])
        for tool in self.catalog:
            for need in tool.requires:
                self.graph.add_relation(tool.id, need.tool, "requires")
        if self.encode is not None:
            self.graph.enable_embedding(self.encode)
        identity = repr((self.name, version("graph-tool-call"), self.catalog, self.k))
        self.file = KEPT / "peers" / f"{sha256(identity.encode()).hexdigest()[:16]}.json"
        kept = json.loads(self.file.read_text("utf-8")) if self.file.exists() else {}
        self.answers: dict[str, tuple[list[str], float]] = {request: (ids, ms) for request, (ids, ms) in kept.items()}

    @property
    def ms(self) -> float:
        """Median time of a request."""
        return round(statistics.median(ms for _, ms in self.answers.values()), 1)

    def ask(self, requests: Sequence[str]) -> list[list[str]]:
        """Ids of its best tools, best first, for each request."""
        new = [request for request in dict.fromkeys(requests) if request not in self.answers]
        for number, request in enumerate(new, start=1):
            started = time.perf_counter()
            found = self.graph.retrieve(request, top_k=self.k)
            ms = 1e3 * (time.perf_counter() - started)
            self.answers[request] = (list(dict.fromkeys(tool.name for tool in found)), ms)
            if number % 50 == 0 or number == len(new):
                print(f"  {self.name}: {number} of {len(new)}", file=sys.stderr, flush=True)
                self.file.parent.mkdir(parents=True, exist_ok=True)
                self.file.write_text(json.dumps(self.answers, ensure_ascii=False), "utf-8")
        return [self.answers[request][0] for request in requests]


def _definition(tool: ToolSpec) -> dict[str, Any]:
    schema = dict(tool.parameters) or {"type": "object", "properties": {}}
    return {"name": tool.id, "description": tool.description, "inputSchema": schema}


def with_peers(measured: Measured, peers: dict[str, Peer]) -> Measured:
    """The trial with the peers' answers beside the product's; only with all of its history."""
    trial: Trial = measured.trial
    costs = {tool.id: definition_tokens(tool_row(tool)) for tool in trial.catalog}
    answers = dict(measured.points[-1].answers)
    for name, peer in peers.items():
        rankings = peer.ask([asked.request for asked in trial.asked])
        answers[name] = tuple(Answer(tuple(ids), None, sum(costs.get(tool, 0) for tool in ids)) for ids in rankings)
    return Measured(trial, (replace(measured.points[-1], answers=answers),))


def measure(run: str, splits: int | None, *, vectors: bool) -> dict[str, Any]:
    """The report of a run with the peers among its methods."""
    plan, settings = plan_of(run), Settings.load()
    plan = plan if splits is None else replace(plan, splits=tuple(range(splits)))
    ks = cutoffs(form_of(plan.name))
    encoder = Remembered(load_encoder(settings.encoder))
    peers: dict[str, Peer] = {}
    out = []
    for measured in evaluate(plan, settings, k=ks[-1], progress=lambda label, done, total: None):
        if not peers:
            peers[PEER] = Peer(PEER, measured.trial.catalog, ks[-1], None)
            if vectors:
                peers[WITH_VECTORS] = Peer(
                    WITH_VECTORS, measured.trial.catalog, ks[-1], lambda texts: encoder.encode(list(texts)).tolist()
                )
        out.append(with_peers(measured, peers))
    found = report(
        out,
        dataset=out[0].trial.name,
        protocol=str(plan.protocol),
        held_out=plan.held_out,
        encoder=encoder.name,
        ks=ks,
    )
    return {**found, "ms": {name: peer.ms for name, peer in peers.items()}}


def main() -> None:
    """Print the tables; write the reports with ``--out``."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--splits", type=int, help="only the first N splits")
    parser.add_argument("--plain", action="store_true", help="without vectors")
    parser.add_argument("runs", nargs="*", help=f"of {', '.join(RUNS)}; default: all")
    options = parser.parse_args()
    if unknown := set(options.runs) - set(RUNS):
        parser.error(f"no such run: {', '.join(sorted(unknown))}")
    reports = {}
    for run in options.runs or RUNS:
        print(f"{run} (kept splits: {KEPT / run})", file=sys.stderr, flush=True)
        reports[run] = measure(run, options.splits, vectors=not options.plain)
        print("\n".join(lines_of(reports[run])), reports[run]["ms"], "ms a request (median)", end="\n\n", flush=True)
    targets = [
        {
            "name": f"{run}: beats {name}",
            "difference": row["difference"],
            "p_holm": row["p_holm"],
            "met": row["difference"] > 0 and row["p_holm"] < 0.01,
        }
        for run, each in reports.items()
        for name in each["ms"]
        for row in each["comparisons"]
        if row["b"] == name and row["metric"] == f"full@{10 if 'workbench' not in run else 5}"
    ]
    if options.out:
        value = {"targets": targets, "reports": reports}
        options.out.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", "utf-8")
    assert all(GRAPH in each["methods"] for each in reports.values())


if __name__ == "__main__":
    main()
