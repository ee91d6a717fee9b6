"""The report's direct least squares, Eq. (24): the first stage of its PINN, neural ODE and symbolic procedures.

theta'' + k theta - cos theta = -2 zeta v - mu_c tanh(v/eps) - mu_q v|v|, with derivatives by Savitzky-Golay filtering
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from scipy.signal import savgol_filter

from identikit_published.pendulum._swing import DAMPINGS, PARAMETERS, STIFFNESS, TIME

WINDOW, ORDER = 51, 3  # of the Savitzky-Golay filter; the text gives neither, the public source has these
ROUNDING = 0.1  # rad/s, the report's eps
REGRESSION_SETTINGS = {
    "Savitzky-Golay": f"{WINDOW} samples, order {ORDER} (not in the text)",
    "eps [rad/s]": ROUNDING,
}


def derivatives(values: NDArray[np.float64]) -> tuple[NDArray[np.float64], ...]:
    """Angle, velocity and acceleration from samples of the angle."""
    return tuple(filtered(values, order) for order in range(3))


def filtered(values: NDArray[np.float64], order: int) -> NDArray[np.float64]:
    """A derivative of samples at the spacing of TIME."""
    found: NDArray[np.float64] = savgol_filter(values, WINDOW, ORDER, deriv=order, delta=TIME[1] - TIME[0])
    return found


def regressed(
    case: str, angle: NDArray[np.float64], velocity: NDArray[np.float64], acceleration: NDArray[np.float64]
) -> Mapping[str, float]:
    """The dampings of a case whose kind is known, k known too."""
    columns = {
        "zeta": -2 * velocity,
        "mu_c": -np.tanh(velocity / ROUNDING),
        "mu_q": -velocity * np.abs(velocity),
    }
    names = [name for name in PARAMETERS if name in DAMPINGS[case]]
    table = np.stack([columns[name] for name in names], axis=1)
    found = np.linalg.lstsq(table, acceleration + STIFFNESS * angle - np.cos(angle))[0]
    return dict(zip(names, map(float, found), strict=True))


def direct_regression(case: str, values: NDArray[np.float64]) -> Mapping[str, float]:
    """The dampings of a case whose kind is known, from samples of the angle."""
    angle, velocity, acceleration = derivatives(values)
    return regressed(case, angle, velocity, acceleration)
