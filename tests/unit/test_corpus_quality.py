"""What a reader sees of the corpus map: names found wherever they stand, types that are supported, clean statements."""

from __future__ import annotations

import re
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphstore.corpusmap.decisions import Link
from graphstore.corpusmap.extract import extract
from graphstore.corpusmap.readable import readable_spans, short_title
from graphstore.corpusmap.resolve import Resolver
from graphstore.corpusmap.sentences import sentence_spans
from graphstore.corpusmap.statements import Text, statements
from graphstore.records import SourceDocument

NAMES = (
    "Code names",
    "We say Project Atlas (code name Bluebird) and Project Meridian (code name Heron). No one else does.",
)


def resolved(rows: list[tuple[str, str]], *, steps: bool = False) -> Resolver:
    documents = [SourceDocument(id=title, path=title, title=title, text=text) for title, text in rows]
    resolver = Resolver()
    for document, extraction in zip(documents, extract(documents), strict=True):
        resolver.put(document.id, document.title, "", extraction)
        if steps:
            resolver.settle()
    resolver.settle()
    return resolver


def documents_of(resolver: Resolver, name: str) -> set[str]:
    return {
        document
        for document, decisions in resolver.decisions.items()
        for decision in decisions
        if isinstance(decision, Link) and resolver.entities[decision.entity].name == name
    }


def kind(resolver: Resolver, name: str) -> str:
    return next(entity.kind for entity in resolver.entities.values() if entity.name == name)


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Bluebird weekly, 19 May 2026", "# Bluebird weekly, 19 May 2026\n\nThe only red item is late."),
        ("Notes", "Bluebird slips by a week."),
        ("Ticket", "# Bluebird go-live, second change\n\nNothing else."),
        ("Bluebird 周会纪要", "参加人：陈宇。Bluebird 的上线日期目前是6月15日。"),
        ("周报", "我们在等Bluebird的结果。"),
    ],
)
def test_a_stated_name_is_found_in_titles_headings_and_at_the_start_of_sentences(title: str, text: str) -> None:
    rows = [NAMES, (title, text)]
    assert documents_of(resolved(rows), "Project Atlas") == {"Code names", title}
    assert resolved(rows[::-1], steps=True).decisions == resolved(rows).decisions


def test_a_longer_name_or_a_lower_case_word_is_not_the_stated_name() -> None:
    rows = [NAMES, ("Birds", "They saw a bluebird near Bluebird Cinema Hall. A heron stood by.")]
    resolver = resolved(rows)
    assert documents_of(resolver, "Project Atlas") == documents_of(resolver, "Project Meridian") == {"Code names"}


def test_a_name_that_is_usual_elsewhere_is_not_swallowed_by_a_title_in_any_order() -> None:
    rows = [
        ("Gdansk office", "Gdansk has new rooms."),
        ("One", "They live in Gdansk now."),
        ("Two", "We work in Gdansk today."),
        ("Three", "Our team in Gdansk agreed."),
        ("Four", "A yard in Gdansk is open."),
    ]
    reference = resolved(rows)
    assert documents_of(reference, "Gdansk") == {title for title, _ in rows}
    for order in permutations(rows):
        resolver = resolved(list(order), steps=True)
        assert (resolver.decisions, resolver.entities) == (reference.decisions, reference.entities)


def test_what_stands_with_a_version_is_a_product_however_the_model_takes_it() -> None:
    rows = [
        ("One", "Ask Quayside about it."),
        ("Two", "They met Quayside in May."),
        ("Three", "Quayside v1.12 is out."),
    ]
    found = {"Quayside": "product", "Quayside v1.12": "product"}
    resolver = resolved(rows)
    assert {e.name: e.kind for e in resolver.entities.values() if e.name in found} == found
    assert resolved(rows[::-1], steps=True).entities == resolver.entities


def test_a_single_word_is_a_person_only_if_something_supports_it() -> None:
    resolver = Resolver()
    for document in "ab":
        resolver.put(document, "Note " + document, "", extract([FORMS["lone"]])[0])
    resolver.settle()
    assert {e.name: e.kind for e in resolver.entities.values()}.get("Berthline", "topic") == "topic"
    assert (
        kind(resolved([("N", "It broke in Hull. Then Hull answered."), ("M", "Vans wait in Hull.")]), "Hull") == "place"
    )


FORMS = {"lone": SourceDocument(id="x", path="x", title="x", text="We met Berthline and Berthline said no.")}


def cut(text: str, name: str, title: str = "") -> list[str]:
    spans = [found.span() for found in re.finditer(name, text)]
    rows = statements(spans, Text(text, None, title), sentence_spans(text))
    assert rows["statements"] == [text[a:b] for a, b in zip(rows["starts"], rows["ends"], strict=True)]
    return rows["statements"]


@pytest.mark.parametrize("mark", ["# ", "### ", "- ", "* ", "+ ", "• ", "12. ", "3) ", "> ", "> - ", "- [ ] ", ">"])
def test_a_statement_has_no_marks_of_headings_lists_or_quotations(mark: str) -> None:
    assert cut(f"{mark}Bluebird ships on 3 May.", "Bluebird") == ["Bluebird ships on 3 May."]


def test_a_title_or_the_head_of_a_table_is_no_statement() -> None:
    text = (
        "# Bluebird weekly\n\n| Bluebird | Date |\n|---|:--:|\n| Bluebird | 3 May |\n\nBluebird weekly is on Monday.\n"
    )
    assert cut(text, "Bluebird", "Bluebird weekly") == ["| Bluebird | 3 May |", "Bluebird weekly is on Monday."]


def test_a_name_alone_or_the_beginning_of_the_title_is_no_statement() -> None:
    text = "# Bluebird weekly\n\n1. Bluebird. It slips.\n2. Bluebird slips.\n"
    assert cut(text, "Bluebird", "Bluebird weekly, 19 May 2026") == ["Bluebird slips."]


@given(st.text(alphabet="ab1 \n,李。", max_size=2_000))
def test_no_sentence_for_the_encoder_is_long_and_nothing_is_lost(text: str) -> None:
    whole = sentence_spans(text)
    pieces = readable_spans(text, whole)
    assert "".join("".join(text[a:b].split()) for a, b in pieces) == "".join(
        "".join(text[a:b].split()) for a, b in whole
    )
    assert all(a < b and b - a <= 700 for a, b in pieces)


def test_a_long_title_leaves_room_for_the_text() -> None:
    assert short_title("A plain title of some words") == "A plain title of some words"
    assert len(short_title("long " * 300)) < 420
    assert len(short_title("长" * 300)) == 80


def test_a_chunk_of_a_long_title_has_vectors_of_all_its_sentences() -> None:
    import numpy as np

    from graphstore.corpusmap.rows import chunk_rows
    from graphstore.encoders import load_encoder

    encoder = load_encoder()
    title, text = "Minutes of the committee " * 60, "The pump failed. It was replaced.\n" + "valve, " * 400
    rows = chunk_rows([SourceDocument(id="d", path="d", title=title, text=text)], encoder)
    for row in rows:
        vectors = np.frombuffer(row["sentences"], dtype=np.float16).reshape(-1, encoder.dimensions)
        assert len(vectors) == len(row["sentence_starts"])
        assert np.allclose(np.linalg.norm(vectors.astype(np.float32), axis=1), 1.0, atol=1e-2)
