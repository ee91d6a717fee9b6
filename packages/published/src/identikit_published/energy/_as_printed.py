"""The energy balance as printed: cubic smoothing splines, pairs of times, plain least squares.

    T(t2) - T(t1) + U(t2) - U(t1) = W_in - W_d,        W_d = int c v^2 dt

Unlike `method="energy"` it neither takes the noise out of the squares nor weighs the rows. What the paper leaves open:
smoothing is chosen by cross-validation, and the times of a pair are drawn at random unless a span is printed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from identikit.measurement import SmoothingSpline
from identikit_published.energy.oscillators import FORCE, FREQUENCY, Array

CUBIC = 2  # the derivative whose square is the roughness of a cubic smoothing spline
ENDS = 2.0  # smoothing lengths at both ends that are left out: there is nothing to smooth with beyond them


@dataclass(frozen=True)
class SmoothedRecord:
    """Position x and velocity v at the samples, and the integral of v^2 from the first one.

    `supplied` is the integral of v F cos(Omega t), for the forced oscillator.
    """

    x: Array
    v: Array
    dissipated: Array
    supplied: Array

    @classmethod
    def of(cls, time: Array, measured: Array) -> SmoothedRecord:
        curve = SmoothingSpline(time, measured, CUBIC)
        left = int(np.ceil(ENDS * curve.length))
        kept = time[left : len(time) - left]
        middle = (kept[:-1] + kept[1:]) / 2
        v, between = curve(kept, 1), curve(middle, 1)
        force, force_between = FORCE * np.cos(FREQUENCY * kept), FORCE * np.cos(FREQUENCY * middle)
        step = np.diff(kept) / 6
        return cls(curve(kept), v, _simpson(v**2, between**2, step), _simpson(v * force, between * force_between, step))


def _simpson(ends: Array, middles: Array, step: Array) -> Array:
    return np.concatenate([[0.0], np.cumsum(step * (ends[:-1] + 4 * middles + ends[1:]))])


@dataclass(frozen=True)
class Pairs:
    """Indices of the first and second time of every row."""

    first: NDArray[np.int64]
    second: NDArray[np.int64]

    @classmethod
    def random(cls, count: int, samples: int, seed: int) -> Pairs:
        """Any two times."""
        drawn = np.random.default_rng(seed).integers(0, samples, (2, count))
        return cls(drawn[0], drawn[1])

    @classmethod
    def apart(cls, span: int, samples: int, every: int = 1) -> Pairs:
        """All pairs so many samples apart; `every` keeps one first time out of so many."""
        first = np.arange(0, samples - span, every, dtype=np.int64)
        return cls(first, first + span)

    def __call__(self, values: Array) -> Array:
        """The change of something over every pair."""
        return np.asarray(values[self.second] - values[self.first])


def pendulum_balance(record: SmoothedRecord, pairs: Pairs) -> dict[str, float]:
    """Equation 16: w0 and mu of the planar pendulum; NaN where w0^2 comes out negative."""
    found = _solved([pairs(record.dissipated), -pairs(np.cos(record.x))], -pairs(record.v**2))
    return _rates(found[0], found[1])


def magnetic_balance(record: SmoothedRecord, pairs: Pairs, w0: float | None = None) -> dict[str, float]:
    """Equations 19: mu, w0 (unless it is given), a1, a2 and a3 of the magnetic pendulum."""
    gravity = -pairs(np.cos(record.x))
    magnets = [pairs(record.x ** (n + 1)) for n in (1, 2, 3)]
    left = -pairs(record.v**2)
    if w0 is None:
        found = _solved([pairs(record.dissipated), gravity, *magnets], left)
        named = _rates(found[0], found[1])
    else:
        found = np.insert(_solved([pairs(record.dissipated), *magnets], left - 2 * w0**2 * gravity), 1, 2 * w0**2)
        named = {"mu": float(found[0] / (4 * w0)), "w0": w0}
    return named | {f"a{n}": float(value / 2) for n, value in zip((1, 2, 3), found[2:], strict=True)}


def duffing_balance(record: SmoothedRecord, pairs: Pairs) -> dict[str, float]:
    """Equations 4a to 4d: m, c, k, k3 of the forced oscillator, whose force is known."""
    columns = [
        pairs(record.v**2) / 2,
        pairs(record.dissipated),
        pairs(record.x**2) / 2,
        pairs(record.x**4) / 4,
    ]
    found = _solved(columns, pairs(record.supplied))
    return dict(zip(("m", "c", "k", "k3"), found.tolist(), strict=True))


def _rates(damping: float, gravity: float) -> dict[str, float]:
    """mu and w0 from 4 mu w0 and 2 w0^2."""
    w0 = float(np.sqrt(gravity / 2)) if gravity > 0 else float("nan")
    return {"mu": float(damping / (4 * w0)), "w0": w0}


def _solved(columns: list[Array], left: Array) -> Array:
    return np.asarray(np.linalg.lstsq(np.column_stack(columns), left, rcond=None)[0])


def medians(estimates: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Parameter by parameter, of the estimates that came to numbers; NaN if none did."""
    known = [one for one in estimates if np.isfinite(list(one.values())).all()]
    return {name: float(np.median([one[name] for one in known])) if known else np.nan for name in estimates[0]}
