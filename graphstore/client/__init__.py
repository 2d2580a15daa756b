"""The library's face: one object over one store."""

from __future__ import annotations

from graphstore.client.agents import Agents
from graphstore.client.care import Care
from graphstore.client.catalogs import Catalogs
from graphstore.client.corpus import Corpus
from graphstore.client.graph import Graph
from graphstore.client.reading import Reading
from graphstore.client.tools import Tools

__all__ = ["GraphStore"]


class GraphStore(Reading, Tools, Corpus, Care, Catalogs, Agents, Graph):
    """A store of tool workflows and entity pages.

    Use as a context manager. Methods may be called from several threads; answers are computed from a snapshot of the
    graph that is read again when ``graph_version`` has moved.
    """
