"""A surname alone, a title before a name and a slip of the pen: who is meant, the same in any order."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphstore.corpusmap.decisions import Link
from graphstore.corpusmap.directory import Known, known
from graphstore.corpusmap.evidence import blocks, compare
from graphstore.corpusmap.extract import extract
from graphstore.corpusmap.extraction import Extraction, Name, StatedAlias
from graphstore.corpusmap.keys import name_key
from graphstore.corpusmap.resolve import Resolver
from graphstore.corpusmap.types import ORGANISATION, PERSON, PLACE
from graphstore.records import SourceDocument


def extraction(*names: tuple[str, str]) -> Extraction:
    return Extraction(
        tuple(
            Name(start, start + len(text), text, kind, (), False, name_key(text))
            for start, (text, kind) in zip(range(0, 1000, 50), names, strict=False)
        )
    )


def people(*names: str) -> Extraction:
    return extraction(*((name, PERSON) for name in names))


def record(id: str, name: str, **attributes: str) -> Known:
    return known(id, name, PERSON, (), attributes, f"{id} {name} {attributes}")


def resolved(documents: dict[str, Extraction], *records: Known) -> Resolver:
    resolver = Resolver()
    for each in records:
        resolver.put_record(each)
    for document, found in documents.items():
        resolver.put(document, "", "", found)
    resolver.settle()
    return resolver


def entity(resolver: Resolver, document: str, form: str) -> str | None:
    for decision in resolver.decisions[document]:
        if isinstance(decision, Link) and form in decision.names:
            return decision.entity
    return None


KRANZ = {f"full{i}": people("Anna Kranz", "Tom Becker") for i in range(8)}


def test_a_surname_means_its_only_bearer_if_many_documents_have_the_full_name() -> None:
    resolver = resolved({**KRANZ, "short": people("Kranz", "Li Wei")})
    assert entity(resolver, "short", "Kranz") == entity(resolver, "full0", "Anna Kranz")
    few = {document: KRANZ[document] for document in ("full0", "full1")}
    assert entity(resolved({**few, "short": people("Kranz", "Li Wei")}), "short", "Kranz") is None


def test_a_surname_of_two_is_open_unless_one_of_them_is_rare() -> None:
    short = people("Kranz", "Tom Becker")
    rare = resolved({**KRANZ, "other": people("Otto Kranz", "Mia Wolf"), "short": short})
    assert entity(rare, "short", "Kranz") == entity(rare, "full0", "Anna Kranz")
    common = {f"other{i}": people("Otto Kranz", "Tom Becker") for i in range(4)}
    assert entity(resolved({**KRANZ, **common, "short": short}), "short", "Kranz") is None


def test_a_surname_that_the_model_takes_for_a_company_is_its_bearers_unless_documents_use_it_alone() -> None:
    taken = extraction(("Kranz", ORGANISATION), ("Tom Becker", PERSON))
    resolver = resolved({**KRANZ, "short": taken})
    assert entity(resolver, "short", "Kranz") == entity(resolver, "full0", "Anna Kranz")
    usual = resolved({**KRANZ, **{f"short{i}": taken for i in range(9)}})
    assert entity(usual, "short0", "Kranz") not in (None, entity(usual, "full0", "Anna Kranz"))


@pytest.mark.parametrize(
    ("a", "b", "kind"),
    [
        ("Quarterback Tom Becker", "Tom Becker", PERSON),
        ("Rivertown Raiders Tom Becker", "Tom Becker", PERSON),
        ("City Councilman Tom D. Becker", "Tom D. Becker", PERSON),
        ("Riverside Clara Voss Hospital", "Clara Voss Hospital", PLACE),
        ("Clara Voss Clinic", "Clara Voss Center", PLACE),
        ("Rivertown Raider", "Rivertown Raiders", ORGANISATION),
        ("St. Clara Hospital", "Saint Clara Hospital", PLACE),
    ],
)
def test_what_someone_does_or_a_thing_is_does_not_part_two_names(a: str, b: str, kind: str) -> None:
    keys = name_key(a), name_key(b)
    assert compare(*keys, kind, kind) is not None
    assert compare(*keys, kind, kind) == compare(*reversed(keys), kind, kind)
    assert set(blocks(keys[0])) & set(blocks(keys[1]))


@pytest.mark.parametrize(
    ("a", "b"), [("Rivertown Bank", "Rivertown School"), ("Clara Voss School", "Clara Voss Hospital")]
)
def test_two_kinds_of_thing_of_one_name_are_two(a: str, b: str) -> None:
    assert compare(name_key(a), name_key(b), ORGANISATION, ORGANISATION) is None


def test_a_company_is_itself_with_its_legal_form_though_others_begin_with_its_name() -> None:
    both = [(name, ORGANISATION) for name in ("Heliograph Research", "Heliograph Fund")]
    documents = {
        **{f"d{i}": extraction(("Heliograph", ORGANISATION), *both) for i in range(3)},
        "full": extraction(("Heliograph Corp.", ORGANISATION), *both),
    }
    resolver = resolved(documents)
    assert entity(resolver, "full", "Heliograph Corp.") == entity(resolver, "d0", "Heliograph")


def test_general_motors_is_no_general() -> None:
    (found,) = extract(
        [SourceDocument(id="a", path="a", title="", text="General Motors sold Opel to Peugeot in 2017.")]
    )
    motors = [name for name in found.names if name.text == "General Motors"]
    assert [(name.key, name.type) for name in motors] == [("general motors", ORGANISATION)]
    assert name_key("General Colin Powell") == "colin powell"
    assert name_key("Sen Gupta") == "sen gupta"


REGISTRY = (record("e1", "Rohan Schmidt"), record("e2", "Anna Weber"), record("e3", "Peter Reynolds"))


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("Rohan Scmidt", "e1"),
        ("Ronan Schmidt", "e1"),
        ("Peter Reynoldss", "e3"),
        ("Rohan Schmid", None),
        ("Rohan Schmidts", None),
        ("Rohan Schmids", None),
        ("Peter Schmidt", None),
    ],
)
def test_a_slip_is_linked_to_the_only_record_that_it_may_mean_and_another_ending_is_not(
    written: str, meant: str | None
) -> None:
    found = entity(resolved({"d": people(written)}, *REGISTRY), "d", written)
    assert (found if found in ("e1", "e2", "e3") else None) == meant


def test_a_word_that_is_someone_elses_name_is_no_slip() -> None:
    real = record("e4", "Clara Scmidt")
    found = entity(resolved({"d": people("Rohan Scmidt")}, *REGISTRY, real), "d", "Rohan Scmidt")
    assert found not in (None, "e1")
    often = {f"d{i}": people("Rohan Scmidt") for i in range(3)}
    assert entity(resolved(often, *REGISTRY), "d0", "Rohan Scmidt") != "e1"


def test_a_department_that_a_text_is_about_does_not_tell_two_of_a_name_apart() -> None:
    two = (record("e1", "Anna Weber", department="Finance"), record("e2", "Anna Weber", department="Supply Chain"))

    def meant(text: str) -> str | None:
        (found,) = extract([SourceDocument(id="d", path="d", title="", text=text)])
        return entity(resolved({"d": found}, *two), "d", "Anna Weber")

    assert meant("Anna Weber, head of Supply Chain, said so.") == "e2"
    assert meant("Anna Weber wrote to us. What she says is a matter of the Supply Chain in the north.") is None


POOL = {
    "full": people("Anna Kranz", "Tom Becker"),
    "full2": people("Anna Kranz", "Tom Becker", "Li Wei"),
    "other": people("Otto Kranz", "Li Wei"),
    "short": people("Kranz", "Tom Becker"),
    "taken": extraction(("Kranz", ORGANISATION), ("Tom Becker", PERSON)),
    "place": extraction(("Kranz", PLACE), ("Anna Kranz", PERSON)),
    "post": people("Attorney Anna Kranz", "Tom Becker"),
    "slip": people("Rohan Scmidt"),
    "slip2": people("Rohan Scmidt", "Scmidt"),
    "real": people("Clara Scmidt"),
    "first": people("Rohsn Schmidt"),
    "first2": people("Rohsn Holm"),
    "lone": people("Scmidt"),
    "river": people("Li Wei"),
    "bank": people("Tom Becker", "Mia Wolf"),
}


STATED = replace(people("Anna Kranz", "Night Heron"), aliases=(StatedAlias("Anna Kranz", "Night Heron", False),))
POOL |= {"stated": STATED, **{f"two{i}": people("Anna Kranz", "Night Heron") for i in range(4)}}
TITLES = {"river": "Kranz (river)", "bank": "Kranz (bank)"}


def put(resolver: Resolver, each: str | Known) -> None:
    if isinstance(each, str):
        resolver.put(each, TITLES.get(each, ""), "", POOL[each])
    else:
        resolver.put_record(each)


def drop(resolver: Resolver, each: str | Known) -> None:
    if isinstance(each, str):
        resolver.drop(each)
    else:
        resolver.drop_record(each.id)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.permutations([*POOL, *REGISTRY]),
    st.integers(3, len(POOL) + len(REGISTRY)),
    st.sets(st.sampled_from([*POOL, *REGISTRY]), max_size=4),
    st.integers(1, 4),
)
def test_any_order_batch_and_detour_comes_to_the_same(order: list, size: int, gone: set, batch: int) -> None:
    stepwise = Resolver()
    for index, each in enumerate(order[:size]):
        put(stepwise, each)
        if index % batch == 0:
            stepwise.settle()
    stepwise.settle()
    for each in order[:size]:
        if each in gone:
            drop(stepwise, each)
            stepwise.settle()
    at_once = Resolver()
    for each in [*POOL, *REGISTRY]:
        if each in order[:size] and each not in gone:
            put(at_once, each)
    at_once.settle()
    assert stepwise.decisions == at_once.decisions
    assert stepwise.entities == at_once.entities


def test_two_whom_documents_use_as_two_are_two_even_where_a_text_says_they_are_one() -> None:
    alone = resolved({"stated": STATED})
    assert entity(alone, "stated", "Night Heron") == entity(alone, "stated", "Anna Kranz")
    often = resolved({"stated": STATED, **{f"two{i}": people("Anna Kranz", "Night Heron") for i in range(4)}})
    assert entity(often, "stated", "Night Heron") != entity(often, "stated", "Anna Kranz")


def test_a_title_that_says_which_of_several_it_is_needs_more_than_its_name() -> None:
    planet = {"planet": ("Mercury (planet)", people("Anna Kranz", "Tom Becker"))}

    def meant(found: Extraction, **more: Extraction) -> str | None:
        resolver = Resolver()
        for document, (title, own) in planet.items():
            resolver.put(document, title, "", own)
        for document, each in {"d": found, **more}.items():
            resolver.put(document, "", "", each)
        resolver.settle()
        assert entity(resolver, "planet", "Mercury (planet)")
        own = entity(resolver, "planet", "Mercury (planet)")
        linked = entity(resolver, "d", "Mercury")
        assert linked in (None, own)
        return linked

    far, near = extraction(("Mercury", PLACE), ("Li Wei", PERSON)), people("Mercury", "Anna Kranz", "Tom Becker")
    assert meant(far) is None
    assert meant(near) is not None
    company = extraction(("Mercury", ORGANISATION), ("Li Wei", PERSON))
    assert meant(company, a=company, b=company) is not None


def test_a_persons_full_name_is_enough_where_the_title_says_what_they_are() -> None:
    resolver = Resolver()
    resolver.put("own", "Nora Quist (director)", "", people("Anna Kranz", "Tom Becker"))
    resolver.put("d", "", "", people("Nora Quist", "Li Wei"))
    resolver.settle()
    assert entity(resolver, "d", "Nora Quist") == entity(resolver, "own", "Nora Quist (director)") is not None


def test_a_title_of_two_documents_is_never_chosen_by_context() -> None:
    resolver = Resolver()
    resolver.put("a", "Copper Lantern (film)", "", people("Anna Kranz", "Tom Becker"))
    resolver.put("b", "Copper Lantern (play)", "", people("Li Wei"))
    resolver.put("d", "", "", people("Copper Lantern", "Anna Kranz", "Tom Becker"))
    resolver.settle()
    assert entity(resolver, "d", "Copper Lantern") is None
