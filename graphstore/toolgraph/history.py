"""The history graph: which tool directly followed which in runs that passed."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise

from graphstore.toolgraph.mining import Stage, mine_paths

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Next:
    """A transition ``source → target`` of the history graph.

    :param count: Passed stage runs in which ``target`` directly follows ``source``; a run counts once.
    :param weight: Sum over those runs of the path's efficiency, so ``0 < weight <= count``.
    :param failures: Failed stage runs with the same transition.
    :param sources: Ids of the passed runs, sorted, each once.
    :param last_seen: Time of the latest of them, ``None`` if no log has a time.
    """

    source: str
    target: str
    count: int
    weight: float
    failures: int
    sources: tuple[str, ...]
    last_seen: str | None


@dataclass(slots=True)
class _Sum:
    runs_by_efficiency: Counter[float] = field(default_factory=Counter)
    failures: int = 0
    sources: set[str] = field(default_factory=set)
    last_seen: str = ""


def history(stages: Iterable[Stage]) -> list[Next]:
    """The NEXT rows of all stages, sorted by source and target.

    A transition seen in failed runs only is none: it has no row.

    :param stages: Each stage once, in any order: the result is the same, to the last bit.
    """
    sums: defaultdict[Pair, _Sum] = defaultdict(_Sum)
    for stage in stages:
        for path in mine_paths(stage.runs.values()):
            for pair in set(pairwise(path.tools)):
                entry = sums[pair]
                entry.runs_by_efficiency[path.efficiency] += path.count
                entry.sources.update(path.sources)
                entry.last_seen = max(entry.last_seen, *path.finished)
        for run in stage.runs.values():
            if run.passed is False:
                for pair in set(pairwise(run.tools)):
                    sums[pair].failures += 1
    return [_row(pair, entry) for pair, entry in sorted(sums.items()) if entry.sources]


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


def _row(pair: Pair, entry: _Sum) -> Next:
    return Next(
        source=pair[0],
        target=pair[1],
        count=entry.runs_by_efficiency.total(),
        # fsum rounds once, so the order of the terms leaves no trace
        weight=math.fsum(efficiency * runs for efficiency, runs in entry.runs_by_efficiency.items()),
        failures=entry.failures,
        sources=tuple(sorted(entry.sources)),
        last_seen=entry.last_seen or None,
    )
