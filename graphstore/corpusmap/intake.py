"""What a load brings against what is stored: new, changed, moved, copied or the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from graphstore.corpusmap.index import Index
from graphstore.corpusmap.packing import pack, unpack
from graphstore.corpusmap.rows import content_hash
from graphstore.corpusmap.shelf import Shelf
from graphstore.corpusmap.table import Table
from graphstore.models import LoadReport
from graphstore.records import Ignored, Rejected, SourceDocument


@dataclass(frozen=True, slots=True)
class Move:
    """A stored document that lies elsewhere now.

    :param old: Its id so far.
    """

    old: str
    id: str
    path: str


class Intake:
    """Sorts the records of one load; holds ids and hashes, no texts, and in memory few of them."""

    def __init__(self, stored: Iterable[Mapping[str, Any]]) -> None:
        shelf = Shelf()
        self._stored: Table[list[str]] = Table(shelf, "stored", pack, unpack)
        self._by_hash = Index(shelf, "by_hash")
        self._seen: Table[bool] = Table(shelf, "seen", pack, unpack)
        for row in stored:
            self._stored[row["id"]] = [row["hash"], row["path"]]
            self._by_hash.add(row["hash"], row["id"])
        self._known = False
        self._suspects: list[tuple[str, str, str]] = []
        self._moves: list[Move] = []
        self._rejected: list[str] = []
        self._warnings: list[str] = []
        self._created = self._changed = self._unchanged = 0

    def new_and_changed(self, records: Iterable[SourceDocument | Rejected | Ignored]) -> Iterator[SourceDocument]:
        """The documents to write now; those that may be moves wait for :meth:`moves_and_copies`."""
        for record in records:
            if isinstance(record, Rejected):
                self._rejected.append(str(record))
            elif isinstance(record, Ignored):
                self._warnings.append(str(record))
            elif record.id not in self._seen:
                self._seen[record.id] = True
                if self._is_due(record):
                    yield record

    def _is_due(self, document: SourceDocument) -> bool:
        digest = content_hash(document)
        stored = self._stored.get(document.id)
        if stored is None:
            if digest in self._by_hash:
                self._suspects.append((document.id, document.path, digest))
                return False
            self._created += 1
            return True
        self._known = True
        if stored[0] != digest:
            self._changed += 1
            return True
        if stored[1] != document.path:
            self._moves.append(Move(document.id, document.id, document.path))
        else:
            self._unchanged += 1
        return False

    def reject(self, document: str, why: Rejected) -> None:
        """A document that could not be read by the builder: it stays as it was stored, or out."""
        if document in self._stored:
            self._changed -= 1
        else:
            self._created -= 1
        self._rejected.append(str(why))

    def moves_and_copies(self) -> tuple[list[Move], set[str]]:
        """Moves, and ids of documents that equal a stored one which is still where it was.

        A stored document has moved if this load has its content under a new id and no longer under its own. That holds
        only of a folder that was loaded before: a load that shares nothing with the store is another folder, in which
        an equal file is a copy, unless all that is stored is found in it.
        """
        found = {digest for _, _, digest in self._suspects}  # all of them of stored documents
        gone = {digest: [d for d in sorted(self._by_hash.at(digest)) if d not in self._seen] for digest in found}
        same_folder = self._known or len(found) == len(self._by_hash)
        copies: set[str] = set()
        for document, path, digest in sorted(self._suspects):
            if same_folder and gone[digest]:
                self._moves.append(Move(gone[digest].pop(0), document, path))
            else:
                copies.add(document)
        self._created += len(copies)
        return self._moves, copies

    @staticmethod
    def again(records: Iterable[SourceDocument | Rejected | Ignored], wanted: set[str]) -> Iterator[SourceDocument]:
        """The wanted documents of a second reading, each once."""
        left = set(wanted)
        for record in records:
            if isinstance(record, SourceDocument) and record.id in left:
                left.discard(record.id)
                yield record

    def report(self) -> LoadReport:
        """What the load did."""
        return LoadReport(
            kind="docs",
            read=len(self._seen),
            created=self._created,
            changed=self._changed,
            unchanged=self._unchanged,
            moved=len(self._moves),
            rejected=tuple(self._rejected),
            warnings=tuple(self._warnings),
        )
