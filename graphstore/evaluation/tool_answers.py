"""What each method answers to a trial's requests: the product through its client, on a store that is made for it."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from graphstore import schema
from graphstore.client import GraphStore
from graphstore.db import Database
from graphstore.encoders import load_encoder
from graphstore.evaluation.remembered import Remembered
from graphstore.evaluation.tool_baselines import BASELINES, ranked
from graphstore.evaluation.tool_trials import Asked, Trial
from graphstore.progress import Progress
from graphstore.records import StageRun
from graphstore.retrieval.tool_definitions import definition_tokens
from graphstore.retrieval.tool_evidence import Evidence
from graphstore.retrieval.tools import ToolSearch
from graphstore.server import scratch_server
from graphstore.settings import Settings

if TYPE_CHECKING:
    from graphstore.encoders import Encoder

GRAPH = "graph"
METHODS = (GRAPH, *BASELINES)
"""All methods; ``graph`` is the product."""

CURVE = (0.0, 0.01, 0.03, 0.1, 0.3, 1.0)
"""Shares of the history at which a learning curve is measured."""

Costs = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a method answered to one request.

    :param ranking: Ids of the best tools, best first.
    :param order: The same ids in the order of their execution, ``None`` for a method that says nothing of it.
    :param tokens: Of the definitions of all tools that it exposes to the model.
    """

    ranking: tuple[str, ...]
    order: tuple[str, ...] | None
    tokens: int


@dataclass(frozen=True, slots=True)
class Point:
    """Where a trial stands when a share of its history is loaded.

    :param runs: Stage runs loaded so far.
    :param answers: Method → answers in the order of the trial's requests.
    """

    share: float
    runs: int
    answers: Mapping[str, tuple[Answer, ...]]


class Bench:
    """Makes stores for trials and asks them; texts are encoded once for all trials.

    :param settings: The server's line, heap and jars, and the encoder; its home is not touched.
    :param k: Tools that are asked for.
    """

    def __init__(self, settings: Settings, *, k: int, progress: Progress) -> None:
        self._settings = settings
        self._k = k
        self._progress = progress
        self.encoder: Encoder = Remembered(load_encoder(settings.encoder))

    def points(self, trial: Trial, methods: Sequence[str], shares: Sequence[float] = (1.0,)) -> Iterator[Point]:
        """The answers at each share of the history, ascending; the history is loaded bit by bit into one store.

        What is loaded up to a share is what is loaded up to a lower one and more: whole tasks, in a seeded order.
        """
        history = shuffled(trial.history)
        ends = [round(share * len(history)) for share in shares]
        with self._store() as (store, db):
            store.add_tools(trial.catalog)
            costs = _costs(db)
            for share, (start, end) in zip(shares, pairwise([0, *ends]), strict=True):
                batch = [run for task in history[start:end] for run in task]
                if batch:
                    store.add_runs(batch)
                answers = self._answers(store, db, trial.asked, methods, costs)
                yield Point(share, sum(map(len, history[:end])), answers)

    def _answers(
        self, store: GraphStore, db: Database, asked: Sequence[Asked], methods: Sequence[str], costs: Costs
    ) -> dict[str, tuple[Answer, ...]]:
        answer = self._baselines(db, [method for method in methods if method != GRAPH], costs)
        listed = []
        for number, request in enumerate(asked):
            self._progress("requests", number, len(asked))
            own = {GRAPH: self._product(store, request.request, costs)} if GRAPH in methods else {}
            listed.append({**own, **answer(request.request)})
        self._progress("requests", len(asked), len(asked))
        return {method: tuple(each[method] for each in listed) for method in methods}

    def _product(self, store: GraphStore, request: str, costs: Costs) -> Answer:
        hits = store.tools(request, k=self._k)
        ids = tuple(hit.id for hit in hits)
        order = tuple(hit.id for hit in sorted(hits, key=lambda hit: hit.position or 0))
        return Answer(ids, order, sum(costs[tool] for tool in ids))

    def _baselines(self, db: Database, names: Sequence[str], costs: Costs) -> Callable[[str], dict[str, Answer]]:
        snapshot = ToolSearch.read(db, self.encoder).snapshot

        def answer(request: str) -> dict[str, Answer]:
            evidence = Evidence(snapshot, request, self.encoder.encode([request])[0])
            answers = {}
            for name in names:
                ids, exposed = ranked(evidence, name, self._k)
                answers[name] = Answer(tuple(ids), None, sum(costs[tool] for tool in exposed))
            return answers

        return answer

    @contextmanager
    def _store(self) -> Iterator[tuple[GraphStore, Database]]:
        """An empty store on a server of its own, and a second way to it for what the client does not show."""
        with (
            tempfile.TemporaryDirectory(prefix="graphstore-") as cache,
            scratch_server(self._settings, progress=self._progress) as address,
            Database.open(address.uri, (address.username, address.password)) as db,
        ):
            schema.apply(
                db, encoder=self.encoder.name, dimensions=self.encoder.dimensions, analyzer=self._settings.analyzer
            )
            settings = replace(self._settings, cache=Path(cache), database=None)
            yield GraphStore(db, self.encoder, settings, self._progress), db


def shuffled(history: Sequence[StageRun]) -> list[list[StageRun]]:
    """The runs of each stage together, the stages in a seeded order that does not depend on how they came."""
    stages: dict[str, list[StageRun]] = {}
    for run in history:
        stages.setdefault(run.stage, []).append(run)
    names = sorted(stages)
    random.Random("history").shuffle(names)
    return [stages[name] for name in names]


def _costs(db: Database) -> Costs:
    """Tokens of each tool's definition as a model is sent it."""
    return {row["id"]: definition_tokens(row) for row in db.read("retrieve/tool_catalog")}
