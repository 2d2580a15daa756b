"""Sections, budgets and patterns: what navigation shows of texts."""

from __future__ import annotations

import re
import time

import pytest
from growth import LINEAR, growth
from hypothesis import given, settings
from hypothesis import strategies as st

from graphstore.errors import NotFound, SettingsError
from graphstore.models import StoredDocument
from graphstore.navigation import grepping
from graphstore.navigation.budget import LEAST, packed, shortened
from graphstore.navigation.grep import OutOfTime, Pattern, Watch, lines_of, matching_lines
from graphstore.navigation.grepping import Searched, matches, search_texts
from graphstore.navigation.reading import document_reading
from graphstore.navigation.records import Matches
from graphstore.navigation.sections import PART, chosen, outline, section_at, sections_of
from graphstore.retrieval.prompt_tokens import estimated_tokens

TEXT = """Preface.

# Atlas

Opening.

## Decisions

It launches on 4 May.

```
# not a heading
```

## Owners

Priya Raman.

# Budget

Twelve servers.
"""

lines = st.lists(
    st.sampled_from(
        ["# A", "## B b", "### C", "text of a line.", "", "```", "~~~", "====", "中文的一行。", "x" * 90, "#no"]
    )
)
texts = st.one_of(lines.map("\n".join), st.text(alphabet="ab \n#`.\r中é", max_size=300))


def stored(text: str, title: str = "Kick-off", path: str = "minutes/kick-off.md") -> StoredDocument:
    return StoredDocument("d1", path, title, text, (), "2026-01-13", None, {}, ())


@given(texts)
def test_sections_put_together_are_the_text(text: str):
    sections = sections_of(text)
    assert "".join(text[s.start : s.end] for s in sections) == text
    assert [s.number for s in sections] == list(range(1, len(sections) + 1))
    assert all(s.line == text.count("\n", 0, s.start) + 1 for s in sections)


def test_headings_make_sections_but_not_those_in_code():
    assert [(s.title, s.level) for s in sections_of(TEXT)] == [
        ("", 0),
        ("Atlas", 1),
        ("Decisions", 2),
        ("Owners", 2),
        ("Budget", 1),
    ]


def test_a_heading_is_asked_for_with_what_stands_beneath_it():
    sections = sections_of(TEXT)
    assert [s.title for s in chosen(sections, "atlas")] == ["Atlas", "Decisions", "Owners"]
    assert [s.title for s in chosen(sections, "3-4")] == ["Decisions", "Owners"]
    assert [s.title for s in chosen(sections, " 5 ")] == ["Budget"]
    with pytest.raises(NotFound, match="4 Owners"):
        chosen(sections, "Risks")
    with pytest.raises(NotFound, match="no section 9"):
        chosen(sections, "9")
    with pytest.raises(NotFound, match="2 sections are called"):
        chosen(sections_of("# A\n# A\n"), "A")


def test_underlined_headings_count_too():
    assert [s.title for s in sections_of("Atlas\n=====\ntext\n")] == ["Atlas"]


@pytest.mark.parametrize("text", ["A sentence of words. " * 1500, "word\n\n" * 3000, "字" * 5000, "x" * 40_000])
def test_long_text_without_headings_is_split_into_parts(text: str):
    sections = sections_of(text)
    assert len(sections) > 1
    assert all(s.tokens <= PART for s in sections)
    assert sections[0].name == f"(1/{len(sections)})"
    assert min(s.tokens for s in sections[:-1]) >= PART // 3


def test_sections_of_a_long_document_cost_what_it_is_long():
    assert growth(lambda size: sections_of("A sentence of words. " * size), 3_000) < LINEAR
    assert growth(lambda size: sections_of("# " + " " * size + "x" + " " * size + "y"), 1_000) < LINEAR


def test_a_section_of_a_number_without_end_is_none():
    with pytest.raises(NotFound):
        chosen(sections_of(TEXT), "9" * 5_000)


def test_the_closing_marks_of_a_heading_are_no_part_of_it():
    assert [s.title for s in sections_of("# A b ##  \r\n## C# \n### ###\n#\n")] == ["A b", "C#", "", ""]


def test_parts_end_with_a_paragraph_where_there_is_one():
    text = "\n\n".join(f"Paragraph {n}. " + "It says something more. " * 20 for n in range(40))
    assert all(text[: s.end].endswith("\n\n") for s in sections_of(text)[:-1])


def test_a_line_is_found_in_its_section():
    assert section_at(sections_of(TEXT), 13).title == "Decisions"
    assert section_at(sections_of(TEXT), 1).number == 1


def test_the_outline_of_very_many_sections_is_cut():
    assert outline(sections_of("# A\n" * 100)).endswith("and 60 more")


@given(texts, st.integers(LEAST, 400))
def test_a_reading_keeps_to_its_budget_and_is_word_for_word(text: str, budget: int):
    reading = document_reading(stored(text), budget)
    assert reading.tokens == estimated_tokens(reading.markdown) <= budget
    assert text.startswith(reading.text)
    assert reading.whole == (reading.text == text)
    assert (reading.cut is None) == reading.whole


@settings(max_examples=40)
@given(texts, st.integers(LEAST, 200))
def test_reading_on_where_it_was_cut_gives_the_whole_text(text: str, budget: int):
    got, line, size = "", 1, budget
    for _ in range(200):
        reading = document_reading(stored(text), size, line=line if got else None)
        if reading.cut is None:
            got += reading.text
            break
        if match := re.search(r"line=(\d+) goes on", reading.cut):
            got, line, size = got + reading.text, int(match[1]), budget
        else:
            size *= 2
    assert got == text


def test_a_reading_says_what_it_is():
    reading = document_reading(stored(TEXT), 1000, section="Owners")
    assert reading.markdown.startswith(
        "# Kick-off\nminutes/kick-off.md · 2026-01-13 · section 4 of 5 Owners · lines 15–18 of 21\n"
    )
    assert reading.text == "## Owners\n\nPriya Raman.\n\n"
    assert (reading.start, reading.end, reading.lines, reading.whole, reading.cut) == (15, 18, 21, False, None)


def test_a_reading_that_is_cut_lists_the_sections():
    reading = document_reading(stored(TEXT * 20), 300)
    assert reading.cut is not None
    assert "sections: 1 (" in reading.cut
    assert f"line={reading.end + 1} goes on" in reading.cut
    with pytest.raises(SettingsError, match="lines 1 to 420"):
        document_reading(stored(TEXT * 20), 300, line=421)


@given(st.lists(st.text(max_size=80), max_size=30), st.integers(LEAST, 400), st.text(max_size=800))
def test_what_is_packed_fits_and_tells_what_is_left(blocks: list[str], budget: int, head: str):
    text, shown, note = packed(
        blocks, budget, head=head, note=lambda n: f"{len(blocks) - n} left out" if n < len(blocks) else None
    )
    assert estimated_tokens(text) <= budget
    assert (note is None) == (shown == len(blocks))


@given(st.text(max_size=500), st.integers(3, 60))
def test_shortened_text_fits(text: str, budget: int):
    short = shortened(text, budget)
    assert estimated_tokens(short) <= budget
    assert short == text or text.startswith(short[:-1])


@given(texts, st.sampled_from(["a", "b a", "A", "#", "é", "text", "."]), st.booleans())
def test_a_literal_matches_the_lines_that_hold_it(text: str, literal: str, case: bool):
    found = matching_lines(Pattern.of(literal, case=case), text, Watch.start(5))
    fold = (lambda each: each) if case else str.lower
    assert list(found) == [n for n, line in enumerate(lines_of(text), 1) if fold(literal) in fold(line)]


@pytest.mark.parametrize("pattern", ["(a|aa)+$", "((a{1,1000}){1,1000}){1,1000}b", "(a|a?)+$"])
def test_a_pattern_without_end_costs_the_time_given_and_no_more(pattern: str):
    started = time.monotonic()
    with pytest.raises(OutOfTime):
        matching_lines(Pattern.of(pattern, expression=True), "a" * 500 + "!", Watch.start(0.3))
    assert time.monotonic() - started < 1.5


@pytest.mark.parametrize("pattern", ["", "  ", "x" * 501, "a\nb"])
def test_what_is_no_pattern_is_refused(pattern: str):
    with pytest.raises(SettingsError, match="1 to 500 characters"):
        Pattern.of(pattern)


def test_a_malformed_expression_is_told_in_one_line():
    with pytest.raises(SettingsError, match="is no regular expression") as error:
        Pattern.of("(a", expression=True)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "pattern", ["a{1000000000}", "(?:(?:a{99}){99}){99}", "(?x)a { 1000 000000 }", "(?R)", "(a)(?1)", "(?<n>a)(?&n)"]
)
def test_a_pattern_that_no_clock_ends_is_refused_at_once(pattern: str):
    with pytest.raises(SettingsError, match=r"smaller counts|recurs"):
        Pattern.of(pattern, expression=True)
    assert Pattern.of(pattern).literal == pattern


def test_usual_counts_are_taken():
    pattern = Pattern.of(r"\b[A-Z]{2}\d{2}(?: ?\d{4}){4}\b", expression=True)
    assert matching_lines(pattern, "IBAN DE89 3704 0044 0532 0130 00\nno", Watch.start(5)).keys() == {1}


CORPUS = {"a.md": "one Atlas\ntwo\nthree Atlas\nfour Atlas\nfive", "b.md": "nothing", "c.md": "ATLAS " + "z" * 900}


def search(pattern: str, *, seconds: float = 5.0, **options: bool):
    rows = [{"id": path, "path": path, "title": path} for path in CORPUS]
    wanted = Pattern.of(pattern, **options)
    return wanted, search_texts(
        wanted,
        rows,
        lambda some: [Searched(r["id"], r["path"], r["title"], CORPUS[r["id"]]) for r in some],
        seconds,
        batch=2,
    )


def test_matches_are_shown_by_document_with_their_context_once():
    shown = matches(*search("atlas"), context=1, start=1, max_tokens=1000)
    assert (shown.matching, shown.in_documents, shown.searched, shown.finished) == (4, 2, 3, True)
    assert shown.markdown.splitlines()[:8] == [
        "4 lines in 2 documents match atlas",
        "",
        "a.md — a.md — 3 matching lines",
        "1: one Atlas",
        "2- two",
        "3: three Atlas",
        "4: four Atlas",
        "5- five",
    ]
    assert [line.number for line in shown.documents[0].lines] == [1, 2, 3, 4, 5]
    assert shown.documents[1].lines[0].text.endswith("…")


def test_a_gap_between_matches_is_marked():
    shown = matches(*search("one|five", expression=True), context=1, start=1, max_tokens=1000)
    assert shown.markdown.splitlines()[3:] == ["1: one Atlas", "2- two", "--", "4- four Atlas", "5: five"]


@pytest.mark.parametrize("context", [0, 1, 3])
def test_an_answer_that_is_cut_goes_on_where_it_says(context: int):
    pattern, done = search("t|f|o|z", expression=True)
    seen: list[tuple[str, int]] = []
    start = 1
    for _ in range(20):
        shown = matches(pattern, done, context=context, start=start, max_tokens=LEAST)
        assert shown.tokens <= LEAST
        new = [(d.path, line.number) for d in shown.documents for line in d.lines if line.matches]
        seen += [each for each in new if each not in seen]
        if shown.cut is None:
            break
        start = int(re.search(r"start=(\d+) goes on", shown.cut)[1])
    assert len(seen) == shown.matching == 7


def test_what_was_not_searched_in_time_is_told():
    CORPUS["b.md"] = "a" * 5000 + "!"
    try:
        shown = matches(*search("(a|aa)+$", expression=True, seconds=0.2), context=0, start=1, max_tokens=500)
    finally:
        CORPUS["b.md"] = "nothing"
    assert not shown.finished
    assert shown.searched == 1
    assert "out of time after 1 of 3 documents" in (shown.cut or "")


def test_a_pattern_that_every_line_matches_costs_no_more_than_what_is_shown(monkeypatch):
    monkeypatch.setattr(grepping, "_SLICE", 600.0)  # a busy machine may take more than a second for the largest

    def shown(lines: int) -> Matches:
        text = "a line of a log\n" * lines
        wanted = Pattern.of("line")
        done = search_texts(wanted, [{}], lambda _: [Searched("d1", "log.txt", "log.txt", text)], 600, batch=1)
        return matches(wanted, done, context=2, start=lines // 2, max_tokens=500)

    assert growth(shown, 5_000) < LINEAR
    found = shown(20_000)
    assert found.matching == 20_000
    assert found.documents[0].lines[2].number == 10_000
    assert found.tokens <= 500
