"""Galerkin's weak form with B-splines: parameters without integrating the model."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from identikit.diagnose import residual_colour
from identikit.likelihood import reconstruct
from identikit.measurement import SmoothCurve
from identikit.method._base import Cost, Method, Need, too_few_samples
from identikit.method._conclusion import conclude_from
from identikit.method._early_end import not_applicable, not_started, unchecked
from identikit.method._option import Option
from identikit.method._report import Evidence, MethodReport
from identikit.method._settings import REGRESSION, TWIN
from identikit.method.regression._regression import FilteredRegression, objections
from identikit.method.weak_form._errors_in_variables import Cleared
from identikit.method.weak_form._posed_form import posed
from identikit.method.weak_form._settings import GALERKIN
from identikit.method.weak_form._test_functions import SHAPES
from identikit.method.weak_form._weak_bias import rounding_bias, twin_bias
from identikit.method.weak_form._weak_covariance import NoiseOperator, excess
from identikit.method.weak_form._weak_curves import FittedCurves
from identikit.method.weak_form._weak_form import WeakForm
from identikit.model import dynamics_of
from identikit.numerics import (
    Autoregression,
    Descent,
    Minimum,
    bounded_least_squares,
    column_sizes,
    gauss_newton,
    middle,
    sandwich,
    standard_errors,
    trust_region,
)
from identikit.problem import Problem
from identikit.progress import Cancelled, Progress, silent
from identikit.result import Finding, Result, finding


class Galerkin(Method):
    """Weak form of the equations with B-spline test functions; the states are splines through the record.

    Nothing is integrated, and no start is needed: good for long, chaotic or driven records of many states. By default
    the samples' errors are estimated along with the parameters (maximum likelihood); as published it is least squares,
    which noise biases. Assumes white noise, known inputs, and some eight samples or more per oscillation. Not for
    states that do not follow from what is measured.
    """

    name = "galerkin"
    title = "Galerkin weak form with B-splines"
    needs = (Need.EQUATIONS, Need.ALL_STATES)
    costs = Cost.INSTANT
    settings = (GALERKIN, REGRESSION, *Method.settings)
    reference = (
        "Z. Liu, H. Fang, K.-W. Wang, J. Xu, A parameter identification method for continuous-time nonlinear systems "
        "and its realization on a Miura-origami structure, Mech. Syst. Signal Process. (2018)"
    )
    options = (
        Option(
            "width",
            "auto",
            "number",
            "knot interval of the test functions in samples; 1 is as published, auto makes the support one oscillation",
            1,
            1e5,
            ("auto",),
        ),
        Option("tests", "bspline", "choice", "shape of the test functions", choices=SHAPES),
        Option(
            "weights",
            "noise",
            "choice",
            "none: least squares on the weak form, as published; noise: with the samples' errors estimated too",
            choices=("noise", "none"),
        ),
    )

    def objections(self, problem: Problem) -> list[Finding]:
        return too_few_samples(problem) + objections(problem)

    def estimate(
        self, problem: Problem, *, options: Mapping[str, Any], seed: int = 0, progress: Progress = silent
    ) -> Result:
        begun = time.perf_counter()
        progress.stage("smoothing", 0.0, 0.1, "smoothing the record")
        weak = posed(problem, options)
        if not weak.reaches:
            text = (
                "gaps in the record are so long that no stretch holds a test function: use shooting, or give the "
                "stretches as records of their own"
            )
            return not_applicable(problem, self.name, [finding("record_too_short", text)], options, seed)
        started = time.perf_counter()
        solving = progress.stage("solving", 0.1, 0.5, "least squares on the weak form")
        minimum = solve(weak.form, weak.curves, seed, solving)
        clearing = progress.stage("clearing", 0.5, 0.9, "clearing the states of noise")
        try:
            cleared, with_noise = weak.cleared(minimum, options["weights"] == "noise", clearing)
        except Cancelled:
            taken = time.perf_counter() - started
            seconds = {"total": started - begun + taken, "start": started - begun, "solve": taken}
            return unchecked(problem, minimum.p, MethodReport(self.name, seconds, options, seed))
        progress.stage("judging", 0.9, 1.0, "uncertainty and curves")
        path = minimum.path + cleared.path[1:]
        solved = time.perf_counter()
        seconds = {"total": solved - begun, "start": started - begun, "solve": solved - started}
        if not np.isfinite(cleared.p).all():
            return not_started(problem, self.name, options, seed)
        residual = weak.thin.residual(problem, cleared.curves)
        rounded = rounding_bias(problem, residual, cleared.influence)
        cleared = replace(cleared, p=np.clip(cleared.p - rounded, *problem.limits))
        evidence = _evidence(problem, weak.form, minimum, cleared, residual)
        if with_noise:
            deviation, findings = None, _rounded(problem, rounded, standard_errors(cleared.information))
        else:
            deviation, findings = biased(problem, weak.form, cleared, options["weights"] == "noise")
        coloured = np.zeros(len(problem.free))
        white = all(residual_colour(column)[0] for column in residual.T)
        if not white:
            coloured = coloured_deviation(weak.thin.problem, cleared.curves, cleared.influence)
        if deviation is not None:
            deviation = np.maximum(deviation, coloured)
        if not white or dynamics_of(problem.model, problem.free).guards:
            # splines round off every reversal against dry friction, which noise may hide from the residuals
            core = partial(self.again, options, seed, cleared.p)
            bias = twin_bias(problem, cleared.p, evidence.initial_states, residual, core, seed)
            likeliest = standard_errors(cleared.information) if white else coloured
            own = likeliest if deviation is None else deviation
            if bias is not None:
                findings = (*findings, *_counted_in(problem, bias, own))
                if deviation is None and not white:
                    coloured = np.hypot(own, bias)
                elif (np.abs(bias) > TWIN.harmless * own).any():
                    deviation = np.hypot(own, bias)
        history = _history(problem, path)
        given = MethodReport(self.name, seconds, options, seed, deviation, coloured, artifacts=history, history=False)
        return conclude_from(problem, replace(evidence, findings=findings), given)

    def again(self, options: Mapping[str, Any], seed: int, near: np.ndarray, problem: Problem) -> np.ndarray:
        """The estimate from other samples of the same records, near the one that was found."""
        weak = posed(problem, options)
        weak.form.balance(near)
        minimum = gauss_newton(weak.form.rows, near, *problem.limits)
        return weak.cleared(minimum, options["weights"] == "noise", silent)[0].p


def _rounded(problem: Problem, bias: np.ndarray, spread: np.ndarray) -> tuple[Finding, ...]:
    """Which parameters were moved since samples are rounded coarsely."""
    moved = [i for i in range(len(bias)) if abs(bias[i]) > TWIN.negligible * spread[i]]
    if not moved:
        return ()
    shifts = ", ".join(f"{problem.free[i]} by {-bias[i]:.2g}" for i in moved)
    text = f"{shifts}: corrected for samples that are rounded coarsely against their noise"
    return (finding("bias_corrected", text, *(problem.free[i] for i in moved)),)


def _counted_in(problem: Problem, bias: np.ndarray, spread: np.ndarray) -> tuple[Finding, ...]:
    """Which standard errors hold a bias that a simulated twin of the record showed."""
    names = [name for name, own, other in zip(problem.free, bias, spread, strict=True) if abs(own) > other]
    if not names:
        return ()
    text = (
        f"on a simulated twin of the record the estimate of {', '.join(names)} is off by more than its noise explains "
        "(counted into std): the motion bends more sharply than splines follow; refine with shooting"
    )
    return (finding("bias_counted", text, *names),)


def biased(
    problem: Problem, form: WeakForm, cleared: Cleared, wanted_noise: bool
) -> tuple[np.ndarray, tuple[Finding, ...]]:
    """Standard errors of a least-squares estimate, its bias counted in, and what to say of it.

    The step that would lead on to maximum likelihood tells the bias; residuals larger than noise widen the rest.
    """
    spread = _standard_errors(form, cleared.sigma, cleared.p)
    findings = []
    if wanted_noise:
        text = "the states could not be cleared of noise: the parameters are those of least squares on the weak form"
        findings.append(finding("states_not_cleared", text))
    moved = [
        name
        for name, step, own in zip(problem.free, cleared.step, spread, strict=True)
        if abs(step) > GALERKIN.biased * own
    ]
    if moved and not wanted_noise:
        text = f"noise of the samples biases {', '.join(moved)} (counted into std): use weights=noise"
        findings.append(finding("biased_by_noise", text, *moved))
    return np.hypot(spread * max(1.0, cleared.misfit), cleared.step), tuple(findings)


def _evidence(problem: Problem, form: WeakForm, minimum: Minimum, cleared: Cleared, residual: np.ndarray) -> Evidence:
    found = reconstruct(problem.model, problem.outputs)
    initial = []
    for record, curves in zip(problem.records, cleared.curves, strict=True):
        single = [partial(_one, curves, j) for j in range(len(problem.outputs))]
        first = found.values(single, record, record.time[:1], problem.vector(cleared.p))[0]
        initial.append(
            {
                # no number where the parameters leave a hidden state none: a force of strength zero tells nothing of it
                name: {"value": float(value) if np.isfinite(value) else None, "std": None}
                for name, value in zip(problem.model.state_names, first, strict=True)
            }
        )
    details = {
        "iterations": minimum.rounds,
        "rounds": minimum.rounds + len(cleared.path) - 1,
        "support": [2 * part.tests.half for part in form.forms],
        "misfit": cleared.misfit,
    }
    converged, stopped = minimum.converged and cleared.converged, minimum.stopped or cleared.stopped
    return Evidence(
        cleared.p,
        cleared.information,
        residual,
        np.sqrt(np.nanmean(residual**2, axis=0)),
        tuple(initial),
        converged,
        stopped,
        details,
    )


def _one(curves: FittedCurves, output: int, time: np.ndarray, derivative: int = 0) -> np.ndarray:
    return curves(time, derivative)[output]


def _history(problem: Problem, path: Sequence[np.ndarray]) -> dict[str, dict[str, Any]]:
    parameters = {name: [float(p[i]) for p in path] for i, name in enumerate(problem.free)}
    return {"iterations": {"kind": "history", "parameters": parameters}}


def _standard_errors(form: WeakForm, sigma: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Standard deviations of a least-squares estimate whose residuals are L e: (J'J)^-1 J' L Sigma L' J (J'J)^-1."""
    information, scores = np.zeros((len(p), len(p))), []
    for part, (_, slopes) in zip(form.forms, form.tables(p), strict=True):
        flat = slopes.reshape(-1, len(p))
        information += flat.T @ flat
        moved = NoiseOperator(form.problem, form.equations, part, p, form.scale).adjoint(slopes) * sigma[:, None, None]
        scores.append(moved.reshape(-1, len(p)))
    return np.sqrt(np.maximum(np.diag(sandwich(information, np.concatenate(scores))), 0.0))


def solve(form: WeakForm, curves: Sequence[Sequence[SmoothCurve]], seed: int, progress: Progress) -> Minimum:
    """The minimum of the sum of squared residuals that explains them best by the samples' noise.

    Gauss-Newton from the given start, else from those of the regression; where the residuals stay above what noise
    gives, a trust region from the same start and from some near it, then the regression's, until one minimum is found
    twice.
    """
    problem = form.problem
    low = np.array([problem.bounds[name][0] for name in problem.free])
    high = np.array([problem.bounds[name][1] for name in problem.free])
    if form.equations.linear:
        return _solved(form, low, high, progress)
    best, least = None, np.inf
    ends: list[np.ndarray] = []
    tries = zip(_attempts(form, curves, seed, low, high), progress.attempts(), strict=False)
    try:
        for (descend, start), attempt in tries:
            first = descend(form.rows, start, low, high, progress=attempt.part(0.0, 0.6))
            form.balance(first.p)
            minimum = gauss_newton(form.rows, first.p, low, high, progress=attempt.part(0.6, 1.0)).after(first)
            beyond = excess(form, minimum.p)
            if best is None or beyond < least:
                best, least = minimum, beyond
            again = any(np.allclose(minimum.p, p, rtol=GALERKIN.same_minimum, atol=0.0) for p in ends)
            ends.append(minimum.p)
            if minimum.stopped or beyond < GALERKIN.noise_like or (again and beyond < GALERKIN.far_off):
                break
    except Cancelled:
        if best is None:
            raise
    assert best is not None
    form.balance(best.p)
    return best


def _solved(form: WeakForm, low: np.ndarray, high: np.ndarray, progress: Progress) -> Minimum:
    """Equations linear in the parameters: solved, weighed against one another, solved again."""
    p = middle(low, high)
    path, stopped = [p], False
    for share in (0.0, 0.5):
        stopped = progress(share, "linear least squares", p) is False
        rows, slopes = form.rows(p)
        p = p + bounded_least_squares(slopes, -rows, low - p, high - p)
        path.append(p)
        form.balance(p)
    rows, _ = form.rows(p)
    return Minimum(p, float(rows @ rows), tuple(path), bool(np.isfinite(p).all()), stopped)


def _attempts(
    form: WeakForm, curves: Sequence[Sequence[SmoothCurve]], seed: int, low: np.ndarray, high: np.ndarray
) -> Iterator[tuple[Callable[..., Minimum], np.ndarray]]:
    problem = form.problem
    near = partial(
        gauss_newton, descent=Descent(step=GALERKIN.relative_step)
    )  # the rest of the way is gone once the equations are weighed
    given = np.array([problem.start.get(name, np.nan) for name in problem.free])
    if np.isfinite(given).all():
        yield near, given
        yield trust_region, given
        random = np.random.default_rng(seed)
        for _ in range(GALERKIN.neighbours):
            spread = np.exp(GALERKIN.neighbour_spread * random.standard_normal(len(given)))
            yield trust_region, np.clip(given * spread, low, high)
        problem, given = problem.without_start(), np.full(len(given), np.nan)  # not to be trusted any more
    for p in FilteredRegression(problem, curves).solutions(seed)[: GALERKIN.most_starts]:
        start = np.clip(np.where(np.isfinite(given), given, p), low, high)
        yield near, start
        yield trust_region, start


def coloured_deviation(problem: Problem, curves: Sequence[FittedCurves], influence: Sequence[np.ndarray]) -> np.ndarray:
    """Standard errors of the free parameters, the noise of every output being the process that its residuals show.

    Arguments:
        curves: of the states cleared of noise, per record; samples less these are the residuals.
        influence: how the estimate follows each sample, per record [outputs, samples, free].
    """
    residuals = [record.values.T - curve(record.time) for record, curve in zip(problem.records, curves, strict=True)]
    variance = np.zeros(influence[0].shape[2])
    for j in range(len(problem.outputs)):
        taken = [_orthonormal(weights[j]) for weights in influence]
        process = Autoregression.of([residual[j] for residual in residuals], taken)
        for weights in influence:
            variance += process.variance(weights[j])
    return np.sqrt(variance)


def _orthonormal(weights: np.ndarray) -> np.ndarray:
    """Columns [samples, free] that span the same directions."""
    scaled = weights / column_sizes(weights)
    return np.asarray(np.linalg.qr(scaled)[0])
