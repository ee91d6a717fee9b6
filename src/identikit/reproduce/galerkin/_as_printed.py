"""The paper's procedure to the letter: equations 10 to 44, with nothing that the method `galerkin` adds.

Natural cubic splines through all samples of states and inputs (equations 10, 11, 18), cubic B-splines on the samples as
test functions (16), residuals of all states summed without weights (25), bare Gauss-Newton steps from the given start
(43, 44) until the whole step is shorter than a cutoff, whatever the parameters' sizes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import BSpline, CubicSpline

from identikit.model import TIME, Model, Program, derivative, symbol

Array = NDArray[Any]

GAUSS, WEIGHTS = np.polynomial.legendre.leggauss(3)  # points in each interval between samples
INTERVALS = 4  # that a cubic B-spline reaches over
MOST_STEPS = 60
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
    model: Model,
    time: Array,
    states: Array,
    inputs: Array,
    start: Mapping[str, float],
    cutoff: float,
    steps_kept: bool = False,
) -> Descent:
    """Estimate the parameters in `start` from evenly spaced samples [states, times] and [inputs, times].

    `steps_kept`: inputs stay constant from sample to sample instead of following a spline, which is not as printed.
    """
    spacing = float(time[1] - time[0])
    offsets = (GAUSS + 1) / 2 * spacing
    at = (time[:-1, None] + offsets).ravel()
    curves = CubicSpline(time, states, axis=1, bc_type="natural")(at)
    driven = inputs
    if len(inputs):
        splined = CubicSpline(time, inputs, axis=1, bc_type="natural")
        driven = np.repeat(inputs[:, :-1], len(GAUSS), axis=1) if steps_kept else splined(at)
    spline = BSpline.basis_element(np.arange(INTERVALS + 1.0) * spacing)
    reached = (np.arange(INTERVALS)[:, None] * spacing + offsets).ravel()
    weights = np.tile(WEIGHTS * spacing / 2, INTERVALS)
    tests, slopes = weights * spline(reached), weights * spline.derivative()(reached)
    left = -_integrals(curves, slopes)
    names = tuple(start)
    unknown = [symbol(name) for name in names]
    outputs = [*model.equations, *(derivative(equation, p) for equation in model.equations for p in unknown)]
    program = Program(outputs, [TIME, *map(symbol, model.state_names), *map(symbol, model.input_names),
                                *map(symbol, model.parameter_names)])  # fmt: skip
    fixed = {item.name: item.value for item in model.parameters}
    p = np.array([start[name] for name in names])
    path = [p]
    limit = RUN_AWAY * max(1.0, float(np.linalg.norm(p)))
    while len(path) <= MOST_STEPS:
        values = {**fixed, **dict(zip(names, p, strict=True))}
        with np.errstate(all="ignore"):
            found = program(np, [at, *curves, *driven, *(values[name] for name in model.parameter_names)])
        table = np.array([np.broadcast_to(one, at.shape) for one in found])
        if not np.isfinite(table).all():
            break
        right = _integrals(table, tests)
        size = len(model.state_names)
        residual = (left - right[:size]).ravel()
        columns = right[size:].reshape(size, len(names), -1).transpose(0, 2, 1).reshape(-1, len(names))
        step = np.linalg.lstsq(columns.T @ columns, columns.T @ residual, rcond=None)[0]
        p = p + step
        path.append(p)
        if np.linalg.norm(step) < cutoff:
            return Descent(names, np.array(path), True)
        if not np.linalg.norm(p) < limit:
            break
    return Descent(names, np.array(path), False)


def _integrals(rows: Array, weights: Array) -> Array:
    """Sums over the reach of every test function: [rows, intervals * points] to [rows, tests]."""
    count = len(GAUSS)
    cut = rows.reshape(len(rows), -1, count)
    tests = cut.shape[1] - INTERVALS + 1
    total = sum(cut[:, k : k + tests] @ weights[k * count : (k + 1) * count] for k in range(INTERVALS))
    return np.asarray(total)
