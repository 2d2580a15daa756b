"""What else tells of documents that are taken out: rows of the ledger, and type catalogs made of documents."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from graphstore.corpusmap.catalog import Catalog, catalog_of
from graphstore.corpusmap.catalog_store import versions
from graphstore.corpusmap.documents import READ, batched, read_documents
from graphstore.corpusmap.keys import name_key
from graphstore.corpusmap.ledger_rows import moved_json_without
from graphstore.corpusmap.registry import Registry
from graphstore.corpusmap.rows import Step, type_steps
from graphstore.corpusmap.rulings import anchored
from graphstore.corpusmap.stored import StoredResolver
from graphstore.corpusmap.types import BUILT_IN, EntityType
from graphstore.db import Database

_WORD = re.compile(r"\w+")
_OF_DOCUMENTS = ("local", "llm")
"""Makers of catalogs whose words come out of documents; a file's are its owner's."""


# -- the ledger --------------------------------------------------------------------------------------------------------


def ledger_steps(state: StoredResolver, gone: Collection[str]) -> list[Step]:
    """Take documents out of the ledger: their ids, and the names that no document or record bears any more.

    A decision that is about such a name, or about these documents only, goes; the state forgets it too. Called when
    the documents have been dropped from the state and nothing has been decided again.

    :param gone: Ids of the documents.
    :returns: The statements that store it.
    """
    borne = _Borne(state.resolver.registry)
    out: list[int] = []
    rows: list[dict[str, Any]] = []
    for row in state.db.read("retrieve/ledger_traces"):
        documents = [document for document in row["documents"] if document not in gone]
        names = [borne.form(name) for name in row["names"]]
        told = [*map(borne.anchor, row["subjects"]), not row["key"] or borne.key(row["key"])]
        if (row["documents"] and not documents) or None in names or not all(told):
            out.append(row["number"])
            if not row["undone"]:
                state.undo(row["number"])
            continue
        kept = {"documents": documents, "names": names, "moved": moved_json_without(row["moved"], gone)}
        if any(kept[name] != row[name] for name in kept):
            rows.append({"number": row["number"], **kept})
            if documents != row["documents"] and not row["undone"]:
                state.narrow(row["number"], documents)
    steps: list[Step] = [("maintain/forget_decisions", {"numbers": out})] if out else []
    return [*steps, ("load/decisions_narrowed", {"rows": rows})] if rows else steps


@dataclass(frozen=True, slots=True)
class _Borne:
    """Which names the documents and records that are left bear."""

    registry: Registry

    def key(self, key: str) -> bool:
        registry = self.registry
        indexes = (registry.key_docs, registry.name_docs, registry.window_docs, registry.title_docs)
        return key in registry.directory or any(key in index for index in indexes)

    def form(self, name: str) -> str | None:
        """The name as it is written where it is left; ``None`` if it is nowhere."""
        key = name_key(name)
        forms = {form: count for form, count in self.registry.surfaces.get(key, {}).items() if count > 0}
        directory = self.registry.directory
        if name in forms or any(name in directory.records[id].names for id in directory.claims(key)):
            return name
        if forms:
            return min(forms, key=lambda form: (-forms[form], form))
        return key if self.key(key) else None

    def anchor(self, anchor: str) -> bool:
        kind, name, label = anchored(anchor)
        if kind != "name":
            return True
        return self.key(name) and (label is None or self._is_told_from_others_by(name, label))

    def _is_told_from_others_by(self, key: str, label: str) -> bool:
        registry = self.registry
        locals_ = (local for d in registry.qualified_docs.at(key) for local in registry.locals.get(d, ()))
        return any(local.key == key and label in local.qualifiers for local in locals_)


# -- catalogs ----------------------------------------------------------------------------------------------------------


def catalog_steps(state: StoredResolver, gone: Sequence[str]) -> list[Step]:
    """Take out of the catalogs that were made of documents what only these documents say.

    A type whose own name only they say goes too, unless names in other documents are of it.

    :param gone: Ids of the documents, which the store still holds and the state does not.
    """
    kept = [each for each in versions(state.db) if each.catalog.source in _OF_DOCUMENTS]
    said = {word for each in kept for text in _texts(each.catalog) for word in _parts(text)}
    lost = _lost(state.db, said, gone) if said else frozenset()
    if not lost:
        return []
    labels = {label for counted in state.resolver.registry.labels.values() for label, n in counted.items() if n > 0}
    steps: list[Step] = []
    for each in kept:
        left = _without(each.catalog, lambda text: lost.isdisjoint(_parts(text)), labels if each.used else set())
        if left != each.catalog:
            row = {"id": f"catalog/{left.version}", "catalog": left.to_json()}
            steps += [("load/catalog", {"row": row}), *(type_steps(left) if each.used else ())]
    return steps


def _texts(catalog: Catalog) -> Iterable[str]:
    for kind in catalog.own:
        yield from (kind.name, kind.definition, kind.identity)
        yield from (*kind.examples, *kind.patterns, *kind.keywords, *kind.fields)
    for each in catalog.refused:
        yield from (each.name, each.reason)


def _parts(text: str) -> set[str]:
    """Its words, and itself as one."""
    return {*_WORD.findall(text.casefold()), _flat(text)}


def _flat(text: str) -> str:
    return " ".join(text.casefold().split())


def _lost(db: Database, said: set[str], gone: Sequence[str]) -> frozenset[str]:
    """Those of some words and phrases that stand in these documents and in no other."""
    here: set[str] = set()
    for ids in batched(gone, READ):
        for d in read_documents(db, ids):
            text = _flat(f"{d.path} {d.title} {d.text} {json.dumps(dict(d.metadata), ensure_ascii=False)}")
            here |= {part for part in said if part in text}
    if not here:
        return frozenset()
    rows = db.read("retrieve/corpus_words_elsewhere", words=sorted(here), ids=list(gone))
    return frozenset(here - {row["word"] for row in rows})


def _without(catalog: Catalog, stays: Callable[[str], bool], labels: Collection[str]) -> Catalog:
    types = [
        _kind_without(kind, stays)
        for kind in catalog.own
        if stays(kind.name) or kind.name in BUILT_IN or kind.name in labels
    ]
    refused = [each for each in catalog.refused if stays(each.name) and stays(each.reason)]
    return replace(catalog_of(types, source=catalog.source, refused=refused), version=catalog.version)


def _kind_without(kind: EntityType, stays: Callable[[str], bool]) -> EntityType:
    return replace(
        kind,
        definition=kind.definition if stays(kind.definition) else f"What is called {kind.name}.",
        identity=kind.identity if stays(kind.identity) else "Equal name.",
        examples=tuple(filter(stays, kind.examples)),
        patterns=tuple(filter(stays, kind.patterns)),
        keywords=tuple(filter(stays, kind.keywords)),
        fields=tuple(filter(stays, kind.fields)),
    )
