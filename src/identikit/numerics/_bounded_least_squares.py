"""Linear least squares within bounds."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from identikit.numerics._information import column_sizes

MOST_CHANGES = 20  # for each unknown, of whether it is at a bound: one or two are usual
ROUNDING = 1e-12  # of the largest singular value of scaled columns: below it a direction is left where it is

ResidualFunction = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]
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

    # by itself it ends after as many changes of which bounds hold as there are unknowns, done or not
    limits = (least, np.maximum(most, least + 1e-300))
    found = lsq_linear(left, right, limits, method="bvls", max_iter=MOST_CHANGES * len(x))
    at = found.active_mask  # where a bound holds, it is returned to the last bit
    return np.clip(np.where(at < 0, low, np.where(at > 0, high, found.x / scale)), low, high)
