"""Combinations of parameters that a record tells least about: the long axes of the ellipsoid of uncertainty."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from identikit.numerics import Information
from identikit.planning._expected import Expected

HARDLY_KNOWN = 0.1  # relative standard error from which a direction is worth naming
MOST_NAMED = 3  # directions: more are not read
TAKES_PART = 0.05  # of the largest change in a direction: parameters that change less are left out
NOT_AT_ALL = 1e3  # relative standard error from which it is the rounding of none


@dataclass(frozen=True)
class WeakDirection:
    """Relative changes {parameter: share, the largest 1} that the record hardly shows, and their standard error.

    `std` is how far the first parameter may go along it, relative to its size; infinite where nothing is known.
    """

    changes: Mapping[str, float]
    std: float


def weakest(told: Expected) -> tuple[WeakDirection, ...]:
    """Directions that are hardly known and in which parameters change together, the weakest first."""
    root = Information.of_rows(told.rows).root / told.sizes[:, None]
    axes, spread, _ = np.linalg.svd(root)
    found: list[WeakDirection] = []
    for axis, std in zip(axes.T, spread, strict=True):
        largest = float(axis[np.argmax(np.abs(axis))])
        shares = axis / largest
        changes = {name: float(s) for name, s in zip(told.names, shares, strict=True) if abs(s) > TAKES_PART}
        reach = float(std * abs(largest))
        if reach < HARDLY_KNOWN or len(found) == MOST_NAMED:
            break
        if len(changes) > 1:
            found.append(WeakDirection(changes, reach if reach < NOT_AT_ALL else float("inf")))
    return tuple(found)
