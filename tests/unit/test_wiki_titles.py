"""Titles in other documents' texts: matched in capitals, not inside a longer name, and linked to their document."""

from __future__ import annotations

from graphstore.evaluation.wiki_titles import matches, report_of

TEXTS = {
    "Copper Lantern": "Copper Lantern is a play by Nora Lindqvist.",
    "Nora Lindqvist": "Nora Lindqvist was born in Lund. She wrote the Copper Lantern, and lit a copper lantern.",
    "Ulf Berg (painter)": "Ulf Berg was a painter.",
    "Ulf Berg (singer)": "Ulf Berg is a singer. He knew Nora Lindqvist Holm and Eva of Lund.",
    "Second Wife": "Second Wife is a film.",
    "Lund": "In Lund he met his second wife. Ulf Berg lived there.",
}


def test_titles_are_matched_in_capitals_and_never_inside_a_longer_name() -> None:
    found = {(match.document, match.title, match.how) for match in matches(TEXTS)}
    assert ("Nora Lindqvist", "Copper Lantern", "local") in found
    assert ("Nora Lindqvist", "Copper Lantern", "lower-case") in found
    assert ("Lund", "Second Wife", "lower-case") in found
    assert ("Ulf Berg (singer)", "Lund", "inside") in found
    assert not any(document == "Ulf Berg (singer)" and title == "Nora Lindqvist" for document, title, _ in found)
    assert all(document != title for document, title, _ in found)


def test_unambiguous_titles_are_linked_and_others_are_not() -> None:
    report = report_of(TEXTS, progress=lambda *_: None)
    methods = report["methods"]
    assert methods["local"]["recall"] == 1.0
    assert methods["ambiguous"]["pairs"] > 0
    assert methods["ambiguous"]["linked"] == 0
    assert ("Copper Lantern", "Nora Lindqvist") in report["sample"]
