"""Progressive exposure: domains as they are offered, and the baseline that chooses one without a model."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphstore.encoders import load_encoder
from graphstore.errors import NotFound
from graphstore.records import ToolSpec
from graphstore.retrieval.exposure import SYSTEM, domains_of, exposed, group, listed
from graphstore.retrieval.tool_evidence import Evidence
from graphstore.retrieval.tool_filters import ToolFilters
from graphstore.retrieval.tool_snapshot import STATEMENTS, ToolNode, ToolSnapshot, build_snapshot
from graphstore.toolgraph import stored

ENCODER = load_encoder()

CATALOG = (
    ToolSpec("approve_request", "Approve an access request.", domain="Permission"),
    ToolSpec("list_requests", "List pending access requests.", domain="permission"),
    ToolSpec("list_permissions", "Who can open a file.", domain="permission"),
    ToolSpec("book_room", "Reserve a meeting room.", domain="meeting, Schedule"),
    ToolSpec("list_meetings", "Meetings of a day.", domain="meeting"),
    ToolSpec("get_current_time", "Date and time now.", domain="System"),
    ToolSpec("log", "Commits of a branch.", server="git"),
    ToolSpec("orphan", "Approve an access request."),
)


def snapshot(catalog=CATALOG, stages=()) -> ToolSnapshot:
    rows = [stored.tool_row(spec) for spec in sorted(catalog, key=lambda spec: spec.id)]
    for row, vector in zip(rows, ENCODER.encode([stored.row_text(row) for row in rows]), strict=True):
        row.update(embedding=vector.tolist(), runs=0, last_seen=None)
    return build_snapshot(1, [rows, list(stages), *([] for _ in STATEMENTS[2:])])


def asked(text: str, graph: ToolSnapshot | None = None) -> Evidence:
    return Evidence(graph or snapshot(), text, ENCODER.encode([text])[0])


def shown(evidence: Evidence) -> set[str]:
    tools = evidence.snapshot.tools
    return {tools[number].id for number in np.flatnonzero(np.isfinite(exposed(evidence)))}


def test_the_fitting_domain_and_the_system_tools_are_shown_and_nothing_else() -> None:
    permission = {"approve_request", "list_requests", "list_permissions"}
    assert shown(asked("approve the access request")) == permission | {"get_current_time"}
    assert shown(asked("book a room for the meeting")) == {"book_room", "list_meetings", "get_current_time"}


def test_shown_tools_keep_the_order_of_hybrid() -> None:
    evidence = asked("approve the access request")
    scores = exposed(evidence)
    kept = np.isfinite(scores)
    assert np.array_equal(scores[kept], evidence.hybrid[kept])


def test_without_any_domain_all_tools_are_shown() -> None:
    evidence = asked("approve", snapshot([ToolSpec("approve"), ToolSpec("reject")]))
    assert np.array_equal(exposed(evidence), evidence.hybrid)


def test_spelling_and_case_make_no_second_domain() -> None:
    domains = group(snapshot().tools)
    assert set(domains.members) == {"permission", "meeting", "schedule", SYSTEM, "git"}
    assert domains.spellings["permission"] == "permission"  # two of three write it so
    assert len(domains.of("PERMISSION")) == 3


def test_a_tool_that_names_one_domain_twice_counts_once() -> None:
    domains = group([ToolNode("a", "a", None, "Mail, mail,, MAIL ")])
    assert {name: members.tolist() for name, members in domains.members.items()} == {"mail": [0]}


def test_domains_are_listed_by_name_with_the_system_last() -> None:
    found = listed(snapshot())
    assert [domain.name for domain in found] == ["git", "meeting", "permission", "Schedule", "System"]
    assert [domain.system for domain in found] == [False] * 4 + [True]
    assert (found[2].tools, found[2].fit) == (3, None)
    assert "fit" not in found[2].to_dict()


def test_the_most_used_tools_stand_for_a_domain() -> None:
    path = {"tools": ["list_permissions"], "count": 1, "efficiency": 1.0, "shortest": True}
    stage = {"id": "t/1", "request": "who reads it", "paths": [path]}
    stage["embedding"] = ENCODER.encode(["who reads it"])[0].tolist()
    permission = listed(snapshot(stages=[stage]))[2]
    assert permission.examples[0] == "list_permissions"
    assert permission.used == 1


def test_a_request_orders_the_domains_and_their_examples() -> None:
    best = listed(snapshot(), asked("approve the access request"))[0]
    assert best.name == "permission"
    assert best.examples[0] == "approve_request"
    fits = [domain.fit for domain in listed(snapshot(), asked("approve")) if not domain.system]
    assert fits == sorted(fits, reverse=True)


names = st.lists(st.sampled_from(["mail", "Mail", "hr", "system", "", " "]), max_size=3).map(",".join)


@given(st.lists(names, min_size=1, max_size=8), st.data())
def test_every_tool_of_a_domain_is_shown_with_it_and_the_system_always(texts: list[str], data: st.DataObject) -> None:
    tools = [ToolNode(str(number), str(number), None, text) for number, text in enumerate(texts)]
    domains = group(tools)
    fit = np.array(data.draw(st.lists(st.floats(0, 1), min_size=len(tools), max_size=len(tools))))
    for name, score in domains.ranked(fit):
        assert 0 <= score <= 1
        expected = [t for t, tool in enumerate(tools) if {one.casefold() for one in domains_of(tool)} & {name, SYSTEM}]
        assert domains.shown(name).tolist() == expected
    assert SYSTEM not in dict(domains.ranked(fit))


def test_a_filter_that_leaves_nothing_says_what_there_is() -> None:
    filters = ToolFilters([ToolNode("git/log", "log", "git", None), ToolNode("pay", "pay", None, "Train")])
    for domain, server, said in (
        (None, "hub", "no tool of server 'hub'; servers in the store: git"),
        ("sea", None, "no tool of domain 'sea'; domains in the store: Train, git"),
        ("Train", "git", "no tool of domain 'Train' and server 'git'; domains in the store: Train, git; servers in"),
        ("", None, "no tool of domain ''; domains"),
    ):
        with pytest.raises(NotFound) as refused:
            filters.offer(domain, server)
        assert str(refused.value).startswith(said)
