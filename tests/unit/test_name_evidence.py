"""What two names say for being one: graded, symmetric, and never missed by the blocks that candidates come from."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphstore.corpusmap.evidence import blocks, compare, mates, part_evidence, parts, sought
from graphstore.corpusmap.keys import name_key
from graphstore.corpusmap.types import CODE, ORGANISATION, PERSON, PLACE, PRODUCT, PROJECT, TOPIC

WORDS = ("anna", "bergmann", "bob", "robert", "w", "mark", "felt", "sr", "lo", "presti", "gaetano", "smith", "jr", "de")
KINDS = (PERSON, ORGANISATION, PLACE, TOPIC)


def evidence(a: str, b: str, kind: str = PERSON):
    return compare(name_key(a), name_key(b), kind, kind)


@pytest.mark.parametrize(
    ("a", "b", "least"),
    [
        ("Anna Bergmann", "Anna Bergman", 0.75),
        ("Anna Bergmann", "Anna Bregmann", 0.75),
        ("Bob Woodward", "Robert Woodward", 0.8),
        ("W. Mark Felt", "Mark Felt", 0.8),
        ("W. Mark Felt Sr.", "W. Mark Felt", 0.9),
        ("Frederick C. LaRue", "Fred LaRue", 0.75),
        ("Vincent 'The Chin' Gigante", "Vincent Gigante", 0.85),
        ("Lo Presti", "Gaetano Lo Presti", 0.65),
        ("Mark J. Heller", "Mark Jay Heller", 0.9),
    ],
)
def test_one_person_in_two_forms(a: str, b: str, least: float) -> None:
    assert evidence(a, b).score >= least
    assert set(sought(name_key(a))) & set(blocks(name_key(b)))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("John Smith", "Jane Smith"),
        ("John Smith", "John Smythe-Jones"),
        ("Albert Smith", "Alan Smith"),
        ("Mark Felt Jr.", "Mark Felt Sr."),
        ("Robert Smith", "Robert Brown"),
        ("Mark Alan Felt", "Mark John Felt"),
    ],
)
def test_a_differing_full_word_is_another_person(a: str, b: str) -> None:
    assert evidence(a, b) is None


def test_spelling_joins_things_and_numbers_and_types_part_them() -> None:
    assert evidence("Mt. Cook", "Mount Cook", PLACE).score == 0.9
    assert evidence("Promises Treatment Centre", "Promises Treatment Center", PLACE).score == 0.9
    assert evidence("Terminal 2 North", "Terminal 3 North", PLACE) is None
    assert compare("rev alpha one", "rev alpha ones", CODE, CODE) is None
    assert compare("anna bergmann", "anna bergman", PERSON, PRODUCT) is None


def test_a_team_is_called_by_its_last_word_and_a_place_is_not() -> None:
    assert part_evidence("colts", "indianapolis colts", ORGANISATION).score == 0.6
    assert part_evidence("city", "kansas city", PLACE) is None


names = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)


@given(names, names, st.sampled_from(KINDS), st.sampled_from(KINDS))
@settings(max_examples=400, deadline=None)
def test_evidence_is_symmetric_and_found_by_a_block(a: str, b: str, kind_a: str, kind_b: str) -> None:
    found = compare(a, b, kind_a, kind_b)
    assert found == compare(b, a, kind_b, kind_a)
    if found and a != b:
        assert b in mates(a, lambda block: [name for name in (a, b) if block in blocks(name)]), (a, b, found)


@given(st.lists(st.text("abcdemnrst", min_size=1, max_size=9), min_size=1, max_size=3), st.data())
@settings(max_examples=400, deadline=None)
def test_one_slip_is_found_by_a_block(words: list[str], data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(words) - 1))
    word = words[index]
    at = data.draw(st.integers(0, len(word) - 1))
    slip = data.draw(st.sampled_from(["drop", "double", "swap", "change"]))
    changed = {
        "drop": word[:at] + word[at + 1 :],
        "double": word[:at] + word[at] + word[at:],
        "swap": word[:at] + word[at + 1 : at + 2] + word[at] + word[at + 2 :],
        "change": word[:at] + "z" + word[at + 1 :],
    }[slip]
    a, b = " ".join(words), " ".join([*words[:index], *([changed] if changed else []), *words[index + 1 :]])
    if a != b and compare(a, b, TOPIC, TOPIC):
        assert set(sought(a)) & set(blocks(b)), (a, b)


def test_a_project_may_be_called_by_its_name_alone() -> None:
    found = compare("blue heron", "project blue heron", TOPIC, PROJECT)
    assert (
        found
        == compare("project blue heron", "blue heron", PROJECT, TOPIC)
        == part_evidence("heron", "project heron", PROJECT)
    )
    assert found
    assert found.reason == "the project's name alone"
    assert set(sought("blue heron")) & set(blocks("project blue heron"))
    assert compare("blue heron", "project blue heron", PERSON, PROJECT) is None
    assert part_evidence("heron", "project blue heron", PROJECT) is None


@given(names, names)
def test_a_part_that_stands_for_a_name_is_among_its_parts(word: str, key: str) -> None:
    if " " not in word and " " in key and part_evidence(word, key, PERSON):
        assert word in parts(key)
