"""Where the Neo4j Browser of a server is, with the address of the server filled in."""

from __future__ import annotations

import urllib.request
from http.client import HTTPException
from urllib.parse import quote, urlsplit

from graphstore.errors import ConnectError, SettingsError

AURA = ".databases.neo4j.io"
AURA_CONSOLE = "https://console.neo4j.io"
_SCHEMES = ("bolt", "neo4j")
_SECONDS = 5.0


def browser_url(http: str, bolt: str, *, username: str, database: str | None = None) -> str:
    """The address of the Browser that a server serves; its form to connect is filled in but for the password.

    :param http: Address of the server that serves the page, such as ``http://127.0.0.1:7474``.
    :param bolt: Address of the server that the page connects to.

    >>> browser_url("http://127.0.0.1:7474", "bolt://127.0.0.1:7687", username="neo4j")
    'http://127.0.0.1:7474/browser/?dbms=bolt%3A%2F%2Fneo4j%40127.0.0.1%3A7687'
    """
    scheme, separator, rest = bolt.partition("://")
    address = f"{scheme}{separator}{quote(username, safe='')}@{rest}"
    url = f"{http.rstrip('/')}/browser/?dbms={quote(address, safe='')}"
    return f"{url}&db={quote(database, safe='')}" if database else url


def remote_browser(bolt: str, *, username: str, database: str | None = None) -> str:
    """The address of a remote server's Browser: the page at its usual HTTP port, or Aura's console.

    :raises ConnectError: nothing answers there.
    """
    parts = urlsplit(bolt)
    kind, _, tls = parts.scheme.partition("+")
    if kind not in _SCHEMES or not parts.hostname:
        raise SettingsError(f"{bolt!r} is no address of a Neo4j server; check NEO4J_URI")
    if parts.hostname.endswith(AURA):
        return AURA_CONSOLE
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    http = f"https://{host}:7473" if tls else f"http://{host}:7474"
    if not _answers(http):
        raise ConnectError(
            f"{http}/browser/: no Neo4j Browser answers at the usual port of {bolt}; "
            f"open the server's own page, or any Neo4j Browser, and connect it to {bolt} as {username}"
        )
    return browser_url(http, bolt, username=username, database=database)


def _answers(http: str) -> bool:
    try:
        with urllib.request.urlopen(f"{http}/browser/", timeout=_SECONDS) as answer:  # http or https: made above
            return bool(answer.status == 200)
    except (OSError, HTTPException):  # URLError and TLS errors are OSErrors
        return False
