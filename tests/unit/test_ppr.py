"""Personalised PageRank against analytic truths, dense solves, networkx and its own invariants."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from graphstore.errors import ConvergenceError, GraphStoreError, SeedError, SettingsError
from graphstore.retrieval import directed
from graphstore.retrieval.ppr import BipartiteDiffusion, Diffusion, top

TIGHT = 1e-10


def one_hot(n, *seeds):
    restart = np.zeros(n)
    restart[list(seeds)] = 1.0
    return restart


def square(links):
    """The adjacency of a bipartite graph, dense, rows first."""
    rows, columns = links.shape
    return np.block([[np.zeros((rows, rows)), links], [links.T, np.zeros((columns, columns))]])


def dense_solution(adjacency, restart, damping):
    """The definition itself: x = d P' x + d (probability at sinks) r + (1 - d) r, solved by elimination."""
    n = len(adjacency)
    r = restart / restart.sum()
    out = adjacency.sum(axis=1)
    walk = np.divide(adjacency, out[:, None], out=np.zeros((n, n)), where=out[:, None] > 0)
    walk[out == 0] = r
    return np.linalg.solve(np.eye(n) - damping * walk.T, (1 - damping) * r)


@st.composite
def bipartite_cases(draw):
    """Random links with many zeros, so that parts, isolated nodes and single links all occur."""
    rows, columns = draw(st.integers(1, 12)), draw(st.integers(1, 12))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    links = rng.uniform(0.01, 3.0, (rows, columns)) * (rng.random((rows, columns)) < draw(st.floats(0, 1)))
    restart = rng.random(rows + columns) * (rng.random(rows + columns) < draw(st.floats(0, 1)))
    restart[draw(st.integers(0, rows + columns - 1))] += 1.0
    return links, restart, draw(st.sampled_from([0.0, 0.3, 0.5, 0.85, 0.99]))


@st.composite
def directed_cases(draw):
    n = draw(st.integers(1, 15))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    adjacency = rng.uniform(0.01, 3.0, (n, n)) * (rng.random((n, n)) < draw(st.floats(0, 1)))
    restart = rng.random(n) * (rng.random(n) < draw(st.floats(0, 1)))
    restart[draw(st.integers(0, n - 1))] += 1.0
    return adjacency, restart, draw(st.sampled_from([0.0, 0.3, 0.5, 0.85, 0.99]))


class TestAnalytic:
    @pytest.mark.parametrize("n", [2, 3, 10])
    def test_cycle_with_uniform_restart_is_uniform(self, n):
        cycle = sparse.csr_array(np.roll(np.eye(n), 1, axis=1))
        np.testing.assert_allclose(Diffusion(cycle).scores(np.ones(n)), np.full(n, 1 / n), rtol=1e-12)

    @pytest.mark.parametrize("damping", [0.1, 0.5, 0.85])
    def test_two_nodes_hold_one_and_d_over_one_plus_d(self, damping):
        expected = np.array([1, damping]) / (1 + damping)
        both_ways = Diffusion(sparse.csr_array([[0.0, 1.0], [1.0, 0.0]]))
        one_link = BipartiteDiffusion(sparse.csr_array([[7.0]]))
        for diffusion in (both_ways, one_link):
            np.testing.assert_allclose(diffusion.scores(one_hot(2, 0), damping=damping, tol=TIGHT), expected, rtol=1e-9)

    def test_star_shares_what_its_centre_passes_on(self):
        leaves, d = 5, 0.85
        x = BipartiteDiffusion(sparse.csr_array(np.ones((1, leaves)))).scores(one_hot(6, 0), tol=TIGHT)
        np.testing.assert_allclose(x, np.r_[1, np.full(leaves, d / leaves)] / (1 + d), rtol=1e-9)

    def test_weights_steer_the_walk(self):
        x = BipartiteDiffusion(sparse.csr_array([[3.0, 1.0]])).scores(one_hot(3, 0), tol=TIGHT)
        assert x[1] / x[2] == pytest.approx(3)

    def test_damping_is_the_probability_of_following_an_edge(self):
        chain = Diffusion(sparse.csr_array([[0.0, 1.0], [0.0, 0.0]]))
        x = chain.scores(one_hot(2, 0), damping=0.2)
        assert x[1] / x[0] == pytest.approx(0.2)


class TestAgainstOthers:
    @settings(max_examples=150, deadline=None)
    @given(bipartite_cases())
    def test_bipartite_equals_dense_solve(self, case):
        links, restart, damping = case
        x = BipartiteDiffusion(sparse.csr_array(links)).scores(restart, damping=damping, tol=TIGHT)
        assert np.abs(x - dense_solution(square(links), restart, damping)).sum() <= TIGHT

    @settings(max_examples=100, deadline=None)
    @given(bipartite_cases(), st.sampled_from([1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6]))
    def test_bipartite_error_is_at_most_tol(self, case, tol):
        links, restart, damping = case
        x = BipartiteDiffusion(sparse.csr_array(links)).scores(restart, damping=damping, tol=tol)
        assert np.abs(x - dense_solution(square(links), restart, damping)).sum() <= tol

    @settings(max_examples=150, deadline=None)
    @given(directed_cases())
    def test_directed_equals_dense_solve(self, case):
        adjacency, restart, damping = case
        x = Diffusion(sparse.csr_array(adjacency)).scores(restart, damping=damping)
        assert np.abs(x - dense_solution(adjacency, restart, damping)).sum() <= TIGHT

    @settings(max_examples=60, deadline=None)
    @given(directed_cases(), st.sampled_from([1e-2, 1e-4, 1e-8]))
    def test_iteration_error_is_at_most_tol(self, case, tol):
        adjacency, restart, damping = case
        diffusion = Diffusion(sparse.csr_array(adjacency))
        rest = restart / restart.sum()
        x = diffusion._iterate(rest, damping, tol, 20_000)
        assert np.abs(x / x.sum() - dense_solution(adjacency, restart, damping)).sum() <= tol

    def test_agrees_with_networkx(self):
        graph = nx.bipartite.random_graph(60, 40, 0.08, seed=3)
        for i, (_, _, data) in enumerate(graph.edges(data=True)):
            data["weight"] = 0.25 + (i * 37 % 100) / 50
        adjacency = nx.to_numpy_array(graph, nodelist=range(100))
        restart = one_hot(100, 3, 20, 70)
        seeds = {i: 1 / 3 for i in (3, 20, 70)}
        known = nx.pagerank(graph, 0.85, personalization=seeds, dangling=seeds, tol=1e-14, max_iter=10_000)
        expected = np.array([known[i] for i in range(100)])
        bipartite = BipartiteDiffusion(sparse.csr_array(adjacency[:60, 60:])).scores(restart, tol=TIGHT)
        general = Diffusion(sparse.csr_array(adjacency)).scores(restart)
        assert np.abs(bipartite - expected).sum() < 1e-9
        assert np.abs(general - expected).sum() < 1e-9


class TestInvariants:
    @settings(max_examples=80, deadline=None)
    @given(bipartite_cases(), st.sampled_from([1e-1, 1e-3, 1e-8]))
    def test_scores_sum_to_one_and_are_not_negative(self, case, tol):
        links, restart, damping = case
        x = BipartiteDiffusion(sparse.csr_array(links)).scores(restart, damping=damping, tol=tol)
        assert x.sum() == pytest.approx(1, abs=1e-5)
        assert x.min() >= 0

    @settings(max_examples=60, deadline=None)
    @given(bipartite_cases(), st.floats(0.01, 0.99))
    def test_linear_in_the_restart_where_every_node_has_links(self, case, share):
        links, restart, damping = case
        diffusion = BipartiteDiffusion(sparse.csr_array(links + 0.01))
        other = one_hot(diffusion.n, 0)
        first = diffusion.scores(restart, damping=damping, tol=TIGHT)
        second = diffusion.scores(other, damping=damping, tol=TIGHT)
        mixed = diffusion.scores(share * restart / restart.sum() + (1 - share) * other, damping=damping, tol=TIGHT)
        np.testing.assert_allclose(mixed, share * first + (1 - share) * second, atol=1e-9)

    @settings(max_examples=60, deadline=None)
    @given(bipartite_cases(), st.randoms(use_true_random=False))
    def test_renumbering_the_nodes_renumbers_the_scores(self, case, random):
        links, restart, damping = case
        rows, columns = (random.sample(range(n), n) for n in links.shape)
        x = BipartiteDiffusion(sparse.csr_array(links)).scores(restart, damping=damping, tol=TIGHT)
        order = np.r_[rows, np.array(columns) + links.shape[0]]
        y = BipartiteDiffusion(sparse.csr_array(links[rows][:, columns])).scores(
            restart[order], damping=damping, tol=TIGHT
        )
        np.testing.assert_allclose(y, x[order], atol=1e-9)

    @settings(max_examples=40, deadline=None)
    @given(bipartite_cases())
    def test_turning_the_links_round_changes_nothing(self, case):
        links, restart, damping = case
        rows = links.shape[0]
        x = BipartiteDiffusion(sparse.csr_array(links)).scores(restart, damping=damping, tol=TIGHT)
        y = BipartiteDiffusion(sparse.csr_array(links.T)).scores(
            np.r_[restart[rows:], restart[:rows]], damping=damping, tol=TIGHT
        )
        np.testing.assert_allclose(np.r_[y[-rows:], y[:-rows]], x, atol=1e-9)

    def test_scale_of_restart_and_of_weights_does_not_matter(self):
        links = np.array([[1.0, 2.0], [0.5, 0.0]])
        x = BipartiteDiffusion(sparse.csr_array(links)).scores(one_hot(4, 0), tol=TIGHT)
        y = BipartiteDiffusion(sparse.csr_array(links * 1e-30)).scores(one_hot(4, 0) * 1e6, tol=TIGHT)
        np.testing.assert_allclose(x, y, atol=1e-9)


class TestBatch:
    @pytest.mark.parametrize("tol", [1e-3, 1e-9])
    def test_many_bipartite_queries_equal_one_at_a_time(self, tol):
        rng = np.random.default_rng(5)
        links = sparse.random_array((90, 40), density=0.05, rng=rng, format="csr")
        restarts = rng.random((150, 130)) * (rng.random((150, 130)) < 0.05)
        restarts[:, 0] += 0.1
        diffusion = BipartiteDiffusion(links)
        many = diffusion.scores_many(sparse.csr_array(restarts), tol=tol)
        one = np.array([diffusion.scores(r, tol=tol) for r in restarts])
        assert many.shape == (150, 130)
        assert np.abs(many - one).sum(axis=1).max() <= 2 * tol

    @pytest.mark.parametrize("dense_up_to", [1024, 0])
    def test_many_directed_queries_equal_one_at_a_time(self, dense_up_to, monkeypatch):
        monkeypatch.setattr(directed, "DENSE", dense_up_to)
        rng = np.random.default_rng(6)
        diffusion = Diffusion(sparse.random_array((70, 70), density=0.05, rng=rng, format="csr"))
        restarts = np.eye(70) + 0.1
        many = diffusion.scores_many(sparse.csr_array(restarts), tol=1e-10)
        one = np.array([diffusion.scores(r, tol=1e-10) for r in restarts])
        assert np.abs(many - one).sum(axis=1).max() <= 1e-9

    def test_no_queries_give_no_rows(self):
        diffusion = BipartiteDiffusion(sparse.csr_array([[1.0]]))
        assert diffusion.scores_many(sparse.csr_array((0, 2))).shape == (0, 2)


class TestDegenerateGraphs:
    """PITFALLS: the seed itself comes back, no NaN, ties in a stable order."""

    def test_isolated_seed_returns_itself(self):
        links = sparse.csr_array([[1.0, 0.0], [0.0, 0.0]])
        for seed in (1, 3):
            np.testing.assert_array_equal(BipartiteDiffusion(links).scores(one_hot(4, seed)), one_hot(4, seed))
        np.testing.assert_array_equal(Diffusion(sparse.csr_array((3, 3))).scores(one_hot(3, 1)), one_hot(3, 1))

    def test_part_that_no_seed_reaches_stays_at_zero(self):
        links = sparse.csr_array(np.kron(np.eye(3), np.ones((2, 2))))
        x = BipartiteDiffusion(links).scores(one_hot(12, 0), tol=1e-1)
        assert np.flatnonzero(x).tolist() == [0, 1, 6, 7]

    def test_single_node(self):
        assert Diffusion(sparse.csr_array((1, 1))).scores(np.ones(1)).tolist() == [1.0]
        assert Diffusion(sparse.csr_array([[2.0]])).scores(np.ones(1)).tolist() == [1.0]
        assert BipartiteDiffusion(sparse.csr_array((1, 0))).scores(np.ones(1)).tolist() == [1.0]

    def test_self_loop_keeps_the_walk(self):
        x = Diffusion(sparse.csr_array([[1.0, 0.0], [0.0, 0.0]])).scores(one_hot(2, 0))
        assert x.tolist() == [1.0, 0.0]

    def test_chain_through_a_self_loop(self):
        # A -> A -> B as a log would give it: A follows itself, then B
        x = Diffusion(sparse.csr_array([[1.0, 1.0], [0.0, 0.0]])).scores(one_hot(2, 0))
        assert np.isfinite(x).all()
        assert x[0] > x[1] > 0

    def test_two_nodes_that_follow_each_other_are_symmetric(self):
        x = Diffusion(sparse.csr_array([[0.0, 1.0], [1.0, 0.0]])).scores(np.ones(2))
        np.testing.assert_allclose(x, [0.5, 0.5], rtol=1e-12)

    def test_sink_restarts_at_the_seeds(self):
        x = Diffusion(sparse.csr_array([[0.0, 1.0, 0.0], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])).scores(one_hot(3, 0))
        np.testing.assert_allclose(
            x, dense_solution(np.array([[0, 1, 0], [0, 0, 0], [1, 0, 0.0]]), one_hot(3, 0), 0.85)
        )
        assert x[2] == 0

    def test_weights_of_zero_are_no_edges(self):
        stored = sparse.csr_array((np.array([0.0, 1.0]), (np.array([0, 1]), np.array([0, 1]))), shape=(2, 2))
        np.testing.assert_array_equal(BipartiteDiffusion(stored).scores(one_hot(4, 0)), one_hot(4, 0))
        np.testing.assert_array_equal(Diffusion(sparse.csr_array((2, 2))).scores(np.ones(2)), [0.5, 0.5])

    @pytest.mark.parametrize("weight", [1e-300, 1e-12, 1e12, 1e300])
    def test_extreme_weights_give_no_nan(self, weight):
        links = sparse.csr_array([[weight, 1.0], [1.0, 0.0]])
        for tol in (1e-3, 1e-9):
            assert np.isfinite(BipartiteDiffusion(links).scores(one_hot(4, 0), tol=tol)).all()
        assert np.isfinite(Diffusion(links).scores(one_hot(2, 0))).all()


class TestRefusals:
    @pytest.mark.parametrize("restart", [[0.0, 0.0], [-1.0, 2.0], [np.nan, 1.0], [np.inf, 1.0], [1.0], [1.0, 1.0, 1.0]])
    def test_unusable_restart_is_a_seed_error(self, restart):
        for diffusion in (Diffusion(sparse.csr_array((2, 2))), BipartiteDiffusion(sparse.csr_array([[1.0]]))):
            with pytest.raises(SeedError):
                diffusion.scores(np.array(restart))
            with pytest.raises(SeedError):
                diffusion.scores_many(sparse.csr_array(np.array([restart])))

    def test_empty_row_of_a_batch_is_named(self):
        with pytest.raises(SeedError, match="row 1"):
            Diffusion(sparse.csr_array((2, 2))).scores_many(sparse.csr_array(np.array([[1.0, 0.0], [0.0, 0.0]])))

    @pytest.mark.parametrize("weight", [-1.0, np.nan, np.inf])
    def test_unusable_weights_are_refused(self, weight):
        for kind in (Diffusion, BipartiteDiffusion):
            with pytest.raises(GraphStoreError, match="weights"):
                kind(sparse.csr_array([[weight]]))

    @pytest.mark.parametrize("options", [{"damping": 1.0}, {"damping": -0.1}, {"damping": np.nan}, {"tol": 0.0}])
    def test_unusable_options_are_refused(self, options):
        with pytest.raises(SettingsError):
            BipartiteDiffusion(sparse.csr_array([[1.0]])).scores(np.ones(2), **options)

    def test_too_few_steps_are_a_convergence_error(self, monkeypatch):
        rng = np.random.default_rng(1)
        links = sparse.random_array((80, 80), density=0.03, rng=rng, format="csr")
        with pytest.raises(ConvergenceError):
            BipartiteDiffusion(links).scores(one_hot(160, 0, 90), tol=1e-9, max_iter=1)
        monkeypatch.setattr(directed, "DENSE", 0)
        with pytest.raises(ConvergenceError):
            Diffusion(links).scores(one_hot(80, 0), tol=1e-9, max_iter=3)


class TestTop:
    def test_ties_come_in_the_order_of_their_index(self):
        assert top(np.array([1.0, 3.0, 2.0, 3.0, 2.0, 2.0]), 4).tolist() == [1, 3, 2, 4]

    @settings(max_examples=100, deadline=None)
    @given(st.lists(st.integers(0, 5), max_size=40), st.integers(-1, 50))
    def test_equals_a_stable_sort(self, values, k):
        scores = np.array(values, dtype=float)
        assert top(scores, k).tolist() == np.argsort(-scores, kind="stable")[: max(k, 0)].tolist()
