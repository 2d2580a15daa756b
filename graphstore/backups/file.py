"""The file of a backup: compressed lines of JSON, a head first and the counts last: a part is never taken for all.

::

    {"graphstore backup": 1, "made": …, "schema_version": …, "encoder": …, "dimensions": …, "graph_version": …}
    ["node", labels, properties]                        numbered from 0 in this order
    ["relationship", type, from, to, properties]        from and to: numbers of nodes; after all nodes
    {"nodes": …, "relationships": …}
"""

from __future__ import annotations

import gzip
import io
import json
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TextIO

from graphstore.errors import LoadError

FORMAT = 1
_MARK = "graphstore backup"
_LEVEL = 5
_CUT = "is not whole, or damaged: take another copy"


@dataclass(frozen=True, slots=True)
class Head:
    """What a backup is of.

    :param made: When, in UTC.
    """

    made: str
    schema_version: int
    encoder: str
    dimensions: int
    graph_version: int


@dataclass(frozen=True, slots=True)
class Held:
    """What a backup holds."""

    nodes: int
    relationships: int


@contextmanager
def written(path: Path) -> Iterator[TextIO]:
    """A file to write to; it lies at ``path`` once all is written, not before. Its owner alone may read it.

    :raises LoadError: it cannot be written.
    """
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with (
            os.fdopen(handle, "wb") as raw,
            gzip.GzipFile("", "wb", _LEVEL, raw, mtime=0) as compressed,
            io.TextIOWrapper(compressed, "utf-8", newline="\n") as lines,
        ):
            yield lines
        part.replace(path)
    except OSError as error:
        raise LoadError(f"cannot be written ({error.strerror or error})", path) from error
    finally:
        part.unlink(missing_ok=True)


def line(value: Any) -> str:
    """A value on a line of its own."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"


def head_line(head: Head) -> str:
    """The first line of a backup."""
    return line({_MARK: FORMAT, **asdict(head)})


def read(path: Path) -> tuple[Head, Iterator[tuple[int, list[Any]]]]:
    """What a backup is of, and its rows as they are read, each with the length of its line.

    The rows end with an error unless they are all there.

    :raises LoadError: it is no backup, a part of one, or one of a newer graphstore; with the line where it broke off.
    """
    rows = _rows(path)
    _, first = next(rows, (0, None))
    if not isinstance(first, dict) or _MARK not in first:
        raise LoadError("is no backup of graphstore", path)
    if first.pop(_MARK) != FORMAT:
        raise LoadError("is a backup of a newer graphstore: update graphstore", path)
    try:
        return Head(**first), _all(path, rows)
    except TypeError as error:
        raise LoadError(f"is damaged ({error}): take another backup", path, 1) from None


def checked(path: Path) -> tuple[Head, Held]:
    """What a backup is of and holds, read from end to end.

    :raises LoadError: as for :func:`read`.
    """
    head, rows = read(path)
    nodes = relationships = 0
    for _, (kind, *_) in rows:
        nodes += kind == "node"
        relationships += kind == "relationship"
    return head, Held(nodes, relationships)


def _all(path: Path, rows: Iterator[tuple[int, Any]]) -> Iterator[tuple[int, list[Any]]]:
    """The rows of nodes and relationships; raises unless as many came as the last line says."""
    found = {"node": 0, "relationship": 0}
    ended = False
    for length, row in rows:  # to the end of the file: only there its check sum is looked at
        if isinstance(row, dict):
            ended = row == {"nodes": found["node"], "relationships": found["relationship"]}
        elif ended or not isinstance(row, list) or not row or row[0] not in found:
            ended = False
            break
        else:
            found[row[0]] += 1
            yield length, row
    if not ended:
        raise LoadError(_CUT, path)


def _rows(path: Path) -> Iterator[tuple[int, Any]]:
    """Length and value of each line."""
    number = 0
    try:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for text in lines:
                yield len(text), json.loads(text)
                number += 1
    except EOFError:
        raise LoadError(_CUT, path, number + 1) from None
    except (gzip.BadGzipFile, zlib.error, ValueError) as error:
        reason = "is no backup of graphstore" if number == 0 else f"is damaged ({error}): take another backup"
        raise LoadError(reason, path) from error
    except OSError as error:
        raise LoadError(f"cannot be read ({error.strerror or error})", path) from error
