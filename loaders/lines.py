"""Bytes of a file, streamed: plain or gzip, a byte order mark dropped, lines of bounded length."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BufferedIOBase
from pathlib import Path
from typing import cast

from graphstore.errors import LoadError

LIMIT = 64 * 2**20
"""Longest record that is read, in bytes: a longer one is named and skipped without being held in memory."""

CHUNK = 2**20
_GZIP = b"\x1f\x8b"
_BOM = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True)
class Line:
    """One line without its end.

    :param number: From 1.
    :param raw: The bytes, or ``None`` if the line is longer than the limit.
    :param ended: Whether a line end follows; only the last line of a file may lack it.
    """

    number: int
    raw: bytes | None
    ended: bool


@contextmanager
def open_stream(path: Path) -> Iterator[BufferedIOBase]:
    """The file's bytes, unpacked if it is gzip (told by its content) and without a byte order mark.

    :raises LoadError: The file cannot be opened or read, is damaged gzip, or is UTF-16.
    """
    try:
        with path.open("rb") as plain:
            packed = plain.peek(2)[:2] == _GZIP
            stream = gzip.GzipFile(fileobj=plain) if packed else plain
            head = stream.peek(3)[:3]
            if head[:2] in _UTF16:
                raise LoadError("is UTF-16, not UTF-8: convert it first (iconv -f UTF-16 -t UTF-8)", path)
            if head == _BOM:
                stream.read(3)
            yield cast("BufferedIOBase", stream)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise LoadError(f"damaged gzip ({error}): pack it again", path) from error
    except OSError as error:
        raise LoadError(f"cannot be read ({error.strerror or error})", path) from error


def lines(stream: BufferedIOBase, limit: int = LIMIT) -> Iterator[Line]:
    """The lines of a stream. Holds at most ``limit`` bytes, however long a line is."""
    number = 0
    while raw := stream.readline(limit + 1):
        number += 1
        ended = raw.endswith(b"\n")
        if len(raw.rstrip(b"\r\n")) <= limit and (ended or len(raw) <= limit):
            yield Line(number, raw.rstrip(b"\r\n"), ended)
            continue
        while not ended and (rest := stream.readline(CHUNK)):
            ended = rest.endswith(b"\n")
        yield Line(number, None, ended)
