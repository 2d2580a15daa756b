"""The demo's data: complete, consistent, and not made to answer one question."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import bm25s
import pytest
import yaml

import graphstore.sample

SAMPLE = Path(graphstore.sample.__file__).parent
DOCUMENTS = SAMPLE / "documents"
DEMO_REQUEST = "approve that document access request"
DOMAINS = {"document", "meeting", "project", "schedule", "hr", "permission", "system"}
FRONT = re.compile(r"\A---\n(.*?)\n---\n", re.DOTALL)
HAN = re.compile(r"[\u4e00-\u9fff]")


def catalog() -> dict[str, dict[str, Any]]:
    return {tool["name"]: tool for tool in json.loads((SAMPLE / "tools.json").read_text("utf-8"))}


def runs() -> list[dict[str, Any]]:
    files = sorted((SAMPLE / "task_logs").glob("*.json"))
    return [run for file in files for run in json.loads(file.read_text("utf-8"))["task_logs"]]


def stages() -> Iterator[dict[str, Any]]:
    for run in runs():
        yield from run["stages"]


def texts() -> dict[str, str]:
    files = (path for path in DOCUMENTS.rglob("*") if path.is_file())
    return {path.relative_to(DOCUMENTS).as_posix(): path.read_text("utf-8") for path in sorted(files)}


def front(text: str) -> dict[str, Any]:
    found = FRONT.match(text)
    return yaml.safe_load(found.group(1)) if found else {}


def words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))


def test_catalog_has_every_domain_and_schemas_that_require_only_what_they_declare():
    tools = catalog()
    assert len(tools) >= 45
    assert {tool["domain"] for tool in tools.values()} == DOMAINS
    for tool in tools.values():
        assert len(tool["description"]) > 20
        assert set(tool["parameters"]["required"]) <= set(tool["parameters"]["properties"]), tool["name"]


def test_there_are_more_than_thirty_logs_of_many_tasks():
    assert len(list((SAMPLE / "task_logs").glob("*.json"))) >= 36
    ids = [run["run_id"] for run in runs()]
    assert len(ids) == len(set(ids))
    assert len({run["task_id"] for run in runs()}) >= 30


def test_every_called_tool_is_in_the_catalog_with_its_arguments():
    tools = catalog()
    for stage in stages():
        for call in stage["tool_calls_detail"]:
            schema = tools[call["tool_name"]]["parameters"]
            assert set(call["arguments"]) <= set(schema["properties"]), call
            assert set(schema["required"]) <= set(call["arguments"]), call
            assert isinstance(call["result" if call["success"] else "error"], str)


def test_observed_paths_are_the_called_tools_and_failed_stages_say_why():
    for stage in stages():
        called = [call["tool_name"] for call in stage["tool_calls_detail"]]
        assert stage["observed_tool_path"] == called
        assert set(called) <= set(stage["selected_tools"])
        assert stage["passed"] is ("failure" not in stage)


def test_some_stages_failed_some_passed_by_several_paths_some_calls_were_repeated():
    assert sum(not stage["passed"] for stage in stages()) >= 8
    paths: dict[tuple[str, int], set[tuple[str, ...]]] = {}
    for run in runs():
        for stage in run["stages"]:
            if stage["passed"]:
                paths.setdefault((run["task_id"], stage["stage_id"]), set()).add(tuple(stage["observed_tool_path"]))
    assert sum(len(found) > 1 for found in paths.values()) >= 20
    assert any(not call["success"] for stage in stages() if stage["passed"] for call in stage["tool_calls_detail"])


def test_three_to_five_tools_have_no_history():
    called = {name for stage in stages() for name in stage["observed_tool_path"]}
    assert 3 <= len(set(catalog()) - called) <= 5


def test_no_request_repeats_the_demo_request():
    for stage in stages():
        assert DEMO_REQUEST not in stage["user_query"].casefold()
        assert not words(DEMO_REQUEST) <= words(stage["user_query"]), stage["user_query"]


def test_approvals_have_many_paths_and_other_domains_dominate():
    approvals = {
        tuple(stage["observed_tool_path"])
        for stage in stages()
        if stage["passed"] and "approve_permission_request" in stage["observed_tool_path"]
    }
    assert len(approvals) >= 8
    domains = [stage["selected_domain"] for stage in stages()]
    assert domains.count("permission") < len(domains) / 3


def test_requests_are_in_two_languages():
    requests = {stage["user_query"] for stage in stages()}
    assert sum(bool(HAN.search(request)) for request in requests) >= 5
    assert len(requests) >= 60


def test_documents_are_many_of_three_kinds_and_of_readable_length():
    found = texts()
    assert len(found) >= 66
    assert {Path(path).suffix for path in found} == {".md", ".txt", ".html"}
    assert {path.split("/")[0] for path in found} == {"minutes", "mail", "tickets", "runbooks", "contracts", "hr", "zh"}
    for path, text in found.items():
        assert 50 <= len(re.findall(r"[a-zA-Z\d]+|[\u4e00-\u9fff]", text)) <= 420, path


def test_front_matter_parses_and_names_title_and_a_date():
    for path, text in texts().items():
        fields = front(text)
        if fields or path.endswith(".md"):
            assert "title" in fields, path
            assert {"date", "created", "modified"} & fields.keys(), path
            assert isinstance(fields.get("acl", []), list), path
    assert sum(not front(text) for text in texts().values()) == 2


def test_some_documents_are_restricted_and_some_are_chinese():
    found = texts()
    assert 5 <= sum("acl" in front(text) for text in found.values()) <= 8
    assert sum(len(HAN.findall(text)) > 60 for text in found.values()) >= 6


def test_exactly_one_document_says_that_atlas_is_bluebird():
    both = [path for path, text in texts().items() if "Atlas" in text and "Bluebird" in text]
    assert both == ["mail/2026-01-19-code-names.md"]


def test_two_people_share_a_name_with_different_addresses():
    found = texts()
    assert sum("li.wei@tidewell.example" in text for text in found.values()) >= 4
    assert sum("wei.li2@tidewell.example" in text for text in found.values()) >= 4
    assert sum("Li Wei" in text for text in found.values()) >= 12


CHAIN = (
    "mail/2026-01-19-code-names.md",
    "minutes/2026-05-19-bluebird-weekly.md",
    "tickets/INC-1042.md",
    "mail/2026-05-22-norrfjord-certificate.md",
    "contracts/C-2026-014-norrfjord.md",
)


def test_the_answer_to_the_key_question_is_linked_by_names_and_not_by_its_words():
    found = texts()
    for (left, right), name in zip(pairwise(CHAIN), ("Bluebird", "INC-1042", "TA-7731", "NR-40"), strict=True):
        assert name in found[left], left
        assert name in found[right], right
    for path in (*CHAIN[1:], "tickets/CHG-2026-118.md"):
        assert not {"atlas", "launch"} & words(found[path]), path


def test_a_keyword_search_for_the_key_question_finds_at_most_the_first_link_of_the_chain():
    found = texts()
    index = bm25s.BM25()
    index.index(bm25s.tokenize(list(found.values()), stopwords="en", show_progress=False), show_progress=False)
    question = bm25s.tokenize(["Can Project Atlas launch on time?"], stopwords="en", show_progress=False)
    hits, _ = index.retrieve(question, corpus=list(found), k=10, show_progress=False)
    assert {*CHAIN, "tickets/CHG-2026-118.md"} & set(hits[0]) <= {CHAIN[0]}


@pytest.mark.parametrize("codes", [("INC-1042", "INC-1043"), ("SR-2026-052", "SR-2026-053"), ("v1.2", "v1.12")])
def test_codes_that_differ_by_a_character_are_both_written_in_several_documents(codes):
    found = texts()
    for code in codes:
        exact = re.compile(rf"{re.escape(code)}(?![\d.]\d|\d)")
        assert sum(bool(exact.search(text)) for text in found.values()) >= 2, code
