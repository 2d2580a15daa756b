"""Resolution is a function of the set of documents, and its rules hold."""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphstore.corpusmap.decisions import Link, Unresolved
from graphstore.corpusmap.extract import extract
from graphstore.corpusmap.extraction import from_json
from graphstore.corpusmap.keys import name_key
from graphstore.corpusmap.lookup import find_entity
from graphstore.corpusmap.resolve import Resolver
from graphstore.corpusmap.shelf import Shelf
from graphstore.records import SourceDocument

FOLDER = [
    (
        "a/one.md",
        "Minutes",
        "Project Atlas (code name Bluebird) was discussed by Priya Raman and Tom Becker. Ticket INC-1042 is open.",
    ),
    ("a/two.md", "Budget", "The Bluebird budget was approved by Priya Raman. Becker agreed. INC-1043 is new."),
    ("b/three.md", "Status", "The project  atlas ships soon; Project-Atlas needs Tom Becker and Priya Raman."),
    (
        "b/four.md",
        "Directory",
        "Li Wei (Finance) <li.wei@helio.example> and Li Wei (Engineering) <li.wei2@helio.example>.",
    ),
    ("b/five.md", "Note", "Yesterday Li Wei asked Tom Becker for the report."),
    ("c/six.md", "Claim", "Contact Li Wei <li.wei@helio.example> about invoices."),
    ("c/seven.md", "Paris (film)", "Paris is a film by Anna Schmidt."),
    ("c/eight.md", "Anna Schmidt", "Anna Schmidt was born in Cologne. She made Paris."),
    ("c/nine.md", "会议纪要", "主持：王芳（法务部）。项目Atlas（代号Bluebird）进展顺利，工单INC-1042已关闭。"),
    (
        "d/ten.md",
        "Policy",
        "The Data Governance Initiative (DGIA) starts; A. Schmidt of Heliograph AG leads with Priya Raman.",
    ),
    ("d/eleven.md", "Memo", "DGIA was reviewed. DGIA costs rose. The DGIA team met John Smith and Jon Smith."),
    ("d/twelve.md", "Release", "Ledger v1.2 replaces Ledger v1.12. Rev A is old."),
    ("e/thirteen.md", "Kestrel review", "Anna Berg presented Project Kestrel to Priya Raman."),
    ("f/fourteen.md", "Kestrel budget", "The budget of Kestrel grows, said Jonas Weber. Anna Berg agreed."),
    ("g/fifteen.md", "Weekly mail", "We can launch Kestrel on 12 March, writes Jonas Weber."),
    ("h/sixteen.md", "Birds", "A Kestrel hovers over the dunes. Mira Lind drew the Kestrel."),
]


def documents(rows: list[tuple[str, str, str]]) -> list[SourceDocument]:
    return [SourceDocument(id=path, path=path, title=title, text=text) for path, title, text in rows]


@pytest.fixture(scope="module")
def extracted() -> dict[str, tuple[SourceDocument, object]]:
    docs = documents(FOLDER)
    return {d.id: (d, e) for d, e in zip(docs, extract(docs), strict=True)}


def resolved(pairs: list, *, steps: int = 1, hot: float = 1.0) -> Resolver:
    resolver = Resolver(shelf=Shelf(hot))
    for index, (document, extraction) in enumerate(pairs):
        resolver.put(document.id, document.title, document.path.rsplit("/", 1)[0], extraction)
        if steps and index % steps == steps - 1:
            resolver.settle()
    resolver.settle()
    return resolver


def resolve_texts(*texts: str, titles: list[str] | None = None) -> Resolver:
    rows = [(f"f/{i}.md", titles[i] if titles else f"Doc {i}", text) for i, text in enumerate(texts)]
    docs = documents(rows)
    return resolved(list(zip(docs, extract(docs), strict=True)), steps=0)


def state(resolver: Resolver) -> tuple:
    return resolver.decisions, resolver.entities


def links(resolver: Resolver, document: str) -> dict[str, str]:
    """Written form to entity name, of a document's links."""
    return {
        form: resolver.entities[link.entity].name
        for link in resolver.decisions[document]
        if isinstance(link, Link)
        for form in link.names
    }


def unresolved(resolver: Resolver, document: str) -> set[str]:
    return {d.name for d in resolver.decisions[document] if isinstance(d, Unresolved)}


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    order=st.permutations(range(len(FOLDER))),
    steps=st.integers(1, 5),
    extra=st.sets(st.integers(0, len(FOLDER) - 1)),
    hot=st.sampled_from([1.0, 0.01, 0.0001]),
)
def test_order_batches_detours_and_memory_do_not_matter(extracted, order, steps, extra, hot) -> None:
    pairs = list(extracted.values())
    reference = state(resolved(pairs, steps=0))
    resolver = resolved([pairs[i] for i in order], steps=steps, hot=hot)
    assert state(resolver) == reference
    for index in extra:
        resolver.drop(pairs[index][0].id)
    resolver.settle()
    kept = [pair for index, pair in enumerate(pairs) if index not in extra]
    assert state(resolver) == state(resolved(kept, steps=0))
    for index in extra:
        document, extraction = pairs[index]
        resolver.put(document.id, document.title, document.path.rsplit("/", 1)[0], extraction)
        resolver.settle()
    assert state(resolver) == reference


def test_changes_name_every_document_and_entity_that_differs(extracted) -> None:
    pairs = list(extracted.values())
    random.Random(3).shuffle(pairs)
    resolver = Resolver()
    mirror_documents: dict = {}
    mirror_entities: dict = {}
    for document, extraction in pairs:
        resolver.put(document.id, document.title, document.path.rsplit("/", 1)[0], extraction)
        changes = resolver.settle()
        for name in changes.documents:
            mirror_documents[name] = resolver.decisions[name]
        mirror_entities.update(changes.entities)
        for entity in changes.removed:
            mirror_entities.pop(entity, None)
        assert {**dict.fromkeys(resolver.decisions, ()), **mirror_documents} == resolver.decisions
        assert mirror_entities == resolver.entities


def test_a_document_that_loses_a_name_or_all_loses_the_links(extracted) -> None:
    resolver = resolved(list(extracted.values()))
    document, _ = extracted["a/one.md"]
    changed = SourceDocument(id=document.id, path=document.path, title="Minutes", text="Nothing of note.")
    resolver.put(changed.id, changed.title, "a", extract([changed])[0])
    resolver.settle()
    assert links(resolver, "a/one.md") == {}
    once = Resolver()
    for other, extraction in extracted.values():
        if other.id != document.id:
            once.put(other.id, other.title, other.path.rsplit("/", 1)[0], extraction)
    once.put(changed.id, changed.title, "a", extract([changed])[0])
    once.settle()
    assert resolver.entities == once.entities


def test_a_phrase_stops_being_a_name_when_the_document_that_made_it_one_goes() -> None:
    rows = [("a", "Copper Lantern", "It is a play."), ("b", "Night", "They saw the Copper Lantern by Tom Becker.")]
    docs = documents(rows)
    resolver = resolved(list(zip(docs, extract(docs), strict=True)))
    assert "Copper Lantern" in links(resolver, "b")
    resolver.drop("a")
    resolver.settle()
    alone = resolved(list(zip(docs, extract(docs), strict=True))[1:])
    assert resolver.decisions == alone.decisions


def test_extraction_survives_its_json(extracted) -> None:
    for _, extraction in extracted.values():
        assert from_json(extraction.to_json()) == extraction


def test_a_stated_code_name_joins_two_names(extracted) -> None:
    resolver = resolved(list(extracted.values()))
    assert links(resolver, "a/two.md")["Bluebird"] == links(resolver, "a/one.md")["Project Atlas"] == "Project Atlas"
    assert "Bluebird" in links(resolver, "c/nine.md")


def test_case_spacing_and_hyphens_make_one_entity_with_every_form(extracted) -> None:
    resolver = resolved(list(extracted.values()))
    entity = next(e for e in resolver.entities.values() if e.key == "project atlas")
    assert entity.documents == 4
    assert {"Project Atlas", "Project-Atlas", "Bluebird", "项目Atlas"} <= set(entity.aliases)


def test_two_people_of_one_name_are_told_apart_and_a_bare_mention_stays_open(extracted) -> None:
    resolver = resolved(list(extracted.values()))
    people = [e for e in resolver.entities.values() if e.key == "li wei"]
    assert len(people) == 2
    assert unresolved(resolver, "b/five.md") == {"Li Wei"}
    finance = next(e for e in people if e.documents == 2)
    linked = {d for d, made in resolver.decisions.items() if any(getattr(x, "entity", 0) == finance.id for x in made)}
    assert linked == {"b/four.md", "c/six.md"}


def test_a_title_named_in_another_document_is_a_mention_without_its_parenthesis(extracted) -> None:
    resolver = resolved(list(extracted.values()))
    assert links(resolver, "c/eight.md")["Paris"] == "Paris"
    assert links(resolver, "c/seven.md")["Anna Schmidt"] == "Anna Schmidt"


def test_codes_that_differ_in_a_digit_are_two(extracted) -> None:
    resolver = resolved(list(extracted.values()))
    assert {e.key for e in resolver.entities.values() if e.kind == "code"} == {"inc-1042", "inc-1043"}


def test_versions_and_one_letter_codes_stay_apart() -> None:
    resolver = resolve_texts("Ledger v1.2 is out.", "Ledger v1.12 is out.")
    assert {e.key for e in resolver.entities.values() if e.kind == "product"} == {"ledger v1.2", "ledger v1.12"}


def test_revisions_and_phases_of_a_project_stay_apart() -> None:
    texts = [
        "We use Project Nova Rev A today.",
        "See Project Nova Rev B.",
        "Project Nova Phase 2 began.",
        "Project Nova Phase 3 ended.",
    ]
    resolver = resolve_texts(*texts)
    keys = {e.key: e.documents for e in resolver.entities.values() if e.kind == "project"}
    assert keys == dict.fromkeys(
        ["project nova rev a", "project nova rev b", "project nova phase 2", "project nova phase 3"], 1
    )
    resolver = resolve_texts("Project Nova Rev A is out. Project Nova goes on.", "Project Nova goes on.")
    assert links(resolver, "f/0.md").keys() >= {"Project Nova", "Project Nova Rev A"}
    assert links(resolver, "f/1.md")["Project Nova"] == links(resolver, "f/0.md")["Project Nova"]


def test_a_projects_name_alone_means_it_where_the_document_speaks_of_the_same(extracted) -> None:
    resolver = resolved(list(extracted.values()))
    assert links(resolver, "e/thirteen.md")["Kestrel"] == "Project Kestrel"  # of the title
    assert links(resolver, "f/fourteen.md")["Kestrel"] == "Project Kestrel"
    assert links(resolver, "g/fifteen.md")["Kestrel"] == "Project Kestrel"  # by what it shares with the last one
    assert "Kestrel" in unresolved(resolver, "h/sixteen.md")
    assert links(resolver, "f/fourteen.md")["Kestrel budget"] == "Kestrel budget"


def test_a_projects_name_alone_is_nobody_and_no_company_told_by_its_form() -> None:
    resolver = resolve_texts(
        "Project Mercer starts. Anna Berg leads Project Mercer.",
        "Mercer called Anna Berg.",
        "Paul Mercer met Jonas Weber.",
    )
    assert links(resolver, "f/1.md").get("Mercer") != "Project Mercer"
    resolver = resolve_texts(
        "Project Mercer starts. Anna Berg leads Project Mercer.", "Anna Berg works at Mercer Ltd, not at Mercer Inc."
    )
    assert "Project Mercer" not in links(resolver, "f/1.md").values()


def test_a_new_acronym_in_four_documents_is_one_entity() -> None:
    resolver = resolve_texts(*["The DGIA met. Then DGIA closed. Tom Becker of DGIA spoke."] * 4)
    assert [e.documents for e in resolver.entities.values() if e.key == "dgia"] == [4]


def test_a_longer_name_is_not_its_part() -> None:
    resolver = resolve_texts("Kansas is a state.", "He moved to Kansas City in May.", titles=["Kansas", "Move"])
    assert "Kansas" not in links(resolver, "f/1.md")


def test_chinese_names_keep_their_script() -> None:
    resolver = resolve_texts("联系：李伟，王芳。", "参会：李伟。", "参会：王芳。", titles=["通知", "纪要", "记录"])
    assert sorted(e.key for e in resolver.entities.values() if e.documents == 2) == ["李伟", "王芳"]


def test_months_weekdays_and_headings_are_no_entities() -> None:
    text = "# Action Items\n\n- Monday: Review\n- March: Approval\n\n## Next Steps\n\nOwner: Tom Becker\n"
    resolver = resolve_texts(text, text, titles=["2026-03-01", "2026-03-02"])
    assert {e.name for e in resolver.entities.values()} == {"Tom Becker"}


def test_different_first_names_are_different_people() -> None:
    resolver = resolve_texts(
        "John Smith met Priya Raman and Tom Becker at Heliograph AG.",
        "Jane Smith met Priya Raman and Tom Becker at Heliograph AG.",
    )
    assert {"john smith", "jane smith"} <= {e.key for e in resolver.entities.values()}


@given(st.lists(st.text(min_size=1, max_size=40), min_size=1, max_size=3))
@settings(max_examples=60, deadline=None)
def test_no_text_breaks_extraction_and_no_key_is_empty(texts: list[str]) -> None:
    docs = documents([(str(i), text, text) for i, text in enumerate(texts)])
    resolver = resolved(list(zip(docs, extract(docs), strict=True)))
    assert all(e.key and e.name for e in resolver.entities.values())


def decided_with(pair: tuple, resolver: Resolver, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The documents that are decided when one more comes."""
    decided: list[str] = []
    decide = Resolver._decide
    monkeypatch.setattr(Resolver, "_decide", lambda self, d, c: (decided.append(d), decide(self, d, c)))
    document, extraction = pair
    resolver.put(document.id, document.title, "", extraction)
    resolver.settle()
    return decided


def test_a_document_more_with_a_projects_name_has_few_decided_again(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["Anna Berg leads Project Kestrel."] * 3 + ["The budget of Kestrel grows, said Anna Berg."] * 60
    docs = documents([(f"{i:03}/note.md", f"Note {i}", text) for i, text in enumerate(texts)])
    pairs = list(zip(docs, extract(docs), strict=True))
    resolver = resolved(pairs[:-1], steps=0)
    last, _ = pairs[-1]
    assert decided_with(pairs[-1], resolver, monkeypatch) == [last.id]
    assert links(resolver, last.id)["Kestrel"] == "Project Kestrel"


def test_a_document_more_has_only_its_like_decided_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work grows with what is new, not with the documents that share a usual name or the names that end alike."""
    words = [f"{a}{b}" for a in ("Bar", "Dor", "Fal", "Gim") for b in ("kano", "lidu", "meta", "nosi", "puri")]
    texts = [f"Heliograph Group met {word} Group in the morning." for word in words]
    docs = documents([(f"{i}.md", f"Note {i}", text) for i, text in enumerate(texts)])
    pairs = list(zip(docs, extract(docs), strict=True))
    resolver = resolved(pairs[:-1])
    last, _ = pairs[-1]
    assert decided_with(pairs[-1], resolver, monkeypatch) == [last.id]
    (group,) = (entity for entity in resolver.entities.values() if entity.name == "Heliograph Group")
    assert group.documents == len(texts)


@pytest.mark.parametrize("name", ["INC-1042", "inc-1042", "Project Atlas", "project  atlas", "ann@helio.example"])
def test_an_entity_is_found_by_its_name_whatever_its_type(name: str) -> None:
    text = "Project Atlas waits for INC-1042. Write to ann@helio.example about it."
    resolver = resolve_texts(text, text)
    assert name_key(resolver.entities[find_entity(resolver, name)].name) == name_key(name)


def test_a_form_that_one_more_document_has_renames_every_bearer() -> None:
    """What a name is mostly written like is asked of all documents, and so is it of one of two that have the name."""
    texts = [
        ("a", "Sundowners (film)", "Sundowners is a film of 1960."),
        ("b", "Sundowners (band)", "Sundowners is a band of 1959."),
        *((f"c{number}", "", f"They saw The Sundowners, {number} of them.") for number in range(2, 6)),
    ]
    documents = [SourceDocument(id=id, path=f"{id}.md", title=title, text=text) for id, title, text in texts]
    at_once, in_steps = Resolver(), Resolver()
    for document, extraction in zip(documents, extract(documents), strict=True):
        for resolver in (at_once, in_steps):
            resolver.put(document.id, document.title, "", extraction)
        in_steps.settle()
    at_once.settle()
    assert sum(entity.key == "sundowners" for entity in at_once.entities.values()) == 2
    assert in_steps.entities == at_once.entities
