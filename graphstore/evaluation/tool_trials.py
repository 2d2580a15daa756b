"""Trials of tool retrieval: what is loaded, what is then asked, and what should come back, by data set and protocol.

A trial never knows what it asks: no asked task is in its history, nor any task of the same *group* where the protocol
holds groups out (a tool path, a main tool, a template). Splits are seeded, so the same name gives the same trials.

``held_out="validation"`` holds tasks out of each trial's *history* in the same way and drops the test: choices are made
on these trials only.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from graphstore.errors import LoadError, SettingsError
from graphstore.evaluation.tool_sets import Task, ToolSet, read_tool_set
from graphstore.records import StageRun, ToolSpec

HeldOut = Literal["test", "validation"]

SHARE = 0.2
"""Share of groups that a split holds out."""
SPLITS = 5
UNSEEN, SEEN = "unseen path", "seen path"
NO_HISTORY, HISTORY = "no history", "history"


@dataclass(frozen=True, slots=True)
class Asked:
    """A request whose tools are known.

    :param gold: Ids of the tools that it needs, each once; in the order of their first call if ``ordered``.
    :param parts: Names of the parts of the data set whose figures are reported apart.
    :param group: What it shares with requests that are not independent of it: path, main tool or template.
    """

    id: str
    request: str
    gold: tuple[str, ...]
    ordered: bool
    parts: tuple[str, ...]
    group: str = ""


@dataclass(frozen=True, slots=True)
class Trial:
    """What is loaded into an empty store, and what is asked of it.

    :param name: The data set.
    :param split: Number of the split, from 0.
    """

    name: str
    split: int
    catalog: list[ToolSpec]
    history: list[StageRun]
    asked: list[Asked]


def trials(name: str, protocol: str | None = None, *, held_out: HeldOut = "test") -> Iterator[Trial]:
    """The trials of a data set, split by split.

    :param name: A data set's name, looked for under ``GRAPHSTORE_DATA``, or a folder of the same form.
    :param protocol: One of :data:`PROTOCOLS` of its form; the first of them if not given.
    :param held_out: ``"validation"`` to ask what is held out of the history instead of the test.
    :raises LoadError: the data is not there or cannot be read, or holds nothing to be asked.
    :raises SettingsError: no such protocol.
    """
    data = read_tool_set(name)
    known = PROTOCOLS[data.form]
    chosen = protocol or next(iter(known))
    if chosen not in known:
        raise SettingsError(f"{data.name} has no protocol {chosen!r}: {', '.join(known)}")
    for trial in known[chosen](data, held_out):
        if not trial.asked:
            raise LoadError(f"split {trial.split} asks for nothing: no task held out has a tool of the catalog", name)
        yield trial


def official(data: ToolSet, held_out: HeldOut) -> Iterator[Trial]:
    """The data set's own test tasks; validation holds as many of the others out, or half of these if that is less."""
    tests = data.test_ids
    if held_out == "validation":
        data = replace(data, tasks=tuple(task for task in data.tasks if task.id not in tests))
        tests = frozenset(
            _sample([task.id for task in data.tasks], min(len(tests), len(data.tasks) // 2), "validation 0")
        )
    known = {task.group for task in data.tasks if task.id not in tests}
    yield _trial(data, 0, tests, parts=lambda task: (SEEN if task.group in known else UNSEEN,))


def by_group(data: ToolSet, held_out: HeldOut) -> Iterator[Trial]:
    """Five seeded splits, each with a fifth of the groups held out; a group may be held out in several."""
    groups = sorted({task.group for task in data.tasks})
    for split in range(SPLITS):
        tests = _sample(groups, round(SHARE * len(groups)), str(split))
        yield _held_out(data, split, _of_groups(data.tasks, tests), held_out)


def folds_of_groups(data: ToolSet, held_out: HeldOut) -> Iterator[Trial]:
    """Five seeded folds of groups, so that each request is asked once."""
    yield from _folds(data, held_out, lambda task: task.group)


def folds_of_tasks(data: ToolSet, held_out: HeldOut) -> Iterator[Trial]:
    """Five seeded folds of tasks, so that each request is asked once; tasks of its group may be in the history."""
    yield from _folds(data, held_out, lambda task: task.id)


def without_declarations(data: ToolSet, held_out: HeldOut) -> Iterator[Trial]:
    """Folds of groups with a catalog that declares no dependencies: history only."""
    bare = tuple(replace(tool, requires=()) for tool in data.catalog)
    yield from folds_of_groups(replace(data, catalog=bare), held_out)


def declared(data: ToolSet, held_out: HeldOut) -> Iterator[Trial]:
    """Declared dependencies: all requests without any history, then the folds of groups with history.

    As the first trial's test asks everything, its validation asks the first fold's validation tasks.
    """
    folds = list(folds_of_groups(data, held_out))
    ids = {task.id for task in data.tasks} if held_out == "test" else {asked.id for asked in folds[0].asked}
    alone = _trial(data, 0, ids, parts=lambda task: (NO_HISTORY,))
    yield replace(alone, history=[])
    for fold in folds:
        asked = [replace(each, parts=(HISTORY,)) for each in fold.asked]
        yield replace(fold, split=fold.split + 1, asked=asked)


PROTOCOLS = {
    "ultratool": {"official": official},
    "traject-bench": {"by-path": by_group},
    "toollinkos": {"history": without_declarations, "declared": declared},
    "workbench": {"by-task": folds_of_tasks, "by-template": folds_of_groups},
}
"""Form of a data set → its protocols, the default first."""


def _folds(data: ToolSet, held_out: HeldOut, key: Callable[[Task], str]) -> Iterator[Trial]:
    keys = sorted({key(task) for task in data.tasks})
    random.Random("folds").shuffle(keys)
    for split in range(SPLITS):
        tests = set(keys[split::SPLITS])
        yield _held_out(data, split, {task.id for task in data.tasks if key(task) in tests}, held_out, key)


def _held_out(
    data: ToolSet,
    split: int,
    tests: Collection[str],
    held_out: HeldOut,
    key: Callable[[Task], str] = lambda task: task.group,
) -> Trial:
    """The trial that asks ``tests``, or one that asks what is held out of its history in the same way."""
    if held_out == "validation":
        data = replace(data, tasks=tuple(task for task in data.tasks if task.id not in tests))
        keys = sorted({key(task) for task in data.tasks})
        chosen = _sample(keys, round(SHARE * len(keys)), f"validation {split}")
        tests = {task.id for task in data.tasks if key(task) in chosen}
    return _trial(data, split, tests)


def _trial(
    data: ToolSet, split: int, tests: Collection[str], parts: Callable[[Task], tuple[str, ...]] = lambda task: ()
) -> Trial:
    return Trial(
        name=data.name,
        split=split,
        catalog=list(data.catalog),
        history=[run for task in data.tasks if task.id not in tests for run in task.runs],
        asked=[
            Asked(task.id, task.request, task.gold, data.ordered, parts(task), task.group)
            for task in data.tasks
            if task.id in tests and task.gold
        ],
    )


def _of_groups(tasks: Sequence[Task], groups: Collection[str]) -> set[str]:
    return {task.id for task in tasks if task.group in groups}


def _sample(values: Sequence[str], count: int, seed: str) -> set[str]:
    return set(random.Random(seed).sample(sorted(values), count))
