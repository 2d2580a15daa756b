"""What answers at a Bolt address, found out layer by layer on bare sockets: name, port, TLS, protocol.

Nothing is logged in to and every wait is bounded, so that a firewall that drops packets is told from a closed port, a
server that wants TLS from one that does not speak it, and an HTTP port from a Bolt port.
"""

from __future__ import annotations

import queue
import re
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeGuard
from urllib.parse import urlsplit

from graphstore.findings import Diagnosis

SCHEMES = ("neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc")
SECONDS = 5.0
_PORT = 7687
_ADDRESSES = 3  # of one name: more are not tried
# The preamble of Bolt, and the versions asked for: 5.0-5.4, 4.2-4.4, and 3 and 1, which old servers answer.
_HANDSHAKE = bytes.fromhex("6060b017 00040405 00020404 00000003 00000001")
Address = tuple[socket.AddressFamily, tuple[Any, ...]]
_CREDENTIALS = re.compile(r"(?<=://)[^/@\s]*@")


@dataclass(frozen=True, slots=True)
class _Target:
    scheme: str
    host: str
    port: int

    @property
    def base(self) -> str:
        """The scheme without its TLS suffix."""
        return self.scheme.partition("+")[0]

    @property
    def place(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


class _Broken(Exception):
    """A layer does not hold; what is above it cannot be looked at."""

    def __init__(self, check: str, finding: str, remedy: str) -> None:
        super().__init__(finding)
        self.diagnosis = Diagnosis(check, "fail", finding, remedy)


def masked(text: str) -> str:
    """The text, with user names and passwords in addresses replaced."""
    return _CREDENTIALS.sub("***@", text)


def probe(uri: str, *, seconds: float = SECONDS) -> list[Diagnosis]:
    """What was found at each layer, up to the first that fails: address, port, TLS, protocol.

    :param seconds: The most that any one wait may take.
    """
    found: list[Diagnosis] = []
    try:
        target = _target(uri)
        for diagnosis in _layers(target, seconds):
            found.append(diagnosis)
    except _Broken as broken:
        found.append(broken.diagnosis)
    return found


def cause(uri: str, *, seconds: float = SECONDS) -> Diagnosis | None:
    """The layer that fails at an address; ``None`` if a Bolt server of a supported protocol answers there."""
    last = probe(uri, seconds=seconds)[-1]
    return last if last.status == "fail" else None


def malformed(uri: str) -> Diagnosis | None:
    """What is wrong with an address as it is written; ``None`` if nothing. Nothing is sent."""
    try:
        _target(uri)
    except _Broken as broken:
        return broken.diagnosis
    return None


def _layers(target: _Target, seconds: float) -> Iterator[Diagnosis]:
    addresses = _resolve(target, seconds)
    yield Diagnosis("address", "ok", f"{target.host} is {', '.join(str(a[1][0]) for a in addresses)}")
    with _connected(target, addresses, seconds):
        yield Diagnosis("port", "ok", f"{target.place} accepts connections")
    if "+" in target.scheme:
        yield _tls(target, addresses, seconds)
    yield _bolt(target, addresses, seconds)


def _target(uri: str) -> _Target:
    scheme, separator, _ = uri.partition("://")
    if not separator or scheme not in SCHEMES:
        advice = "an HTTP address is the Browser's: " if scheme in ("http", "https") else ""
        raise _Broken(
            "address",
            f"{masked(uri)} is no Bolt address",
            f"{advice}set NEO4J_URI to one that begins with {', '.join(s + '://' for s in SCHEMES)}",
        )
    if _CREDENTIALS.search(uri):
        raise _Broken(
            "address",
            f"{masked(uri)} holds a user name or password",
            "take it out of NEO4J_URI; set NEO4J_USERNAME and NEO4J_PASSWORD",
        )
    try:
        parts = urlsplit(uri)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise _Broken("address", f"{uri}: {error}", "correct NEO4J_URI; the usual port is 7687") from error
    if not host:
        raise _Broken("address", f"{uri} names no host", "set NEO4J_URI to an address such as bolt://localhost:7687")
    return _Target(scheme, host, _PORT if port is None else port)


def _resolve(target: _Target, seconds: float) -> list[Address]:
    answer: queue.Queue[list[Address] | OSError] = queue.Queue()

    def ask() -> None:
        try:
            entries = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
            answer.put([(entry[0], tuple(entry[4])) for entry in entries[:_ADDRESSES]])
        except (OSError, UnicodeError) as error:
            answer.put(error if isinstance(error, OSError) else OSError(str(error)))

    # getaddrinfo takes no time-out: its thread is left behind when the name server is silent
    threading.Thread(target=ask, daemon=True).start()
    remedy = "correct the host in NEO4J_URI, or check the network and its name server"
    try:
        result = answer.get(timeout=seconds)
    except queue.Empty:
        raise _Broken("address", f"no name server answers for {target.host} within {seconds:g} s", remedy) from None
    if isinstance(result, OSError):
        raise _Broken("address", f"the name {target.host} is not known ({result.strerror or result})", remedy)
    return result


@contextmanager
def _connected(target: _Target, addresses: list[Address], seconds: float) -> Iterator[socket.socket]:
    connection: socket.socket | None = None
    failure: OSError | None = None
    for family, address in addresses:
        connection = socket.socket(family, socket.SOCK_STREAM)
        connection.settimeout(seconds)
        try:
            connection.connect(address)
            break
        except OSError as error:
            connection.close()
            connection, failure = None, error
    if connection is None:
        raise _unreachable(target, failure, seconds)
    with connection:
        yield connection


def _unreachable(target: _Target, failure: OSError | None, seconds: float) -> _Broken:
    if isinstance(failure, TimeoutError):
        return _Broken(
            "port",
            f"{target.place} does not answer within {seconds:g} s: a firewall drops connections, or the host is down",
            f"let port {target.port} through, or correct host and port in NEO4J_URI",
        )
    if isinstance(failure, ConnectionRefusedError):
        return _Broken(
            "port",
            f"{target.place} refuses connections: nothing listens on this port",
            f"start the server, or correct the port in NEO4J_URI (the usual one is {_PORT})",
        )
    return _Broken(
        "port",
        f"{target.place} cannot be reached ({failure.strerror or failure if failure else 'no address'})",
        "correct host and port in NEO4J_URI, or check the network",
    )


def _tls(target: _Target, addresses: list[Address], seconds: float) -> Diagnosis:
    try:
        with _connected(target, addresses, seconds) as plain, _wrapped(plain, target) as secure:
            return Diagnosis("TLS", "ok", f"{secure.version()}, {_verification(target)}")
    except ssl.SSLCertVerificationError as error:
        advice = f"use {target.base}+ssc:// for a self-signed certificate that you trust, or install its authority"
        if "ostname" in error.verify_message or "IP address" in error.verify_message:
            advice = "use the host name that the certificate is for"
        finding = f"the certificate of {target.place} is not valid: {error.verify_message}"
        raise _Broken("TLS", finding, advice) from error
    except OSError as error:
        answer = _answer(target, addresses, seconds, secure=False)
        if _speaks_bolt(answer):
            raise _Broken(
                "TLS", f"{target.place} speaks Bolt without TLS", f"use {target.base}:// in NEO4J_URI"
            ) from error
        raise _no_bolt(target, answer, seconds) from error


def _verification(target: _Target) -> str:
    return "certificate valid" if target.scheme.endswith("+s") else "certificate not verified (+ssc)"


def _wrapped(plain: socket.socket, target: _Target, *, verify: bool = True) -> ssl.SSLSocket:
    context = ssl.create_default_context()
    if not verify or target.scheme.endswith("+ssc"):
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context.wrap_socket(plain, server_hostname=target.host)


def _bolt(target: _Target, addresses: list[Address], seconds: float) -> Diagnosis:
    secure = "+" in target.scheme
    answer = _answer(target, addresses, seconds, secure=secure)
    if _speaks_bolt(answer):
        major, minor = answer[3], answer[2]
        if (major, minor) < (4, 4):
            raise _Broken(
                "protocol",
                f"{target.place} speaks Bolt {major}.{minor}: an old Neo4j",
                "graphstore needs Neo4j 5.26 or newer: update the server",
            )
        return Diagnosis("protocol", "ok", f"{target.place} speaks Bolt")
    if answer == b"" and not secure and _takes_tls(target, addresses, seconds):
        raise _Broken(
            "TLS",
            f"{target.place} takes TLS connections only",
            f"use {target.base}+s:// in NEO4J_URI ({target.base}+ssc:// for a self-signed certificate)",
        )
    raise _no_bolt(target, answer, seconds)


def _answer(target: _Target, addresses: list[Address], seconds: float, *, secure: bool) -> bytes | None:
    """What comes back for Bolt's handshake: empty if the other side closes, ``None`` if it is silent."""
    with _connected(target, addresses, seconds) as plain:
        try:
            connection = _wrapped(plain, target) if secure else plain
            with connection:
                connection.sendall(_HANDSHAKE)
                return connection.recv(4)
        except TimeoutError:
            return None
        except OSError:
            return b""


def _speaks_bolt(answer: bytes | None) -> TypeGuard[bytes]:
    return answer is not None and len(answer) == 4 and answer[:2] == b"\0\0" and answer != bytes(4)


def _takes_tls(target: _Target, addresses: list[Address], seconds: float) -> bool:
    try:
        with _connected(target, addresses, seconds) as plain, _wrapped(plain, target, verify=False):
            return True
    except OSError:
        return False


def _no_bolt(target: _Target, answer: bytes | None, seconds: float) -> _Broken:
    if answer is None:
        return _Broken(
            "protocol",
            f"{target.place} accepts connections but says nothing within {seconds:g} s: the server hangs, or a "
            "firewall or proxy drops what is sent",
            "look at the server's logs and restart it, or let Bolt through the proxy",
        )
    if answer.startswith(b"HTTP"):
        return _Broken(
            "protocol",
            f"{target.place} is an HTTP port, not the Bolt port",
            f"use the server's Bolt port in NEO4J_URI (the usual one is {_PORT}; 7474 and 7473 are HTTP)",
        )
    if answer == bytes(4):
        return _Broken(
            "protocol",
            f"{target.place} shares no version of Bolt with graphstore",
            "graphstore needs Neo4j 5.26 or newer: update the server",
        )
    return _Broken(
        "protocol",
        f"{target.place} does not speak Bolt: another program listens there",
        f"correct the port in NEO4J_URI (the usual one is {_PORT})",
    )
