"""The balance of energy between pairs of times, along a smoothed record."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from identikit.diagnose import identifiability, not_told_apart
from identikit.measurement import SmoothingSpline
from identikit.method._base import Cost, Method, Need, too_few_samples
from identikit.method._judgement import judge
from identikit.method._option import Option
from identikit.method._report import MethodReport
from identikit.method._status import SOLVED
from identikit.method._twin import Estimator
from identikit.method.balance._coefficients import CoefficientFit, confusion, fit_coefficients, parameters_near
from identikit.method.balance._energy_equations import EnergyEquations, objections
from identikit.method.balance._energy_rows import Rows
from identikit.method.balance._settings import BALANCE
from identikit.problem import Problem
from identikit.progress import Progress, silent
from identikit.result import Ending, Finding, Result, Verdict, finding


class Energy(Method):
    """The change of kinetic energy between two times against the work of every force, for all pairs of times.

    For models of second order, x'' = a(t, x, x', u), whose free parameters stand in factors of functions of the motion;
    any motion, transient, periodic or chaotic; any known or measured forcing; no start and no integration. Velocity
    comes from smoothing splines. Less accurate than shooting, which sees the phase as well as the energy; not for
    motion that jumps (impacts), nor with fewer than some 20 samples per oscillation.
    """

    name = "energy"
    title = "Energy balance on smoothing splines"
    needs = (Need.EQUATIONS, Need.ALL_STATES, Need.SECOND_ORDER)
    costs = Cost.INSTANT
    settings = (BALANCE, *Method.settings)
    reference = (
        "B. P. Mann, F. A. Khasawneh, An energy-balance approach for oscillator parameter identification, "
        "J. Sound and Vibration (2009)"
    )
    options = (
        Option("smoothing", "auto", "number", "lambda in sample spacings", 1e-6, 1e30, ("auto",)),
        Option("order", 4, "integer", "derivative whose square is the roughness; 2 = cubic splines", 2, 4),
        Option("pairs", "every", "integer", "random pairs of times per record", 10, 1_000_000, ("every",)),
        Option("spans", "any", "number", "oscillations between the two times of a pair", 0.01, 1e6, ("any",)),
    )

    def objections(self, problem: Problem) -> list[Finding]:
        return too_few_samples(problem) + objections(problem)

    def estimate(
        self, problem: Problem, *, options: Mapping[str, Any], seed: int = 0, progress: Progress = silent
    ) -> Result:
        begun = time.perf_counter()
        balanced = self.balance(problem, options, seed, progress.part(0.0, 0.6))
        fit = balanced.fit
        taken = time.perf_counter() - begun
        given = MethodReport(
            self.name,
            {"total": taken, "start": 0.0, "solve": taken},
            options,
            seed,
            deviation=fit.deviation,
            diagnostics={"energy": _diagnostics(problem, balanced)},
            verdict=_verdict(problem, balanced),
            history=False,
        )
        again = Estimator(partial(self.again, balanced, options, seed))
        return judge(problem, None, fit.p, given, progress.part(0.6, 1.0), again)

    def balance(
        self, problem: Problem, options: Mapping[str, Any], seed: int = 0, progress: Progress = silent
    ) -> Balanced:
        """The rows of the balance, and the parameters that solve them with their scatter over draws of noise."""
        progress.stage("smoothing", 0.0, 0.3, "smoothing the record")
        curves = [
            [smoothed(record.time, record.values[:, j], options) for j in range(len(problem.outputs))]
            for record in problem.records
        ]
        equations = EnergyEquations(problem)
        solving = progress.stage("solving", 0.3, 1.0, "balance of energy")
        pairs, spans = _pairs(options)
        rows = Rows(problem, equations, curves, np.random.default_rng(seed), pairs=pairs, spans=spans)
        draws, squares = [], []
        for probe in range(rows.probes):
            theta_then, added = rows.disturbed(probe)
            draws.append(theta_then)
            squares.append(added)
            if solving(probe / rows.probes, "noise in the balance") is False and probe > 1:
                break
        bias = rows.smoothing_bias()
        covariance = np.atleast_2d(np.cov(np.array(draws).T)) + np.outer(bias, bias)

        theta = partial(_sought, rows)
        labels = [equations.labels[j] for j in rows.sought]
        fit = fit_coefficients(problem, labels, theta, equations.linear, rows.left, rows.theta, covariance, seed)
        imbalance = float(np.sqrt(np.mean(rows.left_over**2) / max(float(np.mean(squares)), 1e-300)))
        return Balanced(rows, fit, imbalance)

    def again(self, balanced: Balanced, options: Mapping[str, Any], seed: int, problem: Problem) -> np.ndarray:
        """The estimate from other samples of the same records, smoothed as much, near the one that was found."""
        curves = [
            [
                SmoothingSpline(record.time, column, curve.order, curve.smoothing)
                for column, curve in zip(record.values.T, part.curves, strict=True)
            ]
            for record, part in zip(problem.records, balanced.rows.records, strict=True)
        ]
        pairs, spans = _pairs(options)
        random = np.random.default_rng(seed)
        rows = Rows(
            problem, balanced.rows.equations, curves, random, pairs=pairs, spans=spans, probes=BALANCE.fewest_probes
        )
        return parameters_near(problem, partial(_sought, rows), rows.left, rows.theta, balanced.fit.p)


def _sought(rows: Rows, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The coefficients that are looked for, and their derivatives."""
    value, slopes = rows.equations.theta(p)
    return value[rows.sought], slopes[rows.sought]


def _pairs(options: Mapping[str, Any]) -> tuple[int | None, float | None]:
    """Pairs of times and the time between the two, None for every pair and any time."""
    return (
        None if options["pairs"] == "every" else options["pairs"],
        None if options["spans"] == "any" else options["spans"],
    )


@dataclass(frozen=True)
class Balanced:
    """The rows, the parameters found from them, and how far the balance is off.

    `imbalance` is what the rows leave over, in units of what the noise explains: about 1 for the right model.
    """

    rows: Rows
    fit: CoefficientFit
    imbalance: float

    @property
    def holds(self) -> bool:
        """Whether the balance is closed up to noise, and is a balance of something."""
        return self.imbalance < BALANCE.off and self.rows.explained > BALANCE.explained


def smoothed(time: np.ndarray, values: np.ndarray, options: Mapping[str, Any]) -> SmoothingSpline:
    """The smoothing spline of one output as the options ask."""
    order, smoothing = options["order"], options["smoothing"]
    if smoothing != "auto":
        return SmoothingSpline(time, values, order, smoothing)
    chosen = SmoothingSpline(time, values, order)
    return SmoothingSpline(time, values, order, (BALANCE.lighter * chosen.length) ** (2 * chosen.order))


def _verdict(problem: Problem, balanced: Balanced) -> Verdict:
    """What the balance of energy itself says, whatever the trajectory does."""
    fit = balanced.fit
    if not np.isfinite(fit.theta).all():
        text = "the balance of energy could not be evaluated along this record: use shooting"
        return Verdict(Ending.FAILED, (finding("balance_not_evaluated", text),))
    if fit.departure > BALANCE.unreachable:
        text = f"{fit.sentence()}: the model does not describe this record, or the bounds are too narrow"
        return Verdict(Ending.FAILED, (finding("coefficients_out_of_reach", text),))
    typical = {name: problem.model.parameter(name).value for name in problem.free}
    judged = identifiability(problem.free, fit.p, fit.whitened, problem.bounds, typical)
    unknown = [name for name, told in zip(problem.free, judged.identifiable, strict=True) if not told]
    confused = confusion(fit, problem.free, unknown)
    if confused.parameters:
        untold = judged.problems or (not_told_apart(confused.parameters),)
        return Verdict(Ending.AMBIGUOUS, (*untold, *confused.findings()))
    if balanced.holds:
        return Verdict(Ending.CONFIRMED, (finding("balance_holds", "the balance of energy holds up to noise"),))
    return SOLVED


def _diagnostics(problem: Problem, balanced: Balanced) -> dict[str, Any]:
    rows, fit = balanced.rows, balanced.fit
    spread = np.sqrt(np.diag(fit.covariance))
    return {
        "coefficients": {
            label: {"value": float(value), "std": float(deviation)}
            for label, value, deviation in zip(fit.labels, fit.theta, spread, strict=True)
        },
        "condition": rows.condition,
        "rows": rows.count,
        "departure": fit.departure,
        "imbalance": balanced.imbalance,
        "explained": rows.explained,
        "smoothing": [
            {
                name: {"lambda": curve.smoothing, "length": curve.length * curve.spacing, "noise": curve.sigma}
                for name, curve in zip(problem.outputs, part.curves, strict=True)
            }
            for part in rows.records
        ],
    }
