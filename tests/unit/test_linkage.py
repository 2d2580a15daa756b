"""Records that are one thing: hand-made truths and properties."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphstore.linkage import Linkage, link
from graphstore.linkage.agreement import codes_differ
from graphstore.linkage.blocks import BLOCK, candidates
from graphstore.linkage.clusters import groups, mutual_best
from graphstore.linkage.text import akin, codes, fold, grams, tfidf
from graphstore.linkage.weights import raised_prior, rising, weigh

FIRST = "Anna Bela Cyrus Dora Emil Frida Gero Hana Ivo Jana Kurt Lena Milo Nora Otto Petra Quirin Rosa Sven Tilda"
LAST = "Albrecht Brandstetter Castellano Dvorak Eriksson Fontana Gruber Hofstadter Iversen Jankowski"
TOWNS = ["Aachen", "Bremen", "Cottbus", "Dresden", "Erfurt", "Freiburg"]


def people(count: int, seed: int = 1) -> list[dict[str, str]]:
    """Made people, no two alike in name and birthday."""
    chance = random.Random(seed)
    names = chance.sample([(first, last) for first in FIRST.split() for last in LAST.split()], count)
    return [
        {
            "name": f"{first} {last}",
            "town": chance.choice(TOWNS),
            "born": f"19{chance.randrange(40, 99)}{chance.randrange(10, 13)}{chance.randrange(10, 29)}",
            "phone": str(chance.randrange(10**7, 10**8)),
        }
        for first, last in names
    ]


def misspelt(person: dict[str, str]) -> dict[str, str]:
    """The same person as another clerk wrote it down."""
    first, _, last = person["name"].partition(" ")
    return {**person, "name": f"{last[:-2] + last[-1] + last[-2]} {first}", "town": ""}


def found(linkage: Linkage) -> set[tuple[int, int]]:
    return {(pair.a, pair.b) for pair in linkage.pairs()}


def test_people_written_down_twice_are_found_and_no_others() -> None:
    originals = people(60)
    records = [*originals, *(misspelt(person) for person in originals[:30])]
    assert found(link(records)) == {(index, 60 + index) for index in range(30)}


def test_a_pair_says_why() -> None:
    originals = people(60)
    pair = link([*originals, misspelt(originals[0])]).pairs()[0]
    reasons = {reason.column: reason for reason in pair.reasons}
    assert (pair.a, pair.b) == (0, 60)
    assert pair.confidence > 0.9
    assert reasons["phone"].says == "equal"
    assert reasons["phone"].weight > 0
    assert "town" not in reasons  # missing on one side: says nothing


def test_a_missing_column_says_nothing_against_a_pair() -> None:
    originals = people(60)
    without = {key: value for key, value in originals[5].items() if key in ("name", "phone")}
    assert (5, 60) in found(link([*originals, without]))


@pytest.mark.parametrize(
    ("a", "b"),
    [("SR-2023-052", "SR-2023-053"), ("INC-1042", "INC-1043"), ("PSLX350H", "PSLX450H"), ("v1.2.1", "v1.2.3")],
)
def test_two_codes_of_one_form_are_two_things_however_alike_the_rest(a: str, b: str) -> None:
    text = "Incident report on the failed cooling pump of the northern plant, second revision"
    linkage = link(
        [{"title": f"{text} {a}", "author": "Dora Iversen"}, {"title": f"{text} {b}", "author": "Dora Iversen"}]
    )
    assert found(linkage) == set()
    assert linkage.groups() == [[0], [1]]
    assert linkage.one_to_one(at_least=0.0) == []


def test_a_third_record_without_code_does_not_bring_two_codes_into_one_group() -> None:
    text = "Incident report on the failed cooling pump of the northern plant"
    records = [{"title": f"{text} SR-2023-052"}, {"title": f"{text} SR-2023-053"}, {"title": text}]
    assert not any({0, 1} <= set(group) for group in link(records).groups(at_least=0.01))


def test_the_callers_own_veto_holds() -> None:
    originals = people(40)
    records = [*originals, dict(originals[0])]
    assert (0, 40) in found(link(records))
    assert (0, 40) not in found(link(records, apart=lambda a, b: (a, b) == (0, 40)))


def test_tables_are_compared_across_not_within() -> None:
    originals = people(40)
    records = [*originals, dict(originals[0]), *(misspelt(person) for person in originals)]
    sources = ["left"] * 41 + ["right"] * 40
    pairs = found(link(records, sources=sources))
    assert all(sources[a] != sources[b] for a, b in pairs)
    assert {(index, 41 + index) for index in range(1, 40)} <= pairs


def test_one_to_one_takes_each_record_once_and_the_better_of_two() -> None:
    originals = people(40)
    worse = {**originals[0], "phone": "55555555", "born": "19010101"}
    records = [*originals, worse, *(dict(person) for person in originals)]
    pairs = [(pair.a, pair.b) for pair in link(records, sources=[0] * 41 + [1] * 40).one_to_one()]
    assert (0, 41) in pairs
    assert len({record for pair in pairs for record in pair}) == 2 * len(pairs)


def test_names_in_scripts_without_spaces_are_compared() -> None:
    records = [{"name": "北京市第一人民医院"}, {"name": "上海市第二中学"}, {"name": "北京市第一人民医院"}]
    assert found(link(records)) == {(0, 2)}


def test_symbols_tell_short_names_apart() -> None:
    assert len({fold("C++"), fold("C#"), fold("C")}) == 3


def test_nothing_comes_of_nothing() -> None:
    tables: list[list[dict[str, str]]] = [
        [],
        [{}],
        [{}, {}],
        [{"name": ""}, {"name": " "}],
        [{"name": "!"}, {"name": "?"}],
    ]
    for records in tables:
        linkage = link(records)
        assert found(linkage) == set()
        assert linkage.groups() == [[index] for index in range(len(records))]


def test_work_per_record_does_not_grow_with_the_registry() -> None:
    texts = [f"common words everywhere {index}" for index in range(6 * BLOCK)]
    left, _, _ = candidates(texts, tfidf([grams(text) for text in texts]), None)
    assert len(left) <= len(texts) * BLOCK


def test_groups_do_not_chain() -> None:
    # 0-1-2-3-4-5: neighbours alike, the ends surely two things.
    left, right = zip(*[(a, b) for a in range(6) for b in range(a + 1, 6)], strict=True)
    odds = np.asarray([2.0 if b - a == 1 else -3.0 for a, b in zip(left, right, strict=True)])
    made = groups(np.asarray(left), np.asarray(right), odds, 6)
    assert max(map(len, made)) == 2


def test_a_group_forgives_one_pair_that_was_not_compared() -> None:
    left, right = np.asarray([0, 0, 0, 1, 1]), np.asarray([1, 2, 3, 2, 3])
    assert groups(left, right, np.full(5, 3.0), 4) == [[0, 1, 2, 3]]


def test_mutual_best_takes_the_first_of_equals() -> None:
    chosen = mutual_best(np.asarray([0, 0, 1]), np.asarray([2, 3, 3]), np.asarray([5.0, 5.0, 4.0]), 4)
    assert chosen.tolist() == [True, False, False]


def test_better_agreement_never_weighs_less() -> None:
    assert rising(np.asarray([1.0, 3.0, 2.0, 5.0]), np.ones(4)).tolist() == [1.0, 2.5, 2.5, 5.0]


def test_weights_of_nothing_are_weights() -> None:
    assert weigh([], np.zeros(0)).evidence.tolist() == []
    assert 0 < raised_prior(np.zeros(0), 0.5) < 1


def test_codes_and_what_goes_on_from_them() -> None:
    assert codes("the 24th of May, 100W, Sony DSC-W170/B, ISBN 9783") == {"dscw170"}
    assert akin("fs105", {"fs105na"})
    assert not akin("ab12", {"ab123"})
    assert codes_differ(frozenset({"sr2023052"}), frozenset({"sr2023053"}))
    assert not codes_differ(frozenset({"sr2023052"}), frozenset({"inc1042"}))
    assert codes_differ(frozenset({"sr2023052", "inc1"}), frozenset({"sr2023053", "inc1"}))
    assert not codes_differ(frozenset({"sr2023052", "sr2023054"}), frozenset({"sr2023053", "sr2023054"}))


words = st.text(alphabet="abcde 1289-/李王éñ", max_size=12)
tables = st.lists(st.fixed_dictionaries({"name": words, "year": words}), max_size=14)


@settings(deadline=None, max_examples=60)
@given(tables, st.randoms(use_true_random=False))
def test_the_order_of_the_records_does_not_matter(records: list[dict[str, str]], chance: random.Random) -> None:
    order = list(range(len(records)))
    chance.shuffle(order)
    straight, shuffled = link(records), link([records[index] for index in order])
    odds = {
        (int(a), int(b)): round(float(o), 6)
        for a, b, o in zip(straight.left, straight.right, straight.odds, strict=True)
    }
    again = {
        (min(order[a], order[b]), max(order[a], order[b])): round(float(o), 6)
        for a, b, o in zip(shuffled.left, shuffled.right, shuffled.odds, strict=True)
    }
    assert odds == pytest.approx(again, abs=1e-5)


@settings(deadline=None, max_examples=60)
@given(tables)
def test_every_record_is_in_one_group_and_confidence_is_a_probability(records: list[dict[str, str]]) -> None:
    linkage = link(records)
    assert sorted(record for group in linkage.groups() for record in group) == list(range(len(records)))
    assert all(0 <= pair.confidence <= 1 and pair.a < pair.b for pair in linkage.pairs(at_least=0.0))


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 999), st.integers(0, 999), words, st.sampled_from(["Service request ", ""]))
def test_differing_numbers_of_one_series_are_never_linked(a: int, b: int, rest: str, before: str) -> None:
    records = [{"name": f"{before}SR-2023-{number:03} {rest}"} for number in (a, b)]
    assert a == b or found(link(records)) == set()


@given(st.text(max_size=40))
def test_folding_is_stable_and_erases_no_name(text: str) -> None:
    assert fold(fold(text)) == fold(text)
    assert bool(fold(text)) == bool(text.strip()) or not any(char.isalnum() for char in text)
