"""Clipping: a series that is cut off at the end of its sensor's range."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from identikit.measurement._settings import SERIES


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
