"""Entities that may be one: hand-made pairs, vetoes, and that the order of entities does not matter."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphstore.corpusmap.duplicates import Candidate, Duplicate, duplicates_of
from graphstore.corpusmap.types import CODE, ORGANISATION, PERSON, PROJECT, TOPIC


def entity(name: str, kind: str, *documents: str, distinct: tuple[str, ...] = (), tag: str = "") -> Candidate:
    return Candidate(name + tag, name, kind, (name,), {d: f"notes/{d}.md" for d in documents}, frozenset(distinct))


def named(found: list[Duplicate]) -> list[tuple[str, str]]:
    return [(pair.keep.name, pair.merge.name) for pair in found]


@pytest.mark.parametrize(
    ("a", "b", "kind", "reason"),
    [
        ("Anna Schmidt", "Schmidt Anna", PERSON, "the same words in another order"),
        ("Katharina Bergmann", "Katharina Bergman", PERSON, "one letter differs"),
        ("Harold Schuster", "Harold Dean Schuster", PERSON, "one middle name more"),
        ("Bea Schmidt", "B. Schmidt", PERSON, "initial and surname"),
        ("Northwind Trading", "Northwind Trading Ltd.", ORGANISATION, "the same name but for the legal form"),
        ("Project Nightingale", "Project Nightengale", PROJECT, "one letter differs"),
    ],
)
def test_a_pair_is_proposed_with_its_reason(a: str, b: str, kind: str, reason: str) -> None:
    (pair,) = duplicates_of([entity(b, kind, "d3"), entity(a, kind, "d1", "d2")])
    assert (pair.keep.name, pair.merge.name) == (a, b)
    assert pair.reasons[0] == reason
    assert 0.7 < pair.confidence < 1


@pytest.mark.parametrize(
    ("a", "b", "kind"),
    [
        ("SR-2023-052", "SR-2023-053", CODE),
        ("Service Report 2023-052", "Service Report 2023-053", TOPIC),
        ("Forecast Q3 2024", "Forecast Q3 2025", TOPIC),
        ("Ledger Suite v1.2", "Ledger Suite v1.12", TOPIC),
        ("Maria Schmidt", "Marta Wagner", PERSON),
        ("Anna Schmidt", "Bea Schmidt", PERSON),
        ("李伟明", "李伟民", PERSON),
    ],
)
def test_what_tells_two_things_apart_is_never_proposed(a: str, b: str, kind: str) -> None:
    assert duplicates_of([entity(a, kind, "d1"), entity(b, kind, "d2")]) == []


def test_types_that_differ_and_people_declared_two_are_left_alone() -> None:
    a = entity("Katharina Bergmann", PERSON, "d1")
    assert duplicates_of([a, entity("Katharina Bergman", ORGANISATION, "d2")]) == []
    assert duplicates_of([a, entity("Katharina Bergman", PERSON, "d2", distinct=(a.id,))]) == []
    assert len(duplicates_of([a, entity("Katharina Bergman", PERSON, "d2")])) == 1


def test_a_document_that_holds_both_spellings_says_that_they_are_two() -> None:
    a = entity("Katharina Bergmann", PERSON, "d1", "d2")
    assert duplicates_of([a, entity("Katharina Bergman", PERSON, "d2")]) == []


def test_two_bearers_of_one_name_are_not_proposed() -> None:
    assert duplicates_of([entity("Li Wei", PERSON, "d1", tag="a"), entity("Li Wei", PERSON, "d2", tag="b")]) == []


def test_shared_company_raises_confidence_and_is_said() -> None:
    pair = [entity("Bea Schmidt", PERSON, "d1"), entity("B. Schmidt", PERSON, "d2")]
    alone = duplicates_of(pair)[0]
    together = duplicates_of([*pair, entity("Northwind Trading", ORGANISATION, "d1", "d2")])[0]
    assert together.confidence > alone.confidence
    assert "both are mentioned with Northwind Trading" in together.reasons


names = st.sampled_from(
    ["Bea Schmidt", "B. Schmidt", "Schmidt Bea", "Bea C. Schmidt", "Northwind Ltd.", "Northwind", "Rev 1", "Rev 2"]
)


@given(
    st.lists(st.tuples(names, st.sampled_from([PERSON, TOPIC]), st.sets(st.sampled_from("xyz"), min_size=1))),
    st.randoms(),
)
def test_the_order_of_entities_does_not_matter(rows: list[tuple[str, str, set[str]]], chance: random.Random) -> None:
    made = [entity(name, kind, *sorted(docs), tag=str(index)) for index, (name, kind, docs) in enumerate(rows)]
    shuffled = list(made)
    chance.shuffle(shuffled)
    assert duplicates_of(made) == duplicates_of(shuffled)
