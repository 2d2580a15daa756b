"""Pages of entities: only what visible documents say, in order, each with its source."""

from __future__ import annotations

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from graphstore.models import Fact, PageRef, StoredDocument
from graphstore.pages.build import Link, Named, Recorded, build_page, named, refs_of
from graphstore.pages.markdown import escape
from graphstore.pages.render import document_markdown, index_markdown, page_markdown

ATLAS = named("a" * 32, "Project Atlas", "project", [["Project Atlas"], ["Project Atlas", "Atlas"]])


def said(document: str, *statements: tuple[str, str], date: str | None = "2026-01-05", title: str = "") -> Link:
    texts, dates = zip(*statements, strict=True) if statements else ((), ())
    return Link(document, f"{document}.md", title or document.upper(), date, None, tuple(texts), tuple(dates))


def test_facts_are_oldest_first_and_those_without_date_last():
    page = build_page(ATLAS, [said("b", ("Late.", "2026-03-01"), ("Never.", "")), said("a", ("Early.", "2026-01-01"))])
    assert [(fact.text, fact.document, fact.date) for fact in page.facts] == [
        ("Early.", "a", "2026-01-01"),
        ("Late.", "b", "2026-03-01"),
        ("Never.", "b", None),
    ]


def test_a_fact_of_two_documents_is_shown_for_each_and_once_for_each():
    same = ("Atlas ships.", "2026-01-01")
    page = build_page(ATLAS, [said("a", same, same), said("b", same)])
    assert [fact.document for fact in page.facts] == ["a", "b"]
    assert [fact.text for fact in page.latest] == ["Atlas ships."]


def test_latest_are_the_five_newest_dated_statements_newest_first():
    links = [said(f"d{month}", (f"In month {month}.", f"2026-0{month}-01")) for month in range(1, 8)]
    page = build_page(ATLAS, [*links, said("x", ("No date.", ""))])
    assert [fact.text for fact in page.latest] == [f"In month {month}." for month in (7, 6, 5, 4, 3)]


def test_what_lies_ahead_is_news_of_the_day_it_was_said():
    links = [
        said("plan", ("The launch is on 1 June.", "2026-06-01"), date="2026-01-05"),
        said("change", ("The launch is off.", "2026-02-01"), date="2026-02-01"),
        said("log", ("On 3 January they met.", "2026-01-03"), date="2026-03-01"),
    ]
    page = build_page(ATLAS, links)
    assert [fact.text for fact in page.latest] == [
        "The launch is off.",
        "The launch is on 1 June.",
        "On 3 January they met.",
    ]
    assert [fact.date for fact in page.facts] == ["2026-01-03", "2026-02-01", "2026-06-01"]


def test_heads_of_mails_and_lists_of_those_present_are_no_news_unless_there_is_no_other():
    heads = ("To: Atlas team <team@a.example>", "**Present:** Atlas team", "Dear Atlas team,", "出席：Atlas 团队")
    told = said("a", *((head, "2026-03-01") for head in heads), ("Atlas ships.", "2026-01-01"), date="2026-03-01")
    assert [fact.text for fact in build_page(ATLAS, [told]).latest] == ["Atlas ships."]
    only = said("a", *((head, "2026-03-01") for head in heads), date="2026-03-01")
    assert len(build_page(ATLAS, [only]).latest) == 4
    assert "To: Atlas team <team@a.example>" in page_markdown(build_page(ATLAS, [only]))


def test_each_statement_stands_once_on_the_page():
    links = [said(f"d{day}", (f"On day {day}.", f"2026-01-0{day}"), date=f"2026-01-0{day}") for day in range(1, 9)]
    text = page_markdown(build_page(ATLAS, links))
    assert [text.count(f"On day {day}.") for day in range(1, 9)] == [2] + [1] * 7  # the first defines it
    assert text.index("## Latest") < text.index("On day 8.") < text.index("## Facts") < text.index("On day 3.")


def test_links_that_are_not_sure_show_their_confidence():
    sure, fair, unsure = (
        Link(name, f"{name}.md", name.upper(), None, None, (), (), confidence)
        for name, confidence in [("a", 1.0), ("b", 0.85), ("c", 0.62)]
    )
    lines = page_markdown(build_page(ATLAS, [sure, fair, unsure])).split("\n")
    assert "- [A](../documents/a.md) — a.md" in lines
    assert "- [B](../documents/b.md) — b.md — link 0.85" in lines
    assert "- [C](../documents/c.md) — c.md — **unsure** link 0.62" in lines
    assert "confidence: 0.62" in lines
    assert "link 0.85" not in page_markdown(build_page(ATLAS, [fair]))


def test_a_record_that_the_reader_may_see_names_the_page():
    record = Recorded("Atlas Programme", ("ATL-1",), {"owner": "Priya Raman", "sites": ["Hull", "Leeds"]})
    entity = named("emp-7", "Atlas Programme", "project", [["Atlas"], ["Project Atlas"]], record)
    assert (entity.name, entity.forms) == ("Atlas Programme", ("Project Atlas", "Atlas", "Atlas Programme", "ATL-1"))
    text = page_markdown(build_page(entity, [said("a"), said("b")]))
    assert "## Record\n\n- owner: Priya Raman\n- sites: Hull, Leeds\n" in text


def test_the_overview_is_counts_dates_and_one_statement_verbatim():
    links = [
        said("a", ("We met.", "2026-01-05"), ("Atlas slipped.", "2026-01-05")),
        said("b", ("Project Atlas is the new ledger.", "2026-03-02"), date="2026-03-02T10:00:00"),
    ]
    assert build_page(ATLAS, links).overview.split("\n") == [
        "project · 2 documents, 2026-01-05 to 2026-03-02",
        "Project Atlas is the new ledger.",
    ]


def test_another_thing_of_the_same_name_is_said():
    first = Named("1", "Li Wei", "person", ("Li Wei",), 2)
    other = Named("2", "Li Wei", "person", ("Li Wei",), 3)
    page = build_page(first, [said("a"), said("b")], [other])
    assert "Another person of this name: Li Wei (3 documents, id 2)" in page.overview


def test_a_name_that_only_hidden_documents_use_is_not_shown():
    assert named("e", "Blue Heron", "project", [["Atlas"], ["atlas", "Atlas"]]).name == "Atlas"
    assert named("e", "project atlas", "project", [["Project-Atlas"], ["Atlas"]]).name == "Project-Atlas"
    assert named("e", "Atlas", "project", [["Atlas"], ["Heron"]]).forms == ("Atlas", "Heron")


def test_documents_are_newest_first_and_pages_of_few_documents_come_first():
    links = [said("a", date="2026-01-01"), said("b", date=None), said("c", date="2026-02-01")]
    assert [each.id for each in build_page(ATLAS, links).documents] == ["c", "a", "b"]
    hub, rare = Named("1", "Hub", None, ("Hub",), 90), Named("2", "Rare", None, ("Rare",), 2)
    assert [ref.name for ref in refs_of([hub, rare])] == ["Rare", "Hub"]


def test_the_order_of_rows_changes_nothing():
    links = [said(name, (f"{name} says.", "2026-01-01"), ("Same.", "2026-01-01")) for name in "abc"]
    assert build_page(ATLAS, links) == build_page(ATLAS, links[::-1])


def test_a_page_reads_as_markdown_with_front_matter_and_links():
    page = build_page(ATLAS, [said("a", ("Atlas is on.", "2026-01-05"), title="Minutes [1]"), said("b b")])
    text = page_markdown(page)
    head, body = text.removeprefix("---\n").split("\n---\n", 1)
    assert yaml.safe_load(head) == {
        "id": "a" * 32,
        "name": "Project Atlas",
        "type": "project",
        "aliases": ["Project Atlas", "Atlas"],
        "documents": 2,
        "latest": "2026-01-05",
    }
    assert body.startswith("\n# Project Atlas\n")
    assert "## Latest\n\n- 2026-01-05: Atlas is on. [1]\n" in body
    assert "- [1] [Minutes \\[1\\]](../documents/a.md) — a.md — 2026-01-05\n" in body
    assert "- [B B](../documents/b%20b.md) — b b.md — 2026-01-05\n" in body
    assert "\nAlso written: Atlas\n" in body


def test_a_document_keeps_its_text_word_for_word_and_links_back():
    text = "# Heading\n\n````\ncode\n````\n[x](y.md) <b>"
    document = StoredDocument(
        "d", "a/d.md", "T", text, (), "2026-01-05", None, {}, (PageRef("e", "E *1*", None, "pages/e-1.md"),)
    )
    rendered = document_markdown(document, "documents/a/d.md")
    assert f"`````text\n{text}\n`````\n" in rendered
    assert "- [E \\*1\\*](../../pages/e-1.md) — entity" in rendered
    assert "[All pages](../../index.md)" in document_markdown(
        StoredDocument("d", "a/d.md", "", "", (), None, None, {}, ()), "documents/a/d.md"
    )


def test_the_index_lists_people_and_things_before_codes_and_most_documents_first():
    refs = [
        (PageRef(name, name, kind, f"pages/{name}.md"), count)
        for name, kind, count in [("a", "project", 2), ("b", "project", 5), ("c", None, 2), ("d", "code", 9)]
    ]
    lines = index_markdown(refs, [("documents/d.md", "D", "2026-01-05")]).split("\n")
    assert [line for line in lines if line.startswith(("##", "- "))] == [
        "## Project",
        "- [b](pages/b.md) — 5 documents",
        "- [a](pages/a.md) — 2 documents",
        "## Code",
        "- [d](pages/d.md) — 9 documents",
        "## Entity",
        "- [c](pages/c.md) — 2 documents",
        "## Documents",
        "- [D](documents/d.md) — 2026-01-05",
    ]


def test_the_index_tells_two_of_one_name_apart():
    refs = [(PageRef(id, "Li Wei", "person", f"pages/{id}.md"), 2) for id in ("e1", "e2")]
    lines = index_markdown([*refs, (PageRef("e3", "Ann", "person", "pages/e3.md"), 2)], []).split("\n")
    assert [line for line in lines if line.startswith("- ")] == [
        "- [Ann](pages/e3.md) — 2 documents",
        "- [Li Wei](pages/e1.md) — 2 documents — id e1",
        "- [Li Wei](pages/e2.md) — 2 documents — id e2",
    ]


@settings(deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
def test_no_name_breaks_out_of_its_line_or_its_front_matter(name: str):
    page = build_page(named("e", name, name, [[name], [name]]), [said("a", (name, name), title=name), said("b")])
    text = page_markdown(page)
    head, body = text.removeprefix("---\n").split("\n---\n", 1)
    fields = yaml.safe_load(head)
    assert (fields["name"], fields["aliases"]) == (name, [name])
    assert len([line for line in body.split("\n") if line.startswith("# ")]) == 1
    assert "\n" not in escape(name)


def test_bold_words_stay_bold_and_rows_of_tables_lose_their_outer_bars():
    assert escape("**Owner:** Li Wei, a * b ** c") == "**Owner:** Li Wei, a \\* b \\*\\* c"
    assert escape("**[x](y)** <b>") == "**\\[x\\](y)** \\<b>"
    assert escape("| Gdansk | 110 EUR |") == "Gdansk | 110 EUR"


def test_markup_in_words_is_escaped_and_codes_are_left_as_they_are():
    assert escape("<b> `x` *y* _z_ [a](b) a_b_c R&D &amp; C# v1.2") == (
        "\\<b> \\`x\\` \\*y\\* \\_z\\_ \\[a\\](b) a_b_c R&D \\&amp; C# v1.2"
    )
    assert [escape(text) for text in ("# a", "- a", "1. a", "12) a", "> a", "2026-01-05 a")] == [
        "\\# a",
        "\\- a",
        "1\\. a",
        "12\\) a",
        "\\> a",
        "2026-01-05 a",
    ]


def test_facts_name_their_document_by_id():
    page = build_page(ATLAS, [said("a", ("Atlas is on.", "2026-01-05")), said("b")])
    assert page.facts == (Fact("Atlas is on.", "a", "2026-01-05", "2026-01-05"),)
    assert page.to_dict()["facts"][0]["document"] == "a"
