"""Files into typed records, streaming; imports graphstore, never neo4j.

Each reader yields what it reads, what it had to skip (``Rejected``, with file and line) and what brought nothing
(``Ignored``). Only a path that is not there raises.
"""

from __future__ import annotations

from .documents import read_documents
from .entities import read_entities
from .tool_files import read_logs, read_tools

__all__ = ["read_documents", "read_entities", "read_logs", "read_tools"]
