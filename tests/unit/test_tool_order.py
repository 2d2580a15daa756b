"""The likely order of execution: counted by hand, antisymmetric, a permutation, and never against declared needs."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from graphstore.retrieval.tool_order import CLAUSES, PRIOR, TEMPERATURE, clause_places, leads, placed, places, sequenced

Where = dict[int, float]


def evidence(
    n: int,
    stages: list[Where],
    alike: list[float] | None = None,
    requires: dict[tuple[int, int], float] | None = None,
    produces: dict[tuple[int, int], float] | None = None,
) -> Any:
    """What ordering reads: places of tools in stages, cosines of the stages, needs and links."""

    def matrix(cells: dict[tuple[int, int], float], shape: tuple[int, int]) -> sp.coo_array:
        rows, columns = ([key[side] for key in cells] for side in (0, 1))
        return sp.coo_array((np.array(list(cells.values()), dtype=float), (rows, columns)), shape=shape)

    cells = {(stage, tool): place for stage, of_stage in enumerate(stages) for tool, place in of_stage.items()}
    snapshot = SimpleNamespace(
        past=SimpleNamespace(places=sp.csc_array(matrix(cells, (len(stages), n)))),
        requires=sp.csr_array(matrix(requires or {}, (n, n))),
        produces=sp.csr_array(matrix(produces or {}, (n, n))),
    )
    return SimpleNamespace(snapshot=snapshot, alike=np.array(alike or [0.5] * len(stages)))


HITS = np.array([0, 1, 2])


def test_a_place_is_the_middle_of_the_step_of_the_first_call() -> None:
    assert places([(["a", "b", "a"], [0, 1, 2], 3.0)]) == pytest.approx({"a": 1 / 6, "b": 0.5})
    # called together: neither is first
    assert places([(["a", "b", "c"], [0, 0, 1], 1.0)]) == pytest.approx({"a": 0.25, "b": 0.25, "c": 0.75})
    # three runs of four took the second way
    assert places([(["a", "b"], [0, 1], 1.0), (["b", "a"], [0, 1], 3.0)])["a"] == pytest.approx(0.25 / 4 + 0.75 * 3 / 4)


def test_stages_count_by_how_like_they_are() -> None:
    near, far = 0.9, 0.9 - TEMPERATURE * math.log(4)  # e ** (cosine / TEMPERATURE) is 4 to 1
    lead = leads(evidence(2, [{0: 0.25, 1: 0.75}, {0: 0.75, 1: 0.25}, {0: 0.5}], [near, far, 1.0]), np.array([0, 1]))
    places_ = (0.25 + 0.75) / 2 - (0.25 + 0.75 + 0.5) / 3  # the third stage used one of them only
    assert lead[0, 1] == pytest.approx(math.log((1 + PRIOR) / (0.25 + PRIOR)) + places_)


def test_tools_called_together_do_not_order_each_other() -> None:
    assert leads(evidence(2, [{0: 0.5, 1: 0.5}]), np.array([0, 1])).tolist() == [[0, 0], [0, 0]]


def test_a_producer_counts_as_part_of_a_stage() -> None:
    lead = leads(evidence(2, [], produces={(0, 1): 0.6}), np.array([0, 1]))
    assert lead[1, 0] == pytest.approx(math.log((0.6 + PRIOR) / PRIOR))


def test_where_the_request_asks_for_a_tool_places_it() -> None:
    asked = np.array([[0.9, 0.1], [0.1, 0.9]])
    first = 1 / (1 + math.exp(0.8 / 0.1))
    assert clause_places(asked) == pytest.approx([first, 1 - first])
    assert leads(evidence(2, []), np.array([0, 1]), asked)[0, 1] == pytest.approx(CLAUSES * (1 - 2 * first))
    assert clause_places(np.array([[0.3, 0.2]])).tolist() == [0.5, 0.5]


def test_the_answer_says_what_is_needed_before_and_after_its_best_tool() -> None:
    history = [{1: 0.2, 0: 0.5, 2: 0.8}] * 2
    found = placed(evidence(4, history), np.array([0, 1, 2, 3]))
    assert [each.when for each in found] == [None, "before", "after", None]  # of the last nothing is known
    assert found[1].position < found[0].position < found[2].position


def test_declared_needs_come_first_whatever_was_seen() -> None:
    history = [{0: 0.2, 1: 0.5, 2: 0.8}] * 9
    found = placed(evidence(3, history, requires={(0, 1): 0.8, (1, 2): 0.8}), HITS)
    assert [(each.position, each.when) for each in found] == [(3, None), (2, "before"), (1, "before")]


def test_needs_by_way_of_a_tool_outside_the_answer_count() -> None:
    found = placed(evidence(3, [], requires={(0, 2): 0.8, (2, 1): 0.8}), np.array([0, 1]))
    assert [each.when for each in found] == [None, "before"]


def test_a_circle_of_needs_still_gives_an_order() -> None:
    circle = {(0, 1): 0.8, (1, 2): 0.8, (2, 0): 0.8}
    assert sorted(each.position for each in placed(evidence(3, [], requires=circle), HITS)) == [1, 2, 3]
    assert placed(evidence(3, []), np.array([], dtype=int)) == []


def test_what_is_doubtful_does_not_change_what_is_sure() -> None:
    lead = np.array([[0.0, -0.5, 9.0], [0.5, 0.0, -9.0], [-9.0, 9.0, 0.0]])  # 1, 0; the third would go between
    assert sequenced(lead, np.zeros((3, 3), dtype=bool)) == [1, 0, 2]
    assert sequenced(lead[:2, :2], np.zeros((2, 2), dtype=bool)) == [1, 0]


def test_without_any_evidence_the_better_hit_stands_first() -> None:
    assert sequenced(np.zeros((3, 3)), np.zeros((3, 3), dtype=bool)) == [0, 1, 2]


tools = st.integers(0, 4)
stages = st.lists(st.dictionaries(tools, st.sampled_from([0.1, 0.3, 0.5, 0.9])), max_size=6)
pairs = st.dictionaries(st.tuples(tools, tools), st.just(0.8), max_size=6)


@given(stages, pairs, pairs, st.permutations(range(5)), st.data())
def test_the_order_is_a_permutation_that_keeps_needs(
    history: list[Where],
    requires: dict[tuple[int, int], float],
    produces: dict[tuple[int, int], float],
    hits: list[int],
    data: st.DataObject,
) -> None:
    alike = data.draw(st.lists(st.floats(-1, 1), min_size=len(history), max_size=len(history)))
    asked = np.array(data.draw(st.lists(st.lists(st.floats(-1, 1), min_size=5, max_size=5), min_size=1, max_size=3)))
    given_ = evidence(5, history, alike, requires, produces)
    lead = leads(given_, np.array(hits), asked)
    assert np.isfinite(lead).all()
    assert lead == pytest.approx(-lead.T)
    found = placed(given_, np.array(hits), asked)
    position = {hit: each.position for hit, each in zip(hits, found, strict=True)}
    assert sorted(position.values()) == [1, 2, 3, 4, 5]
    assert found[0].when is None
    acyclic = {(a, b) for a, b in requires if a != b and not _reaches(requires, b, a)}
    if len(acyclic) == len([pair for pair in requires if pair[0] != pair[1]]):
        assert all(position[b] < position[a] for a, b in acyclic)
    for hit, each in zip(hits[1:], found[1:], strict=True):
        assert each.when is None or (each.when == "before") == (position[hit] < position[hits[0]])


def _reaches(edges: dict[tuple[int, int], float], start: int, goal: int) -> bool:
    seen, open_ = {start}, [start]
    while open_:
        here = open_.pop()
        new = {b for a, b in edges if a == here} - seen
        seen |= new
        open_ += new
    return goal in seen
