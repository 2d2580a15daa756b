"""Path mining: runs of a stage → the paths that solved it.

The rules, all of them:

*Observed path.* The tool names of **all** calls of the run, in the order of the log.
*Retry of a failed call.* Both calls stay on the path. A retry is cost, so it lowers the path's efficiency; it does not
change which tools the stage needs.
*Polling.* Equal calls in a row stay on the path, for the same reason. The pair ``(a, a)`` is counted like any other;
the diffusion ignores it, as a walk gains nothing by standing still.
*Parallel calls.* They follow each other in the order in which the log lists them: logs do not say more.
*Passed runs only.* A failed run gives no path; its transitions are counted apart (see ``history``). A run without a
verdict gives nothing.
*No calls.* A passed run that called no tool has no path and is counted apart.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from graphstore.records import StageRun, ToolCall


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a stage, as far as mining needs it.

    :param tools: The observed path; empty if nothing was called.
    :param passed: Whether the stage reached its goal; ``None`` without a verdict.
    :param finished: ISO 8601 time, or ``None``.
    :param reason: Why it failed, if the log says so.
    """

    id: str
    tools: tuple[str, ...]
    passed: bool | None
    finished: str | None = None
    reason: str | None = None


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

    :param sources: Ids of the passed runs that took it, sorted.
    :param finished: Time of each of these runs, ``""`` where the log has none.
    :param efficiency: ``path_efficiency_score`` = calls of the stage's shortest path / calls of this one, in (0, 1].
    :param shortest: Whether it is the stage's ``shortest_solvable_path``. Of several equally short ones it is the one
        most often taken, then the first by name.
    """

    tools: tuple[str, ...]
    sources: tuple[str, ...]
    finished: tuple[str, ...]
    efficiency: float
    shortest: bool

    @property
    def length(self) -> int:
        """Number of calls."""
        return len(self.tools)

    @property
    def count(self) -> int:
        """Number of passed runs that took it."""
        return len(self.sources)


def observed_tool_path(calls: Iterable[ToolCall]) -> tuple[str, ...]:
    """The tool ids of all calls, in order.

    >>> observed_tool_path([ToolCall("find"), ToolCall("open", success=False), ToolCall("open")])
    ('find', 'open', 'open')
    """
    return tuple(call.tool for call in calls)


def path_efficiency(length: int, shortest: int) -> float:
    """``path_efficiency_score``: calls needed / calls made, in (0, 1].

    >>> path_efficiency(4, 3)
    0.75
    """
    return shortest / length


def mine_paths(runs: Iterable[Run]) -> tuple[Path, ...]:
    """The successful paths of one stage: shortest first, then most frequent, then by name.

    :param runs: Runs of one stage, each id once. Order does not matter.
    """
    taken: dict[tuple[str, ...], list[Run]] = {}
    for run in runs:
        if run.passed and run.tools:
            taken.setdefault(run.tools, []).append(run)
    ranked = sorted(taken.items(), key=lambda item: (len(item[0]), -len(item[1]), item[0]))
    paths = []
    for position, (tools, same) in enumerate(ranked):
        same.sort(key=lambda run: run.id)
        paths.append(
            Path(
                tools=tools,
                sources=tuple(run.id for run in same),
                finished=tuple(run.finished or "" for run in same),
                efficiency=path_efficiency(len(tools), len(ranked[0][0])),
                shortest=position == 0,
            )
        )
    return tuple(paths)


def add_run(stage: Stage | None, record: StageRun) -> Stage:
    """The stage with one more run; a run that it already holds is replaced.

    Texts do not depend on the order of loading: of several requests (or descriptions, domains) given for one stage the
    first by code point stands.

    :param stage: What is known of ``record.stage``, ``None`` if nothing.
    """
    known = stage or Stage(id=record.stage, task=record.task)
    run = judged_run(record)
    return replace(
        known,
        task_name=_first(known.task_name, record.task_name),
        request=_first(known.request, record.request.strip()),
        description=_first(known.description, record.description),
        domain=_first(known.domain or "", record.domain or "") or None,
        runs={**known.runs, run.id: run},
    )


def judged_run(record: StageRun) -> Run:
    """What mining keeps of a run: no reason if it passed, nothing but its id without a verdict or a passed path."""
    tools = observed_tool_path(record.calls)
    if record.passed is False:
        return Run(record.run, tools, False, record.finished, record.failure)
    if record.passed and tools:
        return Run(record.run, tools, True, record.finished)
    return Run(record.run, (), record.passed)


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


def _first(known: str, new: str) -> str:
    return min(known, new) if known and new else known or new
