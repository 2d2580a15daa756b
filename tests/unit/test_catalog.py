"""Type catalogs: the records, the file, the types on names, the proposal, a recogniser of any types."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphstore.corpusmap.builder import LocalBuilder
from graphstore.corpusmap.catalog import BUILT_IN_CATALOG, Catalog, Refused, catalog_of, from_json
from graphstore.corpusmap.catalog_file import as_toml, difference, read_catalog
from graphstore.corpusmap.extraction import from_json as read_extraction
from graphstore.corpusmap.proposing import propose
from graphstore.corpusmap.resolve import Resolver
from graphstore.corpusmap.types import BUILT_IN, RANK, TYPES, EntityType
from graphstore.corpusmap.zero_shot import ZeroShot, gliner
from graphstore.errors import CatalogError, SettingsError
from graphstore.records import SourceDocument

INCIDENT = EntityType(
    "incident", "Something that broke.", "Equal number.", ("INC-1042",), "code", patterns=(r"\bINC-\d+\b",)
)
VESSEL = EntityType("vessel", "A ship.", "Equal name.", ("MV Aurora",), "product", keywords=("MV", "丸"))
SITE = EntityType("site", "A place of ours.", "Equal name.", ("Plant 4",), "place", fields=("site", "sites"))
LETTERS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20).filter(str.strip)
TYPE = st.builds(
    EntityType,
    LETTERS.filter(lambda name: " ".join(name.casefold().split()) not in BUILT_IN),
    LETTERS,
    LETTERS,
    st.lists(LETTERS, max_size=3).map(tuple),
    st.sampled_from(sorted(BUILT_IN)),
    st.lists(st.sampled_from([r"\d+", "a|b", r"\bX-\d+"]), max_size=2).map(tuple),
    st.lists(LETTERS, max_size=2).map(tuple),
    st.lists(LETTERS, max_size=2).map(tuple),
)


def document(text: str, name: str = "d", **metadata) -> SourceDocument:
    return SourceDocument(id=name, path=f"{name}.md", title="2026-01-01", text=text, metadata=metadata)


def labels(catalog: Catalog, text: str, **metadata) -> dict[str, tuple[str, str]]:
    extraction = LocalBuilder(catalog).extract([document(text, **metadata)])[0]
    assert read_extraction(extraction.to_json()) == extraction
    return {name.text: (name.type, name.label) for name in extraction.names if name.label}


@given(st.lists(TYPE, max_size=4, unique_by=lambda kind: " ".join(kind.name.casefold().split())))
def test_a_catalog_is_read_back_from_json_and_from_its_file(tmp_path_factory, types: list[EntityType]):
    catalog = catalog_of(types, source="file", refused=[Refused("x", "y")])
    assert from_json(catalog.to_json()) == catalog
    path = tmp_path_factory.mktemp("catalog") / "catalog.toml"
    path.write_text(as_toml(catalog), "utf-8")
    if types:
        assert read_catalog(path) == replace(catalog, refused=())
    assert catalog_of(reversed(types), source="file", refused=[Refused("x", "y")]) == catalog


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", r"no \[\[type\]\] table"),
        ("[type]\nname = 'x'", r"no \[\[type\]\] table"),
        ("x = 1", "unknown table 'x'"),
        ("[[type]]\ndefinition = 'd'\nidentity = 'i'", "type 1 has no name"),
        ("[[type]]\nname = 'x'\nidentity = 'i'", "needs a definition and an identity criterion"),
        ("[[type]]\nname = 'x'\ncolour = 'i'", "unknown key 'colour'"),
        ("[[type]]\nname = 'x'\npatterns = 'i'", "patterns is a list of texts"),
        ("[[type]]\nname = 'x'\ndefinition = 'd'\nidentity = 'i'\npatterns = ['(']", r"pattern '\('"),
        ("[[type]]\nname = 'x'\ndefinition = 'd'\nidentity = 'i'\npatterns = ['x*']", "matches nothing at all"),
        ("[[type]]\nname = 'x'\ndefinition = 'd'\nidentity = 'i'\nlike = 'thing'", "is like 'thing'"),
        ("[[type]]\nname = 'person'\ndefinition = 'd'\nidentity = 'i'\nlike = 'code'", "'person' is built in"),
        ("[[type]", "catalog.toml: "),
    ],
)
def test_a_file_that_cannot_be_used_says_where_and_why(tmp_path, text: str, said: str):
    path = tmp_path / "catalog.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(CatalogError, match=said):
        read_catalog(path)


def test_the_difference_of_two_catalogs_names_what_was_added_removed_and_changed():
    old = catalog_of([INCIDENT, VESSEL], source="file")
    new = catalog_of([replace(INCIDENT, definition="An outage."), SITE], source="file")
    assert difference(old, new) == [
        '~ incident: definition: "Something that broke." -> "An outage."',
        "- vessel: A ship.",
        "+ site: A place of ours.",
    ]
    assert difference(old, old) == []


def test_a_keyword_types_names_that_a_sign_ends_and_no_others():
    language = EntityType("language", "Of programs.", "Equal name.", like="topic", keywords=("C++", "C"))
    found = labels(catalog_of([language], source="file"), "We met at C++ in Lisbon. C# is slow. Notepad++ is open.")
    assert found == {"C++": ("topic", "language")}


def test_types_are_put_on_names_by_pattern_front_matter_and_keyword():
    catalog = catalog_of([INCIDENT, VESSEL, SITE], source="file")
    found = labels(
        catalog, "INC-1042 hit MV Aurora and the MV Aurora crew. 第三海洋丸。", site="Plant 4", sites=["Łódź"]
    )
    assert found["INC-1042"] == ("code", "incident")
    assert found["Plant 4"] == found["Łódź"] == ("place", "site")
    assert found["MV Aurora"] == ("product", "vessel")


def test_without_a_catalog_nothing_changes():
    text = "INC-1042: Tom Becker of Acme Ltd. met MV Aurora."
    plain = LocalBuilder().extract([document(text)])
    assert plain == LocalBuilder(BUILT_IN_CATALOG).extract([document(text)])
    assert plain[0].by == "local"
    assert not any(name.label for name in plain[0].names)


def test_an_extraction_is_named_after_the_types_that_have_a_say_in_it():
    old, new = (LocalBuilder(catalog_of(types, source="file")) for types in ([INCIDENT], [INCIDENT, VESSEL]))
    spoken, silent, other = document("INC-1 fell."), document("Nothing."), document("The MV Aurora.")
    assert old.stamp(silent) == new.stamp(silent) == "local"
    assert old.stamp(spoken) == new.stamp(spoken) != "local"
    assert old.stamp(other) == "local" != new.stamp(other)
    assert LocalBuilder().keeps("local")
    assert not LocalBuilder().keeps(old.stamp(spoken))
    assert not new.keeps("local")
    assert new.keeps("llm:model:1")


def test_a_catalog_changes_what_things_are_called_and_not_which_are_one():
    texts = ["INC-1042 and INC-1043 hit Acme Ltd.", "INC-1042 is closed. Acme Ltd. agreed.", "INC-1043 by Tom Becker"]
    documents = [document(text, str(number)) for number, text in enumerate(texts)]
    entities = []
    for catalog in (BUILT_IN_CATALOG, catalog_of([INCIDENT], source="file")):
        resolver = Resolver()
        for each, made in zip(documents, LocalBuilder(catalog).extract(documents), strict=True):
            resolver.put(each.id, each.title, "", made)
        resolver.settle()
        entities.append(resolver.entities)
    plain, typed = entities
    assert plain.keys() == typed.keys()
    assert {e.kind for e in plain.values() if e.name.startswith("INC")} == {"code"}
    assert {e.kind for e in typed.values() if e.name.startswith("INC")} == {"incident"}
    assert [replace(e, kind="") for e in plain.values()] == [replace(e, kind="") for e in typed.values()]


def test_ranks_of_any_types_differ_and_do_not_depend_on_order():
    names = ["incident", "vessel", "site", *(kind.name for kind in TYPES)]
    assert len({RANK[name] for name in names}) == len(names)
    assert max(RANK[name] for name in ("incident", "vessel", "site")) < RANK["person"]
    assert set(RANK) == BUILT_IN


def corpus(count: int = 60) -> list[SourceDocument]:
    people = ["Tom Becker", "Anna Schmidt", "Priya Raman", "Li Wei"]
    handbooks = ["Travel Handbook", "Remote Work Handbook", "Data Retention Handbook", "Expense Handbook"]
    customers = ["Acme", "Birch", "Cedar"]
    return [
        SourceDocument(
            id=f"{number}",
            path=f"{number}.md",
            title="2026-01-01",
            text=f"The ticket INC-{1000 + number % 20} was raised by {people[number % 4]}. Every handbook counts; "
            f"we follow the {handbooks[number % 4]}. See [{customers[number % 3]}](customers/{number}.md).",
            metadata={"region": ["EMEA", "APAC", "AMER"][number % 3], "comment": f"Remark {number}", "kind": "note"},
        )
        for number in range(count)
    ]


def test_a_proposal_holds_families_of_codes_heads_fields_and_links_and_says_what_it_refused():
    catalog = propose(corpus())
    own = {kind.name: kind for kind in catalog.own}
    assert own["ticket"].base == "code"
    assert own["handbook"].keywords
    assert own["region"].fields == ("region",)
    assert set(own["customer"].keywords) == {"Acme", "Birch", "Cedar"}
    refused = {each.name: each.reason for each in catalog.refused}
    assert "comment" not in own
    assert "value of its own" in refused["comment"]
    assert propose(reversed(corpus())) == catalog
    assert labels(catalog, "We closed INC-7 as the Travel Handbook says today.", region="EMEA") == {
        "INC-7": ("code", "ticket"),
        "Travel Handbook": ("topic", "handbook"),
        "EMEA": ("topic", "region"),
    }


def test_what_one_sample_alone_holds_is_refused_and_documents_of_some_are_not_looked_at():
    secret = [replace(each, acl=("board",)) for each in corpus()]
    assert propose(secret).own == ()
    assert propose([]).own == ()


class Predictor:
    """Answers as ``gliner.GLiNER.inference`` does: one list of entities a text, offsets in characters."""

    def __init__(self, *answers: tuple[str, str, float]) -> None:
        self.answers = answers
        self.asked: list[tuple[list[str], list[str], float]] = []

    def inference(self, texts, labels, *, threshold, flat_ner, batch_size) -> list[list[dict]]:
        self.asked.append((texts, labels, threshold))
        assert flat_ner
        assert batch_size > 0
        return [list(self._found(text)) for text in texts]

    def _found(self, text: str):
        for name, label, score in self.answers:
            at = text.find(name)
            while at >= 0:
                yield {"start": at, "end": at + len(name), "text": name, "label": label, "score": score}
                at = text.find(name, at + 1)


def zero_shot(*answers: tuple[str, str, float], types: Sequence[EntityType] = (VESSEL,)) -> tuple[Predictor, Catalog]:
    return Predictor(*answers), catalog_of(types, source="file")


def test_a_zero_shot_recogniser_gives_names_of_the_catalog_at_their_place_in_long_texts():
    predictor, catalog = zero_shot(("aurora", "vessel", 0.9), ("Bergen", "place", 0.6), ("x", "nonsense", 0.9))
    text = "Filler words stand here for a while. " * 80 + "The aurora left Bergen."
    extraction = LocalBuilder(catalog, ZeroShot(predictor, catalog, name="g")).extract([document(text)])[0]
    found = {name.text: name for name in extraction.names}
    assert (found["aurora"].type, found["aurora"].label) == ("product", "vessel")
    assert text[found["aurora"].start : found["aurora"].end] == "aurora"
    assert found["Bergen"].type == "place"
    assert len(predictor.asked[0][0]) > 1
    assert all(len(piece) <= 1_200 for piece in predictor.asked[0][0])
    assert "vessel" in predictor.asked[0][1]
    assert not {"code", "email"} & set(predictor.asked[0][1])


def test_the_surer_of_two_names_wins_and_what_is_unsure_or_out_of_bounds_is_none():
    predictor, catalog = zero_shot(("MV aurora", "vessel", 0.7), ("aurora", "person", 0.9), ("bergen", "place", 0.4))
    (spans,) = ZeroShot(predictor, catalog, name="g", threshold=0.5).spans(["the MV aurora in bergen"])
    assert [(span.start, span.end, span.type) for span in spans] == [(7, 13, "person")]
    assert ZeroShot(Predictor(), catalog, name="g").spans(["", " \n"]) == [[], []]


def test_an_extraction_by_a_zero_shot_recogniser_names_its_model_threshold_and_types():
    predictor, catalog = zero_shot()
    one = LocalBuilder(catalog, ZeroShot(predictor, catalog, name="gliner-a", threshold=0.5))
    other = LocalBuilder(catalog, ZeroShot(predictor, catalog, name="gliner-a", threshold=0.6))
    stamp = one.stamp(document("text"))
    assert stamp.startswith("local+gliner-a@0.5/")
    assert stamp != other.stamp(document("text"))
    assert not LocalBuilder().keeps(stamp)


def test_a_folder_without_a_model_is_named(tmp_path):
    with pytest.raises(SettingsError, match=r"gliner_config\.json is missing"):
        gliner(tmp_path, BUILT_IN_CATALOG)
    with pytest.raises(SettingsError, match="between 0 and 1"):
        ZeroShot(Predictor(), BUILT_IN_CATALOG, name="g", threshold=2)


def test_examples_of_the_catalog_record_are_json():
    assert json.loads(BUILT_IN_CATALOG.to_json())["types"][0]["name"] == "person"
