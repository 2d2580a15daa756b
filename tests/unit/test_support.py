"""Two names that are too little by themselves: one thing only where something else agrees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from graphstore.corpusmap.decisions import Link
from graphstore.corpusmap.evidence import compare, part_evidence
from graphstore.corpusmap.extraction import Extraction, Name, StatedAlias, key_of
from graphstore.corpusmap.keys import name_key
from graphstore.corpusmap.resolve import Resolver
from graphstore.corpusmap.types import ORGANISATION, PERSON, PLACE, PROJECT, TOPIC

Said = Sequence[tuple[str, str]]
"""Names of a document, each with its type."""


def resolved(documents: Mapping[str, Said], stated: Mapping[str, tuple[StatedAlias, ...]] | None = None) -> Resolver:
    resolver = Resolver()
    for document, said in documents.items():
        names = tuple(
            Name(40 * at, 40 * at + len(text), text, kind, (), kind == PROJECT, key_of(text, kind))
            for at, (text, kind) in enumerate(said)
        )
        resolver.put(document, "", "", Extraction(names, (), (stated or {}).get(document, ())))
    resolver.settle()
    return resolver


def entity(resolver: Resolver, document: str, name: str) -> str:
    (found,) = [d.entity for d in resolver.decisions[document] if isinstance(d, Link) and name in d.names]
    return found


PAIRS = [
    ("Pete Walker", "Peter Walker"),
    ("Robert Smith", "Robert Paul Smith"),
    ("Keith David", "David Keith"),
    ("R. Rao", "Raju Rao"),
    ("Robert Downey", "Robert Downey Jr."),
]


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_two_people_of_like_names_are_one_only_if_their_documents_share_something(a: str, b: str) -> None:
    apart = resolved({"x": [(a, PERSON), ("Hammer Films", ORGANISATION)], "y": [(b, PERSON), ("Lake Park", PLACE)]})
    assert entity(apart, "x", a) != entity(apart, "y", b)
    shared = ("Blue Heron Garden", PLACE)
    near = resolved({"x": [(a, PERSON), shared], "y": [(b, PERSON), shared]})
    assert entity(near, "x", a) == entity(near, "y", b)


def test_a_document_that_has_a_fuller_name_beside_the_short_one_says_enough() -> None:
    both = [("Gordon William Flemyng", PERSON), ("Gordon Flemyng", PERSON)]
    found = resolved({"x": both, "y": [("Gordon Flemyng", PERSON)]})
    assert entity(found, "x", "Gordon William Flemyng") == entity(found, "y", "Gordon Flemyng")


def test_a_document_that_has_father_and_son_apart_says_that_they_are_two() -> None:
    found = compare("gene fowler", "gene fowler jr", PERSON, PERSON)
    assert found is not None
    assert found.apart
    elder = compare("mark felt", "mark felt sr", PERSON, PERSON)
    assert elder is not None
    assert not elder.apart


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("George W. Bush", "George H. W. Bush"),
        ("George V", "George Tupou V"),
        ("Abd al Aziz", "Umar ibn Abd al Aziz"),
        ("Nassau Dillenburg", "Catherine of Nassau Dillenburg"),
    ],
)
def test_another_initial_a_number_or_a_word_before_is_another_person(a: str, b: str) -> None:
    assert compare(name_key(a), name_key(b), PERSON, PERSON) is None


def test_what_stands_behind_of_is_not_the_whole() -> None:
    assert part_evidence("america", "bank of america", ORGANISATION) is None
    assert compare("souls college", "warden of souls college", ORGANISATION, ORGANISATION) is None


def test_initials_that_count_small_words_or_are_two_need_a_document_with_both_names() -> None:
    assert part_evidence("nbc", "national broadcasting company", ORGANISATION).needs == ""
    assert part_evidence("nbc", "nothing by chance", TOPIC).needs == "document"
    assert part_evidence("ny", "new yorker", ORGANISATION).needs == "document"
    assert part_evidence("ap", "american pie", TOPIC) is None
    shared = ("Blue Heron Garden", PLACE)
    found = resolved({"x": [("NBC", ORGANISATION), shared], "y": [("Nothing by Chance", TOPIC), shared]})
    assert entity(found, "x", "NBC") != entity(found, "y", "Nothing by Chance")


def test_a_word_of_far_more_documents_is_no_short_form_of_a_longer_name() -> None:
    shared = ("Blue Heron Garden", PLACE)
    one = {"x": [("Fox Theatre", ORGANISATION), shared]}
    few = resolved({**one, "y": [("Fox", ORGANISATION), shared]})
    assert entity(few, "y", "Fox") == entity(few, "x", "Fox Theatre")
    many = resolved({**one, **{f"y{n}": [("Fox", ORGANISATION), shared] for n in range(3)}})
    assert entity(many, "y0", "Fox") != entity(many, "x", "Fox Theatre")


def test_a_company_is_no_place_or_person_of_its_name() -> None:
    found = resolved({"x": [("Jordan", PLACE)], "y": [("Jordan Company", ORGANISATION)]})
    assert entity(found, "x", "Jordan") != entity(found, "y", "Jordan Company")


def test_a_word_that_one_text_calls_someone_is_theirs_elsewhere_only_if_documents_agree() -> None:
    stated = {"x": (StatedAlias("Wally Benton", "Fox", acronym=False),)}
    texts = {"x": [("Wally Benton", PERSON), ("Fox", TOPIC), ("Blue Heron Garden", PLACE)]}
    others = {f"y{n}": [("Fox", ORGANISATION), ("Star Bright Show", TOPIC)] for n in range(3)}
    apart = resolved({**texts, **others}, stated)
    assert entity(apart, "y0", "Fox") != entity(apart, "x", "Wally Benton")
    assert entity(apart, "x", "Fox") == entity(apart, "x", "Wally Benton")
    agreeing = {name: [*said, ("Blue Heron Garden", PLACE)] for name, said in others.items()}
    near = resolved({**texts, **agreeing}, stated)
    assert entity(near, "y0", "Fox") == entity(near, "x", "Wally Benton")


def test_a_projects_code_name_means_it_wherever_it_stands_alone() -> None:
    stated = {"x": (StatedAlias("Project Atlas", "Bluebird", acronym=False),)}
    found = resolved({"x": [("Project Atlas", PROJECT)], "y": [("Bluebird", TOPIC), ("Lake Park", PLACE)]}, stated)
    assert entity(found, "y", "Bluebird") == entity(found, "x", "Project Atlas")
