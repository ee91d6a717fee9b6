"""Quantisation: the step between the values that a sensor, a counter or a printed number can have."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from identikit.measurement._settings import SERIES


@dataclass(frozen=True)
class Quantisation:
    """Values lie at offset + k step, k whole.

    Arguments:
        step: distance between neighbouring levels, in the unit of the values.
        offset: one of the levels.
        levels: how many different values occur.
        off_grid: rms distance of the values from their levels, in steps; rounding in print makes it.

    Rounding to the nearest level adds an error of step / sqrt(12) rms to whatever noise there is.
    """

    step: float
    offset: float
    levels: int
    off_grid: float

    @property
    def error(self) -> float:
        """Standard deviation that rounding to a level adds."""
        return self.step / float(np.sqrt(12.0))

    def matters(self, sigma: float) -> bool:
        """Whether the step is so coarse against noise sigma that it shapes what is measured."""
        return self.step > sigma


def quantisation(values: ArrayLike) -> Quantisation | None:
    """The step of the grid that the values lie on; None if they lie on none, or are too few to tell.

    The smallest distance between two different values is refined over longer and longer distances (each must be a
    whole number of steps), so that neither the digits lost in print nor a change of unit after counting hides
    the grid. Numbers printed with few digits lie on a grid too, that of their last digit.

    Arguments:
        values: in any order; NaN is passed over.

    Not found: a resolution that depends on the value (logarithmic converters, few significant digits), and a
    quantised quantity that was filtered or interpolated since.
    """
    series = np.asarray(values, dtype=np.float64).ravel()
    series = series[np.isfinite(series)]
    levels = np.unique(series)
    if len(levels) < SERIES.fewest_levels:
        return None
    apart = SERIES.level_digits * float(np.abs(levels).max())
    levels = levels[np.concatenate([[True], np.diff(levels) > apart])]
    if len(levels) < SERIES.fewest_levels:
        return None
    smallest = float(np.diff(levels).min())
    for parts in (1, 2, 3):  # where values are few, none may be one step beside another
        step = _refined(levels[: SERIES.most_levels], smallest / parts)
        whole = (levels - levels[0]) / step
        missed = whole - np.round(whole)
        off_grid = float(np.std(missed))
        if off_grid <= SERIES.off_grid and step > 2 * apart:
            return Quantisation(step, float(levels[0] + step * missed.mean()), len(levels), off_grid)
    return None


def _refined(levels: NDArray[np.float64], step: float) -> float:
    """The step that distances over 1, 2, 4, ... levels are whole multiples of, as nearly as they allow."""
    reach = 1
    while reach < len(levels):
        distance = levels[reach:] - levels[:-reach]
        # of all, the shortest: a step that is a little off still counts them rightly
        shortest = np.sort(distance)[: max(len(distance) // 4, 8)]
        whole = np.round(shortest / step)
        step = float(shortest @ whole / (whole @ whole))
        reach *= 2
    return step
