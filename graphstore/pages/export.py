"""All pages that a reader may see, as files: ``index.md``, ``pages/``, ``documents/``.

A manifest names the files written. Only what changed is written, what is gone is removed, and no other file of the
folder is ever touched. Each file appears whole or not at all; an export that was interrupted is finished by the next.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import uuid
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from graphstore.db import Database
from graphstore.errors import ConnectError, LoadError
from graphstore.models import StoredDocument
from graphstore.names import normalise
from graphstore.pages.build import Named, build_page, refs_of
from graphstore.pages.paths import DOCUMENTS, INDEX, PAGES, document_paths
from graphstore.pages.read import all_named, links_of
from graphstore.pages.render import document_markdown, index_markdown, page_markdown
from graphstore.progress import Progress
from graphstore.visibility import OWNER, Visibility

MANIFEST = ".graphstore-export.json"
_TEMPORARY = ".graphstore-part-"
_BATCH = 500
_TRIES = 3
_OURS = re.compile(rf"{re.escape(INDEX)}|(?:{PAGES}|{DOCUMENTS})/.+\.md")

File = tuple[str, str]


@dataclass(frozen=True, slots=True)
class ExportReport:
    """What an export did.

    :param pages: Entity pages in the folder now.
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


def export(db: Database, folder: Path, who: Visibility = OWNER, *, progress: Progress | None = None) -> ExportReport:
    """Write the pages and documents that the reader may see.

    :raises LoadError: The folder holds files that graphstore did not write, or cannot be written.
    :raises ConnectError: The store is written faster than it can be exported.
    """
    written = removed = 0
    try:
        for _ in range(_TRIES):
            version = db.graph_version()
            report = _export(db, _Folder(folder), who, progress or (lambda label, done, total: None))
            written, removed = written + report.written, removed + report.removed
            if db.graph_version() == version:
                return replace(report, written=written, removed=removed)
    except OSError as error:
        raise LoadError(f"cannot be written ({error.strerror or error})", folder) from error
    raise ConnectError(f"{db.address}: the store is written without a pause; export again when the load is done")


def _export(db: Database, folder: _Folder, who: Visibility, progress: Progress) -> ExportReport:
    pages = all_named(db, who)
    documents = db.read("page/documents", **who.parameters)
    files = document_paths((row["id"], row["path"]) for row in documents)
    refs = {each.id: each.ref for each in pages}
    removed = folder.claim([INDEX, *(ref.path for ref in refs.values()), *files.values()])
    total = len(pages) + len(documents)
    mentioned: defaultdict[str, list[Named]] = defaultdict(list)
    for done, (path, text) in enumerate(_page_files(db, pages, files, who, mentioned), start=1):
        folder.write(path, text)
        progress("pages", done, total)
    for done, (path, text) in enumerate(_document_files(db, documents, files, mentioned), start=len(pages) + 1):
        folder.write(path, text)
        progress("pages", done, total)
    rows = [(files[row["id"]], row["title"] or row["id"], row["modified"] or row["created"]) for row in documents]
    folder.write(INDEX, index_markdown([(refs[each.id], each.documents) for each in pages], rows))
    folder.finish()
    unchanged = 1 + len(pages) + len(documents) - folder.written
    return ExportReport(len(pages), len(documents), folder.written, unchanged, removed)


def _page_files(
    db: Database,
    pages: Sequence[Named],
    files: Mapping[str, str],
    who: Visibility,
    mentioned: defaultdict[str, list[Named]],
) -> Iterator[File]:
    """Path and text of each page; fills in which pages mention a document."""
    same: defaultdict[str, list[Named]] = defaultdict(list)
    for each in pages:
        same[normalise(each.name)].append(each)
    for start in range(0, len(pages), _BATCH):
        batch = pages[start : start + _BATCH]
        links = links_of(db, [each.id for each in batch], who)
        for each in batch:
            found = [one for one in links[each.id] if one.id in files]  # a document loaded meanwhile: exported again
            others = [other for other in same[normalise(each.name)] if other.id != each.id]
            page = build_page(each, found, others)
            for one in found:
                mentioned[one.id].append(each)
            yield page.path, page_markdown(page, files)


def _document_files(
    db: Database,
    documents: Sequence[Mapping[str, Any]],
    files: Mapping[str, str],
    mentioned: Mapping[str, list[Named]],
) -> Iterator[File]:
    for start in range(0, len(documents), _BATCH):
        batch = documents[start : start + _BATCH]
        texts = {row["id"]: row["text"] for row in db.read("page/document_texts", ids=[row["id"] for row in batch])}
        for row in batch:
            found = StoredDocument(
                id=row["id"],
                path=row["path"],
                title=row["title"],
                text=texts.get(row["id"]) or "",
                acl=(),
                created=row["created"],
                modified=row["modified"],
                metadata={},
                pages=refs_of(mentioned.get(row["id"], [])),
            )
            yield files[row["id"]], document_markdown(found, files[row["id"]])


class _Folder:
    """The folder, and the files in it that are ours."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._manifest = root / MANIFEST
        self._files: list[str] = []
        self.written = 0
        self._old = self._read_manifest()

    def _read_manifest(self) -> list[str]:
        if not self._root.exists():
            return []
        if not self._root.is_dir():
            raise LoadError("is a file: name a folder", self._root)
        try:
            names = json.loads(self._manifest.read_text("utf-8"))["files"]
            # a manifest from elsewhere must not make us remove anything but files of our own kind
            return [name for name in names if _OURS.fullmatch(name) and ".." not in name.split("/")]
        except FileNotFoundError:
            if any(not each.name.startswith(_TEMPORARY) for each in self._root.iterdir()):
                raise LoadError("holds files that graphstore did not write: name an empty folder", self._root) from None
            return []
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise LoadError(f"{MANIFEST} is damaged: name an empty folder", self._root) from error

    def claim(self, files: list[str]) -> int:
        """Make these the files of the folder: refuse where others stand, remove what is ours no more.

        :returns: Number of files removed.
        """
        ours = set(self._old)
        for name in files:
            path = self._root / name
            if name not in ours and os.path.lexists(path):
                raise LoadError(f"{name} is there and graphstore did not write it: name another folder", self._root)
        self._inside({str(Path(name).parent) for name in (*files, *self._old)})
        self._root.mkdir(parents=True, exist_ok=True)
        for left in self._root.glob(f"{_TEMPORARY}*"):  # by an export that was killed
            left.unlink(missing_ok=True)
        self._files = files
        self._write_manifest(sorted({*self._old, *files}))  # of an interrupted export, too, we know what is ours
        gone = sorted(ours - set(files))
        for name in gone:
            (self._root / name).unlink(missing_ok=True)
            self._prune((self._root / name).parent)
        return len(gone)

    def write(self, name: str, text: str) -> None:
        """Write a file unless it holds this text already."""
        path = self._root / name
        data = text.encode("utf-8")
        if not path.is_symlink():
            with contextlib.suppress(FileNotFoundError):
                if path.read_bytes() == data:
                    return
        path.parent.mkdir(parents=True, exist_ok=True)
        self._replace(path, data)
        self.written += 1

    def finish(self) -> None:
        """Say that these and no other files are ours."""
        self._write_manifest(sorted(self._files))

    def _inside(self, folders: set[str]) -> None:
        real = os.path.realpath(self._root)
        for name in folders:
            target = os.path.realpath(self._root / name)
            if os.path.commonpath([real, target]) != real:
                raise LoadError(f"{name} is a link that leaves the folder: remove it", self._root)

    def _prune(self, folder: Path) -> None:
        while folder != self._root:
            try:
                folder.rmdir()
            except OSError:  # not empty
                return
            folder = folder.parent

    def _write_manifest(self, names: list[str]) -> None:
        data = json.dumps({"format": 1, "files": names}, ensure_ascii=False, indent=0).encode()
        if not self._manifest.is_file() or self._manifest.read_bytes() != data:
            self._replace(self._manifest, data)

    def _replace(self, path: Path, data: bytes) -> None:
        temporary = self._root / f"{_TEMPORARY}{uuid.uuid4().hex}"
        try:
            with temporary.open("xb") as out:
                out.write(data)
            os.replace(temporary, path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
