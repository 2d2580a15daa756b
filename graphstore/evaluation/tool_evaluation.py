"""An evaluation of tool retrieval: each trial of a data set measured, and kept, so that a later run goes on."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

import graphstore
import graphstore.cypher
import graphstore.loaders
from graphstore.errors import LoadError, SettingsError
from graphstore.evaluation.tool_answers import CURVE, GRAPH, METHODS, Answer, Bench, Point
from graphstore.evaluation.tool_trials import HeldOut, Trial, trials
from graphstore.progress import Progress
from graphstore.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is to be measured.

    :param name: A data set's name, or a folder of the same form.
    :param protocol: ``None`` for the form's default.
    :param methods: Some of :data:`METHODS`; the product is always measured.
    :param splits: Numbers of the splits; ``None`` for all.
    :param curve: Whether to measure at several shares of the history, not only with all of it.
    :param held_out: ``"validation"`` asks what is held out of the history.
    :param out: Folder where each finished split is kept; ``None`` keeps nothing.
    """

    name: str
    protocol: str | None = None
    methods: tuple[str, ...] = METHODS
    splits: tuple[int, ...] | None = None
    curve: bool = False
    held_out: HeldOut = "test"
    out: Path | None = None

    def __post_init__(self) -> None:
        if unknown := sorted(set(self.methods) - set(METHODS)):
            raise SettingsError(f"no method {unknown[0]!r}: {', '.join(METHODS)}")

    @property
    def shares(self) -> tuple[float, ...]:
        """Shares of the history at which answers are taken; the last is all of it."""
        return CURVE if self.curve else (1.0,)

    @property
    def chosen(self) -> tuple[str, ...]:
        """The methods in their usual order, the product first."""
        return tuple(method for method in METHODS if method == GRAPH or method in self.methods)


@dataclass(frozen=True, slots=True)
class Measured:
    """A trial with what was answered to it.

    :param points: One a share of the history, ascending.
    """

    trial: Trial
    points: tuple[Point, ...]


def evaluate(plan: Plan, settings: Settings, *, k: int, progress: Progress) -> Iterator[Measured]:
    """The trials of a plan, each measured, or read back if it was finished before under the same code and data.

    :param k: Tools that are asked for.
    :raises LoadError: the data is not there or cannot be read.
    :raises SettingsError: no such protocol or split.
    """
    every = list(trials(plan.name, plan.protocol, held_out=plan.held_out))
    wanted = range(len(every)) if plan.splits is None else plan.splits
    if beyond := sorted(set(wanted) - set(range(len(every)))):
        raise SettingsError(f"no split {beyond[0]}: {plan.name} has 0 to {len(every) - 1} under this protocol")
    bench = Bench(settings, k=k, progress=progress)
    code = _code()
    for done, trial in enumerate(each for each in every if each.split in set(wanted)):
        progress("splits", done, len(set(wanted)))
        identity = _identity(trial, plan, k, bench.encoder.name, code)
        file = None if plan.out is None else plan.out / f"split-{trial.split}.json"
        points = None if file is None else _kept(file, identity)
        if points is None:
            points = tuple(bench.points(trial, plan.chosen, plan.shares))
            if file is not None:
                _keep(file, identity, trial, points)
        yield Measured(trial, points)


def _identity(trial: Trial, plan: Plan, k: int, encoder: str, code: str) -> str:
    """A hash of all that answers depend on."""
    return sha256(repr((trial, plan.chosen, plan.shares, k, encoder, code)).encode()).hexdigest()


def _code() -> str:
    """A hash of the package's own text."""
    folders = {Path(str(package.__file__)).parent for package in (graphstore, graphstore.cypher, graphstore.loaders)}
    digest = sha256()
    for file in sorted({file for folder in folders for mark in ("*.py", "*.cypher") for file in folder.rglob(mark)}):
        digest.update(file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()


def _keep(file: Path, identity: str, trial: Trial, points: Sequence[Point]) -> None:
    """Write a finished split, whole or not at all."""
    asked = [asdict(each) for each in trial.asked]
    value = {"identity": identity, "asked": asked, "points": [asdict(point) for point in points]}
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_suffix(".part")
    part.write_text(json.dumps(value, ensure_ascii=False), "utf-8")
    part.replace(file)


def _kept(file: Path, identity: str) -> tuple[Point, ...] | None:
    """What was answered before, ``None`` if nothing was or if anything is different now."""
    try:
        value = json.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise LoadError("is no split that an evaluation kept: remove it, or choose another --out", file) from error
    if not isinstance(value, dict) or value.get("identity") != identity:
        return None
    return tuple(
        Point(
            share=point["share"],
            runs=point["runs"],
            answers={
                method: tuple(
                    Answer(tuple(each["ranking"]), each["order"] and tuple(each["order"]), each["tokens"])
                    for each in answers
                )
                for method, answers in point["answers"].items()
            },
        )
        for point in value["points"]
    )
