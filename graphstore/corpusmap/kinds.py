"""Of which type a name is, by the votes of all documents and by what registries say."""

from __future__ import annotations

from collections import Counter

from graphstore.corpusmap.directory import Directory
from graphstore.corpusmap.index import Index
from graphstore.corpusmap.keys import is_word, without_legal_form
from graphstore.corpusmap.locals import Local
from graphstore.corpusmap.packing import pack, unpack_counter
from graphstore.corpusmap.shelf import Shelf
from graphstore.corpusmap.table import Table
from graphstore.corpusmap.types import ORGANISATION, PERSON, PRODUCT, RANK, TOPIC

_DOUBT = 3

_KNOWN = 16_384
"""Types that are kept until votes change; more are counted again."""


class Kinds:
    """Votes for the type of each name."""

    def __init__(self, shelf: Shelf) -> None:
        self.directory = Directory()
        self.votes: Table[Counter[str]] = Table(shelf, "votes", pack, unpack_counter)
        self.certain: Table[Counter[str]] = Table(shelf, "certain", pack, unpack_counter)
        self.labels: Table[Counter[str]] = Table(shelf, "labels", pack, unpack_counter)
        self.part_keys = Index(shelf, "part_keys")
        self.versions = Index(shelf, "versions")
        self._kinds: dict[str, str] = {}

    def kind(self, *keys: str) -> str:
        """The type that the documents of these keys vote for; a topic where no one says anything."""
        if told := self._told(keys):
            return told
        if len(keys) == 1:
            found = self._kinds.get(keys[0])
            if found is None and keys[0] in self.votes:
                if len(self._kinds) >= _KNOWN:
                    self._kinds.clear()
                found = self._kinds[keys[0]] = self._voted(keys)
            return found or TOPIC
        return self._voted(keys)

    def _told(self, keys: tuple[str, ...]) -> str | None:
        """The type that registries say, where the records of these names have one."""
        if not self.directory.records:
            return None
        kinds = {kind for key in keys if (kind := self.directory.kind(key))}
        return kinds.pop() if len(kinds) == 1 else None

    def _count_certain(self, key: str, kind: str, sign: int) -> None:
        counted = self.certain.get(key, Counter[str]())
        counted[kind] += sign
        if not counted[kind]:
            del counted[kind]
        if counted:
            self.certain[key] = counted
        else:
            self.certain.pop(key, None)

    def _count_labels(self, local: Local, sign: int) -> None:
        counted = self.labels.get(local.key, Counter[str]())
        for label in local.labels:
            counted[label] += sign
        self.labels[local.key] = counted

    def _labelled(self, keys: tuple[str, ...]) -> str | None:
        """The type of the store's own catalog that most documents give these names, if one does."""
        if not self.labels:
            return None
        votes = sum((self.labels.get(key, Counter[str]()) for key in keys), Counter[str]())
        return max(votes, key=lambda label: (votes[label], label), default=None)

    def shown_kind(self, *keys: str) -> str:
        """The type that a reader is shown: a topic rather than one that only the model's guess speaks for.

        What stands with a version is a product. A single word is a person if a form says so, or if it is part of a
        person's fuller name; that it is a place then needs a third as many votes.
        """
        if told := self._told(keys) or self._labelled(keys):
            return told
        words = [key for key in keys if is_word(key)]
        if len(words) < len(keys):
            return self.kind(*keys)
        if any(key in self.versions for key in words):
            return PRODUCT
        votes = sum((self.votes.get(key, Counter[str]()) for key in words), Counter[str]())
        if not votes[PERSON] or any(self._is_part_of_person(key) for key in words):
            return self.kind(*keys)
        if any(self.certain.get(key, Counter[str]())[PERSON] for key in words):
            return PERSON
        best = max(votes, key=lambda kind: (votes[kind] / (_DOUBT if kind == PERSON else 1), -RANK[kind]))
        return TOPIC if best == PERSON else best

    def _is_part_of_person(self, word: str) -> bool:
        return any(self.kind(longer) == PERSON for longer in self.part_keys.at(word))

    def _voted(self, keys: tuple[str, ...]) -> str:
        if any(without_legal_form(key) != key for key in keys):
            return ORGANISATION
        votes: dict[str, float] = {}
        for key in keys:
            for kind, count in self.votes.get(key, Counter[str]()).items():
                votes[kind] = votes.get(kind, 0) + count
        if len(keys) == 1 and is_word(keys[0]) and keys[0] not in self.part_keys:
            # The model takes many a place or product for a person; people have first names and surnames.
            votes[PERSON] = votes.get(PERSON, 0) / _DOUBT
        best = max(votes, key=lambda kind: (votes[kind], -RANK[kind]), default=TOPIC)
        return best if votes.get(best, 0) > 0 else TOPIC
