"""What people decided about entities: merges, splits, "never merge these", and what a refinement found.

Such a decision is evidence like a document: it is kept, and what follows from it is computed anew from all that is
stored. It names entities by anchors, which outlive the entity: the canonical key of a name, what tells its bearer from
others, or the id of a record. An anchor that names nothing now leaves the decision dormant until it does again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal["merge", "split", "distinct", "refine"]
BaseOf = Callable[[str], str | None]
"""The entity that an anchor names now, before any decision of people; ``None`` if it names none."""

_RECORD, _NAME, _SPLIT = "record:", "name:", "split:"


@dataclass(frozen=True, slots=True)
class Ruling:
    """A decision that holds.

    :param number: Its number in the ledger: what was decided later comes later.
    :param subjects: Anchors: of a merge what is kept, then what joins it; of ``distinct`` two; of a split the entity;
        of a refinement what is linked, or nothing.
    :param documents: Of a split or refinement.
    :param key: Of the name that a split takes out, or that a refinement is about.
    :param mark: Names what a split makes; of a refinement the hash of the document it was made for.
    """

    number: int
    kind: Kind
    subjects: tuple[str, ...]
    documents: tuple[str, ...] = ()
    key: str = ""
    mark: str = ""
    score: float | None = None
    reason: str = ""
    by: str = ""


def record_anchor(record: str) -> str:
    """The anchor of a record's entity."""
    return _RECORD + record


def name_anchor(canonical: str, label: str | None) -> str:
    """The anchor of a name's entity.

    :param label: What tells its bearer from others of the name.
    """
    return _NAME + canonical + (f"\n{label}" if label else "")


def split_anchor(mark: str) -> str:
    """The anchor of what a split made."""
    return _SPLIT + mark


def anchored(anchor: str) -> tuple[str, str, str | None]:
    """Kind of an anchor (``record``, ``name``, ``split``), what it names, and the label of a bearer."""
    kind, _, rest = anchor.partition(":")
    name, _, label = rest.partition("\n") if kind == "name" else (rest, "", "")
    return kind, name, label or None


def name_entity(canonical: str, label: str | None) -> str:
    """Id of the entity of a name, from its canonical key and what tells its bearer from others."""
    return _hash(canonical + (f"\n{label}" if label else ""))


def anchored_entity(anchor: str) -> str:
    """The entity that an anchor names as long as its name is the canonical one, before any merge."""
    kind, name, label = anchored(anchor)
    return name if kind == "record" else split_entity(name) if kind == "split" else name_entity(name, label)


def split_mark(subject: str, documents: Iterable[str], key: str) -> str:
    """The mark of a split, from what it says."""
    return _hash(json.dumps([subject, sorted(documents), key], ensure_ascii=False))


def split_entity(mark: str) -> str:
    """Id of the entity that a split made."""
    return _hash(_SPLIT + mark)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


class Rulings:
    """The decisions that hold, and what they come to now.

    ``apart``: keys that never join. ``split_keys``: keys that stand alone, each with the records that it does not mean.
    ``united``: entities that are another one now. ``made``: entities that a split made. ``reshaped``: entities whose
    documents are not those of their names alone. ``dormant``: whether a decision has nothing to be about now.
    """

    def __init__(self) -> None:
        self.active: dict[int, Ruling] = {}
        self.apart: dict[str, set[str]] = {}
        self.split_keys: dict[str, frozenset[str]] = {}
        self.united: dict[str, str] = {}
        self.made: dict[str, Ruling] = {}
        self.reshaped: frozenset[str] = frozenset()
        self.dormant: dict[int, bool] = {}
        self._bases: dict[str, str | None] = {}
        self._splits: dict[str, list[Ruling]] = {}
        self._refined: dict[tuple[str, str], Ruling] = {}
        self._said: dict[tuple[str, str], object] = {}

    def put(self, ruling: Ruling) -> None:
        """Take in a decision; it holds from the next :meth:`told_apart` and :meth:`unite` on."""
        self.active[ruling.number] = ruling

    def drop(self, number: int) -> None:
        """Take a decision back."""
        del self.active[number]

    def told_apart(self, keys_of: Callable[[str], Sequence[str]]) -> set[str]:
        """Bring up to date which keys never join and which stand alone.

        :param keys_of: Keys that belong to an anchor.
        :returns: Keys for which that changed.
        """
        apart: dict[str, set[str]] = {}
        alone: dict[str, set[str]] = {}
        for ruling in self.active.values():
            if ruling.kind == "distinct":
                for a in keys_of(ruling.subjects[0]):
                    for b in keys_of(ruling.subjects[1]):
                        if a != b:
                            apart.setdefault(a, set()).add(b)
                            apart.setdefault(b, set()).add(a)
            elif ruling.kind == "split" and ruling.key:
                kind, name, _ = anchored(ruling.subjects[0])
                alone.setdefault(ruling.key, set()).update({name} if kind == "record" else ())
        frozen = {key: frozenset(records) for key, records in alone.items()}
        changed = {key for key in apart.keys() | self.apart.keys() if apart.get(key) != self.apart.get(key)}
        changed |= {
            key for key in frozen.keys() | self.split_keys.keys() if frozen.get(key) != self.split_keys.get(key)
        }
        self.apart, self.split_keys = apart, frozen
        return changed

    def unite(
        self, base_of: BaseOf, is_record: Callable[[str], bool], digest_of: Callable[[str], str | None]
    ) -> tuple[set[str], set[str]]:
        """Bring up to date which entities are one, and what becomes of single documents.

        :param digest_of: Hash of a document, ``None`` if it is not there or nobody knows.
        :returns: Entities (before any decision) for which that changed, and documents.
        """
        old_united, old_said = self.united, self._said
        anchors = {subject for ruling in self.active.values() for subject in ruling.subjects}
        self.made = {split_entity(r.mark): r for r in self.active.values() if r.kind == "split" and r.documents}
        self._bases = {anchor: self._base(anchor, base_of) for anchor in anchors}
        self.united = self._merged(is_record)
        self._of_documents(digest_of)
        self.dormant = {number: self._is_dormant(ruling) for number, ruling in self.active.items()}
        entities = {
            entity
            for entity in old_united.keys() | self.united.keys()
            if old_united.get(entity) != self.united.get(entity)
        }
        said = self._said
        documents = {
            document
            for document, key in old_said.keys() | said.keys()
            if old_said.get((document, key)) != said.get((document, key))
        }
        return entities, documents

    def _base(self, anchor: str, base_of: BaseOf) -> str | None:
        kind, name, _ = anchored(anchor)
        if kind != "split":
            return base_of(anchor)
        made = split_entity(name)
        return made if made in self.made else None

    def _merged(self, is_record: Callable[[str], bool]) -> dict[str, str]:
        parent: dict[str, str] = {}

        def root(entity: str) -> str:
            while entity in parent:
                entity = parent[entity]
            return entity

        for number in sorted(self.active):
            ruling = self.active[number]
            bases = [self._bases[subject] for subject in ruling.subjects] if ruling.kind == "merge" else []
            if len(bases) == 2 and bases[0] is not None and bases[1] is not None:
                keep, other = root(bases[0]), root(bases[1])
                if is_record(other) and not is_record(keep):
                    keep, other = other, keep  # a record's id is kept
                if keep != other:
                    parent[other] = keep
        return {entity: root(entity) for entity in parent}

    def _of_documents(self, digest_of: Callable[[str], str | None]) -> None:
        self._splits, self._refined, self._said = {}, {}, {}
        sources = set()
        for number in sorted(self.active):
            ruling = self.active[number]
            if ruling.kind == "split" and ruling.documents:
                source = self.entity_of(ruling.subjects[0])
                if source is not None:
                    sources.add(source)
                for document in ruling.documents:
                    self._splits.setdefault(document, []).append(ruling)
                    self._said[document, f"\n{number}"] = (source, ruling.mark)
            elif ruling.kind == "refine":
                (document,) = ruling.documents
                if digest_of(document) in (None, ruling.mark):
                    self._refined[document, ruling.key] = ruling
                    entity = self.entity_of(ruling.subjects[0]) if ruling.subjects else None
                    self._said[document, ruling.key] = (number, entity)
        self.reshaped = frozenset(sources) | frozenset(self.united.values()) | self.made.keys()

    def _is_dormant(self, ruling: Ruling) -> bool:
        if any(self._bases[subject] is None for subject in ruling.subjects):
            return True
        return ruling.kind == "refine" and self._refined.get((ruling.documents[0], ruling.key)) is not ruling

    def shapes(self, entity: str) -> bool:
        """Whether a decision is about an entity."""
        return entity in self.united or entity in self.reshaped

    def entity_of(self, anchor: str) -> str | None:
        """The entity that an anchor of a decision names now, after merges."""
        base = self._bases.get(anchor)
        return None if base is None else self.united.get(base, base)

    def final(self, document: str, entity: str) -> tuple[str, Ruling | None]:
        """What an entity is in a document after merges and splits, and the split that says so."""
        found = self.united.get(entity, entity)
        for ruling in self._splits.get(document, ()):
            if self.entity_of(ruling.subjects[0]) == found:
                made = split_entity(ruling.mark)
                return self.united.get(made, made), ruling
        return found, None

    def refined(self, document: str, key: str) -> Ruling | None:
        """The refinement of a name in a document, if it holds."""
        ruling = self._refined.get((document, key))
        return None if ruling is None or self.dormant.get(ruling.number) else ruling

    def distinct(self) -> set[tuple[str, str]]:
        """Pairs of entities, sorted, that are never one."""
        found = set()
        for ruling in self.active.values():
            if ruling.kind == "distinct":
                a, b = (self.entity_of(subject) for subject in ruling.subjects)
                if a is not None and b is not None and a != b:
                    found.add((min(a, b), max(a, b)))
        return found


def ruling_from(row: Mapping[str, Any]) -> Ruling:
    """The decision of a row of ``retrieve/corpus_decisions``."""
    return Ruling(
        row["number"],
        row["kind"],
        tuple(row["subjects"]),
        tuple(row["documents"]),
        row["key"] or "",
        row["mark"] or "",
        row["score"],
        row["reason"] or "",
        row["by"] or "",
    )
