"""The energy paper's three oscillators by an integrator that shares nothing with identikit's, and its kind of noise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from identikit_published import independent

Array = NDArray[np.float64]

DEGREE = np.pi / 180  # rad
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


def magnetic_force(theta: Array, values: Mapping[str, float] = MAGNETIC) -> Array:
    """What pulls the magnetic pendulum back, over its inertia, 1/s^2.

    w0 is W0 unless `values` has it; a5, of a term 6 a5 theta^5 that the paper's model leaves out, is zero.
    """
    pull = values.get("w0", W0) ** 2 * np.sin(theta)
    return np.asarray(pull + sum((n + 1) * values.get(f"a{n}", 0.0) * theta**n for n in (1, 2, 3, 5)))


def magnetic(start: float, time: Array, values: Mapping[str, float] = MAGNETIC, velocity: float = 0.0) -> Array:
    """Angle and velocity [2, times] after a release at `start`, rad; see `magnetic_force` for the parameters."""
    drag = 2 * values["mu"] * values.get("w0", W0)

    def rate(t: float, x: Array) -> Sequence[float]:
        return [x[1], -drag * x[1] - float(magnetic_force(x[0], values))]

    return independent.smooth(rate, [start, velocity], time)


START = (1.0, 0.0)  # m, m/s, of the forced oscillator; the paper gives none


def duffing(time: Array, values: Mapping[str, float] = DUFFING, start: Sequence[float] = START) -> Array:
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
