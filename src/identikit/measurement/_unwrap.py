"""Angles that jump by a full turn where the sensor's range ends, joined to a continuous motion."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from identikit.errors import OptionError
from identikit.measurement._record import Channel, Record
from identikit.units import convert, is_angle

_RANGE = 1.02  # turns: an angle that wraps stays within one turn, but for noise at its ends
_JUMP = 0.8  # turns: a longer step between two samples is a jump
_QUICK = 0.25  # turns per sample: motion that is as quick as this cannot be told from jumps
_SHARE_QUIET = 0.99  # of the steps that must be slower than that


def jumps(values: NDArray[np.float64], turn: float) -> int:
    """How many times an angle jumps by a full turn between neighbouring samples; 0 if it is no wrapped angle.

    Arguments:
        values: the angle; NaN where there is none.
        turn: a full turn in the unit of the values.

    A wrapped angle lies within one turn, steps by nearly a turn at least once, and moves slowly otherwise.
    """
    known = values[np.isfinite(values)]
    if len(known) < 2 or np.ptp(known) > _RANGE * turn:
        return 0
    steps = np.diff(known) / turn
    count = int(np.count_nonzero(np.abs(steps) >= _JUMP))
    rest = np.abs(steps - np.round(steps))
    return count if count and np.quantile(rest, _SHARE_QUIET) < _QUICK else 0


def unwrap(record: Record, channel: str, turn: float | None = None) -> Record:
    """Add full turns to an angle so that no step between neighbouring samples exceeds half a turn.

        y_i - y_{i-1} in (-turn/2, turn/2]

    Arguments:
        channel: its name.
        turn: a full turn in the channel's unit; None = that of its unit, which must be one of angles.

    Over a gap in which the motion goes on for more than half a turn the number of turns cannot be known.
    """
    found = record.require(channel, allow_constant=True)
    if turn is None:
        if not is_angle(found.unit):
            raise OptionError(f"unwrap: '{channel}' has the unit '{found.unit}', which is not an angle: give the turn.")
        turn = full_turn(found.unit)
    values = found.values.copy()
    known = np.isfinite(values)
    values[known] = np.unwrap(values[known], period=turn)
    words = f"unwrap: {channel} joined over {jumps(found.values, turn)} jumps by {turn:g}"
    return record.with_step(words, channels={**record.channels, channel: Channel(values, found.unit)})


def full_turn(unit: str) -> float:
    """A full turn in a unit of angles."""
    return convert(2 * math.pi, "rad", unit)
