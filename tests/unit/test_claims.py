"""Claims and conflicts: little is found, and what is found holds."""

from __future__ import annotations

import pytest
from growth import LINEAR, growth
from hypothesis import given
from hypothesis import strategies as st

from graphstore.models import Fact
from graphstore.pages.claims import Claims
from graphstore.pages.conflicts import conflicts_of

ATLAS = ("Project Atlas", "Atlas", "Bluebird", "项目Atlas")
SAID = "2026-02-11"


def claimed(statement: str) -> set[tuple[str, str]]:
    return {(claim.attribute, claim.value) for claim in Claims(ATLAS).of(statement, SAID)}


@pytest.mark.parametrize(
    ("statement", "attribute", "value"),
    [
        ("Project Atlas launches on 3 May 2026.", "launch", "2026-05-03"),
        ("The launch of Atlas moves to 12 March.", "launch", "2026-03-12"),
        ("Go-live of Bluebird moves from 1 June 2026 to 15 June 2026.", "launch", "2026-06-15"),
        ("Bluebird 的上线日期目前是6月15日。", "launch", "2026-06-15"),
        ("Project Atlas (code name Bluebird) slips to 12 March 2026.", "date", "2026-03-12"),
        ("The deadline for Project Atlas is 1 June 2026.", "deadline", "2026-06-01"),
        ("The budget of Project Atlas is 40,000 EUR.", "budget", "40000 EUR"),
        ("Project Atlas has a budget of €40k.", "budget", "40000 EUR"),
        ("The owner of Project Atlas is Priya Raman.", "owner", "priya raman"),
        ("Project Atlas is owned by Tom Becker, who joined in May.", "owner", "tom becker"),
        ("Priya Raman leads Atlas.", "lead", "priya raman"),
        ("**Status of Project Atlas:** red since Monday", "status", "red"),
        ("Project Atlas is on hold.", "status", "on hold"),
        ("项目Atlas的负责人是王芳。", "owner", "王芳"),
        ("Atlas needs 12 servers.", "@ needs … [servers]", "12 servers"),
    ],
)
def test_a_statement_claims_a_value_of_an_attribute(statement: str, attribute: str, value: str):
    assert (attribute, value) in claimed(statement)


@pytest.mark.parametrize(
    "statement",
    [
        "Does Project Atlas launch on 3 May?",
        "If Atlas launches on 3 May we pay.",
        "Project Atlas was not launched on 3 May.",
        "He wanted Atlas to launch on 3 May.",
        "Review of Project Atlas on 3 May 2026.",
        "Atlas and Bluebird launch on 3 May.",
        "Atlas has phase 2 and room 12.",
        "Atlas runs on CHG-2026-118 and v1.2.",
        "Priya Raman, owner of Atlas, said so.",
        "Atlasian launches on 3 May.",
        "",
    ],
)
def test_what_is_asked_denied_wished_or_another_thing_claims_nothing(statement: str):
    assert claimed(statement) == set()


@pytest.mark.parametrize(
    "statement", ["Atlas launch party on 6 June.", "Project Atlas launches after the fair that ends on 3 May."]
)
def test_a_date_of_something_else_is_no_claim_about_the_launch(statement: str):
    assert all("…" in attribute for attribute, _ in claimed(statement)), "only the whole sentence is a frame"


def facts(*rows: tuple[str, str, str]) -> list[Fact]:
    return [Fact(text, document, said, said) for document, said, text in rows]


def test_two_documents_that_differ_conflict_and_the_one_said_last_comes_first():
    found = conflicts_of(
        facts(
            ("plan", "2026-01-05", "Project Atlas launches on 3 May 2026."),
            ("mail", "2026-02-01", "The launch of Atlas moves to 10 June 2026."),
            ("note", "2026-03-01", "Atlas launches on 3 May 2026."),
        ),
        ATLAS,
    )
    assert [(each.attribute, [version.value for version in each.versions]) for each in found] == [
        ("launch", ["3 May 2026", "10 June 2026"])
    ]
    assert [fact.document for fact in found[0].versions[0].facts] == ["note", "plan"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Project Atlas launches on 3 May 2026.", "Atlas launches on 2026-05-03."),
        ("The budget of Atlas is 40,000 EUR.", "Atlas has a budget of €40k."),
        ("Project Atlas status: green", "Project Atlas status: green light"),
        ("Project Atlas launches on 3 May 2026.", "The deadline for Atlas is 10 May 2026."),
        ("Atlas needs 12 servers.", "Atlas needs 3 people."),
        ("Atlas is owned by Priya Raman.", "Atlas is led by Tom Becker."),
    ],
)
def test_equal_values_more_detail_and_other_attributes_do_not_conflict(one: str, other: str):
    assert conflicts_of(facts(("a", "2026-01-05", one), ("b", "2026-02-05", other)), ATLAS) == ()


def test_one_document_alone_does_not_conflict():
    rows = facts(("a", SAID, "Atlas launches on 3 May."), ("a", SAID, "Atlas launches on 10 May."))
    assert conflicts_of(rows, ATLAS) == ()
    assert conflicts_of([*rows, *facts(("b", SAID, "Atlas launches on 3 May."))], ATLAS) != ()


@given(st.text(max_size=80), st.lists(st.text(max_size=12), max_size=4))
def test_no_words_and_no_names_break_it(statement: str, forms: list[str]):
    Claims(forms).of(statement, None)
    Claims([*forms, "Atlas"]).of(f"Atlas {statement} 3 May 2026", SAID)


@pytest.mark.parametrize("word", ["会", "A", "Aa", "A.", "A ", "1", "1,", "("])
def test_a_long_run_of_letters_costs_what_it_is_long(word: str):
    for form in ("{} Atlas", "Atlas {}", "Atlas is {}"):
        assert growth(lambda size, form=form: claimed(form.format(word * size)), 500) < LINEAR
