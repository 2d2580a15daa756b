"""Questions to the tool graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Unpack

from graphstore.client.base import OpenStore

if TYPE_CHECKING:
    from graphstore.models import StagePaths, ToolDomain, ToolHit
    from graphstore.retrieval.engine import EngineName
    from graphstore.retrieval.tool_definitions import DefinitionForm, ToolDefinitions
    from graphstore.retrieval.tools import ToolOptions


class Tools(OpenStore):
    """What is asked of the tool graph."""

    def tools(
        self,
        query: str,
        *,
        k: int = 8,
        domain: str | None = None,
        server: str | None = None,
        exclude: Sequence[str] = (),
        system: bool = False,
        beyond: int = 0,
        order: bool = False,
        engine: EngineName = "auto",
    ) -> list[ToolHit]:
        """The ``k`` tools that the whole workflow for a request needs, best first, each with its reasons.

        :param system: To the tools of ``domain``, add those that are always offered: all of the domain ``system``.
        :param beyond: To the tools of ``domain``, add the best so many of other domains.
        :param order: In the likely order of execution instead; ``position`` says it in either case.
        :param engine: Where walks are followed: ``"local"``, ``"gds"`` (in the server), or what is faster.
        :raises NotFound: the store holds no tools.
        :raises GdsMissing: ``"gds"`` without the library on the server.
        """
        from graphstore.retrieval.tools import ToolOptions

        place = self._engine(engine)
        options = ToolOptions(k=k, domain=domain, server=server, exclude=exclude, system=system, beyond=beyond)
        return self._db.current(lambda: self._tools().search(query, order=order, engine=place, **options))

    def tool_domains(self, query: str | None = None) -> list[ToolDomain]:
        """The domains of the tools, as a model may be offered them to choose from: the first step of exposure.

        :param query: Order by how well they fit this request, not by name.
        :raises NotFound: the store holds no tools.
        """
        return self._tools().domains(query)

    def tool_definitions(
        self,
        query: str,
        *,
        schemas: DefinitionForm = "openai",
        max_tokens: int | None = None,
        count: Callable[[str], int] | None = None,
        engine: EngineName = "auto",
        **options: Unpack[ToolOptions],
    ) -> ToolDefinitions:
        """The tools for a request as definitions that are ready to be sent to a model.

        :param schemas: Whose form: ``"openai"``, ``"anthropic"`` or ``"mcp"``.
        :param max_tokens: Most tokens of all definitions together; those that do not fit are named, not cut.
        :param count: Tokens of a text, from the model's own tokeniser; estimated if not given.
        :param options: As for :meth:`tools`.
        :raises NotFound: the store holds no tools.
        """
        from graphstore.retrieval.prompt_tokens import estimated_tokens

        place = self._engine(engine)

        def ask() -> ToolDefinitions:
            search = self._tools()
            hits = search.search(query, engine=place, **options)
            return search.definitions(self._db, hits, schemas, max_tokens=max_tokens, count=count or estimated_tokens)

        return self._db.current(ask)

    def paths(self, stage: str) -> StagePaths:
        """The successful paths of a stage, shortest first.

        :param stage: Its id (``task/stage``), the id of a task with one stage, or its request.
        :raises NotFound: no such stage, or several; the message lists candidates.
        """
        from graphstore.retrieval.stage_paths import stage_paths

        return stage_paths(self._db, stage)
