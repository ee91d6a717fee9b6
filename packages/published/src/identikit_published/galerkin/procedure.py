"""The paper's procedure to the letter: equations 10 to 44, with nothing that the method `galerkin` adds.

Natural cubic splines through all samples of states and inputs (equations 10, 11, 18), cubic B-splines on the samples as
test functions (16), residuals of all states summed without weights (25), bare Gauss-Newton steps from the given start
(43, 44) until the whole step is shorter than a cutoff, whatever the parameters' sizes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import BSpline, CubicSpline

from identikit.model import TIME, Program, derivative, library_model, symbol
from identikit.progress import Progress
from identikit.result import Panel, PublishedFigure, Series
from identikit_published._base import Outcome, Scale

Array = NDArray[Any]

GAUSS, WEIGHTS = np.polynomial.legendre.leggauss(3)  # points in each interval between samples
INTERVALS = 4  # that a cubic B-spline reaches over
MOST_STEPS = 60  # after which a descent is given up
RUN_AWAY = 1e6  # times the start: given up


@dataclass(frozen=True)
class Descent:
    """Parameters after every step [steps + 1, parameters], and whether the last step was below the cutoff."""

    names: tuple[str, ...]
    path: Array
    converged: bool

    @property
    def last(self) -> Array:
        found: Array = self.path[-1]
        return found

    @property
    def steps(self) -> int:
        return len(self.path) - 1

    @property
    def lengths(self) -> Array:
        """|delta theta| of every step."""
        return np.linalg.norm(np.diff(self.path, axis=0), axis=1)


def published_descent(
    model: str, time: Array, states: Array, inputs: Array, start: Mapping[str, float], cutoff: float,
    steps_kept: bool = False,
) -> Descent:  # fmt: skip
    """Estimate the parameters in `start` of a library model from even samples [states, times] and [inputs, times].

    `steps_kept`: inputs stay constant from sample to sample instead of following a spline, which is not as printed.
    """
    names = tuple(start)
    weak = _WeakForm(model, names, time, states, inputs, steps_kept)
    path = [np.array([start[name] for name in names])]
    limit = RUN_AWAY * max(1.0, float(np.linalg.norm(path[0])))
    while len(path) <= MOST_STEPS and np.linalg.norm(path[-1]) < limit:
        residual, columns = weak.linearised(path[-1])
        if not (np.isfinite(residual).all() and np.isfinite(columns).all()):
            break
        step = np.linalg.lstsq(columns.T @ columns, columns.T @ residual, rcond=None)[0]
        path.append(path[-1] + step)
        if np.linalg.norm(step) < cutoff:
            return Descent(names, np.array(path), True)
    return Descent(names, np.array(path), False)


class _WeakForm:
    """The integrals of equations 22, 37 and 38 over the samples of one record."""

    def __init__(
        self, model: str, names: tuple[str, ...], time: Array, states: Array, inputs: Array, steps_kept: bool
    ) -> None:
        self.model, self.names = library_model(model), names
        spacing = float(time[1] - time[0])
        offsets = (GAUSS + 1) / 2 * spacing
        self.at = (time[:-1, None] + offsets).ravel()
        self.curves = CubicSpline(time, states, axis=1, bc_type="natural")(self.at)
        self.driven = inputs
        if len(inputs) and steps_kept:
            self.driven = np.repeat(inputs[:, :-1], len(GAUSS), axis=1)
        elif len(inputs):
            self.driven = CubicSpline(time, inputs, axis=1, bc_type="natural")(self.at)
        spline = BSpline.basis_element(np.arange(INTERVALS + 1.0) * spacing)
        reached = (np.arange(INTERVALS)[:, None] * spacing + offsets).ravel()
        weights = np.tile(WEIGHTS * spacing / 2, INTERVALS)
        self.tests = weights * spline(reached)
        self.left = -_integrals(self.curves, weights * spline.derivative()(reached))

    def linearised(self, p: Array) -> tuple[Array, Array]:
        """Residuals of all test functions and states, and what they fall by with each parameter [residuals, p]."""
        fixed = {item.name: item.value for item in self.model.parameters}
        values = {**fixed, **dict(zip(self.names, p, strict=True))}
        given = [self.at, *self.curves, *self.driven, *(values[name] for name in self.model.parameter_names)]
        with np.errstate(all="ignore"):  # a descent that goes astray leaves where the equations are defined
            found = _program(self.model.name, self.names)(np, given)
        right = _integrals(np.array([np.broadcast_to(one, self.at.shape) for one in found]), self.tests)
        size = len(self.left)
        columns = right[size:].reshape(size, len(p), -1).transpose(0, 2, 1).reshape(-1, len(p))
        return (self.left - right[:size]).ravel(), columns


@cache
def _program(model: str, names: tuple[str, ...]) -> Program:
    """f, and its derivatives by the named parameters: all of the first state, all of the second, ..."""
    own = library_model(model)
    slopes = (derivative(equation, symbol(name)) for equation in own.equations for name in names)
    known = (*own.state_names, *own.input_names, *own.parameter_names)
    return Program([*own.equations, *slopes], [TIME, *map(symbol, known)])


def _integrals(rows: Array, weights: Array) -> Array:
    """Sums over the reach of every test function: [rows, intervals * points] to [rows, tests]."""
    count = len(GAUSS)
    cut = rows.reshape(len(rows), -1, count)
    tests = cut.shape[1] - INTERVALS + 1
    total = sum(cut[:, k : k + tests] @ weights[k * count : (k + 1) * count] for k in range(INTERVALS))
    return np.asarray(total)


def parameter_panel(
    title: str, label: str, descent: Descent, names: Sequence[str], truth: Mapping[str, float]
) -> Panel:
    """Parameters over the steps, their true values dotted."""
    steps = tuple(float(k) for k in range(descent.steps + 1))
    paths = [Series(name, steps, tuple(descent.path[:, descent.names.index(name)])) for name in names]
    levels = [
        Series("" if place else "truth", (0.0, steps[-1]), (truth[name],) * 2, emphasis="bound")
        for place, name in enumerate(names)
    ]
    return Panel(title, "step", label, (*paths, *levels))


def step_panel(title: str, descent: Descent, cutoff: float) -> Panel:
    """|delta theta| over the steps, on a logarithmic axis."""
    steps = tuple(float(k) for k in range(1, descent.steps + 1))
    lengths = tuple(np.maximum(descent.lengths, 1e-16))
    limit = Series("cutoff", (1.0, steps[-1]), (cutoff, cutoff), emphasis="bound")
    return Panel(title, "step", "length of the step [mixed units]", (Series("", steps, lengths), limit), y_scale="log")


VALUE = "value of B"
SPLINES_SHOWN = 5  # splines side by side
SPLINE_POINTS = 401  # of every curve


def explicit(t: np.ndarray) -> np.ndarray:
    """Equation 16 around zero with h = 1."""
    s = np.abs(t)
    inner = 1 / 6 + (1 - s) / 2 + (1 - s) ** 2 / 2 - (1 - s) ** 3 / 2
    return np.where(s <= 1, inner, np.where(s <= 2, (2 - np.minimum(s, 2)) ** 3 / 6, 0.0))


def figure_3(scale: Scale, progress: Progress) -> Outcome:
    """Cubic B-splines with unit spacing, and one of them with its slope."""
    progress(0.0, "B-splines")
    time = np.linspace(-2.0, SPLINES_SHOWN + 1.0, SPLINE_POINTS)
    spline = BSpline.basis_element(np.arange(-2.0, 3.0), extrapolate=False)
    near = np.linspace(-2.0, 2.0, SPLINE_POINTS)
    slope = spline.derivative()
    five = tuple(Series(f"B_{k}", tuple(time), tuple(explicit(time - k))) for k in range(SPLINES_SHOWN))
    one = (Series("B", tuple(near), tuple(explicit(near)), emphasis="model"),
           Series("its slope", tuple(near), tuple(np.nan_to_num(slope(near))), emphasis="printed"))  # fmt: skip
    sloped = float(np.max(np.gradient(explicit(near), near)))
    steepest = float(np.nanmax(slope(near)))
    rows = (
        ("at its knot", VALUE, 2 / 3, float(explicit(np.array([0.0]))[0]), float(spline(0.0)), ""),
        ("one knot away", VALUE, 1 / 6, float(explicit(np.array([1.0]))[0]), float(spline(1.0)), ""),
        ("two knots away", VALUE, 0.0, float(explicit(np.array([2.0]))[0]), float(np.nan_to_num(spline(2.0))), ""),
        ("between its knots", "steepest slope", "a curve", sloped, steepest, "as printed: by differences"),
    )
    figures = tuple(
        PublishedFigure(case, what, "" if what == VALUE else "1/knot", printed, as_printed, exact, None, note)
        for case, what, printed, as_printed, exact, note in rows
    )
    panels = (
        Panel("(a) five cubic B-splines", "time [knots]", "value [no unit]", five),
        Panel("(b) one of them, and its slope", "time [knots]", "value [no unit], slope [1/knot]", one),
    )
    return Outcome(figures, panels, {"spacing of the knots": 1.0})
