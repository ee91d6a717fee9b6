"""Nonlinear least squares by an interior trust region, which stays away from bounds until it must touch them."""

from __future__ import annotations

import numpy as np

from identikit.numerics._bounded_least_squares import ResidualFunction
from identikit.numerics._gauss_newton import FULL_STEPS, Descent, Minimum
from identikit.progress import Cancelled, Progress, silent

UNREACHABLE = 1e150  # residual where the rows are not finite


def trust_region(
    rows: ResidualFunction,
    p: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    descent: Descent = FULL_STEPS,
    progress: Progress = silent,
) -> Minimum:
    """The minimum that `gauss_newton` looks for; slower, but it does not fall into a corner of the bounds where
    Gauss-Newton's first steps may end. The damping of `descent` is not used.

    Reference: M. A. Branch, T. F. Coleman, Y. Li, SIAM J. Sci. Comput. 21 (1999) 1-23.
    """
    from scipy.optimize import least_squares

    start = np.clip(p, low, high)
    latest, best, count, path = start.tobytes(), start, 0, [p]
    r, slopes = rows(start)
    least = float(r @ r)
    if not np.isfinite(least):
        return Minimum(p, np.inf, (p,), False)

    def residual(x: np.ndarray) -> np.ndarray:
        nonlocal latest, r, slopes, least, best, count
        if x.tobytes() != latest:
            latest, (r, slopes) = x.tobytes(), rows(x)
        count += 1
        if r @ r < least:
            least, best = float(r @ r), x.copy()
        if progress(count / descent.tries, f"step {count}, sum of squares {least:.4g}", best) is False:
            raise Cancelled
        return np.nan_to_num(r, nan=UNREACHABLE, posinf=UNREACHABLE, neginf=-UNREACHABLE)

    def jacobian(x: np.ndarray) -> np.ndarray:  # asked for at accepted points only
        path.append(x.copy())
        return np.nan_to_num(slopes if x.tobytes() == latest else rows(x)[1])

    try:
        found = least_squares(
            residual, start, jacobian, (low, high), x_scale="jac", xtol=descent.step,
            ftol=descent.gain, gtol=descent.gain, max_nfev=descent.tries,
        )  # fmt: skip
    except Cancelled:
        return Minimum(best, least, tuple(path), False, True)
    return Minimum(found.x, 2 * float(found.cost), tuple(path), bool(found.status > 0))
