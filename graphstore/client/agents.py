"""What agents do in the corpus."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from graphstore.client.base import OpenStore, asked
from graphstore.visibility import Visibility

if TYPE_CHECKING:
    from graphstore.models import ToolHit
    from graphstore.navigation import Navigation


class Agents(OpenStore):
    """Navigation for agents."""

    def navigation(self, *, reader: Sequence[str] | None = None, as_of: str | None = None) -> Navigation:
        """The corpus as one reader may navigate it: search, pages, documents by section, neighbours, grep.

        Every answer says its size in tokens and keeps to a budget. The store must stay open meanwhile.

        :param reader: Principals and groups; ``None`` is the local owner, who sees all.
        :param as_of: A date: only what was known by then.
        """
        from graphstore.navigation import Navigation

        def tools(request: str, k: int) -> list[ToolHit]:
            return asked(lambda: self._tools().search(request, k=k))

        return Navigation(self._db, documents=self._documents, tools=tools, who=Visibility.of(reader, as_of))
