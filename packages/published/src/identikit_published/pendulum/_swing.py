"""The report's experiment: a horizontal pendulum on a torsional spring, released at 30 degrees.

theta'' + 2 zeta theta' + mu_c sign(theta') + mu_q theta'|theta'| + k theta - cos theta = 0
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from identikit_published import independent

MODEL = "horizontal_pendulum"
STIFFNESS = 20.0  # k, in units of m g L
RELEASED = float(np.pi / 6)  # rad
NOISE = 0.002  # rad
TIME: NDArray[np.float64] = np.arange(30001, dtype=np.float64) * 0.002  # s
REST = 0.0499377  # rad, where k theta = cos theta
FREQUENCY = float(np.sqrt(STIFFNESS + np.sin(REST)))  # rad/s, of small swings about it
PERIOD = 2 * np.pi / FREQUENCY  # s
FIRST = RELEASED - REST  # rad, the first amplitude
DAMPINGS = {
    "viscous": {"zeta": 0.05},
    "Coulomb": {"mu_c": 0.03},
    "quadratic": {"mu_q": 0.05},
    "combined": {"zeta": 0.025, "mu_c": 0.015, "mu_q": 0.025},
}
SINGLE = ("viscous", "Coulomb", "quadratic")
PARAMETERS = ("zeta", "mu_c", "mu_q")
SETTINGS = {"k": STIFFNESS, "theta0 [deg]": 30, "duration [s]": 60, "dt [s]": 0.002, "noise [rad]": NOISE}


@cache
def swing(case: str) -> NDArray[np.float64]:
    """Angle and velocity [2, times] of a case, without noise."""
    values = {"zeta": 0.0, "mu_c": 0.0, "mu_q": 0.0, **DAMPINGS[case]}
    found, _ = independent.horizontal_pendulum(
        TIME, zeta=values["zeta"], mu_c=values["mu_c"], mu_q=values["mu_q"], k=STIFFNESS
    )
    return found


def noisy(case: str, seed: int, noise: float = NOISE) -> NDArray[np.float64]:
    """The angle as it is measured."""
    return swing(case)[0] + noise * np.random.default_rng(seed).standard_normal(len(TIME))


def peaks(angle: NDArray[np.float64], time: NDArray[np.float64] = TIME) -> tuple[NDArray[np.float64], ...]:
    """Times and heights of the maxima of a smooth curve, by a parabola through three samples."""
    at = np.flatnonzero((angle[1:-1] > angle[:-2]) & (angle[1:-1] >= angle[2:])) + 1
    before, here, after = angle[at - 1], angle[at], angle[at + 1]
    shift = (before - after) / (2 * (before - 2 * here + after))
    return time[at] + shift * (time[1] - time[0]), here - (before - after) * shift / 4


def amplitudes(angle: NDArray[np.float64]) -> tuple[NDArray[np.float64], ...]:
    """Times of the peaks of a motion over TIME, and half the way from each to the valley after it.

    The heights of the peaks alone would not do: about its rest position the swing is slightly lopsided.
    """
    time, peak = peaks(angle)
    _, valley = peaks(-angle)
    last = min(len(peak), len(valley) - 1)  # the motion begins with a valley, half a swing after its release
    return time[:last], (peak[:last] + valley[1 : last + 1]) / 2


def decay(case: str, as_printed: bool) -> NDArray[np.float64]:
    """The amplitude over TIME: by the report's formula, or by averaging over a cycle."""
    value = next(iter(DAMPINGS[case].values()))
    if case == "viscous":
        return FIRST * np.exp(-value * (FREQUENCY if as_printed else 1.0) * TIME)
    if case == "Coulomb":
        return FIRST - 2 * value / (np.pi * FREQUENCY) * TIME
    return FIRST / (1 + 4 * value * FREQUENCY * FIRST / (3 * np.pi) * TIME)
