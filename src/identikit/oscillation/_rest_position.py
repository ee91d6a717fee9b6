"""Where an oscillation comes to rest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from identikit.oscillation._settings import OSCILLATION


def rest_position(force: Callable[[float], Sequence[Any]], near: float, hilltops: bool = False) -> float:
    """The position next to `near` at which the restoring force vanishes, by Newton's method.

    Dry friction, which holds the system anywhere within a band about it, is left aside.

    Arguments:
        force: gives a(x), the acceleration at rest, and its slope da/dx.
        near: where to begin, and what is returned if no position of rest is found from there.
        hilltops: whether a force that pushes away (da/dx > 0) counts as well: an unstable position of rest.
    """
    x = near
    for _ in range(OSCILLATION.most_steps):
        value, slope = (float(item) for item in force(x))
        if not (np.isfinite(value) and (slope < 0 or (hilltops and slope > 0))):
            return near
        step = -value / slope
        x += step
        if abs(step) <= 1e-14 * (abs(x) + 1e-300):
            break
    return float(x)
