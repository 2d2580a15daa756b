"""What all documents say, indexed by name: the state from which resolution decides.

Everything here is a function of the set of documents, and of the records of registries; nothing depends on the order
in which they came.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

from graphstore.corpusmap.directory import Known
from graphstore.corpusmap.evidence import Evidence, blocks, parts
from graphstore.corpusmap.extraction import INITIAL, LINE, PHRASE, Extraction
from graphstore.corpusmap.index import Index
from graphstore.corpusmap.keys import is_word, name_key, title_key
from graphstore.corpusmap.kinds import Kinds
from graphstore.corpusmap.locals import Local, Topic, local_entities
from graphstore.corpusmap.types import EMAIL, TOPIC
from graphstore.corpusmap.used import used_as_two


@dataclass(frozen=True, slots=True)
class Entry:
    """A document in the registry.

    :param context: Keys of full names in it: what it shares with other documents.
    """

    title: str
    folder: str
    extraction: Extraction
    topic: Topic | None
    context: frozenset[str]


class Registry(Kinds):
    """Documents and the names in them.

    Names of records are keys like those of documents, whether a document mentions them or not.
    ``slips`` holds, by a word, names that may be slips of the pen as long as the word is no one's name otherwise.
    ``regrouped`` gathers the documents whose local entities changed, until it is cleared; ``apart`` holds keys that
    people declared to be different things.
    """

    def __init__(self) -> None:
        super().__init__()
        self.entries: dict[str, Entry] = {}
        self.apart: dict[str, set[str]] = {}
        self.locals: dict[str, tuple[Local, ...]] = {}
        self.title_docs = Index()
        self.name_docs = Index()
        self.window_docs = Index()
        self.phrase_docs = Index()
        self.alias_docs: dict[tuple[str, str, bool], set[str]] = {}
        self.alias_of = Index()
        self.key_docs = Index()
        self.qualified_docs = Index()
        self.mail_docs = Index()
        self.surfaces: dict[str, Counter[str]] = {}
        self.block_keys = Index()
        self.rivals: dict[str, dict[str, Evidence]] = {}
        self.slips = Index()
        self._twos: set[tuple[str, str]] = set()
        self.regrouped: set[str] = set()
        self._touched: set[str] = set()
        self._dirty: set[str] = set()
        self._status: dict[str, int] = {}

    # -- documents -----------------------------------------------------------------------------------------------

    def put(self, document: str, title: str, folder: str, extraction: Extraction) -> None:
        """Take in a document, new or changed."""
        if document in self.entries:
            self.drop(document)
        topic = title_key(title)
        context = frozenset(n.key for n in extraction.names if n.type == EMAIL or not is_word(n.key))
        entry = Entry(title, folder, extraction, topic, context)
        self.entries[document] = entry
        self._index(document, entry, add=True)
        self._dirty.add(document)

    def drop(self, document: str) -> None:
        """Forget a document."""
        entry = self.entries.pop(document)
        self._index(document, entry, add=False)
        self._dirty.discard(document)
        self._replace(document, ())

    def _index(self, document: str, entry: Entry, *, add: bool) -> None:
        extraction = entry.extraction
        pairs: list[tuple[Index, Iterable[str]]] = [
            (self.name_docs, {name.key for name in extraction.names if name.type != TOPIC or name.start < name.end}),
            (self.window_docs, {window.key for window in extraction.windows}),
            (self.phrase_docs, {w.key for w in extraction.windows if w.flags & PHRASE and not w.flags & LINE}),
            (self.title_docs, {entry.topic[0]} if entry.topic else ()),
        ]
        for index, keys in pairs:
            for key in keys:
                index.add(key, document) if add else index.discard(key, document)
                self._touched.add(key)
        for alias in extraction.aliases:
            self._index_alias(document, (name_key(alias.a), name_key(alias.b), alias.acronym), add=add)

    def _index_alias(self, document: str, pair: tuple[str, str, bool], *, add: bool) -> None:
        documents = self.alias_docs.setdefault(pair, set())
        documents.add(document) if add else documents.discard(document)
        a, b, _ = pair
        if not documents:
            del self.alias_docs[pair]
            if (a, b, not pair[2]) not in self.alias_docs:
                self.alias_of.discard(a, b)
                self.alias_of.discard(b, a)
        else:
            self.alias_of.add(a, b)
            self.alias_of.add(b, a)
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
        documents = self.title_docs.at(key)
        if not documents:
            return False
        topics = Counter(self.entries[document].topic for document in documents)
        return max(topics.values()) == 1

    def _status_of(self, key: str) -> int:
        if len(self.name_docs.at(key)) >= _OFTEN or (is_word(key) and self._is_stated(key)):
            return _USUAL
        if self.names_a_document(key) or key in self.alias_of or key in self.directory:
            return _NAME
        if len(self.name_docs.at(key)) >= (2 if is_word(key) else 1):
            return _NAME
        return _PHRASE if not is_word(key) and len(self.phrase_docs.at(key)) >= 2 else 0

    def _is_stated(self, key: str) -> bool:
        """Whether a text states that this is another name of something, and not by its initials only."""
        return any(
            (key, other, False) in self.alias_docs or (other, key, False) in self.alias_docs
            for other in self.alias_of.at(key)
        )

    def settle(self) -> set[str]:
        """Bring every document's local entities up to date.

        :returns: Keys whose documents, votes or titles may have changed since the last call.
        """
        changed = self._touched
        for key in self._touched:
            status = self._status_of(key)
            if status != self._status.get(key, 0):
                self._dirty |= self.window_docs.at(key) | self.title_docs.at(key) | self.name_docs.at(key)
            if status:
                self._status[key] = status
            else:
                self._status.pop(key, None)
            self._look_at_aliases(key)
            # A title stops being a name when a second document takes it: those that have it look again.
            self._dirty |= self.title_docs.at(key)
        self._touched = set()
        for document in self._dirty:
            entry = self.entries[document]
            topic = entry.topic if entry.topic and self.names_a_document(entry.topic[0]) else None
            found = local_entities(entry.extraction, topic, entry.title, self.active, partial(used_as_two, self))
            self._replace(document, found)
        self._dirty = set()
        changed |= self._touched
        self._touched = set()
        return changed

    def _look_at_aliases(self, key: str) -> None:
        """Have documents that state two names to be one look again where others begin or cease to use them as two's."""
        for other in self.alias_of.at(key):
            pair = (min(key, other), max(key, other))
            if used_as_two(self, *pair) != (pair in self._twos):
                self._twos ^= {pair}
                for stated in ((*pair, False), (*pair[::-1], False), (*pair, True), (*pair[::-1], True)):
                    self._dirty |= self.alias_docs.get(stated, set())

    def _replace(self, document: str, found: tuple[Local, ...]) -> None:
        old = self.locals.pop(document, ())
        if found:
            self.locals[document] = found
        if old == found:
            return
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
            self.key_docs.add(key, document)
        for key in before - after:
            self.key_docs.discard(key, document)
            if key not in self.key_docs:
                self._forget_votes(key)
            if not self.knows(key):
                self._block(key, add=False)

    def _count(self, local: Local, sign: int) -> None:
        self._kinds.pop(local.key, None)
        surfaces = self.surfaces.setdefault(local.key, Counter())
        votes = self.votes.setdefault(local.key, Counter())
        for name in local.names:
            surfaces[name] += sign
        for kind, count in local.votes:
            votes[kind] += sign * count
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
_OFTEN = 3
