"""The tilted Furuta pendulum by hand: an equation of motion that shares nothing with the library's model.

From its Lagrangian, in plain floats; the rig is that of the paper's table 1, friction that of its equation 5 with the
sign that takes energy. Tilt and normal forces, which the paper does not give, are those of the library's model.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import cos, pi, sin, tanh

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

JOINTS = ("arm", "pendulum")
OUTPUTS = ("q0", "q1", "w0", "w1")
START = (0.0, 2 * pi / 3, 0.0, 0.0)  # of the paper's simulation
TRUE = {
    "mu_d0": 5e-4,
    "mu_s0": 6e-4,
    "mu_v0": 2.5e-4,
    "v_t0": 5e-3,
    "F_t0": 1e-2,
    "mu_d1": 6e-4,
    "mu_s1": 7e-4,
    "mu_v1": 2.5e-4,
    "v_t1": 5e-3,
    "F_t1": 1e-2,
}  # table 3
FREE = list(TRUE)

Rate = Callable[[float, Sequence[float]], Sequence[float]]


def furuta_rate(friction: Mapping[str, float] | None = None) -> Rate:
    """q0', q1', w0', w1' as a function of time and state, with the friction of table 3 or another."""
    d = TRUE | dict(friction or {})
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
    time: NDArray[np.float64], friction: Mapping[str, float] | None = None, start: Sequence[float] = START
) -> NDArray[np.float64]:
    """States q0, q1, w0, w1 [4, times] of the paper's simulation, or with other friction and another start.

    By DOP853 at 1e-10, two billionths of a radian from what 1e-12 gives, in less than half its time.
    """
    return _integrated("DOP853", 1e-10, time, friction, start)


def stiff_furuta(
    time: NDArray[np.float64], friction: Mapping[str, float], start: Sequence[float] = START
) -> NDArray[np.float64]:
    """The same by LSODA at 1e-9, for friction that is steep near rest: to 2e-8 rad in a twentieth of the time."""
    return _integrated("LSODA", 1e-9, time, friction, start)


def _integrated(
    method: str,
    tolerance: float,
    time: NDArray[np.float64],
    friction: Mapping[str, float] | None,
    start: Sequence[float],
) -> NDArray[np.float64]:
    span = (time[0], time[-1])
    found: NDArray[np.float64] = solve_ivp(
        furuta_rate(friction), span, start, method, time, rtol=tolerance, atol=tolerance / 100
    ).y
    return found
