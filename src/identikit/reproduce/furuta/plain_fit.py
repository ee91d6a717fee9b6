"""What people write: SciPy's `least_squares` around `solve_ivp`, for the ten friction parameters at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.optimize import least_squares

from identikit.reproduce.furuta.rig import FREE, START, furuta_rate

EVERY = 10  # samples: one is compared
LOG_LOW, LOG_HIGH = -30.0, 5.0  # logarithms beyond these are not tried


def plain_fit(
    time: NDArray[np.float64],
    measured: NDArray[np.float64],
    guess: Mapping[str, float],
    steps: int,
    start: Sequence[float] = START,
) -> dict[str, float]:
    """Logarithms of all ten from a guess, the initial state known, derivatives by differences.

    Arguments:
        measured: [outputs, times]: all four states, or the two angles.
        steps: of the optimiser, each of eleven simulations.
    """

    def values(logarithms: NDArray[np.float64]) -> dict[str, float]:
        return dict(zip(FREE, np.exp(np.clip(logarithms, LOG_LOW, LOG_HIGH)).tolist(), strict=True))

    def residual(logarithms: NDArray[np.float64]) -> NDArray[np.float64]:
        rate = furuta_rate(values(logarithms))
        found = solve_ivp(rate, (time[0], time[-1]), start, t_eval=time[::EVERY], rtol=1e-6, atol=1e-8)
        return np.asarray((found.y[: len(measured)] - measured[:, ::EVERY]).ravel())

    return values(least_squares(residual, np.log([guess[name] for name in FREE]), max_nfev=steps).x)
