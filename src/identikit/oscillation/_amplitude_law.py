"""The amplitude of a decay along a record, and the rates of damping that it follows.

For one oscillation of slowly falling amplitude A and angular frequency w, the mean over a cycle gives

    A' = -(c/2) A - (2/(pi w)) f - (4 w/(3 pi)) q A^2

for the deceleration c v + f sign(v) + q v|v| (N. M. Krylov, N. N. Bogoliubov, Introduction to Non-Linear Mechanics,
Princeton 1943). It is exact enough for a start, and only for that: the laws are judged by whole trajectories.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from identikit.oscillation._mechanisms import DRAG, DRY, VISCOUS
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


def amplitude_rates(
    curves: list[AmplitudeCurve], mechanisms: tuple[str, ...], share: float = 1.0
) -> tuple[dict[str, float], list[np.ndarray]]:
    """Decelerations c, f, q of a law that follow the given amplitudes best, and its amplitudes at the same times.

    Every record has an amplitude of its own at its beginning. Only the first `share` of each counts. Weighted as whole
    trajectories are, by the square of what is missed.
    """
    from scipy.optimize import least_squares

    frequency = float(np.mean([item.frequency for item in curves]))
    size = max(float(item.amplitude.max()) for item in curves)
    span = max(float(np.ptp(item.time)) for item in curves)
    # in units in which each alone would take away the whole amplitude within the record
    unit = {
        VISCOUS: 2 / span,
        DRY: size * np.pi * frequency / (2 * span),
        DRAG: 3 * np.pi / (4 * frequency * size * span),
    }

    def law(p: np.ndarray) -> list[np.ndarray]:
        own = {name: p[i] * unit[name] for i, name in enumerate(mechanisms)}
        firsts = p[len(mechanisms) :] * size
        return [_amplitudes(item.time, first, own, frequency) for item, first in zip(curves, firsts, strict=True)]

    counted = np.concatenate([item.time <= item.time[0] + share * np.ptp(item.time) for item in curves])
    amplitudes = np.concatenate([item.amplitude for item in curves])

    def missed(p: np.ndarray) -> np.ndarray:
        return (np.concatenate(law(p)) - amplitudes)[counted] / size

    begin = np.concatenate([np.full(len(mechanisms), 0.5), [item.amplitude[0] / size for item in curves]])
    found = least_squares(missed, begin, bounds=(0.0, np.inf), xtol=1e-6, ftol=1e-6, gtol=1e-6, max_nfev=50)
    return {name: float(found.x[i]) * unit[name] for i, name in enumerate(mechanisms)}, law(found.x)


def _amplitudes(time: np.ndarray, first: float, rate: dict[str, float], frequency: float) -> np.ndarray:
    """A(t) from A(t_1), step by step.

    With the drag q A^2 written as (q A_m) A, A_m the amplitude in the middle of the step, A' = -b A - f has a closed
    solution: A(t + h) = A exp(-b h) - f (1 - exp(-b h)) / b.
    """
    dry = 2 / (np.pi * frequency) * rate.get(DRY, 0.0)
    viscous, drag = rate.get(VISCOUS, 0.0) / 2, 4 * frequency / (3 * np.pi) * rate.get(DRAG, 0.0)

    def after(a: float, step: float, linear: float) -> float:
        loss = linear * step
        stopped = -np.expm1(-loss) / loss if loss > 1e-12 else 1.0
        return max(float(a * np.exp(-loss) - dry * step * stopped), 0.0)

    amplitude = np.empty(len(time))
    amplitude[0] = a = first
    for i, step in enumerate(np.diff(time), start=1):
        middle = after(a, step / 2, viscous + drag * a) if drag else a
        amplitude[i] = a = after(a, step, viscous + drag * middle)
    return amplitude
