"""What needs what: declared, or read off the schemas."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphstore.records import Requirement, ToolSpec
from graphstore.toolgraph.parameter_links import MOST_PRODUCERS, parameter_links
from graphstore.toolgraph.requires import Requires, required_tools
from graphstore.toolgraph.stored import tool_row

Row = dict[str, Any]


def tool(name: str, *parameters: str, says: str = "", gives: tuple[str, ...] = (), **more: Any) -> Row:
    """A tool with required parameters; those written in brackets are optional."""
    required = [each for each in parameters if not each.startswith("[")]
    schema = {"properties": {each.strip("[]"): {} for each in parameters}, "required": required}
    output = {
        "type": "object",
        "properties": {"items": {"type": "array", "items": {"properties": {each: {} for each in gives}}}},
    }
    return tool_row(ToolSpec(name, says, schema if parameters else {}, output=output if gives else {}, **more))


def declaring(name: str, *needs: Requirement) -> Row:
    return tool_row(ToolSpec(name, requires=needs))


def links(*tools: Row) -> list[tuple[str, str, str]]:
    return [(link.consumer, link.producer, link.parameter) for link in parameter_links(tools)]


def test_declared_needs_join_known_tools_by_the_strongest_kind() -> None:
    rows = [
        declaring("a", Requirement("b", "parameter", "x"), Requirement("b", "tool"), Requirement("c", "tool-indirect")),
        declaring("b", Requirement("c", "parameter", "z"), Requirement("c", "parameter")),
        declaring("c"),
    ]
    assert required_tools(rows) == [
        Requires("a", "b", "tool", None),
        Requires("a", "c", "tool-indirect", None),
        Requires("b", "c", "parameter", "z"),
    ]


def test_a_need_waits_for_its_tool_and_a_tool_never_needs_itself() -> None:
    first = declaring("a", Requirement("later"), Requirement("a"))
    assert required_tools([first]) == []
    assert required_tools([declaring("later"), first]) == [Requires("a", "later", "tool", None)]


def test_needs_survive_as_json_each_once_in_one_order() -> None:
    needs = [Requirement("b", "parameter", "x"), Requirement("b"), Requirement("b")]
    rows = [declaring("a", *order)["requires"] for order in (needs, needs[::-1])]
    assert rows[0] == rows[1]
    assert rows[0].count('tool": "b') == 2
    assert declaring("a")["requires"] is None


def test_a_tool_that_declares_its_needs_gets_none_from_the_schemas() -> None:
    find, read = tool("query_documents", "keyword"), tool("get_document", "document_id")
    assert required_tools([find, read]) == [Requires("get_document", "query_documents", "produces", "document_id")]
    assert required_tools([find, {**read, "requires": declaring("x", Requirement("login"))["requires"]}]) == []


def test_what_looks_a_thing_up_produces_its_id() -> None:
    assert links(
        tool("query_documents", "keyword", "[owner_id]"),
        tool("get_document", "document_id"),
        tool("archiveDocument", "documentId", "reason"),
        tool("create_document", "title"),
        tool("list_permission_requests", "[document_id]"),
        tool("approve_permission_request", "request_id", "role"),
    ) == [
        ("approve_permission_request", "list_permission_requests", "request_id"),
        ("archiveDocument", "query_documents", "documentId"),
        ("get_document", "query_documents", "document_id"),
    ]


@pytest.mark.parametrize(
    ("tools", "why"),
    [
        ([tool("list_tasks"), tool("update_task", "[task_id]")], "an optional parameter asks for nothing"),
        ([tool("get_task", "task_id"), tool("update_task", "task_id")], "who needs the id does not produce it"),
        ([tool("list_tasks_of_project"), tool("get_project", "project_id")], "after a preposition is no object"),
        ([tool("jira.list_tasks"), tool("asana.close_task", "task_id")], "other words before the verb"),
        ([tool("list_tasks", server="a"), tool("close_task", "task_id", server="b")], "another server"),
        ([tool("list_tasks"), tool("close_task", "task")], "a single word is no id"),
        ([tool("task_board"), tool("close_task", "task_id")], "no verb of looking up"),
        ([tool("list_leave_requests"), tool("list_access_requests"), tool("approve", "request_id")], "two kinds"),
        ([*(tool(f"{v}_tasks") for v in ("list", "find", "query", "search")), tool("close", "task_id")], "too many"),
    ],
)
def test_what_is_not_sure_links_nothing(tools: list[Row], why: str) -> None:
    assert links(*tools) == [], why
    assert MOST_PRODUCERS < 4


def test_kinds_of_one_thing_are_told_apart_by_what_the_asking_tool_says() -> None:
    kinds = [tool("list_leave_requests"), tool("list_access_requests")]
    by_name = tool("approve_leave_request", "request_id")
    by_description = tool("approve", "request_id", says="Approves a request for access.")
    assert links(*kinds, by_name) == [("approve_leave_request", "list_leave_requests", "request_id")]
    assert links(*kinds, by_description) == [("approve", "list_access_requests", "request_id")]


def test_an_output_schema_says_more_than_a_name() -> None:
    close = tool("close_task", "task_id")
    assert links(tool("list_tasks"), tool("find_tasks", gives=("task_id", "title")), close) == [
        ("close_task", "find_tasks", "task_id")
    ]
    # its output says that it gives other ids; without any it says nothing (many a schema is just a "result")
    assert links(tool("list_tasks", gives=("owner_id",)), close) == []
    assert links(tool("list_tasks", gives=("result",)), close) == [("close_task", "list_tasks", "task_id")]
    # no name speaks of tasks
    assert links(tool("plan_week", gives=("taskId",)), close) == [("close_task", "plan_week", "task_id")]


def test_a_bare_id_is_of_what_the_tool_speaks_of() -> None:
    assert links(tool("search_albums", "[q]"), tool("get_album", "id"), tool("play_track", "id")) == [
        ("get_album", "search_albums", "id")
    ]


def test_a_name_of_several_words_asks_for_what_it_says() -> None:
    found = links(tool("get_country_code", "country"), tool("read_news", "country_code", "date"), tool("get_date"))
    assert found == [("read_news", "get_country_code", "country_code")]


NAMES = [
    "list_tasks",
    "get_task",
    "close_task",
    "find_open_tasks",
    "a.query_users",
    "a.get_user",
    "工具",
    "",
    "_",
    "id",
]
PARAMETERS = ["task_id", "[task_id]", "id", "user_ids", "country_code", "名_id", "_id"]


@given(
    st.lists(
        st.builds(
            lambda name, parameters, gives, needs: {
                **tool(name or "x", *parameters, gives=tuple(gives)),
                "requires": declaring("x", *map(Requirement, needs))["requires"],
            },
            st.sampled_from(NAMES),
            st.lists(st.sampled_from(PARAMETERS), unique=True, max_size=3),
            st.lists(st.sampled_from(["task_id", "id", "total"]), unique=True, max_size=2),
            st.lists(st.sampled_from([*NAMES[:4], "unknown"]), max_size=2),
        ),
        unique_by=lambda row: row["id"],
        max_size=8,
    ),
    st.randoms(use_true_random=False),
)
def test_needs_do_not_depend_on_the_order_and_stay_among_known_tools(rows: list[Row], chance: random.Random) -> None:
    found = required_tools(rows)
    shuffled = list(rows)
    chance.shuffle(shuffled)
    assert required_tools(shuffled) == found
    known = {row["id"] for row in rows}
    assert all(edge.source != edge.target and {edge.source, edge.target} <= known for edge in found)
    assert len({(edge.source, edge.target) for edge in found}) == len(found)
    assert found == sorted(found, key=lambda edge: (edge.source, edge.target))
