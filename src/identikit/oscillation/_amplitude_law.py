"""The amplitude of a decay along a record, and the rates of damping that it follows.

For one oscillation of slowly falling amplitude A, the mean over a swing gives

    A' = -sum over mechanisms of p_m P_m(A) / F(A)

with P_m the mean power that a mechanism with coefficient one takes at amplitude A, and F the restoring force at the
turning point, both over inertia. Of a straight force F = w^2 A, for the deceleration c v + f sign(v) + q v|v|, this is
A' = -(c/2) A - (2/(pi w)) f - (4 w/(3 pi)) q A^2 (N. M. Krylov, N. N. Bogoliubov, Introduction to Non-Linear Mechanics,
Princeton 1943). It is exact enough for a start, and only for that: the laws are judged by whole trajectories.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from identikit.oscillation._mechanisms import DRAG, DRY, VISCOUS
from identikit.oscillation._settings import OSCILLATION
from identikit.oscillation._turning_points import swing_levels


@dataclass(frozen=True)
class AmplitudeCurve:
    """Amplitude [points] at times [points] of one record, and the level it swings about."""

    time: np.ndarray
    amplitude: np.ndarray
    middle: float

    @property
    def frequency(self) -> float:
        """Mean angular frequency; amplitudes stand half a swing apart."""
        return float(np.pi * (len(self.time) - 1) / (self.time[-1] - self.time[0]))


def amplitude_curve(time: np.ndarray, values: np.ndarray) -> AmplitudeCurve | None:
    """Half of every swing of a noise-free oscillation, at the middle of the swing; None without four swings."""
    turns = np.flatnonzero(np.diff(np.sign(np.diff(values))) != 0) + 1
    if len(turns) < 5:
        return None
    at, height = _refined(time, values, turns)
    swing = np.abs(np.diff(height)) / 2
    return AmplitudeCurve((at[1:] + at[:-1]) / 2, swing, float(np.median(swing_levels(height))))


def _refined(time: np.ndarray, values: np.ndarray, turns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Vertices of the parabolas through three neighbouring samples."""
    left, here, right = values[turns - 1], values[turns], values[turns + 1]
    step = (time[turns + 1] - time[turns - 1]) / 2
    bend = left - 2 * here + right
    safe = np.where(bend == 0, 1.0, bend)
    share = np.where(bend == 0, 0.0, (left - right) / (2 * safe))
    return time[turns] + share * step, here - (left - right) * share / 4


@dataclass(frozen=True)
class AmplitudeLoss:
    """How fast the amplitude falls by each mechanism with coefficient one.

    `rates` {mechanism: [points]} at amplitudes [points], rising; `always` [points] is what falls besides, by damping
    that is no question; `powers` {mechanism: of a small amplitude, by which it takes it away}.
    """

    amplitude: np.ndarray
    rates: Mapping[str, np.ndarray]
    always: np.ndarray
    powers: Mapping[str, float] = field(default_factory=lambda: {DRY: 0.0, VISCOUS: 1.0, DRAG: 2.0})

    def of(self, coefficients: Mapping[str, float]) -> AmplitudeLoss:
        """The same with the loss by all given mechanisms as the only one, on an even grid from zero."""
        grid = np.linspace(0.0, OSCILLATION.loss_reach * self.amplitude[-1], OSCILLATION.loss_points)
        total = self._continued(grid, self.always, 1)
        for name, coefficient in coefficients.items():
            total = total + coefficient * self._continued(grid, self.rates[name], self.powers[name])
        return AmplitudeLoss(grid, {}, total)

    def _continued(self, grid: np.ndarray, rate: np.ndarray, power: float) -> np.ndarray:
        """A rate at other amplitudes: below those seen it falls with the power of its mechanism, above it stays."""
        low = (np.minimum(grid / self.amplitude[0], 1.0)) ** power
        return np.asarray(low * np.interp(grid, self.amplitude, rate))

    def amplitudes(self, time: np.ndarray, first: float) -> np.ndarray:
        """A(t) from A(t_1) under what `always` takes, exact for a rate that is straight between the points."""
        fastest = float(self.always.max())
        if fastest <= 0:
            return np.full(len(time), first)
        rate = np.maximum(self.always, OSCILLATION.slowest_loss * fastest)
        low, high, step = rate[:-1], rate[1:], np.diff(self.amplitude)
        bend = np.log(high / low)
        straight = np.abs(bend) < OSCILLATION.even_loss
        taken = step / np.where(straight, (low + high) / 2, (high - low) / np.where(straight, 1.0, bend))
        to_zero = np.concatenate([[0.0], np.cumsum(taken)])  # time from each point down to zero
        top = min(max(first, 0.0), float(self.amplitude[-1]))
        left = self._time_left(top, to_zero, rate) - (time - time[0])
        cell = np.clip(np.searchsorted(to_zero, left, side="right") - 1, 0, len(step) - 1)
        slope = (high - low)[cell] / step[cell]
        since = np.maximum(left - to_zero[cell], 0.0)
        grown = slope * since
        even = np.abs(grown) < OSCILLATION.even_loss
        stretch = np.where(even, 1.0, np.expm1(grown) / np.where(even, 1.0, grown))
        return np.asarray(self.amplitude[cell] + low[cell] * since * stretch)

    def _time_left(self, amplitude: float, to_zero: np.ndarray, rate: np.ndarray) -> float:
        """Time from one amplitude down to zero."""
        cell = int(np.clip(np.searchsorted(self.amplitude, amplitude, side="right") - 1, 0, len(rate) - 2))
        above = amplitude - self.amplitude[cell]
        slope = (rate[cell + 1] - rate[cell]) / (self.amplitude[cell + 1] - self.amplitude[cell])
        bend = slope * above / rate[cell]
        factor = 1.0 if abs(bend) < OSCILLATION.even_loss else np.log1p(bend) / bend
        return float(to_zero[cell] + above / rate[cell] * factor)


def amplitude_rates(
    curves: list[AmplitudeCurve], mechanisms: tuple[str, ...], loss: AmplitudeLoss, share: float = 1.0
) -> tuple[dict[str, float], list[np.ndarray]]:
    """Coefficients of a law that follow the given amplitudes best, and its amplitudes at the same times.

    Every record has an amplitude of its own at its beginning. Only the first `share` of each counts. Weighted as whole
    trajectories are, by the square of what is missed.
    """
    from scipy.optimize import least_squares

    size = max(float(item.amplitude.max()) for item in curves)
    span = max(float(np.ptp(item.time)) for item in curves)
    # in units in which each alone would take away the whole amplitude within the record
    unit = {name: size / span / max(float(np.mean(loss.rates[name])), 1e-300) for name in mechanisms}

    def law(p: np.ndarray) -> list[np.ndarray]:
        own = loss.of({name: p[i] * unit[name] for i, name in enumerate(mechanisms)})
        firsts = p[len(mechanisms) :] * size
        return [own.amplitudes(item.time, first) for item, first in zip(curves, firsts, strict=True)]

    counted = np.concatenate([item.time <= item.time[0] + share * np.ptp(item.time) for item in curves])
    amplitudes = np.concatenate([item.amplitude for item in curves])

    def missed(p: np.ndarray) -> np.ndarray:
        return (np.concatenate(law(p)) - amplitudes)[counted] / size

    begin = np.concatenate([np.full(len(mechanisms), 0.5), [item.amplitude[0] / size for item in curves]])
    found = least_squares(missed, begin, bounds=(0.0, np.inf), xtol=1e-6, ftol=1e-6, gtol=1e-6, max_nfev=50)
    return {name: float(found.x[i]) * unit[name] for i, name in enumerate(mechanisms)}, law(found.x)
