"""Following the history graph: what a write of some stages changes in it, read and written only there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphstore.db import Database, Step
from graphstore.toolgraph import increment, stored
from graphstore.toolgraph.history import Fade, Next, Pair, Tally, newest_day, row
from graphstore.toolgraph.mining import Stage
from graphstore.toolgraph.stored import Row

RULES = 1
"""Raised with every change of what is mined from a run or derived from it, so that stores are derived anew."""

STATE = "retrieve/tool_graph_state"
"""The statement whose row makes a :class:`State`."""

REMOVED: Step = ("derive/tool_graph_removed", {})
"""The step of a write that deletes stages, tools or transitions."""


@dataclass(frozen=True, slots=True)
class State:
    """What the history graph in the store was derived with.

    :param rules: ``None`` where it has to be derived anew.
    :param known: Whether the store says anything of it.
    :param holds: Whether the store holds any stage.
    """

    rules: int | None
    half_life: float | None
    reference: str | None
    known: bool
    holds: bool

    @classmethod
    def of(cls, rows: Sequence[Row]) -> State:
        """From the row of :data:`STATE`."""
        return cls(**rows[0])

    def current(self, half_life: float | None) -> bool:
        """Whether it can be followed with this half-life, or has to be derived anew."""
        if not self.holds:
            return not self.known or self.rules == RULES
        return self.rules == RULES and self.half_life == half_life


def state_step(rules: int | None, fade: Fade) -> Step:
    """The step that notes what the history graph was derived with."""
    values = {"rules": rules, "half_life": fade.half_life, "reference": fade.reference}
    return "derive/tool_graph_state", values


def history_steps(
    db: Database, state: State, before: Sequence[Stage], after: Sequence[Stage], half_life: float | None
) -> list[Step]:
    """The steps that bring NEXT, TRIED and the use of tools in line with stages that are written with them.

    Reads only what these stages speak of; the write has to expect the version that ``state`` was read from. Where the
    day that ages are counted from moves, all of it changes: then the steps note that it has to be derived.

    :param before: The stages as they are stored, those that are.
    :param after: The same stages and new ones.
    """
    if not state.current(half_life):
        return []
    fade = Fade(half_life, state.reference if state.holds else _newest(half_life, after))
    if not state.holds:
        return [state_step(RULES, fade), *_steps(db, before, after, fade)]
    if half_life is not None and _moves(state.reference, before, after):
        return [state_step(None, fade)]
    return _steps(db, before, after, fade)


def _newest(half_life: float | None, stages: Sequence[Stage]) -> str | None:
    return None if half_life is None else newest_day(stages)


def _moves(reference: str | None, before: Sequence[Stage], after: Sequence[Stage]) -> bool:
    latest, was = newest_day(after) or "", newest_day(before) or ""
    return latest > (reference or "") or (was == reference and latest < was)


def _steps(db: Database, before: Sequence[Stage], after: Sequence[Stage], fade: Fade) -> list[Step]:
    changed = [stage.id for stage in before]
    return [*_edge_steps(db, increment.changes(before, after, fade), changed), *_use_steps(db, before, after, changed)]


def _edge_steps(db: Database, changes: dict[Pair, increment.Change], changed: list[str]) -> list[Step]:
    if not changes:
        return []
    found = {
        (edge["source"], edge["target"]): edge
        for edge in db.read("retrieve/tool_transitions", pairs=_keys(list(changes)))
    }
    known = {pair: increment.stored_tally(found.get(pair)) for pair in changes}
    after = {pair: change.applied(known[pair]) for pair, change in changes.items()}
    _look_for_others(db, [pair for pair in changes if changes[pair].takes_from(known[pair])], changes, after, changed)
    return edge_steps([row(pair, tally) for pair, tally in after.items()], known)


def edge_steps(after: Sequence[Next], before: dict[Pair, Tally]) -> list[Step]:
    """The steps that turn transitions as they were into what they are: NEXT with a passed run, else TRIED, or gone."""
    passed = [edge for edge in after if edge.count]
    tried = [edge for edge in after if not edge.count and (edge.failures or edge.unjudged)]
    was_passed = {pair for pair, tally in before.items() if tally.count}
    was_tried = {pair for pair, tally in before.items() if not tally.count and (tally.failures or tally.unjudged)}
    gone = sorted(was_passed - {(edge.source, edge.target) for edge in passed})
    untried = sorted(was_tried - {(edge.source, edge.target) for edge in tried})
    steps: list[tuple[str, list[Row]]] = [
        ("derive/tool_next_remove", _keys(gone)),
        ("derive/tool_tried_remove", _keys(untried)),
        ("derive/tool_next", stored.edge_rows(passed)),
        ("derive/tool_tried", stored.tried_rows(tried)),
    ]
    return [*((name, {"rows": rows}) for name, rows in steps if rows), *([REMOVED] if gone else [])]


def _look_for_others(
    db: Database,
    pairs: list[Pair],
    changes: dict[Pair, increment.Change],
    after: dict[Pair, Tally],
    changed: list[str],
) -> None:
    """Find examples and the latest time again where some were taken away."""
    if not pairs:
        return
    others = increment.examples(db.read("retrieve/tool_transition_runs", pairs=_keys(pairs), without=changed))
    for pair in pairs:
        runs, latest = others.get(pair, (set(), ""))
        after[pair].sources = runs | changes[pair].after.sources
        after[pair].last_seen = max(latest, changes[pair].after.last_seen)


def _use_steps(db: Database, before: Sequence[Stage], after: Sequence[Stage], changed: list[str]) -> list[Step]:
    moved = increment.uses(before, after)
    if not moved:
        return []
    known = {tool["id"]: (tool["runs"], tool["last_seen"]) for tool in db.read("retrieve/tool_use", ids=list(moved))}
    taken = [
        tool
        for tool, ((_, was), (_, now)) in moved.items()
        if was and was == known.get(tool, (0, None))[1] and (now or "") < was
    ]
    others: dict[str, str] = {}
    if taken:
        rows = db.read("retrieve/tool_last_use", ids=taken, without=changed)
        others = {tool["id"]: tool["last_seen"] for tool in rows}
    uses = []
    for tool, ((runs_before, _), (runs_after, now)) in moved.items():
        runs, last = known.get(tool, (0, None))
        latest = others.get(tool, "") if tool in taken else last or ""
        uses.append(
            {"id": tool, "runs": (runs or 0) - runs_before + runs_after, "last_seen": max(latest, now or "") or None}
        )
    return [("derive/tool_runs", {"rows": uses})]


def _keys(pairs: Sequence[Pair]) -> list[Row]:
    return [{"source": source, "target": target} for source, target in pairs]
