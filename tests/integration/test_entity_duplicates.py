"""Proposed duplicates from a real graph: from the resolver's own entities, for the owner and for readers."""

from __future__ import annotations

import json

from graphstore.corpusmap.ledger import distinct
from graphstore.corpusmap.registries import load_records
from graphstore.corpusmap.update import load_documents
from graphstore.db import Database
from graphstore.encoders import load_encoder
from graphstore.pages.duplicates import duplicates
from graphstore.records import SourceDocument, SourceEntity
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
    distinct(db, pair.keep.id, pair.merge.id)
    assert ("Katharina Bergmann", "Katharina Bergman") not in pairs(db)


def test_a_record_is_proposed_for_who_is_like_it_and_for_a_record_that_says_the_same(db: Database):
    load(db)
    people = [
        SourceEntity(
            f"p{i}", name, "person", (), {"mail": f"{name.split()[0].lower()}@helio.example", "phone": f"0{i}7{i}1{i}"}
        )
        for i, name in enumerate(("Erika Nyman", "Olu Adeyemi", "Priya Raman", "Tom Becker", "Ana Costa"))
    ]
    twin = SourceEntity("q9", "Priya Ramann", "person", (), people[2].attributes)
    load_records(db, [SourceEntity("k1", "Katharina Bergmann", "person"), *people, twin])
    found = pairs(db)
    assert ("Katharina Bergmann", "Katharina Bergman") in found
    assert ("Priya Raman", "Priya Ramann") in found
    assert not any("Priya" in name for pair in pairs(db, ["board"]) for name in pair)
