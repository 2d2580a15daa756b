"""Catalogs and logs into a real store: the graph that README and DESIGN promise, however it was loaded."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from graphstore.loaders import read_logs, read_tools

import graphstore.sample
from graphstore.db import Database
from graphstore.errors import NotFound
from graphstore.ordered_export import ordered_export
from graphstore.records import Ignored, Rejected, StageRun, ToolCall, ToolSpec
from graphstore.retrieval.stage_paths import stage_paths
from graphstore.retrieval.tools import ToolSearch
from graphstore.toolgraph.update import derive, load_logs, load_tools

if TYPE_CHECKING:
    from graphstore.encoders import Encoder

# As the README of the sample states them: edges with their counts.
README_EDGES = {
    ("check_room_availability", "book_meeting"): 2,
    ("get_current_time", "check_room_availability"): 2,
    ("list_permission_requests", "approve_permission_request"): 2,
    ("query_documents", "get_document"): 2,
    ("approve_permission_request", "list_document_permissions"): 1,
    ("get_document", "approve_permission_request"): 1,
    ("get_document", "list_permission_requests"): 1,
    ("list_permission_requests", "get_document"): 1,
    ("query_users", "send_notification"): 1,
}
COLD_START = {"check_document_permission", "list_meetings", "create_schedule_entry", "query_project_members"}


@pytest.fixture
def sample(data: Path) -> Path:
    return data / "tools" / "entbench-sample"


def run(
    task: str, run: str, *tools: str, passed: bool | None = True, request: str = "Do the thing", stage: int = 1
) -> StageRun:
    calls = tuple(ToolCall(tool) for tool in tools)
    return StageRun(task, f"{task}/{stage}", run, request, passed, calls, source="log.json:1")


def exported(db: Database) -> list[str]:
    return list(ordered_export(db))


def edges(db: Database) -> dict[tuple[str, str], dict[str, Any]]:
    return {(row["source"], row["target"]): row for row in db.read("retrieve/tool_next")}


def clear(db: Database) -> None:
    list(db.run("MATCH (n) WHERE NOT n:Meta DETACH DELETE n", write=True))


def test_sample_logs_give_exactly_the_edges_of_their_readme(db: Database, encoder: Encoder, sample: Path) -> None:
    report = load_logs(db, encoder, read_logs(sample / "task_logs"))
    assert (report.created, report.rejected) == (8, ())
    assert {pair: row["count"] for pair, row in edges(db).items()} == README_EDGES
    weights = {pair: row["weight"] for pair, row in edges(db).items()}
    assert weights["query_documents", "get_document"] == 1.75
    assert weights["get_document", "list_permission_requests"] == 0.75


def test_sample_stage_has_the_paths_and_efficiency_of_its_readme(db: Database, encoder: Encoder, sample: Path) -> None:
    load_logs(db, encoder, read_logs(sample / "task_logs"))
    shortest, longer = stage_paths(db, "EX_0003/1").paths
    assert (shortest.length, shortest.efficiency, shortest.shortest) == (3, 1.0, True)
    assert (longer.length, longer.efficiency, longer.shortest) == (4, 0.75, False)
    assert longer.sources == ("EX_0003-run-1",)
    failed = stage_paths(db, "EX_0002/2")
    assert (failed.runs, failed.passed, failed.paths) == (1, 0, ())


def test_sample_cold_start_tools_are_reached_by_meaning_only(db: Database, encoder: Encoder, sample: Path) -> None:
    load_logs(db, encoder, read_logs(sample / "task_logs"))
    load_tools(db, encoder, read_tools(sample / "tools.json"))
    with_history = {tool for pair in edges(db) for tool in pair}
    assert {row["id"] for row in db.read("retrieve/tool_catalog")} - with_history == COLD_START
    similar = {tool for row in db.read("retrieve/tool_similar") for tool in (row["source"], row["target"])}
    assert {"check_document_permission", "list_meetings"} <= similar
    hits = ToolSearch.read(db, encoder).search("approve that document access request", k=8)
    assert "check_document_permission" in [hit.id for hit in hits]


def test_the_shipped_logs_bring_the_whole_workflow_of_an_approval(db: Database, encoder: Encoder) -> None:
    folder = Path(graphstore.sample.__file__).parent
    load_tools(db, encoder, read_tools(folder / "tools.json"))
    load_logs(db, encoder, read_logs(folder / "task_logs"))
    hits = {hit.id: hit for hit in ToolSearch.read(db, encoder).search("approve that document access request", k=8)}
    assert set(hits) >= {
        "approve_permission_request",
        "list_permission_requests",
        "list_document_permissions",
        "check_document_permission",
        "get_document",
        "query_users",
    }
    # words alone do not find it: runs do
    assert not hits["query_users"].seed
    assert {why.via for why in hits["list_document_permissions"].because} >= {"PAST", "NEXT"}


def test_loading_twice_changes_nothing(db: Database, encoder: Encoder, sample: Path) -> None:
    for _ in range(2):
        logs = load_logs(db, encoder, read_logs(sample / "task_logs"))
        tools = load_tools(db, encoder, read_tools(sample / "tools.json"))
    assert (logs.created, logs.changed, logs.unchanged) == (0, 0, 8)
    assert (tools.created, tools.changed, tools.unchanged) == (0, 0, 14)
    version = db.graph_version()
    load_logs(db, encoder, read_logs(sample / "task_logs"))
    assert not derive(db, encoder)
    assert db.graph_version() == version


def test_order_and_division_of_loading_do_not_matter(db: Database, encoder: Encoder, sample: Path) -> None:
    load_tools(db, encoder, read_tools(sample / "tools.json"))
    load_logs(db, encoder, read_logs(sample / "task_logs"))
    expected = exported(db)
    records = list(read_logs(sample / "task_logs"))
    random.Random(3).shuffle(records)
    clear(db)
    load_logs(db, encoder, records[:3])
    load_logs(db, encoder, records[2:5])
    load_tools(db, encoder, read_tools(sample / "tools.json"))
    load_logs(db, encoder, records)
    assert exported(db) == expected


class StoppingError(Exception):
    """Stands for the interruption of a load."""


def test_interrupted_load_repeated_gives_the_uninterrupted_graph(
    db: Database, encoder: Encoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graphstore.toolgraph.update._BATCH", 250)
    records = [run(f"T{i}", "r", "a", f"t{i % 7}", "b", request=f"request {i % 9}") for i in range(1200)]
    load_logs(db, encoder, records)
    expected = exported(db)
    clear(db)

    def stopping() -> Iterator[StageRun]:
        yield from records[:700]
        raise StoppingError

    with pytest.raises(StoppingError):
        load_logs(db, encoder, stopping())
    (row,) = db.run("MATCH (s:Stage) RETURN count(s) AS stages, count { (s)-[:SOLVED_BY]->() } AS paths")
    assert row["stages"] == 500  # whole batches and nothing half
    load_logs(db, encoder, records)
    assert exported(db) == expected


def test_two_writers_of_the_same_logs_give_the_graph_of_one(db: Database, encoder: Encoder) -> None:
    records = [run(f"T{i % 40}", f"r{i}", "a", "b", f"t{i % 3}", request=f"request {i % 40}") for i in range(1100)]
    load_logs(db, encoder, records)
    expected = exported(db)
    clear(db)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda seed: load_logs(db, encoder, _shuffled(records, seed)), range(4)))
    assert exported(db) == expected


def _shuffled(records: Iterable[StageRun], seed: int) -> list[StageRun]:
    copy = list(records)
    random.Random(seed).shuffle(copy)
    return copy


def test_a_run_loaded_again_with_another_verdict_takes_its_edges_back(db: Database, encoder: Encoder) -> None:
    load_logs(db, encoder, [run("T", "r1", "a", "b"), run("T", "r2", "a", "c")])
    report = load_logs(db, encoder, [run("T", "r1", "a", "b", passed=False)])
    assert report.changed == 1
    assert set(edges(db)) == {("a", "c")}
    assert [path.tools for path in stage_paths(db, "T/1").paths] == [("a", "c")]
    runs = {row["id"]: row["runs"] for row in db.read("retrieve/tool_catalog")}
    assert runs == {"a": 1, "b": 0, "c": 1}


def test_failed_and_unjudged_runs_feed_no_edge_but_are_counted(db: Database, encoder: Encoder) -> None:
    load_logs(
        db,
        encoder,
        [
            run("T", "r1", "a", "b"),
            run("T", "r2", "a", "b", "z", passed=False),
            run("T", "r3", "y", "x", passed=None),
            run("T", "r4"),
        ],
    )
    assert {pair: (row["count"], row["failures"]) for pair, row in edges(db).items()} == {("a", "b"): (1, 1)}
    paths = stage_paths(db, "T/1")
    assert (paths.runs, paths.passed, len(paths.paths)) == (4, 2, 1)
    (row,) = db.run("MATCH (s:Stage) RETURN s.no_calls AS no_calls, s.passed AS passed")
    assert (row["no_calls"], row["passed"]) == (1, True)


@pytest.mark.parametrize(
    "name", ["admin.tools.list", "tool-with-dash", "工具", " two  spaces ", "x" * 200, "`]->()'\""]
)
def test_odd_tool_names_are_kept_exactly(db: Database, encoder: Encoder, name: str) -> None:
    load_logs(db, encoder, [run("T", "r1", "start", name)])
    assert set(edges(db)) == {("start", name)}
    assert name in [hit.id for hit in ToolSearch.read(db, encoder).search("do the thing")]


def test_ten_thousand_calls_in_one_stage(db: Database, encoder: Encoder) -> None:
    load_logs(db, encoder, [run("T", "r1", *(["poll", "wait"] * 5000), "done")])
    assert stage_paths(db, "T/1").paths[0].length == 10001
    assert {pair: row["count"] for pair, row in edges(db).items()} == {
        ("poll", "wait"): 1,
        ("wait", "poll"): 1,
        ("wait", "done"): 1,
    }


def test_rejected_records_are_named_and_the_rest_loads(db: Database, encoder: Encoder) -> None:
    records: Sequence[StageRun | Rejected | Ignored] = [
        Rejected("log.json", 3, "calls are null"),
        run("T", "r1", "a", "b"),
        Ignored("empty.json", None, "no runs"),
    ]
    report = load_logs(db, encoder, records)
    assert (report.rejected, report.warnings) == (("log.json:3: calls are null",), ("empty.json: no runs",))
    assert (report.read, report.created) == (1, 1)


def test_a_catalog_fills_what_a_log_only_named(db: Database, encoder: Encoder) -> None:
    load_logs(db, encoder, [run("T", "r1", "get_doc", "b")])
    report = load_tools(db, encoder, [ToolSpec("get_doc", "Reads one document.", domain="document")])
    assert (report.created, report.changed) == (0, 1)
    load_logs(db, encoder, [run("T", "r2", "get_doc")])  # a log takes nothing back
    tool = next(row for row in db.read("retrieve/tool_catalog") if row["id"] == "get_doc")
    assert (tool["description"], tool["domain"], tool["runs"]) == ("Reads one document.", "document", 2)
    assert np.dot(tool["embedding"], encoder.encode(["get doc. Reads one document"])[0]) == pytest.approx(1, abs=1e-5)


def test_each_distinct_request_is_encoded_once_a_load(db: Database, encoder: Encoder) -> None:
    class Counting:
        name, dimensions, max_tokens = encoder.name, encoder.dimensions, encoder.max_tokens
        texts: list[str] = []  # noqa: RUF012

        def encode(self, texts: Sequence[str]) -> np.ndarray:
            self.texts.extend(texts)
            return encoder.encode(texts)

    counting = Counting()
    load_logs(db, counting, [run(f"T{i}", "r", "a", request=f"same {i % 2}") for i in range(600)])
    assert sorted(counting.texts) == ["a", "same 0", "same 1"]


def test_a_stage_without_a_request_is_found_by_its_description(db: Database, encoder: Encoder) -> None:
    blank = StageRun("T", "T/1", "r", " ", True, (ToolCall("a"),), "log", description="Sweep the floor")
    empty = StageRun("U", "U/1", "r", "", True, (ToolCall("b"),), "log")
    load_logs(db, encoder, [blank, empty])
    assert [row["request"] for row in db.read("retrieve/tool_solved_stages")] == ["Sweep the floor"]
    (hit,) = ToolSearch.read(db, encoder).search("sweep the floor", k=1)
    assert (hit.id, hit.because[0].request) == ("a", "Sweep the floor")


def test_tools_written_past_graphstore_get_vectors_from_build(db: Database, encoder: Encoder) -> None:
    load_tools(db, encoder, [ToolSpec("read_mail", "Reads mail.")])
    list(db.run("CREATE (:Tool {id: 'read_mails', name: 'read_mails'})", write=True))
    assert "read_mails" in [hit.id for hit in ToolSearch.read(db, encoder).search("read mails")]
    assert derive(db, encoder)
    assert [(row["source"], row["target"]) for row in db.read("retrieve/tool_similar")] == [("read_mail", "read_mails")]


def test_an_empty_store_says_what_to_load(db: Database, encoder: Encoder) -> None:
    with pytest.raises(NotFound, match="graphstore load tools"):
        ToolSearch.read(db, encoder)


def test_a_stage_is_found_by_id_by_its_task_and_by_its_request(db: Database, encoder: Encoder) -> None:
    load_logs(db, encoder, [run("T", "r1", "a"), run("U", "r1", "b", request="Another"), run("V", "r1", "c", stage=1)])
    load_logs(db, encoder, [run("V", "r1", "d", request="Third", stage=2)])
    assert stage_paths(db, "T/1").stage == stage_paths(db, "T").stage == "T/1"
    assert stage_paths(db, "Another").stage == "U/1"
    with pytest.raises(NotFound, match="'V' means 2 stages; name one: V/1, V/2"):
        stage_paths(db, "V")
    with pytest.raises(NotFound, match=r"no stage 'the Another one'; near it: U/1 \(Another\)"):
        stage_paths(db, "the Another one")
    with pytest.raises(NotFound, match="graphstore load logs"):
        stage_paths(db, "qqq")


def test_snapshot_follows_the_store(db: Database, encoder: Encoder) -> None:
    load_tools(db, encoder, [ToolSpec("one")])
    before = ToolSearch.read(db, encoder)
    assert before.version == db.graph_version()
    load_tools(db, encoder, [ToolSpec("two")])
    assert before.version != db.graph_version()
    assert len(ToolSearch.read(db, encoder).search("two")) == 2
