"""A result with the term that its model lacks: what an engineer asks first when a fit leaves a pattern."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

from identikit.likelihood import Outcome
from identikit.method.missing._search import missing_terms
from identikit.method.missing._settings import MISSING
from identikit.problem import Noise, NoiseKind, Problem
from identikit.progress import Progress
from identikit.result import Code, Result, ranked

_SIGNS = ("parts_disagree", "unexplained_pattern", "unsteady_parameter", "poor_fit")  # of a model that lacks something


def explained(problem: Problem, outcome: Outcome, result: Result, progress: Progress) -> Result:
    """The result with a finding on the missing term, and the model that has it as `discovered`; as it is where nothing
    speaks for a missing term, or where there was no fit."""
    signs = {item.code for item in result.findings}.intersection(_SIGNS)
    fitted = result.status.code in (Code.OK, Code.MISFIT, Code.NOT_IDENTIFIABLE)
    if not signs or not fitted or outcome.stopped:
        return result
    thin = problem.with_records([record.thinned(_stride(outcome)) for record in problem.records])
    white = thin.with_noise({name: Noise(NoiseKind.WHITE, level=item.level) for name, item in thin.noise.items()})
    begun = time.perf_counter()
    report = missing_terms(white, outcome.p, progress)
    spent = time.perf_counter() - begun
    result = replace(result, seconds={**result.seconds, "total": result.seconds["total"] + spent, "explain": spent})
    said = report.finding()
    if said is None:
        return result
    return replace(result, findings=ranked((*result.findings, said)), discovered=report.model_text)


def _stride(outcome: Outcome) -> int:
    """Samples to skip: a pattern as long as the motion needs no more than some tens in each oscillation."""
    segment = float(np.median(np.diff(outcome.layout.first_sample)))
    return max(1, int(segment / MISSING.samples_per_segment))
