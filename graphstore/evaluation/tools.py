"""``graphstore eval tools`` from end to end: a plan carried out, and its figures."""

from __future__ import annotations

from typing import Any

from graphstore.encoders import load_encoder
from graphstore.evaluation.tool_evaluation import Plan, evaluate
from graphstore.evaluation.tool_report import Resample, cutoffs, report
from graphstore.evaluation.tool_sets import form_of
from graphstore.evaluation.tool_trials import PROTOCOLS
from graphstore.progress import Progress
from graphstore.settings import Settings


def tool_figures(
    plan: Plan, settings: Settings, *, resample: Resample = "request", progress: Progress
) -> dict[str, Any]:
    """The report of an evaluation, as ``--json`` prints it.

    :raises LoadError: the data is not there or cannot be read.
    :raises SettingsError: no such protocol, split or method.
    """
    form = form_of(plan.name)
    ks = cutoffs(form)
    measured = list(evaluate(plan, settings, k=ks[-1], progress=progress))
    return report(
        measured,
        dataset=measured[0].trial.name,
        protocol=plan.protocol or next(iter(PROTOCOLS[form])),
        held_out=plan.held_out,
        encoder=load_encoder(settings.encoder).name,
        ks=ks,
        resample=resample,
    )
