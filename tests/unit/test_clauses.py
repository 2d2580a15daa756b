from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from graphstore.tokens import tokenise
from graphstore.toolgraph.clauses import LEAST, MOST, align, clauses

ANY_SCRIPT = st.text(
    st.one_of(st.sampled_from(" \n,.;:!?。，、；\"'“”()并然后ab9é李и"), st.characters(codec="utf-8")), max_size=120
)
COSINES = hnp.arrays(
    np.float64,
    st.tuples(st.integers(1, 4), st.integers(1, 5)),
    elements=st.integers(-4, 4).map(lambda n: n / 4),
)


def without_blanks(text: str) -> str:
    return "".join(text.split())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Delete my last email from nadia", ["Delete my last email from nadia"]),
        (
            "Set an alarm for seven tomorrow morning, and finally play some quiet music.",
            ["Set an alarm for seven tomorrow morning,", "and finally play some quiet music."],
        ),
        (
            "请先查询合同，然后发邮件给李伟，并且预订星期二的会议室。",
            ["请先查询合同，", "然后发邮件给李伟，", "并且预订星期二的会议室。"],
        ),
        (
            "Erstelle eine neue Datei und dann sende die Datei an Bob",
            ["Erstelle eine neue Datei", "und dann sende die Datei an Bob"],
        ),
        ("1. find the lost file\n2. mail the file home", ["1. find the lost file", "2. mail the file home"]),
        ("Find 3.5 mm cable offers, at most v1.2, near Oslo", ["Find 3.5 mm cable offers, at most v1.2, near Oslo"]),
        ('Find the note "milk, then bread, and then salt. Sugar." please', None),
        ("Finally, book the blue room", ["Finally, book the blue room"]),
    ],
)
def test_a_request_is_cut_where_a_wish_ends(text: str, expected: list[str] | None):
    assert list(clauses(text)) == (expected or [text])


@given(ANY_SCRIPT)
def test_clauses_hold_the_whole_text_in_order(text: str):
    assert without_blanks("".join(clauses(text))) == without_blanks(text)


@given(ANY_SCRIPT)
def test_a_clause_says_something_unless_it_is_the_whole_text(text: str):
    parts = clauses(text)
    assert len(parts) <= MOST
    assert len(parts) == 1 or all(len(tokenise(part)) >= LEAST for part in parts) or not parts


def test_a_blank_text_has_no_clause_and_a_long_one_no_more_than_the_most():
    assert clauses(" \n ") == ()
    assert len(clauses("Find the red house number nine. " * 50)) == MOST


@given(COSINES)
def test_an_alignment_is_monotone_and_the_best_of_all(cosines: np.ndarray):
    count, calls = cosines.shape
    chosen = align(cosines)

    def total(choice: tuple[int, ...]) -> float:
        return sum(cosines[clause, call] for call, clause in enumerate(choice))

    assert np.all(np.diff(chosen) >= 0)
    assert total(tuple(chosen)) == max(map(total, combinations_with_replacement(range(count), calls)))


@given(st.lists(COSINES, min_size=1, max_size=3))
def test_paths_of_one_shape_are_aligned_together_as_each_alone(listed: list[np.ndarray]):
    alike = [cosines for cosines in listed if cosines.shape == listed[0].shape]
    assert align(np.array(alike)).tolist() == [align(cosines).tolist() for cosines in alike]
