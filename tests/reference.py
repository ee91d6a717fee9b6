"""The integrator that shares nothing with identikit's, started beside the given state where tests ask for that.

`make test-rounding` sets IDENTIKIT_TEST_PERTURB: what hangs on the last bits then shows.

An integration in Python takes as long as several fits, and many tests ask for the same motion, under other noise: so
motions are kept, by all that they follow from.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Sequence
from copy import deepcopy
from typing import Any

import numpy as np

import independent_integrator as independent
from independent_integrator import Switch as Switch

Vector = np.ndarray
PERTURBATION = float(os.environ.get("IDENTIKIT_TEST_PERTURB", "0"))  # of initial states, relative


def _beside(x0: Sequence[float]) -> Vector:
    return np.array(x0, float) * (1 + PERTURBATION)


def _followed_from(rate: Callable[..., Any]) -> tuple[Hashable, ...]:
    """What a right-hand side computes with: its code, and the values of all names in it."""
    held = [cell.cell_contents for cell in rate.__closure__ or ()]
    names = [rate.__globals__.get(name) for name in rate.__code__.co_names]
    return rate.__code__, rate.__defaults__, *held, *names


_MOTIONS: dict[Hashable, Any] = {}
_MOST_KEPT = 200


def _kept(key: tuple[Any, ...], integrate: Callable[[], Any]) -> Any:
    """A copy of the motion with this key; integrated anew where something in the key may change unseen."""
    try:
        known = key in _MOTIONS
    except TypeError:  # an array or a dictionary
        return integrate()
    if not known:
        if len(_MOTIONS) >= _MOST_KEPT:
            _MOTIONS.pop(next(iter(_MOTIONS)))
        _MOTIONS[key] = integrate()
    return deepcopy(_MOTIONS[key])


def smooth(rate: Callable[[float, Vector], Sequence[float]], x0: Sequence[float], times: Vector) -> Vector:
    """States [states, times] of a smooth system."""
    begun = _beside(x0)
    if not hasattr(rate, "__code__"):
        return independent.smooth(rate, begun, times)
    key = (*_followed_from(rate), begun.tobytes(), np.asarray(times, float).tobytes())
    return _kept(key, lambda: independent.smooth(rate, begun, times))


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
    begun = _beside(x0)
    key = ("horizontal pendulum", begun.tobytes(), np.asarray(times, float).tobytes(), dampings, *sorted(other.items()))
    return _kept(key, lambda: independent.horizontal_pendulum(times, begun, *dampings, **other))
