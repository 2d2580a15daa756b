"""What all documents say, indexed by name: the state from which resolution decides.

Everything here is a function of the set of documents, and of the records of registries; nothing depends on the order
in which they came.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import partial

from graphstore.corpusmap.aliases import Aliases
from graphstore.corpusmap.directory import Known
from graphstore.corpusmap.entries import Entry, unpack_entry
from graphstore.corpusmap.evidence import blocks, parts
from graphstore.corpusmap.extraction import INITIAL, LINE, PHRASE, Extraction
from graphstore.corpusmap.index import Index
from graphstore.corpusmap.keys import is_word, name_key, title_key
from graphstore.corpusmap.kinds import Kinds
from graphstore.corpusmap.locals import Local, local_entities
from graphstore.corpusmap.packing import (
    pack,
    pack_evidence,
    pack_locals,
    unpack,
    unpack_counter,
    unpack_evidence,
    unpack_locals,
)
from graphstore.corpusmap.shelf import Shelf
from graphstore.corpusmap.table import Table
from graphstore.corpusmap.titles import Titles
from graphstore.corpusmap.types import EMAIL, TOPIC
from graphstore.corpusmap.used import used_as_two

_ENTRIES, _LOCALS, _BLOCKS = 4 << 20, 8_192, 16_384
"""Bytes of documents, local entities, and places in blocks that are of a generation in memory."""


class Registry(Kinds):
    """Documents and the names in them.

    Names of records are keys like those of documents, whether a document mentions them or not.
    ``slips`` holds, by a word, names that may be slips of the pen as long as the word is no one's name otherwise.
    ``regrouped`` gathers the documents whose local entities changed, until it is cleared; ``apart`` holds keys that
    people declared to be different things.
    """

    def __init__(self, shelf: Shelf) -> None:
        super().__init__(shelf)
        self.entries = Table(shelf, "entries", Entry.pack, unpack_entry, most=_ENTRIES, weight=Entry.weight)
        self.apart: dict[str, set[str]] = {}
        self.locals = Table(shelf, "locals", pack_locals, unpack_locals, most=_LOCALS, weight=len)
        self._titles = Titles(shelf)
        self.title_docs = self._titles.docs
        self.name_docs = Index(shelf, "name_docs")
        self.window_docs = Index(shelf, "window_docs")
        self.phrase_docs = Index(shelf, "phrase_docs")
        self.aliases = Aliases(shelf)
        self.alias_of = self.aliases.of
        self.key_docs = Index(shelf, "key_docs")
        self.qualified_docs = Index(shelf, "qualified_docs")
        self.mail_docs = Index(shelf, "mail_docs")
        self.surfaces: Table[Counter[str]] = Table(shelf, "surfaces", pack, unpack_counter)
        self.block_keys = Index(shelf, "block_keys", most=_BLOCKS)
        self.rivals = Table(shelf, "rivals", pack_evidence, unpack_evidence)
        self.slips = Index(shelf, "slips")
        self.twos: set[tuple[str, str]] = set()
        self.regrouped: set[str] = set()
        self._touched: set[str] = set()
        self._dirty: set[str] = set()
        self._fresh: dict[str, Extraction] = {}
        self._status: Table[int] = Table(shelf, "status", pack, unpack)

    # -- documents -----------------------------------------------------------------------------------------------

    def put(self, document: str, title: str, folder: str, extraction: Extraction) -> None:
        """Take in a document, new or changed."""
        if document in self.entries:
            self.drop(document)
        topic = title_key(title)
        context = frozenset(n.key for n in extraction.names if n.type == EMAIL or not is_word(n.key))
        entry = Entry(title, folder, topic, context, extraction.by, extraction.to_json())
        self.entries[document] = entry
        self._fresh[document] = extraction
        self._index(document, entry, extraction, add=True)
        self._dirty.add(document)

    def drop(self, document: str) -> None:
        """Forget a document."""
        entry = self.entries.pop(document)
        self._fresh.pop(document, None)
        self._index(document, entry, entry.extraction, add=False)
        self._dirty.discard(document)
        self._replace(document, ())

    def _index(self, document: str, entry: Entry, extraction: Extraction, *, add: bool) -> None:
        pairs: list[tuple[Index, Iterable[str]]] = [
            (self.name_docs, {name.key for name in extraction.names if name.type != TOPIC or name.start < name.end}),
            (self.window_docs, {window.key for window in extraction.windows}),
            (self.phrase_docs, {w.key for w in extraction.windows if w.flags & PHRASE and not w.flags & LINE}),
        ]
        for index, keys in pairs:
            for key in keys:
                index.add(key, document, sure=True) if add else index.discard(key, document, sure=True)
                self._touched.add(key)
        if entry.topic:
            self._titles.put(entry.topic, document) if add else self._titles.drop(entry.topic, document)
            self._touched.add(entry.topic[0])
        for alias in extraction.aliases:
            a, b = name_key(alias.a), name_key(alias.b)
            (self.aliases.put if add else self.aliases.drop)(a, b, alias.acronym, document)
            self._touched |= {a, b}

    # -- records of registries -----------------------------------------------------------------------------------

    def put_record(self, record: Known) -> None:
        """Take in a record, new or changed."""
        known = self.directory.records.get(record.id)
        before = {key for key in (known.keys if known else ()) if key in self.directory}
        new = {key for key in record.keys if key not in self.directory}
        self._touched |= self.directory.put(record)
        self._rename(new, {key for key in before if key not in self.directory})

    def drop_record(self, record: str) -> None:
        """Forget a record."""
        keys = self.directory.records[record].keys
        self._touched |= self.directory.drop(record)
        self._rename((), {key for key in keys if key not in self.directory})

    def _rename(self, new: Iterable[str], gone: Iterable[str]) -> None:
        """Index the keys that the first record took, and no longer those that the last one gave up."""
        for key in new:
            if key not in self.key_docs:
                self._block(key, add=True)
        for key in gone:
            if key not in self.key_docs:
                self._block(key, add=False)

    def knows(self, key: str) -> bool:
        """Whether a document or a record has this name."""
        return key in self.key_docs or key in self.directory

    # -- names ---------------------------------------------------------------------------------------------------

    def active(self, key: str, flags: int = 0) -> bool:
        """Whether a capitalised phrase with this key is a name, by what all documents say."""
        status = self._status_of(key)
        if flags & INITIAL:
            return status == _USUAL
        return status >= _NAME or (status == _PHRASE and bool(flags & PHRASE) and not flags & LINE)

    def names_a_document(self, key: str) -> bool:
        """Whether the key is some document's title, and not a heading that several documents share."""
        return self._titles.are_a_name(key)

    def _status_of(self, key: str) -> int:
        named = self.name_docs.count(key)
        if named >= _OFTEN or (is_word(key) and self.aliases.is_stated(key)):
            return _USUAL
        if self.names_a_document(key) or key in self.alias_of or key in self.directory:
            return _NAME
        if named >= (2 if is_word(key) else 1):
            return _NAME
        return _PHRASE if not is_word(key) and self.phrase_docs.count(key) >= 2 else 0

    def settle(self) -> set[str]:
        """Bring every document's local entities up to date.

        :returns: Keys whose documents, votes or titles may have changed since the last call.
        """
        changed = self._touched
        for key in self._touched:
            self._look_at_status(key)
            self._look_at_aliases(key)
        self._touched = set()
        for document in self._dirty:
            entry = self.entries[document]
            topic = entry.topic if entry.topic and self.names_a_document(entry.topic[0]) else None
            extraction = self._fresh.get(document) or entry.extraction
            found = local_entities(extraction, topic, entry.title, self.active, partial(used_as_two, self))
            self._replace(document, found)
        self._dirty, self._fresh = set(), {}
        changed |= self._touched
        self._touched = set()
        return changed

    def _look_at_status(self, key: str) -> None:
        """Have documents look again where what they write begins, or ceases, to be a name."""
        status, titled = self._status_of(key), self.names_a_document(key)
        before = self._status.get(key, 0)
        if status != before & _STATUS:
            self._dirty |= self.window_docs.at(key) | self.title_docs.at(key) | self.name_docs.at(key)
        if titled != bool(before & _TITLED):
            # A title stops being a name when a second document takes it.
            self._dirty |= self.title_docs.at(key)
        if found := status | (_TITLED if titled else 0):
            self._status.put(key, found)
        else:
            self._status.pop(key, None)

    def _look_at_aliases(self, key: str) -> None:
        """Have documents that state two names to be one look again where others begin or cease to use them as two's."""
        for other in self.alias_of.at(key):
            pair = (min(key, other), max(key, other))
            if used_as_two(self, *pair) != (pair in self.twos):
                self.twos ^= {pair}
                self._dirty |= self.aliases.documents(*pair)

    def _replace(self, document: str, found: tuple[Local, ...]) -> None:
        old = self.locals.get(document, ())
        if old == found:
            return
        if found:
            self.locals[document] = found
        else:
            del self.locals[document]
        self.regrouped.add(document)
        for local in old:
            self._count(local, -1)
            self.qualified_docs.discard(local.key, document)
            for mail in _mails(local):
                self.mail_docs.discard(mail, document)
        for local in found:
            self._count(local, 1)
            if local.qualifiers:
                self.qualified_docs.add(local.key, document)
            for mail in _mails(local):
                self.mail_docs.add(mail, document)
        self._rekey(document, {local.key for local in old}, {local.key for local in found})
        self._touched.update(local.key for local in set(old) ^ set(found))

    def _rekey(self, document: str, before: set[str], after: set[str]) -> None:
        for key in after - before:
            if not self.knows(key):
                self._block(key, add=True)
            self.key_docs.add(key, document, sure=True)
        for key in before - after:
            self.key_docs.discard(key, document, sure=True)
            if key not in self.key_docs:
                self._forget_votes(key)
            if not self.knows(key):
                self._block(key, add=False)

    def _count(self, local: Local, sign: int) -> None:
        self._kinds.pop(local.key, None)
        surfaces = self.surfaces.get(local.key, Counter[str]())
        votes = self.votes.get(local.key, Counter[str]())
        for name in local.names:
            surfaces[name] += sign
        for kind, count in local.votes:
            votes[kind] += sign * count
        self.surfaces[local.key], self.votes[local.key] = surfaces, votes
        if local.strong:
            self._count_certain(local.key, local.strong, sign)
        if local.labels:
            self._count_labels(local, sign)

    def _block(self, key: str, *, add: bool) -> None:
        if _VERSION.search(key):
            word = key.split(" ")[0]
            self.versions.add(word, key) if add else self.versions.discard(word, key)
        for index, names in ((self.block_keys, blocks(key)), (self.part_keys, parts(key))):
            for name in names:
                known = name in index
                index.add(name, key) if add else index.discard(name, key)
                if index is self.part_keys and (known != (name in index) or _VERSION.search(key)):
                    # Whether a word is part of a longer name, or stands with a version, weighs in its type.
                    self._kinds.pop(name, None)
                    self._touched.add(name)
        if not add:
            self._kinds.pop(key, None)

    def _forget_votes(self, key: str) -> None:
        del self.surfaces[key], self.votes[key]
        self.certain.pop(key, None)
        self.labels.pop(key, None)
        self._kinds.pop(key, None)


def _mails(local: Local) -> list[str]:
    """Addresses that stand beside the name."""
    return [q.removeprefix("mail:") for q in local.qualifiers if q.startswith("mail:")]


_VERSION = re.compile(r"^\S+ v(?:ersion )?\d[\d.]*$")
_USUAL, _NAME, _PHRASE = 3, 2, 1
_STATUS, _TITLED = 3, 4
"""Bits of a status: whether the key is a name; whether it is one document's title."""
_OFTEN = 3
