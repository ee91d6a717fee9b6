"""A result with the term that its model lacks: what an engineer asks first when a fit leaves a pattern."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

from identikit.likelihood import Outcome
from identikit.method.missing._report import MissingTermReport
from identikit.method.missing._search import missing_terms
from identikit.method.missing._settings import MISSING
from identikit.problem import Noise, NoiseKind, Problem
from identikit.progress import Progress
from identikit.result import Code, Finding, Result, Status, apart, finding, listed, ranked

_SIGNS = ("parts_disagree", "unexplained_pattern", "unsteady_parameter", "poor_fit")  # of a model that lacks something


def explained(
    problem: Problem, outcome: Outcome, result: Result, progress: Progress, known: MissingTermReport | None = None
) -> Result:
    """The result with a finding on the missing term, and the model that has it as `discovered`; as it is where nothing
    speaks for a missing term, or where there was no fit. `known` is what was found out before, if anything was."""
    signs = {item.code for item in result.findings}.intersection(_SIGNS)
    fitted = result.status.code in (Code.OK, Code.MISFIT, Code.NOT_IDENTIFIABLE)
    if known is None and (not signs or not fitted or outcome.stopped):
        return result
    begun = time.perf_counter()
    report = known or _searched(problem, outcome, progress)
    spent = time.perf_counter() - begun
    result = replace(result, seconds={**result.seconds, "total": result.seconds["total"] + spent, "explain": spent})
    said = report.finding()
    if said is None:
        return result
    moved = _moved(problem, outcome, result, report)
    status = Status(Code.MISFIT, moved[0].text) if moved and result.status.code is Code.OK else result.status
    found = ranked((*moved, *result.findings, said))
    return replace(result, status=status, findings=found, discovered=report.model_text)


def _moved(problem: Problem, outcome: Outcome, result: Result, report: MissingTermReport) -> tuple[Finding, ...]:
    """The refusal of an estimate that the missing term would move far out of its interval; empty if none does."""
    if report.best is None:
        return ()
    far = {}
    for name, here in zip(problem.free, outcome.p, strict=True):
        there, std = report.best.parameters.get(name, float(here)), result.parameters[name].std
        if std and abs(there - here) > MISSING.moved * std:
            then, now = apart(there, float(here))
            far[name] = f"{name} would be {then} instead of {now}"
    if not far:
        return ()
    text = (
        f"the model lacks {report.best.text}: with it, {listed(far.values())}, more than {MISSING.moved:g} standard "
        "errors away"
    )
    return (finding("estimate_moves", text, *far),)


def term_for_memory(
    problem: Problem, remembering: Problem, outcome: Outcome, progress: Progress
) -> MissingTermReport | None:
    """The report on a term that leaves nothing but white noise, where the noise was about to be given a memory.

    A memory of several samples can be bent to follow what a wrong model misses, nearly as well as the missing term
    would. But a term cannot whiten noise that really remembers. `problem` is the one with white noise, that `outcome`
    is the fit of; `remembering` the same with the noise that was chosen. None = the noise may well remember.
    """
    chosen = any(noise.memory and noise.kind is NoiseKind.AUTO for noise in remembering.noise.values())
    if not chosen or outcome.stopped:
        return None
    report = _searched(problem, outcome, progress)
    return report if report.structured and report.best is not None and report.best.white else None


def _searched(problem: Problem, outcome: Outcome, progress: Progress) -> MissingTermReport:
    """The search, with white noise, in as many samples as it needs."""
    thin = problem.with_records([record.thinned(_stride(outcome)) for record in problem.records])
    white = thin.with_noise({name: Noise(NoiseKind.WHITE, level=item.level) for name, item in thin.noise.items()})
    return missing_terms(white, outcome.p, progress)


def _stride(outcome: Outcome) -> int:
    """Samples to skip: a pattern as long as the motion needs no more than some tens in each oscillation."""
    segment = float(np.median(np.diff(outcome.layout.first_sample)))
    return max(1, int(segment / MISSING.samples_per_segment))
