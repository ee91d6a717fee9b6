"""Motions of every kind, from closed forms or the reference integrator, and noise of known colour to put on them."""

from __future__ import annotations

import functools

import numpy as np
from numpy.typing import NDArray
from scipy.signal import lfilter

from reference import smooth

Series = NDArray[np.float64]

SIGMA = 0.01
TIMES = np.arange(4000) * 0.01


def white(seed: int, count: int = len(TIMES)) -> Series:
    """Unit-variance white noise."""
    return np.random.default_rng(seed).standard_normal(count)


def autoregressive(seed: int, coefficient: float, count: int = len(TIMES)) -> Series:
    """Unit-variance noise with this coefficient from sample to sample."""
    innovations = white(seed, count + 500)
    return np.asarray(lfilter([np.sqrt(1 - coefficient**2)], [1, -coefficient], innovations)[500:])


def viscous(time: Series = TIMES, rate: float = 0.1) -> Series:
    """A viscous decay of period 2.09."""
    return np.asarray(np.exp(-rate * time) * np.cos(3 * time))


def dry(time: Series = TIMES, friction: float = 0.3) -> Series:
    """x'' = -9 x - friction sign(x'), released at 1: half cycles about the ends of the sticking band, then rest."""
    x, band, start, level, side = np.zeros(len(time)), friction / 9, 0.0, 1.0, 1.0
    while abs(level) > band and start < time[-1]:
        middle = side * band
        inside = (time >= start) & (time < start + np.pi / 3)
        x[inside] = middle + (level - middle) * np.cos(3 * (time[inside] - start))
        level, start, side = 2 * middle - level, start + np.pi / 3, -side
    x[time >= start] = level
    return x


def two_modes(time: Series = TIMES) -> Series:
    """Two oscillations that decay together."""
    return np.asarray(np.exp(-0.05 * time) * (np.cos(3 * time) + 0.5 * np.cos(7.3 * time)))


@functools.cache
def driven_duffing() -> Series:
    """The chaotic double well of Duffing's equation."""
    return smooth(lambda t, x: [x[1], -0.2 * x[1] + x[0] - x[0] ** 3 + 0.3 * np.cos(t)], [1.0, 0.0], 2.5 * TIMES)[0]


@functools.cache
def van_der_pol(mu: float, speed: float) -> Series:
    """On its limit cycle; `speed` times as quick as the equation's own time."""
    return smooth(lambda t, x: [x[1], mu * (1 - x[0] ** 2) * x[1] - x[0]], [2.0, 0.0], speed * TIMES)[0]


@functools.cache
def driven_then_free(end: float = 15.0) -> Series:
    """Pushed with two frequencies until `end`, then left alone."""

    def rate(t: float, x: Series) -> list[float]:
        push = 3 * (np.sin(2.2 * t) + np.sin(3.7 * t + 1)) if t < end else 0.0
        return [x[1], -0.2 * x[1] - 9 * x[0] + push]

    first = end >= TIMES
    pushed = smooth(rate, [0.0, 0.0], TIMES[first])
    after = smooth(rate, list(pushed[:, -1]), TIMES[end - 1e-9 <= TIMES])
    return np.concatenate([pushed[0], after[0][1:]])


def step_response(time: Series = TIMES) -> Series:
    """A first-order response to a step at 5."""
    return np.asarray(np.where(time < 5, 0.0, 1 - np.exp(-(time - 5) / 2)))
