"""Data from an integrator that shares nothing with identikit: SciPy's DOP853 at 1e-12, reversals located by
events."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.integrate import solve_ivp


def dry_friction(
    force: Callable[[float, np.ndarray, float], float],
    friction: float,
    time: np.ndarray,
    initial: tuple[float, float],
) -> np.ndarray:
    """x'' = force(t, (x, v), s) - friction s with s = sign v; sticks while |force| <= friction at v = 0 (no
    excitation)."""
    out = np.empty_like(time)
    begin, state = float(time[0]), np.array(initial, float)
    while True:
        if state[1] == 0:
            pull = force(begin, state, 0.0)
            if abs(pull) <= friction:
                out[time >= begin] = state[0]
                return out
            s = float(np.sign(pull))
        else:
            s = float(np.sign(state[1]))

        def slope(t: float, x: np.ndarray, s: float = s) -> list[float]:
            return [x[1], force(t, x, s) - friction * s]

        def reversal(t: float, x: np.ndarray) -> float:
            return x[1]

        reversal.terminal = True  # type: ignore[attr-defined]
        reversal.direction = -s  # type: ignore[attr-defined]
        found = solve_ivp(
            slope,
            (begin, time[-1]),
            state,
            "DOP853",
            rtol=1e-12,
            atol=1e-13,
            events=reversal,
            dense_output=True,
        )
        inside = (time >= begin) & (time <= found.t[-1])
        out[inside] = found.sol(time[inside])[0]
        if found.status != 1:
            return out
        begin, state = float(found.t[-1]), np.array([found.y[0, -1], 0.0])


def horizontal_pendulum(
    time: np.ndarray, zeta: float, mu_c: float, mu_q: float, k: float = 20.0, theta0: float = np.pi / 6
) -> np.ndarray:
    """The pendulum report's system."""

    def force(t: float, x: np.ndarray, s: float) -> float:
        return -2 * zeta * x[1] - mu_q * x[1] * abs(x[1]) - k * x[0] + np.cos(x[0])

    return dry_friction(force, mu_c, time, (theta0, 0.0))


def duffing(time: np.ndarray, c: float = 0.1, k: float = 1.0, k3: float = 0.5, x0: float = 2.0) -> np.ndarray:
    """Free Duffing ring-down, unit mass."""
    found = solve_ivp(
        lambda t, x: [x[1], -c * x[1] - k * x[0] - k3 * x[0] ** 3],
        (time[0], time[-1]),
        [x0, 0.0],
        "DOP853",
        t_eval=time,
        rtol=1e-12,
        atol=1e-13,
    )
    return found.y[0]
