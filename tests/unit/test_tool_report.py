"""The report of an evaluation, its table and its charts, from answers that are known."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest

from graphstore.errors import LoadError, SettingsError
from graphstore.evaluation.charts import bars, curves, lines
from graphstore.evaluation.tool_answers import Answer, Point, shuffled
from graphstore.evaluation.tool_evaluation import Measured, Plan, _keep, _kept
from graphstore.evaluation.tool_report import Table, report
from graphstore.evaluation.tool_tables import charts_of, lines_of
from graphstore.evaluation.tool_trials import Asked, Trial
from graphstore.records import StageRun, ToolCall, ToolSpec

CATALOG = [ToolSpec("a"), ToolSpec("b"), ToolSpec("c")]


def run(name: str, number: int = 0) -> StageRun:
    return StageRun(name, f"{name}/1", f"{name}-{number}", f"do {name}", True, (ToolCall("a"),), "x")


def trial(split: int, count: int, *, ordered: bool = True, parts: tuple[str, ...] = ()) -> Trial:
    asked = [Asked(f"{split}-{n}", "request", ("a", "b"), ordered, parts, f"path {n % 2}") for n in range(count)]
    return Trial("mine", split, CATALOG, [run(f"t{n}") for n in range(10)], asked)


def measured(trial: Trial, share: float = 1.0, *, found: str = "ab") -> Measured:
    def answers(ranking: str, order: str | None, tokens: int) -> tuple[Answer, ...]:
        return (Answer(tuple(ranking), tuple(order) if order else None, tokens),) * len(trial.asked)

    given = {"graph": answers(found, found[::-1], 20), "bm25": answers("ca", None, 30)}
    return Measured(trial, (Point(0.0, 0, given), Point(share, 10, given)))


def made(*every: Measured) -> dict:
    return report(every, dataset="mine", protocol="official", held_out="test", encoder="e", ks=(2, 5), samples=2_000)


def test_figures_of_each_method_are_means_over_its_requests():
    methods = made(measured(trial(0, 8)))["methods"]
    assert list(methods) == ["graph", "bm25"]
    assert methods["graph"]["recall@2"] == methods["graph"]["full@5"] == 1
    assert (methods["bm25"]["recall@2"], methods["bm25"]["full@2"]) == (0.5, 0)
    assert (methods["graph"]["tokens"], methods["bm25"]["tokens"]) == (20, 30)
    # the product says an order of its own (wrong here); a ranking that found one tool says none
    assert methods["graph"]["tau"] == -1
    assert "tau" not in methods["bm25"]


def test_sets_without_order_have_no_tau():
    assert "tau" not in made(measured(trial(0, 4, ordered=False)))["methods"]["graph"]


def test_splits_weigh_the_same_whatever_their_size():
    good, bad = measured(trial(0, 1)), measured(trial(1, 9), found="cx")
    assert made(good, bad)["methods"]["graph"]["recall@2"] == 0.5


def test_a_request_of_two_splits_is_one_unit():
    once, twice = trial(0, 6), replace(trial(0, 6), split=1)
    one, two = Table.of([measured(once)], (2,)), Table.of([measured(once), measured(twice)], (2,))
    assert [row["p_holm"] for row in one.comparisons(samples=500)] == [
        row["p_holm"] for row in two.comparisons(samples=500)
    ]


def test_comparisons_are_the_products_against_each_other():
    rows = made(measured(trial(0, 30)))["comparisons"]
    assert {(row["a"], row["b"]) for row in rows} == {("graph", "bm25")}
    assert [row["metric"] for row in rows] == [f"{m}@{k}" for m in ("recall", "full", "ndcg", "map") for k in (2, 5)]
    full = next(row for row in rows if row["metric"] == "full@2")
    assert (full["difference"], full["low"], full["high"]) == (1, 1, 1)
    assert full["p_holm"] < 0.01


def test_parts_have_figures_of_their_own():
    seen, unseen = trial(0, 3, parts=("seen",)), replace(trial(1, 5), asked=trial(1, 5, parts=("unseen",)).asked)
    whole = made(measured(seen), measured(unseen, found="cx"))
    assert {name: part["questions"] for name, part in whole["parts"].items()} == {"seen": 3, "unseen": 5}
    assert whole["parts"]["seen"]["methods"]["graph"]["recall@2"] == 1
    assert whole["parts"]["unseen"]["methods"]["graph"]["recall@2"] == 0


def test_the_curve_is_in_the_report_the_table_and_a_chart():
    whole = made(measured(trial(0, 4)))
    assert [(point["share"], point["runs"]) for point in whole["learning_curve"]] == [(0, 0), (1, 10)]
    text = list(lines_of(whole))
    assert any(line.startswith("full@5 by share") for line in text)
    assert set(charts_of(whole)) == {"methods.svg", "learning-curve.svg"}


def test_the_table_marks_what_is_better():
    text = list(lines_of(made(measured(trial(0, 30)))))
    bm25 = next(line for line in text if line.startswith("bm25"))
    assert bm25.split()[1] == "0.500*"
    assert text[1].index("full@2") + len("full@2") == text[2].index("1.000", 30) + len("1.000")


@pytest.mark.parametrize(
    "chart",
    [
        bars("a < b & c", {"graph": {"full@10": 1.0}, "x": {"full@10": 0.0}}, ["full@10"]),
        lines("one", [0, 0.5, 1], {"graph": [0.1, 0.5, 1.0], "x": [0.1, 0.1, 1.0]}),
        lines("all one", [0], {"graph": [1.0]}),
    ],
)
def test_charts_are_well_formed_and_inside_their_frame(chart: str):
    root = ET.fromstring(chart)
    width, height = map(float, root.attrib["viewBox"].split()[2:])
    for mark in root.iter():
        if "x" in mark.attrib:
            assert 0 <= float(mark.attrib["x"]) <= width
            assert 0 <= float(mark.attrib["y"]) <= height


def test_a_finished_split_is_read_back_under_the_same_identity_only(tmp_path: Path):
    one = measured(trial(3, 2))
    file = tmp_path / "out" / "split-3.json"
    _keep(file, "x", one.trial, one.points)
    assert _kept(file, "x") == one.points
    assert _kept(file, "y") is None
    assert _kept(tmp_path / "none.json", "x") is None
    file.write_text("{", "utf-8")
    with pytest.raises(LoadError, match="remove it"):
        _kept(file, "x")


def test_an_unknown_method_is_named():
    with pytest.raises(SettingsError, match="no method 'magic': graph, popularity"):
        Plan(name="x", methods=("magic",))


def test_no_two_curves_look_alike():
    names = [f"method {number}" for number in range(20)]
    drawn = ET.fromstring(curves("t", ["1", "2"], {name: [0.1, 0.9] for name in names}, label="k"))
    found = [each for each in drawn.iter() if each.tag.endswith("polyline")]
    looks = {(each.get("stroke"), each.get("stroke-dasharray")) for each in found}
    assert len(found) == len(looks) == len(names)


def test_the_order_of_a_curves_history_does_not_depend_on_how_it_came():
    runs = [run(f"t{n}", number) for n in range(20) for number in (0, 1)]
    listed = shuffled(runs)
    assert shuffled(sorted(runs, key=lambda each: each.stage, reverse=True)) == listed
    assert all(len({each.stage for each in stage}) == 1 and len(stage) == 2 for stage in listed)
    assert [stage[0].stage for stage in listed] != sorted({each.stage for each in runs})
