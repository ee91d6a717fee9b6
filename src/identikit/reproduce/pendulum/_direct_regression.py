"""The report's direct least squares, Eq. (24): the first stage of its PINN, neural ODE and symbolic procedures.

theta'' + k theta - cos theta = -2 zeta v - mu_c tanh(v/eps) - mu_q v|v|, with derivatives by Savitzky-Golay filtering
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy.signal import savgol_filter

from identikit.reproduce.pendulum._swing import DAMPINGS, PARAMETERS, STIFFNESS, TIME

WINDOW, ORDER = 51, 3  # of the Savitzky-Golay filter; the report gives neither
SHORT_WINDOW = 31  # a shorter one, which suits records without noise
ROUNDING = 0.1  # rad/s, the report's eps
REGRESSION_SETTINGS = {"Savitzky-Golay": f"{WINDOW} samples, order {ORDER} (not given)", "eps [rad/s]": ROUNDING}


def derivatives(values: NDArray[np.float64], window: int = WINDOW) -> tuple[NDArray[np.float64], ...]:
    """Angle, velocity and acceleration from samples of the angle."""
    step = TIME[1] - TIME[0]
    return tuple(savgol_filter(values, window, ORDER, deriv=order, delta=step) for order in range(3))


def _dampings(case: str, values: NDArray[np.float64], window: int) -> Mapping[str, float]:
    angle, velocity, acceleration = derivatives(values, window)
    columns = {
        "zeta": -2 * velocity,
        "mu_c": -np.tanh(velocity / ROUNDING),
        "mu_q": -velocity * np.abs(velocity),
    }
    names = [name for name in PARAMETERS if name in DAMPINGS[case]]
    table = np.stack([columns[name] for name in names], axis=1)
    found = np.linalg.lstsq(table, acceleration + STIFFNESS * angle - np.cos(angle))[0]
    return dict(zip(names, map(float, found), strict=True))


direct_regression = partial(_dampings, window=WINDOW)
"""The dampings of a case whose kind is known."""
direct_regression_by_short_filter = partial(_dampings, window=SHORT_WINDOW)
"""The same with a filter that rounds less and lets more noise through."""
