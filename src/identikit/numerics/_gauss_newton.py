"""Nonlinear least squares within bounds by Gauss-Newton, damped where the full step fails."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from identikit.numerics._bounded_least_squares import ResidualFunction, bounded_least_squares
from identikit.numerics._information import column_sizes
from identikit.progress import Progress, silent

FIRST_DAMPING = 1e-3  # of a full step that is repeated
LEAST_DAMPING, MOST_DAMPING = 1e-10, 1e9  # below, the step is a full one; beyond, there is no way down
RAISED, LOWERED = 8.0, 0.2  # factors on the damping after a step that failed, and after one that did not
ROUNDED = 1e-12  # of the sum of squares: a rise by rounding is none


@dataclass(frozen=True)
class Descent:
    """How an iteration goes down, and where it ends.

    Attributes:
        damping: of the first step, relative to the squared columns; 0 takes it in full, which is right from a good
            start.
        step: no parameter moves by more than this part of its size: the iteration has converged.
        gain: so it has if a step lowers the sum of squares by less than this part of it.
        tries: steps tried at most, those that failed included.
    """

    damping: float = 0.0
    step: float = 1e-6
    gain: float = 1e-10
    tries: int = 100


FULL_STEPS = Descent()
FROM_AFAR = Descent(damping=1e-2, tries=40)  # from starts that may be far off, where a full step leads anywhere


@dataclass(frozen=True)
class Minimum:
    """Where an iteration ended; `path` holds every accepted set of parameters, the start first.

    `cost` is the sum of squares, infinite if it cannot be had at the start.
    """

    p: np.ndarray
    cost: float
    path: tuple[np.ndarray, ...]
    converged: bool
    stopped: bool = False

    @property
    def rounds(self) -> int:
        return len(self.path) - 1

    def after(self, first: Minimum) -> Minimum:
        """This minimum with the way that led to its start put before its own."""
        return replace(self, path=first.path + self.path[1:], stopped=first.stopped or self.stopped)


def gauss_newton(
    rows: ResidualFunction,
    p: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    descent: Descent = FULL_STEPS,
    progress: Progress = silent,
) -> Minimum:
    """Minimise |r(p)|^2 from p within bounds; `rows(p)` gives r [R] and dr/dp [R, parameters].

    Each step solves the linearised problem by QR with scaled columns,

        min |r + J s|^2 + damping |D s|^2,      low <= p + s <= high,      D the lengths of the columns of J;

    one that does not lower the cost, or leads where the rows are not finite, is repeated with more damping.
    References: K. Levenberg, Quarterly of Applied Mathematics 2 (1944) 164; D. W. Marquardt, J. SIAM 11 (1963) 431.
    """
    r, slopes = rows(p)
    cost = _cost(r, slopes)
    path, damping = [p], descent.damping
    if not np.isfinite(cost):
        return Minimum(p, cost, (p,), False)
    width = np.where(np.isfinite(high - low), high - low, 1.0)  # a size for parameters that may be zero
    for index in range(descent.tries):
        if progress(index / descent.tries, f"step {index + 1}, sum of squares {cost:.4g}", p) is False:
            return Minimum(p, cost, tuple(path), False, True)
        step = _step(r, slopes, damping, low - p, high - p)
        small = bool((np.abs(step) <= descent.step * (np.abs(p) + descent.step * width)).all())
        new_r, new_slopes = rows(p + step)
        new = _cost(new_r, new_slopes)
        if new <= cost * (1 + ROUNDED):
            ended = small or cost - new < descent.gain * cost
            p, r, slopes, cost = p + step, new_r, new_slopes, new
            path.append(p)
            if ended:
                return Minimum(p, cost, tuple(path), True)
            damping = LOWERED * damping if damping > LEAST_DAMPING else 0.0
        elif small or damping > MOST_DAMPING:
            return Minimum(p, cost, tuple(path), small)
        else:
            damping = RAISED * damping or FIRST_DAMPING
    return Minimum(p, cost, tuple(path), False)


def _cost(r: np.ndarray, slopes: np.ndarray) -> float:
    cost = float(r @ r)
    return cost if np.isfinite(cost) and np.isfinite(slopes).all() else np.inf


def _step(r: np.ndarray, slopes: np.ndarray, damping: float, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    if damping == 0:
        return bounded_least_squares(slopes, -r, low, high)
    held = np.diag(np.sqrt(damping) * column_sizes(slopes))
    return bounded_least_squares(np.vstack([slopes, held]), np.append(-r, np.zeros(len(held))), low, high)
