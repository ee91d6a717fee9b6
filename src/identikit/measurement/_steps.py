"""Columns made of steps: commands, marks of runs, and sensors slower than the log."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from identikit.measurement._settings import SERIES


@dataclass(frozen=True)
class Steps:
    """A series that keeps its value for a while, then changes at once.

    Arguments:
        changes: how often it changes.
        levels: how many different values it has.
        hold: usual number of samples from one change to the next.
        marks: whether the values number runs: whole, rising by one, at least three, none missing.
        slow: whether it changes every `hold` samples, as a sensor does that is slower than the log.
        first: index of its first value; larger than 0 where the series begins with nothing.
    """

    changes: int
    levels: int
    hold: int
    marks: bool
    slow: bool
    first: int


def steps_of(values: ArrayLike) -> Steps | None:
    """How a series of steps is made; None if it is none, or never changes.

    Arguments:
        values: in the order of time, NaN where missing.

    The counts of a slow encoder stay for many samples too; they change by single small steps and are none.
    """
    y = np.asarray(values, float)
    known = np.flatnonzero(np.isfinite(y))
    if len(known) < 3:
        return None
    series = y[known]
    at = np.flatnonzero(np.diff(series) != 0.0) + 1
    if len(at) == 0 or 1 - len(at) / len(series) < 0.5:
        return None
    changes = np.diff(series)[at - 1]
    levels = np.unique(series)
    # the first and the last hold may be cut off by the ends of the record
    holds = np.diff(at) if len(at) > 1 else np.array([len(series)])
    hold = int(np.median(holds))
    # a step from 0 to 1 is more likely a command
    numbered = bool(np.all(changes == 1.0) and np.all(levels == np.round(levels)) and len(levels) >= SERIES.fewest_runs)
    marks = numbered and hold >= SERIES.shortest_hold and len(known) == len(y)
    slow = len(at) > 20 and float(np.mean(holds == hold)) >= SERIES.even_hold and len(levels) > SERIES.fewest_levels
    large = float(np.median(np.abs(changes))) >= SERIES.large_step * float(np.ptp(series))
    held = 1 - len(at) / len(series) >= SERIES.held and len(series) / (len(at) + 1) >= SERIES.shortest_hold
    if not (marks or slow or (held and large)):
        return None
    return Steps(len(at), len(levels), hold, marks, bool(slow), int(known[0]))
