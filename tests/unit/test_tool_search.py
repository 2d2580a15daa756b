"""Ranking tools: signals, reasons, filters and degenerate graphs, on snapshots made here without a server."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from zlib import crc32

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphstore.errors import NotFound, SettingsError
from graphstore.navigation.texts import WORDLESS, found_tools, wordless
from graphstore.retrieval import tool_evidence
from graphstore.retrieval.boosting import Trees
from graphstore.retrieval.tool_evidence import Evidence, scaled
from graphstore.retrieval.tool_mix import LearnedMix, Model
from graphstore.retrieval.tool_signals import DIRECT, RELATED, contributions, past
from graphstore.retrieval.tool_snapshot import ToolSnapshot, build_snapshot
from graphstore.retrieval.tools import ToolSearch
from graphstore.tokens import tokenise
from graphstore.toolgraph.clauses import clauses

Row = dict[str, Any]
DIMENSIONS = 64


class WordEncoder:
    """Each token is a fixed random direction: texts are near each other by shared words only."""

    name, dimensions, max_tokens = "words", DIMENSIONS, 256

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        rows = [
            np.sum(
                [np.random.default_rng(crc32(token.encode())).normal(size=DIMENSIONS) for token in tokenise(t) or [t]],
                axis=0,
            )
            for t in texts
        ]
        return np.array([row / np.linalg.norm(row) for row in rows], dtype=np.float32)


ENCODER = WordEncoder()


def tool(id: str, description: str = "", domain: str | None = None, server: str | None = None) -> Row:
    return {
        "id": id,
        "name": id.rpartition("/")[2],
        "server": server,
        "domain": domain,
        "description": description,
        "parameters": None,
        "output": None,
        "requires": None,
        "runs": 0,
        "last_seen": None,
        "embedding": ENCODER.encode([f"{id} {description}"])[0].tolist(),
    }


def stage(id: str, request: str, *path: str, count: int = 1) -> Row:
    paths = [{"tools": list(path), "count": count, "efficiency": 1.0, "shortest": True}]
    return {"id": id, "request": request, "embedding": ENCODER.encode([request])[0].tolist(), "paths": paths}


def edge(source: str, target: str, **weights: float) -> Row:
    return {"source": source, "target": target, "unjudged": 0, **weights}


def snapshot(
    tools: list[Row],
    stages: Sequence[Row] = (),
    following: Sequence[Row] = (),
    similar: Sequence[Row] = (),
    needs: Sequence[Row] = (),
    tried: Sequence[Row] = (),
) -> ToolSnapshot:
    return build_snapshot(1, [sorted(tools, key=lambda row: row["id"]), stages, following, tried, similar, needs])


def search(*parts: Any) -> ToolSearch:
    return ToolSearch(snapshot(*parts), ENCODER)


APPROVALS = (
    [
        tool("list_requests", "List pending access requests.", "permission"),
        tool("approve_request", "Approve an access request.", "permission"),
        tool("list_permissions", "Who can open a file.", "permission"),
        tool("check_permission", "Whether somebody can open a file.", "permission"),
        tool("book_room", "Reserve a meeting room.", "meeting"),
        tool("send_mail", "Send a message.", "system"),
    ],
    [stage("T/1", "Approve the access request of Lena", "list_requests", "approve_request", "list_permissions")],
    [
        edge("list_requests", "approve_request", weight=1.0),
        edge("approve_request", "list_permissions", weight=1.0),
    ],
    [edge("check_permission", "list_permissions", score=0.8)],
)


def test_a_past_workflow_brings_what_the_request_does_not_name() -> None:
    ids = [hit.id for hit in search(*APPROVALS).search("approve that access request", k=4)]
    assert ids[:3] == ["approve_request", "list_requests", "list_permissions"]
    assert ids[3] == "check_permission"  # no run ever used it: it is near list_permissions in meaning


def test_each_hit_says_why() -> None:
    hits = {hit.id: hit for hit in search(*APPROVALS).search("approve that access request", k=6)}
    reasons = {(why.via, why.source) for why in hits["list_permissions"].because}
    assert {("PAST", "T/1"), ("NEXT", "approve_request"), ("SIMILAR", "check_permission")} <= reasons
    assert ("PREVIOUS", "approve_request") in {(why.via, why.source) for why in hits["list_requests"].because}
    assert hits["approve_request"].seed
    past_reason = next(why for why in hits["list_permissions"].because if why.via == "PAST")
    assert past_reason.path == ("list_requests", "approve_request", "list_permissions")
    assert past_reason.request == "Approve the access request of Lena"


def test_what_a_tool_needs_comes_with_it_and_says_so() -> None:
    tools = [tool("send_mail", "Send a mail."), tool("check_wifi"), tool("enable_wifi"), tool("unrelated")]
    declared = [
        {"source": "send_mail", "target": "enable_wifi", "kind": "tool", "parameter": None},
        {"source": "enable_wifi", "target": "check_wifi", "kind": "tool", "parameter": None},
    ]
    hits = search(tools, [], [], [], declared).search("send a mail", k=3)
    assert [hit.id for hit in hits] == ["send_mail", "enable_wifi", "check_wifi"]
    assert [[(why.via, why.source) for why in hit.because] for hit in hits] == [
        [],
        [("REQUIRES", "send_mail")],
        [("REQUIRES", "enable_wifi")],
    ]


def test_a_past_request_is_shown_with_the_path_that_used_the_tool() -> None:
    twice = stage("T/1", "approve the access request", "approve_request")
    longer = ["list_requests", "approve_request"]
    twice["paths"].append({"tools": longer, "count": 3, "efficiency": 0.5, "shortest": False})
    hits = {hit.id: hit for hit in search(APPROVALS[0], [twice]).search("approve the access request")}
    assert hits["approve_request"].because[0].path == ("approve_request",)
    assert hits["list_requests"].because[0].path == ("list_requests", "approve_request")


def test_reasons_are_shares_of_the_score_strongest_first() -> None:
    for hit in search(*APPROVALS).search("approve that access request", k=6):
        shares = [why.weight for why in hit.because]
        assert shares == sorted(shares, reverse=True)
        assert all(0 < share <= 1 for share in shares)
        assert sum(shares) <= 1 + 1e-3


def test_filters_keep_and_leave_out() -> None:
    engine = search(*APPROVALS)
    assert {hit.domain for hit in engine.search("approve", k=9, domain="Permission")} == {"permission"}
    left = [hit.id for hit in engine.search("approve", k=9, exclude=["approve_request", "book_room"])]
    assert len(left) == 4
    assert not {"approve_request", "book_room"} & set(left)


def test_a_tool_of_several_domains_passes_for_each() -> None:
    engine = search([tool("pay", domain="Flight, Train"), tool("other", domain="Trainee")])
    assert [hit.id for hit in engine.search("pay", domain="train")] == ["pay"]


def test_server_filter_and_names_with_a_server() -> None:
    engine = search([tool("git/list", server="git"), tool("mail/list", server="mail")])
    assert [hit.id for hit in engine.search("list", server="mail")] == ["mail/list"]
    assert engine.search("list", exclude=["list"]) == []


def test_an_unknown_domain_is_an_error_that_names_the_known_ones() -> None:
    with pytest.raises(NotFound, match=r"domain 'finance'.*meeting, permission, system"):
        search(*APPROVALS).search("pay", domain="finance")


def test_a_domain_with_the_system_tools_and_the_best_of_the_rest() -> None:
    engine = search(*APPROVALS)
    inside = engine.search("book a room", k=2, domain="permission")
    wider = engine.search("book a room", k=2, domain="permission", system=True, beyond=1)
    assert {hit.id for hit in wider} == {hit.id for hit in inside} | {"send_mail", "book_room"}
    assert [hit.score for hit in wider] == sorted((hit.score for hit in wider), reverse=True)
    everything = {hit.id: hit.score for hit in engine.search("book a room", k=6)}
    assert {hit.id: hit.score for hit in wider}.items() <= everything.items()


def test_what_is_left_out_stays_out_of_the_system_tools_and_the_rest() -> None:
    hits = search(*APPROVALS).search("book", domain="permission", system=True, beyond=9, exclude=["send_mail"])
    assert "send_mail" not in {hit.id for hit in hits}
    assert len(hits) == 5


def test_the_system_domain_itself_is_not_doubled() -> None:
    hits = search(*APPROVALS).search("mail", domain="system", system=True, beyond=2)
    assert len({hit.id for hit in hits}) == len(hits) == 3


@pytest.mark.parametrize("wider", [{"system": True}, {"beyond": 2}, {"domain": "permission", "beyond": -1}])
def test_tools_are_added_only_to_those_of_a_domain(wider: dict[str, Any]) -> None:
    with pytest.raises(SettingsError, match="domain"):
        search(*APPROVALS).search("approve", **wider)


def test_domains_are_ordered_by_the_request() -> None:
    engine = search(*APPROVALS)
    assert [domain.name for domain in engine.domains()] == ["meeting", "permission", "system"]
    assert engine.domains("approve an access request")[0].name == "permission"
    with pytest.raises(SettingsError, match="request is empty"):
        engine.domains(" ")


words_of_domains = st.lists(st.sampled_from(["mail", "hr", "Mail, hr", "system", ""]), min_size=1, max_size=7)


@given(words_of_domains, st.booleans(), st.integers(0, 3), st.integers(1, 4), st.sampled_from(["mail", "hr", "system"]))
def test_an_answer_has_the_domain_the_system_and_at_most_as_many_beyond(
    domains: list[str], system: bool, beyond: int, k: int, chosen: str
) -> None:
    tools = [tool(f"t{number}", "mail", domain or None) for number, domain in enumerate(domains)]
    inside = {f"t{i}" for i, text in enumerate(domains) if chosen in text.lower().split(", ")}
    if not inside:
        return
    always = {f"t{i}" for i, text in enumerate(domains) if text == "system"} if system else set()
    hits = {hit.id for hit in search(tools).search("mail", k=k, domain=chosen, system=system, beyond=beyond)}
    assert always <= hits
    assert len((hits & inside) - always) == min(k, len(inside - always))
    assert len(hits - inside - always) == min(beyond, len(tools) - len(inside | always))


@pytest.mark.parametrize("query", ["", "  \n"])
def test_a_blank_request_is_refused(query: str) -> None:
    with pytest.raises(SettingsError, match="request is empty"):
        search(*APPROVALS).search(query)


def test_k_below_one_is_refused() -> None:
    with pytest.raises(SettingsError, match="1 or more"):
        search(*APPROVALS).search("approve", k=0)


@pytest.mark.parametrize("query", ["A/B", "tb-", '"', "C++", "AND", "(", "工具", "zzz unheard", "word " * 2000])
def test_any_text_is_plain_text(query: str) -> None:
    hits = search(*APPROVALS).search(query, k=6)
    assert len(hits) == 6
    assert all(np.isfinite(hit.score) for hit in hits)


@pytest.mark.parametrize(("query", "by_chance"), [("???", True), ("🙂 +", False), ("+", False), ("C++", False)])
def test_a_request_of_signs_that_call_no_tool_is_told_to_be_one(query: str, by_chance: bool) -> None:
    hits = search([tool("+", "Adds two numbers."), tool("send", "Sends a mail.")]).search(query, k=2)
    assert wordless(query, hits) == by_chance
    assert (WORDLESS in found_tools(query, hits, 1000).markdown.splitlines()) == by_chance


def test_without_history_text_decides() -> None:
    hits = search(APPROVALS[0]).search("reserve a meeting room", k=2)
    assert hits[0].id == "book_room"
    assert all(why.via != "PAST" for hit in hits for why in hit.because)


def test_a_single_tool_is_found() -> None:
    (hit,) = search([tool("only", "Does one thing.")]).search("does one thing")
    assert (hit.id, hit.seed) == ("only", True)


def test_equal_tools_come_in_the_order_of_their_ids() -> None:
    twins = [tool(id) for id in ("b", "a", "c")]
    for twin in twins:
        twin["embedding"] = ENCODER.encode(["same"])[0].tolist()
    assert [hit.id for hit in search(twins).search("unheard", k=3)] == ["a", "b", "c"]


@pytest.mark.parametrize(
    "following",
    [
        [edge("a", "a", weight=3.0)],
        [edge("a", "b", weight=1.0), edge("b", "a", weight=1.0)],
        [edge("a", "b", weight=1.0)],
        [edge("a", "b", weight=0.0)],
    ],
    ids=["loop", "cycle", "sink", "zero weight"],
)
def test_degenerate_graphs_give_finite_scores_with_the_seed_first(following: list[Row]) -> None:
    engine = search([tool("a", "alpha"), tool("b", "beta"), tool("lone", "gamma")], [], following)
    hits = engine.search("alpha", k=3)
    assert hits[0].id == "a"
    assert {hit.id for hit in hits} == {"a", "b", "lone"}
    assert all(np.isfinite(hit.score) for hit in hits)


def test_a_tool_without_a_vector_is_still_found_by_its_words() -> None:
    bare = tool("archive_mailbox") | {"embedding": None}
    assert search([bare, tool("other")]).search("archive mailbox")[0].id == "archive_mailbox"


def test_the_nearest_past_request_votes_most() -> None:
    graph = snapshot(
        [tool("x"), tool("y")], [stage("T/1", "water the plants", "x"), stage("T/2", "pay the invoice", "y")]
    )
    votes = past(Evidence(graph, "pay an invoice", ENCODER.encode(["pay an invoice"])[0]))
    assert votes.tolist() == [0, 1]


def test_runs_without_a_verdict_lead_on_where_nothing_else_does() -> None:
    tools = [tool("list_requests"), tool("archive_mailbox"), tool("book_room")]
    query = "list requests"
    apart = search(tools).search(query, k=3)
    tried = ToolSearch(snapshot(tools, tried=[edge("list_requests", "book_room", unjudged=1)]), ENCODER)
    joined = {hit.id: hit for hit in tried.search(query, k=3)}
    assert ("NEXT", "list_requests") in {(why.via, why.source) for why in joined["book_room"].because}
    assert joined["book_room"].score > {hit.id: hit.score for hit in apart}["book_room"]


def test_a_transition_that_only_failed_leads_nowhere() -> None:
    tools = [tool("list_requests"), tool("archive_mailbox"), tool("book_room")]
    failed = ToolSearch(snapshot(tools, tried=[edge("list_requests", "book_room", failures=3)]), ENCODER)
    assert [hit.score for hit in failed.search("list requests", k=3)] == [
        hit.score for hit in search(tools).search("list requests", k=3)
    ]


words = st.sampled_from(["list", "approve", "request", "room", "mail", "file"])


@given(
    st.lists(st.lists(words, min_size=1, max_size=3).map(" ".join), min_size=1, max_size=4),
    st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=4), max_size=4),
    st.lists(words, min_size=1, max_size=3).map(" ".join),
)
def test_signals_lie_in_0_1_and_the_mix_adds_them(texts: list[str], paths: list[list[str]], query: str) -> None:
    tools = [tool(id, text) for id, text in zip("abcd", [*texts, *["spare"] * 3], strict=False)]
    stages = [stage(f"T/{i}", f"task {i} {query}", *path) for i, path in enumerate(paths)]
    graph = snapshot(tools, stages)
    evidence = Evidence(graph, query, ENCODER.encode([query])[0])
    most = dict.fromkeys(DIRECT, 1.0) | dict(RELATED)
    for signal, part in contributions(evidence).items():
        assert part.shape == (len(tools),)
        assert np.all((part >= 0) & (part <= most[signal] + 1e-9))
    assert evidence.visits.sum() == pytest.approx(1, abs=1e-5)


def test_scaled_keeps_order_and_spans_0_1() -> None:
    assert scaled(np.array([5.0, 1.0, 3.0])).tolist() == [1, 0, 0.5]
    assert scaled(np.array([2.0, 2.0])).tolist() == [1, 1]
    assert scaled(np.array([0.0, 0.0])).tolist() == [0, 0]


def worded(id: str, request: str, *path: str) -> Row:
    """A past stage with vectors of its clauses, as a load stores them."""
    parts = clauses(request)
    stored = ENCODER.encode(parts).astype(np.float16).tobytes() if len(parts) > 1 else b""
    return stage(id, request, *path) | {"clauses": stored}


MEETING = worded(
    "T/7", "Book the blue room for tuesday morning, then mail the agenda to the whole team", "book_room", "send_mail"
)
WISHES = "Find somewhere quiet outside of town, then mail the agenda to the whole team."


def test_a_tool_that_a_clause_was_answered_by_says_which() -> None:
    hit = search(APPROVALS[0], [MEETING]).search(WISHES, k=1)[0]
    why = next(why for why in hit.because if why.via == "CLAUSE")
    assert (hit.id, why.source, why.request) == ("send_mail", "T/7", MEETING["request"])
    assert why.clause == "then mail the agenda to the whole team."
    assert why.path == ("book_room", "send_mail")
    assert 0 < why.weight <= 1


def test_a_request_of_one_clause_is_its_own_reason() -> None:
    hit = search(APPROVALS[0], [MEETING]).search("mail the agenda", k=1)[0]
    assert {why.clause for why in hit.because if why.via == "CLAUSE"} == {"mail the agenda"}


WISH = st.sampled_from(["mail the agenda", "approve the access request", "book the blue room", "list who reads files"])
WORKFLOW = st.lists(st.sampled_from(["send_mail", "approve_request", "book_room"]), min_size=1, max_size=3)


@given(st.lists(st.tuples(WISH, WISH, WORKFLOW), max_size=4), WISH, WISH, st.booleans())
def test_clauses_are_parts_of_what_is_asked_and_reasons_stay_shares(
    past: list[tuple[str, str, list[str]]], first: str, second: str, with_clauses: bool
) -> None:
    made = [
        (worded if with_clauses else stage)(f"T/{n}", f"{one} now, then {two}", *path)
        for n, (one, two, path) in enumerate(past)
    ]
    query = f"Please {first} today, then {second} tomorrow."
    for hit in search(APPROVALS[0], made).search(query, k=6):
        assert sum(why.weight for why in hit.because) <= 1 + 1e-3
        for why in hit.because:
            assert why.weight <= 1
            assert (why.clause is not None) == (why.via == "CLAUSE")
            assert why.clause is None or why.clause in query
            assert why.via != "CLAUSE" or hit.id in (why.path or ())


def test_of_many_tools_the_likeliest_are_compared_clause_by_clause(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = search(APPROVALS[0], [MEETING]).search(WISHES, k=6)
    monkeypatch.setattr(tool_evidence, "WHOLE", 2)
    monkeypatch.setattr(tool_evidence, "LIKELIEST", 3)
    hits = search(APPROVALS[0], [MEETING]).search(WISHES, k=6)
    assert hits[0].id == whole[0].id
    assert "CLAUSE" in {why.via for why in hits[0].because}
    monkeypatch.setattr(tool_evidence, "LIKELIEST", 1)
    hits = search(APPROVALS[0], [MEETING]).search(WISHES, k=6)
    assert sum(why.via == "CLAUSE" for hit in hits for why in hit.because) <= 1
    assert all(np.isfinite(hit.score) for hit in hits)


def learned(*start: float) -> LearnedMix:
    model = Model(np.array(start), Trees(np.zeros((0, 15), np.int32), np.zeros((0, 15)), np.zeros((0, 16))))
    return LearnedMix(model, model, np.zeros(2), {})


@pytest.mark.parametrize("domain", [None, "rare"])
def test_a_mix_without_trees_answers_in_the_order_of_the_one_without_training(domain: str | None) -> None:
    names = ["room", "file", "request", "agenda"]
    tools = [tool(f"t{n:02}", f"{names[n % 4]} {n}", "rare" if n % 9 == 0 else "common") for n in range(80)]
    stages = [worded("T/1", "mail the agenda now, then book the blue room", "t03", "t07", "t40")]
    graph = snapshot(tools, stages)
    plain, mixed = (ToolSearch(graph, ENCODER, mix=mix) for mix in (None, learned(-9.0, 2.0, 0.5)))
    query = "read the file 27, then mail the agenda"
    one, other = (engine.search(query, k=80, domain=domain) for engine in (plain, mixed))
    assert [hit.id for hit in other] == [hit.id for hit in one]
    assert [hit.because for hit in other] == [hit.because for hit in one]
    assert all(0 <= hit.score < 1 for hit in other)


def test_a_store_in_which_no_tool_has_a_vector_yet_is_found_by_words() -> None:
    bare = [tool("archive_mailbox") | {"embedding": None}, tool("other") | {"embedding": None}]
    for stages in ([], [stage("T/1", "archive it", "archive_mailbox") | {"embedding": None}]):
        graph = build_snapshot(1, [bare, stages, [], [], [], []], dimensions=DIMENSIONS)
        assert ToolSearch(graph, ENCODER).search("archive mailbox")[0].id == "archive_mailbox"
