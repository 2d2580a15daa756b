"""`graphstore eval tools`, on a data set of UltraTool's form that is written here, through real stores."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema
import numpy as np
import pytest

from graphstore.cli import run
from graphstore.db import Database
from graphstore.evaluation.in_memory import snapshot
from graphstore.evaluation.tool_trials import Trial, trials
from graphstore.retrieval.tools import ToolSearch
from graphstore.toolgraph.update import load_logs, load_tools

if TYPE_CHECKING:
    from graphstore.encoders import Encoder

FIGURES = {"type": "object", "additionalProperties": {"type": "number"}, "required": ["recall@10", "full@10"]}
COMPARISON = {
    "type": "object",
    "properties": {
        "a": {"const": "graph"},
        "b": {"type": "string"},
        "metric": {"type": "string", "pattern": "@"},
        **{name: {"type": "number"} for name in ("difference", "low", "high", "p_holm")},
    },
    "required": ["a", "b", "metric", "difference", "low", "high", "p_holm"],
    "additionalProperties": False,
}
FORM = {
    "type": "object",
    "properties": {
        "dataset": {"const": "mine"},
        "protocol": {"const": "official"},
        "encoder": {"type": "string"},
        "questions": {"type": "integer"},
        "methods": {"type": "object", "additionalProperties": FIGURES, "required": ["graph"]},
        "comparisons": {"type": "array", "items": COMPARISON},
    },
    "required": ["dataset", "protocol", "encoder", "questions", "methods", "comparisons"],
}
WORK = {
    "book_flight": ("Book a flight to a city", ["op_14", "book_flight"]),
    "cancel_alarm": ("Cancel the alarm set for the morning", ["op_27", "cancel_alarm"]),
    "send_invoice": ("Send an invoice to the customer", ["op_33", "op_5", "send_invoice"]),
    "play_music": ("Play a song of that band", ["op_61", "play_music"]),
}
EXTRA = [
    "order_pizza",
    "translate_text",
    "draw_picture",
    "weather_today",
    "read_news",
    "track_parcel",
    "op_8",
    "op_70",
]  # op_…: only history says what they are for


@pytest.fixture(scope="module", autouse=True)
def one_code() -> Iterator[None]:
    """The package's text does not change while these tests run, whoever edits it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("graphstore.evaluation.tool_evaluation._code", lambda: "code")
        yield


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("eval") / "mine"
    folder.mkdir()
    names = sorted({tool for _, tools in WORK.values() for tool in tools} | set(EXTRA))
    nodes = [{"id": name, "desc": name.replace("_", " "), "domain": []} for name in names]
    (folder / "tool_desc.json").write_text(json.dumps({"nodes": nodes}), "utf-8")
    tasks = [
        {"id": f"{key}-{n}", "user_request": f"{text}, number {n}", "task_nodes": [{"task": t} for t in tools]}
        for key, (text, tools) in WORK.items()
        for n in range(6)
    ]
    (folder / "data.json").write_text("".join(json.dumps(task) + "\n" for task in tasks), "utf-8")
    tests = [f"{key}-0" for key in WORK]
    (folder / "split_ids.json").write_text(json.dumps({"test_ids": {"chain": tests}}), "utf-8")
    return folder


@pytest.fixture(scope="module")
def evaluated(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """The folder that a whole evaluation wrote, and its report."""
    out = tmp_path_factory.mktemp("out")
    assert run(["eval", "tools", str(folder), "--learning-curve", "--out", str(out), "--json"]) == 0
    return out, json.loads((out / "report.json").read_text("utf-8"))


def test_the_report_has_the_form_of_every_evaluation(evaluated):
    _, report = evaluated
    jsonschema.validate(report, FORM)
    assert report["questions"] == 4
    expected = ["graph", "popularity", "bm25", "dense", "hybrid", "past-requests", "ppr", "exposure"]
    assert list(report["methods"]) == expected
    assert report["parts"].keys() == {"seen path"}
    pairs = {(row["b"], row["metric"]) for row in report["comparisons"]}
    assert len(pairs) == len(report["comparisons"]) == 7 * 8


def test_history_makes_the_product_better(evaluated):
    _, report = evaluated
    curve = report["learning_curve"]
    assert [(point["share"], point["runs"]) for point in curve] == [
        (0.0, 0),
        (0.01, 0),
        (0.03, 1),
        (0.1, 2),
        (0.3, 6),
        (1.0, 20),
    ]
    assert curve[-1]["methods"] == report["methods"]
    full = [point["methods"]["graph"]["full@5"] for point in curve]
    assert full[-1] == 1 > full[0]
    assert curve[0]["methods"]["hybrid"] == curve[-1]["methods"]["hybrid"], "the catalog's text does not learn"


def test_charts_lie_beside_the_report(evaluated):
    out, _ = evaluated
    assert {file.name for file in out.iterdir()} == {
        "report.json",
        "methods.svg",
        "methods-seen-path.svg",
        "learning-curve.svg",
        "split-0.json",
    }


def test_a_finished_split_is_not_measured_again(evaluated, folder: Path, capsys, monkeypatch):
    out, report = evaluated

    def never(*args: object, **kwargs: object) -> None:
        raise AssertionError("a store was started")

    monkeypatch.setattr("graphstore.evaluation.tool_answers.scratch_server", never)
    assert run(["eval", "tools", str(folder), "--learning-curve", "--out", str(out), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == report
    with pytest.raises(AssertionError, match="a store was started"):
        run(["eval", "tools", str(folder), "--out", str(out)])


def test_the_table_names_what_was_measured(evaluated, folder: Path, capsys):
    out, _ = evaluated
    assert run(["eval", "tools", str(folder), "--learning-curve", "--out", str(out)]) == 0
    printed = capsys.readouterr()
    assert printed.out.startswith("mine, official: 4 requests in 1 splits, 17 tools")
    assert "seen path (4)" in printed.out


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["nothing"], 1, "neither a folder nor one of"),
        (["{folder}", "--protocol", "x"], 1, "has no protocol 'x': official"),
        (["{folder}", "--split", "7"], 1, "no split 7"),
        (["{folder}", "--method", "magic"], 2, "magic"),
    ],
)
def test_what_cannot_be_measured_is_one_line(folder: Path, capsys, arguments, status, said):
    assert run(["eval", "tools", *(word.format(folder=folder) for word in arguments)]) == status
    printed = capsys.readouterr()
    assert said in printed.err
    assert printed.out == ""
    if status == 1:
        assert len(printed.err.splitlines()) == 1


def loaded(db: Database, encoder: Encoder, trial: Trial) -> ToolSearch:
    load_tools(db, encoder, trial.catalog)
    load_logs(db, encoder, trial.history)
    return ToolSearch.read(db, encoder)


def test_the_snapshot_without_a_server_is_that_of_the_store(db: Database, encoder: Encoder, folder: Path):
    (trial,) = trials(str(folder))
    stored, made = loaded(db, encoder, trial), ToolSearch(snapshot(trial, encoder), encoder)
    assert made.snapshot.tools == stored.snapshot.tools
    assert made.snapshot.stages == stored.snapshot.stages
    assert np.array_equal(made.snapshot.vectors, stored.snapshot.vectors)
    every = np.arange(len(made.snapshot.stages))
    assert np.array_equal(made.snapshot.past.nearest[every], stored.snapshot.past.nearest[every])
    for name in ("usage", "requires"):
        assert (getattr(made.snapshot, name) != getattr(stored.snapshot, name)).nnz == 0
    assert (made.snapshot.graph.transition != stored.snapshot.graph.transition).nnz == 0
    for asked in trial.asked:
        assert made.search(asked.request) == stored.search(asked.request)
