"""Data from integrators that share nothing with identikit: the tests' own reference (SciPy DOP853, located events)."""

from __future__ import annotations

import sys
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
