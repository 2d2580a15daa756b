"""Cross-fitting: no past request is answered with its own help, and chance leaves no trace."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphstore.retrieval import tool_fit
from graphstore.retrieval.tool_features import CANDIDATES
from graphstore.retrieval.tool_fit import _following, examples, fit
from graphstore.retrieval.tool_mix import FORM, Example
from graphstore.retrieval.tool_snapshot import STATEMENTS, ToolSnapshot
from graphstore.toolgraph.history import history
from graphstore.toolgraph.mining import Run, Stage
from graphstore.toolgraph.stored import path_rows

Row = dict[str, Any]
TOPICS = ["mail", "room", "file", "budget", "leave", "travel"]
DIMENSIONS = 16


def vector(text: str) -> list[float]:
    """A direction that texts of one topic share."""
    rows = [np.random.default_rng(sum(map(ord, word))).normal(size=DIMENSIONS) for word in text.split()]
    total = np.sum(rows, axis=0)
    return np.asarray(total / np.linalg.norm(total), dtype=np.float32).tolist()


def results(stages: Sequence[Row], **others: list[Row]) -> list[list[Row]]:
    """The rows of a store of these stages, as its statements return them."""
    used = {tool for row in stages for path in row["paths"] for tool in path["tools"]} | {"spare"}
    tools = [
        {"id": id, "name": id, "server": None, "domain": None, "description": f"to {id}", "parameters": None}
        | {"embedding": vector(id.replace("_", " "))}
        for id in sorted(used)
    ]
    rows = {"retrieve/tool_catalog": tools, "retrieve/tool_solved_stages": list(stages), **others}
    return [rows.get(name, []) for name in STATEMENTS]


def stage(number: int, rng: random.Random) -> Row:
    topic = TOPICS[number % len(TOPICS)]
    path = [f"find_{topic}", f"{rng.choice(['send', 'drop', 'book'])}_{topic}"][: rng.choice([1, 2, 2])]
    request = f"{topic} {rng.choice(['please', 'now', 'again'])} {rng.choice('abcd')}"
    parts = np.array([vector(word) for word in request.split()[:2]], dtype=np.float16).tobytes()
    longer = [*path, "log_it"]
    return {
        "id": f"T/{number:03}",
        "request": request,
        "embedding": vector(request),
        "clauses": rng.choice([parts, b"", None]),
        "paths": [
            {"tools": way, "steps": list(range(len(way))), "count": 1, "efficiency": 1.0, "shortest": way == path}
            for way in ([path, longer] if rng.random() < 0.3 else [path])
        ],
    }


def log(n: int = 60, seed: int = 1) -> list[Row]:
    rng = random.Random(seed)
    return [stage(number, rng) for number in range(n)]


def solved_by(row: Mapping[str, Any]) -> tuple[str, ...]:
    (shortest,) = [tuple(path["tools"]) for path in row["paths"] if path["shortest"]]
    return shortest


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Row, list[list[Row]], bool]]:
    """What is asked from now on: the stage, the rows of the history that answers it, and in which way."""
    seen: list[tuple[Row, list[list[Row]], bool]] = []
    built: dict[int, list[list[Row]]] = {}
    build, example = tool_fit.build_snapshot, tool_fit._example

    def build_seen(version: int, rows: list[list[Row]], **options: Any) -> ToolSnapshot:
        snapshot = build(version, rows, **options)
        built[id(snapshot)] = rows
        return snapshot

    def example_seen(
        row: Row, snapshot: ToolSnapshot, numbers: Mapping[str, int], *, known: bool, part: int
    ) -> Example:
        seen.append((row, built[id(snapshot)], known))
        return example(row, snapshot, numbers, known=known, part=part)

    monkeypatch.setattr(tool_fit, "build_snapshot", build_seen)
    monkeypatch.setattr(tool_fit, "_example", example_seen)
    return seen


def test_no_request_is_answered_with_its_own_help(asked: list[tuple[Row, list[list[Row]], bool]]) -> None:
    stages = log()
    found = list(examples(results(stages)))
    assert len(found) == len(asked) == 2 * len(stages)
    assert sorted(row["id"] for row, _, _ in asked) == sorted(2 * [row["id"] for row in stages])
    for row, rows, known in asked:
        kept = rows[STATEMENTS.index("retrieve/tool_solved_stages")]
        assert kept
        assert row["id"] not in {other["id"] for other in kept}
        assert row["request"] not in {other["request"] for other in kept} or not known
        assert solved_by(row) not in {solved_by(other) for other in kept} or known
        pairs = {
            (path["tools"][i], path["tools"][i + 1])
            for other in kept
            for path in other["paths"]
            for i in range(len(path["tools"]) - 1)
        }
        following = rows[STATEMENTS.index("retrieve/tool_next")]
        assert {(edge["source"], edge["target"]) for edge in following} == pairs
    assert {known for _, _, known in asked} == {False, True}


def test_requests_of_one_path_are_of_one_part() -> None:
    stages = {row["id"]: row for row in log()}
    numbers = {tool["id"]: number for number, tool in enumerate(results(list(stages.values()))[0])}
    parts: dict[frozenset[int], set[int]] = {}
    for example in examples(results(list(stages.values()))):
        if example.known:
            continue
        parts.setdefault(example.wanted, set()).add(example.part)
        assert len(example.found.tools) == min(CANDIDATES, len(numbers))
    paths = {solved_by(row) for row in stages.values()}
    assert all(len(of_path) == 1 for of_path in parts.values())
    assert len({part for of_path in parts.values() for part in of_path}) == len(paths)


def test_the_order_of_rows_leaves_no_trace() -> None:
    stages = log(40)
    similar = [
        {"source": f"find_{one}", "target": f"find_{other}", "score": 0.3 + number / 30}
        for number, (one, other) in enumerate(pairwise(TOPICS))
    ]
    rows = results(stages, **{"retrieve/tool_similar": similar})
    mixed = [random.Random(3).sample(each, len(each)) for each in rows]
    assert mixed != rows
    for one, other in zip(examples(rows), examples(mixed), strict=True):
        assert (one.wanted, one.known, one.part) == (other.wanted, other.known, other.part)
        assert np.array_equal(one.found.tools, other.found.tools)
        assert np.array_equal(one.found.rows, other.found.rows)


def test_features_are_finite_and_of_one_width() -> None:
    found = list(examples(results(log(30))))
    assert len({example.found.rows.shape[1] for example in found}) == 1
    assert all(np.isfinite(example.found.rows).all() for example in found)


def test_of_many_requests_a_sample_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    stages = log()
    monkeypatch.setattr(tool_fit, "MOST", 7)
    assert [example.known for example in examples(results(stages))] == [False] * 7 + [True] * 7


def test_of_a_large_history_one_part_is_left_out(
    monkeypatch: pytest.MonkeyPatch, asked: list[tuple[Row, list[list[Row]], bool]]
) -> None:
    monkeypatch.setattr(tool_fit, "_LARGE", 30)
    list(examples(results(log())))
    assert 0 < len(asked) < 2 * 60 / 2
    assert len({id(rows) for _, rows, _ in asked}) == 2  # one history for each of the two ways


def test_a_fit_says_what_it_was_fitted_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tool_fit, "_TOLD_EVERY", 20)
    told: list[int] = []
    mix = fit(results(log(30)), "words", lambda _, done, total: told.append(done))
    assert mix is not None
    assert {name: mix.fitted[name] for name in ("form", "encoder", "stages", "requests")} == {
        "form": FORM,
        "encoder": "words",
        "stages": 30,
        "requests": 60,
    }
    assert told == [20, 40, 60]
    other = fit(results(log(29)), "words")
    assert other is not None
    assert other.fitted["digest"] != mix.fitted["digest"]


@pytest.mark.parametrize("vectors", [True, False], ids=["tools with vectors", "tools without vectors"])
def test_one_tool_that_solves_everything_is_no_reason_for_trees(vectors: bool) -> None:
    path = [{"tools": ["only"], "steps": None, "count": 1, "efficiency": 1.0, "shortest": True}]
    stages = [
        {"id": f"T/{n}", "request": f"mail {n}", "embedding": vector(f"mail {n}"), "clauses": None, "paths": path}
        for n in range(12)
    ]
    rows = results(stages)
    if not vectors:
        for tool in rows[0]:
            tool["embedding"] = None
    mix = fit(rows, "words")
    assert mix is not None
    assert mix.fitted["trees"] == 0
    assert np.isfinite([*mix.unseen.start, *mix.known.start]).all()


def test_without_a_wanted_candidate_there_is_nothing_to_learn() -> None:
    assert fit(results([]), "words") is None


runs = st.lists(
    st.builds(
        Run,
        id=st.sampled_from([f"r{number}" for number in range(9)]),
        tools=st.lists(st.sampled_from("abcd"), min_size=1, max_size=4).map(tuple),
        passed=st.just(True),
        finished=st.none(),
        extra=st.integers(0, 2),
    ),
    min_size=1,
    max_size=6,
    unique_by=lambda run: run.id,
)


@given(st.lists(runs, min_size=1, max_size=4))
def test_transitions_of_a_part_weigh_what_the_store_would_have_made_of_it(of_stages: list[list[Run]]) -> None:
    stages = [
        Stage(id=f"T/{n}", task="T", runs={run.id: run for run in of_stage}) for n, of_stage in enumerate(of_stages)
    ]
    found = {
        (edge["source"], edge["target"]): edge["weight"]
        for edge in _following([{"paths": path_rows(stage)} for stage in stages])
    }
    stored = {(edge.source, edge.target): edge.weight for edge in history(stages)}
    assert found.keys() == stored.keys()
    assert all(found[pair] == pytest.approx(weight, rel=1e-6) for pair, weight in stored.items())
