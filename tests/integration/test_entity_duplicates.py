"""Proposed duplicates from a real graph: from the resolver's own entities, for the owner and for readers."""

from __future__ import annotations

import json

from graphstore.corpusmap.update import load_documents
from graphstore.db import Database
from graphstore.encoders import load_encoder
from graphstore.pages.duplicates import duplicates
from graphstore.records import SourceDocument
from graphstore.visibility import Visibility

TEXTS = {
    "a.md": ([], "Katharina Bergmann of Northwind Trading Ltd. signed the contract with Dr. Erik Halvorsen."),
    "b.md": ([], "The audit was led by Katharina Bergmann. Northwind Trading Ltd. agreed with Dr. Erik Halvorsen."),
    "c.md": (["board"], "Ms. Katharina Bergman wrote the minutes for the board in Bergen."),
}


def load(db: Database) -> None:
    made = [SourceDocument(path, path, f"Note {path}", text, acl=tuple(acl)) for path, (acl, text) in TEXTS.items()]
    load_documents(db, load_encoder(), lambda: made)


def pairs(db: Database, reader: list[str] | None = None) -> set[tuple[str, str]]:
    return {(pair.keep.name, pair.merge.name) for pair in duplicates(db, 50, Visibility.of(reader))}


def test_a_misspelt_person_is_proposed_and_only_to_who_may_see_both(db: Database):
    load(db)
    assert ("Katharina Bergmann", "Katharina Bergman") in pairs(db)
    assert ("Katharina Bergmann", "Katharina Bergman") in pairs(db, ["board"])
    seen = json.dumps([(p.keep.name, p.merge.name, p.reasons) for p in duplicates(db, 50, Visibility.of(["bob"]))])
    assert 'Bergman"' not in seen


def test_what_was_declared_distinct_is_not_proposed_again(db: Database):
    load(db)
    (pair,) = [p for p in duplicates(db, 50) if p.merge.name == "Katharina Bergman"]
    declared = db.run(
        "MATCH (a:Entity {id: $a}), (b:Entity {id: $b}) CREATE (b)-[:DISTINCT_FROM {by: 'test', at: '2026'}]->(a)",
        {"a": pair.keep.id, "b": pair.merge.id},
        write=True,
    )
    assert list(declared) == []
    assert ("Katharina Bergmann", "Katharina Bergman") not in pairs(db)
