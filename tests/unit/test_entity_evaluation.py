"""Metrics of clusterings, and the data sets of record linkage."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphstore.errors import LoadError
from graphstore.evaluation.entities import figures_of
from graphstore.evaluation.entity_metrics import b_cubed, clusters_of, pairs_of, pairwise
from graphstore.evaluation.entity_trials import read_record_set

# docs/entity-resolution/README.md of the data: records and true pairs
SIZES = {
    "febrl1": (1000, 500),
    "febrl2": (5000, 1934),
    "febrl3": (5000, 6538),
    "dblp-acm": (4910, 2224),
    "abt-buy": (2152, 1076),
    "cora": (1295, 17184),
}


def test_pairs_count_whatever_their_order() -> None:
    figures = pairwise([(1, 2), (2, 1), (3, 4)], [(2, 1), (5, 6), (7, 8), (8, 9)])
    assert (figures.precision, figures.recall) == (0.5, 0.25)
    assert figures.f1 == pytest.approx(1 / 3)


def test_b_cubed_on_the_example_of_its_source() -> None:
    # Bagga and Baldwin (1998), figures 1 and 2: true clusters of 5, 2 and 5; the second response joins two of them.
    gold = dict(zip(range(12), "aaaaabbccccc", strict=True))
    joined = dict(zip(range(12), "aaaaabbaaaaa", strict=True))
    figures = b_cubed(joined, gold)
    assert figures.recall == 1.0
    assert figures.precision == pytest.approx((10 * 0.5 + 2) / 12)


def test_nothing_found_is_nothing_wrong() -> None:
    figures = pairwise([], [(1, 2)])
    assert (figures.precision, figures.recall, figures.f1) == (1.0, 0.0, 0.0)
    assert b_cubed({}, {}).f1 == 1.0


clusterings = st.lists(st.integers(0, 4), min_size=1, max_size=12)


@given(clusterings, st.data())
def test_perfect_is_one_and_the_two_sides_mirror_each_other(labels: list[int], data: st.DataObject) -> None:
    other = data.draw(st.lists(st.integers(0, 4), min_size=len(labels), max_size=len(labels)))
    a, b = dict(enumerate(labels)), dict(enumerate(other))
    assert b_cubed(a, a).f1 == pytest.approx(1.0)
    there, back = b_cubed(a, b), b_cubed(b, a)
    assert (there.precision, there.recall) == pytest.approx((back.recall, back.precision))


@given(clusterings)
def test_clusters_come_back_from_their_pairs(labels: list[int]) -> None:
    members = [[index for index, label in enumerate(labels) if label == wanted] for wanted in sorted(set(labels))]
    found = clusters_of(len(labels), pairs_of(members))
    assert b_cubed(found, dict(enumerate(labels))).f1 == pytest.approx(1.0)


def test_folders_of_the_known_forms_are_read(tmp_path: Path) -> None:
    two = tmp_path / "left-right"
    two.mkdir()
    (two / "left.csv").write_text("id|name\n1|Anna\n2|Ben\n", "utf-8")
    (two / "right.csv").write_text("id|name\n1|Cem\n2|Anna\n", "utf-8")
    (two / "gt.csv").write_text("D1|D2\n1|2\n", "utf-8")
    data = read_record_set(str(two))
    assert data.gold == {(0, 3)}
    assert data.sources == ("left", "left", "right", "right")
    assert figures_of(data)["questions"] == 4
    one = tmp_path / "one"
    one.mkdir()
    (one / "one.csv").write_text("Entity Id,name\na,Anna\nb,Ben\nc,Anna\n", "utf-8")
    (one / "one_gt.csv").write_text("c|a\n", "utf-8")
    assert read_record_set(str(one)).gold == {(0, 2)}
    with pytest.raises(LoadError, match="no data set of records"):
        read_record_set(str(tmp_path))
    with pytest.raises(LoadError, match="no such data set"):
        read_record_set("nowhere")


@pytest.mark.parametrize("name", sorted(SIZES))
def test_the_data_sets_hold_what_their_description_says(name: str, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHSTORE_DATA", str(data))
    found = read_record_set(name)
    assert (len(found.records), len(found.gold)) == SIZES[name]


def test_febrl_1_is_linked_whole(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHSTORE_DATA", str(data))
    assert figures_of(read_record_set("febrl1"))["methods"]["local"]["pairwise_f1"] >= 0.995
