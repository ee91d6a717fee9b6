"""Reference points: the matrix of a linear system from values and slopes in windows around a few times."""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from identikit.method._base import Cost, Method, Need, too_few_samples
from identikit.method._early_end import not_applicable
from identikit.method._judgement import judge
from identikit.method._option import Option
from identikit.method._report import MethodReport
from identikit.method._status import SOLVED, STOPPED
from identikit.method._twin import Estimator
from identikit.method.reference._linear_matrix import linear_form, measured_states
from identikit.method.reference._reference_curve import reference_curves
from identikit.method.reference._reference_estimate import estimate_matrix
from identikit.method.reference._settings import REFERENCE
from identikit.problem import Problem
from identikit.progress import Progress, silent
from identikit.result import Finding, Result, finding


class ReferencePoints(Method):
    """The matrix A of a linear system x' = A x from local regressions around reference points.

    Around times t_j in arithmetic progression the samples give the states and their slopes, and A = Y' Y^-1;
    frequencies and amplitudes follow. By default all points that fit are used and tied together by x(t_j+1) =
    exp(A D) x(t_j), which costs no integration and comes near the bound. As published: connect = false, degree = 1,
    points = number of states.

    For linear models with constant coefficients, without inputs, with every state measured. Not for nonlinear ones.
    """

    name = "reference_points"
    title = "Local regression around reference points, for linear systems"
    needs = (Need.EQUATIONS, Need.MEASURED_STATES, Need.LINEAR)
    costs = Cost.INSTANT
    settings = (REFERENCE, *Method.settings)
    reference = "G. Tsitsiashvili, A. Gudimenko, M. Osipova, Mathematics 11(12) (2023) 2643, doi 10.3390/math11122643"
    options = (
        Option("points", 0, "integer", "reference points per record; 0 = all that fit", 0, 100_000),
        Option("spacing", 0.0, "number", "time between reference points; 0 = chosen from the record", 0),
        Option("window", 0.0, "number", "half-width of the windows in time; 0 = chosen from the record", 0),
        Option("degree", 2, "integer", "degree of the local polynomials; 1 = as published", 1, 5),
        Option("connect", True, "switch", "tie the points together by exp(A D); false = slopes alone, as published"),
        Option(
            "structure",
            "none",
            "choice",
            "what is known of A: none = nothing; conservative = [0 I; -K 0], positions first, then velocities",
            choices=("none", "conservative"),
        ),
    )

    def objections(self, problem: Problem) -> list[Finding]:
        found = too_few_samples(problem)
        if linear_form(problem.model, problem.free) is None:
            text = (
                f"model '{problem.model.name}' is not linear, x' = A x with constant A: take 'linear', 'linear3', ... "
                "or a linear model of your own, or another method"
            )
            return [*found, finding("not_linear", text)]
        missing = [
            name
            for name, shown in zip(problem.model.state_names, measured_states(problem), strict=True)
            if shown is None
        ]
        if missing:
            text = (
                f"{', '.join(missing)} not measured, and this method needs every state: measure more outputs, or use "
                "shooting"
            )
            found.append(finding("state_not_measured", text, *missing))
        return found

    def estimate(
        self, problem: Problem, *, options: Mapping[str, Any], seed: int = 0, progress: Progress = silent
    ) -> Result:
        begun = time.perf_counter()
        found = estimate_matrix(problem, options, seed, progress.part(0.0, 0.5))
        if isinstance(found, Finding):
            return not_applicable(problem, self.name, [found], options, seed)
        seconds = time.perf_counter() - begun
        given = MethodReport(
            self.name,
            {"total": seconds, "start": 0.0, "solve": seconds},
            options,
            seed,
            deviation=found.deviation,
            diagnostics=found.diagnostics(),
            artifacts=found.artifacts(),
            verdict=STOPPED if progress.stopped else SOLVED,
            findings=found.findings(),
            history=False,
        )
        A = found.form(found.problem.vector(found.p))[0]
        curves = reference_curves(found.problem, found.fits, A, found.sigma)
        again = Estimator(partial(self.again, options, seed), corrects=False)
        return judge(found.problem, curves, found.p, given, progress.part(0.5, 1.0), again)

    def again(self, options: Mapping[str, Any], seed: int, problem: Problem) -> np.ndarray:
        """The estimate from other samples of the same records; NaN if there is none."""
        found = estimate_matrix(problem, options, seed, silent)
        return np.full(len(problem.free), np.nan) if isinstance(found, Finding) else found.p
