"""Restoring force surface: force over displacement and velocity, straight from a record, and the law in it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from identikit.likelihood import smooth_curves
from identikit.method._base import Cost, Method, Need, needs_equations, too_few_samples
from identikit.method._judgement import judge
from identikit.method._option import Option
from identikit.method._report import MethodReport
from identikit.method._settings import FORCE, REGRESSION
from identikit.method._status import SOLVED
from identikit.method._twin import Estimator
from identikit.method.force._force_law import ForceLaw, force_law
from identikit.method.force._force_points import ForcePoints
from identikit.method.regression._propagation import propagated_deviation
from identikit.method.regression._regression import FilteredRegression, objections, regression_core
from identikit.oscillation import OSCILLATION, rest_position
from identikit.problem import Problem
from identikit.progress import Progress, silent
from identikit.result import Ending, Finding, Result, Verdict, finding


class RestoringForce(Method):
    """The force surface of a system with one degree of freedom, as points and as a curve with a band, and its law.

    Newton's law turns smoothed displacement into force, f = -m (x'' - what is known), point by point, so that a spring
    that hardens or a friction that jumps is seen before any formula is trusted. The free parameters are fitted to the
    same equation with both sides filtered alike. Displacement must be measured (velocity too is better). Not for
    strong noise or coarse sampling: the second derivative is what suffers first; nor for parameters to the last digit.
    """

    name = "restoring_force"
    title = "Restoring force surface over displacement and velocity"
    needs = (Need.EQUATIONS, Need.ALL_STATES, Need.ONE_DEGREE)
    costs = Cost.INSTANT
    settings = (FORCE, REGRESSION, OSCILLATION, *Method.settings)
    reference = "S. F. Masri, T. K. Caughey, J. Appl. Mech. 46 (1979) 433"
    options = (Option("width", 1.0, "number", "support of the filter in oscillations of the signal", 0.1, 20),)

    def objections(self, problem: Problem) -> list[Finding]:
        found = too_few_samples(problem)
        if not problem.model.symbolic:
            return [*found, *needs_equations(problem)]
        law = force_law(problem.model, problem.outputs, problem.free)
        if law is None:
            text = (
                f"model '{problem.model.name}' is not of one degree of freedom: this method needs two states, x and v, "
                "with x' = v"
            )
            return [*found, finding("not_one_degree_of_freedom", text)]
        if law.foreign:
            text = (
                f"the force that is looked for depends on {', '.join(law.foreign)}, not on displacement and velocity "
                "alone: fix the parameters that multiply it"
            )
            found.append(finding("force_not_of_motion", text, *law.foreign))
        return found or objections(problem)

    def estimate(
        self, problem: Problem, *, options: Mapping[str, Any], seed: int = 0, progress: Progress = silent
    ) -> Result:
        begun = time.perf_counter()
        law = force_law(problem.model, problem.outputs, problem.free)
        assert law is not None  # objections were asked
        progress.stage("smoothing", 0.0, 0.3, "smoothing the record")
        curves = smooth_curves(problem)
        progress.stage("solving", 0.3, 0.5, "fitting the force law")
        regression = FilteredRegression(problem, curves, options["width"])
        p = regression.solve(seed)
        points = ForcePoints.of(problem, law, curves, p)
        rest = _rest(law, points)
        artifacts = {
            "force over displacement": points.over_displacement(),
            "force over velocity": points.over_velocity(rest),
            "force surface": points.surface(),
        }
        seconds = time.perf_counter() - begun
        given = MethodReport(
            self.name,
            {"total": seconds, "start": 0.0, "solve": seconds},
            options,
            seed,
            deviation=propagated_deviation(regression, curves, p) * max(1.0, points.misfit or 1.0),
            diagnostics={
                "force_explained": points.explained,
                "force_misfit": points.misfit,
                "rest": rest,
                "inertia": law.inertia,
            },
            artifacts=artifacts,
            verdict=verdict_on(points.explained),
            history=False,
        )
        again = Estimator(regression_core(curves, options["width"], p))
        return judge(problem, curves, p, given, progress.part(0.5, 1.0), again)


def verdict_on(explained: float) -> Verdict:
    """A chaotic record is not followed by any trajectory of parameters that are a little off; its force still is."""
    if not explained >= FORCE.explained:
        return SOLVED
    text = f"the law explains {100 * explained:.1f} % of the force's variance"
    return Verdict(Ending.CONFIRMED, (finding("force_explained", text),))


def _rest(law: ForceLaw, points: ForcePoints) -> float:
    """The displacement next to the record's middle at which the law vanishes; the middle if none lies in the record."""
    x = points.displacement
    middle = float(np.median(x))
    reach = 1e-4 * float(np.ptp(x))

    def force(at: float) -> tuple[float, float]:
        before, here, after = -law.force(at + reach * np.arange(-1.0, 2.0), np.zeros(3), points.p)
        return here, (after - before) / (2 * reach)

    found = rest_position(force, middle, hilltops=True)
    if not x.min() <= found <= x.max():
        return middle
    return 0.0 if abs(found) < 1e-6 * float(np.ptp(x)) else found
