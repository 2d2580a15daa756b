"""Records of a JSON file, one at a time: JSON lines, an array, an object that holds an array, or one object."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from io import BufferedIOBase
from pathlib import Path
from typing import cast

from graphstore.errors import LoadError
from graphstore.records import JSON, Rejected

from .json_split import SplitError, split
from .lines import LIMIT, lines, open_stream

SUFFIXES = (".json", ".jsonl", ".ndjson")
_LINE_SUFFIXES = (".jsonl", ".ndjson")
_LOOK = 2**21
"""How far the end of a first line is looked for, in bytes."""

_SURROGATE = re.compile(rb"\\u[dD][89abAB]")


@dataclass(frozen=True, slots=True)
class JsonRecord:
    """One record.

    :param line: Line on which it starts, from 1.
    :param where: Its place in a document, such as ``task_logs[3]``; empty for a line or a lone object.
    :param around: The members of the outermost object that came before the array the record is in.
    """

    line: int
    where: str
    value: JSON
    around: Mapping[str, JSON] = field(default_factory=dict)


def is_json_name(path: Path) -> bool:
    """Whether the name ends in ``.json``, ``.jsonl`` or ``.ndjson``, with or without ``.gz``."""
    return path.name.lower().removesuffix(".gz").endswith(SUFFIXES)


def parse(raw: bytes) -> JSON:
    """The value of strict JSON: UTF-8, no NaN or infinity, no name twice in an object, no half surrogate.

    :raises ValueError: Anything else, with the reason.
    """
    try:
        value = _DECODER.decode(raw.decode("utf-8"))
        if _SURROGATE.search(raw):
            json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8 (byte 0x{error.object[error.start]:02x})") from error
    except UnicodeEncodeError as error:
        raise ValueError("half of a surrogate pair in a string") from error
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON ({error.msg}, character {error.pos + 1} of the record)") from error
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    return cast("JSON", value)


def read_records(
    path: Path, name: str, streamed: Collection[str], limit: int = LIMIT
) -> Iterator[JsonRecord | Rejected]:
    """The records of a file, in order; what cannot be read is yielded as rejected and the rest goes on.

    :param name: The file as messages shall call it.
    :param streamed: Members of an outermost object whose arrays hold records (``task_logs``).
    :param limit: Longest record in bytes.
    """
    line = None
    try:
        by_line = path.name.lower().removesuffix(".gz").endswith(_LINE_SUFFIXES) or _is_lines(path)
        with open_stream(path) as stream:
            records = _from_lines(stream, name, limit) if by_line else _from_document(stream, name, streamed, limit)
            for record in records:
                line = record.line
                yield record
    except SplitError as error:
        yield Rejected(name, error.line, str(error))
    except LoadError as error:
        after = "" if line is None else f", after the record of line {line}"
        yield Rejected(name, None, error.reason + after)


def _is_lines(path: Path) -> bool:
    """Whether a file not named so holds JSON lines: an object that ends on its line, then another one."""
    if not path.is_file():  # a pipe is read once
        return False
    with open_stream(path) as stream:
        written = (raw for raw in iter(lambda: stream.readline(_LOOK), b"") if raw.strip())
        first = next(written, b"")
        whole = first.lstrip().startswith(b"{") and first.endswith(b"\n") and first.rstrip().endswith(b"}")
        return whole and next(written, b"").lstrip().startswith(b"{")


def _from_lines(stream: BufferedIOBase, name: str, limit: int) -> Iterator[JsonRecord | Rejected]:
    for line in lines(stream, limit):
        if line.raw is None:
            yield Rejected(name, line.number, f"longer than {limit >> 20} MiB: skipped")
        elif line.raw.strip():
            try:
                yield JsonRecord(line.number, "", parse(line.raw))
            except ValueError as error:
                yield Rejected(name, line.number, str(error) + ("" if line.ended else "; the last line is cut off?"))


def _from_document(
    stream: BufferedIOBase, name: str, streamed: Collection[str], limit: int
) -> Iterator[JsonRecord | Rejected]:
    around: dict[str, JSON] = {}
    start: int | None = None
    in_array = False
    for item in split(stream, streamed, limit):
        start = start or item.line
        where = "" if item.key is None and item.index is None else _where(item.key, item.index)
        if item.raw is None:
            yield Rejected(name, item.line, f"{where} is longer than {limit >> 20} MiB: skipped")
            continue
        try:
            value = parse(item.raw)
            if item.key in around and item.index is None:
                raise ValueError("the name occurs twice in the object")
        except ValueError as error:
            in_array = True  # a lone object with a broken member is no record
            yield Rejected(name, item.line, f"{where}: {error}")
            continue
        if item.index is None:
            around[str(item.key)] = value
        else:
            in_array = True
            yield JsonRecord(item.line, where, value, dict(around))
    if around and not in_array:
        yield JsonRecord(1 if start is None else start, "", around)


def _where(key: str | None, index: int | None) -> str:
    return f"{key or ''}[{index}]" if index is not None else str(key)


def _unique(pairs: list[tuple[str, JSON]]) -> dict[str, JSON]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the name {twice!r} occurs twice in an object")
    return found


def _no_constant(constant: str) -> JSON:
    raise ValueError(f"{constant} is not JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_constant)
