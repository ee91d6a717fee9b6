"""A problem in its weak form: curves and test functions as the options ask, rows, and states cleared of noise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from identikit.likelihood import smooth_curves
from identikit.measurement import SmoothCurve
from identikit.method.weak_form._errors_in_variables import Cleared, ErrorsInVariables
from identikit.method.weak_form._settings import GALERKIN
from identikit.method.weak_form._test_functions import TestFunctions
from identikit.method.weak_form._thinning import Thinned, thinned
from identikit.method.weak_form._weak_curves import Curves, InterpolatingCurves, SmoothCurves, SplineFits, jumps
from identikit.method.weak_form._weak_equations import WeakEquations, weak_equations
from identikit.method.weak_form._weak_form import SampleBasis, Setting, WeakForm, record_form
from identikit.numerics import Minimum
from identikit.problem import Observed, Problem
from identikit.progress import Progress


@dataclass(frozen=True)
class Posed:
    """A problem in its weak form: equations, smooth curves, the records as they are used, rows."""

    equations: WeakEquations
    curves: Sequence[Sequence[SmoothCurve]]
    thin: Thinned
    form: WeakForm

    @property
    def reaches(self) -> bool:
        """Whether a test function has room: gaps that are long against the record leave none for the states' knots."""
        settings = self.thin.settings
        clearing = ErrorsInVariables(self.thin.problem, self.equations, settings, finest_spacings(settings))
        return clearing.tests > 0

    def cleared(self, minimum: Minimum, with_noise: bool, progress: Progress) -> tuple[Cleared, bool]:
        """See `clear`."""
        return clear(self.thin.problem, self.equations, self.thin.settings, minimum, with_noise, progress)


def posed(problem: Problem, options: Mapping[str, Any]) -> Posed:
    """The weak form of a problem as galerkin's options ask, records thinned where they can be."""
    curves = smooth_curves(problem)
    equations = weak_equations(problem.model, problem.outputs, problem.free)
    settings = record_settings(problem, equations, curves)
    restore = options["weights"] != "noise"
    thin = Thinned(problem, settings, curves, [])
    if options["width"] == "auto":
        thin = thinned(problem, settings, curves)
    form = weak_form(thin.problem, equations, thin.settings, curves, options["width"], options["tests"], restore)
    return Posed(equations, curves, thin, form)


def clear(
    problem: Problem,
    equations: WeakEquations,
    settings: Sequence[Setting],
    minimum: Minimum,
    with_noise: bool,
    progress: Progress,
) -> tuple[Cleared, bool]:
    """The states cleared of noise, with the parameters if asked for, and whether that succeeded.

    Fine knots know most, but their iteration may fail where samples are few; then coarser ones are tried, and at last
    the parameters are left as least squares gave them.
    """
    finest = finest_spacings(settings)
    attempts = progress.attempts()
    for coarser in (1.0, 2.0, 4.0):
        clearing = ErrorsInVariables(problem, equations, settings, [coarser * spacing for spacing in finest])
        if not with_noise or minimum.stopped:
            break
        cleared = clearing.run(minimum.p, progress=next(attempts))
        if cleared.stopped or (cleared.converged and cleared.misfit < GALERKIN.misfit):
            return cleared, True
    return clearing.run(minimum.p, True, next(attempts)), False


def finest_spacings(settings: Sequence[Setting]) -> list[float]:
    """Time between knots, in each record, that the samples allow."""
    return [
        max(GALERKIN.resolution * setting.resolution, GALERKIN.fewest_between_knots * sample_spacing(setting.record))
        for setting in settings
    ]


def sample_spacing(record: Observed) -> float:
    """Mean time between samples of the sparsest output, long gaps counting more."""
    found = []
    for column in record.values.T:
        steps = np.diff(record.time[np.isfinite(column)])
        found.append(float(np.sum(steps**2) / np.sum(steps)))
    return max(found)


def record_settings(
    problem: Problem, equations: WeakEquations, curves: Sequence[Sequence[SmoothCurve]]
) -> list[Setting]:
    """Noise, time scale, sampling and jumps of all records."""
    sigma = []
    for j in range(len(problem.outputs)):
        spread = float(np.nanstd(np.concatenate([record.values[:, j] for record in problem.records])))
        level = float(np.sqrt(np.mean([part[j].sigma ** 2 for part in curves])))
        sigma.append(max(level, GALERKIN.finest_noise * spread, 1e-300))
    return [
        Setting(
            record,
            jumps(problem, equations, record),
            float(np.median([curve.time_scale for curve in part])),
            float(np.median(np.diff(record.time))),
            min(curve.spacing for curve in part),
            np.array(sigma),
        )
        for record, part in zip(problem.records, curves, strict=True)
    ]


def weak_form(
    problem: Problem,
    equations: WeakEquations,
    settings: Sequence[Setting],
    curves: Sequence[Sequence[SmoothCurve]],
    width: float | str,
    shape: str,
    restore: bool = True,
) -> WeakForm:
    """The weak form of all records with test functions of the width asked for.

    `restore`: see `record_form`; without it a smooth curve stands for the samples, which is quicker and good enough
    for a start.
    """
    degree = max(3, max(q for _, q in equations.orders))
    forms = []
    for setting, smooths in zip(settings, curves, strict=True):
        time, values = setting.record.time, setting.record.values.T
        m = max(1.0, GALERKIN.support * setting.time_scale / (4 * setting.spacing)) if width == "auto" else float(width)
        half = min(0.5 * (degree + 1) * m * setting.spacing, float(time[-1] - time[0]) / 8)
        m = 2 * half / (setting.spacing * (degree + 1))
        smooth = equations.differentiates or m >= GALERKIN.smooth_from
        tests = TestFunctions(float(time[0]), float(time[-1]), half, shape, degree, 1 if m < 2 else 2)
        through: Curves
        if not smooth:
            through = InterpolatingCurves(time, values, setting.jumps)
        elif len(setting.jumps):
            through = SplineFits(time, np.isfinite(values), setting.jumps, setting.resolution).through(values)
        else:
            through = SmoothCurves(smooths)
        samples = SampleBasis(tests, time)
        forms.append(
            record_form(problem, equations, setting, through, samples, smooth=smooth, restore=smooth and restore)
        )
    sigma = settings[0].sigma
    return WeakForm(problem, equations, forms, np.array([sigma[max(part)[1]] for part in equations.places]))
