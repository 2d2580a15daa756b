"""All pages that a reader may see, as files: ``index.md``, ``index.json``, ``pages/``, ``documents/``.

Only what changed is written, what is gone is removed, and no other file of the folder is ever touched. The files show
one version of the store; :mod:`graphstore.pages.folder` says how they come into the folder.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from graphstore.db import Database
from graphstore.errors import ConnectError, LoadError
from graphstore.models import PageRef, StoredDocument
from graphstore.names import normalise
from graphstore.pages.build import Named, build_page, refs_of
from graphstore.pages.folder import MANIFEST, Folder
from graphstore.pages.parts import PAGE_TOKENS, page_parts
from graphstore.pages.paths import INDEX, REVERSE, document_paths, part_path
from graphstore.pages.read import all_named, links_of
from graphstore.pages.render import document_markdown, index_markdown
from graphstore.progress import Progress
from graphstore.visibility import OWNER, Visibility

__all__ = ["MANIFEST", "ExportReport", "export"]

_BATCH = 500
_TRIES = 3

File = tuple[str, str]


@dataclass(frozen=True, slots=True)
class ExportReport:
    """What an export did.

    :param pages: Entity pages in the folder now; a long one has several files.
    :param documents: Documents in the folder now.
    :param written: Files that were new or changed.
    :param unchanged: Files that were as they are.
    :param removed: Files that an earlier export wrote and that are no more.
    """

    pages: int
    documents: int
    written: int
    unchanged: int
    removed: int

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON."""
        return asdict(self)


def export(
    db: Database,
    folder: Path,
    who: Visibility = OWNER,
    *,
    max_tokens: int = PAGE_TOKENS,
    progress: Progress | None = None,
) -> ExportReport:
    """Write the pages and documents that the reader may see.

    :param max_tokens: The most that a file of a page may have; a longer page goes on in further files.
    :raises LoadError: The folder holds files that graphstore did not write, or cannot be written.
    :raises ConnectError: The store is written faster than it can be exported; the folder is as it was.
    """
    try:
        for _ in range(_TRIES):
            version = db.graph_version()
            with Folder(folder) as files:
                writer = _Writer(db, who, files, max_tokens, progress or (lambda label, done, total: None))
                writer.add_all()
                if db.graph_version() != version:
                    continue
                written, removed = files.publish()
            unchanged = writer.files - written
            return ExportReport(len(writer.pages), len(writer.documents), written, unchanged, removed)
    except OSError as error:
        raise LoadError(f"cannot be written ({error.strerror or error})", folder) from error
    raise ConnectError(f"{db.address}: the store is written without a pause; export again when the load is done")


class _Writer:
    """One version of the store as files."""

    def __init__(self, db: Database, who: Visibility, folder: Folder, max_tokens: int, progress: Progress) -> None:
        self._db = db
        self._who = who
        self._folder = folder
        self._max_tokens = max_tokens
        self._progress = progress
        self.pages = all_named(db, who)
        self.documents = db.read("page/documents", **who.parameters)
        self.files = 0
        self._paths = document_paths((row["id"], row["path"]) for row in self.documents)
        self._parts: dict[str, int] = {}
        self._mentioned: defaultdict[str, list[Named]] = defaultdict(list)

    def add_all(self) -> None:
        """Hand every file to the folder."""
        total = len(self.pages) + len(self.documents)
        for done, page in enumerate(self._page_files(), start=1):
            for path, text in page:
                self._add(path, text)
            self._progress("pages", done, total)
        for done, (path, text) in enumerate(self._document_files(), start=len(self.pages) + 1):
            self._add(path, text)
            self._progress("pages", done, total)
        refs: list[tuple[PageRef, int]] = [(each.ref, each.documents) for each in self.pages]
        rows = [
            (self._paths[row["id"]], row["title"] or row["id"], row["modified"] or row["created"])
            for row in self.documents
        ]
        self._add(INDEX, index_markdown(refs, rows))
        self._add(REVERSE, self._reverse())

    def _add(self, path: str, text: str) -> None:
        self._folder.add(path, text)
        self.files += 1

    def _page_files(self) -> Iterator[list[File]]:
        """Path and text of the parts of each page; notes which pages mention a document."""
        same: defaultdict[str, list[Named]] = defaultdict(list)
        for each in self.pages:
            same[normalise(each.name)].append(each)
        for batch in _batches(self.pages):
            links = links_of(self._db, [each.id for each in batch], self._who)
            for each in batch:
                # a document loaded meanwhile: exported again
                found = [one for one in links[each.id] if one.id in self._paths]
                others = [other for other in same[normalise(each.name)] if other.id != each.id]
                page = build_page(each, found, others, files=self._paths, as_of=self._who.as_of)
                for one in found:
                    self._mentioned[one.id].append(each)
                parts = page_parts(page, self._max_tokens)
                self._parts[each.id] = len(parts)
                yield [(part_path(page.path, part.part), part.text) for part in parts]

    def _document_files(self) -> Iterator[File]:
        for batch in _batches(self.documents):
            read = self._db.read("page/document_texts", ids=[row["id"] for row in batch])
            texts = {row["id"]: row["text"] for row in read}
            for row in batch:
                path = self._paths[row["id"]]
                yield path, document_markdown(self._document(row, texts.get(row["id"]) or ""), path)

    def _document(self, row: Mapping[str, Any], text: str) -> StoredDocument:
        return StoredDocument(
            id=row["id"],
            path=row["path"],
            title=row["title"],
            text=text,
            acl=(),
            created=row["created"],
            modified=row["modified"],
            metadata={},
            pages=refs_of(self._mentioned.get(row["id"], [])),
            earlier=tuple(row["earlier"]),
        )

    def _reverse(self) -> str:
        """Pages with their files, and documents with the pages that mention them, as JSON, a line each."""
        pages = [
            {
                "id": each.id,
                "name": each.name,
                "type": each.type,
                "documents": each.documents,
                "files": [part_path(each.ref.path, part) for part in range(1, self._parts[each.id] + 1)],
            }
            for each in self.pages
        ]
        documents = [
            {
                "id": row["id"],
                "path": row["path"],
                "title": row["title"],
                "date": row["modified"] or row["created"],
                "file": self._paths[row["id"]],
                "earlier_paths": row["earlier"],
                "pages": [ref.id for ref in refs_of(self._mentioned.get(row["id"], []))],
            }
            for row in self.documents
        ]
        return f'{{"pages": [\n{_lines(pages)}\n], "documents": [\n{_lines(documents)}\n]}}\n'


def _lines(rows: Sequence[Mapping[str, Any]]) -> str:
    return ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)


def _batches(rows: Sequence[Any]) -> Iterator[Sequence[Any]]:
    for start in range(0, len(rows), _BATCH):
        yield rows[start : start + _BATCH]
