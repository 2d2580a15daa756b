"""Records of registries in resolution: who is meant, rather nobody than a guess, the same in any order."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphstore.corpusmap.decisions import Link, Unresolved
from graphstore.corpusmap.directory import Known, known
from graphstore.corpusmap.extract import extract
from graphstore.corpusmap.extraction import Extraction
from graphstore.corpusmap.resolve import Resolver
from graphstore.corpusmap.rulings import Ruling, name_anchor, record_anchor, split_mark
from graphstore.records import SourceDocument

Documents = list[tuple[SourceDocument, Extraction]]


def record(id: str, name: str, *aliases: str, type: str | None = "person", **attributes: Any) -> Known:
    return known(id, name, type, aliases, attributes, f"{id} {name} {aliases} {type} {attributes}")


def extracted(*texts: str, titles: tuple[str, ...] = ()) -> Documents:
    made = [
        SourceDocument(id=f"f/{i}.md", path=f"f/{i}.md", title=titles[i] if i < len(titles) else "Notes", text=text)
        for i, text in enumerate(texts)
    ]
    return list(zip(made, extract(made), strict=True))


def put(resolver: Resolver, document: SourceDocument, extraction: Extraction) -> None:
    resolver.put(document.id, document.title, document.path.rpartition("/")[0], extraction)


def resolved(documents: Documents, *records: Known) -> Resolver:
    resolver = Resolver()
    for each in records:
        resolver.put_record(each)
    for document, extraction in documents:
        put(resolver, document, extraction)
    resolver.settle()
    return resolver


def meant(resolver: Resolver, document: str, form: str) -> str | None:
    """Id of the entity that a written form is linked to in a document; ``None`` if it is open."""
    for decision in resolver.decisions[document]:
        if isinstance(decision, Link) and form in decision.names:
            return decision.entity
        if isinstance(decision, Unresolved) and decision.name == form:
            return None
    raise AssertionError(f"{form} is not in {document}: {resolver.decisions[document]}")


LEE = record("e1", "Anna Schmidt", email="anna@helio.example", department="Finance")


def test_an_exact_name_takes_the_id_and_the_name_of_its_record():
    resolver = resolved(extracted("Dr. ANNA SCHMIDT signed.", "The report of Anna Schmidt is late."), LEE)
    assert meant(resolver, "f/0.md", "ANNA SCHMIDT") == meant(resolver, "f/1.md", "Anna Schmidt") == "e1"
    entity = resolver.entities["e1"]
    assert (entity.name, entity.kind, entity.documents, entity.record) == ("Anna Schmidt", "person", 2, LEE.digest)


def test_another_name_of_the_record_and_its_address_mean_it():
    alias = record("p7", "Project Atlas", "Bluebird", type="project", mail="atlas@helio.example")
    resolver = resolved(extracted("The Bluebird budget is open.", "Write to atlas@helio.example."), alias)
    assert meant(resolver, "f/0.md", "Bluebird") == meant(resolver, "f/1.md", "atlas@helio.example") == "p7"
    assert resolver.entities["p7"].aliases == ("Bluebird", "Project Atlas", "atlas@helio.example")


def test_a_record_that_no_document_mentions_is_no_entity():
    assert "e1" not in resolved(extracted("Nothing of note."), LEE).entities


def test_who_is_not_in_the_registry_is_not_linked_to_who_is_like_them():
    resolver = resolved(extracted("Dr. Hanna Schmidt and Dr. Anna Schmitz met Dr. Anna Schmid."), LEE)
    assert "e1" not in resolver.entities


def test_a_namesake_with_another_address_is_someone_else():
    resolver = resolved(extracted("Anna Schmidt <anna@other.example> wrote.", "Anna Schmidt <anna@helio.example>"), LEE)
    assert meant(resolver, "f/0.md", "Anna Schmidt") != "e1"
    assert meant(resolver, "f/1.md", "Anna Schmidt") == "e1"


def test_of_two_records_of_one_name_only_what_tells_them_apart_decides():
    other = record("e2", "Anna Schmidt", email="a2@helio.example", department="Legal")
    resolver = resolved(
        extracted(
            "Anna Schmidt (Finance) approved.", "Anna Schmidt asked.", "Anna Schmidt <a2@helio.example> answered."
        ),
        LEE,
        other,
    )
    assert meant(resolver, "f/0.md", "Anna Schmidt") == "e1"
    assert meant(resolver, "f/1.md", "Anna Schmidt") is None
    assert meant(resolver, "f/2.md", "Anna Schmidt") == "e2"


def test_a_first_name_alone_is_nobody_unless_the_document_completes_it_or_an_attribute_leaves_one():
    texts = ("Hello Anna, thank you. Regards, Dr. Tom Becker", "Anna Schmidt came. Anna spoke.")
    resolver = resolved(extracted(*texts), LEE, record("e3", "Anna Weber", department="Legal"))
    assert all(
        meant(resolver, "f/0.md", each.name) is None
        for each in resolver.decisions["f/0.md"]
        if isinstance(each, Unresolved)
    )
    assert "e1" not in {d.entity for d in resolver.decisions["f/0.md"] if isinstance(d, Link)}
    assert meant(resolver, "f/1.md", "Anna") == "e1"


def test_a_person_of_the_registry_is_no_company_of_that_name():
    resolver = resolved(extracted("Anna Schmidt Ltd. was sold."), LEE)
    assert "e1" not in resolver.entities


# -- decisions of people ---------------------------------------------------------------------------------------------

PEOPLE = (
    "Dr. Katharina Bergmann met Dr. Tom Becker. INC-1042 is open.",
    "Dr. Katharina Bergmann and Dr. Katrin Bergmann-Voss signed for Northwind Ltd.",
    "Dr. Katrin Bergmann-Voss wrote to Dr. Tom Becker. Becker agreed.",
    "Dr. Anna Schmidt of Northwind Ltd. met Bergmann.",
    "Anna Schmidt <anna@helio.example> (Finance) asked Katharina Bergmann about INC-1042.",
    "Anna M. Schmidt left. Dr. A. Schmidt came.",
)
MERGE = Ruling(1, "merge", (name_anchor("katharina bergmann", None), name_anchor("katrin bergmann voss", None)))


def test_a_merge_moves_every_link_and_undoing_it_restores_all():
    resolver = resolved(extracted(*PEOPLE))
    before = (dict(resolver.decisions), dict(resolver.entities))
    kept = meant(resolver, "f/0.md", "Katharina Bergmann")
    resolver.put_ruling(MERGE)
    resolver.settle()
    assert meant(resolver, "f/2.md", "Katrin Bergmann-Voss") == kept
    assert resolver.entities[kept].documents == 5
    assert "Katrin Bergmann-Voss" in resolver.entities[kept].aliases
    resolver.drop_ruling(1)
    resolver.settle()
    assert (resolver.decisions, resolver.entities) == before


def test_a_merge_with_a_record_keeps_the_record():
    resolver = resolved(extracted(*PEOPLE), record("k1", "Katrin Bergmann-Voss"))
    resolver.put_ruling(Ruling(1, "merge", (name_anchor("katharina bergmann", None), record_anchor("k1"))))
    resolver.settle()
    assert meant(resolver, "f/0.md", "Katharina Bergmann") == "k1"
    assert resolver.entities["k1"].name == "Katrin Bergmann-Voss"


def test_a_split_by_documents_takes_those_mentions_only():
    resolver = resolved(extracted(*PEOPLE))
    source = meant(resolver, "f/0.md", "Katharina Bergmann")
    anchor = name_anchor("katharina bergmann", None)
    mark = split_mark(anchor, ["f/1.md"], "")
    resolver.put_ruling(Ruling(1, "split", (anchor,), ("f/1.md",), "", mark))
    resolver.settle()
    assert meant(resolver, "f/0.md", "Katharina Bergmann") == source
    assert meant(resolver, "f/1.md", "Katharina Bergmann") not in (source, None)


def test_a_split_name_and_distinct_names_stay_apart():
    texts = extracted("Dr. Anna Schmidt met Dr. Tom Becker.", "Dr. Anna M. Schmidt met Dr. Tom Becker.")
    resolver = resolved(texts)
    assert meant(resolver, "f/0.md", "Anna Schmidt") == meant(resolver, "f/1.md", "Anna M. Schmidt")
    anchors = name_anchor("anna m schmidt", None), name_anchor("anna schmidt", None)
    for ruling in (Ruling(1, "split", (anchors[0],), (), "anna schmidt"), Ruling(1, "distinct", anchors)):
        resolver.put_ruling(ruling)
        resolver.settle()
        assert meant(resolver, "f/0.md", "Anna Schmidt") != meant(resolver, "f/1.md", "Anna M. Schmidt")
        resolver.drop_ruling(1)
        resolver.settle()
        assert len({meant(resolver, "f/0.md", "Anna Schmidt"), meant(resolver, "f/1.md", "Anna M. Schmidt")}) == 1


def test_a_decision_whose_entity_has_gone_sleeps_until_it_is_back():
    documents = extracted(*PEOPLE)
    resolver = resolved(documents)
    resolver.put_ruling(MERGE)
    resolver.settle()
    before = (dict(resolver.decisions), dict(resolver.entities))
    for name in ("f/1.md", "f/2.md"):
        resolver.drop(name)
    assert resolver.settle().dormant == {1: True}
    for document, extraction in documents[1:3]:
        put(resolver, document, extraction)
    assert resolver.settle().dormant == {1: False}
    assert (resolver.decisions, resolver.entities) == before


# -- any order -------------------------------------------------------------------------------------------------------

RECORDS = (
    LEE,
    record("e2", "Anna Schmidt", "A. Schmidt", email="a2@helio.example", department="Legal"),
    record("e1", "Anna Schmidt", department="Operations"),
    record("k1", "Katrin Bergmann-Voss", "Katharina Bergmann"),
    record("k2", "Katharina Bergman", type=None),
    record("t1", "Tom Becker", department="Finance"),
    record("o1", "Northwind", "Northwind Trading", type="vendor"),
    record("INC-1042", "Printer fault", type="incident"),
)
RULINGS = (
    MERGE,
    Ruling(2, "merge", (name_anchor("anna schmidt", None), name_anchor("katharina bergmann", None))),
    Ruling(3, "merge", (record_anchor("e2"), record_anchor("t1"))),
    Ruling(4, "distinct", (name_anchor("anna m schmidt", None), name_anchor("anna schmidt", None))),
    Ruling(5, "split", (name_anchor("katharina bergmann", None),), ("f/1.md", "f/4.md"), "", "m5"),
    Ruling(6, "split", (name_anchor("anna m schmidt", None),), (), "anna schmidt"),
    Ruling(7, "split", (record_anchor("e1"),), ("f/4.md",), "", "m7"),
    Ruling(8, "refine", (record_anchor("e1"),), ("f/5.md",), "a schmidt", "h", 0.9, "context"),
    Ruling(9, "refine", (), ("f/0.md",), "katharina bergmann", "h", 0.9, "too weak"),
    Ruling(10, "merge", (name_anchor("inc 1042", None), "split:m5")),
)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(("put", "drop")), st.integers(0, len(PEOPLE) - 1)),
        st.tuples(st.sampled_from(("record", "forget")), st.integers(0, len(RECORDS) - 1)),
        st.tuples(st.sampled_from(("rule", "undo")), st.integers(0, len(RULINGS) - 1)),
        st.tuples(st.just("settle"), st.just(0)),
    ),
    max_size=40,
)


@pytest.fixture(scope="module")
def people() -> Documents:
    return extracted(*PEOPLE)


class Replay:
    """What is stored after steps, whatever their order."""

    def __init__(self, documents: Documents) -> None:
        self.documents = documents
        self.resolver = Resolver()
        self.put: set[int] = set()
        self.records: dict[str, Known] = {}
        self.rulings: set[int] = set()

    def step(self, what: str, index: int) -> None:
        getattr(self, f"_{what}")(index)

    def _put(self, index: int) -> None:
        put(self.resolver, *self.documents[index])
        self.put.add(index)

    def _drop(self, index: int) -> None:
        if index in self.put:
            self.resolver.drop(self.documents[index][0].id)
            self.put.discard(index)

    def _record(self, index: int) -> None:
        self.resolver.put_record(RECORDS[index])
        self.records[RECORDS[index].id] = RECORDS[index]

    def _forget(self, index: int) -> None:
        if self.records.pop(RECORDS[index].id, None):
            self.resolver.drop_record(RECORDS[index].id)

    def _rule(self, index: int) -> None:
        self.resolver.put_ruling(RULINGS[index])
        self.rulings.add(index)

    def _undo(self, index: int) -> None:
        if index in self.rulings:
            self.resolver.drop_ruling(RULINGS[index].number)
            self.rulings.discard(index)

    def _settle(self, index: int) -> None:
        self.resolver.settle()

    def at_once(self) -> Resolver:
        other = Resolver()
        for index in sorted(self.rulings, reverse=True):
            other.put_ruling(RULINGS[index])
        for id in sorted(self.records):
            other.put_record(self.records[id])
        for index in sorted(self.put):
            put(other, *self.documents[index])
        other.settle()
        return other


@settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_any_order_of_documents_records_and_decisions_comes_to_the_same(people: Documents, steps: list):
    replay = Replay(people)
    for what, index in steps:
        replay.step(what, index)
    replay.resolver.settle()
    other = replay.at_once()
    assert replay.resolver.decisions == other.decisions
    assert replay.resolver.entities == other.entities
    assert replay.resolver.ruled.rulings.dormant == other.ruled.rulings.dormant


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS, ruling=st.sampled_from(RULINGS))
def test_a_decision_and_its_undoing_leave_no_trace(people: Documents, steps: list, ruling: Ruling):
    replay = Replay(people)
    for what, index in steps:
        if RULINGS[index % len(RULINGS)] is not ruling or what not in ("rule", "undo"):
            replay.step(what, index)
    replay.resolver.settle()
    before = dict(replay.resolver.decisions), dict(replay.resolver.entities)
    replay.resolver.put_ruling(ruling)
    replay.resolver.settle()
    replay.resolver.drop_ruling(ruling.number)
    replay.resolver.settle()
    assert (replay.resolver.decisions, replay.resolver.entities) == before
