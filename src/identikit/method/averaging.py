"""The averaged solution of a pendulum, fitted to its record."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from identikit.errors import SimulationError
from identikit.likelihood import smooth_curves
from identikit.method._base import Cost, Method, Need, ObjectionError, too_few_samples
from identikit.method._judgement import judge
from identikit.method._option import Option
from identikit.method._report import MethodReport
from identikit.method._status import SOLVED
from identikit.method.balance._averaged import AveragedFit, AveragedForm, AveragedProblem, Swing
from identikit.method.balance._coefficients import affine, fit_coefficients
from identikit.method.balance._settings import BALANCE
from identikit.model import degrees_of_freedom, equations_of_motion
from identikit.numerics import block_sums, sandwich, symmetric_inverse
from identikit.problem import Problem
from identikit.progress import Cancelled, Progress, silent
from identikit.result import Finding, Result
from identikit.simulation import simulate


class Averaging(Method):
    """The averaged (first-order) solution of a viscously damped pendulum, fitted to the angle by least squares.

        x(t) = a exp(-mu w0 t) cos(w0 t + (a^2/32 mu) (exp(-2 mu w0 t) - 1) + phi)

    Only for x'' + 2 mu w0 x' + w0^2 sin x = 0, and accurate only for small swings: the error grows with the square of
    the amplitude and is a per cent or two at 40 degrees. It stands here for comparison with `energy`, which was
    published against it; for a pendulum use `shooting`.
    """

    name = "averaging"
    title = "Averaged solution of the pendulum, fitted"
    needs = (Need.EQUATIONS, Need.ONE_DEGREE)
    costs = Cost.INSTANT
    settings = (BALANCE, *Method.settings)
    reference = "A. H. Nayfeh, D. T. Mook, Nonlinear Oscillations, Wiley 1979, chapter 2"
    options = (
        Option(
            "from_rest",
            "auto",
            "choice",
            "whether records begin at rest, with no phase to find; auto = if they are known to, or look like it",
            choices=("auto", "yes", "no"),
        ),
    )

    def objections(self, problem: Problem) -> list[Finding]:
        found = too_few_samples(problem)
        try:
            AveragedForm(problem)
        except ObjectionError as objection:
            found.append(objection.finding)
        return found

    def estimate(
        self, problem: Problem, *, options: Mapping[str, Any], seed: int = 0, progress: Progress = silent
    ) -> Result:
        begun = time.perf_counter()
        progress.stage("smoothing", 0.0, 0.2, "smoothing the record")
        form = AveragedForm(problem)
        curves = smooth_curves(problem)
        period = float(np.median([part[form.output].time_scale for part in curves]))
        swings = [_swing(record.time, record.values[:, form.output]) for record in problem.records]
        averaged = AveragedProblem(form, swings, options["from_rest"] == "yes" or _told_rest(problem))
        solving = progress.stage("solving", 0.2, 0.6, "frequencies")
        starts = averaged.starts(period, [float(np.mean(swing.values)) for swing in swings])
        solving(0.3, "averaged solution")
        fit = averaged.solve(starts)
        if options["from_rest"] == "auto" and (np.abs(np.sin(fit.phases)) < BALANCE.at_rest).all():
            averaged = AveragedProblem(form, swings, True)
            fit = averaged.solve([averaged.rested(fit.unknowns)])
        solving(0.7, "what averaging leaves out")
        covariance = _covariance(fit, swings, period)
        linear = affine([form.coefficients[i] for i in form.sought], problem.free)
        found = fit_coefficients(problem, form.labels, form.theta, linear, fit.rows, fit.theta, covariance, seed)
        left_out = _truncation(problem, averaged, fit, found.p)
        bias = found.gain @ left_out if left_out is not None else np.full(len(found.p), np.nan)
        deviation = np.sqrt(found.deviation**2 + np.nan_to_num(bias) ** 2)
        taken = time.perf_counter() - begun
        given = MethodReport(
            self.name,
            {"total": taken, "start": 0.0, "solve": taken},
            options,
            seed,
            deviation=deviation,
            diagnostics={
                "averaging": {
                    "amplitudes": [float(abs(a)) for a in fit.amplitudes],
                    "from_rest": averaged.from_rest,
                    "bias": {
                        name: float(value) if np.isfinite(value) else None
                        for name, value in zip(problem.free, bias, strict=True)
                    },
                }
            },
            verdict=SOLVED,
            history=False,
        )
        return judge(problem, curves, found.p, given, progress.part(0.6, 1.0))


def _told_rest(problem: Problem) -> bool:
    """Whether the velocity is known to be zero when every record begins."""
    velocity = problem.model.state_names[equations_of_motion(problem.model, problem.fixed)[0].velocity]
    return all(record[velocity].known and record[velocity].value == 0 for record in problem.initial)


def _swing(time: np.ndarray, values: np.ndarray) -> Swing:
    known = np.isfinite(values)
    return Swing(time[known] - time[0], values[known])


def _covariance(fit: AveragedFit, swings: Sequence[Swing], period: float) -> np.ndarray:
    """Of the coefficients, from residuals that may be correlated: the scores of each oscillation are one draw."""
    information, residual = fit.rows.T @ fit.rows, np.concatenate(fit.residuals)
    plain = symmetric_inverse(information) * float(residual @ residual) / max(len(residual) - len(fit.unknowns), 1)
    labels = np.concatenate(
        [index * 10_000_000 + (swing.time // period).astype(int) for index, swing in enumerate(swings)]
    )
    robust = sandwich(information, block_sums(fit.rows * residual[:, None], labels), unknowns=len(information))
    # compared where each coefficient is measured by what the record tells of it alone
    return max(plain, robust, key=lambda covariance: float(np.diag(covariance) @ np.diag(information)))


def _truncation(problem: Problem, averaged: AveragedProblem, fit: AveragedFit, p: np.ndarray) -> np.ndarray | None:
    """How far the coefficients move when the averaged solution is fitted to the exact motion of this pendulum."""
    model = problem.model
    position, velocity = (model.state_names[i] for i in degrees_of_freedom(model)[0])
    parameters = dict(problem.fixed) | dict(zip(problem.free, map(float, p), strict=True))
    exact = []
    for swing, (angle, rate) in zip(averaged.swings, fit.starts, strict=True):
        times = np.concatenate([[0.0], swing.time]) if swing.time[0] > 0 else swing.time
        try:
            motion = simulate(model, times, parameters, {position: angle, velocity: rate})
        except (SimulationError, Cancelled):
            return None
        shown = motion.outputs[problem.outputs[averaged.form.output]]
        exact.append(Swing(swing.time, shown[-len(swing.time) :]))
    again = AveragedProblem(averaged.form, exact, averaged.from_rest).solve([fit.unknowns])
    return again.theta - averaged.form.theta(p)[0]
