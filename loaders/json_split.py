"""A JSON document of any size, cut into the raw values of its outermost array or object.

Only brackets and strings are looked at, in one pass over chunks; the values themselves are parsed by the caller, one
at a time. So memory holds one record, each record has the line it starts on, and a malformed record costs itself
only: what follows its closing bracket is read on.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from io import BufferedIOBase

from .lines import CHUNK, LIMIT

_SPACE = re.compile(rb"[ \t\r\n]*+")
_SCALAR = re.compile(rb'[^ \t\r\n,\[\]{}:"]*+')
_STRING_REST = re.compile(rb'[^"\\]*+(?:\\.[^"\\]*+)*+', re.DOTALL)
_TO_BRACKET = re.compile(rb'(?:[^"{}\[\]]++|"[^"\\]*+(?:\\.[^"\\]*+)*+")*+', re.DOTALL)
_QUOTE = ord('"')
_OPEN = (ord("{"), ord("["))
_END = -1


class SplitError(ValueError):
    """The document cannot be read further: truncated, or text where a value is due.

    :param line: Line on which the unreadable record starts.
    """

    def __init__(self, reason: str, line: int) -> None:
        super().__init__(reason)
        self.line = line


@dataclass(frozen=True, slots=True)
class Item:
    """One value of the document.

    :param line: Line on which it starts, from 1.
    :param key: The member of the outermost object it is, or is an element of; ``None`` in an outermost array.
    :param index: Its position in the array; ``None`` for a whole member.
    :param raw: Its bytes, or ``None`` if it is longer than the limit.
    """

    line: int
    key: str | None
    index: int | None
    raw: bytes | None


class _Reader:
    """A position in the stream, moved value by value."""

    def __init__(self, stream: BufferedIOBase, limit: int) -> None:
        self._read1 = stream.read1  # what is there: a damaged gzip still gives all before the damage
        self._limit = limit
        self._chunk = b""
        self._at = 0
        self.line = 1

    def _fill(self) -> bool:
        if self._at < len(self._chunk):
            return True
        chunk = self._read1(CHUNK)
        while chunk.endswith(b"\\") and (more := self._read1(1)):  # never cut between a backslash and its letter
            chunk += more
        self._chunk, self._at = chunk, 0
        return bool(chunk)

    def _take(self, end: int, out: bytearray | None = None) -> None:
        piece = self._chunk[self._at : end]
        self.line += piece.count(b"\n")
        self._at = end
        if out is not None and len(out) <= self._limit:
            out += piece

    def peek(self) -> int:
        """The next byte that is not white space, left in place; -1 at the end."""
        while self._fill():
            match = _SPACE.match(self._chunk, self._at)
            assert match is not None
            self._take(match.end())
            if self._at < len(self._chunk):
                return self._chunk[self._at]
        return _END

    def skip(self) -> None:
        """Moves past the byte that ``peek`` showed."""
        self._take(self._at + 1)

    def value(self) -> bytes | None:
        """The bytes of the value that starts here, or ``None`` if there are more than the limit."""
        start = self.line
        first = self.peek()
        out = bytearray()
        if first == _QUOTE:
            self._take(self._at + 1, out)
            done = self._string(out)
        elif first in _OPEN:
            done = self._nested(out)
        else:
            done = self._scalar(out)
        if not done:
            raise SplitError("the file ends inside this record (truncated?)", start)
        return bytes(out) if len(out) <= self._limit else None

    def _string(self, out: bytearray) -> bool:
        while self._fill():
            match = _STRING_REST.match(self._chunk, self._at)
            assert match is not None
            closed = match.end() < len(self._chunk) and self._chunk[match.end()] == _QUOTE
            self._take(match.end() + 1 if closed else len(self._chunk), out)
            if closed:
                return True
        return False

    def _nested(self, out: bytearray) -> bool:
        depth = 0
        while self._fill():
            match = _TO_BRACKET.match(self._chunk, self._at)
            assert match is not None
            self._take(match.end(), out)
            if self._at == len(self._chunk):
                continue
            byte = self._chunk[self._at]
            self._take(self._at + 1, out)
            if byte == _QUOTE:  # a string that goes on in the next chunk
                if not self._string(out):
                    return False
                continue
            depth += 1 if byte in _OPEN else -1
            if depth == 0:
                return True
        return False

    def _scalar(self, out: bytearray) -> bool:
        while self._fill():
            match = _SCALAR.match(self._chunk, self._at)
            assert match is not None
            self._take(match.end(), out)
            if self._at < len(self._chunk):
                break
        if not out:
            raise SplitError("a JSON value is due here", self.line)
        return True


def split(stream: BufferedIOBase, streamed: Collection[str] = (), limit: int = LIMIT) -> Iterator[Item]:
    """The elements of the outermost array, or the members of the outermost object.

    :param streamed: Members whose arrays are cut into their elements too.
    :raises SplitError: The document is no array or object, or breaks off.
    """
    reader = _Reader(stream, limit)
    first = reader.peek()
    if first == ord("["):
        yield from _array(reader, None)
    elif first == ord("{"):
        yield from _object(reader, streamed)
    elif first != _END:
        raise SplitError("is not JSON: it starts with neither { nor [", reader.line)
    if reader.peek() != _END:
        raise SplitError("text after the end of the JSON document (JSON lines? name it .jsonl)", reader.line)


def _array(reader: _Reader, key: str | None) -> Iterator[Item]:
    reader.skip()
    index = 0
    while (byte := reader.peek()) != ord("]"):
        if byte == _END:
            raise SplitError("the file ends inside an array (truncated?)", reader.line)
        line = reader.line
        yield Item(line, key, index, reader.value())
        index += 1
        if reader.peek() == ord(","):
            reader.skip()
    reader.skip()


def _object(reader: _Reader, streamed: Collection[str]) -> Iterator[Item]:
    reader.skip()
    while (byte := reader.peek()) != ord("}"):
        line = reader.line
        if byte != _QUOTE:
            reason = "the file ends inside an object (truncated?)" if byte == _END else "a member's name is due here"
            raise SplitError(reason, line)
        key = _name(reader.value(), line)
        if reader.peek() != ord(":"):
            raise SplitError(f"no ':' after the name {key!r}", reader.line)
        reader.skip()
        if reader.peek() == ord("[") and key in streamed:
            yield from _array(reader, key)
        else:
            yield Item(line, key, None, reader.value())
        if reader.peek() == ord(","):
            reader.skip()
    reader.skip()


def _name(raw: bytes | None, line: int) -> str:
    try:
        return str(json.loads((raw or b"").decode()))
    except ValueError as error:
        raise SplitError(f"a member's name is not a JSON string ({error})", line) from error
