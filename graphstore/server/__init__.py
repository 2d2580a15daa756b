"""The embedded Neo4j: a local server process that graphstore downloads, starts, finds again and stops."""

from graphstore.server.configured import configured
from graphstore.server.lock import Line
from graphstore.server.process import ensure_running, reset, status, stop
from graphstore.server.scratch import scratch_server
from graphstore.server.state import ServerAddress, ServerStatus

__all__ = [
    "Line",
    "ServerAddress",
    "ServerStatus",
    "configured",
    "ensure_running",
    "reset",
    "scratch_server",
    "status",
    "stop",
]
