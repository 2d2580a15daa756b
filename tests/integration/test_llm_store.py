"""A language model as builder of a real store: loading, building, resolving, forgetting, and what it costs."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from model_server import Calls, ModelServer, Reply, Says, Status, last_text

from graphstore.client import GraphStore
from graphstore.corpusmap.llm.prompts import prompt
from graphstore.corpusmap.llm.run import ModelOptions
from graphstore.errors import BudgetSpent, ModelError
from graphstore.llm.answers import Answers
from graphstore.ordered_export import ordered_export
from graphstore.settings import Settings

if TYPE_CHECKING:
    from graphstore.db import Database
    from graphstore.encoders import Encoder

NAMES = re.compile(r"Project [A-Z]\w+|Tom [A-Z]\w+|\bTom\b|Falcon")
PLAIN = ModelOptions(catalog=False)


def types_of(body: Any) -> str:
    return str(body["messages"][0]["content"])


def model(body: Any) -> Reply:
    """A model that names what a pattern finds: right, and the same each time."""
    instructions = types_of(body)
    if instructions == prompt("catalog_verify"):
        return Calls(("final_result", {"objections": []}))
    if instructions.startswith(("You design", "You merge", "You revise")):
        vessel = {
            "name": "vessel",
            "definition": "A ship.",
            "identity": "Equal name.",
            "like": "product",
            "examples": [],
        }
        return Calls(("final_result", {"types": [vessel]}))
    if instructions == prompt("resolve"):
        return Calls(("final_result", {"decision": "LINK", "candidate": 1, "confidence": 0.9, "evidence": "so"}))
    found = [
        {"names": [name], "type": "project" if name.startswith("Project") else "person", "statements": []}
        for name in dict.fromkeys(NAMES.findall(last_text(body)))
        if name != "Falcon"
    ]
    if "Falcon" in last_text(body):
        vessel = "vessel" if "- vessel: A ship." in instructions else "product"
        found.append({"names": ["Falcon"], "type": vessel, "statements": []})
    return Calls(("final_result", {"entities": found}))


Opened = Callable[[ModelServer], GraphStore]


@pytest.fixture
def opened(db: Database, encoder: Encoder, tmp_path: Path) -> Opened:
    def of(server: ModelServer) -> GraphStore:
        settings = Settings(llm_url=server.url, llm_model="scripted", llm_key="k", cache=tmp_path / "cache")
        return GraphStore(db, encoder, settings)

    return of


def write(folder: Path, **texts: str) -> Path:
    folder.mkdir(exist_ok=True)
    for name, text in texts.items():
        (folder / f"{name}.md").write_text(text)
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write(
        tmp_path / "docs",
        a="# Minutes of March\n\nTom Becker of Legal leads Project Atlas since May.",
        b="# Minutes of June\n\nTom Hale painted the hall. Falcon sails.",
        c="# Minutes of July\n\nWe asked Tom about Project Atlas. The Falcon returns.",
    )


def links(store: GraphStore, document: str) -> dict[str, Any]:
    rows = store.query(
        "MATCH (d:Document)-[m:MENTIONS]->(e:Entity)-[:OF_TYPE]->(t:EntityType) WHERE d.id ENDS WITH $id "
        "RETURN e.name AS name, t.name AS type, m.decided_by AS by",
        {"id": document},
    )
    return {row["name"]: (row["type"], row["by"]) for row in rows}


def export(store: GraphStore) -> list[str]:
    return list(ordered_export(store._db))


def test_documents_are_read_by_the_model_and_the_map_is_made_of_what_it_says(opened: Opened, folder: Path):
    with ModelServer(model) as server:
        store = opened(server)
        report, asked = store.load_documents_with_model(folder)
    assert (report.created, report.rejected) == (3, ())
    assert [(stage.stage, stage.calls) for stage in asked.usage.stages] == [
        ("catalog", 4),
        ("extract", 3),
        ("resolve", 1),
    ]
    assert links(store, "b.md")["Falcon"][0] == "vessel"
    assert asked.resolved == {"linked": 1}
    assert "Tom Becker" in links(store, "c.md")
    (row,) = store.query("MATCH (d:Decision) RETURN d.by AS by, d.kind AS kind")
    assert (row["by"], row["kind"]) == ("llm:scripted", "refine")
    (kept,) = store.query("MATCH (d:Document) WHERE d.id ENDS WITH 'a.md' RETURN d.extracted AS extracted")
    assert json.loads(kept["extracted"])["by"].startswith("llm:scripted:")


def test_a_second_load_asks_nothing_and_changes_nothing(opened: Opened, folder: Path):
    with ModelServer(model) as server:
        store = opened(server)
        store.load_documents_with_model(folder)
        before, asked = export(store), len(server.requests)
        report, second = store.load_documents_with_model(folder)
        built, third = store.build_map_with_model()
        assert len(server.requests) == asked
    assert (report.unchanged, second.usage.total.tokens, third.usage.total.tokens) == (3, 0, 0)
    assert (built.decided, built.extracted) == (0, 0)
    assert export(store) == before


def test_a_build_reads_again_what_the_local_builder_had_read_and_the_local_one_leaves_it(opened: Opened, folder: Path):
    with ModelServer(model) as server:
        store = opened(server)
        store.load_documents(folder)
        built, asked = store.build_map_with_model(options=ModelOptions())
        assert (built.extracted, asked.usage.stages[1].calls) == (3, 3)
        after = export(store)
        store.build_map()
        assert export(store) == after


def test_loading_with_the_model_equals_building_with_it(opened: Opened, folder: Path, db: Database):
    from conftest import empty

    with ModelServer(model) as server:
        store = opened(server)
        store.load_documents_with_model(folder)
        loaded = export(store)
        empty(db)
        store.load_documents(folder)
        store.build_map_with_model()
    assert sorted(set(export(store)) ^ set(loaded)) == []


def test_one_document_that_cannot_be_read_is_named_and_comes_with_the_next_load(opened: Opened, folder: Path):
    fails = True

    def script(body: Any) -> Reply:
        return Says("no") if fails and ("painted" in str(body["messages"])) else model(body)

    with ModelServer(script) as server:
        store = opened(server)
        report, _ = store.load_documents_with_model(folder, options=PLAIN)
        assert report.created == 2
        (why,) = report.rejected
        assert re.search(r"b\.md: not read: the answer does not fit", why)
        fails = False
        again, asked = store.load_documents_with_model(folder, options=PLAIN)
    assert (again.created, again.unchanged, again.rejected) == (1, 2, ())
    assert [stage.calls for stage in asked.usage.stages if stage.stage == "extract"] == [1]


def test_a_spent_budget_and_a_broken_endpoint_lose_nothing_and_are_gone_on_from(opened: Opened, folder: Path):
    write(folder, **{f"n{number}": f"# Note {number}\n\nTom Becker wrote {number}." for number in range(20)})
    with ModelServer(model) as server:
        store = opened(server)
        with pytest.raises(BudgetSpent, match="goes on") as told:
            store.load_documents_with_model(folder, options=ModelOptions(catalog=False, max_tokens=8_000))
        paid = told.value.report.usage.total.calls
        assert paid > 0
        server.script = lambda body: Status(401) if "Note 19" in last_text(body) else model(body)
        with pytest.raises(ModelError, match="key was refused"):
            store.load_documents_with_model(folder, options=PLAIN)
        server.script = model
        report, _ = store.load_documents_with_model(folder, options=PLAIN)
        reads = [last_text(body) for body in server.requests if types_of(body).startswith("You read one")]
    assert report.created + report.unchanged == 23
    answered_twice = len(reads) - len(set(reads))
    assert answered_twice <= 8  # those that were under way when a run ended


def test_what_only_some_may_read_is_not_sent(opened: Opened, folder: Path, tmp_path: Path):
    secret = "---\nacl: [board]\n---\n# Minutes of May\n\nTom Zebra sold Project Atlas. Ask Tom."
    write(folder, s=secret)
    with ModelServer(model) as server:
        store = opened(server)
        _, asked = store.load_documents_with_model(folder)
        assert "Zebra" not in str(server.requests)
        assert asked.kept_here == 1
        assert any("--include-restricted" in line for line in asked.lines())
        assert "Tom Zebra" in links(store, "s.md")
        store.build_map_with_model(options=ModelOptions(restricted=True))
        assert "Zebra" in str(server.requests)


def test_a_forgotten_document_leaves_no_answer_behind(opened: Opened, folder: Path, tmp_path: Path):
    with ModelServer(model) as server:
        store = opened(server)
        store.load_documents_with_model(folder)
    kept = Answers(tmp_path / "cache").folder
    assert any("Hale" in path.read_text() for path in kept.rglob("*.json"))
    store.forget("b.md")
    assert [path for path in kept.rglob("*.json") if "Hale" in path.read_text()] == []
    assert any("Becker" in path.read_text() for path in kept.rglob("*.json"))


def test_a_forgotten_document_takes_along_what_was_decided_about_it(opened: Opened, folder: Path):
    with ModelServer(model) as server:
        store = opened(server)
        store.load_documents_with_model(folder, options=PLAIN)
    assert store.query("MATCH (d:Decision) RETURN count(d) AS n") == [{"n": 1}]
    store.forget("c.md")
    assert store.query("MATCH (d:Decision) RETURN count(d) AS n") == [{"n": 0}]
    assert store.build_map().decided == 0


def test_a_decision_that_was_taken_back_is_not_made_again(opened: Opened, folder: Path):
    with ModelServer(model) as server:
        store = opened(server)
        store.load_documents_with_model(folder, options=PLAIN)
        (row,) = store.ledger()
        assert (row.by, row.kind) == ("llm:scripted", "refine")
        store.undo_decision(row.id)
        assert "Tom Becker" not in links(store, "c.md")
        _, asked = store.load_documents_with_model(folder, options=PLAIN)
    assert asked.resolved == {}
    assert "Tom Becker" not in links(store, "c.md")


def test_a_decision_holds_for_the_text_that_it_was_made_for(opened: Opened, folder: Path):
    with ModelServer(model) as server:
        store = opened(server)
        store.load_documents_with_model(folder, options=PLAIN)
        assert "Tom Becker" in links(store, "c.md")
        write(folder, c="# Minutes of July\n\nWe asked Tom about nothing.")
        server.script = lambda body: (
            Calls(("final_result", {"decision": "UNRESOLVED"})) if types_of(body) == prompt("resolve") else model(body)
        )
        _, asked = store.load_documents_with_model(folder, options=PLAIN)
    assert asked.resolved == {"left open": 1}
    assert "Tom Becker" not in links(store, "c.md")


def test_a_catalog_can_be_proposed_without_being_used(opened: Opened, folder: Path):
    with ModelServer(model) as server:
        store = opened(server)
        store.load_documents(folder)
        catalog, asked = store.propose_catalog_with_model()
        assert [stage.stage for stage in asked.usage.stages] == ["catalog"]
        assert [kind.name for kind in catalog.own] == ["vessel"]
        assert catalog.version == 1
        built, _ = store.build_map_with_model(options=PLAIN)
    assert built.extracted == 3
    assert "- vessel" not in str(server.requests[-1])


def test_one_new_document_of_a_hundred_costs_a_hundredth(opened: Opened, tmp_path: Path):
    texts = {
        f"n{number}": f"# Note {number}\n\nTom Becker wrote note {number} of Project Atlas." for number in range(100)
    }
    folder = write(tmp_path / "docs", **texts)
    with ModelServer(model) as server:
        store = opened(server)
        _, full = store.load_documents_with_model(folder)
        write(folder, new="# Note 100\n\nTom Becker wrote note 100 of Project Atlas.")
        report, more = store.load_documents_with_model(folder)
    assert report.created == 1
    assert more.usage.total.calls == 1
    saved = 1 - more.usage.total.tokens / full.usage.total.tokens
    assert saved >= 0.985
