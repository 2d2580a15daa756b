"""The walk over tools and stages is the one over the whole graph, with the stages eliminated."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from graphstore.errors import ConvergenceError, GraphStoreError, SeedError
from graphstore.retrieval import tool_walk
from graphstore.retrieval.directed import Diffusion
from graphstore.retrieval.tool_walk import ToolWalk
from graphstore.toolgraph.fusion import fuse


def graph(tools: int, stages: int, seed: int, density: float = 0.3) -> sparse.csr_array:
    """A fused walk of random history, meaning and use; some tools are isolated."""
    rng = np.random.default_rng(seed)

    def drawn(rows: int, columns: int) -> sparse.csr_array:
        return sparse.csr_array(rng.random((rows, columns)) * (rng.random((rows, columns)) < density))

    similar = drawn(tools, tools)
    return fuse(drawn(tools, tools), sparse.csr_array(similar + similar.T), drawn(stages, tools)).transition


@pytest.fixture(params=[10_000, 0], ids=["inverted", "iterated"], autouse=True)
def dense(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(tool_walk, "DENSE", request.param)
    return int(request.param)


@pytest.mark.parametrize("damping", [0.0, 0.5, 0.85])
@pytest.mark.parametrize(("tools", "stages"), [(1, 0), (1, 1), (6, 0), (7, 30), (30, 7)])
def test_the_walk_is_that_of_the_whole_graph(tools: int, stages: int, damping: float) -> None:
    for seed in range(5):
        transition = graph(tools, stages, seed)
        restart = np.random.default_rng(seed).random(tools + stages) * (np.arange(tools + stages) % 3 == 0)
        got = ToolWalk(transition, tools).scores(restart, damping=damping, tol=1e-10)
        exact = Diffusion(transition).scores(restart, damping=damping, tol=1e-12)
        np.testing.assert_allclose(got, exact, atol=1e-9)
        assert got.min() >= 0
        assert got.sum() == pytest.approx(1)


@given(st.integers(1, 12), st.integers(0, 12), st.integers(0, 10**6), st.sampled_from([1e-2, 1e-4, 1e-6]))
def test_the_error_stays_below_the_one_asked_for(tools: int, stages: int, seed: int, tol: float) -> None:
    transition = graph(tools, stages, seed, density=0.5)
    restart = np.random.default_rng(seed).random(tools + stages) ** 4
    got = ToolWalk(transition, tools).scores(restart, damping=0.8, tol=tol)
    exact = Diffusion(transition).scores(restart, damping=0.8, tol=1e-13)
    assert np.abs(got - exact).sum() <= tol


@pytest.mark.parametrize("damping", [0.5, 0.69, 0.7, 0.85])
@pytest.mark.parametrize("length", [3, 4, 7])
def test_a_walk_round_a_circle_is_followed_to_its_end(length: int, damping: float) -> None:
    moves = sparse.csr_array(np.roll(np.eye(length), 1, axis=1))  # its eigenvalues are all of size 1, few of them real
    got = ToolWalk(moves, length).scores(np.eye(length)[0], damping=damping, tol=1e-8)
    exact = damping ** np.arange(length)
    np.testing.assert_allclose(got, exact / exact.sum(), atol=1e-8)


def test_seeds_that_are_stages_only_lead_to_their_tools() -> None:
    usage = sparse.csr_array(np.array([[1.0, 0.0, 1.0]]))
    none = sparse.csr_array((3, 3))
    visits = ToolWalk(fuse(none, none, usage).transition, 3).scores(np.array([0, 0, 0, 1.0]), damping=0.5)
    assert visits[1] == 0
    assert visits[0] == pytest.approx(visits[2])
    assert visits[3] > visits[0] > 0


def test_a_stage_that_leads_to_a_stage_is_refused() -> None:
    with pytest.raises(GraphStoreError, match="stage leads to tools only"):
        ToolWalk(sparse.csr_array(np.array([[0.0, 1.0], [0.0, 1.0]])), 1)


def test_what_cannot_be_walked_is_refused(dense: int) -> None:
    walk = ToolWalk(graph(6, 4, 1), 6)
    with pytest.raises(SeedError):
        walk.scores(np.zeros(10))
    with pytest.raises(SeedError):
        walk.scores(np.ones(9))
    if not dense:
        with pytest.raises(ConvergenceError):
            walk.scores(np.ones(10), tol=1e-9, max_iter=2)


def test_matrices_of_a_few_dampings_are_kept() -> None:
    walk = ToolWalk(graph(6, 4, 1), 6)
    first = [walk.scores(np.ones(10), damping=d).tolist() for d in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6)]
    assert [walk.scores(np.ones(10), damping=d).tolist() for d in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6)] == first
    assert len(walk._prepared) <= 4
