"""The integrator that shares nothing with identikit's, started beside the given state where tests ask for that.

`make test-rounding` sets IDENTIKIT_TEST_PERTURB: what hangs on the last bits then shows.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import independent_integrator as independent
from independent_integrator import Switch as Switch

Vector = np.ndarray
PERTURBATION = float(os.environ.get("IDENTIKIT_TEST_PERTURB", "0"))  # of initial states, relative


def _beside(x0: Sequence[float]) -> Vector:
    return np.array(x0, float) * (1 + PERTURBATION)


def smooth(rate: Callable[[float, Vector], Sequence[float]], x0: Sequence[float], times: Vector) -> Vector:
    """States [states, times] of a smooth system."""
    return independent.smooth(rate, _beside(x0), times)


def event_driven(
    rate: Callable[[float, Vector, list[float]], Sequence[float]],
    switches: Sequence[Switch],
    x0: Sequence[float],
    times: Vector,
    breaks: Sequence[float] = (),
) -> tuple[Vector, list[tuple[float, int, float]]]:
    """States [states, times] and the events (time, switch, new mode); `breaks` are known jumps in time."""
    return independent.event_driven(rate, switches, _beside(x0), times, breaks)


def horizontal_pendulum(
    times: Vector, x0: Sequence[float] = (np.pi / 6, 0.0), *dampings: float, **other: Any
) -> tuple[Vector, list[tuple[float, int, float]]]:
    """The pendulum on a spring with dry friction; other arguments as `independent.horizontal_pendulum` has them."""
    return independent.horizontal_pendulum(times, _beside(x0), *dampings, **other)
