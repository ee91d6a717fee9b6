"""Nonlinear least squares without a start: many are tried, the most promising are refined."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from identikit.numerics._bounded_least_squares import ResidualFunction, bounded_least_squares
from identikit.numerics._gauss_newton import FROM_AFAR, Minimum, gauss_newton
from identikit.numerics._inside_bounds import between, evenly
from identikit.progress import poll


def search(
    rows: ResidualFunction,
    base: np.ndarray,
    searched: Sequence[int],
    low: np.ndarray,
    high: np.ndarray,
    *,
    given: np.ndarray,
    count: int,
    best: int,
    seed: int,
    trusted: Sequence[np.ndarray] = (),
) -> list[Minimum]:
    """Minima of |r(p)|^2, the lowest first; none if r is finite nowhere.

    Arguments:
        base: values of the parameters that are not searched; these must enter linearly and are solved for.
        searched: parameters tried at `count` points that leave no gaps within the bounds.
        given: values of searched parameters that are known to be good starts, NaN for the others.
        best: so many starts with the lowest sums of squares are refined.
        trusted: further starts, which are refined in any case.
    """
    chosen, linear = list(searched), [i for i in range(len(base)) if i not in searched]
    points = np.tile(base, (count if chosen else 1, 1))
    for point, shares in zip(points, evenly(len(points), len(chosen), seed), strict=True):
        point[chosen] = [between(share, low[i], high[i]) for share, i in zip(shares, chosen, strict=True)]
    tried = []
    for index, start in enumerate([*map(np.copy, trusted), *points]):
        poll()
        start[chosen] = np.where(np.isfinite(given), given, start)[chosen]
        cost = _solve_linear(rows, start, linear, low, high)
        if np.isfinite(cost):
            tried.append((index >= len(trusted), cost, index, start))
    tried.sort(key=lambda item: item[:3])
    ends = [gauss_newton(rows, start, low, high, FROM_AFAR) for *_, start in tried[:best]]
    return sorted(ends, key=lambda minimum: minimum.cost)


def _solve_linear(rows: ResidualFunction, p: np.ndarray, linear: list[int], low: np.ndarray, high: np.ndarray) -> float:
    """Set the parameters that enter linearly to their best (in place), and return the sum of squares."""
    r, slopes = rows(p)
    if linear and np.isfinite(slopes).all() and np.isfinite(r).all():
        step = bounded_least_squares(slopes[:, linear], -r, low[linear] - p[linear], high[linear] - p[linear])
        p[linear] += step
        r = r + slopes[:, linear] @ step
    with np.errstate(over="ignore"):  # an exponential far off: infinite, and the start is left out
        return float(r @ r)
