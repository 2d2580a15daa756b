"""Personalised PageRank in the server, by its Graph Data Science library: the contract of :mod:`ppr`.

A graph is projected into the server's memory once a ``graph_version``, under a name made of the store's identity, that
version and what is in it; processes that ask at the same version share it. It is dropped when this engine is closed or
a newer version is asked for, and projected again when another process dropped it. Projections live in one server:
behind a routing address with several readers they may not be found, and ``local`` is the engine to use.
"""

from __future__ import annotations

import hashlib
import json
import math
import threading
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from graphstore.db import Database, StaleVersion
from graphstore.errors import ConnectError, GdsMissing, GraphStoreError, QueryError
from graphstore.retrieval.conjugate import Floats
from graphstore.retrieval.corpus_view import ALWAYS_RARE, COMMON
from graphstore.retrieval.restart import Links, check_options, distribution, distributions
from graphstore.toolgraph.fusion import KAPPA
from graphstore.toolgraph.mining import UNJUDGED
from graphstore.visibility import Visibility

if TYPE_CHECKING:
    from graphstore.retrieval.corpus_view import CorpusView
    from graphstore.retrieval.tool_snapshot import ToolSnapshot

NEEDED = (
    "gds.graph.drop",
    "gds.graph.exists",
    "gds.graph.list",
    "gds.graph.project.estimate",
    "gds.pageRank.stream",
    "gds.pageRank.stream.estimate",
    "gds.version",
)
"""Procedures of the library that the engine calls."""

_WEIGHTED_SEEDS = (2, 26)  # the library of the current line; the one of the long-term line refuses weights
_KEPT = 8  # projections a process keeps, one a reader
_GIB = 2**30


@dataclass(frozen=True, slots=True)
class Projection:
    """What to project.

    :param name: Of the projection, the same in every process.
    :param version: The ``graph_version`` whose nodes the caller has numbered.
    :param statement: Projects it; ``params`` are its parameters besides the name.
    :param nodes: The statement that lists the nodes as the caller numbers them.
    :param size: How many the caller has.
    :param moves: Relationships, about.
    """

    name: str
    version: int
    statement: str
    params: Mapping[str, Any]
    nodes: str
    size: int
    moves: int


class GdsDiffusion:
    """Diffusion over one projection, made when it is first asked; several threads may ask at once.

    :param rank: The statement that ranks: for all seeds at once, or for one after the other.
    """

    def __init__(self, db: Database, projection: Projection, *, rank: str) -> None:
        self.n = projection.size
        self._db = db
        self._projection = projection
        self._rank = rank
        self._lock = threading.Lock()
        self._nodes: NDArray[np.int64] | None = None

    def scores(self, restart: NDArray[np.float64], *, damping: float = 0.85, tol: float = 1e-6) -> Floats:
        """Probabilities of the walk, float64. *Shape:* ``(n,)``

        :param restart: Weights of the seeds, not negative; scaled to sum to 1. *Shape:* ``(n,)``
        :param damping: Probability of following an edge, in [0, 1).
        :param tol: Largest L1 distance to the exact solution.
        :raises SeedError: restart is negative, not finite, or sums to 0.
        :raises StaleVersion: the store was written since the caller numbered its nodes; read it again.
        :raises GraphStoreError: the projection does not fit the server's heap.
        """
        check_options(damping, tol)
        shares = distribution(restart, self.n)
        options = _options(self.n, damping, tol)
        try:
            out = self._ranked(shares, damping, options)
        except QueryError:
            if self._exists():
                raise
            self._nodes = None  # dropped by another process, or the server was started anew
            out = self._ranked(shares, damping, options)
        # probability that left at a sink would restart, which only scales the rest
        return np.asarray(out / out.sum())

    def scores_many(self, restarts: Links, *, damping: float = 0.85, tol: float = 1e-6) -> Floats:
        """Probabilities of one walk a row, asked one after the other. *Shape:* ``(k, n)``

        :param restarts: One query a row; options as for `scores`. *Shape:* ``(k, n)``, CSR
        :raises SeedError: a row is negative, not finite, or sums to 0.
        """
        rows = distributions(restarts, self.n)
        out = np.empty(rows.shape)
        for i in range(rows.shape[0]):
            out[i] = self.scores(rows[[i]].toarray()[0], damping=damping, tol=tol)
        return out

    def close(self) -> None:
        """Drop the projection."""
        with self._lock:
            if self._nodes is not None:
                self._nodes = None
                with suppress(ConnectError):  # a server that is gone holds no projection
                    self._db.read("retrieve/gds_drop", graph=self._projection.name)

    def _ranked(self, shares: Floats, damping: float, options: Mapping[str, Any]) -> Floats:
        """The server's scores, in the caller's numbering. *Shape:* ``(n,)``"""
        nodes = self._opened(options["iterations"])
        seeds = [[int(nodes[i]), float(shares[i])] for i in np.flatnonzero(shares)]
        row = self._db.read(self._rank, graph=self._projection.name, seeds=seeds, damping=damping, **options)[0]
        out = np.zeros(self.n)
        order = np.argsort(nodes)
        out[order[np.searchsorted(nodes, row["nodes"], sorter=order)]] = row["scores"]
        return out

    def _opened(self, iterations: int) -> NDArray[np.int64]:
        """The server's ids of the caller's nodes, once the projection is there. *Shape:* ``(n,)``"""
        with self._lock:
            if self._nodes is None:
                self._nodes = self._project(iterations)
            return self._nodes

    def _project(self, iterations: int) -> NDArray[np.int64]:
        wanted = self._projection
        self._db.read("retrieve/gds_drop_stale", store=self._db.store_id, version=wanted.version)
        if not self._exists():
            self._require_memory(iterations)
            try:
                self._db.read(wanted.statement, graph=wanted.name, **wanted.params)
            except QueryError:
                if not self._exists():  # else another process projected it meanwhile
                    raise
        nodes = np.array(self._db.read(wanted.nodes)[0]["nodes"], dtype=np.int64)
        if self._db.graph_version() != wanted.version or len(nodes) != self.n:
            self._db.read("retrieve/gds_drop", graph=wanted.name)
            raise StaleVersion(f"{self._db.address}: the store was written while it was projected; ask again")
        return nodes

    def _exists(self) -> bool:
        return bool(self._db.read("retrieve/gds_exists", graph=self._projection.name)[0]["exists"])

    def _require_memory(self, iterations: int) -> None:
        wanted = self._projection
        sizes = {"nodes": self.n, "relationships": wanted.moves}
        need = self._db.read("retrieve/gds_estimate", **sizes, iterations=iterations)[0]
        if need["heap"] > 1:
            raise GraphStoreError(
                f"{self._db.address}: a projection of {self.n:,} nodes and {wanted.moves:,} relationships takes "
                f"{need['bytes'] / _GIB:.1f} GiB, more than the server's heap; give it more (GRAPHSTORE_HEAP) "
                "or use --engine local"
            )


class GdsEngine:
    """Walks in the server. Close it, so that it drops what it projected."""

    def __init__(self, db: Database, *, rank: str) -> None:
        self._db = db
        self._rank = rank
        self._store = db.store_id
        self._lock = threading.Lock()
        self._open: OrderedDict[str, GdsDiffusion] = OrderedDict()

    @classmethod
    def open(cls, db: Database) -> GdsEngine:
        """The engine of a server.

        :raises GdsMissing: it has no Graph Data Science library, or not all of it is allowed.
        """
        there = {row["name"] for row in db.read("retrieve/gds_procedures", names=list(NEEDED))}
        if missing := sorted(set(NEEDED) - there):
            raise GdsMissing(
                f"{db.address}: the server has no Graph Data Science library, or does not allow {', '.join(missing)}; "
                "install the plugin there, or use --engine local"
            )
        version = db.read("maintain/gds_version")[0]["version"]
        numbers = tuple(int(part) for part in version.split(".")[:2])
        weighted = numbers >= _WEIGHTED_SEEDS
        return cls(db, rank="retrieve/gds_page_rank" if weighted else "retrieve/gds_page_rank_by_seed")

    def tools(self, snapshot: ToolSnapshot) -> GdsDiffusion:
        """The walk over tools, then stages."""
        return self._walk(
            Projection(
                name=f"graphstore-{self._store}-{snapshot.version}-tools",
                version=snapshot.version,
                statement="retrieve/gds_project_tools",
                params={"kappa": KAPPA, "unjudged": UNJUDGED},
                nodes="retrieve/gds_tool_nodes",
                size=len(snapshot.tools) + len(snapshot.stages),
                moves=snapshot.graph.transition.nnz,
            )
        )

    def documents(self, view: CorpusView) -> GdsDiffusion:
        """The walk over documents, then entities, as the view's reader may see them."""
        version = view.snapshot.version
        return self._walk(
            Projection(
                name=f"graphstore-{self._store}-{version}-documents-{_fingerprint(view.who)}",
                version=version,
                statement="retrieve/gds_project_documents",
                params={**view.who.parameters, "common": COMMON, "always": ALWAYS_RARE},
                nodes="retrieve/gds_document_nodes",
                size=sum(view.links.shape),
                moves=2 * view.links.nnz,
            )
        )

    def close(self) -> None:
        """Drop what was projected here."""
        with self._lock:
            while self._open:
                self._open.popitem()[1].close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _walk(self, projection: Projection) -> GdsDiffusion:
        with self._lock:
            if projection.name not in self._open:
                self._open[projection.name] = GdsDiffusion(self._db, projection, rank=self._rank)
            self._open.move_to_end(projection.name)
            while len(self._open) > _KEPT:
                self._open.popitem(last=False)[1].close()
            return self._open[projection.name]


def _options(n: int, damping: float, tol: float) -> dict[str, Any]:
    """Iterations and tolerance that keep the L1 error of the normalised scores below ``tol``.

    What k iterations leave out is at most dᵏ of all probability, and what nodes keep back because it is at most t each
    is n·k·t·d / (1 − d); the scores sum to at least 1 − d, and dividing by that sum can double an error.
    """
    iterations = 2 if damping == 0 else 2 + math.ceil(math.log(tol * (1 - damping) / 4) / math.log(damping))
    return {"iterations": iterations, "tolerance": tol * (1 - damping) ** 2 / (4 * max(n, 1) * iterations)}


def _fingerprint(who: Visibility) -> str:
    """A short name of who reads, and when; readers of one name share what is projected for them."""
    if who.sees_all:
        return "all"
    return hashlib.sha256(json.dumps(who.parameters, ensure_ascii=False).encode()).hexdigest()[:16]
