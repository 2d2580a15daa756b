"""Top-k tools for a request."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from graphstore.db import Database
from graphstore.errors import NotFound, SettingsError
from graphstore.models import ToolHit
from graphstore.retrieval.engine import LOCAL, Engine
from graphstore.retrieval.ppr import top
from graphstore.retrieval.tool_reasons import because
from graphstore.retrieval.tool_signals import Evidence, contributions
from graphstore.retrieval.tool_snapshot import STATEMENTS, ToolNode, ToolSnapshot, build_snapshot

if TYPE_CHECKING:
    from graphstore.encoders import Encoder

_DECIMALS = 6


class ToolSearch:
    """Answers requests from the tool graph of one ``graph_version``; several threads may ask at once."""

    def __init__(self, snapshot: ToolSnapshot, encoder: Encoder) -> None:
        self.snapshot = snapshot
        self._encoder = encoder

    @classmethod
    def read(cls, db: Database, encoder: Encoder) -> ToolSearch:
        """A search over the tool graph as it is now.

        :raises NotFound: the store holds no tools.
        """
        version, results = db.read_consistent([(name, {}) for name in STATEMENTS])
        if not results[0]:
            raise NotFound("the store holds no tools yet: `graphstore load tools PATH` or `graphstore load logs PATH`")
        return cls(build_snapshot(version, results), encoder)

    @property
    def version(self) -> int:
        """The ``graph_version`` that it answers from."""
        return self.snapshot.version

    def search(
        self,
        query: str,
        *,
        k: int = 8,
        domain: str | None = None,
        server: str | None = None,
        exclude: Collection[str] = (),
        engine: Engine = LOCAL,
    ) -> list[ToolHit]:
        """The k best tools for a request, best first; tools of equal score in the order of their ids.

        :param query: What is asked, in the user's words.
        :param k: At most so many; fewer only if filters leave fewer.
        :param domain: Only tools of this domain, in any case; a tool may be of several, separated by commas.
        :param server: Only tools of this server.
        :param exclude: Ids or names of tools to leave out.
        :param engine: Where the walk is followed.
        :raises NotFound: no tool of this domain and server.
        :raises SettingsError: a blank query or a k below 1.
        """
        if not query.strip():
            raise SettingsError("the request is empty: say in words what is to be done")
        if k < 1:
            raise SettingsError(f"k is the number of tools to return, 1 or more: got {k}")
        snapshot = replace(self.snapshot, diffusion=engine.tools(self.snapshot))
        allowed = _allowed(snapshot, domain, server, exclude)
        evidence = Evidence(snapshot, query, self._encoder.encode([query])[0])
        parts = contributions(evidence)
        # Rounded, so that the last bits of a float never order two equal tools.
        scores = np.round(np.sum(list(parts.values()), axis=0), _DECIMALS)
        seeds = set(evidence.seeds.tolist())
        return [
            ToolHit(
                id=snapshot.tools[tool].id,
                name=snapshot.tools[tool].name,
                domain=snapshot.tools[tool].domain,
                score=float(scores[tool]),
                seed=tool in seeds,
                because=because(evidence, tool, parts),
            )
            for tool in allowed[top(scores[allowed], k)].tolist()
        ]


def _allowed(
    snapshot: ToolSnapshot, domain: str | None, server: str | None, exclude: Collection[str]
) -> NDArray[np.intp]:
    """Numbers of the tools that pass the filters, ascending."""

    def fits(tool: ToolNode) -> bool:
        in_domain = domain is None or domain.casefold() in {one.casefold() for one in _domains(tool)}
        return in_domain and (server is None or tool.server == server)

    fitting = [number for number, tool in enumerate(snapshot.tools) if fits(tool)]
    if not fitting:
        wanted = " and ".join(f"{key} {value!r}" for key, value in (("domain", domain), ("server", server)) if value)
        known = ", ".join(sorted({one for tool in snapshot.tools for one in _domains(tool)})) or "none"
        raise NotFound(f"no tool of {wanted}; domains in the store: {known}")
    left_out = set(exclude)
    return np.array(
        [i for i in fitting if snapshot.tools[i].id not in left_out and snapshot.tools[i].name not in left_out],
        dtype=np.intp,
    )


def _domains(tool: ToolNode) -> list[str]:
    return [one.strip() for one in (tool.domain or "").split(",") if one.strip()]
