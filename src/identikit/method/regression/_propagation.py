"""Measurement noise carried through curves, filters and regression to the estimate, to first order.

At a minimum of |rho(p, y)|^2 the estimate follows the samples y by

    dp/dy = -(G'G)^-1 G' drho/dy,    G = drho/dp.

Rows depend on the samples through the curves x and their derivatives, on the left side and in the regressors, and a
curve is linear in its samples. So each component of p is a sum of w_d(g) x^(d)(t_g) over the grid, and its
variance is that of a linear functional of a spline. No draws, and the errors of the regressors are in it. What is
left out is second order: the bias that strong noise gives to products of noisy curves.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import sympy as sp

from identikit.measurement import HIGHEST_DERIVATIVE, SmoothCurve
from identikit.method.regression._filtered import Part, RegressionEquations
from identikit.method.regression._regression import FilteredRegression
from identikit.model import Program, derivative
from identikit.numerics import pseudo_inverse

ORDERS = HIGHEST_DERIVATIVE + 1  # of derivatives, the curve itself included


def propagated_deviation(
    regression: FilteredRegression, curves: Sequence[Sequence[SmoothCurve]], p: np.ndarray
) -> np.ndarray:
    """Standard errors of the free parameters at the regression's solution p, for white noise on the samples."""
    _, slopes = regression.rows(p)
    influence = pseudo_inverse(slopes)  # -dp/drho, [free, rows]
    equations = regression.equations
    rows = influence.reshape(len(p), equations.count, -1) * regression.weights[:, None]
    program, pairs = _sensitivities(equations)
    full = list(regression.problem.vector(p))
    variance = np.zeros(len(p))
    first = 0
    for part, record_curves in zip(regression.filtered.parts, curves, strict=True):
        last = first + int(part.moving.sum())
        table = part.table(program, full)
        for k in range(len(p)):
            own = rows[k, :, first:last]
            sides = [_spread(part, own, -part.slope), _spread(part, own, -part.bump)]
            weights = np.zeros((len(record_curves), ORDERS, len(part.values[0])))
            for (side, equation, index, order), slope in zip(pairs, table, strict=True):
                weights[index, order] += sides[side][equation] * slope
            for curve, weight in zip(record_curves, weights, strict=True):
                variance[k] += curve.variance(part.values[0], list(weight))
        first = last
    return np.sqrt(variance)


@lru_cache(maxsize=32)
def _sensitivities(equations: RegressionEquations) -> tuple[Program, list[tuple[int, int, int, int]]]:
    """Derivatives of the sides with respect to the curves, those not zero, and (side, equation, curve, order) of each.

    That of sign(v) is nought but for the instants where v passes zero, which a grid does not see.
    """
    reconstruction = equations.reconstruction
    curves = reconstruction.symbols[1 : 1 + ORDERS * len(reconstruction.outputs)]
    found, pairs = [], []
    for side, expressions in enumerate(equations.sides):
        for equation, expression in enumerate(expressions):
            for index, curve in enumerate(curves):
                slope = derivative(expression, curve).replace(sp.DiracDelta, lambda *_: sp.Integer(0))
                if slope != 0:
                    found.append(slope)
                    pairs.append((side, equation, index // ORDERS, index % ORDERS))
    return Program(found, reconstruction.symbols), pairs


def _spread(part: Part, rows: np.ndarray, filter_weights: np.ndarray) -> np.ndarray:
    """Weights [equations, windows] on filtered rows as weights [equations, points] on the grid."""
    points, length = len(part.values[0]), len(filter_weights)
    begins = np.nonzero(part.moving)[0] * part.stride
    impulses = np.zeros((len(rows), points - length + 1))
    impulses[:, begins] = rows
    return np.stack([np.convolve(row, filter_weights) for row in impulses])
