"""Citations of an answer, against what was opened."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphstore.agent.citations import checked
from graphstore.agent.records import Citation

KICKOFF = Citation(id="d1", path="minutes/2026-01-13 kick-off.md", title="Kick-off")
PRICE = Citation(id="d2", path="mail/price.txt", title="Price")
TWIN = Citation(id="d3", path="archive/price.txt", title="Price, old")
OPENED = [KICKOFF, PRICE]


@pytest.mark.parametrize(
    ("answer", "text", "paths"),
    [
        ("On 4 May [mail/price.txt].", "On 4 May [mail/price.txt].", ["mail/price.txt"]),
        ("On 4 May [d2].", "On 4 May [mail/price.txt].", ["mail/price.txt"]),
        ("A [./mail/price.txt:12] B [/MAIL/price.txt]", "A [mail/price.txt] B [mail/price.txt]", ["mail/price.txt"]),
        ("A [price.txt, lines 3-9]", "A [mail/price.txt]", ["mail/price.txt"]),
        ("A [document minutes/2026-01-13 kick-off.md]", f"A [{KICKOFF.path}]", [KICKOFF.path]),
        (
            f"A [mail/price.txt; {KICKOFF.path}]",
            f"A [mail/price.txt] [{KICKOFF.path}]",
            ["mail/price.txt", KICKOFF.path],
        ),
        ("A [the price mail](mail/price.txt).", "A the price mail [mail/price.txt].", ["mail/price.txt"]),
        (
            "He wrote “teh [sic] price” and [as agreed] left [...]",
            "He wrote “teh [sic] price” and [as agreed] left [...]",
            [],
        ),
    ],
)
def test_what_was_opened_is_cited_in_one_form(answer, text, paths):
    found = checked(answer, OPENED)
    assert (found.text, [each.path for each in found.cited], found.refused) == (text, paths, ())


@pytest.mark.parametrize(
    ("answer", "text", "refused"),
    [
        ("On 4 May [hr/salaries.md].", "On 4 May.", ("hr/salaries.md",)),
        ("On 4 May [1].", "On 4 May.", ("1",)),
        ("A [mail/price.txt, hr/salaries.md] B", "A [mail/price.txt] B", ("hr/salaries.md",)),
        ("A [see](hr/salaries.md) B", "A B", ("hr/salaries.md",)),
        ("A [d9], again [d9].", "A, again.", ("d9",)),
        ("A [https://example.org/x]", "A", ("https://example.org/x",)),
    ],
)
def test_what_was_not_opened_is_taken_out(answer, text, refused):
    found = checked(answer, OPENED)
    assert (found.text, found.refused) == (text, refused)


def test_a_file_name_that_two_documents_have_names_none():
    assert checked("A [price.txt]", [PRICE, TWIN]).refused == ("price.txt",)
    assert checked("A [mail/price.txt]", [PRICE, TWIN]).cited == (PRICE,)


@given(st.text(alphabet="ab []();,./:1\n", max_size=80))
def test_only_what_was_opened_is_ever_cited_and_a_second_look_changes_nothing(answer: str):
    opened = [Citation(id="a", path="a/b.a", title=""), Citation(id="b", path="b", title="")]
    found = checked(answer, opened)
    assert set(found.cited) <= set(opened)
    again = checked(found.text, opened)
    assert set(again.cited) <= set(found.cited)
    assert checked(answer, []).cited == ()
