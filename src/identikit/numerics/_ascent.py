"""Many maxima at once: Gauss-Newton steps of many functions side by side, within bounds.

    p <- p + argmax_s  g's - 1/2 s'Hs,    low <= p + s <= high,  held parameters stay

with the gradient g and the information H of each function. A step that leads down is halved. The last step, which
promises next to nothing, is taken and its promise counted without another evaluation: what that neglects is of third
order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from identikit.numerics._bounded_least_squares import bounded_least_squares

LEAST_CURVATURE = 1e-12  # of the largest eigenvalue of a scaled information: a direction below is left where it is
NO_WORSE = 1e-6  # by which a value may fall: what integrators and sums leave of noise


@dataclass(frozen=True)
class Heights:
    """Value [n], gradient [n, free] and information [n, free, free] of n functions at a point each; a value that does
    not exist is -inf. `rough` [n] marks those that are known to first order only and must be asked once more."""

    value: np.ndarray
    gradient: np.ndarray
    information: np.ndarray
    rough: np.ndarray | None = None


@dataclass(frozen=True)
class Summits:
    """Where the climbs ended: p [n, free], the value there [n], and which of them settled [n]."""

    p: np.ndarray
    value: np.ndarray
    settled: np.ndarray


def ascents(
    heights: Callable[[np.ndarray, np.ndarray], Heights],
    p: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    held: np.ndarray,
    longest: np.ndarray,
    growth: float,
    promise: float,
    rounds: int,
) -> Summits:
    """Climb from p [n, free].

    Arguments:
        heights: (which [m], p [m, free]) to the m functions there.
        held: [n, free] parameters that stay where they are.
        longest: [free] the furthest that one step may go; or, if that is further,
        growth: times the parameter's present value.
        promise: of a step: less is not worth another evaluation.
        rounds: evaluations in which a climb has to settle.
    """
    best, trial = p.copy(), p.copy()
    value = np.full(len(p), -np.inf)
    settled = np.zeros(len(p), bool)
    waiting = np.arange(len(p))
    for _ in range(rounds):
        if not len(waiting):
            break
        found = heights(waiting, trial[waiting])
        left = []
        for place, k in enumerate(waiting):
            new = found.value[place]
            if not new >= value[k] - NO_WORSE or not np.isfinite(new):
                trial[k] = 0.5 * (best[k] + trial[k])
                if np.isfinite(value[k]):
                    left.append(k)
                continue
            best[k], value[k] = trial[k], new
            moves = ~held[k]
            step = np.zeros(p.shape[1])
            step[moves], gain = best_step(
                found.gradient[place][moves],
                found.information[place][np.ix_(moves, moves)],
                (low - best[k])[moves],
                (high - best[k])[moves],
            )
            settled[k] = gain < promise and not (found.rough is not None and found.rough[place])
            furthest = np.maximum(np.maximum(longest, growth * np.abs(best[k])), 1e-300)
            share = min(1.0, 1.0 / max(float(np.max(np.abs(step) / furthest, initial=0.0)), 1e-300))
            trial[k] = np.clip(best[k] + share * step, low, high)
            if settled[k]:
                best[k], value[k] = trial[k], new + gain
            else:
                left.append(k)
        waiting = np.array(left, int)
    return Summits(best, value, settled)


def best_step(
    gradient: np.ndarray, information: np.ndarray, low: np.ndarray, high: np.ndarray
) -> tuple[np.ndarray, float]:
    """The step within bounds that a parabola promises most of, and what it promises."""
    if not len(gradient):
        return np.zeros(0), 0.0
    size = np.sqrt(np.maximum(np.diag(information), 1e-300))
    curvature, directions = np.linalg.eigh(information / np.outer(size, size))
    known = curvature > LEAST_CURVATURE * max(float(curvature.max()), 1e-300)
    root = np.sqrt(np.where(known, curvature, 1.0))
    rows = np.where(known, root, 0.0)[:, None] * directions.T * size
    right = np.where(known, directions.T @ (gradient / size) / root, 0.0)
    step = bounded_least_squares(rows, right, np.minimum(low, 0.0), np.maximum(high, 0.0))
    gain = float(gradient @ step - 0.5 * step @ information @ step)
    return step, max(gain, 0.0)
