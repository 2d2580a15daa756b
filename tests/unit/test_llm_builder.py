"""What a model says of documents: located word for word or dropped; catalogs from samples; what a run reports."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from model_server import Calls, ModelServer, Reply, Says, last_text

from graphstore.corpusmap import extraction
from graphstore.corpusmap.builder import LocalBuilder
from graphstore.corpusmap.catalog import BUILT_IN_CATALOG, Catalog, catalog_of
from graphstore.corpusmap.extraction import Extraction, from_json
from graphstore.corpusmap.llm import located as dropped
from graphstore.corpusmap.llm.answers import FoundEntity, Objection, ProposedCatalog, ProposedType
from graphstore.corpusmap.llm.asking import asking
from graphstore.corpusmap.llm.break_even import break_even
from graphstore.corpusmap.llm.cataloging import frozen, make_catalog, samples_of
from graphstore.corpusmap.llm.located import located
from graphstore.corpusmap.llm.parts import halves, parts_of
from graphstore.corpusmap.llm.prompts import prompt
from graphstore.corpusmap.llm.reading import ModelBuilder
from graphstore.corpusmap.llm.run import ModelOptions, run_with_model
from graphstore.corpusmap.llm.shelves import shelf_name
from graphstore.corpusmap.resolve import Resolver
from graphstore.corpusmap.sentences import sentence_spans
from graphstore.corpusmap.types import EntityType
from graphstore.errors import BudgetSpent, ModelError
from graphstore.llm import Endpoint, Meter
from graphstore.llm.answers import Answers
from graphstore.llm.faults import Patience
from graphstore.llm.usage import StageUsage
from graphstore.records import Rejected, SourceDocument
from graphstore.retrieval.prompt_tokens import estimated_tokens
from graphstore.settings import Settings

TEXT = (
    "Project Atlas, code name Falcon, ships in May 2026.\n"
    "Tom Becker leads it. He joined in 2019. Falcon is late. Ask Tom."
)
ATLAS = FoundEntity(["Project Atlas", "Falcon"], "project", ["Falcon is late."])
TOM = FoundEntity(["Tom Becker", "Tom"], "person", ["He joined in 2019."])


def document(text: str = TEXT, number: int = 0, **other: Any) -> SourceDocument:
    return SourceDocument(id=f"d{number}.md", path=f"d{number}.md", title="Minutes", text=text, **other)


def read(
    entities: list[FoundEntity], text: str = TEXT, catalog: Catalog = BUILT_IN_CATALOG
) -> tuple[Extraction, dict[str, int]]:
    found = located(document(text), entities, catalog=catalog, certain=Extraction(), by="llm:m")
    return found.extraction, dict(found.dropped)


# --- located ----------------------------------------------------------------------------------------------------------


def test_names_stand_where_the_text_has_them_and_group_what_they_name():
    found, lost = read([ATLAS, TOM])
    assert {(TEXT[n.start : n.end], n.type) for n in found.names} == {
        ("Project Atlas", "project"),
        ("Falcon", "project"),
        ("Tom Becker", "person"),
        ("Tom", "person"),
    }
    assert [n.text for n in found.names].count("Falcon") == 2
    assert [group.names for group in found.groups] == [("Project Atlas", "Falcon"), ("Tom Becker", "Tom")]
    assert [TEXT[at:].split(".")[0] for group in found.groups for at in group.said] == [
        "Falcon is late",
        "He joined in 2019",
    ]
    assert lost == {}
    assert found.by == "llm:m"


def test_what_is_not_in_the_text_is_dropped_and_counted():
    wrong = FoundEntity(["Project Atlas", "Eagle", "tom", "  ", "the"], "project", ["Eagle has landed today.", "He"])
    found, lost = read([wrong])
    assert {n.text for n in found.names} == {"Project Atlas"}
    assert lost == {dropped.NAME_ABSENT: 2, dropped.NAME_UNUSABLE: 2, dropped.STATEMENT_ABSENT: 2}


def test_a_name_is_never_a_piece_of_a_word_or_of_a_longer_name():
    text = "Annapolis is far. Anna and Anna Schmidt met Ann."
    found, _ = read([FoundEntity(["Anna Schmidt"], "person"), FoundEntity(["Ann"], "person")], text)
    assert sorted((n.start, n.text) for n in found.names) == [(27, "Anna Schmidt"), (44, "Ann")]


def test_blanks_of_the_answer_stand_for_any_blanks_of_the_text():
    found, lost = read(
        [FoundEntity(["Project  Atlas"], "project", ["Atlas will ship soon."])], "The Project\nAtlas will\nship soon."
    )
    assert [(n.start, n.end, n.text) for n in found.names] == [(4, 17, "Project Atlas")]
    assert lost == {}


def test_a_type_that_the_catalog_has_not_counts_as_none():
    own = catalog_of([EntityType("vessel", "A ship.", "Equal name.", like="product")], source="file")
    found, lost = read([FoundEntity(["Falcon"], "Vessel"), FoundEntity(["Tom Becker"], "UNRESOLVED")], catalog=own)
    assert {(n.text, n.type, n.label) for n in found.names} == {
        ("Falcon", "product", "vessel"),
        ("Tom Becker", "topic", ""),
    }
    assert lost == {}
    found, lost = read([FoundEntity(["Falcon"], "vessel")])
    assert {(n.text, n.type) for n in found.names} == {("Falcon", "topic")}
    assert lost == {dropped.TYPE_UNKNOWN: 1}


def test_a_name_of_two_things_groups_neither():
    text = "Tom Becker and Tom Hale came. Tom spoke."
    found, lost = read([FoundEntity(["Tom Becker", "Tom"], "person"), FoundEntity(["Tom Hale", "Tom"], "person")], text)
    assert found.groups == ()
    assert [n.text for n in found.names] == ["Tom Becker", "Tom Hale", "Tom"]
    assert lost == {dropped.AMBIGUOUS: 2}


def test_a_code_name_holds_elsewhere_only_if_a_sentence_joins_it():
    joined, _ = read([ATLAS, TOM])
    assert [(a.a, a.b) for a in joined.aliases] == [("Project Atlas", "Falcon")]  # and no "Tom" for everybody
    apart, _ = read([ATLAS], "Project Atlas ships. Falcon is late.")
    assert apart.aliases == ()
    assert [group.names for group in apart.groups] == [("Project Atlas", "Falcon")]


def test_names_without_spaces_between_words_are_found():
    text = "李伟负责星辰项目。田中さんも参加した。김민수는 회의에 왔다."
    found, lost = read([FoundEntity([name], "person") for name in ("李伟", "田中", "김민수")], text)
    assert [n.text for n in found.names] == ["李伟", "田中", "김민수"]
    assert lost == {}


def test_addresses_and_numbers_are_certain_whatever_the_model_says():
    text = "Tom Becker <tom.becker@example.org> closed INC-1042."
    certain = LocalBuilder().extract([document(text)])[0]
    assert isinstance(certain, Extraction)
    made = located(
        document(text), [FoundEntity(["Tom Becker"], "person")], catalog=BUILT_IN_CATALOG, certain=certain, by="m"
    )
    names = {n.text: n for n in made.extraction.names}
    assert {(name, n.type) for name, n in names.items()} == {
        ("Tom Becker", "person"),
        ("tom.becker@example.org", "email"),
        ("INC-1042", "code"),
    }
    assert names["Tom Becker"].qualifiers == ("mail:tom.becker@example.org",)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_whatever_a_model_says_only_words_of_the_text_are_left(data: st.DataObject):
    words = st.sampled_from(
        ["Anna", "Ann", "Schmidt", "Tom", "İstanbul", "李伟", "C++", "and", "v1.2", "ß", "\n", "(", "."]
    )
    text = " ".join(data.draw(st.lists(words, max_size=25)))
    name = st.lists(words, min_size=1, max_size=3).map(" ".join) | st.text(max_size=6)
    types = st.sampled_from(["person", "project", "place", "UNRESOLVED", "no such"])
    entity = st.builds(FoundEntity, st.lists(name, max_size=4), types, st.lists(name, max_size=2))
    entities = data.draw(st.lists(entity, max_size=6))
    found, _ = read(entities, text)
    whole = "Minutes\n" + text
    for n in found.names:
        assert " ".join(whole[n.start + 8 : n.end + 8].split()) == n.text
        assert n.key
    spans = sorted((n.start, n.end) for n in found.names)
    assert all(a[1] <= b[0] for a, b in pairwise(spans))
    assert {name for group in found.groups for name in group.names} <= {n.text for n in found.names}
    assert from_json(found.to_json()) == found
    resolver = Resolver()
    resolver.put("d", "Minutes", "", found)
    resolver.settle()


def test_what_was_paid_for_outlives_a_change_of_the_local_builder(monkeypatch: pytest.MonkeyPatch):
    found, _ = read([ATLAS, TOM])
    kept, local = found.to_json(), Extraction().to_json()
    monkeypatch.setattr(extraction, "FORMAT", extraction.FORMAT + 1)
    assert from_json(local) is None
    assert from_json(kept) == found


def test_a_group_is_one_thing_in_its_document():
    found, _ = read(
        [FoundEntity(["Northwind Traders", "Nordlicht"], "organisation")], "Northwind Traders came. Nordlicht paid."
    )
    resolver = Resolver()
    resolver.put("d", "Minutes", "", found)
    resolver.settle()
    assert [set(d.names) for d in resolver.decisions["d"] if "Nordlicht" in getattr(d, "names", ())] == [
        {"Northwind Traders", "Nordlicht"}
    ]


# --- parts ------------------------------------------------------------------------------------------------------------


@given(
    st.lists(st.sampled_from(["One thing.", "Another!", "Is it?", "李伟说。", "\n", "word " * 30]), max_size=30),
    st.integers(1, 60),
)
@example(["One thing."] * 5 + ["\n", "word " * 30], 1)
def test_parts_hold_every_sentence_once_and_in_order(pieces: list[str], most: int):
    text = " ".join(pieces)
    joined = "".join("".join(parts_of(text, most)).split())
    assert joined == "".join(text.split())
    # Of the whole text: whether a line break ends a sentence depends on what is around it.
    sentences = {text[start:end] for start, end in sentence_spans(text)}
    for part in parts_of(text, most):
        # blanks between sentences may count too
        assert estimated_tokens(part) <= most * 1.5 + 4 or part in sentences


def test_halves_end():
    text = "One thing. Another thing. A third."
    assert "".join("".join(halves(text)).split()) == "".join(text.split())
    assert halves("One thing.") == ["One thing."]


# --- reading ----------------------------------------------------------------------------------------------------------


def entities(*found: FoundEntity) -> Calls:
    return Calls(("final_result", {"entities": [vars(entity) for entity in found]}))


def meter_of(server: ModelServer, **options: Any) -> Meter:
    quick = Patience(attempts=2, first=0.01, timeout=5)
    return Meter(Endpoint(url=server.url, model="scripted"), patience=quick, **options)


def test_one_document_that_cannot_be_read_is_named_and_the_others_go_on():
    def script(body: Any) -> Reply:
        return Says("no idea") if "bad" in last_text(body) or len(body["messages"]) > 2 else entities(ATLAS)

    with ModelServer(script) as server, asking(meter_of(server)) as asker:
        builder = ModelBuilder(asker, BUILT_IN_CATALOG)
        made = builder.extract([document(number=0), document("bad", 1), document(number=2)])
    assert [isinstance(each, Extraction) for each in made] == [True, False, True]
    assert isinstance(made[1], Rejected)
    assert str(made[1]).startswith("d1.md: not read: the answer does not fit what was asked")


def test_a_long_answer_is_asked_for_in_halves():
    def script(body: Any) -> Reply:
        if "One." in last_text(body) and "Falcon" in last_text(body):
            return Calls(("final_result", '{"entities": [{"na'), finish="length")
        return entities(ATLAS)

    with ModelServer(script) as server, asking(meter_of(server)) as asker:
        (made,) = ModelBuilder(asker, BUILT_IN_CATALOG).extract([document("One. Two. Three. Falcon is late.")])
    assert isinstance(made, Extraction)
    assert {n.text for n in made.names} == {"Falcon"}


def test_a_long_document_is_read_in_parts():
    text = "\n".join(f"Item {n}: the team of Tom Becker met and talked at length." for n in range(600))
    with ModelServer([entities(TOM)]) as server, asking(meter_of(server)) as asker:
        (made,) = ModelBuilder(asker, BUILT_IN_CATALOG).extract([document(text)])
        assert len(server.requests) == len(parts_of(text)) > 1
    assert isinstance(made, Extraction)
    assert len(made.names) == 600


def test_documents_that_only_some_may_read_are_not_sent():
    secret = document("Zebra Holdings pays Tom Becker.", 1, acl=("board",))
    with ModelServer([entities(ATLAS)]) as server, asking(meter_of(server)) as asker:
        builder = ModelBuilder(asker, BUILT_IN_CATALOG)
        made = builder.extract([document(), secret])
        assert "Zebra" not in str(server.requests)
        assert [m.by for m in made if isinstance(m, Extraction)] == [builder.stamp(document()), "local"]
        assert builder.stamp(secret) == "local"
        assert builder.kept_here == 1
        ModelBuilder(asker, BUILT_IN_CATALOG, restricted=True).extract([secret])
        assert "Zebra" in str(server.requests)


def test_the_stamp_changes_with_model_prompt_and_catalog():
    own = catalog_of([EntityType("vessel", "A ship.", "Equal name.", like="product")], source="file")
    with ModelServer([entities()]) as server, asking(meter_of(server)) as asker:
        first, second = ModelBuilder(asker, BUILT_IN_CATALOG), ModelBuilder(asker, own)
        assert first.stamp(document()) != second.stamp(document())
        assert first.stamp(document()).startswith("llm:scripted:")
        assert first.keeps(first.stamp(document()))
        assert not first.keeps(second.stamp(document()))
        assert LocalBuilder().keeps(first.stamp(document()))  # what was paid for is not made again by the local one


def test_answers_about_an_older_text_are_not_kept(tmp_path: Path):
    with ModelServer([entities(ATLAS)]) as server, asking(meter_of(server, cache=tmp_path)) as asker:
        builder = ModelBuilder(asker, BUILT_IN_CATALOG)
        builder.extract([document()])
        builder.extract([document("Falcon flew.")])
        files = [path for path in Answers(tmp_path).folder.rglob("*.json")]
        assert len(files) == 1
        Answers(tmp_path).clear([shelf_name("d0.md")])
        assert not list(Answers(tmp_path).folder.rglob("*.json"))


# --- catalog ----------------------------------------------------------------------------------------------------------

VESSEL = {
    "name": "vessel",
    "definition": "A ship.",
    "identity": "Equal name.",
    "like": "product",
    "examples": ["Falcon", "Titanic"],
}
ROLE = {"name": "role", "definition": "A role.", "identity": "Equal.", "like": "topic", "examples": []}


def collection(count: int = 80) -> list[SourceDocument]:
    return [document(f"Falcon number {n} sails.", n) for n in range(count)]


def cataloguer(body: Any) -> Reply:
    instructions = body["messages"][0]["content"]
    if instructions == prompt("catalog_verify"):
        return Calls(("final_result", {"objections": [{"type": "role", "problem": "Names nobody.", "remedy": "drop"}]}))
    types = [VESSEL] if instructions == prompt("catalog_revise") else [VESSEL, ROLE]
    return Calls(("final_result", {"types": types}))


def test_a_catalog_is_proposed_synthesised_reviewed_and_revised():
    with ModelServer(cataloguer) as server, asking(meter_of(server)) as asker:
        samples = samples_of(collection())
        assert samples is not None
        made = make_catalog(asker, samples)
    stages = [r["messages"][0]["content"] for r in server.requests]
    assert [stages.count(prompt(f"catalog_{name}")) for name in ("propose", "synthesise", "verify", "revise")] == [
        3,
        1,
        1,
        1,
    ]
    assert [(kind.name, kind.base, kind.examples) for kind in made.own] == [("vessel", "product", ("Falcon",))]
    assert [(each.name, each.reason) for each in made.refused] == [("role", "Names nobody.")]
    assert made.source == "llm"


def test_the_review_sees_documents_that_no_candidate_was_made_from():
    samples = samples_of(collection())
    assert samples is not None
    shown = [{document.id for document in sample} for sample in (*samples.candidates, samples.review)]
    assert all(a.isdisjoint(b) for i, a in enumerate(shown) for b in shown[:i])
    assert [len(sample) for sample in shown] == [16] * 4


def test_samples_do_not_depend_on_the_order_and_show_nothing_that_is_not_open_to_all():
    documents = [*collection(), *(document("secret", 100 + n, acl=("board",)) for n in range(50))]
    shuffled = documents[:]
    random.Random(1).shuffle(shuffled)
    assert samples_of(documents) == samples_of(shuffled) == samples_of([*documents, *shuffled])
    assert "secret" not in str(samples_of(documents))
    assert samples_of(documents[-50:]) is None
    tiny = samples_of(collection(1))
    assert tiny is not None
    assert tiny.candidates == (tuple(collection(1)),)


def test_types_that_cannot_be_taken_are_kept_as_refused():
    proposed = ProposedCatalog(
        [
            ProposedType("Ship Class", "A class.", "Equal.", "product", ["Falcon", "Nautilus"]),
            ProposedType("ship class", "Again.", "Equal.", "product"),
            ProposedType("person", "Overrides.", "Equal.", "person"),
            ProposedType("", "Nameless.", "Equal.", "topic"),
            ProposedType("void", " ", "Equal.", "topic"),
        ]
    )
    made = frozen(proposed, [Objection("ghost", "Is never named.", "drop")], ["The Falcon sails."])
    assert [(kind.name, kind.definition, kind.examples) for kind in made.own] == [
        ("ship class", "A class.", ("Falcon",))
    ]
    assert {each.name for each in made.refused} == {"", "void", "ghost"}


def test_without_a_usable_proposal_the_run_ends_and_says_how_to_go_on():
    samples = samples_of(collection())
    assert samples is not None
    told = pytest.raises(ModelError, match=r"no type catalog could be made.*--no-catalog")
    with ModelServer([Says("no")]) as server, asking(meter_of(server)) as asker, told:
        make_catalog(asker, samples)


# --- a run ------------------------------------------------------------------------------------------------------------


def test_break_even_by_cost_and_by_tokens():
    build = StageUsage("total", input_tokens=8_000_000, output_tokens=1_000_000, cost=None)
    assert break_even(build, None, tokens_saved=100_000, price_of_reading=None).questions == 90
    assert break_even(build, None, tokens_saved=100_000, price_of_reading=None).by == "tokens"


def run(server: ModelServer, tmp_path: Path, documents: list[SourceDocument], **options: Any) -> Any:
    return run_with_model(
        Settings(llm_url=server.url, llm_model="scripted", cache=tmp_path),
        ModelOptions(**options),
        lambda builder: builder.extract(documents),
        documents=lambda: documents,
        used=BUILT_IN_CATALOG,
        keep=lambda catalog: catalog,
        local=lambda catalog: LocalBuilder(),
    )


def builder_script(body: Any) -> Reply:
    return entities(ATLAS) if "You read one document" in body["messages"][0]["content"] else cataloguer(body)


def test_a_run_reports_each_stage_and_reads_with_the_catalog_that_it_made(tmp_path: Path):
    with ModelServer(builder_script) as server:
        made, report = run(server, tmp_path, collection(8), price_in=1.0, price_out=2.0)
    assert len(made) == 8
    assert "- vessel: A ship." in server.requests[-1]["messages"][0]["content"]
    assert [(stage.stage, stage.calls) for stage in report.usage.stages] == [("catalog", 6), ("extract", 8)]
    told = report.to_dict()
    assert told["usage"]["total"]["cost"] == pytest.approx(report.usage.total.cost)
    assert told["dropped"] == {dropped.NAME_ABSENT: 8, dropped.STATEMENT_ABSENT: 8}
    assert told["break_even"]["questions"] >= 1
    assert len(report.lines()) == 5


def test_a_budget_that_ends_keeps_what_was_answered_and_reports_it(tmp_path: Path):
    with ModelServer(builder_script) as server:
        with pytest.raises(BudgetSpent) as told:
            run(server, tmp_path, collection(30), max_tokens=15_000, catalog=False)
        paid = told.value.report.usage.total.calls
        assert 0 < paid < 30
        _, report = run(server, tmp_path, collection(30), catalog=False)
        assert report.usage.total.cached == paid
        assert report.usage.total.calls == 30 - paid


def test_a_second_run_of_the_same_pays_nothing(tmp_path: Path):
    with ModelServer(builder_script) as server:
        run(server, tmp_path, collection(8))
        asked = len(server.requests)
        _, report = run(server, tmp_path, collection(8))
        assert len(server.requests) == asked
    assert report.usage.total.tokens == 0
