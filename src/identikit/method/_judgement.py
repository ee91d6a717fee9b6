"""The result of an estimate that came without integration: judged by the trajectory it implies."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from identikit.likelihood import Preparation
from identikit.measurement import SmoothCurve
from identikit.method._conclusion import conclude
from identikit.method._early_end import not_started, unchecked
from identikit.method._report import MethodReport
from identikit.problem import Problem
from identikit.progress import Cancelled, Progress, silent
from identikit.result import Result


def judge(
    problem: Problem,
    curves: Sequence[Sequence[SmoothCurve]] | None,
    p: np.ndarray,
    given: MethodReport,
    progress: Progress = silent,
) -> Result:
    """Fit only the initial states at the parameters p; fit, bound, identifiability and status follow.

    Every method is thereby judged by the same yardstick: the residual of the whole trajectory and the Cramer-Rao
    bound at its estimate. The time this takes is added to the total in `given.seconds`.

    Arguments:
        curves: smooth curves of all records and outputs if the method has them; None = made here.
        p: the estimate, in the order of `problem.free`.
        given: what the method says of its own: standard errors, diagnostics, artifacts, status, times.
    """
    begun = time.perf_counter()
    judging = progress.stage("judging", 0.0, 1.0, "fit and bound at the estimate")
    try:
        preparation = Preparation.of(problem, curves)
        nodes = preparation.nodes(p)
        solver = preparation.solver(nodes, frozen=True)
        outcome = solver.run(p, nodes, preparation.sigma, judging)
    except Cancelled:
        return unchecked(problem, p, given)
    if outcome is None:
        return not_started(problem, given.method, given.options, given.seed)
    total = given.seconds["total"] + time.perf_counter() - begun
    return conclude(problem, outcome, preparation.sigma, replace(given, seconds={**given.seconds, "total": total}))
