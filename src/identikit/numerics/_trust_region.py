"""Nonlinear least squares by an interior trust region, which stays away from bounds until it must touch them."""

from __future__ import annotations

import numpy as np

from identikit.numerics._bounded_least_squares import Rows
from identikit.numerics._gauss_newton import Descent, Minimum
from identikit.progress import Progress, silent

INSIDE = 1e-8  # of the width between bounds: how far inside them it begins
UNREACHABLE = 1e150  # residual where the rows are not finite
PATIENT = Descent(gain=1e-8, tries=100)


def trust_region(
    rows: Rows,
    p: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    descent: Descent = PATIENT,
    progress: Progress = silent,
) -> Minimum:
    """The minimum that `gauss_newton` looks for; slower, but it does not fall into a corner of the bounds where
    Gauss-Newton's first steps may end. The damping of `descent` is not used.

    Reference: M. A. Branch, T. F. Coleman, Y. Li, SIAM J. Sci. Comput. 21 (1999) 1-23.
    """
    from scipy.optimize import least_squares

    width = np.where(np.isfinite(high - low), high - low, np.abs(p) + 1.0)
    start = np.clip(p, low + INSIDE * width, high - INSIDE * width)
    latest, r, slopes = start, *rows(start)
    if not np.isfinite(r).all():
        return Minimum(p, np.inf, (p,), False)
    best, path, count = (float(r @ r), start), [p], 0

    def residual(x: np.ndarray) -> np.ndarray:
        nonlocal latest, r, slopes, best, count
        if not np.array_equal(x, latest):
            latest = x.copy()
            r, slopes = rows(x)
        if r @ r < best[0]:
            best = (float(r @ r), latest)
        count += 1
        if progress(min(count / descent.tries, 1.0), f"step {count}, sum of squares {best[0]:.4g}") is False:
            raise StopIteration
        return np.nan_to_num(r, nan=UNREACHABLE, posinf=UNREACHABLE, neginf=-UNREACHABLE)

    def jacobian(x: np.ndarray) -> np.ndarray:  # asked for at accepted points only, right after their residual
        path.append(x.copy())
        return np.nan_to_num(slopes if np.array_equal(x, latest) else rows(x)[1])

    try:
        found = least_squares(
            residual, start, jacobian, (low, high), x_scale="jac", xtol=descent.step, ftol=descent.gain,
            gtol=descent.gain, max_nfev=descent.tries,
        )  # fmt: skip
    except StopIteration:
        return Minimum(best[1], best[0], tuple(path), False, True)
    return Minimum(found.x, 2 * float(found.cost), tuple(path), bool(found.status > 0))
