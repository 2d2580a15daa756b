"""Asking, against a scripted model on a real endpoint and the sample in a real store."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from graphstore.agent import Asked, Step
from graphstore.client import GraphStore
from graphstore.errors import BudgetSpent, ModelError, SeedError, SettingsError
from graphstore.settings import Settings

pytest.importorskip("pydantic_ai")

from model_server import Calls, ModelServer, Raw, Says, Script, Status

KICKOFF = "minutes/2026-01-13-kickoff.md"
SALARIES = "hr/salary-review-2026.md"
READ = Calls(("read_document", {"path": KICKOFF}))


@pytest.fixture
def ask(sample: GraphStore) -> Callable[..., tuple[Asked, ModelServer]]:
    def run(script: Script, question: str = "When was the kick-off?", **options: Any) -> tuple[Asked, ModelServer]:
        from graphstore.llm import Endpoint, Limits, Meter
        from graphstore.llm.faults import Patience

        with ModelServer(script) as server:
            settings = Settings.load(llm_url=server.url, llm_model="scripted", llm_key="a-secret-key")
            limits = Limits(max_tokens=options.pop("limit", None))
            patience = Patience(first=0.01, timeout=5, attempts=2)
            meter = Meter(Endpoint.of(settings), limits=limits, patience=patience, longest_answer=500)
            store = GraphStore(sample._db, sample._encoder, settings)
            return store.ask(question, meter=meter, **options), server

    return run


def results(server: ModelServer) -> list[str]:
    """What the tools answered, as the last request holds it."""
    return [each["content"] for each in server.requests[-1]["messages"] if each["role"] == "tool"]


def test_an_answer_cites_what_was_opened(ask):
    told: list[Step] = []
    script = [
        Calls(("search", {"query": "kick-off"}), ("grep", {"pattern": "Atlas", "max_tokens": 300})),
        READ,
        Says(f"On 13 January [{KICKOFF}]."),
    ]
    found, server = ask(script, told=told.append)
    assert found.answer == f"On 13 January [{KICKOFF}]."
    assert [each.path for each in found.citations] == [KICKOFF]
    assert [step.tool for step in found.steps] == ["search", "grep", "read_document"]
    assert tuple(told) == found.steps
    assert all(step.tokens > 0 and step.error is None for step in found.steps)
    assert (found.stopped, found.refused) == ("answered", ())
    assert found.tokens.input > found.tokens.read == sum(step.tokens for step in found.steps) > 0
    assert found.tokens.output > 0
    assert json.loads(json.dumps(found.to_dict()))["citations"][0]["path"] == KICKOFF
    first = server.requests[0]
    assert {tool["function"]["name"] for tool in first["tools"]} >= {"search", "read_page", "read_document", "grep"}
    assert "You have 16 calls" in json.dumps(first["messages"])


def test_a_document_that_was_not_opened_may_be_opened_when_told(ask):
    script = [
        Calls(("search", {"query": "kick-off"})),
        Says(f"On 13 January [{KICKOFF}]."),
        READ,
        Says(f"On 13 January [{KICKOFF}]."),
    ]
    found, server = ask(script)
    assert [each.path for each in found.citations] == [KICKOFF]
    assert found.refused == ()
    assert "You have not opened" in json.dumps(server.requests[2]["messages"][-1])


@pytest.mark.parametrize("name", [KICKOFF, SALARIES, "no/such.md", "7"])
def test_a_citation_of_what_was_not_opened_is_taken_out_and_told(ask, name):
    found, server = ask([Calls(("search", {"query": "kick-off"})), Says(f"On 13 January [{name}].")])
    assert found.citations == ()
    assert found.refused == (name,)
    assert found.answer == f"On 13 January.\n\n(Citations taken out, since these were not opened: {name}.)"
    assert len(server.requests) == 3


def test_not_in_the_documents_is_an_answer(ask):
    found, server = ask(
        [Calls(("grep", {"pattern": "zeppelin"})), Says("Not in the documents: I looked for Zeppelin.")]
    )
    assert found.answer == "Not in the documents: I looked for Zeppelin."
    assert (found.citations, found.stopped, len(server.requests)) == ((), "answered", 2)


def test_an_answer_that_cites_nothing_may_be_mended_once(ask):
    found, _ = ask([READ, Says("On 13 January."), Says(f"On 13 January [{KICKOFF}].")])
    assert [each.path for each in found.citations] == [KICKOFF]
    found, _ = ask([READ, Says("On 13 January.")])
    assert found.answer == "On 13 January.\n\n(No document is cited for this answer.)"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (("search", "{not json"), "the arguments are no JSON"),
        (("search", '["a"]'), "the arguments are a JSON object"),
        (("search", {}), "query is missing"),
        (("search", {"query": "a", "k": -1}), "k is 1 to 100"),
        (("read_document", {"path": "a", "max_tokens": 9000}), "max_tokens is 100 to 6000"),
        (("rm", {"path": "/"}), "there is no tool 'rm'; there are search"),
        (("read_document", {"path": "/etc/passwd"}), "no document '/etc/passwd'"),
        (("grep", {"pattern": "(", "expression": True}), "is no regular expression"),
    ],
)
def test_a_wrong_call_is_told_and_counts(ask, call, message):
    found, server = ask([Calls(call), READ, Says(f"A [{KICKOFF}].")])
    assert found.steps[0].error is not None
    assert message in found.steps[0].error
    assert results(server)[0] == f"Error: {found.steps[0].error}"
    assert "\n" not in found.steps[0].error
    assert len(found.steps) == 2
    assert found.citations


def test_the_same_call_again_and_again_ends_the_search(ask):
    search = Calls(("search", {"query": "kick-off"}))

    def script(body: Any) -> Any:
        return search if body.get("tools") else Says("Not in the documents: nothing found.")

    found, server = ask(script)
    assert found.stopped == "repeats"
    assert [step.repeats for step in found.steps] == [None, 1, 1, 1]
    assert "This is call 1 again" in results(server)[1]
    assert "again and again" in server.requests[-1]["messages"][-1]["content"]


def test_defaults_written_out_are_the_same_call(ask):
    calls = Calls(("search", {"query": "kick-off"}), ("search", {"k": "10", "query": "kick-off", "folder": None}))
    found, _ = ask([calls, Says("Not in the documents.")])
    assert [step.repeats for step in found.steps] == [None, 1]


def test_a_model_that_never_answers_is_an_error(ask):
    with pytest.raises(ModelError, match="went on calling tools when told to answer"):
        ask([Calls(("search", {"query": "kick-off"}))])


def test_after_its_calls_the_model_answers_from_what_it_has(ask):
    asked = iter(range(100))

    def script(body: Any) -> Any:
        if not body.get("tools"):
            return Says(f"On 13 January [{KICKOFF}].")
        number = next(asked)
        return (
            READ
            if number == 0
            else Calls(("grep", {"pattern": f"word {number}"}), ("grep", {"pattern": f"term {number}"}))
        )

    found, server = ask(script, steps=4)
    assert found.stopped == "steps"
    assert len(found.steps) == 4
    assert found.citations
    assert "Not called: the 4 calls are used" in results(server)[-1]


def test_near_the_end_of_its_tokens_the_model_answers_from_what_it_has(ask):
    asked = iter(range(100))

    def script(body: Any) -> Any:
        if not body.get("tools"):
            return Says("Not in the documents: no more tokens.")
        return Calls(("grep", {"pattern": f"e{next(asked)}|a|e|i", "expression": True}))

    found, server = ask(script, max_tokens=30_000)
    assert found.stopped == "tokens"
    assert found.tokens.input + found.tokens.output <= 30_000
    assert server.tokens <= 33_000
    assert len(found.steps) < 16


def test_a_budget_that_does_not_last_for_an_answer_is_an_error(ask):
    with pytest.raises(BudgetSpent, match="the budget ends here"):
        ask([Calls(("search", {"query": "kick-off"}))], limit=1500)


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (Status(401, "bad key a-secret-key"), "the key was refused"),
        (Status(503), "the endpoint failed|not available"),
        (Raw(b"<html>"), "no usable answer"),
        (Says(""), "empty answer|no usable answer"),
    ],
)
def test_a_failing_endpoint_is_told_in_one_line(ask, reply, message):
    with pytest.raises(ModelError, match=message) as error:
        ask([reply])
    assert "\n" not in str(error.value)
    assert "a-secret-key" not in str(error.value)


def test_a_hidden_document_is_neither_read_nor_cited(ask):
    calls = Calls(
        ("read_document", {"path": SALARIES}),
        ("neighbours", {"of": SALARIES}),
        ("grep", {"pattern": "average rise is 3.4", "max_tokens": 500}),
        ("search", {"query": "salary review 2026", "k": 100, "max_tokens": 5000}),
    )
    script = [calls, Says(f"3.4 % [{SALARIES}].")]
    found, server = ask(script, reader=["staff"])
    assert found.citations == ()
    assert found.refused == (SALARIES,)
    assert all("3.4 %" not in text for text in results(server))
    assert SALARIES not in results(server)[3]
    board, _ = ask([Calls(("read_document", {"path": SALARIES})), Says(f"3.4 % [{SALARIES}].")], reader=["board"])
    assert [each.path for each in board.citations] == [SALARIES]


def test_what_cannot_be_asked_is_told(ask, sample: GraphStore):
    with pytest.raises(SeedError, match="blank"):
        ask([Says("a")], question="  ")
    with pytest.raises(SeedError, match="no word, and no name"):
        ask([Says("a")], question="🙂 ???")
    with pytest.raises(SeedError, match="no Unicode text"):
        ask([Says("a")], question="half a pair \ud83d")
    with pytest.raises(SettingsError, match="steps"):
        ask([Says("a")], steps=0)
    with pytest.raises(SettingsError, match="GRAPHSTORE_LLM_URL"):
        GraphStore(sample._db, sample._encoder, Settings()).ask("a")


def test_the_command_tells_its_steps_and_prints_the_answer(sample, server, monkeypatch, capsys):
    from graphstore.cli import run

    for name, value in (("URI", server.uri), ("USERNAME", server.username), ("PASSWORD", server.password)):
        monkeypatch.setenv(f"NEO4J_{name}", value)
    with ModelServer([READ, Says(f"On 13 January [{KICKOFF}].")]) as model:
        monkeypatch.setenv("GRAPHSTORE_LLM_URL", model.url)
        monkeypatch.setenv("GRAPHSTORE_LLM_MODEL", "scripted")
        assert run(["ask", "When was the kick-off?", "--as", "staff", "--json"]) == 0
        shown = capsys.readouterr()
        found = json.loads(shown.out)
        assert {"question", "answer", "citations", "steps", "tokens", "stopped"} <= set(found)
        assert found["citations"][0]["path"] == KICKOFF
        assert f'  1  read_document {{"path": "{KICKOFF}"}} → ' in shown.err
        assert "ask: 2 calls of scripted" in shown.err
        model.script = [Says("Not in the documents.")]
        assert run(["ask", "Who?"]) == 0
        assert capsys.readouterr().out == "Not in the documents.\n"
