"""Which pages new documents touch."""

from __future__ import annotations

import pytest

from graphstore.evaluation.page_updates import touched

BEFORE = {("a", "walker"): ["Pete Walker"], ("b", "walker"): ["Pete Walker"], ("a", "derby"): ["Derby"]}


@pytest.mark.parametrize(
    ("after", "new", "wanted"),
    [
        ({}, {}, set()),
        ({("n", "other"): ["Orla Quist"]}, {"n": "Orla Quist came by"}, set()),
        ({("n", "walker"): ["P. Walker"]}, {"n": "P. Walker came by"}, {"walker"}),  # it mentions the entity
        ({}, {"n": "the Earl of Derby"}, {"derby"}),  # it bears one of its names
        ({}, {"n": "Derbyshire"}, set()),
        # a document's name stands for what the new document speaks of under a fuller one
        ({("a", "peter"): ["Pete Walker"], ("n", "peter"): ["Peter Walker"]}, {"n": "Peter Walker"}, {"walker"}),
        ({("a", "peter"): ["Pete Walker"]}, {"n": "Peter Walker"}, set()),  # that would be a fault
    ],
)
def test_a_page_is_touched_by_what_is_evidence_for_it(after, new, wanted):
    assert touched(BEFORE, {**BEFORE, **after} if not any("peter" in key for key in after) else after, new) == wanted


def test_a_name_of_marks_alone_is_in_no_text():
    assert touched({("a", "marks"): ["…"]}, {}, {"n": "anything"}) == set()
