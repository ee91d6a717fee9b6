"""Rows of the weak form over all records: residuals and their derivatives with respect to the free parameters.

For each test function w and each testable equation

    r = sum_(j,q) c_jq(p) [ int w^(q) x_j dt + sum_k h_k w^(q)(t_k) (y_jk - x_j(t_k)) ]  -  int w' flux(x) dt
        -  int w source(x) dt

with x_j the curve through the samples y_jk of output j. If the curve passes through all samples the sum over them is
zero, and this is the Galerkin form as published; if it is a smooth one, the sum restores what the curve left out,
so that terms linear in the measurements see all of them. Integrals are taken with three Gauss points in every
panel between knots, samples, jumps of inputs and changes of a sign().
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from identikit.measurement import HIGHEST_DERIVATIVE
from identikit.method.regression._domain import inside
from identikit.method.weak_form._settings import GALERKIN
from identikit.method.weak_form._test_functions import TestFunctions
from identikit.method.weak_form._weak_curves import Curves
from identikit.method.weak_form._weak_equations import WeakEquations
from identikit.problem import Observed, Problem

GAUSS_POINTS, GAUSS_WEIGHTS = np.polynomial.legendre.leggauss(3)


@dataclass(frozen=True)
class Setting:
    """One record and what is known of it before any equation is tested."""

    record: Observed
    jumps: np.ndarray  # times at which an input jumps
    time_scale: float
    spacing: float  # median time between samples
    resolution: float  # time between the knots of the smoothest curves that do the samples justice
    sigma: np.ndarray  # noise of each output


class SampleBasis:
    """The test functions' small splines at the samples, kept for all orders that are asked for."""

    def __init__(self, tests: TestFunctions, time: np.ndarray) -> None:
        self.tests, self.time = tests, time
        self._bases: dict[int, np.ndarray] = {}
        self._operators: dict[int, Any] = {}

    def basis(self, q: int) -> np.ndarray:
        if q not in self._bases:
            self._bases[q] = self.tests.basis(self.time, q)
        return self._bases[q]

    def operator(self, q: int) -> Any:
        if q not in self._operators:
            self._operators[q] = self.tests.operator(self.time, self.basis(q))
        return self._operators[q]


@dataclass(frozen=True)
class RecordForm:
    """One record: test functions, quadrature, the curves on it, and the integrals that do not depend on p."""

    setting: Setting
    tests: TestFunctions
    samples: SampleBasis
    curves: Curves
    at_samples: np.ndarray  # curves [outputs, samples]
    sample_weights: np.ndarray  # [outputs, samples], zero where there is none
    values: list[np.ndarray]  # for `reconstruction.symbols`, without the parameters
    source: Any  # operators of int w . and int w' . on values at the points
    flux: Any
    linear: dict[tuple[int, int], np.ndarray]  # (output, q) -> [tests]
    kept: np.ndarray
    inside: np.ndarray  # points at which the integrands exist

    @property
    def residual(self) -> np.ndarray:
        """Sample minus curve [outputs, samples], zero where there is no sample."""
        measured = self.setting.record.values.T
        return np.where(np.isfinite(measured), measured - self.at_samples, 0.0)

    def table(self, computed: Sequence[Any]) -> np.ndarray:
        """Columns of values at the points [columns, points], zero where the equations have no values."""
        points = self.values[0].shape
        table = np.stack([np.broadcast_to(np.asarray(value, float), points) for value in computed])
        return table if self.inside.all() else np.where(self.inside, table, 0.0)

    def integrated(self, operator: Any, columns: np.ndarray) -> np.ndarray:
        """Integrals [tests, columns] of values [columns, points]."""
        return self.tests.gathered(operator.T @ columns.T)


def record_form(
    problem: Problem,
    equations: WeakEquations,
    setting: Setting,
    curves: Curves,
    samples: SampleBasis,
    *,
    smooth: bool,
    restore: bool,
    at_samples: np.ndarray | None = None,
    kept: np.ndarray | None = None,
) -> RecordForm:
    """Quadrature of one record; with `restore` the linear terms see what the curves left out of the samples.

    `at_samples` are the curves there [outputs, samples], if they are known already. `kept` are the test functions that
    count; None = those without long pauses, and of a system with dry friction only those that see motion.
    """
    record, tests, time = setting.record, samples.tests, setting.record.time
    outputs = range(len(problem.outputs))
    weights = np.stack([_trapezoid(time, np.isfinite(column)) for column in record.values.T])
    edges = _edges(tests, setting, smooth)
    fixed = [problem.fixed.get(name, 0.0) for name in problem.model.parameter_names]
    if equations.guards is not None:
        edges = np.union1d(edges, _sign_changes(equations, record, curves, fixed, edges))
    points, point_weights = _gauss(edges)
    values = curve_values(equations, record, curves, points)
    columns = np.stack([values[1 + j * (HIGHEST_DERIVATIVE + 1)] for j in outputs])
    operators = {
        q: tests.operator(points, tests.basis(points, q) * point_weights[:, None])
        for q in {0, 1, *(q for _, q in equations.orders)}
    }
    if at_samples is None:
        at_samples = curves(time) if restore else np.where(np.isfinite(record.values.T), record.values.T, 0.0)
    linear = {}
    for q in sorted({q for _, q in equations.orders}):
        at = [j for j, other in equations.orders if other == q]
        total = operators[q].T @ columns[at].T
        if restore:
            left_out = np.where(np.isfinite(record.values.T), record.values.T - at_samples, 0.0)
            total = total + samples.operator(q).T @ (left_out * weights)[at].T
        for j, column in zip(at, tests.gathered(total).T, strict=True):
            linear[j, q] = column
    chosen = _without_gaps(tests, setting) if kept is None else kept
    within = inside(equations.domain, values, fixed)
    if kept is None and not within.all():
        whole = _without(tests, tests.interval(points[~within]))
        chosen &= whole if (whole & chosen).any() else True
    form = RecordForm(
        setting, tests, samples, curves, at_samples, weights, values, operators[0], operators[1], linear, chosen, within
    )
    if equations.guards is not None and kept is None:
        moving = _moving(form, columns)
        chosen &= moving if (moving & chosen).any() else True
    return form


def curve_values(equations: WeakEquations, record: Observed, curves: Curves, time: np.ndarray) -> list[np.ndarray]:
    """Values for `reconstruction.symbols` but the parameters; derivatives that nobody asks for are left at zero."""
    wanted = {0} | {d for _, d in equations.evaluated}
    tables = [curves(time, d) if d in wanted else None for d in range(HIGHEST_DERIVATIVE + 1)]
    nothing = np.zeros(len(time))
    outputs = range(record.values.shape[1])
    columns = [nothing if table is None else table[j] for j in outputs for table in tables]
    return [time, *columns, *record.pieces(time)]


def _trapezoid(time: np.ndarray, known: np.ndarray) -> np.ndarray:
    at = time[known]
    weights = np.zeros(len(time))
    if len(at) > 1:
        steps = np.diff(at)
        weights[known] = 0.5 * (np.append(steps[0], steps) + np.append(steps, steps[-1]))
    return weights


def _edges(tests: TestFunctions, setting: Setting, smooth: bool) -> np.ndarray:
    knots, time, jumps, spacing = tests.knots, setting.record.time, setting.jumps, setting.spacing
    if smooth:
        parts = max(2, int(np.ceil(GALERKIN.panels * tests.spacing / setting.resolution)))
        inner = knots[:-1, None] + tests.spacing * np.arange(parts) / parts
        edges = np.append(inner.ravel(), knots[-1])
    else:
        edges = np.union1d(knots, time[(time > knots[0]) & (time < knots[-1])])
    edges = np.union1d(edges, jumps[(jumps > knots[0]) & (jumps < knots[-1])])
    # a knot that is a sample but for rounding makes no panel of its own
    return edges[np.append(True, np.diff(edges) > 1e-6 * spacing)]


def _gauss(edges: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    half = 0.5 * np.diff(edges)[:, None]
    middle = 0.5 * (edges[1:] + edges[:-1])[:, None]
    return (middle + half * GAUSS_POINTS).ravel(), (half * GAUSS_WEIGHTS).ravel()


def _sign_changes(
    equations: WeakEquations, record: Observed, curves: Curves, fixed: list[float], edges: np.ndarray
) -> np.ndarray:
    """Times at which the argument of a sign() passes zero: where the line between two edges does, then once more."""
    assert equations.guards is not None

    def guard(index: int, at: np.ndarray) -> np.ndarray:
        assert equations.guards is not None
        found = equations.guards(np, [*curve_values(equations, record, curves, at), *fixed])
        return np.broadcast_to(np.asarray(found[index], float), at.shape)

    changes = []
    for index in range(len(equations.guards.outputs)):
        g = guard(index, edges)
        k = np.flatnonzero(g[1:] * g[:-1] < 0)
        left, right, below, above = edges[k], edges[k + 1], g[k], g[k + 1]
        middle = left + (right - left) * below / (below - above)
        value = guard(index, middle)
        before = value * below > 0
        left, below = np.where(before, middle, left), np.where(before, value, below)
        right, above = np.where(before, right, middle), np.where(before, above, value)
        slope = np.where(below == above, 1.0, below - above)
        changes.append(left + (right - left) * below / slope)
    return np.concatenate(changes)


def _without_gaps(tests: TestFunctions, setting: Setting) -> np.ndarray:
    """Test functions whose support has no long pause of any output."""
    record = setting.record
    bridged = max(0.5 * tests.half, GALERKIN.gap_share * setting.time_scale)
    bad: list[np.ndarray] = []
    for column in record.values.T:
        at = record.time[np.isfinite(column)]
        steps = np.diff(at, prepend=record.time[0], append=record.time[-1])
        limit = max(GALERKIN.gap * float(np.median(np.diff(at))), bridged)
        for k in np.flatnonzero(steps > limit):
            begin = at[k - 1] if k > 0 else record.time[0]
            first, last = tests.interval(np.array([begin, begin + steps[k]]))
            bad.append(np.arange(first, last + 1))
    return _without(tests, np.concatenate(bad) if bad else np.array([], int))


def _without(tests: TestFunctions, intervals: np.ndarray) -> np.ndarray:
    """Test functions whose support holds none of these knot intervals."""
    bad = np.zeros(tests.intervals + 1)
    bad[intervals + 1] = 1
    total = np.cumsum(bad)  # total[i] = bad intervals before i
    first = np.arange(tests.count)
    return np.asarray(total[first + tests.reach] == total[first])


def _moving(form: RecordForm, curves: np.ndarray) -> np.ndarray:
    """Test functions around which some curve varies by more than its noise, within a time scale or the support."""
    time, tests = form.values[0], form.tests
    reach = max(0.5 * form.setting.time_scale, tests.half)
    centre = tests.begin + tests.spacing * (np.arange(tests.count) + 0.5 * tests.reach)
    first, last = np.searchsorted(time, centre - reach), np.searchsorted(time, centre + reach)
    centred = curves - curves.mean(axis=1, keepdims=True)
    sums = np.cumsum(np.pad(np.stack([centred, centred**2]), ((0, 0), (0, 0), (1, 0))), axis=2)
    mean, square = (sums[:, :, last] - sums[:, :, first]) / np.maximum(last - first, 1)
    spread = np.sqrt(np.maximum(square - mean**2, 0.0))
    return np.asarray((spread > GALERKIN.resting * form.setting.sigma[:, None]).any(axis=0))


class WeakForm:
    """Residuals r(p) and their derivatives for all records, equations and test functions."""

    def __init__(self, problem: Problem, equations: WeakEquations, forms: Sequence[RecordForm], scale: np.ndarray):
        self.problem, self.equations, self.forms = problem, equations, list(forms)
        self.scale = scale  # of each equation's residual

    @np.errstate(all="ignore")
    def tables(self, p: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
        """Per record residuals [equations, tests] and derivatives [equations, tests, free], over the scale; not finite
        where the equations, a hidden state solved out of them, have no value."""
        full = list(self.problem.vector(p))
        program, entries = self.equations.coefficients
        coefficients = program(np, full)
        integrand, columns = self.equations.integrands
        found = []
        for form in self.forms:
            shape = (self.equations.count, form.tests.count)
            rows, slopes = np.zeros(shape), np.zeros((*shape, len(self.problem.free)))
            for value, entry in zip(coefficients, entries, strict=True):
                target = rows[entry.equation] if entry.parameter is None else slopes[entry.equation, :, entry.parameter]
                target += value * form.linear[entry.place]
            computed = integrand(np, [*form.values, *full])
            for kind, operator in (("source", form.source), ("flux", form.flux)):
                chosen = [n for n, entry in enumerate(columns) if entry.kind == kind]
                if not chosen:
                    continue
                table = form.table([computed[n] for n in chosen])
                for n, column in zip(chosen, form.integrated(operator, table).T, strict=True):
                    i, k = columns[n].equation, columns[n].parameter
                    (rows[i] if k is None else slopes[i, :, k])[:] -= column
            rows *= form.kept / self.scale[:, None]
            slopes *= form.kept[:, None] / self.scale[:, None, None]
            found.append((rows, slopes))
        return found

    def balance(self, p: np.ndarray) -> None:
        """Weight each equation by the inverse rms of its residuals at p."""
        tables = self.tables(p)
        squares = sum(np.einsum("ij,ij->i", rows, rows) for rows, _ in tables)
        count = sum(int(form.kept.sum()) for form in self.forms)
        spread = self.scale * np.sqrt(squares / max(count, 1))
        if np.isfinite(spread).all() and spread.max() > 0:
            self.scale = np.maximum(spread, GALERKIN.smallest_scale * spread.max())

    def rows(self, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """All residuals [R] and derivatives [R, free]."""
        tables = self.tables(p)
        return (
            np.concatenate([rows.ravel() for rows, _ in tables]),
            np.concatenate([slopes.reshape(-1, slopes.shape[2]) for _, slopes in tables]),
        )
