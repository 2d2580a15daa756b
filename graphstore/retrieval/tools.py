"""Top-k tools for a request."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from graphstore.db import Database
from graphstore.errors import NotFound, SettingsError
from graphstore.models import ToolDomain, ToolHit
from graphstore.retrieval.engine import LOCAL, Engine
from graphstore.retrieval.exposure import SYSTEM, listed
from graphstore.retrieval.ppr import top
from graphstore.retrieval.tool_definitions import Count, DefinitionForm, ToolDefinitions, tool_definitions
from graphstore.retrieval.tool_evidence import Evidence, Scores
from graphstore.retrieval.tool_features import candidates
from graphstore.retrieval.tool_filters import Offer, ToolFilters
from graphstore.retrieval.tool_mix import FORM, LearnedMix
from graphstore.retrieval.tool_order import placed
from graphstore.retrieval.tool_reasons import because
from graphstore.retrieval.tool_rows import CHANGED, NOTED, Packed, ToolRows
from graphstore.retrieval.tool_signals import contributions, mixed
from graphstore.retrieval.tool_snapshot import STATEMENTS, ToolSnapshot, build_snapshot

if TYPE_CHECKING:
    from graphstore.encoders import Encoder

_MIX, _STAGES = "retrieve/tool_mix", "retrieve/tool_solved_stages"
READ = (*STATEMENTS, _MIX)
"""The statements whose rows make a search, in order."""


class ToolOptions(TypedDict, total=False):
    """The options of :meth:`ToolSearch.search` that say which tools are answered."""

    k: int
    domain: str | None
    server: str | None
    exclude: Sequence[str]
    system: bool
    beyond: int


class ToolSearch:
    """Answers requests from the tool graph of one ``graph_version``; several threads may ask at once."""

    def __init__(
        self,
        snapshot: ToolSnapshot,
        encoder: Encoder,
        *,
        mix: LearnedMix | None = None,
        rows: ToolRows | None = None,
        store: str | None = None,
    ) -> None:
        self.snapshot = snapshot
        self.mix = mix
        self._encoder = encoder
        self._rows = rows
        self._store = store
        self._filters = ToolFilters(snapshot.tools)

    @classmethod
    def read(cls, db: Database, encoder: Encoder) -> ToolSearch:
        """A search over the tool graph as it is now.

        :raises NotFound: the store holds no tools.
        """
        store = db.store_id
        version, results = db.read_consistent([(name, {}) for name in READ], each=Packed())
        return cls.of(version, ToolRows.read(READ, results), encoder, store)

    @classmethod
    def of(
        cls, version: int, rows: ToolRows, encoder: Encoder, store: str, before: ToolSnapshot | None = None
    ) -> ToolSearch:
        """A search over rows of :data:`READ` that were read from a store.

        :param before: The snapshot of the rows that these were made of by :meth:`ToolRows.after`: what did not change
            is not made anew.
        :raises NotFound: there are no tools among them.
        """
        if not rows.rows[STATEMENTS[0]]:
            raise NotFound("the store holds no tools yet: `graphstore load tools PATH` or `graphstore load logs PATH`")
        read = [rows.rows[name] for name in STATEMENTS]
        since = rows.since.get(_STAGES) if before is not None else None
        snapshot = build_snapshot(version, read, dimensions=encoder.dimensions, before=before, since=since)
        rows.share(STATEMENTS[0], np.arange(len(snapshot.tools)), snapshot.vectors.__getitem__)
        past = snapshot.past
        grew = before is not None and since is not None and past.shares(before.past)
        numbers = since.written if grew and since is not None else np.arange(len(past.stages))
        rows.share(_STAGES, numbers, past.nearest.__getitem__, past.clauses.__getitem__)
        return cls(snapshot, encoder, mix=_usable(rows.rows[_MIX], encoder), rows=rows, store=store)

    def refresh(self, db: Database) -> ToolSearch:
        """A search over the tool graph as it is now; only what changed is read.

        Equal to :meth:`read`. After a deletion, after other statements wrote, or in another store, all is read.

        :raises NotFound: the store holds no tools.
        """
        rows, store = self._rows, self._store
        if rows is None or store is None or db.store_id != store:
            return self.read(db, self._encoder)
        return db.current(lambda: self._refreshed(db, rows, store))

    def _refreshed(self, db: Database, rows: ToolRows, store: str) -> ToolSearch:
        version, ((state,),) = db.read_consistent([("retrieve/tool_changes", {})])
        if version < self.version or max(state["removed"] or 0, state["past"] or 0) > self.version:
            return self.read(db, self._encoder)
        wanted = [name for name in READ if name not in NOTED or (state[NOTED[name]] or 0) > self.version]
        since = {"since": self.version}
        steps = [(CHANGED[name][0], since) if name in CHANGED else (name, {}) for name in wanted]
        _, results = db.read_consistent(steps, each=Packed(), expect=version)
        return self.of(version, rows.after(wanted, results), self._encoder, store, self.snapshot)

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
        system: bool = False,
        beyond: int = 0,
        order: bool = False,
        engine: Engine = LOCAL,
    ) -> list[ToolHit]:
        """The k best tools for a request, best first; tools of equal score in the order of their ids.

        :param query: What is asked, in the user's words.
        :param k: At most so many; fewer only if filters leave fewer.
        :param domain: Only tools of this domain, in any case; a tool may be of several, separated by commas.
        :param server: Only tools of this server.
        :param exclude: Ids or names of tools to leave out.
        :param system: All system tools besides.
        :param beyond: The best so many tools of other domains besides.
        :param order: In the likely order of execution instead of best first.
        :param engine: Where the walk is followed.
        :raises NotFound: no tool of this domain and server.
        :raises SettingsError: a blank query, a k below 1, or ``system`` or ``beyond`` without a domain.
        """
        _require_words(query)
        if k < 1:
            raise SettingsError(f"k is the number of tools to return, 1 or more: got {k}")
        if beyond < 0 or ((system or beyond) and domain is None):
            raise SettingsError("system tools and tools beyond, 0 or more, are added to those of a domain: name one")
        walk = engine.tools(self.snapshot)
        # what a snapshot has computed is lost with another one
        snapshot = self.snapshot if walk is self.snapshot.diffusion else replace(self.snapshot, diffusion=walk)
        offer = self._filters.offer(domain, server, exclude, system=system)
        evidence = Evidence.of(snapshot, query, self._encoder)
        parts = contributions(evidence)
        untrained = mixed(parts.values())
        scores = untrained if self.mix is None else self.mix.scores(candidates(evidence, untrained))
        seeds = set(evidence.seeds.tolist())
        chosen = _chosen(scores, offer, k, beyond)
        hits = [
            ToolHit(
                id=snapshot.tools[tool].id,
                name=snapshot.tools[tool].name,
                domain=snapshot.tools[tool].domain,
                score=float(scores[tool]),
                seed=tool in seeds,
                because=because(evidence, tool, parts),
                position=place.position,
                when=place.when,
            )
            for tool, place in zip(chosen.tolist(), placed(evidence, chosen, evidence.asked_for(chosen)), strict=True)
        ]
        return sorted(hits, key=lambda hit: hit.position or 0) if order else hits

    def domains(self, query: str | None = None) -> list[ToolDomain]:
        """The domains of the tools: by name, or those that fit a request best first.

        :raises SettingsError: a blank query.
        """
        if query is None:
            return listed(self.snapshot)
        _require_words(query)
        return listed(self.snapshot, Evidence.of(self.snapshot, query, self._encoder))

    def definitions(
        self, db: Database, hits: Sequence[ToolHit], form: DefinitionForm, *, max_tokens: int | None, count: Count
    ) -> ToolDefinitions:
        """The definitions of tools that a search found, read from the store; system tools are the last to be left out.

        :raises StaleVersion: the store was written since this search was read.
        """
        ids = [hit.id for hit in hits]
        _, (rows,) = db.read_consistent([("retrieve/tool_specs", {"ids": ids})], expect=self.version)
        found = {row["id"]: row for row in rows}
        first = [self.snapshot.tools[number].id for number in self._filters.domains.of(SYSTEM).tolist()]
        ranked = [found[hit.id] for hit in hits]
        return tool_definitions(ranked, form, max_tokens=max_tokens, first=first, count=count)


def _usable(rows: Sequence[Mapping[str, Any]], encoder: Encoder) -> LearnedMix | None:
    """The stored mix, if it was fitted on the features and the vectors that there are now."""
    fitting = (row for row in rows if row["form"] == FORM and row["encoder"] == encoder.name)
    return next((LearnedMix.from_row(row) for row in fitting), None)


def _require_words(query: str) -> None:
    if not query.strip():
        raise SettingsError("the request is empty: say in words what is to be done")


def _chosen(scores: Scores, offer: Offer, k: int, beyond: int) -> NDArray[np.intp]:
    """Numbers of the tools of an answer, best first."""
    inside, outside = (part[top(scores[part], most)] for part, most in ((offer.inside, k), (offer.outside, beyond)))
    chosen = np.sort(np.concatenate([inside, offer.always, outside]))
    return np.asarray(chosen[top(scores[chosen], len(chosen))], dtype=np.intp)
