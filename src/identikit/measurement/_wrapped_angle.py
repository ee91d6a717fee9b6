"""Wrapped angles: series that jump by one turn because their sensor counts within one turn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from identikit.measurement._settings import SERIES

_TURNS = {"rad": 2 * np.pi, "deg": 360.0, "°": 360.0, "rev": 1.0, "turn": 1.0}  # one turn, by unit


@dataclass(frozen=True, eq=False)
class WrappedAngle:
    """Where an angle jumps.

    Arguments:
        turn: height of the jumps, one turn in the unit of the values.
        index: the samples before which it jumps.
    """

    turn: float
    index: NDArray[np.intp]

    def unwrapped(self, values: ArrayLike) -> NDArray[np.float64]:
        """The angle without these jumps, going on from its first value."""
        y = np.array(values, dtype=np.float64)
        known = np.isfinite(y)
        y[known] = np.unwrap(y[known], period=self.turn)
        return y


def wrapped_angle(values: ArrayLike, unit: str = "") -> WrappedAngle | None:
    """The jumps of an angle by one turn; None if there are none, or if other jumps are in the series too.

    Arguments:
        values: in the order of time, NaN where missing.
        unit: of the values; without one, jumps by 2 pi and by 360 are looked for.

    Not seen: an angle sampled fewer than four times per turn, whose own steps are as large as its jumps.
    """
    y = np.asarray(values, float)
    known = np.flatnonzero(np.isfinite(y))
    if len(known) < 3:
        return None
    jumps = np.abs(np.diff(y[known]))
    usual = float(np.median(jumps))
    turns = [_TURNS[unit]] if unit in _TURNS else [2 * np.pi, 360.0] if not unit else []
    for turn in turns:
        if np.ptp(y[known]) > turn * (1 + SERIES.wrap_miss):
            continue
        at = (np.abs(jumps - turn) < max(SERIES.wrap_miss * turn, 5 * usual)) & (jumps > turn / 2)
        # the other samples must not jump: noise or a square wave of that height is no angle
        rest = jumps[~at]
        if at.any() and len(rest) and rest.max() < turn / 4:
            return WrappedAngle(turn, np.asarray(known[1:][at], np.intp))
    return None
