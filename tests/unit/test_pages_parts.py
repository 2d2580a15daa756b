"""Pages in parts: each within its budget, together all of the page, the same every time."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphstore.errors import NotFound, SettingsError
from graphstore.models import EntityPage
from graphstore.pages.build import Link, build_page, named
from graphstore.pages.markdown import escape
from graphstore.pages.parts import LEAST_TOKENS, PAGE_TOKENS, page_part, page_parts
from graphstore.retrieval.prompt_tokens import estimated_tokens

WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
LINKS = st.lists(st.tuples(WORDS, st.lists(WORDS | st.just("long " * 200), max_size=4)), min_size=2, max_size=25)


def page_of(count: int, statements: int = 2) -> EntityPage:
    links = [
        Link(
            f"d{i}",
            f"notes/note {i:03}.md",
            f"Note {i} of the project",
            f"2026-01-{1 + i % 28:02}",
            None,
            tuple(f"Statement {j} of note {i} says that Atlas goes on." for j in range(statements)),
            (f"2026-01-{1 + i % 28:02}",) * statements,
        )
        for i in range(count)
    ]
    return build_page(named("a" * 32, "Atlas", "project", [["Atlas"]] * count), links)


def test_a_short_page_is_one_part_without_a_word_of_parts():
    (part,) = page_parts(page_of(3))
    assert (part.part, part.parts, part.statements_left, part.documents_left) == (1, 1, 0, 0)
    assert "Part" not in part.text


def test_a_long_page_goes_on_in_parts_linked_to_one_another():
    parts = page_parts(page_of(60), 800)
    assert len(parts) > 3
    assert all(part.tokens <= 800 for part in parts)
    assert parts[0].text.endswith("Go on: [part 2](atlas-aaaaaaaaaaaa-2.md)\n")
    assert "Go on: [part 1](atlas-aaaaaaaaaaaa.md) · [part 3](atlas-aaaaaaaaaaaa-3.md)\n" in parts[1].text
    assert parts[1].text.startswith(
        "---\nid: " + "a" * 32 + "\nname: Atlas\ntype: project\npart: 2\n---\n\n# Atlas, part 2"
    )
    left = (
        f"In the other parts: {parts[0].statements_left} of 120 statements, {parts[0].documents_left} of 60 documents."
    )
    assert left in parts[0].text


def test_every_statement_and_document_stands_in_some_part_and_is_counted():
    page = page_of(40)
    parts = page_parts(page, 700)
    for i in range(40):
        assert any(f"notes/note {i:03}.md" in part.text for part in parts)
        assert sum(part.text.count(f"Statement 1 of note {i} says") for part in parts) == 1
    shown = [80 - part.statements_left for part in parts]
    assert sum(shown) == 80


def test_each_part_lists_the_documents_that_it_cites():
    for part in page_parts(page_of(40), 700):
        cited = set(re.findall(r"goes on\. \[(\d+)\]$", part.text, re.MULTILINE))
        assert cited <= set(re.findall(r"^- \[(\d+)\] \[", part.text, re.MULTILINE))


def test_a_new_document_leaves_the_parts_between_as_they_were():
    older, newer = page_of(60), page_of(60)
    late = Link("late", "late.md", "Late", "2026-09-01", None, ("Atlas ends.",), ("2026-09-01",))
    links = [
        Link(
            d.id,
            d.path,
            d.title,
            d.date,
            None,
            tuple(f.text for f in newer.facts if f.document == d.id),
            (d.date or "",) * 2,
        )
        for d in newer.documents
    ]
    newer = build_page(named("a" * 32, "Atlas", "project", [["Atlas"]] * 61), [*links, late])
    before, after = page_parts(older, 800), page_parts(newer, 800)
    same = [
        one.text.split("\nPart ")[0] == other.text.split("\nPart ")[0]
        for one, other in zip(before, after, strict=False)
    ]
    assert not same[0], "the latest statements changed"
    assert sum(same[1:]) >= 1


def test_a_part_that_is_not_there_is_said():
    with pytest.raises(NotFound, match="Atlas has 1 parts of 2000 tokens, there is no part 2"):
        page_part(page_of(2), 2)
    with pytest.raises(SettingsError, match="a page of 100 tokens is too small: give 400 or more"):
        page_parts(page_of(2), 100)


def test_another_count_of_tokens_holds_as_well():
    by_letters = page_parts(page_of(30), 3_000, count=len)
    assert all(len(part.text) <= 3_000 for part in by_letters)
    assert [part.tokens for part in by_letters] == [len(part.text) for part in by_letters]


@settings(deadline=None, max_examples=60)
@given(WORDS, st.lists(WORDS, min_size=1, max_size=30), LINKS, st.integers(LEAST_TOKENS, PAGE_TOKENS))
def test_no_part_is_over_its_budget_and_nothing_is_lost(
    name: str, forms: list[str], said: list[tuple[str, list[str]]], budget: int
):
    links = [
        Link(f"{i}", f"{i}/{title}", title, "2026-01-05", None, tuple(texts), ("2026-01-05",) * len(texts))
        for i, (title, texts) in enumerate(said)
    ]
    page = build_page(named("e" * 32, name, "topic", [forms] * len(links)), links)
    parts = page_parts(page, budget)
    assert parts == page_parts(page, budget)
    assert all(estimated_tokens(part.text) == part.tokens <= budget for part in parts)
    whole = "\n".join(part.text for part in parts)
    for fact in page.facts:
        assert escape(fact.text)[:20].strip() in whole
    assert sum(len(page.facts) - part.statements_left for part in parts) == len(page.facts)
