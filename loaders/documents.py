"""Documents from a folder of text files, or from JSON records."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from graphstore.errors import LoadError
from graphstore.records import Ignored, Rejected, SourceDocument

from .document_fields import take
from .document_records import record_documents
from .files import existing, walk
from .front_matter import FrontMatterError, front_matter
from .html_text import html_text
from .json_records import is_json_name
from .lines import LIMIT, open_stream

_MARKDOWN = (".md", ".markdown")
_TEXT = (".txt",)
_HTML = (".html", ".htm")
_FENCES = ("```", "~~~")

Documents = Iterator[SourceDocument | Rejected | Ignored]


def read_documents(*paths: str | os.PathLike[str]) -> Documents:
    """The documents of folders (.md, .txt, .html), of single such files, or of JSON or JSON-lines files of records.

    Paths are relative to their folder. Of two documents with one id the first is kept, the second rejected.

    :raises LoadError: Nothing is at one of the paths, or it is a file of tools or of task logs.
    """
    first: dict[str, str] = {}
    for document, where in (found for root in [existing(each) for each in paths] for found in _documents(root)):
        if isinstance(document, SourceDocument):
            known = first.setdefault(document.id, where)
            if known != where:
                name, _, line = where.partition("\n")
                earlier = known.replace("\n", ":").rstrip(":")
                yield Rejected(name, int(line) if line else None, f"the id {document.id!r} was read from {earlier}")
                continue
        yield document


def _documents(root: Path) -> Iterator[tuple[SourceDocument | Rejected | Ignored, str]]:
    """Each document with the place it was read from: file, line end, line."""
    if root.is_dir():
        empty = True
        for found in walk(root):
            empty = False
            if isinstance(found, Rejected):
                yield Rejected(str(root / found.path), None, found.reason), ""
            else:
                name = str(root / found[1])
                yield from ((document, f"{name}\n") for document in _of_file(found[0], found[1], name))
        if empty:
            yield Ignored(str(root), None, "holds no file"), ""
    elif is_json_name(root):
        yield from record_documents(root, str(root))
    else:
        yield from ((document, f"{root}\n") for document in _of_file(root, root.name, str(root)))


def _of_file(file: Path, path: str, name: str) -> Documents:
    suffix = file.suffix.lower()
    if suffix not in (*_MARKDOWN, *_TEXT, *_HTML):
        hint = ": name it to load its records" if is_json_name(file) else ""
        yield Rejected(name, None, f"{suffix or 'no suffix'}: only .md, .txt and .html are read from a folder{hint}")
        return
    try:
        fields, body = front_matter(_text(file))
        taken = take(fields, with_path=False)
        heading = ""
        if suffix in _HTML:
            heading, body = html_text(body)
        elif suffix in _MARKDOWN:
            heading = _heading(body)
        document = taken.document(path, heading or file.stem, body)
    except FrontMatterError as error:
        yield Rejected(name, error.line, str(error))
    except LoadError as error:
        yield Rejected(name, error.line, error.reason)
    except ValueError as error:
        yield Rejected(name, None, str(error))
    else:
        yield document
        yield from (Ignored(name, None, remark) for remark in taken.remarks)
        if not body.strip():
            yield Ignored(name, None, "has no text")


def _text(file: Path) -> str:
    """The file as text.

    :raises LoadError: It is too long, not UTF-8, or binary.
    """
    with open_stream(file) as stream:
        raw = stream.read(LIMIT + 1)
    if len(raw) > LIMIT:
        raise LoadError(f"longer than {LIMIT >> 20} MiB: split it", file)
    if b"\0" in raw:
        raise LoadError("holds NUL bytes: binary, or not UTF-8", file)
    try:
        return raw.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        reason = f"not UTF-8 (byte 0x{raw[error.start]:02x}): convert it first (iconv -t UTF-8)"
        raise LoadError(reason, file, line) from error


def _heading(body: str) -> str:
    """The first Markdown heading outside code, ``# so`` or underlined; empty if there is none."""
    fence = ""
    above = ""
    for line in body.splitlines():
        stripped = line.strip()
        if stripped.startswith(_FENCES):
            mark = stripped[:3]
            fence = "" if fence == mark else fence or mark
        elif not fence:
            marks = len(stripped) - len(stripped.lstrip("#"))
            if 1 <= marks <= 6 and stripped[marks : marks + 1] in (" ", "\t"):
                return stripped[marks:].strip().rstrip("#").strip() or above
            if above and len(stripped) >= 3 and set(stripped) in ({"="}, {"-"}):
                return above
        above = stripped if not fence else ""
    return ""
