"""The figures of an evaluation of tool retrieval, as the JSON that ``graphstore eval tools --json`` prints."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from graphstore.evaluation.comparisons import comparisons, means
from graphstore.evaluation.metrics import METRICS, figures, kendall_tau
from graphstore.evaluation.significance import SAMPLES
from graphstore.evaluation.tool_answers import GRAPH, Answer
from graphstore.evaluation.tool_evaluation import Measured
from graphstore.evaluation.tool_trials import Asked

Resample = Literal["request", "group"]
Floats = NDArray[np.float64]

CUTOFFS = {"workbench": (2, 3, 5)}
"""Cut-offs k by form; with 27 tools only small ones say anything."""
USUAL = (5, 10)


def cutoffs(form: str) -> tuple[int, ...]:
    """The cut-offs k at which a data set of a form is measured, ascending."""
    return CUTOFFS.get(form, USUAL)


@dataclass(frozen=True, slots=True)
class Table:
    """The figures of all methods on the same requests.

    :param asked: The requests, of all splits.
    :param weights: Such that the weighted mean is the mean over splits of the means over their requests.
    :param names: Metrics, in the order of the columns.
    :param values: Method → figures; NaN where a request has none (an order of fewer than two tools).
        *Shape:* ``(requests, metrics)``
    """

    asked: tuple[Asked, ...]
    weights: Floats
    names: tuple[str, ...]
    values: Mapping[str, Floats]

    @classmethod
    def of(cls, measured: Sequence[Measured], ks: Sequence[int], point: int = -1) -> Table:
        """The table of all trials at one point of their history."""
        asked = tuple(each for one in measured for each in one.trial.asked)
        weights = np.concatenate([np.full(len(m.trial.asked), 1 / max(1, len(m.trial.asked))) for m in measured])
        answers = {
            method: [answer for one in measured for answer in one.points[point].answers[method]]
            for method in measured[0].points[point].answers
        }
        rows = {
            method: [_row(answer, request, ks) for answer, request in zip(given, asked, strict=True)]
            for method, given in answers.items()
        }
        names = (*(f"{metric}@{k}" for metric in METRICS for k in ks), "tau", "tokens")
        values = {
            method: np.array([[row[name] for name in names] for row in listed]) for method, listed in rows.items()
        }
        return cls(asked, weights, names, values)

    def part(self, name: str) -> Table:
        """The requests of one part; splits that have none of them count nothing."""
        keep = np.array([name in request.parts for request in self.asked])
        asked = tuple(request for request, kept in zip(self.asked, keep, strict=True) if kept)
        return Table(asked, self.weights[keep], self.names, {m: v[keep] for m, v in self.values.items()})

    def means(self) -> dict[str, dict[str, float]]:
        """Method → metric → mean; metrics that no request has are left out."""
        return means(self.values, self.names, self.weights)

    def comparisons(self, resample: Resample = "request", *, samples: int = SAMPLES) -> list[dict[str, Any]]:
        """The product against each other method on each metric of ranking, p corrected for all of them together."""
        pairs = [(GRAPH, method) for method in self.values if method != GRAPH]
        metrics = [name for name in self.names if "@" in name]
        units = [request.group if resample == "group" else request.id for request in self.asked]
        return comparisons(self.values, self.names, pairs, metrics, units, weights=self.weights, samples=samples)


def report(
    measured: Sequence[Measured],
    *,
    dataset: str,
    protocol: str,
    held_out: str,
    encoder: str,
    ks: Sequence[int],
    resample: Resample = "request",
    samples: int = SAMPLES,
) -> dict[str, Any]:
    """All figures of an evaluation."""
    table = Table.of(measured, ks)
    parts = sorted({part for request in table.asked for part in request.parts})
    out: dict[str, Any] = {
        "dataset": dataset,
        "protocol": protocol,
        "held_out": held_out,
        "encoder": encoder,
        "tools": len(measured[0].trial.catalog),
        "splits": [
            {"split": m.trial.split, "runs": len(m.trial.history), "questions": len(m.trial.asked)} for m in measured
        ],
        "questions": len(table.asked),
        "resampled_by": resample,
        "methods": table.means(),
        "comparisons": table.comparisons(resample, samples=samples),
        "parts": {
            part: {
                "questions": len(chosen.asked),
                "methods": chosen.means(),
                "comparisons": chosen.comparisons(resample, samples=samples),
            }
            for part in parts
            for chosen in [table.part(part)]
        },
    }
    if len(measured[0].points) > 1:
        out["learning_curve"] = [_point(measured, ks, index) for index in range(len(measured[0].points))]
    return out


def _point(measured: Sequence[Measured], ks: Sequence[int], index: int) -> dict[str, Any]:
    points = [one.points[index] for one in measured]
    runs = round(sum(point.runs for point in points) / len(points))
    return {"share": points[0].share, "runs": runs, "methods": Table.of(measured, ks, index).means()}


def _row(answer: Answer, request: Asked, ks: Sequence[int]) -> dict[str, float]:
    tau = kendall_tau(answer.order or answer.ranking, request.gold) if request.ordered else None
    return {
        **figures(answer.ranking, request.gold, ks),
        "tau": math.nan if tau is None else tau,
        "tokens": float(answer.tokens),
    }
