"""Weak form with errors in the variables: maximum likelihood without integrating the model.

Least squares on a weak form is biased: the regressors hold the same noise as the residuals. So the states are looked
for as well,

    minimise  sum_jk (y_jk - x_jk)^2 / sigma_j^2    subject to    r(x, p) = 0   for all test functions,

(total least squares; Gauss-Helmert). Linearised at the present x and p with e = y - x,

    w = r(x, p) + L e,      dp = argmin (w + J dp)' S^-1 (w + J dp),      x <- y - Sigma L' S^-1 (w + J dp),

where J and L are taken on the curve through x, which the equations themselves have cleared of noise. Nothing is
minimised from round to round, since x, S and the noise level change with p: steps cannot be accepted or refused by a
sum of squares, as Gauss-Newton does, and are halved instead. At the end
(J'S^-1 J)^-1 is the covariance of p, and S^-1/2 w is white if model and noise level are right. No log det S is added,
as the likelihood of r ~ N(0, S(p)) alone would have: with r = L(p) y the gradient of r'S^-1 r has zero expectation at
the true p, and that of log det S has not.

References: F. R. Helmert, Die Ausgleichungsrechnung nach der Methode der kleinsten Quadrate, Teubner 1872;
W. A. Fuller, Measurement Error Models, Wiley 1987; for the weak form: D. M. Bortz et al.,
Bull. Math. Biol. 85 (2023) 110.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from identikit.method.weak_form._settings import GALERKIN
from identikit.method.weak_form._test_functions import TestFunctions
from identikit.method.weak_form._weak_covariance import NoiseOperator, weighted, whitened
from identikit.method.weak_form._weak_curves import FittedCurves, SplineFits
from identikit.method.weak_form._weak_equations import WeakEquations
from identikit.method.weak_form._weak_form import RecordForm, SampleBasis, Setting, WeakForm, record_form
from identikit.numerics import Information, bounded_least_squares
from identikit.problem import Problem
from identikit.progress import Progress, silent


@dataclass(frozen=True)
class Cleared:
    """Parameters, and the states that the equations leave possible with them, nearest to the samples.

    `information` [free, free] are rows A with A'A the inverse covariance of p; `misfit` is the rms of the whitened
    residuals, 1 if model and noise level are right; `step` is the last step or, frozen, the one that was not taken;
    `influence` says how p follows each sample, per record [outputs, samples, free].
    """

    p: np.ndarray
    information: np.ndarray
    path: tuple[np.ndarray, ...]
    misfit: float
    step: np.ndarray
    converged: bool
    stopped: bool
    curves: tuple[FittedCurves, ...]
    sigma: np.ndarray
    influence: tuple[np.ndarray, ...]


@dataclass(frozen=True)
class Linear:
    """One record, linearised: residuals and derivatives, plain and white."""

    form: RecordForm
    operator: NoiseOperator
    factor: Any
    rows: np.ndarray  # [residuals, 1 + free]
    white: np.ndarray

    def noise(self, step: np.ndarray, sigma: np.ndarray) -> np.ndarray:
        """The part of the samples [outputs, samples] that the equations do not admit."""
        equations = self.operator.count
        multiplier = weighted(self.factor, self.rows[:, 0] + self.rows[:, 1:] @ step).reshape(-1, equations).T
        return self.operator.adjoint(multiplier[:, :, None])[:, :, 0] * sigma[:, None] ** 2

    def pull(self) -> np.ndarray:
        """L' S^-1 J [outputs, samples, free]: what each sample adds to the right side of the equations for p."""
        slopes = self.rows[:, 1:]
        pulled = weighted(self.factor, slopes).reshape(-1, self.operator.count, slopes.shape[1])
        return self.operator.adjoint(pulled.transpose(1, 0, 2))


class ErrorsInVariables:
    """The iteration for one problem; what does not change from round to round is kept."""

    def __init__(
        self, problem: Problem, equations: WeakEquations, settings: Sequence[Setting], spacings: Sequence[float]
    ) -> None:
        """`spacings` is the time between knots, of test functions and of the states' splines, in each record."""
        self.problem, self.equations, self.settings = problem, equations, settings
        degree = max(3, max(q for _, q in equations.orders))
        self._fits, self._samples = [], []
        self._kept: dict[int, np.ndarray] = {}
        for setting, spacing in zip(settings, spacings, strict=True):
            time = setting.record.time
            tests = TestFunctions(float(time[0]), float(time[-1]), 0.5 * (degree + 1) * spacing, "bspline", degree)
            self._samples.append(SampleBasis(tests, time))
            known = np.isfinite(setting.record.values.T)
            self._fits.append(SplineFits(time, known, setting.jumps, spacing))
        self._low = np.array([problem.bounds[name][0] for name in problem.free])
        self._high = np.array([problem.bounds[name][1] for name in problem.free])

    @property
    def tests(self) -> int:
        """How many test functions there are, in all records."""
        return sum(samples.tests.count for samples in self._samples)

    def run(self, p: np.ndarray, frozen: bool = False, progress: Progress = silent) -> Cleared:
        """Iterate from p; `frozen` keeps it and looks for the states alone."""
        sigma = self.settings[0].sigma
        values = self.measured
        path, converged, stopped = [p], frozen, False
        rounds = GALERKIN.frozen_rounds if frozen else GALERKIN.rounds
        for index in range(rounds):
            if progress(index / rounds, f"clearing the states of noise, round {index + 1}", p) is False:
                stopped = True
            curves = self.through(values)
            if index > 0:
                sigma = self._deviation(curves)
            with np.errstate(all="ignore"):
                found = self.linearised(curves, p, sigma)
            if index > 0 and not all(np.isfinite(part.white).all() for part in found):
                p, converged = path[-2:][0], False  # the last step led where the equations cannot be evaluated
                break
            parts = found
            white = np.concatenate([part.white for part in parts])
            whole = bounded_least_squares(white[:, 1:], -white[:, 0], self._low - p, self._high - p)
            step = np.zeros(len(p)) if frozen else whole
            values = self.admitted(parts, step, sigma)
            if index >= GALERKIN.halved_from:
                step = 0.5 * step
            information = np.asarray(np.linalg.qr(white[:, 1:], mode="r"))
            if not frozen:
                p = p + step
                path.append(p)
                converged = bool((np.abs(information @ step) <= GALERKIN.converged_step).all())
            if stopped or (converged and not frozen):
                break
        else:
            converged = converged or bool((np.abs(information @ step) <= GALERKIN.harmless_step).all())
        curves = self.through(values)
        left = white[:, 0] + white[:, 1:] @ step
        misfit = float(np.sqrt(np.mean(left**2))) if len(left) else np.inf  # no row: nothing was admitted
        sigma = self._deviation(curves)
        spread = Information.of_rows(information).covariance
        influence = tuple(-part.pull() @ spread for part in parts)
        return Cleared(p, information, tuple(path), misfit, whole, converged, stopped, tuple(curves), sigma, influence)

    @property
    def measured(self) -> list[np.ndarray]:
        """The samples [outputs, samples] of every record."""
        return [setting.record.values.T for setting in self.settings]

    def through(self, values: Sequence[np.ndarray]) -> list[FittedCurves]:
        """Curves of all records nearest to values at their samples."""
        return [fit.through(row) for fit, row in zip(self._fits, values, strict=True)]

    def linearised(self, curves: Sequence[FittedCurves], p: np.ndarray, sigma: np.ndarray) -> list[Linear]:
        """All records, linearised on these curves at p."""
        return [self._linearised(index, curve, p, sigma) for index, curve in enumerate(curves)]

    def admitted(self, parts: Sequence[Linear], step: np.ndarray, sigma: np.ndarray) -> list[np.ndarray]:
        """The samples without what the equations at p + step do not admit."""
        return [row - part.noise(step, sigma) for row, part in zip(self.measured, parts, strict=True)]

    def _linearised(self, index: int, curves: FittedCurves, p: np.ndarray, sigma: np.ndarray) -> Linear:
        setting, scale = self.settings[index], np.ones(self.equations.count)
        form = record_form(
            self.problem,
            self.equations,
            setting,
            curves,
            self._samples[index],
            smooth=True,
            restore=False,
            at_samples=self._fits[index].at_samples(curves),
            kept=self._kept.get(index),
        )
        self._kept[index] = form.kept  # the same test functions in every round
        operator = NoiseOperator(self.problem, self.equations, form, p, scale)
        residuals, slopes = WeakForm(self.problem, self.equations, [form], scale).tables(p)[0]
        residuals = residuals + operator.forward(form.residual)
        rows = np.column_stack(
            [residuals.T.ravel(), slopes.transpose(1, 0, 2).reshape(residuals.size, slopes.shape[2])]
        )
        factor = operator.factor(sigma)
        return Linear(form, operator, factor, rows, whitened(factor, rows))

    def _deviation(self, curves: Sequence[FittedCurves]) -> np.ndarray:
        """Noise of each output: what lies between the samples and the states."""
        squares, count = np.zeros(len(self.problem.outputs)), np.zeros(len(self.problem.outputs))
        for setting, fit, curve in zip(self.settings, self._fits, curves, strict=True):
            known = np.isfinite(setting.record.values.T)
            left = np.where(known, setting.record.values.T - fit.at_samples(curve), 0.0)
            squares += np.einsum("jk,jk->j", left, left)
            count += known.sum(axis=1)
        return np.maximum(np.sqrt(squares / np.maximum(count, 1)), self._floor)

    @property
    def _floor(self) -> np.ndarray:
        return np.asarray(0.1 * self.settings[0].sigma)
