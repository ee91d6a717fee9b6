"""Data from integrators that share nothing with identikit: the tests' own reference (SciPy DOP853, located events)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests"))

import reference
from stochastic import shaken_pendulum as shaken_pendulum


def horizontal_pendulum(time: np.ndarray, zeta: float, mu_c: float, mu_q: float) -> np.ndarray:
    """Angle of the pendulum report's system, released at 30 degrees, k = 20."""
    return reference.horizontal_pendulum(time, zeta=zeta, mu_c=mu_c, mu_q=mu_q)[0][0]


def duffing(time: np.ndarray, c: float = 0.1, k: float = 1.0, k3: float = 0.5) -> np.ndarray:
    """Free Duffing ring-down from x = 2, unit mass."""
    return reference.smooth(lambda t, x: [x[1], -c * x[1] - k * x[0] - k3 * x[0] ** 3], [2.0, 0.0], time)[0]


def friction_drive(time: np.ndarray, m: float, c: float, f: float, offset: float) -> np.ndarray:
    """Position of a mass driven by 4 sin(1.3 t) + 2.5 sin(3.1 t) against dry friction that sticks, from rest."""

    def force(t: float) -> float:
        return float(4 * np.sin(1.3 * t) + 2.5 * np.sin(3.1 * t) + offset)

    friction = reference.Switch(lambda t, x: x[1], lambda t, x: force(t) / f, pinned=1)
    rate = lambda t, x, s: (x[1], (force(t) - c * x[1] - f * s[0]) / m)  # noqa: E731
    return reference.event_driven(rate, [friction], (0.0, 0.0), time)[0][0]


def furuta_rate(friction: Mapping[str, float] | None = None) -> Callable[[float, Sequence[float]], Sequence[float]]:
    """The tilted Furuta pendulum with the rig and friction of the paper, from its Lagrangian; by hand, in plain
    floats."""
    from math import cos, pi, sin, tanh

    d = {"mu_d0": 5e-4, "mu_s0": 6e-4, "mu_v0": 2.5e-4, "v_t0": 5e-3, "F_t0": 1e-2}
    d |= {"mu_d1": 6e-4, "mu_s1": 7e-4, "mu_v1": 2.5e-4, "v_t1": 5e-3, "F_t1": 1e-2} | dict(friction or {})
    m1, m2, l1, l2, L1, g, phi = 0.370, 0.128, 0.0620, 0.0620, 0.216, 9.81, pi / 9
    j1, jx, jy, jz, normal = 3.09e-3, 5.25e-3, 5.25e-3, 2.91e-6, (4.5908, 1.25568)
    a = m2 * l2**2 + jy - jz

    def torque(joint: int, w: float) -> float:
        n, ratio = normal[joint], w / d[f"v_t{joint}"]
        dry = n * d[f"mu_d{joint}"] * tanh(4 * ratio)
        dry += n * (d[f"mu_s{joint}"] - d[f"mu_d{joint}"]) * ratio / (ratio**2 / 4 + 0.75)
        return dry + d[f"mu_v{joint}"] * w * tanh(4 * n / d[f"F_t{joint}"])

    def rate(t: float, x: Sequence[float]) -> Sequence[float]:
        q0, q1, w0, w1 = x
        h00 = j1 + m1 * l1**2 + m2 * L1**2 + jz + a * sin(q1) ** 2
        h01, h11 = -m2 * l2 * L1 * cos(q1), jx + m2 * l2**2
        b0 = a * sin(2 * q1) * w0 * w1 + m2 * l2 * L1 * sin(q1) * w1**2
        b1 = -a * sin(q1) * cos(q1) * w0**2
        g0 = g * sin(phi) * ((m1 * l1 + m2 * L1) * sin(q0) - m2 * l2 * sin(q1) * cos(q0))
        g1 = -m2 * g * l2 * (sin(q0) * cos(q1) * sin(phi) - sin(q1) * cos(phi))
        r0, r1 = -b0 - g0 - torque(0, w0), -b1 - g1 - torque(1, w1)
        det = h00 * h11 - h01**2
        return w0, w1, (h11 * r0 - h01 * r1) / det, (h00 * r1 - h01 * r0) / det

    return rate


def furuta(
    time: np.ndarray,
    friction: Mapping[str, float] | None = None,
    start: Sequence[float] = (0.0, 2 * np.pi / 3, 0.0, 0.0),
) -> np.ndarray:
    """States q0, q1, w0, w1 [4, times] of the paper's simulation, or with other friction and another start."""
    from scipy.integrate import solve_ivp

    return solve_ivp(furuta_rate(friction), (time[0], time[-1]), start, "DOP853", time, rtol=1e-10, atol=1e-12).y
