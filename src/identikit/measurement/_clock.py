"""The clock of a record: rate, jitter, drift of the spacing, and gaps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from identikit.measurement._settings import SERIES
from identikit.numerics import robust_std


@dataclass(frozen=True)
class Gap:
    """A stretch without samples: from the last sample before it to the first one after."""

    begin: float
    end: float

    @property
    def length(self) -> float:
        return self.end - self.begin


@dataclass(frozen=True)
class Clock:
    """When samples were taken.

    Arguments:
        spacing: usual (median) time between samples.
        jitter: standard deviation of the spacing, gaps and lost samples left out, in parts of the spacing.
        longest: the longest spacing that is no gap, in parts of the usual one.
        lost: samples that are missing where a step is a multiple of the usual one but no gap.
        gaps: pauses longer than ten usual spacings.
    """

    spacing: float
    jitter: float
    longest: float
    lost: int
    gaps: tuple[Gap, ...]

    @property
    def rate(self) -> float:
        """Samples per unit of time."""
        return 1.0 / self.spacing

    @property
    def regular(self) -> bool:
        """Whether the samples are evenly spaced but for rounding, lost samples and gaps."""
        return self.jitter <= SERIES.regular


def clock_of(time: NDArray[np.float64]) -> Clock:
    """Rate, jitter and gaps of increasing times.

    A step of k usual spacings (k = 2 ... 10, within a quarter of a spacing) counts as k - 1 lost samples if the other
    steps are that regular; jitter is the standard deviation of the rest.
    """
    steps = np.diff(time)
    spacing = float(np.median(steps))
    pauses = np.flatnonzero(steps > SERIES.pause * spacing)
    gaps = tuple(Gap(float(time[i]), float(time[i + 1])) for i in pauses)
    usual = steps[steps <= SERIES.pause * spacing] / spacing
    multiples = np.round(usual)
    steady = float(robust_std(usual, 1.0)) < SERIES.wrap_miss
    skipped = (multiples >= 2) & (np.abs(usual - multiples) < 0.25) & steady
    plain = usual[~skipped]
    return Clock(spacing, float(np.std(plain)), float(usual.max()), int((multiples[skipped] - 1).sum()), gaps)
