"""Where diffusion runs: one contract, one class a place.

``local`` is this process (``ppr``), ``gds`` the server (``gds``). ``auto`` is ``local``: the snapshot that an answer
needs is here anyway, and preparing a walk and asking it here takes less time than projecting and asking in the server
(``benchmarks/ppr.py`` measures both). ``gds`` is for those who look at, or go on from, the same walk in the server.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, Protocol, get_args

import numpy as np
from numpy.typing import NDArray

from graphstore.errors import SettingsError
from graphstore.retrieval.conjugate import Floats

if TYPE_CHECKING:
    from graphstore.retrieval.corpus_view import CorpusView
    from graphstore.retrieval.tool_snapshot import ToolSnapshot

EngineName = Literal["local", "gds", "auto"]


class Walk(Protocol):
    """A graph on which walks that return to their seeds are followed."""

    def scores(self, restart: NDArray[np.float64], *, damping: float = 0.85, tol: float = ...) -> Floats:
        """Probabilities of the walk, summing to 1. *Shape:* ``(n,)``

        :param restart: Weights of the seeds, not negative; scaled to sum to 1. *Shape:* ``(n,)``
        :param damping: Probability of following an edge, in [0, 1).
        :param tol: Largest L1 distance to the exact solution.
        :raises SeedError: restart is negative, not finite, or sums to 0.
        """
        ...


class Engine(Protocol):
    """What makes walks on the graphs that answers are computed from; nodes are numbered as in the snapshot."""

    def tools(self, snapshot: ToolSnapshot) -> Walk:
        """The walk over tools, then stages."""
        ...

    def documents(self, view: CorpusView) -> Walk:
        """The walk over documents, then entities, as the view's reader may see them."""
        ...


class Local:
    """Walks in this process, on matrices that the snapshots hold."""

    def tools(self, snapshot: ToolSnapshot) -> Walk:
        """The snapshot's own."""
        return snapshot.diffusion

    def documents(self, view: CorpusView) -> Walk:
        """The view's own."""
        return view.diffusion


LOCAL = Local()


def choose(name: EngineName, gds: Callable[[], Engine]) -> Engine:
    """The engine of that name.

    :param gds: Opens the one in the server, where that is asked for.
    :raises SettingsError: no such engine.
    """
    if name not in get_args(EngineName):
        raise SettingsError(f"no engine {name!r}: use one of {', '.join(get_args(EngineName))}")
    return gds() if name == "gds" else LOCAL
