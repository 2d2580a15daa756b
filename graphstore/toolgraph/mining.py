"""Path mining: runs of a stage → the paths that solved it.

What a run's path is, ``calls`` decides; here runs of one stage are put together:

*Passed runs only* give paths. A failed run and a run without a verdict are kept with what they called, apart.
*Several paths.* Equal paths are one, with its runs; all of them are kept, and the shortest is the stage's
``shortest_solvable_path``.
*Cost.* ``path_efficiency_score`` = calls of the shortest path / calls that a run made, those left out of its path too.
*Calls after the goal.* Logs do not say when a goal was reached; that another run of the stage passed with less does,
and lowers the efficiency of the longer one.
*No calls.* A passed run that called no tool has no path and is counted apart.

docs/mining.md gives the reason of each rule.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from graphstore.records import StageRun
from graphstore.toolgraph.calls import observed_tool_path, taken

__all__ = ["UNJUDGED", "Path", "Run", "Stage", "Texts", "add_run", "mine_paths", "observed_tool_path", "usage"]

UNJUDGED = 0.1
"""What a run without a verdict counts for as evidence of use, beside a passed run without detours."""


@dataclass(frozen=True, slots=True)
class Texts:
    """What one run's log says of its stage."""

    request: str = ""
    description: str = ""
    task_name: str = ""
    domain: str | None = None


_NO_TEXTS = Texts()


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a stage, as far as mining needs it.

    :param tools: Its path; empty if nothing was called.
    :param passed: Whether the stage reached its goal; ``None`` without a verdict.
    :param finished: ISO 8601 time, or ``None``.
    :param reason: Why it failed, if the log says so.
    :param steps: Step of each tool of the path, ascending; empty if every call is a step of its own.
    :param extra: Calls made beyond the path: retries, polls, further pages.
    """

    id: str
    tools: tuple[str, ...]
    passed: bool | None
    finished: str | None = None
    reason: str | None = None
    steps: tuple[int, ...] = ()
    extra: int = 0
    texts: Texts = _NO_TEXTS

    @property
    def calls(self) -> int:
        """Number of calls that it made."""
        return len(self.tools) + self.extra


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage with every run of it that was ever loaded.

    :param runs: Run id → run; the record loaded last stands.
    """

    id: str
    task: str
    task_name: str = ""
    request: str = ""
    description: str = ""
    domain: str | None = None
    runs: Mapping[str, Run] = field(default_factory=dict)

    @property
    def passed_without_calls(self) -> int:
        """Number of passed runs that called no tool."""
        return sum(1 for run in self.runs.values() if run.passed and not run.tools)


@dataclass(frozen=True, slots=True)
class Path:
    """One successful path of a stage.

    :param steps: Step of each tool, from 0, ascending; tools of one step were called together.
    :param sources: Ids of the passed runs that took it, sorted.
    :param finished: Time of each of these runs, ``""`` where the log has none.
    :param calls: Calls that each of these runs made, at least ``length``.
    :param optimal: Calls of the stage's shortest path.
    :param shortest: Whether it is the stage's ``shortest_solvable_path``. Of several equally short ones it is the one
        most often taken, then the first by name.
    """

    tools: tuple[str, ...]
    steps: tuple[int, ...]
    sources: tuple[str, ...]
    finished: tuple[str, ...]
    calls: tuple[int, ...]
    optimal: int
    shortest: bool

    @property
    def length(self) -> int:
        """Number of calls on it."""
        return len(self.tools)

    @property
    def count(self) -> int:
        """Number of passed runs that took it."""
        return len(self.sources)

    @property
    def efficiency(self) -> float:
        """``path_efficiency_score``, the mean of its runs', in (0, 1]."""
        if len(set(self.calls)) == 1:
            return path_efficiency(self.calls[0], self.optimal)
        return math.fsum(path_efficiency(calls, self.optimal) for calls in self.calls) / len(self.calls)


def path_efficiency(calls: int, shortest: int) -> float:
    """``path_efficiency_score``: calls needed / calls made, in (0, 1].

    >>> path_efficiency(4, 3)
    0.75
    """
    return shortest / calls


def mine_paths(runs: Iterable[Run]) -> tuple[Path, ...]:
    """The successful paths of one stage: shortest first, then most frequent, then by name.

    :param runs: Runs of one stage, each id once. Order does not matter.
    """
    by_path: dict[tuple[tuple[str, ...], tuple[int, ...]], list[Run]] = {}
    for run in runs:
        if run.passed and run.tools:
            by_path.setdefault((run.tools, run.steps), []).append(run)
    if not by_path:
        return ()
    ranked = sorted(by_path.items(), key=lambda item: (len(item[0][0]), -len(item[1]), item[0]))
    optimal = len(ranked[0][0][0])
    paths = []
    for position, ((tools, steps), same) in enumerate(ranked):
        same.sort(key=lambda run: run.id)
        paths.append(
            Path(
                tools=tools,
                steps=steps or tuple(range(len(tools))),
                sources=tuple([run.id for run in same]),
                finished=tuple([run.finished or "" for run in same]),
                calls=tuple([run.calls for run in same]),
                optimal=optimal,
                shortest=position == 0,
            )
        )
    return tuple(paths)


def add_run(stage: Stage | None, record: StageRun) -> Stage:
    """The stage with one more run; a run that it already holds is replaced.

    :param stage: What is known of ``record.stage``, ``None`` if nothing.
    """
    run = judged_run(record)
    return stage_of(record.stage, record.task, {**(stage.runs if stage else {}), run.id: run})


def stages_of(records: Iterable[StageRun]) -> dict[str, Stage]:
    """Stages by their ids, in the order of the records; of two records of one run the later stands."""
    runs: dict[str, dict[str, Run]] = {}
    tasks: dict[str, str] = {}
    for record in records:
        of_stage = runs.get(record.stage)
        if of_stage is None:
            of_stage = runs[record.stage] = {}
            tasks[record.stage] = record.task
        of_stage[record.run] = judged_run(record)
    return {stage: stage_of(stage, tasks[stage], of_stage) for stage, of_stage in runs.items()}


def stage_of(stage: str, task: str, runs: Mapping[str, Run]) -> Stage:
    """The stage with these runs.

    Its texts do not depend on the order of loading: of several requests (or descriptions, domains) that its runs give
    the first by code point stands.
    """
    said = {run.texts for run in runs.values()}
    texts = said.pop() if len(said) == 1 else _first_texts(said)
    return Stage(stage, task, texts.task_name, texts.request, texts.description, texts.domain, runs)


def judged_run(record: StageRun) -> Run:
    """What mining keeps of a run: the reason only if it failed."""
    path = taken(record.calls)
    texts = Texts(record.request.strip(), record.description, record.task_name, record.domain or None)
    reason = record.failure if record.passed is False else None
    return Run(record.run, path.tools, record.passed, record.finished, reason, path.steps, path.extra, texts)


def usage(paths: Iterable[tuple[Sequence[str], float]]) -> dict[str, float]:
    """How much each tool belongs to a stage's solutions: the weight of the paths that hold it, by that of all.

    :param paths: Tools and weight (runs × efficiency) of each path of the stage.
    :returns: Tool id → share in (0, 1]; 1 for a tool on every path.
    """
    total = 0.0
    shares: defaultdict[str, float] = defaultdict(float)
    for tools, weight in paths:
        total += weight
        for tool in dict.fromkeys(tools):
            shares[tool] += weight
    return {tool: share / total for tool, share in shares.items()}


def _first_texts(said: Iterable[Texts]) -> Texts:
    many = list(said)
    return Texts(
        request=_first(texts.request for texts in many),
        description=_first(texts.description for texts in many),
        task_name=_first(texts.task_name for texts in many),
        domain=_first(texts.domain or "" for texts in many) or None,
    )


def _first(values: Iterable[str]) -> str:
    return min((value for value in values if value), default="")
