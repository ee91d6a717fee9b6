"""The energy paper's three oscillators by an integrator that shares nothing with identikit's, and its kind of noise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from identikit.reproduce import independent

Array = NDArray[np.float64]

DEGREE = np.pi / 180
RATE = 300.0  # Hz, of the paper's experiments
PENDULUM = {"w0": 11.8, "mu": 0.005}  # rad/s, 1
W0 = 11.74  # rad/s: the pendulum with magnets, as measured without them
MAGNETIC = {"mu": 0.0509, "a1": -138.3, "a2": 21.3, "a3": 163.1}  # 1, 1/s^2
DUFFING = {"m": 1.0, "c": 0.2, "k": 1.0, "k3": 1.0}  # kg, N s/m, N/m, N/m^3
FORCE, FREQUENCY = 27.0, 1.33  # N, rad/s
PERIOD = 2 * np.pi / FREQUENCY  # s


def pendulum(degrees: float, time: Array, values: Mapping[str, float] = PENDULUM) -> Array:
    """Angle and velocity [2, times] after a release from rest."""
    w0, mu = values["w0"], values["mu"]
    return independent.smooth(
        lambda t, x: [x[1], -2 * mu * w0 * x[1] - w0**2 * np.sin(x[0])], [degrees * DEGREE, 0.0], time
    )


def magnetic(start: float, time: Array, values: Mapping[str, float] = MAGNETIC, fifth: float = 0.0) -> Array:
    """Angle and velocity [2, times] after a release from rest at `start`, rad.

    w0 is W0 unless `values` has it. `fifth` is the coefficient of 6 theta^5, a term that the paper's model leaves out.
    """
    w0 = values.get("w0", W0)
    mu, a1, a2, a3 = (values[name] for name in MAGNETIC)

    def rate(t: float, x: Array) -> Sequence[float]:
        theta = x[0]
        force = w0**2 * np.sin(theta) + 2 * a1 * theta + 3 * a2 * theta**2 + 4 * a3 * theta**3 + 6 * fifth * theta**5
        return [x[1], -2 * mu * w0 * x[1] - force]

    return independent.smooth(rate, [start, 0.0], time)


def duffing(time: Array, values: Mapping[str, float] = DUFFING, start: Sequence[float] = (1.0, 0.0)) -> Array:
    """Displacement and velocity [2, times] under the force F cos(Omega t)."""
    m, c, k, k3 = (values[name] for name in DUFFING)

    def rate(t: float, x: Array) -> Sequence[float]:
        return [x[1], (FORCE * np.cos(FREQUENCY * t) - c * x[1] - k * x[0] - k3 * x[0] ** 3) / m]

    return independent.smooth(rate, start, time)


def scaled_noise(count: int, largest: float, seed: int) -> Array:
    """Normal noise whose largest draw is scaled to a given size, as in the paper."""
    draw = np.random.default_rng(seed).standard_normal(count)
    return np.asarray(largest / np.abs(draw).max() * draw)


def error_norm(estimate: Mapping[str, float], truth: Mapping[str, float]) -> float:
    """E_p, the paper's equations 17, 20 and 24: the root mean square of the relative errors."""
    return float(np.sqrt(np.mean([(estimate[name] / value - 1) ** 2 for name, value in truth.items()])))
