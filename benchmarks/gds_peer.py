"""Graph Data Science over Bolt as a peer of ``ppr.py``: a server of its own that holds the benchmark graphs."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphstore.db import Database
from graphstore.server import scratch_server

Vector = NDArray[np.float64]
Method = Callable[[NDArray[np.int64]], Vector]

BATCH = 20_000
DEFAULT = {"iterations": 20, "tolerance": 1e-7}  # what the library takes where nothing is said
NODES = "UNWIND range(0, $n - 1) AS i CALL (i) { CREATE (:N {i: i}) } IN TRANSACTIONS OF 10000 ROWS"
LINKS = """
UNWIND $rows AS row
CALL (row) {
  MATCH (a:N {i: row[0]}), (b:N {i: row[1]})
  CREATE (a)-[:E {weight: row[2]}]->(b)
} IN TRANSACTIONS OF 10000 ROWS
"""
TOP = """
CALL gds.pageRank.stream($graph, {
  sourceNodes: $seeds, dampingFactor: $damping, maxIterations: $iterations, tolerance: $tolerance,
  relationshipWeightProperty: 'weight'
}) YIELD nodeId, score
RETURN nodeId, score ORDER BY score DESC LIMIT 20
"""


class GdsPeer:
    """One benchmark graph in the server, projected."""

    def __init__(self, db: Database, graph: Any, damping: float) -> None:
        self._db = db
        self._name = graph.name
        self._damping = damping
        self._load(graph)
        begin = time.perf_counter()
        self._run("CALL gds.graph.project($graph, 'N', {E: {orientation: 'UNDIRECTED', properties: 'weight'}})")
        self.projected = time.perf_counter() - begin
        rows = self._run("MATCH (n:N) RETURN n.i AS i, id(n) AS id ORDER BY i")
        self._ids = np.array([row["id"] for row in rows], dtype=np.int64)
        self._order = np.argsort(self._ids)

    def methods(self) -> dict[str, Method]:
        """What to time: the library's defaults with all scores or the first 20 sent, and an L1 error of 1e-6."""
        return {
            "GDS default": lambda seeds: self._all(seeds, DEFAULT),
            "GDS default, 20 sent": lambda seeds: self._first(seeds, DEFAULT),
            "GDS 1e-6": lambda seeds: self._all(seeds, {"iterations": 110, "tolerance": 1e-14}),
        }

    def first_ms(self, seeds: NDArray[np.int64]) -> float:
        """Milliseconds of projecting the graph and asking once."""
        begin = time.perf_counter()
        self._first(seeds, DEFAULT)
        return 1e3 * (self.projected + time.perf_counter() - begin)

    def close(self) -> None:
        """Remove the graph, so that the next one has the server alone."""
        self._run("CALL gds.graph.drop($graph) YIELD graphName")
        self._run("MATCH (n:N) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 10000 ROWS")

    def _all(self, seeds: NDArray[np.int64], options: dict[str, Any]) -> Vector:
        row = self._db.read("retrieve/gds_page_rank", **self._question(seeds, options))[0]
        out = self._scores(row["nodes"], row["scores"])
        return np.asarray(out / out.sum())

    def _first(self, seeds: NDArray[np.int64], options: dict[str, Any]) -> Vector:
        rows = self._run(TOP, **self._question(seeds, options))
        return self._scores([row["nodeId"] for row in rows], [row["score"] for row in rows])

    def _question(self, seeds: NDArray[np.int64], options: dict[str, Any]) -> dict[str, Any]:
        weighted = [[int(self._ids[seed]), 1 / len(seeds)] for seed in seeds]
        return {"graph": self._name, "seeds": weighted, "damping": self._damping, **options}

    def _scores(self, nodes: list[int], scores: list[float]) -> Vector:
        out = np.zeros(len(self._ids))
        out[self._order[np.searchsorted(self._ids, nodes, sorter=self._order)]] = scores
        return out

    def _load(self, graph: Any) -> None:
        self._run(NODES, n=int(graph.n))
        rows = list(zip(graph.src.tolist(), graph.dst.tolist(), graph.w.tolist(), strict=True))
        for start in range(0, len(rows), BATCH):
            self._run(LINKS, rows=rows[start : start + BATCH])

    def _run(self, text: str, **params: Any) -> list[dict[str, Any]]:
        with self._db.driver.session(database=self._db.database) as session:
            return session.run(text, {"graph": self._name, **params}).data()  # type: ignore[arg-type]


@contextmanager
def gds_server() -> Iterator[Database]:
    """A server of this run, removed afterwards."""
    with (
        scratch_server() as address,
        Database.open(address.uri, (address.username, address.password)) as db,
    ):
        db.driver.execute_query("CREATE CONSTRAINT n IF NOT EXISTS FOR (n:N) REQUIRE n.i IS UNIQUE")
        yield db
