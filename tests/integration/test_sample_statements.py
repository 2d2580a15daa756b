"""The saved queries of cypher/console, asked of the demo's sample as a user would ask them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from graphstore import queries
from graphstore.client import GraphStore
from graphstore.db import Database
from graphstore.encoders import Encoder
from graphstore.retrieval.corpus_cache import load_snapshot
from graphstore.retrieval.corpus_view import view_for
from graphstore.retrieval.tool_evidence import DAMPING
from graphstore.retrieval.tools import ToolSearch

MAIL, WEEKLY = "mail/2026-02-24-atlas-budget.md", "minutes/2026-05-19-bluebird-weekly.md"
REQUEST = "approve that document access request"
PARAMETERS: dict[str, dict[str, Any]] = {
    "documents_for_entities": {"entities": ["Project Atlas"], "limit": 10},
    "entities_alike": {"entity": "Project Atlas", "limit": 10},
    "entity_documents": {"entity": "Project Atlas"},
    "newest_changes": {"limit": 25},
    "restricted_documents": {"limit": 50},
    "search_paths": {"ways": [[MAIL, "Project Atlas", "mail/2026-03-16-atlas-handover.md"]]},
    "shared_entities": {"first": MAIL, "second": WEEKLY},
    "stage_paths": {"stage": "TW_0034/1"},
    "stages_like": {"request": REQUEST, "limit": 5},
    "tool_workflow": {"tool": "approve_permission_request", "limit": 8},
    "tools_for_seeds": {"tools": ["get_document", "query_users"], "limit": 10},
    "unresolved_names": {"limit": 50},
    "weakest_links": {"limit": 25},
    "why_document": {"question": "Can Project Atlas launch on time?", "document": MAIL, "limit": 5},
    "why_tool": {"request": REQUEST, "tool": "list_document_permissions", "limit": 5},
}
NAMES = sorted(PARAMETERS)
DRAWN = {
    "documents_for_entities",
    "entities_alike",
    "newest_changes",
    "restricted_documents",
    "stages_like",
    "tools_for_seeds",
}


def ask(store: GraphStore, name: str, **changed: Any) -> list[dict[str, Any]]:
    return list(store.query(queries.load(f"console/{name}").text, {**PARAMETERS[name], **changed}))


def ids(way: list[dict[str, Any]]) -> list[str]:
    return [node["properties"].get("id", node["properties"].get("name")) for node in way[::2]]


def test_every_saved_query_is_asked_here():
    assert {f"console/{name}" for name in NAMES} == {name for name in queries.names() if name.startswith("console/")}


@pytest.mark.parametrize("name", NAMES)
def test_query_answers_with_the_columns_that_its_head_declares(sample: GraphStore, name: str):
    rows = ask(sample, name)
    assert rows
    assert tuple(rows[0]) == queries.load(f"console/{name}").columns


@pytest.mark.parametrize("name", NAMES)
def test_query_returns_what_browser_draws(sample: GraphStore, name: str):
    values = [value for row in ask(sample, name) for value in row.values()]
    nodes = [value for value in values if isinstance(value, dict) and "labels" in value]
    paths = [value for value in values if isinstance(value, list) and value and isinstance(value[0], dict | list)]
    assert nodes if name in DRAWN else paths


def test_a_way_along_a_title_shows_both_documents(sample: GraphStore):
    (row,) = ask(sample, "search_paths", ways=[[MAIL, "", WEEKLY], [MAIL, "no such name", WEEKLY]])
    assert (row["way"], row["source"], row["target"]) == (None, MAIL, WEEKLY)
    assert [node["properties"]["path"] for node in row["ends"]] == [MAIL, WEEKLY]
    assert row["entity"] == row["ends"][1]["properties"]["title"]


@pytest.mark.parametrize("name", [name for name in NAMES if "limit" in PARAMETERS[name]])
def test_limit_bounds_the_rows(sample: GraphStore, name: str):
    most = {"tool_workflow": 3, "why_document": 3, "why_tool": 3}.get(name, 1)
    assert 1 <= len(ask(sample, name, limit=1)) <= most


@pytest.mark.parametrize("name", ["why_tool", "why_document", "stages_like"])
@pytest.mark.parametrize(
    "text", ["", "  ", '"', "(", "A/B", "tb-", "C++", "AND", "NOT (", "field:x", "~*?", "\\", "李伟"]
)
def test_plain_text_is_plain_text(sample: GraphStore, name: str, text: str):
    key = "question" if name == "why_document" else "request"
    ask(sample, name, **{key: text})


@pytest.mark.parametrize("name", [name for name in NAMES if "limit" not in PARAMETERS[name]])
def test_unknown_names_give_no_rows(sample: GraphStore, name: str):
    assert ask(sample, name, **{key: unknown(value) for key, value in PARAMETERS[name].items()}) == []


def unknown(value: object) -> object:
    """A value of the same shape that names nothing."""
    return [unknown(each) for each in value] if isinstance(value, list) else "no such thing"


def test_workflow_holds_what_came_before_and_after(sample: GraphStore):
    ways = [ids(row["way"]) for row in ask(sample, "tool_workflow")]
    assert ["list_permission_requests", "approve_permission_request"] in ways
    assert ["approve_permission_request", "list_document_permissions"] in ways


def test_tool_without_history_is_drawn_with_what_resembles_it(sample: GraphStore):
    lonely = sample.query("MATCH (t:Tool) WHERE NOT (t)-[:NEXT]-() AND (t)-[:SIMILAR]-() RETURN t.id AS id LIMIT 1")
    rows = ask(sample, "tool_workflow", tool=lonely[0]["id"])
    assert {row["way"][1]["type"] for row in rows} == {"SIMILAR"}


def test_reasons_for_a_tool_are_past_requests_and_companions(sample: GraphStore):
    reasons = [row["reason"] for row in ask(sample, "why_tool")]
    assert any(reason.startswith("it helped to solve: ") for reason in reasons)
    assert any("approve_permission_request" in reason for reason in reasons)
    assert all(ids(row["way"])[-1] == "list_document_permissions" for row in ask(sample, "why_tool"))


def test_reasons_for_a_document_name_what_it_shares(sample: GraphStore):
    reasons = [row["reason"] for row in ask(sample, "why_document")]
    assert "its own text fits" in reasons
    assert any(reason.startswith("it shares ") for reason in reasons)


def test_paths_of_a_stage_are_those_of_the_command(sample: GraphStore):
    rows, known = ask(sample, "stage_paths"), sample.paths("TW_0034/1")
    assert [tuple(row["tools"]) for row in rows] == [path.tools for path in known.paths]
    assert [ids(way)[-1] for way in rows[0]["ways"]] == list(known.paths[0].tools)


def test_documents_of_an_entity_are_those_of_its_page(sample: GraphStore):
    page = sample.page("Project Atlas")
    by_name, by_alias = ask(sample, "entity_documents"), ask(sample, "entity_documents", entity="bluebird")
    assert {ids(row["way"])[0] for row in by_name} == {document.id for document in page.documents}
    assert {ids(row["way"])[0] for row in by_alias} >= {document.id for document in page.documents}
    dates = [row["date"] for row in by_name if row["date"]]
    assert dates == sorted(dates, reverse=True)


def test_entities_alike_are_those_of_the_nearest_vectors(sample: GraphStore):
    rows = ask(sample, "entities_alike")
    stored = sample.query("MATCH (e:Entity) WHERE e.embedding IS NOT NULL RETURN e.name AS name, e.embedding AS vector")
    vectors = {row["name"]: np.array(row["vector"]) for row in stored}
    atlas = vectors.pop("Project Atlas")
    nearest = sorted(vectors, key=lambda name: -vectors[name] @ atlas)[:10]
    assert [row["alike"]["properties"]["name"] for row in rows] == nearest
    assert [row["score"] for row in rows] == pytest.approx([(1 + vectors[n] @ atlas) / 2 for n in nearest], abs=1e-3)
    assert all(ids(way)[-1] == row["alike"]["properties"]["id"] for row in rows for way in row["ways"])


def test_shared_entities_lie_between_both_documents(sample: GraphStore):
    rows = ask(sample, "shared_entities")
    assert all(ids(row["way"])[::2] == [MAIL, WEEKLY] for row in rows)
    assert [row["documents"] for row in rows] == sorted(row["documents"] for row in rows)


def test_unresolved_names_are_those_of_two_bearers_first(sample: GraphStore):
    rows = ask(sample, "unresolved_names")
    assert rows[0]["name"] == "Li Wei"
    assert "none sure" in rows[0]["reason"]


def test_weakest_links_come_first(sample: GraphStore):
    confidences = [row["confidence"] for row in ask(sample, "weakest_links")]
    lowest = sample.query("MATCH ()-[m:MENTIONS]->() RETURN min(m.confidence) AS least")[0]["least"]
    assert confidences == sorted(confidences)
    assert confidences[0] == lowest


def test_restricted_documents_are_those_a_stranger_does_not_find(sample: GraphStore):
    rows = ask(sample, "restricted_documents")
    restricted = {row["document"]["properties"]["id"] for row in rows}
    assert "hr/salary-review-2026.md" in restricted
    assert all(row["readers"] for row in rows)
    hidden = {ids(way)[-1] for row in rows for way in row["hidden"]}
    pages = {entity["id"] for entity in sample.entities(reader=["nobody"])}
    assert hidden
    assert hidden.isdisjoint(pages)


def test_newest_changes_come_first(sample: GraphStore):
    rows = ask(sample, "newest_changes")
    assert [row["at"] for row in rows] == sorted((row["at"] for row in rows), reverse=True)
    assert len(rows) == 25


def test_console_and_library_follow_the_same_walk_over_tools(
    sample: GraphStore, connection: Database, encoder: Encoder
):
    snapshot = ToolSearch.read(connection, encoder).snapshot
    restart = np.zeros(len(snapshot.tools) + len(snapshot.stages))
    seeds = PARAMETERS["tools_for_seeds"]["tools"]
    restart[[i for i, tool in enumerate(snapshot.tools) if tool.id in seeds]] = 1.0
    scores = snapshot.diffusion.scores(restart, damping=DAMPING, tol=1e-10)
    known = {tool.id: float(scores[i]) for i, tool in enumerate(snapshot.tools) if scores[i] > 0}
    rows = ask(sample, "tools_for_seeds", limit=1000)
    assert {row["tool"]["properties"]["id"]: row["score"] for row in rows} == pytest.approx(known, abs=1e-8)


def test_console_and_library_follow_the_same_walk_over_documents(sample: GraphStore, connection: Database):
    view = view_for(load_snapshot(connection, 384))
    entity = int(np.flatnonzero((view.frequency >= 2) & (view.frequency <= 5))[0])
    n = len(view.snapshot.documents)
    restart = np.zeros(view.diffusion.n)
    restart[n + entity] = 1.0
    scores = view.diffusion.scores(restart, tol=1e-9)
    known = {view.snapshot.documents.ids[i]: float(scores[i]) for i in np.flatnonzero(scores[:n] > 1e-9)}
    rows = ask(sample, "documents_for_entities", entities=[view.snapshot.entities.ids[entity]], limit=1000)
    found = {row["document"]["properties"]["id"]: row["score"] for row in rows if row["score"] > 1e-9}
    assert found == pytest.approx(known, abs=1e-7)


@pytest.mark.parametrize("name", ["tools_for_seeds", "documents_for_entities"])
def test_console_leaves_no_projection_behind(sample: GraphStore, name: str):
    key = "tools" if name == "tools_for_seeds" else "entities"
    ask(sample, name)
    assert ask(sample, name, **{key: ["no such thing"]}) == []
    names = sample.query("CALL gds.graph.list() YIELD graphName RETURN graphName AS name")
    assert [row["name"] for row in names if "-console-" in row["name"]] == []
