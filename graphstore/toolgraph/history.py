"""The history graph: which tool directly followed which, in runs that passed, failed, or were not judged.

For the transition a → b, over stage runs (each counts once)::

    weight = E · (C + A) / (C + B + A)

``E`` sums the efficiencies of the passed runs that hold it and ``C`` counts them; ``B`` counts the failed runs that are
blamed on it, those of stages in which no passed run made the same transition. ``A`` = :data:`PATIENCE`. With a
half-life every run counts 2^(−age / half-life) in all three.

The sums are whole numbers of 1/:data:`UNIT`, so that their order leaves no trace and a run can be taken out again
exactly: what is added up run by run equals what is counted from the beginning, to the bit.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from heapq import nsmallest
from itertools import pairwise, product

from graphstore.toolgraph.mining import Path, Run, Stage, mine_paths

Pair = tuple[str, str]

UNIT = math.lcm(*range(1, 25))
"""Parts of one run: any efficiency that is a fraction with a denominator up to 24 is a whole number of them."""
PATIENCE = 2
"""Passed runs that every transition is credited with before failures lower it: one blamed failure takes a quarter off
a transition that passed once, and a hundredth off one that passed a hundred times."""
SOURCES = 20
"""Run ids that an edge names as examples: all of them would make a popular edge as long as the history."""


@dataclass(frozen=True, slots=True)
class Next:
    """A transition ``source → target``.

    :param count: Passed stage runs in which ``target`` directly follows ``source``; a run counts once.
    :param weight: Sum over those runs of their efficiency, lowered by blamed failures, so ``0 <= weight <= count``.
    :param failures: Failed stage runs with the same transition.
    :param sources: Ids of passed runs, sorted, the first :data:`SOURCES`.
    :param last_seen: Time of the latest of the passed runs, ``None`` if no log has a time.
    :param blamed: Those of the failures in whose stage no passed run made this transition.
    :param unjudged: Stage runs without a verdict with the same transition.
    :param sums: Efficiencies, passed runs, blamed runs, each with its age, in 1/UNIT.
    """

    source: str
    target: str
    count: int
    weight: float
    failures: int
    sources: tuple[str, ...]
    last_seen: str | None
    blamed: int = 0
    unjudged: int = 0
    sums: tuple[int, int, int] = (0, 0, 0)


@dataclass(frozen=True, slots=True)
class Fade:
    """How runs fade with their age; a run without a time does not.

    :param half_life: Days after which a run counts half; ``None`` for never.
    :param reference: The day of the newest run, ``YYYY-MM-DD``: ages are whole days before it.
    """

    half_life: float | None = None
    reference: str | None = None

    def parts(self, finished: str | None) -> int:
        """What a run that finished then counts, in 1/UNIT."""
        if self.half_life is None or self.reference is None or not (day := day_of(finished)):
            return UNIT
        return _faded(self.half_life, self.reference, day)


@lru_cache(maxsize=100_000)
def _faded(half_life: float, reference: str, day: str) -> int:
    age = (date.fromisoformat(reference) - date.fromisoformat(day)).days
    return round(UNIT * math.pow(2.0, -max(age, 0) / half_life))


def day_of(finished: str | None) -> str | None:
    """The day of a time as ``YYYY-MM-DD``, ``None`` if it is none.

    >>> day_of("2026-03-01T10:00:00+02:00"), day_of("yesterday")
    ('2026-03-01', None)
    """
    return _day(finished[:10]) if finished else None


@lru_cache(maxsize=100_000)
def _day(text: str) -> str | None:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        return None


def newest_day(stages: Iterable[Stage]) -> str | None:
    """The day of the newest run, ``None`` if no run has a time."""
    days = (day_of(run.finished) for stage in stages for run in stage.runs.values() if run.finished)
    return max((day for day in days if day), default=None)


@dataclass(slots=True)
class Tally:
    """What is known of one transition from some stages; in 1/UNIT where it is not a count of runs."""

    count: int = 0
    failures: int = 0
    blamed: int = 0
    unjudged: int = 0
    efficiency: int = 0
    passes: int = 0
    blame: int = 0
    sources: set[str] = field(default_factory=set)
    last_seen: str = ""


def tally(stages: Iterable[Stage], fade: Fade = Fade()) -> dict[Pair, Tally]:
    """What the stages say of each transition.

    :param stages: Each stage once, in any order: the result is the same, to the last bit.
    """
    tallies: dict[Pair, Tally] = {}
    for stage in stages:
        solved: set[Pair] = set()
        for path in mine_paths(stage.runs.values()):
            solved |= _add_path(tallies, path, fade)
        for run in stage.runs.values():
            if not run.passed and run.tools:
                _add_other(tallies, run, solved, fade)
    return tallies


def transitions(tools: tuple[str, ...], steps: tuple[int, ...]) -> set[Pair]:
    """From every tool of a step to every tool of the next; none inside a step.

    :param steps: Step of each tool, ascending; empty if each is alone.

    >>> sorted(transitions(("a", "b", "c"), (0, 0, 1)))
    [('a', 'c'), ('b', 'c')]
    """
    if not steps or steps[-1] == len(tools) - 1:
        return set(pairwise(tools))
    by_step: dict[int, list[str]] = {}
    for tool, step in zip(tools, steps, strict=True):
        by_step.setdefault(step, []).append(tool)
    return {pair for one, other in pairwise(by_step.values()) for pair in product(one, other)}


def rows(tallies: Mapping[Pair, Tally]) -> list[Next]:
    """The transitions, sorted by source and target; those with no passed run have ``count`` 0."""
    return [row(pair, tallies[pair]) for pair in sorted(tallies)]


def row(pair: Pair, tally: Tally) -> Next:
    """One transition."""
    credit = tally.passes + PATIENCE * UNIT
    return Next(
        source=pair[0],
        target=pair[1],
        count=tally.count,
        weight=tally.efficiency / UNIT * (credit / (credit + tally.blame)),
        failures=tally.failures,
        sources=tuple(nsmallest(SOURCES, tally.sources)),
        last_seen=tally.last_seen or None,
        blamed=tally.blamed,
        unjudged=tally.unjudged,
        sums=(tally.efficiency, tally.passes, tally.blame),
    )


def history(stages: Iterable[Stage], fade: Fade = Fade()) -> list[Next]:
    """The NEXT rows of all stages, sorted by source and target.

    A transition seen in failed or unjudged runs only is none: it has no row.

    :param stages: Each stage once, in any order.
    """
    return [edge for edge in rows(tally(stages, fade)) if edge.count]


def runs_per_tool(stages: Iterable[Stage]) -> dict[str, tuple[int, str | None]]:
    """For each tool on a passed path: the number of passed stage runs that used it, and the time of the latest."""
    counts: dict[str, tuple[int, str | None]] = {}
    for stage in stages:
        for path in mine_paths(stage.runs.values()):
            latest = max(path.finished)
            for tool in set(path.tools):
                count, last = counts.get(tool, (0, None))
                counts[tool] = (count + path.count, max(last or "", latest) or None)
    return counts


def _add_path(tallies: dict[Pair, Tally], path: Path, fade: Fade) -> set[Pair]:
    efficiency = passes = 0
    for calls, finished in zip(path.calls, path.finished, strict=True):
        parts = fade.parts(finished)
        passes += parts
        efficiency += parts * path.optimal // calls
    latest = max(path.finished)
    pairs = transitions(path.tools, path.steps)
    for pair in pairs:
        entry = _entry(tallies, pair)
        entry.count += path.count
        entry.efficiency += efficiency
        entry.passes += passes
        entry.sources.update(path.sources)
        if latest > entry.last_seen:
            entry.last_seen = latest
    return pairs


def _add_other(tallies: dict[Pair, Tally], run: Run, solved: set[Pair], fade: Fade) -> None:
    for pair in transitions(run.tools, run.steps):
        entry = _entry(tallies, pair)
        if run.passed is None:
            entry.unjudged += 1
            continue
        entry.failures += 1
        if pair not in solved:
            entry.blamed += 1
            entry.blame += fade.parts(run.finished)


def _entry(tallies: dict[Pair, Tally], pair: Pair) -> Tally:
    entry = tallies.get(pair)
    if entry is None:
        entry = tallies[pair] = Tally()
    return entry
