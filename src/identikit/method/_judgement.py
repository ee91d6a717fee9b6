"""The result of an estimate that came without integration: judged by the trajectory it implies."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from identikit.likelihood import Layout, Outcome, Preparation
from identikit.measurement import SmoothCurve
from identikit.method._conclusion import conclude
from identikit.method._early_end import not_started, unchecked
from identikit.method._noise_refit import refitted
from identikit.method._report import MethodReport
from identikit.method._settings import TWIN
from identikit.method._twin import Estimator
from identikit.method._twin_check import checked_by_twin
from identikit.problem import Problem
from identikit.progress import Cancelled, Progress, silent
from identikit.result import Ending, Result, finding

StateGuess = Callable[[Layout, np.ndarray], np.ndarray]
"""From segments, and states [segments, states] at their beginnings, to better ones."""


def judge(
    problem: Problem,
    curves: Sequence[Sequence[SmoothCurve]] | None,
    p: np.ndarray,
    given: MethodReport,
    progress: Progress = silent,
    estimator: Estimator | None = None,
    states: StateGuess | None = None,
) -> Result:
    """Fit only the initial states at the parameters p; fit, bound, identifiability and status follow.

    Every method is thereby judged by the same yardstick: the residual of the whole trajectory and the Cramer-Rao
    bound at its estimate. The time this takes is added to the total in `given.seconds`.

    Arguments:
        curves: smooth curves of all records and outputs if the method has them; None = made here.
        p: the estimate, in the order of `problem.free`.
        given: what the method says of its own: standard errors, diagnostics, artifacts, status, times.
        estimator: the method's own, alone. Where the record is not what its standard errors are made for, it is run on
            simulated twins of the record, and the estimate is freed of the bias that these show.
        states: better guesses of the states at the segments' beginnings than the curves give, if the method has some.
    """
    begun = time.perf_counter()
    judging = progress.stage("judging", 0.0, 1.0 if estimator is None else 0.4, "fit and bound at the estimate")
    try:
        preparation = Preparation.of(problem, curves)
        nodes = preparation.nodes(p)
        if states is not None:
            nodes = preparation.inside(states(preparation.layout, nodes))
        outcome = preparation.solver(nodes, frozen=True).run(p, nodes, preparation.sigma, judging)
        if outcome is not None and estimator is not None and given.deviation is not None:
            given, moved = _by_twins(problem, preparation, outcome, given, estimator, progress.part(0.4, 0.8))
            if moved is not None:
                nodes = preparation.nodes(moved)
                solver = preparation.solver(nodes, frozen=True)
                outcome = solver.run(moved, nodes, preparation.sigma, progress.part(0.8, 1.0)) or outcome
    except Cancelled:
        return unchecked(problem, p, given)
    if outcome is None:
        return not_started(problem, given.method, given.options, given.seed)
    total = given.seconds["total"] + time.perf_counter() - begun
    problem, outcome = refitted(preparation, outcome, silent, frozen=True)
    return conclude(problem, outcome, preparation.sigma, replace(given, seconds={**given.seconds, "total": total}))


def _by_twins(
    problem: Problem,
    preparation: Preparation,
    outcome: Outcome,
    given: MethodReport,
    estimator: Estimator,
    progress: Progress,
) -> tuple[MethodReport, np.ndarray | None]:
    """The report with standard errors that hold on this record, and the estimate freed of bias if it had any."""
    assert given.deviation is not None
    if outcome.stopped or not np.isfinite(given.deviation).all():
        return given, None
    if not _followed(problem, outcome):
        if given.verdict is not None and given.verdict.code is Ending.CONFIRMED:
            return given, None  # chaotic motion: the method's equations, not a trajectory, tell its errors
        text = "no interval: no trajectory of the model with these values follows the record"
        unknown = np.full(len(outcome.p), np.nan)
        said = (*given.findings, finding("no_interval", text, *problem.free))
        return replace(given, deviation=unknown, findings=said), None
    found = checked_by_twin(problem, preparation, outcome, given.deviation, estimator, given.seed, progress)
    if found is None:
        return given, None
    told = {
        "pairs": found.pairs,
        "bias": dict(zip(problem.free, map(float, found.bias), strict=True)),
        "before": dict(zip(problem.free, map(float, outcome.p), strict=True)),
    }
    return replace(
        given,
        deviation=found.deviation,
        diagnostics={**(given.diagnostics or {}), "twins": told},
        findings=(*given.findings, *found.findings),
    ), None if np.array_equal(found.p, outcome.p) else found.p


def _followed(problem: Problem, outcome: Outcome) -> bool:
    """Whether the trajectory at the estimate explains most of every output."""
    measured = np.concatenate([record.values for record in problem.records])
    left = np.sqrt(np.nanmean(outcome.residual**2, axis=0))
    return outcome.converged and bool((left <= TWIN.followed * np.nanstd(measured, axis=0)).all())
