"""The store through py2neo, for those who have code on it.

py2neo is past its end of life: its last release is of 2023, and Neo4j recommends the official driver. It speaks an old
Bolt, which Neo4j 5.26 and 2026.01 still answer; a later server may not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphstore.errors import ConnectError
from graphstore.extras import require
from graphstore.settings import Settings

if TYPE_CHECKING:
    import py2neo


def py2neo_graph(settings: Settings, address: str) -> py2neo.Graph:
    """A ``py2neo.Graph`` on the store at an address; connections of its own, opened now.

    :param address: Its Bolt address; py2neo cannot route, so a cluster is reached at this one server.
    :raises MissingExtra: py2neo is not installed.
    :raises ConnectError: py2neo cannot connect.
    """
    module = require("py2neo", "py2neo")
    scheme, _, rest = address.partition("://")
    direct = f"{scheme.replace('neo4j', 'bolt')}://{rest}"
    try:
        graph: py2neo.Graph = module.Graph(direct, auth=_login(settings), name=settings.database)
    except (OSError, ValueError, module.errors.ConnectionUnavailable, module.errors.Neo4jError) as error:
        raise ConnectError(f"{direct}: py2neo cannot connect ({error}); use GraphStore.driver instead") from error
    return graph


def _login(settings: Settings) -> tuple[str, str | None]:
    if settings.uri is not None:
        return settings.username, settings.password
    from graphstore.server import status

    address = status(settings.home).address
    if address is None:
        raise ConnectError(f"the server in {settings.home} is down; connect again")
    return address.username, address.password
