"""Names found in questions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphstore.corpusmap.keys import name_key
from graphstore.names import normalise
from graphstore.retrieval.mentioned import Gazetteer

NAMES = ["Project Atlas", "Atlas", "Berlin", "Steam engine", "the", "C++", "李伟", "项目经理", "INC-1042"]


def gazetteer_of(pairs, key):
    pairs = list(pairs)
    names, members = [name for name, _ in pairs], np.array([index for _, index in pairs], dtype=np.int64)
    return Gazetteer.of(names, np.arange(len(pairs)), members, key)


def found(question, key=normalise):
    gazetteer = gazetteer_of(((key(name), i) for i, name in enumerate(NAMES)), key)
    return [NAMES[i] for indices in gazetteer.found_in(question).values() for i in indices]


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who leads Project Atlas?", ["Project Atlas"]),
        ("Is Atlas late?", ["Atlas"]),
        ("What is Berlin's budget, and Project Atlas’s?", ["Berlin", "Project Atlas"]),
        ("when was the steam engine patented", ["Steam engine"]),
        ("the atlas of maps, please, Anna", []),
        ("who leads atlas", ["Atlas"]),
        ("Who wrote it in C++?", ["C++"]),
        ("(INC-1042)", ["INC-1042"]),
        ("李伟的项目经理是谁？", ["李伟", "项目经理"]),
        ("", []),
        ("?!", []),
    ],
)
def test_longest_names_are_found_as_written(question, names):
    assert found(question) == names


def test_a_key_that_reorders_words_still_finds_the_name():
    assert found("Who leads the Atlas project?", name_key) == ["Project Atlas"]


def test_one_name_of_several_things_gives_them_all():
    gazetteer = gazetteer_of([("li wei", 3), ("li wei", 1), ("li wei", 3)], normalise)
    assert gazetteer.found_in("Ask Li Wei") == {"li wei": (1, 3)}


FORMS = [
    "Project Atlas",
    "the Atlas project",
    "Dr. Anna Schmidt",
    "R. & D. Group",
    "Inception (film)",
    "C++",
    "Li-Wei Ng",
]


@given(
    st.lists(
        st.sampled_from([*FORMS, "Anna", "Berlin's", "the", "Dr.", "Prof.", "Atlas,", "(film)", "& Sons", "über", "?"]),
        max_size=12,
    ),
    st.sampled_from([normalise, name_key]),
)
def test_what_is_never_looked_up_would_not_be_found(parts, key):
    quick = gazetteer_of([(key(form), i) for i, form in enumerate(FORMS)], key)

    class Every(frozenset):
        def issuperset(self, other):
            return True

    question = " ".join(parts)
    assert quick.found_in(question) == replace(quick, words=Every()).found_in(question)
