"""What people write: SciPy's `least_squares` around `solve_ivp`, for the ten friction parameters at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.optimize import least_squares

from identikit_published.furuta.rig import FREE, START, furuta_rate

EVERY = 10  # samples: one is compared
LOG_LOW, LOG_HIGH = -30.0, 5.0  # logarithms beyond these are not tried
DIFFERENCE = (
    1e-3  # of a logarithm, by which derivatives are taken: SciPy's own 1.5e-8 is lost in the integration's error
)


@dataclass(frozen=True)
class PlainFit:
    """Where the optimiser stopped.

    Arguments:
        evaluations: of the residual, those of the differences not counted.
        converged: whether it stopped by itself, and not for want of steps.
    """

    values: Mapping[str, float]
    evaluations: int
    converged: bool


def plain_fit(
    time: NDArray[np.float64],
    measured: NDArray[np.float64],
    guess: Mapping[str, float],
    steps: int,
    start: Sequence[float] = START,
) -> PlainFit:
    """Logarithms of all ten from a guess, the initial state known, derivatives by differences.

    By LSODA, since friction near rest is stiff: a twentieth of the time of SciPy's default.

    Arguments:
        measured: [outputs, times]: all four states, or the two angles.
        steps: of the optimiser at most, each of up to eleven simulations.
    """

    def values(logarithms: NDArray[np.float64]) -> dict[str, float]:
        return dict(zip(FREE, np.exp(np.clip(logarithms, LOG_LOW, LOG_HIGH)).tolist(), strict=True))

    def residual(logarithms: NDArray[np.float64]) -> NDArray[np.float64]:
        rate = furuta_rate(values(logarithms))
        found = solve_ivp(rate, (time[0], time[-1]), start, "LSODA", time[::EVERY], rtol=1e-6, atol=1e-8)
        return np.asarray((found.y[: len(measured)] - measured[:, ::EVERY]).ravel())

    begun = np.log([guess[name] for name in FREE])
    found = least_squares(residual, begun, diff_step=DIFFERENCE, max_nfev=steps)
    return PlainFit(values(found.x), found.nfev, found.status > 0)
