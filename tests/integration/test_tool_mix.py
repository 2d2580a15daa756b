"""The learned mix in a real store: fitted when there is enough to learn from, used, and gone with its history."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from numpy.typing import NDArray

from graphstore.check import check
from graphstore.client import GraphStore
from graphstore.db import Database
from graphstore.ordered_export import ordered_export
from graphstore.records import StageRun, ToolCall
from graphstore.retrieval import tool_fit, tool_mix
from graphstore.retrieval.tool_mix import FORM, LearnedMix
from graphstore.settings import Settings

if TYPE_CHECKING:
    from graphstore.encoders import Encoder

THINGS = ["invoice", "meeting room", "holiday", "contract", "travel plan", "access request", "budget", "parcel"]
DEEDS = {"approve": "sign", "find": "open", "cancel": "undo", "share": "invite"}
TIMES = ["for Monday", "of last week", "from Mrs Li", "in Oslo", "of team two"]
QUERY = "Please approve the budget for our office in March, then sign it"


def log(first: int, last: int) -> list[StageRun]:
    """Stage runs, each with a request of its own; what is done to what says which two or three tools solved it."""
    made = []
    for number in range(first, last):
        thing = THINGS[number % len(THINGS)]
        deed, then = sorted(DEEDS.items())[number // len(THINGS) % len(DEEDS)]
        time = TIMES[number // (len(THINGS) * len(DEEDS)) % len(TIMES)]
        noun = thing.split()[-1]
        calls = [f"query_{noun}s", f"{deed}_{noun}", f"{then}_{noun}"][number % 2 :]
        made.append(
            StageRun(
                task=f"T{number:03}",
                stage=f"T{number:03}/1",
                run="r1",
                request=f"Please {deed} the {thing} {time}, then {then} it (case {number})",
                passed=True,
                calls=tuple(ToolCall(call) for call in calls),
                source="log",
                finished=f"2026-0{1 + number % 2}-03",
            )
        )
    return made


def kept(db: Database) -> dict[str, Any] | None:
    """The mix as the store holds it."""
    found = [row["m"] for row in db.run("MATCH (m:Meta {id: 'tool_mix'}) RETURN properties(m) AS m")]
    return found[0] if found else None


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few trees are weighed, as it takes a while."""
    monkeypatch.setattr(tool_mix, "CHOICES", (0, 20))


@pytest.fixture
def store(db: Database, encoder: Encoder, tmp_path: Path) -> GraphStore:
    return GraphStore(db, encoder, Settings.load(cache=tmp_path))


@pytest.fixture
def early(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mix is fitted from twenty stages on: how it comes about is to be seen, not how good it is."""
    monkeypatch.setattr(tool_fit, "LEAST", 20)


def test_a_log_that_is_long_enough_teaches_the_mix(store: GraphStore, db: Database, encoder: Encoder) -> None:
    store.add_runs(log(0, tool_fit.LEAST - 1))
    untrained = store.tools(QUERY, k=5)
    assert kept(db) is None

    store.add_runs(log(tool_fit.LEAST - 1, 160))
    mix = kept(db)
    assert mix is not None
    assert (mix["form"], mix["encoder"], mix["stages"]) == (FORM, encoder.name, 160)
    assert LearnedMix.from_row(mix).fitted["requests"] == 2 * 160
    assert LearnedMix.from_row(mix).fitted["trees"] > 0

    hits = store.tools(QUERY, k=5)
    assert {hit.id for hit in hits[:3]} == {"query_budgets", "approve_budget", "sign_budget"}
    assert all(0 < hit.score < 1 for hit in hits)
    assert [hit.score for hit in hits] != [hit.score for hit in untrained]
    with_fresh_eyes = GraphStore(db, encoder, store._settings)
    assert with_fresh_eyes.tools(QUERY, k=5) == hits

    version = db.graph_version()
    store.add_runs(log(0, 160))
    assert (db.graph_version(), kept(db)) == (version, mix)

    export = list(ordered_export(db))
    list(db.run("MATCH (m:Meta {id: 'tool_mix'}) DELETE m", write=True))
    assert list(ordered_export(db)) == export
    assert [hit.score for hit in store.tools(QUERY, k=5)] != [hit.score for hit in hits]

    store.build("tools")
    assert kept(db) == mix
    assert store.tools(QUERY, k=5) == hits
    assert check(db) == []


def test_it_is_fitted_again_when_the_history_has_grown_by_a_quarter(
    store: GraphStore, db: Database, early: None
) -> None:
    for last, expected in ((19, None), (20, 20), (24, 20), (25, 25)):
        store.add_runs(log(0, last))
        mix = kept(db)
        assert (mix and mix["stages"]) == expected


def test_what_is_forgotten_is_forgotten_by_the_mix(
    store: GraphStore, db: Database, encoder: Encoder, early: None
) -> None:
    runs = log(0, 48)
    left = [run for run in runs if run.finished and run.finished >= "2026-02"]
    store.add_runs(left)
    expected = kept(db)
    assert expected is not None
    assert expected["stages"] == 24
    store.add_runs(runs)
    mix = kept(db)
    assert mix is not None
    assert mix["stages"] == 48
    store.forget_runs(before="2026-02-01")
    assert kept(db) == expected
    store.forget_tool("approve_parcel")
    less = kept(db)
    assert less is not None
    assert less["stages"] == 22
    store.forget_runs(before="2027-01-01")
    assert kept(db) is None


def test_a_fit_that_was_interrupted_is_made_up_for(
    store: GraphStore, db: Database, early: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(tool_fit, "fit", stopped)
        with pytest.raises(KeyboardInterrupt):
            store.add_runs(log(0, 24))
    assert kept(db) is None
    assert store.tools(QUERY, k=1)
    store.add_runs(log(0, 24))
    assert kept(db) is not None


class Turned:
    """The default encoder, its numbers in the opposite order: another encoder."""

    name, max_tokens = "turned", 128

    def __init__(self, whole: Encoder) -> None:
        self.whole = whole
        self.dimensions = whole.dimensions

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.ascontiguousarray(self.whole.encode(texts)[:, ::-1])


def test_another_encoder_has_a_mix_of_its_own(store: GraphStore, db: Database, encoder: Encoder, early: None) -> None:
    store.add_runs(log(0, 24))
    before = kept(db)
    other = GraphStore(db, Turned(encoder), store._settings)  # type: ignore[arg-type]
    try:
        assert other._tools().mix is None  # the one of the other encoder is not used
        other.reindex()
        mix = kept(db)
        assert mix is not None
        assert mix["encoder"] == "turned"
        assert other.tools(QUERY, k=3)
        assert other._tools().mix is not None
    finally:
        store.reindex()
    assert kept(db) == before
