"""Damping ratio and frequency of a free decay by the two textbook ways: logarithmic decrement, half-power width."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from identikit.errors import DataError
from identikit.oscillation._free_decay import free_decay_objections
from identikit.oscillation._settings import OSCILLATION
from identikit.oscillation._turning_points import (
    Floats,
    TurningPoints,
    dominant_period,
    turning_points,
    uniform_series,
)


@dataclass(frozen=True)
class DampingEstimate:
    """Viscous damping of one oscillation, x'' + 2 ratio w_n x' + w_n^2 x = 0.

    Arguments:
        ratio, ratio_std: part of critical damping.
        frequency, frequency_std: w_n / (2 pi), oscillations per unit of time without damping.
        decay_rate: ratio w_n, by which the amplitude falls: exp(-decay_rate t).
        cycles: oscillations used.
        warnings: what to doubt, in sentences.
    """

    ratio: float
    ratio_std: float
    frequency: float
    frequency_std: float
    cycles: float
    warnings: tuple[str, ...] = ()

    @property
    def decay_rate(self) -> float:
        return 2 * np.pi * self.frequency * self.ratio

    @property
    def decay_rate_std(self) -> float:
        return float(2 * np.pi * np.hypot(self.frequency * self.ratio_std, self.frequency_std * self.ratio))


def log_decrement(time: Floats, values: Floats) -> DampingEstimate:
    """Damping ratio from how the logarithm of the swings falls from cycle to cycle.

        ln s_n = ln s_0 - n delta/2   (s_n the n-th swing, peak to valley or valley to peak),
        ratio = delta / sqrt(4 pi^2 + delta^2)

    by weighted least squares over all swings (weights s_n, as the noise of ln s is that of s over s). The frequency is
    that of the turning points. Standard errors are the larger of what the noise gives and what the scatter of the
    swings shows. For viscous damping of a linear oscillation; with dry friction or drag the decrement changes along
    the record, as it does where the period changes with the amplitude, and a warning says so. Raises DataError where
    the record is not a free decay.

    Reference: J. P. Den Hartog, Mechanical Vibrations, McGraw-Hill 1956, ch. 2.
    """
    time, values = np.asarray(time, float), np.asarray(values, float)
    _require_decay(time, values)
    points = turning_points(time, values)
    swings = points.swings - points.excess[1:] - points.excess[:-1]
    std = np.sqrt(2) * points.value_std
    n = np.arange(len(swings)) / 2
    # n counts cycles, two swings each; ln s has the noise of s over s
    slope, covariance, scatter = _line(n, np.log(swings), swings / std, 1)
    delta, delta_std = -slope[1], float(np.sqrt(covariance[1, 1])) * scatter
    ratio = delta / np.hypot(2 * np.pi, delta)
    ratio_std = delta_std * 4 * np.pi**2 / np.hypot(2 * np.pi, delta) ** 3
    m = np.arange(len(points.time)) / 2
    line, spread, uneven = _line(m, points.time, 1 / points.time_std, 1)
    period, period_std = line[1], float(np.sqrt(spread[1, 1])) * uneven
    stretch = 1 / np.sqrt(1 - ratio**2)
    frequency = stretch / period
    warnings = []
    bent, bend_covariance, _ = _line(n, np.log(swings), swings / std, 2)
    change = 2 * bent[2] * n[-1]
    if len(swings) > 4 and abs(change) > max(
        OSCILLATION.curved * float(np.sqrt(bend_covariance[2, 2])) * 2 * n[-1], OSCILLATION.curved_share * abs(delta)
    ):
        warnings.append(_not_constant(-bent[1], -(bent[1] + change), float(delta), points))
    frequency_std = float(np.hypot(frequency * period_std / period, frequency * ratio * stretch**2 * ratio_std))
    return DampingEstimate(
        float(ratio), float(ratio_std), float(frequency), frequency_std, points.cycles, tuple(warnings)
    )


def _not_constant(first: float, last: float, mean: float, points: TurningPoints) -> str:
    """What makes the decrement change from `first` to `last`: the period, or else the damping.

    In a spring that hardens, cycles get longer as the amplitude falls and lose more each, whatever the damping is.
    """
    changes = f"the decrement changes from {first:.3g} to {last:.3g} per cycle as the amplitude falls: "
    drift, drift_std = _frequency_change(points)
    period = 2 * float(points.time[-1] - points.time[0]) / (len(points.time) - 1)
    longer, more = -drift * period, (last - first) / mean
    if abs(drift) > OSCILLATION.curved * drift_std and longer / more > OSCILLATION.period_share:
        return (
            f"{changes}the period changes with the amplitude, so the decrement is not constant and says nothing about "
            "the law of damping; use a part with small swings"
        )
    cause = "dry friction" if last > first else "drag"
    return f"{changes}not viscous damping alone, more like {cause}; the ratio holds for the mean amplitude only"


def half_power(time: Floats, values: Floats, seed: int = 0) -> DampingEstimate:
    """Damping ratio from the width of the spectral line of a free decay, f_2 - f_1 where the power is half its peak.

        ratio = (f_2^2 - f_1^2) / (4 f_n^2),     f_n the peak's frequency

    Standard errors by repeating it with more noise of the record's own level. For light viscous damping of a linear
    oscillation whose record lasts until the decay is over; a record cut off earlier has a line as wide as its own
    length makes it, and a warning says so. The line is also widened by a frequency that depends on the amplitude.
    Raises DataError where the record is not a free decay.

    Reference: D. J. Ewins, Modal Testing, 2nd ed., Research Studies Press 2000, section 4.2.
    """
    time, values = np.asarray(time, float), np.asarray(values, float)
    _require_decay(time, values)
    series = uniform_series(time, values)
    points = turning_points(time, values, series=series)
    rest = float(np.mean(points.value[-4:]) if len(points.value) >= 4 else np.mean(series.values))
    signal = series.values - rest
    near = 1 / dominant_period(series)
    frequency, ratio = half_power_width(signal, series.spacing, near)
    random = np.random.default_rng(seed)
    draws = [
        half_power_width(signal + series.sigma * random.standard_normal(len(signal)), series.spacing, near)
        for _ in range(OSCILLATION.draws)
    ]
    frequency_std, ratio_std = np.nanstd(np.array(draws), axis=0)
    warnings = []
    span = series.time[-1] - series.time[0]
    if not np.isfinite(ratio):
        raise DataError(
            "the spectral line has no half-power points on both sides: the record is too short for its width"
        )
    drift, drift_std = _frequency_change(points)
    width = 2 * ratio * frequency
    if abs(drift) > max(OSCILLATION.line_share * width, OSCILLATION.curved * drift_std):
        warnings.append(
            f"the frequency changes by {abs(drift):.3g} as the amplitude falls, which widens the line ({width:.3g} "
            "wide) as damping does: the ratio is too large; use a part with small swings"
        )
    left = float(np.exp(-2 * np.pi * frequency * ratio * span))
    if left > OSCILLATION.left:
        warnings.append(
            f"more than {100 * left:.0f} % of the first swing is left at the record's end, so the line is as wide "
            f"as the record is short (1/duration is {1 / span:.3g}, the line {2 * ratio * frequency:.3g} wide): "
            "the ratio is too large; use the decrement"
        )
    return DampingEstimate(ratio, float(ratio_std), frequency, float(frequency_std), points.cycles, tuple(warnings))


def half_power_width(signal: Floats, spacing: float, near: float) -> tuple[float, float]:
    """Frequency and damping ratio of the spectral line nearest `near`; NaN for a ratio that cannot be read."""
    size = 2 ** math.ceil(math.log2(OSCILLATION.padding * len(signal)))  # other lengths may take twenty times as long
    power = np.abs(np.fft.rfft(signal, size)) ** 2
    frequency = np.arange(len(power)) / (size * spacing)
    about = np.flatnonzero((frequency > 0.6 * near) & (frequency < 1.5 * near))
    peak = int(about[np.argmax(power[about])])
    half = power[peak] / 2
    below, above = np.flatnonzero(power[:peak] < half), np.flatnonzero(power[peak:] < half)
    if not len(below) or not len(above):
        return float(frequency[peak]), float("nan")
    low, high = below[-1], peak + above[0]
    left = np.interp(half, [power[low], power[low + 1]], [frequency[low], frequency[low + 1]])
    right = np.interp(half, [power[high], power[high - 1]], [frequency[high], frequency[high - 1]])
    centre = float(frequency[peak])
    return centre, float((right**2 - left**2) / (4 * centre**2))


def _frequency_change(points: TurningPoints) -> tuple[float, float]:
    """How much the frequency changes over the record, and its standard error: a line through the half periods."""
    halves = np.diff(points.time)
    std = np.sqrt(points.time_std[1:] ** 2 + points.time_std[:-1] ** 2)
    line, covariance, scatter = _line(np.linspace(-0.5, 0.5, len(halves)), halves, 1 / std, 1)
    per_time = 1 / (2 * line[0] ** 2)
    return float(-line[1] * per_time), float(np.sqrt(covariance[1, 1])) * scatter * per_time


def _require_decay(time: Floats, values: Floats) -> None:
    objections = free_decay_objections(time, values)
    if objections:
        raise DataError("no damping from this record: " + "; ".join(objections))


def _line(x: Floats, y: Floats, weight: Floats, degree: int) -> tuple[Floats, Floats, float]:
    """Weighted polynomial fit: coefficients, covariance for unit scatter, and the scatter found (at least one)."""
    table = np.vander(x, degree + 1, increasing=True) * weight[:, None]
    solution = np.asarray(np.linalg.lstsq(table, y * weight, rcond=None)[0], np.float64)
    left = y * weight - table @ solution
    freedom = max(len(x) - degree - 1, 1)
    covariance = np.asarray(np.linalg.inv(table.T @ table), np.float64)
    return solution, covariance, max(1.0, float(np.sqrt(left @ left / freedom)))
