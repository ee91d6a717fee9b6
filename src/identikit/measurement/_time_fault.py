"""Where a time axis is not finite and strictly increasing, and what to do about it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class TimeFault:
    """The first sample whose time cannot follow the one before it.

    Arguments:
        index: position of the sample, from zero.
        before: time of the sample before it (NaN for the first sample).
        here: its own time.
    """

    index: int
    before: float
    here: float

    @property
    def backwards(self) -> bool:
        """Whether time runs backwards, as where one run of several in a file ends."""
        return self.here < self.before

    def describe(self, place: Callable[[int], str]) -> str:
        """The fault in words; ``place`` turns a sample's index into 'line 12' or 'sample 10'."""
        where = place(self.index)
        if not np.isfinite(self.here):
            return (
                f"the time at {where} is missing or not finite ({self.here:g}). "
                "Every sample needs a time: delete the row or fill the cell."
            )
        if self.here == self.before:
            return (
                f"the time {self.here!r} at {where} repeats the one before it. Times must increase: "
                "keep one of the repeated samples, or write the stamps with more digits."
            )
        return (
            f"the time runs backwards at {where}, from {self.before!r} to {self.here!r}. "
            "Times must increase: if the file holds several runs, name the column that numbers them as segments; "
            "otherwise sort the rows."
        )


def first_time_fault(time: NDArray[np.float64]) -> TimeFault | None:
    """The first fault of a time axis, or None if it is finite and strictly increasing."""
    bad = ~np.isfinite(time)
    # A comparison with NaN is False, so a row after a missing time is not blamed twice.
    bad[1:] |= time[1:] <= time[:-1]
    if not bad.any():
        return None
    index = int(bad.argmax())
    before = float(time[index - 1]) if index else float("nan")
    return TimeFault(index, before, float(time[index]))
