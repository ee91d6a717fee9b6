"""Linear least squares within bounds."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from identikit.numerics._information import column_sizes

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

    found = lsq_linear(left, right, (least, np.maximum(most, least + 1e-300)), method="bvls")
    return np.clip(found.x / scale, low, high)
