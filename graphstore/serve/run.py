"""Transports: standard input and output, and HTTP. Each serves until its input ends or it is told to stop."""

from __future__ import annotations

import hmac
import ipaddress
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from graphstore.errors import SettingsError
from graphstore.extras import require

if TYPE_CHECKING:
    from mcp.server import Server

SHORTEST_TOKEN = 16
PATH = "/mcp"
_GRACE = 3  # seconds that open connections have to end
_LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Http:
    """Where to serve over HTTP, and for whom.

    :param host: Address to bind; only this machine can reach a loopback address.
    :param port: 0 takes a free one.
    :param token: What a client must send as ``Authorization: Bearer …``; ``None`` asks for nothing.
    :param names: Names by which clients reach the server, beyond ``host``: a request under any other is refused, so
        that a page in a browser cannot reach it by a name of its own that points here.
    """

    host: str = "127.0.0.1"
    port: int = 8765
    token: str | None = field(default=None, repr=False)
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """:raises SettingsError: an address beyond this machine without a token, or without a name."""
        if self.token is not None and (len(self.token) < SHORTEST_TOKEN or not self.token.isascii()):
            raise SettingsError(f"the token has {SHORTEST_TOKEN} or more ASCII characters: set GRAPHSTORE_SERVE_TOKEN")
        if self.loopback:
            return
        if self.token is None:
            raise SettingsError(
                f"{self.host} can be reached by other machines: set GRAPHSTORE_SERVE_TOKEN, which clients then send"
            )
        if _is_any(self.host) and not self.names:
            raise SettingsError(f"{self.host} is every address: name those that clients use with --name")

    @property
    def loopback(self) -> bool:
        """Whether only this machine can reach it."""
        if self.host == "localhost":
            return True
        with suppress(ValueError):
            return ipaddress.ip_address(self.host).is_loopback
        return False

    @property
    def hosts(self) -> list[str]:
        """What the ``Host`` header may be, with any port."""
        own = [] if _is_any(self.host) else [f"[{self.host}]" if ":" in self.host else self.host]
        known = [*_LOOPBACK_NAMES, *own, *self.names]
        return [form for name in dict.fromkeys(known) for form in (name, f"{name}:*")]


def serve_stdio(server: Server[Any], stopped: Callable[[], None]) -> int:
    """Serve on standard input and output until input ends; the exit status.

    Nothing but the protocol is written to standard output: what else is printed goes to standard error.

    :param stopped: Called when a signal ends it. A thread that waits for input cannot be woken, so that the process
        leaves without it: 130 after an interrupt, 0 after a termination.
    """
    import anyio
    from mcp.server.stdio import stdio_server

    async def leave_on_signal() -> None:
        with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
            async for number in signals:
                with suppress(Exception):
                    stopped()
                sys.stderr.flush()
                os._exit(130 if number == signal.SIGINT else 0)

    async def run() -> None:
        async with anyio.create_task_group() as group:
            if sys.platform != "win32":
                group.start_soon(leave_on_signal)
            async with stdio_server() as (read, write):
                await server.run(read, write, server.create_initialization_options())
            group.cancel_scope.cancel()

    anyio.run(run)
    return 0


def serve_http(server: Server[Any], where: Http, told: Callable[[str], None]) -> int:
    """Serve over HTTP until the process is told to stop; the exit status.

    :param told: Called with the address when connections are taken.
    :raises SettingsError: the address or port cannot be had.
    """
    import anyio

    require("uvicorn", "serve")
    import uvicorn

    listening = _bound(where)
    try:
        port = listening.getsockname()[1]
        config = uvicorn.Config(
            http_app(server, where), log_config=None, access_log=False, timeout_graceful_shutdown=_GRACE, lifespan="on"
        )
        shown = f"[{where.host}]" if ":" in where.host else where.host
        told(f"http://{shown}:{port}{PATH}")
        # uvicorn raises the signal again when all is closed: it ends this function, not the process
        before = signal.signal(signal.SIGTERM, _end)
        try:
            anyio.run(lambda: uvicorn.Server(config).serve(sockets=[listening]))
        except _Ended:
            pass
        finally:
            signal.signal(signal.SIGTERM, before)
    finally:
        listening.close()
    return 0


def http_app(server: Server[Any], where: Http) -> Any:
    """The ASGI application: one endpoint, which looks at host, origin and token of every request."""
    from mcp.server.auth.provider import AccessToken
    from mcp.server.auth.settings import AuthSettings
    from mcp.server.transport_security import TransportSecuritySettings

    class Token:
        """Knows one token."""

        async def verify_token(self, token: str) -> AccessToken | None:
            wanted = (where.token or "").encode()
            known = hmac.compare_digest(token.encode(), wanted)
            return AccessToken(token=token, client_id="graphstore", scopes=[]) if known else None

    origins = [f"{scheme}://{host}" for host in where.hosts for scheme in ("http", "https")]
    security = TransportSecuritySettings(
        enable_dns_rebinding_protection=True, allowed_hosts=where.hosts, allowed_origins=origins
    )
    auth = AuthSettings.model_validate({"issuer_url": "http://localhost", "resource_server_url": None})
    return server.streamable_http_app(
        streamable_http_path=PATH,
        host=where.host,
        transport_security=security,
        auth=auth if where.token else None,
        token_verifier=Token() if where.token else None,
    )


def log_to_stderr(level: int = logging.WARNING) -> None:
    """Nothing; log lines go to standard error."""
    logging.basicConfig(stream=sys.stderr, level=level, format="%(name)s: %(message)s", force=True)


class _Ended(Exception):
    """The process was told to end."""


def _end(_number: int, _frame: Any) -> None:
    raise _Ended


def _is_any(host: str) -> bool:
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_unspecified
    return False


def _bound(where: Http) -> socket.socket:
    """A socket that listens there."""
    try:
        found: Sequence[Any] = socket.getaddrinfo(where.host, where.port, type=socket.SOCK_STREAM)
        family, kind, protocol, _, address = found[0]
        made = socket.socket(family, kind, protocol)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            made.bind(address)
            made.listen()
        except OSError:
            made.close()
            raise
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise SettingsError(f"{where.host}:{where.port} cannot be served ({reason}): choose another --port") from None
    return made
