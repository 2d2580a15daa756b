"""The resolver of a store: read from what is stored, brought up to date, and never ahead of it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from graphstore.corpusmap.builder import Builder, LocalBuilder
from graphstore.corpusmap.catalog import BUILT_IN_CATALOG
from graphstore.corpusmap.catalog_store import used
from graphstore.corpusmap.directory import Known, known
from graphstore.corpusmap.documents import READ, batched, read_documents
from graphstore.corpusmap.extraction import Extraction, extraction_hash, from_json
from graphstore.corpusmap.keeping import Keeping, MadeOf, Stored
from graphstore.corpusmap.resolve import Resolver
from graphstore.corpusmap.rulings import Ruling, ruling_from
from graphstore.corpusmap.shelf import DamagedState
from graphstore.corpusmap.statements import Text, text_of
from graphstore.db import Database, StaleVersion
from graphstore.progress import Progress
from graphstore.records import Rejected, SourceDocument


def folder_of(path: str) -> str:
    """The folder part of a path; empty at the top."""
    return path.rpartition("/")[0]


class StoredResolver:
    """A resolver whose decisions equal those in the store at a known ``graph_version``."""

    def __init__(
        self,
        db: Database,
        progress: Progress | None = None,
        builder: Builder | None = None,
        *,
        cache: Path | None = None,
    ) -> None:
        """An empty one; :meth:`sync` fills it.

        :param cache: Folder in which states are kept between processes; ``None`` keeps none.
        """
        self.db = db
        self.builder: Builder = builder or LocalBuilder()
        self.version = -1
        self.catalog = BUILT_IN_CATALOG
        self.extracted_again: dict[str, Extraction] = {}
        self.rejected: dict[str, str] = {}
        self._progress = progress
        self._keeping = Keeping(db, cache)
        self._begin()

    def _begin(self) -> None:
        self.resolver = Resolver(self.digest_of)
        self._made_of = MadeOf(self.resolver)

    def sync(self) -> None:
        """Take over what the store holds now: only documents and records that differ are read.

        Decisions are a function of what is stored, so what another writer decided meanwhile is decided here alike, and
        what was computed here but not written is taken back.
        """
        if self.version < 0:
            self._keeping.take_over(self.resolver, self._made_of)
        try:
            if not self.resolver.shelf.damaged:
                self._catch_up()
                return
        except DamagedState:
            pass
        self.purge()
        self._begin()
        self._catch_up()

    def _catch_up(self) -> None:
        while True:
            version = self.db.graph_version()
            self.catalog = used(self.db)
            self._sync_rulings()
            self._sync_records()
            gone, changed, new = self._made_of.differences(self.db)
            if gone:
                self.purge()  # another process, perhaps on another machine, had something forgotten
            for document in (*gone, *changed):
                self.drop(document)
            self._read([*changed, *new])
            if self.db.graph_version() == version:
                break
        self.resolver.settle()
        self.version = version

    def keep(self, *, midway: bool = False) -> None:
        """Leave the state for other processes, where much of it is new; between steps only.

        :param midway: More is to come.
        """
        self._keeping.keep(self.resolver, self._made_of, midway=midway)

    def purge(self) -> None:
        """Take away what is kept: something is about to be forgotten."""
        self._keeping.purge()

    def _sync_rulings(self) -> None:
        there = {row["number"]: ruling_from(row) for row in self.db.read("retrieve/corpus_decisions")}
        for number in [held for held in self._made_of.rulings if held not in there]:
            self.undo(number)
        for number, ruling in there.items():
            if self._made_of.rulings.get(number) != ruling:
                self.rule(ruling)

    def _sync_records(self) -> None:
        there = {row["id"]: row["hash"] for row in self.db.read("retrieve/corpus_record_hashes")}
        if self._made_of.records.keys() - there.keys():
            self.purge()
        for record in [held for held in self._made_of.records if there.get(held) != self._made_of.records[held]]:
            self.drop_record(record)
        for part in batched([record for record in there if record not in self._made_of.records], READ):
            for row in self.db.read("retrieve/corpus_records", ids=part):
                self.put_record(known_from(row))

    def _read(self, ids: Sequence[str]) -> None:
        for done, part in enumerate(batched(ids, READ)):
            if self._progress:
                self._progress("reading the corpus map", done * READ, len(ids))
            rows = self.db.read("retrieve/corpus_registry_documents", ids=part)
            made = {row["id"]: from_json(row["extracted"]) for row in rows}
            made |= self._extract_again([document for document, extraction in made.items() if extraction is None])
            for row in rows:
                if (extraction := made[row["id"]]) is not None:
                    self._put(row["id"], row["title"], (row["hash"], row["path"], row["extraction"]), extraction)
            self.resolver.settle()  # in steps, so that memory need not hold all that is undecided

    def _extract_again(self, ids: Sequence[str]) -> dict[str, Extraction]:
        """Extractions of stored documents that have none, or one of another version."""
        if not ids:
            return {}
        documents = read_documents(self.db, ids)
        found = self._made(documents)
        self.extracted_again.update(found)
        return found

    def _made(self, documents: Sequence[SourceDocument]) -> dict[str, Extraction]:
        """Extractions by the builder; what it could not read is noted, and stays as it was."""
        found = dict(zip((document.id for document in documents), self.builder.extract(documents), strict=True))
        self.rejected.update({name: str(why) for name, why in found.items() if isinstance(why, Rejected)})
        return {name: made for name, made in found.items() if isinstance(made, Extraction)}

    def _put(self, document: str, title: str, stored: Stored, extraction: Extraction) -> None:
        self._made_of.documents[document] = stored
        _, path, _ = stored
        self._made_of.unkept += 1
        self.resolver.put(document, title, folder_of(path), extraction)

    def refresh(self) -> int:
        """How many documents the builder read again: what another one, or other settings of it, had made of them."""
        due = [name for name, entry in self.resolver.registry.entries.items() if not self.builder.keeps(entry.by)]
        count = 0
        for done, part in enumerate(batched(due, READ)):
            if self._progress:
                self._progress("comparing extractions", done * READ, len(due))
            entries = self.resolver.registry.entries
            differing = [d for d in read_documents(self.db, part) if self.builder.stamp(d) != entries[d.id].by]
            made = self._made(differing)
            count += len(made)
            for document in (document for document in differing if document.id in made):
                self._put(document.id, document.title, self._made_of.documents[document.id], made[document.id])
                self.extracted_again[document.id] = made[document.id]
        self.resolver.settle()
        return count

    def noted(self) -> None:
        """Nothing; what was read again is known to be in the store."""
        for name, made in self.extracted_again.items():
            if name in self._made_of.documents:
                digest, path, _ = self._made_of.documents[name]
                self._made_of.documents[name] = (digest, path, extraction_hash(made))

    def put(self, document: SourceDocument, digest: str, extraction: Extraction) -> None:
        """Take in a document that is about to be written."""
        self._put(document.id, document.title, (digest, document.path, extraction_hash(extraction)), extraction)

    def move(self, old: str, new: str, path: str) -> None:
        """Take in that a document lies elsewhere under another id."""
        entry = self.resolver.registry.entries[old]
        digest, _, extraction = self._made_of.documents.pop(old)
        self.resolver.drop(old)
        self._put(new, entry.title, (digest, path, extraction), entry.extraction)

    def moved_rulings(self, moves: Mapping[str, str]) -> list[Ruling]:
        """The decisions that were about documents which lie elsewhere now, under their new ids.

        :param moves: New ids by old ones.
        """
        found = []
        for ruling in [each for each in self._made_of.rulings.values() if moves.keys() & set(each.documents)]:
            found.append(replace(ruling, documents=tuple(moves.get(name, name) for name in ruling.documents)))
            self.rule(found[-1])
        return found

    def put_record(self, record: Known) -> None:
        """Take in a record that is about to be written."""
        self._made_of.records[record.id] = record.digest
        self._made_of.unkept += 1
        self.resolver.put_record(record)

    def drop_record(self, record: str) -> None:
        """Forget a record."""
        del self._made_of.records[record]
        self._made_of.unkept += 1
        self.resolver.drop_record(record)

    def rule(self, ruling: Ruling) -> None:
        """Take in a decision about entities that is about to be written."""
        self._made_of.rulings[ruling.number] = ruling
        self.resolver.put_ruling(ruling)

    def narrow(self, number: int, documents: Sequence[str]) -> None:
        """Take in that a decision is about these documents only.

        :raises StaleVersion: another writer made it since.
        """
        ruling = self._made_of.rulings.get(number)
        self.undo(number)
        if ruling is not None:
            self.rule(replace(ruling, documents=tuple(documents)))

    def undo(self, number: int) -> None:
        """Take back a decision about entities.

        :raises StaleVersion: another writer made it since.
        """
        if number not in self._made_of.rulings:
            raise StaleVersion(f"{self.db.address}: another process made decision {number}; read the store again")
        del self._made_of.rulings[number]
        self.resolver.drop_ruling(number)

    def drop(self, document: str) -> None:
        """Forget a document."""
        del self._made_of.documents[document]
        self._made_of.unkept += 1
        self.extracted_again.pop(document, None)
        self.resolver.drop(document)

    def named(self, document: str) -> list[str]:
        """Ids of documents by id, else by path."""
        if document in self._made_of.documents:
            return [document]
        return [name for name, (_, path, _) in self._made_of.documents.items() if path == document]

    def digest_of(self, document: str) -> str | None:
        """Hash of a document, if it is there."""
        return self._made_of.documents.get(document, (None, "", None))[0]

    def path_of(self, document: str) -> str:
        """Where a document lies."""
        return self._made_of.documents[document][1]

    def texts(self, ids: Iterable[str], known: Iterable[SourceDocument] = ()) -> dict[str, Text]:
        """Texts of documents, those not known read from the store.

        :raises StaleVersion: another writer took one of them away.
        """
        texts = {document.id: text_of(document) for document in known}
        missing = sorted(set(ids) - set(texts))
        for part in batched(missing, READ):
            texts.update({document.id: text_of(document) for document in read_documents(self.db, part)})
            if gone := next((document for document in part if document not in texts), None):
                raise StaleVersion(f"{self.db.address}: another process took {gone[:100]!r} away; read the store again")
        return texts


def known_from(row: Mapping[str, Any]) -> Known:
    """The record of a row of ``retrieve/corpus_records``."""
    attributes = json.loads(row["attributes"])
    return known(row["id"], row["name"], row["type"], row["aliases"], attributes, row["hash"])
