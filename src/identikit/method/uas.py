"""The universal adaptive stabilizer: a high-gain observer whose parameters adapt, told honestly."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from identikit.measurement import SmoothCurve
from identikit.method._base import Cost, Method, Need, needs_equations, not_measured, too_few_samples
from identikit.method._conclusion import conclude_from
from identikit.method._early_end import unchecked
from identikit.method._option import Option
from identikit.method._report import MethodReport
from identikit.method._settings import OBSERVER
from identikit.method.adaptive_observer._adaptation_law import AdaptationLaw
from identikit.method.adaptive_observer._nussbaum import Nussbaum, mittag_leffler, shape_of
from identikit.method.adaptive_observer._observer import observe
from identikit.method.adaptive_observer._outcome import ObserverOutcome, validated, without_foundation
from identikit.method.adaptive_observer._told import not_told, smoothed, told, velocities
from identikit.model import kinematic_pairs
from identikit.numerics import middle
from identikit.problem import Problem
from identikit.progress import Cancelled, Progress, silent
from identikit.result import Finding, Result, finding


class Uas(Method):
    """A high-gain observer follows the measured velocities while its parameters adapt (universal adaptive stabilizer).

        v' = a(x, v, z) + N(k) e,    k' = |e|^2,    z' = (gamma + lambda_u (upper - z) + lambda_l (lower - z)) |e|

    Built as published, to be compared with. It does not identify parameters: |e| is a common factor of its law, so
    every z goes to (gamma + lambda_u upper + lambda_l lower)/(lambda_u + lambda_l), a point made of the bounds that
    are given, whatever is measured. The result says how near to this point it ended, and is never `ok`. The bounds
    are those of the parameters; velocities are measured, or slopes of measured positions.

    For friction use `shooting`.
    """

    name = "uas"
    title = "Universal adaptive stabilizer: observer with adapting parameters, for comparison"
    needs = (Need.EQUATIONS, Need.SECOND_ORDER)
    costs = Cost.SECONDS
    identifies = False
    settings = (OBSERVER, *Method.settings)
    reference = (
        "A. Wadi, S. Mukhopadhyay, L. Romdhane, IEEE Access (2022), doi 10.1109/ACCESS.2022.3165081; "
        "A. Ilchmann, Non-Identifier-Based High-Gain Adaptive Control, Springer 1993"
    )
    options = (
        Option("nussbaum", "mittag_leffler", "choice", "gain function N(k)", choices=("mittag_leffler",)),
        Option("alpha", 3.0, "number", "of the Mittag-Leffler function, above 2", 2.001, 3.0),
        Option("scale", 1.0, "number", "lambda in N(k) = E_alpha(-lambda k^alpha)", 1e-12, 1e12),
        Option("gamma", 0.0, "number", "constant pull on every parameter", -1e12, 1e12),
        Option("lambda_u", 1.0, "number", "confidence in the upper bounds", 0.0, 1e12),
        Option("lambda_l", 50.0, "number", "confidence in the lower bounds", 0.0, 1e12),
        Option("k0", 7.0, "number", "gain to begin with; the default N is positive from 5.44 to 9.07", 1e-12, 1e3),
        Option(
            "threshold", 0.0, "number", "mean error norm below which estimates are taken; 0 = at the end", 0.0, 1e12
        ),
        Option("window", 0.05, "number", "share of the record over which estimates are averaged", 0.0, 1.0),
        Option("steps", 0, "integer", "Runge-Kutta steps between samples; 0 = what gain and adaptation need", 0, 1000),
    )

    def objections(self, problem: Problem) -> list[Finding]:
        found = too_few_samples(problem) + needs_equations(problem)
        if found:
            return found
        if not kinematic_pairs(problem.model):
            text = (
                f"model '{problem.model.name}' has no states in pairs x' = v, v' = a(t, x, v), which the observer "
                "works on: use shooting"
            )
            return [finding("not_second_order", text)]
        missing = not_told(problem)
        return [not_measured(missing, "measure the positions")] if missing else []

    def estimate(
        self, problem: Problem, *, options: Mapping[str, Any], seed: int = 0, progress: Progress = silent
    ) -> Result:
        begun = time.perf_counter()
        smoothing = progress.stage("smoothing", 0.0, 0.2, "smoothing the record")
        curves = smoothed(problem)
        begin = _start(problem)
        p = problem.vector(begin)
        law = AdaptationLaw.of(problem.free, problem.bounds, options["gamma"], options["lambda_u"], options["lambda_l"])
        shape = shape_of(options["alpha"], options["scale"])
        variant = self.variant("nussbaum", options)
        nussbaum: Nussbaum = variant.work if variant else mittag_leffler
        gain = float(nussbaum(np, np.float64(options["k0"]), shape))
        records = []
        for i, own in enumerate(curves):
            smoothing(0.5 + 0.4 * i / len(curves), "what the observer is told")
            steps = options["steps"] or _steps(problem, own, i, law, gain)
            records.append(told(problem, i, own, p, steps))
        prepared = time.perf_counter()
        watching = progress.stage("solving", 0.2, 0.6, "observing")
        path = observe(problem.model, problem.free, records, p, law, nussbaum, shape, options["k0"], watching)
        outcome = ObserverOutcome.of(problem.free, path, begin, law, options["threshold"], options["window"])
        solved = time.perf_counter()
        given = MethodReport(
            self.name,
            {"total": solved - begun, "start": prepared - begun, "solve": solved - prepared},
            options,
            seed,
            deviation=np.full(len(problem.free), np.nan),
            diagnostics=outcome.diagnostics(),
            artifacts=outcome.artifacts(problem),
            verdict=outcome.verdict(),
            history=False,
        )
        progress.stage("judging", 0.6, 1.0, "free motion with the estimates")
        try:
            evidence = validated(problem, outcome.p, records)
        except Cancelled:
            return without_foundation(unchecked(problem, outcome.p, given), problem.free)
        total = time.perf_counter() - begun
        result = conclude_from(problem, evidence, replace(given, seconds={**given.seconds, "total": total}))
        return without_foundation(result, problem.free)


def _start(problem: Problem) -> np.ndarray:
    """Starting values that were given, else the middle of the bounds."""
    usual = middle(*problem.limits)
    return np.array([problem.start.get(name, usual[i]) for i, name in enumerate(problem.free)], float)


def _steps(problem: Problem, curves: Sequence[SmoothCurve], index: int, law: AdaptationLaw, gain: float) -> int:
    """Runge-Kutta steps between samples that neither the gain nor the adaptation makes unstable, at the errors of an
    observer that stands still."""
    record = problem.records[index]
    measured = velocities(problem, index, curves, problem.vector(_start(problem)), record.time)
    error = float(np.sqrt(np.mean(np.sum(measured**2, axis=-1))))
    fastest = max(abs(gain), float(np.max(law.rate, initial=0.0)) * error)
    needed = np.ceil(float(np.median(np.diff(record.time))) * fastest / OBSERVER.stable)
    return int(np.clip(needed, 1, OBSERVER.most_steps))
