"""Motions under process noise, by a simulator that shares nothing with the package: Euler's method with fine steps."""

from __future__ import annotations

import numpy as np

Vector = np.ndarray


def shaken_pendulum(
    seed: int,
    intensity: float,
    duration: float = 30.0,
    dt: float = 0.01,
    *,
    zeta: float = 0.05,
    mu_c: float = 0.0,
    k: float = 20.0,
    sigma: float = 0.002,
    drift: float = 0.0,
    fine: int = 40,
    start: float = np.pi / 6,
) -> tuple[Vector, Vector]:
    """Times and measured angles of the horizontal pendulum with d omega = f dt + intensity dW.

    Euler and Maruyama's method with `fine` steps per sample, semi-implicit so that it adds no energy; dry friction
    takes away what it can of the velocity in a step, and no more. zeta changes linearly by the share `drift` of
    itself, about its middle.
    """
    random = np.random.default_rng(seed)
    count, h = round(duration / dt), dt / fine
    kicks = intensity * np.sqrt(h) * random.standard_normal((count, fine))
    theta, omega, found = start, 0.0, np.empty(count + 1)
    found[0] = theta
    for i in range(count):
        damping = zeta * (1 + drift * (i / count - 0.5))
        for kick in kicks[i]:
            omega += h * (np.cos(theta) - k * theta - 2 * damping * omega) + kick
            omega = np.sign(omega) * max(abs(omega) - h * mu_c, 0.0)
            theta += h * omega
        found[i + 1] = theta
    return dt * np.arange(count + 1), found + sigma * random.standard_normal(count + 1)
