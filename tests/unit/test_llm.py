"""The meter of language models, against a local endpoint that answers right, wrong, slowly or not at all."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from model_server import After, Calls, Dropped, ModelServer, Raw, Reply, Says, Status, prompt_tokens

from graphstore.corpusmap.llm.asking import Asker, Question, asking
from graphstore.errors import BudgetSpent, ModelError, NoAnswer, SettingsError
from graphstore.llm import Endpoint, Limits, Meter, Price, open_model
from graphstore.llm.answers import Answers, Shelf
from graphstore.llm.budget import Budget, Tokens
from graphstore.llm.faults import Patience
from graphstore.llm.prices import price_of
from graphstore.settings import Settings

KEY = "sk-s3cr3t-0123456789"


@dataclass(frozen=True)
class City:
    """A city."""

    name: str
    people: int


OTTAWA = Calls(("final_result", {"name": "Ottawa", "people": 3}))
QUICK = Patience(attempts=4, first=0.01, timeout=5)


def meter_of(server: ModelServer, **options: Any) -> Meter:
    patience = options.pop("patience", QUICK)
    return Meter(Endpoint(url=server.url, model="scripted", key=KEY), patience=patience, **options)


def question(text: str = "Capital of Canada?", shelf: str = "s") -> Question[City]:
    return Question("cities", Shelf(shelf), "Answer with the city.", text, City)


def ask(meter: Meter, *questions: Question[City]) -> list[City]:
    with asking(meter) as asker:
        return asker.each(asker.ask, questions or [question()])


def answers(script: Callable[[Any], Reply] | list[Reply], **options: Any) -> tuple[list[City], Meter, ModelServer]:
    with ModelServer(script) as server:
        meter = meter_of(server, **options)
        return ask(meter), meter, server


# --- endpoint ---------------------------------------------------------------------------------------------------------


def test_without_an_endpoint_nothing_is_asked_and_it_is_said_how_to_name_one():
    with pytest.raises(SettingsError, match=r"without llm_url and llm_model.*GRAPHSTORE_LLM_URL="):
        Meter.of(Settings())


def test_settings_are_read_from_the_environment_and_the_key_is_not_shown(tmp_path: Path):
    environment = {
        "GRAPHSTORE_LLM_URL": "http://127.0.0.1:1/v1/",
        "GRAPHSTORE_LLM_MODEL": "m",
        "GRAPHSTORE_LLM_KEY": KEY,
    }
    settings = Settings.load(tmp_path, environment)
    endpoint = Endpoint.of(settings)
    assert (endpoint.url, endpoint.model, endpoint.key) == ("http://127.0.0.1:1/v1", "m", KEY)
    assert KEY not in repr(settings) + repr(endpoint)


def test_an_address_without_a_scheme_is_refused_with_its_place():
    with pytest.raises(SettingsError, match="GRAPHSTORE_LLM_URL: the address of a model begins with http"):
        Settings.load(Path("/nonexistent"), {"GRAPHSTORE_LLM_URL": "localhost:11434"})


def test_address_and_key_are_blotted_out_of_messages():
    endpoint = Endpoint(url="https://me:pass@host:8/v1?token=abc", model="m", key=KEY)
    assert endpoint.shown == "https://host:8/v1"
    assert endpoint.redacted(f"wrong key\n {KEY} for me:pass?token=abc") == "wrong key *** for ***?***"
    assert endpoint.redacted("the word pass, of me") == "the word ***, of me"
    token = Endpoint(url="https://sk-token-1%2F2@host/v1", model="m")
    assert token.redacted("https://sk-token-1%2F2@host/v1 refused sk-token-1/2") == "https://***@host/v1 refused ***"


# --- calls ------------------------------------------------------------------------------------------------------------


def test_an_answer_is_validated_and_its_tokens_are_counted_as_the_endpoint_says():
    found, meter, server = answers([OTTAWA])
    assert found == [City("Ottawa", 3)]
    assert server.keys == [f"Bearer {KEY}"]
    (stage,) = meter.report().stages
    assert (stage.stage, stage.calls, stage.input_tokens) == ("cities", 1, prompt_tokens(server.requests[0]))
    assert meter.report().to_dict()["total"]["tokens"] == stage.tokens > 0


def test_without_a_key_none_of_another_service_is_sent(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-another-service")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-of-another-service")
    with ModelServer([OTTAWA]) as server:
        ask(Meter(Endpoint(url=server.url, model="scripted"), patience=QUICK))
    assert server.keys == ["Bearer api-key-not-set"]


def test_an_answer_that_does_not_fit_is_asked_for_once_more_with_what_is_wrong():
    found, meter, server = answers([Calls(("final_result", {"name": "Ottawa"})), OTTAWA])
    assert found == [City("Ottawa", 3)]
    assert "people" in str(server.requests[1]["messages"][-1])
    assert meter.report().total.calls == 2


@pytest.mark.parametrize(
    "wrong",
    [
        Calls(("final_result", "{not json")),
        Calls(("final_result", {"name": "Ottawa", "people": "many"})),
        Calls(("no_such_tool", {})),
        Says("Ottawa, I believe."),
        Says(""),
    ],
    ids=["malformed", "wrong type", "another tool", "prose", "empty"],
)
def test_an_answer_that_never_fits_is_given_up_after_the_second(wrong: Reply):
    with ModelServer([wrong]) as server, pytest.raises(NoAnswer, match="does not fit what was asked, twice") as told:
        ask(meter_of(server))
    assert len(server.requests) == 2
    assert "http" not in str(told.value)


def test_an_answer_that_is_cut_off_says_so():
    with (
        ModelServer([Calls(("final_result", '{"name": "Otta'), finish="length")]) as server,
        pytest.raises(NoAnswer, match="cut off") as told,
    ):
        ask(meter_of(server))
    assert told.value.cut_off


def test_a_refusal_says_so():
    with ModelServer([Says("", finish="content_filter")]) as server, pytest.raises(NoAnswer, match="refused"):
        ask(meter_of(server))


def test_usage_that_the_endpoint_does_not_tell_is_estimated_and_said_to_be():
    _, meter, server = answers([Calls(("final_result", {"name": "Ottawa", "people": 3}), usage=False)])
    total = meter.report().total
    assert total.estimated == 1
    assert total.input_tokens == pytest.approx(prompt_tokens(server.requests[0]), rel=0.5)
    assert total.output_tokens > 0


@pytest.mark.parametrize("output", ["schema", "prompt"])
def test_records_are_asked_for_in_the_way_that_the_endpoint_knows(output: Any, tmp_path: Path):
    with ModelServer([Says("no record"), Says('{"name": "Ottawa", "people": 3}')]) as server:
        endpoint = Endpoint(url=server.url, model="scripted", output=output)
        assert ask(Meter(endpoint, patience=QUICK, cache=tmp_path)) == [City("Ottawa", 3)]
        again = Meter(endpoint, patience=QUICK, cache=tmp_path)
        assert ask(again) == [City("Ottawa", 3)]
        assert again.report().total.cached == len(server.requests) == 2
    first = server.requests[0]
    assert "tools" not in first
    assert ("response_format" in first and first["response_format"]["type"] == "json_schema") == (output == "schema")
    assert "people" in str(first)


@pytest.mark.parametrize(
    "name", ["gpt-5", "qwen3:8b", "meta-llama/llama-3.3-70b-instruct", "anthropic/claude-sonnet-4"]
)
@pytest.mark.parametrize("output", ["tool", "schema"])
@pytest.mark.filterwarnings("error")
def test_any_model_is_asked_as_the_user_says_and_nothing_is_warned_of(name: str, output: Any):
    reply = OTTAWA if output == "tool" else Says('{"name": "Ottawa", "people": 3}')
    with ModelServer([reply]) as server:
        assert ask(Meter(Endpoint(url=server.url, model=name, output=output), patience=QUICK)) == [City("Ottawa", 3)]
    assert server.requests[0]["model"] == name
    assert ("temperature" in server.requests[0]) == (name != "gpt-5")


# --- faults -----------------------------------------------------------------------------------------------------------


def test_a_rate_limit_is_waited_for_as_long_as_the_endpoint_asks():
    started = time.monotonic()
    found, meter, _ = answers([Status(429, headers={"Retry-After": "1"}), OTTAWA])
    assert found == [City("Ottawa", 3)]
    assert time.monotonic() - started >= 1
    assert meter.report().total.again == 1


def test_a_rate_limit_holds_up_all_calls_and_not_only_its_own():
    times: list[float] = []
    lock = threading.Lock()

    def script(body: Any) -> Reply:
        with lock:
            times.append(time.monotonic())
            first = len(times) == 1
        return Status(429, headers={"Retry-After": "1"}) if first else After(0.05, OTTAWA)

    with ModelServer(script) as server:
        ask(meter_of(server, concurrency=1), *(question(str(n)) for n in range(3)))
    assert [time - times[0] >= 1 for time in times[1:]] == [True] * 3


def test_a_pause_longer_than_patience_is_an_error_at_once():
    started = time.monotonic()
    with (
        ModelServer([Status(429, headers={"Retry-After": "3600"})]) as server,
        pytest.raises(ModelError, match="rate limit"),
    ):
        ask(meter_of(server))
    assert len(server.requests) == 1
    assert time.monotonic() - started < 5


@pytest.mark.parametrize("fault", [Status(500), Status(503), Status(529), Dropped()], ids=str)
def test_faults_that_pass_are_tried_again_and_counted(fault: Reply):
    found, meter, server = answers([fault, fault, OTTAWA])
    assert found == [City("Ottawa", 3)]
    assert len(server.requests) == 3
    assert meter.report().total.again == 2


def test_an_endpoint_that_keeps_failing_ends_the_run_in_one_line():
    with (
        ModelServer([Status(500, f"boom\n{KEY}")]) as server,
        pytest.raises(ModelError, match=r"http://127.*: the endpoint failed \(4 attempts\)") as told,
    ):
        ask(meter_of(server))
    assert len(server.requests) == 4
    assert KEY not in str(told.value)
    assert "\n" not in str(told.value)


def test_a_refused_key_is_not_tried_again_and_not_shown():
    with (
        ModelServer([Status(401, f"Incorrect key {KEY}")]) as server,
        pytest.raises(ModelError, match=r"the key was refused: Incorrect key .*; set GRAPHSTORE_LLM_KEY") as told,
    ):
        ask(meter_of(server))
    assert len(server.requests) == 1
    assert KEY not in str(told.value)


def test_a_wrong_address_is_told_with_what_to_check():
    with ModelServer([OTTAWA]) as server:
        url = server.url
    gone = Meter(Endpoint(url=url, model="m"), patience=QUICK)
    with pytest.raises(ModelError, match=r"not reached \(2 attempts\).*check GRAPHSTORE_LLM_URL"):
        ask(gone)
    assert gone.report().total.input_tokens == 0  # it was never sent


def test_an_endpoint_that_was_reached_is_waited_for():
    patience = Patience(attempts=5, unreached=2, first=0.01)
    assert [patience.wait(made, None, reached=False) is None for made in (1, 2)] == [False, True]
    assert [patience.wait(made, None) is None for made in (2, 4, 5)] == [False, False, True]


def test_an_unknown_model_is_told_with_its_name():
    with (
        ModelServer([Status(404, "model not found", error_code="model_not_found")]) as server,
        pytest.raises(ModelError, match="no model 'scripted'"),
    ):
        ask(meter_of(server))


def test_a_request_that_is_not_taken_is_a_fault_of_that_question_alone():
    with (
        ModelServer([Status(400, "too long", error_code="context_length_exceeded")]) as server,
        pytest.raises(NoAnswer, match="longer than scripted reads"),
    ):
        ask(meter_of(server))


def test_a_slow_answer_ends_at_the_timeout_and_its_input_counts_as_paid():
    patience = Patience(attempts=2, first=0.01, timeout=0.3)
    with ModelServer([After(2, OTTAWA)]) as server:
        meter = meter_of(server, patience=patience)
        with pytest.raises(ModelError, match="no answer in time"):
            ask(meter)
    total = meter.report().total
    assert (total.calls, total.cut_off) == (0, 2)
    assert total.input_tokens > 0


def test_a_body_that_is_no_completion_is_a_fault():
    with ModelServer([Raw(b"<html>gateway</html>", "text/html")]) as server, pytest.raises(ModelError):
        ask(meter_of(server))


# --- number at a time, budget -----------------------------------------------------------------------------------------


def test_no_more_calls_are_under_way_than_asked_for():
    with ModelServer(lambda _: After(0.05, OTTAWA)) as server:
        ask(meter_of(server, concurrency=3), *(question(str(n)) for n in range(12)))
    assert len(server.requests) == 12
    assert 2 <= server.most_at_once <= 3


def test_calls_begin_at_even_distances():
    started = time.monotonic()
    with ModelServer([OTTAWA]) as server:
        ask(meter_of(server, per_minute=300), *(question(str(n)) for n in range(6)))
    assert time.monotonic() - started >= 5 * 0.2


def test_a_spent_budget_ends_the_run_and_says_how_to_go_on():
    with ModelServer([OTTAWA]) as server:
        meter = meter_of(server, limits=Limits(max_tokens=1_000), concurrency=4, longest_answer=200)
        with pytest.raises(BudgetSpent, match=r"of 1,000 tokens spent.*with a higher --max-tokens") as told:
            ask(meter, *(question(str(n)) for n in range(40)))
    assert "\n" not in str(told.value)
    one = meter.report().total.tokens / len(server.requests)
    assert 1_000 - 2 * one <= meter.report().total.tokens <= 1_000 + one


def test_a_budget_of_nothing_sends_nothing():
    with ModelServer([OTTAWA]) as server, pytest.raises(BudgetSpent):
        ask(meter_of(server, limits=Limits(max_tokens=0)))
    assert server.requests == []


def test_a_limit_on_cost_needs_a_price():
    endpoint = Endpoint(url="http://127.0.0.1:1/v1", model="m")
    with pytest.raises(SettingsError, match="--price-in and --price-out"):
        Meter(endpoint, limits=Limits(max_cost=1.0))
    assert Meter(endpoint, limits=Limits(max_cost=1.0), price_in=1.0, price_out=2.0).price == Price(1.0, 2.0)


@given(
    limit=st.integers(0, 5_000),
    calls=st.lists(st.tuples(st.integers(1, 400), st.integers(0, 300), st.integers(0, 300)), max_size=60),
    at_once=st.integers(1, 8),
)
def test_a_budget_is_never_passed_by_more_than_one_call(limit: int, calls: list[Any], at_once: int):
    budget = Budget(Limits(max_tokens=limit), None)
    under_way: list[tuple[Tokens, Tokens]] = []

    def back() -> None:
        budget.end(*under_way.pop(0))

    largest = 0
    try:
        for asked, longest, likely in calls:
            longest = max(longest, likely)
            while not budget.fits(Tokens(asked, longest), Tokens(asked, likely)):
                back()
            budget.begin(Tokens(asked, longest))
            under_way.append((Tokens(asked, longest), Tokens(asked, longest)))  # the worst that may come
            largest = max(largest, asked + longest)
            if len(under_way) >= at_once:
                back()
    except BudgetSpent:
        pass
    while under_way:
        back()
    assert budget.spent.total <= limit + largest


# --- prices -----------------------------------------------------------------------------------------------------------


def test_the_price_of_a_known_provider_is_known_and_of_an_own_server_is_not():
    known = price_of(Endpoint(url="https://api.openai.com/v1", model="gpt-4o-mini"))
    assert known is not None
    assert known.output > known.input > 0
    assert known.source.startswith("genai-prices")
    assert price_of(Endpoint(url="http://127.0.0.1:1/v1", model="gpt-4o-mini")) is None


def test_an_unknown_price_is_said_to_be_unknown_and_not_free():
    _, meter, _ = answers([OTTAWA])
    report = meter.report()
    assert (report.price_source, report.total.cost) == ("unknown", None)
    assert "unknown price" in report.lines()[0]
    _, priced, _ = answers([OTTAWA], price_in=1.0, price_out=10.0)
    total = priced.report().total
    assert total.cost == pytest.approx((total.input_tokens + 10 * total.output_tokens) / 1e6)


@pytest.mark.parametrize("given", [{"price_in": 1.0}, {"price_out": 1.0}, {"price_in": -1.0, "price_out": 1.0}])
def test_half_a_price_is_refused(given: dict[str, float]):
    with pytest.raises(SettingsError, match="a price is two numbers"):
        price_of(Endpoint(url="http://127.0.0.1:1/v1", model="m"), **given)


# --- answers that are kept --------------------------------------------------------------------------------------------


def test_an_answer_is_paid_once_whoever_asks_again(tmp_path: Path):
    with ModelServer([Calls(("final_result", {"name": "Ottawa"})), OTTAWA]) as server:
        first = meter_of(server, cache=tmp_path)
        assert ask(first) == [City("Ottawa", 3)]
        again = meter_of(server, cache=tmp_path)
        assert ask(again) == [City("Ottawa", 3)]
        assert len(server.requests) == 2  # the first answer, and the one that fits
        total = again.report().total
        assert (total.calls, total.cached, total.tokens) == (0, 2, 0)
        assert total.saved_tokens == first.report().total.tokens
        assert ask(meter_of(server, cache=tmp_path), question("Capital of Ontario?")) == [City("Ottawa", 3)]
        assert len(server.requests) == 3


RUN = """
import sys
from pathlib import Path
from dataclasses import dataclass
from graphstore.corpusmap.llm.asking import Question, asking
from graphstore.llm import Endpoint, Meter
from graphstore.llm.answers import Shelf
@dataclass(frozen=True)
class City:
    "A city."
    name: str
    people: int
meter = Meter(Endpoint(url=sys.argv[1], model="scripted"), cache=Path(sys.argv[2]), concurrency=2)
with asking(meter) as asker:
    asker.each(asker.ask, [Question("cities", Shelf("s"), "Answer.", f"Capital of land {n}?", City) for n in range(30)])
print(meter.report().total.cached)
"""


def test_a_run_that_was_killed_pays_for_no_answer_again(tmp_path: Path):
    with ModelServer(lambda _: After(0.03, OTTAWA)) as server:
        command = [sys.executable, "-c", RUN, server.url, str(tmp_path)]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as run:
            while len(server.requests) < 12:
                assert run.poll() is None
                time.sleep(0.01)
            run.kill()
        under_way = 2
        asked = len(server.requests)
        again = subprocess.run(command, capture_output=True, text=True, check=True)
    assert len(server.requests) <= 30 + under_way
    assert int(again.stdout) >= asked - under_way


def test_an_answer_that_never_fitted_is_asked_for_anew_in_the_next_run(tmp_path: Path):
    with ModelServer([Says("no"), Says("no"), OTTAWA]) as server:
        with pytest.raises(NoAnswer):
            ask(meter_of(server, cache=tmp_path))
        assert ask(meter_of(server, cache=tmp_path)) == [City("Ottawa", 3)]


def test_what_was_kept_is_private_whole_and_goes_with_its_shelf(tmp_path: Path):
    kept = Answers(tmp_path)
    a, b, old = Shelf("document\na"), Shelf("document\nb", "new"), Shelf("document\nb", "old")
    for shelf in (a, b, old):
        kept.put(shelf, "k", {"text": "é"})
    files = [path for path in kept.folder.rglob("*") if path.is_file()]
    assert len(files) == 3
    assert {path.stat().st_mode & 0o077 for path in files} == {0}
    kept.only(b)
    assert [kept.get(shelf, "k") for shelf in (a, b, old)] == [{"text": "é"}, {"text": "é"}, None]
    kept.clear([a.name])
    assert kept.get(a, "k") is None
    kept.drop(b, ["k", "none"])
    assert kept.get(b, "k") is None


def test_an_answer_that_cannot_be_read_is_none(tmp_path: Path):
    kept = Answers(tmp_path)
    kept.put(Shelf("s"), "k", {"text": "é"})
    (file,) = (path for path in kept.folder.rglob("*") if path.is_file())
    file.write_text('{"tex')
    assert kept.get(Shelf("s"), "k") is None


# --- streams, for the agent -------------------------------------------------------------------------------------------


def streamed(meter: Meter) -> str:
    from pydantic_ai import Agent

    async def run() -> str:
        agent = Agent(open_model(Settings(), meter=meter))
        async with agent.run_stream("hello") as result:
            return "".join([piece async for piece in result.stream_text(delta=True)])

    return asyncio.run(run())


def test_a_stream_is_counted_and_opened_again_after_a_fault():
    with ModelServer([Status(503), Says("Hello there")]) as server:
        meter = meter_of(server)
        assert streamed(meter) == "Hello there"
    total = meter.report().total
    assert (total.calls, total.again) == (1, 1)
    assert total.tokens > 0


def test_a_stream_that_breaks_is_an_error_in_one_line():
    with ModelServer([Dropped(after="Hel")]) as server:
        meter = meter_of(server)
        with pytest.raises(ModelError, match="not reached") as told:
            streamed(meter)
    assert "\n" not in str(told.value)
    assert meter.report().total.tokens > 0


def test_asking_ends_what_is_under_way_when_one_question_fails():
    started = time.monotonic()

    def script(body: Any) -> Reply:
        return Status(401) if "bad" in str(body["messages"]) else After(3, OTTAWA)

    with ModelServer(script) as server:
        with pytest.raises(ModelError, match="key was refused"):
            ask(meter_of(server), question("good"), question("bad"))
        assert time.monotonic() - started < 2.5


def test_an_asker_is_usable_again_and_again_in_one_block():
    with ModelServer([OTTAWA]) as server, asking(meter_of(server)) as asker:
        assert isinstance(asker, Asker)
        assert (
            asker.each(asker.ask, [question("a")]) + asker.each(asker.ask, [question("b")]) == [City("Ottawa", 3)] * 2
        )
