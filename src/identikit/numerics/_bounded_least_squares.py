"""Linear least squares within bounds, and the linear part of a problem that is linear in some parameters only."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from identikit.numerics._information import column_sizes

ROUNDING = 1e-12  # of the largest singular value of scaled columns: below it a direction is left where it is

Rows = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]
"""Parameters p to residuals r [R] and their derivatives dr/dp [R, parameters]."""


def bounded_least_squares(
    a: np.ndarray, b: np.ndarray, low: np.ndarray | float = -np.inf, high: np.ndarray | float = np.inf
) -> np.ndarray:
    """min |a x - b| with low <= x <= high, columns scaled; the unbounded solution if it lies inside."""
    scale = column_sizes(a)
    triangle = np.asarray(np.linalg.qr(np.column_stack([a / scale, b]), mode="r"))
    left, right = triangle[:, :-1], triangle[:, -1]
    x = np.linalg.lstsq(left, right, rcond=ROUNDING)[0]
    least, most = low * scale, high * scale
    if not ((x < least) | (x > most)).any():
        return np.asarray(x / scale)
    from scipy.optimize import lsq_linear

    found = lsq_linear(left, right, (least, np.maximum(most, least + 1e-300)), method="bvls")
    return np.clip(found.x / scale, low, high)


def linear_part(
    rows: Rows, p: np.ndarray, linear: Sequence[int], low: np.ndarray, high: np.ndarray
) -> tuple[np.ndarray, float]:
    """p with the parameters that enter linearly at their best for the others as they are, and the sum of squares."""
    r, slopes = rows(p)
    chosen = list(linear)
    if chosen and np.isfinite(slopes).all() and np.isfinite(r).all():
        p, part = p.copy(), slopes[:, chosen]
        step = bounded_least_squares(part, -r, low[chosen] - p[chosen], high[chosen] - p[chosen])
        p[chosen] += step
        r = r + part @ step
    return p, float(r @ r)
