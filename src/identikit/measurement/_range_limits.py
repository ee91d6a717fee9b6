"""Ends of a sensor's range: values that are cut off, and angles that jump by a turn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from identikit.measurement._settings import SERIES

TURNS = {"rad": 2 * np.pi, "deg": 360.0, "degree": 360.0, "rev": 1.0, "turn": 1.0}  # one turn by unit


@dataclass(frozen=True)
class Clipping:
    """A series that is cut off.

    Arguments:
        level: the value at which it stays.
        highest: whether that is its highest value; else its lowest.
        samples: how many samples are at it; places: in how many stretches.
    """

    level: float
    highest: bool
    samples: int
    places: int


def clipping(values: ArrayLike, step: float = 0.0) -> tuple[Clipping, ...]:
    """Ends of the range at which a series stays again and again, as at the limit of a sensor.

    Arguments:
        values: in the order of time; step: of its quantisation, 0 if there is none.

    Only exact equality counts: a limit that lies before a filter or an amplifier with noise is not seen. A square wave
    stays at its ends too; columns made of steps should be asked for before (`steps_of`).
    """
    y = np.asarray(values, float)
    y = y[np.isfinite(y)]
    reach = float(np.ptp(y)) if len(y) else 0.0
    if reach == 0.0:
        return ()
    found = []
    for sign in (1.0, -1.0):
        below = float(np.max(sign * y)) - sign * y
        at = below == 0.0
        edges = np.flatnonzero(np.diff(np.concatenate([[0], at.astype(int), [0]])))
        starts, ends = edges[::2], edges[1::2]
        long = ends - starts >= SERIES.run_at_limit
        starts, ends = starts[long], ends[long]
        if len(starts) < 2:
            continue
        left = [float(below[end:start].max()) for end, start in zip(ends[:-1], starts[1:], strict=True)]
        places = 1 + sum(depth > SERIES.left_limit * reach for depth in left)
        # at a natural top a series stays hardly longer than just below it
        beside = int(np.sum((below > 0) & (below <= max(SERIES.limit_band * reach, 1.5 * step))))
        if places >= 2 and at.sum() > SERIES.held_at_limit * max(beside, 1):
            found.append(Clipping(float(sign * np.max(sign * y)), sign > 0, int(at.sum()), places))
    return tuple(found)


def wraps(values: ArrayLike, unit: str = "") -> NDArray[np.intp]:
    """Indices of the samples before which an angle jumps by one turn, because its sensor counts within one turn.

    Arguments:
        values: in the order of time, NaN where missing.
        unit: of the values; without one, jumps by 2 pi and by 360 are looked for.
    """
    y = np.asarray(values, float)
    known = np.flatnonzero(np.isfinite(y))
    none = np.zeros(0, np.intp)
    if len(known) < 3:
        return none
    jumps = np.diff(y[known])
    usual = float(np.median(np.abs(jumps)))
    turns = [TURNS[unit]] if unit in TURNS else [2 * np.pi, 360.0] if not unit else []
    for turn in turns:
        if np.ptp(y[known]) > turn * (1 + SERIES.wrap_miss):
            continue
        at = np.abs(np.abs(jumps) - turn) < max(SERIES.wrap_miss * turn / 2, 5 * usual)
        at &= np.abs(jumps) > turn / 2
        # the other samples must not jump: noise or a square wave of that height is no angle
        rest = np.abs(jumps[~at])
        if at.any() and len(rest) and rest.max() < turn / 4:
            return np.asarray(known[1:][at], np.intp)
    return none
