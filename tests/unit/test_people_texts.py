"""Texts about people against a directory: the ways of asking are made by seeded scripts, and links are counted."""

from __future__ import annotations

from graphstore.evaluation.people_report import report_of
from graphstore.evaluation.people_texts import People, Text, first_names, places, renamed, with_slips

ROWS = {
    id: {"emp_id": id, "Name": name, "category": category, "Level": "L1", "email": f"{id}@helio.example"}
    for id, name, category in (
        ("emp_1", "Priya Raman", "Finance"),
        ("emp_2", "Thomas Becker", "Engineering"),
        ("emp_3", "Thomas Lindqvist", "Finance"),
    )
}
TICKETS = (
    Text("1", "Hello team, I'm Thomas Becker from the Engineering department. My account is locked.", "emp_2", ""),
    Text("2", "Hello team, this is Priya Raman from the Finance department. My laptop is slow.", "emp_1", ""),
)


def people() -> People:
    texts = tuple(Text(t.id, t.text, t.person, ROWS[t.person]["Name"]) for t in TICKETS)
    return People(ROWS, texts, ())


def test_a_name_is_written_otherwise_at_every_place() -> None:
    text = Text("1", "Ann Lee met Ann Leeson. Ann Lee left.", "emp_1", "Ann Lee")
    assert len(places(text)) == 2
    assert renamed(text, "Ann").text == "Ann met Ann Leeson. Ann left."
    assert first_names([text])[0].name == "Ann"


def test_slips_are_one_edit_and_the_same_for_a_seed() -> None:
    texts = people().tickets
    assert with_slips(texts, 3) == with_slips(texts, 3)
    for before, after in zip(texts, with_slips(texts, 3), strict=True):
        assert before.name != after.name
        assert before.name[0] == after.name[0]
        assert abs(len(before.name) - len(after.name)) <= 1


def test_full_names_are_linked_and_first_names_by_their_department() -> None:
    methods = report_of(people(), progress=lambda *_: None)["methods"]
    assert (methods["local"]["linked"], methods["local"]["wrong"]) == (2, 0)
    assert (methods["first-name"]["linked"], methods["first-name"]["wrong"]) == (2, 0)
    assert methods["absent"]["linked"] == methods["absent"]["wrong"] == 0
    assert methods["homonyms"]["wrong"] == 0
