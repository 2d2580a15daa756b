"""What a model is asked about names that are open, and what is made of its answer: rather no link than a forced one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from model_server import Calls, ModelServer, Says, last_text

from graphstore.corpusmap.builder import LocalBuilder
from graphstore.corpusmap.decisions import Decision, Link, Unresolved
from graphstore.corpusmap.extraction import Extraction
from graphstore.corpusmap.llm.answers import Resolution
from graphstore.corpusmap.llm.asking import asking
from graphstore.corpusmap.llm.doubts import Doubt, Doubts, question_text
from graphstore.corpusmap.llm.resolving import resolve_with_model, ruling_of
from graphstore.corpusmap.resolve import Resolver
from graphstore.corpusmap.statements import text_of
from graphstore.llm import Endpoint, Meter
from graphstore.records import SourceDocument

DOCUMENTS = [
    SourceDocument(id=f"{name}.md", path=f"{name}.md", title=title, text=text)
    for name, title, text in (
        ("a", "Minutes of March", "Tom Becker of Legal leads Project Atlas since May."),
        ("b", "Minutes of June", "Tom Hale painted the hall in Łódź."),
        ("c", "Minutes of July", "We asked Tom about Project Atlas."),
        ("d", "Minutes of August", "Tom Becker met Tom Hale."),
    )
]
TEXTS = {document.id: text_of(document) for document in DOCUMENTS}
DIGESTS = {document.id: f"hash of {document.id}" for document in DOCUMENTS}


@pytest.fixture
def resolver() -> Resolver:
    made = Resolver()
    for document, extraction in zip(DOCUMENTS, LocalBuilder().extract(DOCUMENTS), strict=True):
        assert isinstance(extraction, Extraction)
        made.put(document.id, document.title, "", extraction)
    made.settle()
    return made


def everywhere(resolver: Resolver) -> dict[str, bool]:
    return dict.fromkeys(resolver.registry.entries, True)


def doubt_about_tom(resolver: Resolver) -> Doubt:
    (doubt,) = Doubts(resolver, everywhere(resolver)).of(["c.md"])
    return doubt


def decision(resolver: Resolver) -> Decision:
    return next(d for d in resolver.decisions["c.md"] if "Tom" in (getattr(d, "names", None) or (d.name,)))  # type: ignore[union-attr]


def test_an_open_name_is_asked_about_with_those_it_may_be_and_the_likeliest_first(resolver: Resolver):
    doubt = doubt_about_tom(resolver)
    assert [entity.name for entity in doubt.candidates] == ["Tom Becker", "Tom Hale"]
    text = question_text(doubt, resolver, TEXTS)
    assert text.index("We asked Tom about Project Atlas.") < text.index("Candidate 1: Tom Becker (type: person)")
    assert "> Tom Becker of Legal leads Project Atlas since May." in text
    assert "> Tom Hale painted the hall in Łódź." in text


def test_what_is_settled_is_not_asked_about(resolver: Resolver):
    assert list(Doubts(resolver, everywhere(resolver)).of(["a.md", "b.md", "d.md"])) == []


def test_documents_that_may_not_be_sent_are_neither_asked_about_nor_shown(resolver: Resolver):
    may = {**everywhere(resolver), "a.md": False}
    (doubt,) = Doubts(resolver, may).of(["c.md"])
    text = question_text(doubt, resolver, TEXTS)
    assert "Legal" not in text
    assert list(Doubts(resolver, {**may, "c.md": False}).of(["c.md"])) == []
    lonely = {"c.md": True}
    assert list(Doubts(resolver, lonely).of(["c.md"])) == []  # nobody is left whom it may be


def test_a_name_that_only_documents_use_which_may_not_be_sent_is_not_told():
    secret = SourceDocument(id="e.md", path="e.md", title="Memo", text="Tom Becker, also known as Silver Fox, left.")
    documents = [*DOCUMENTS, secret]
    made = Resolver()
    for document, extraction in zip(documents, LocalBuilder().extract(documents), strict=True):
        assert isinstance(extraction, Extraction)
        made.put(document.id, document.title, "", extraction)
    made.settle()
    texts = {**TEXTS, secret.id: text_of(secret)}
    (doubt,) = Doubts(made, everywhere(made)).of(["c.md"])
    assert "Silver Fox" in question_text(doubt, made, texts)
    (doubt,) = Doubts(made, {**everywhere(made), "e.md": False}).of(["c.md"])
    assert "Silver Fox" not in question_text(doubt, made, texts)
    assert "Candidate 1: Tom Becker" in question_text(doubt, made, texts)


@pytest.mark.parametrize(
    ("answer", "linked"),
    [
        (Resolution("LINK", 1, 0.9), "Tom Becker"),
        (Resolution("LINK", 2, 0.9), "Tom Hale"),
        (Resolution("LINK", 1, 0.4), None),
        (Resolution("LINK", 3, 1.0), None),
        (Resolution("LINK", 0, 1.0), None),
        (Resolution("LINK", -1, 1.0), None),
        (Resolution("LINK", None, 1.0), None),
        (Resolution("ADD", 1, 1.0), None),
        (Resolution("UNRESOLVED", 1, 1.0), None),
    ],
    ids=str,
)
def test_only_a_sure_link_to_a_candidate_that_was_offered_links(
    resolver: Resolver, answer: Resolution, linked: str | None
):
    doubt = doubt_about_tom(resolver)
    ruling = ruling_of(doubt, answer, resolver, "hash of c.md")
    resolver.put_ruling(replace(ruling, number=1))
    resolver.settle()
    found = decision(resolver)
    if linked:
        assert isinstance(found, Link)
        assert resolver.entities[found.entity].name == linked
        assert found.confidence <= 0.95
    else:
        assert isinstance(found, Unresolved)
    assert list(Doubts(resolver, everywhere(resolver)).of(["c.md"])) == []  # it was asked about
    resolver.drop_ruling(1)
    resolver.settle()
    assert list(Doubts(resolver, everywhere(resolver)).of(["c.md"])) == [doubt]


def test_what_the_model_writes_stands_in_no_reason(resolver: Resolver):
    secret = Resolution("LINK", 1, 0.9, "Zebra Holdings said so")
    assert "Zebra" not in str(ruling_of(doubt_about_tom(resolver), secret, resolver, "h"))


def judged(resolver: Resolver, script: Any) -> Any:
    with ModelServer(script) as server, asking(Meter(Endpoint(url=server.url, model="scripted"))) as asker:
        doubts = list(Doubts(resolver, everywhere(resolver)).of(DIGESTS))
        found = resolve_with_model(asker, doubts, resolver, TEXTS, DIGESTS)
        return found, server.requests


def test_each_open_name_is_asked_about_once(resolver: Resolver):
    found, requests = judged(
        resolver, lambda _: Calls(("final_result", {"decision": "LINK", "candidate": 1, "confidence": 1}))
    )
    assert len(requests) == 1
    assert last_text(requests[0]).startswith("Mention:\nname: Tom")
    assert dict(found.counts) == {"linked": 1}
    (ruling,) = found.rulings
    assert (ruling.kind, ruling.documents, ruling.mark) == ("refine", ("c.md",), "hash of c.md")


def test_a_name_that_the_model_does_not_answer_stays_as_it_is(resolver: Resolver):
    found, _ = judged(resolver, [Says("no idea")])
    assert found.rulings == ()
    assert dict(found.counts) == {"not answered": 1}
