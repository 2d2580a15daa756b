"""Following the history graph change by change gives what counting from the beginning gives."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from graphstore.toolgraph.history import Fade, Next, Pair, Tally, row, rows, tally, transitions
from graphstore.toolgraph.increment import Change, changes, examples, stored_tally, uses
from graphstore.toolgraph.mining import Run, Stage, mine_paths
from graphstore.toolgraph.stored import edge_rows

runs = st.builds(
    Run,
    id=st.sampled_from([f"r{i:02}" for i in range(40)]),
    tools=st.lists(st.sampled_from("abc"), max_size=5).map(tuple),
    passed=st.sampled_from([True, True, False, None]),
    finished=st.sampled_from([None, "2026-01-01", "2026-02-01", "2026-03-01T10:00:00"]),
    extra=st.integers(0, 2),
)
states = st.dictionaries(
    st.sampled_from(["T/1", "T/2", "T/3"]), st.lists(runs, max_size=30, unique_by=lambda run: run.id), max_size=3
)
fades = st.sampled_from([Fade(), Fade(20.0, "2026-03-01")])


def stages(state: dict[str, list[Run]]) -> list[Stage]:
    return [Stage(id=id, task="T", runs={run.id: run for run in of_stage}) for id, of_stage in state.items()]


def kept(tallies: dict[Pair, Tally]) -> dict[Pair, Next]:
    """As the store keeps them: examples only, and nothing of a transition that no run made."""
    return {(edge.source, edge.target): edge for edge in rows(tallies) if edge.count + edge.failures + edge.unjudged}


@given(st.lists(states, min_size=1, max_size=4), fades)
def test_steps_of_any_kind_give_the_graph_of_one(history: list[dict[str, list[Run]]], fade: Fade) -> None:
    stored: dict[Pair, Next] = {}
    before: list[Stage] = []
    for state in history:
        after = stages(state)
        for pair, change in changes(before, after, fade).items():
            (known,) = edge_rows([stored[pair]]) if pair in stored else (None,)
            tally_ = stored_tally(known)
            updated = change.applied(tally_)
            if change.takes_from(tally_):
                # what the store is asked for; here every stage changed, so that nothing else is left
                updated.sources, updated.last_seen = change.after.sources, change.after.last_seen
            stored[pair] = row(pair, updated)
        stored = {pair: edge for pair, edge in stored.items() if edge.count + edge.failures + edge.unjudged}
        assert stored == kept(tally(after, fade))
        before = after


@given(states, states, st.randoms())
def test_only_stages_that_changed_need_to_be_read(state: dict[str, list[Run]], new: dict[str, list[Run]], r: Random):
    """Added runs only: nothing has to be looked for, and other stages are not read."""
    merged = {id: {**{run.id: run for run in state.get(id, [])}} for id in {*state, *new}}
    for id, of_stage in new.items():
        for run in of_stage:
            merged[id].setdefault(run.id, run)
    after = [Stage(id=id, task="T", runs=of_stage) for id, of_stage in merged.items()]
    before = stages(state)
    touched = [stage for stage in before if stage.id in new]
    stored = kept(tally(before))
    moved = changes(touched, [stage for stage in after if stage.id in new], Fade())
    for pair, change in moved.items():
        (known,) = edge_rows([stored[pair]]) if pair in stored else (None,)
        tally_ = stored_tally(known)
        assert not change.takes_from(tally_)
        stored[pair] = row(pair, change.applied(tally_))
    assert stored == kept(tally(after))


def test_taking_away_what_is_no_example_needs_no_search() -> None:
    change = Change(Tally(count=1, sources={"z"}), Tally())
    assert not change.takes_from(Tally(count=30, sources={"a", "b"}))
    assert change.takes_from(Tally(count=30, sources={"a", "z"}))
    assert Change(Tally(last_seen="2026"), Tally(last_seen="2025")).takes_from(Tally(last_seen="2026"))
    assert not Change(Tally(last_seen="2026"), Tally(last_seen="2025")).takes_from(Tally(last_seen="2027"))


@given(states)
def test_examples_are_found_on_the_paths_again(state: dict[str, list[Run]]) -> None:
    listed = [
        {"source": a, "target": b, "tools": list(path.tools), "steps": list(path.steps), **_of(path)}
        for stage in stages(state)
        for path in mine_paths(stage.runs.values())
        for a in "abc"
        for b in "abc"
        if a in path.tools and b in path.tools
    ]
    expected = {pair: (t.sources, t.last_seen) for pair, t in tally(stages(state)).items() if t.count}
    assert examples(listed) == expected


def _of(path: object) -> dict[str, object]:
    return {name: list(getattr(path, name)) for name in ("sources", "finished")}


@given(states, states)
def test_uses_that_did_not_change_are_not_named(one: dict[str, list[Run]], other: dict[str, list[Run]]) -> None:
    assert uses(stages(one), stages(one)) == {}
    assert all(before != after for before, after in uses(stages(one), stages(other)).values())


def test_transitions_of_steps_are_those_of_the_sequence_where_each_is_alone() -> None:
    assert transitions(("a", "b", "a"), (0, 1, 2)) == transitions(("a", "b", "a"), ()) == {("a", "b"), ("b", "a")}
