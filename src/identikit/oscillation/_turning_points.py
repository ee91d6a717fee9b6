"""Peaks and valleys of an oscillation, smoothed in proportion to its period, with their standard errors."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from identikit.measurement import SmoothCurve, noise_level
from identikit.oscillation._settings import OSCILLATION

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class TurningPoints:
    """Alternating peaks and valleys of a record, first to last, without those at its edges.

    Arguments:
        time, value: where they are; `value` in the unit of the record.
        sign: +1 peak, -1 valley.
        std: standard error of each value from the noise.
        time_std: of each time, larger where the curve is flatter.
        excess: how far noise moves a value outward on average (a maximum of a noisy curve is too large).
        sigma: noise of the samples.
        period: median time from peak to peak; NaN with fewer than three turning points.
        samples: how many samples each value is smoothed over; 1 = not smoothed.
    """

    time: Floats
    value: Floats
    sign: NDArray[np.int_]
    std: Floats
    time_std: Floats
    excess: Floats
    sigma: float
    period: float
    samples: Floats

    @property
    def value_std(self) -> float:
        """Typical standard error of a value."""
        return float(np.sqrt(np.mean(self.std**2))) if len(self.std) else self.sigma

    @property
    def cycles(self) -> float:
        """How many oscillations lie between the first and the last turning point."""
        return max(len(self.time) - 1, 0) / 2

    @property
    def amplitudes(self) -> Floats:
        """Distance of each turning point from the level it swings about."""
        return _amplitudes(self.value)

    @property
    def swings(self) -> Floats:
        """Distance from each turning point to the next, twice the amplitude."""
        return np.abs(np.diff(self.value))


@dataclass(frozen=True, eq=False)
class UniformSeries:
    """A series on a constant spacing, with the samples it comes from; `resampled` if a smooth curve had to be laid
    through them first."""

    time: Floats
    values: Floats
    spacing: float
    sigma: float
    resampled: bool
    measured_time: Floats
    measured_values: Floats


def uniform_series(time: Floats, values: Floats) -> UniformSeries:
    """The samples themselves where they are evenly spaced and complete; else a smooth curve at the median spacing."""
    known = np.isfinite(values)
    steps = np.diff(time)
    spacing = float(np.median(steps))
    sigma = noise_level(time, values).sigma
    sigma = max(sigma, OSCILLATION.too_fine * float(np.ptp(values[known])))
    if known.all() and float(np.max(np.abs(steps - spacing))) <= OSCILLATION.even * spacing:
        return UniformSeries(time, values, float(time[-1] - time[0]) / (len(time) - 1), sigma, False, time, values)
    curve = SmoothCurve(time, values, sigma)
    first, last = time[known][0], time[known][-1]
    grid = np.linspace(first, last, max(round((last - first) / spacing) + 1, OSCILLATION.fewest_samples))
    return UniformSeries(grid, curve(grid), float(grid[1] - grid[0]), sigma, True, time[known], values[known])


def dominant_period(series: UniformSeries) -> float:
    """Period of the strongest line of the spectrum, trend removed; to a few per cent."""
    values = series.values - np.polyval(
        np.polyfit(series.time - series.time[0], series.values, 1), series.time - series.time[0]
    )
    size = 2 ** int(np.ceil(np.log2(4 * len(values))))
    power = np.abs(np.fft.rfft(values * np.hanning(len(values)), size)) ** 2
    # three cycles of a short record still stand apart from the slow rest of a trend
    first = max(int(1.2 * size / len(values)), 1)
    best = first + int(np.argmax(power[first:]))
    return size * series.spacing / best


class LocalPolynomial:
    """Smoothing by the least-squares quartic over a window.

    Reference: A. Savitzky, M. J. E. Golay, Analytical Chemistry 36 (1964) 1627. The basis is Legendre's, so that long
    windows lose no digits.
    """

    def __init__(self, samples: int, degree: int = OSCILLATION.degree) -> None:
        self.half = max(samples // 2, 0)
        self.samples = 2 * self.half + 1
        self.degree = min(degree, self.samples - 1)
        basis = np.polynomial.legendre.legvander(np.linspace(-1.0, 1.0, self.samples), self.degree)
        self._project = np.asarray(np.linalg.pinv(basis), np.float64)
        self._to_powers = _powers(self.degree)

    @property
    def weights(self) -> Floats:
        """What each sample of the window counts for in the smoothed value."""
        row: Floats = self._to_powers[0] @ self._project
        return row

    def std(self, sigma: float) -> float:
        """Standard error of the smoothed value for samples with white noise sigma."""
        return sigma * float(np.sqrt(self.weights @ self.weights))

    def powers(self, windows: Floats) -> Floats:
        """Coefficients of 1, s, s^2, ... of the quartics of whole windows [samples, windows], s from -1 to 1."""
        found: Floats = self._to_powers @ (self._project @ windows)
        return found

    def smooth(self, values: Floats) -> Floats:
        """The smoothed series where the window fits: `half` samples shorter at each end."""
        return np.convolve(values, self.weights[::-1], mode="valid")


def turning_points(
    time: Floats, values: Floats, window: float = OSCILLATION.window, series: UniformSeries | None = None
) -> TurningPoints:
    """Peaks and valleys whose swing stands clear of the noise.

    The record is smoothed by local quartics over `window` periods; of the extremes that remain, those are kept
    that a swing of eight standard errors of the smoothed curve separates from their neighbours. The factor by which the
    smoothing passes the fundamental is divided out. Irregular times and NaN are fine.

    Arguments:
        time, values: the record; NaN where nothing was measured.
        window: smoothed over so many periods; 0 = not at all.
    """
    series = series or uniform_series(time, values)
    period = dominant_period(series)
    found = _at_period(series, period, window)
    halves = np.diff(found.time)
    if len(halves) >= 3:
        # a frequency that depends on the amplitude: smooth for the quickest oscillations
        quick = 2 * float(np.quantile(halves, 0.2))
        if not 0.85 < quick / period < 1.15:
            found = _at_period(series, quick, window)
    return found


def smoother(series: UniformSeries, period: float, window: float) -> LocalPolynomial:
    """The smoothing for a period; none where a resampled series is smooth already."""
    samples = 1 if series.resampled else int(window * period / series.spacing)
    return LocalPolynomial(samples if samples > OSCILLATION.degree else 1)


def _at_period(series: UniformSeries, period: float, window: float) -> TurningPoints:
    local = smoother(series, period, window)
    if len(series.values) < local.samples + 4:
        local = LocalPolynomial(1)
    smooth = local.smooth(series.values)
    found = alternating(smooth, OSCILLATION.prominence * local.std(series.sigma))
    return refined(series, np.array(found, int) + local.half, period, window)


def refined(
    series: UniformSeries, indices: NDArray[np.intp], period: float, window: float, calibrated: bool = True
) -> TurningPoints:
    """Turning points near the given samples of a series: extremes of the quartics fitted to the record about them.

    The quartic takes the measured samples within half a window on either side, however they are spaced (the window is
    `window` times the period there, where the frequency depends on the amplitude). Its standard error and the
    factor by which it passes a cosine of the period follow from the same fit, and unless `calibrated` is False that
    factor is divided out. Points whose window does not fit into the record are left out. With `window` 0 the samples
    themselves count.
    """
    frequency = 2 * np.pi / period
    periods = _local_periods(series.time[indices], period)
    rows = []
    for index, own in zip(indices, periods, strict=True):
        row = (
            _quartic(series, float(series.time[index]), window * own / 2, 2 * np.pi / own)
            if window > 0
            else (series.time[index], series.values[index], series.sigma, np.nan, 1.0, 1.0)
        )
        if row is not None:
            rows.append(row)
    table = np.array(rows, float).reshape(-1, 6)
    t, x, std, slope, gain, samples = table.T
    gain = gain if calibrated else np.ones(len(gain))
    sign = np.sign(np.diff(x, prepend=x[1])).astype(int) if len(x) > 1 else np.zeros(len(x), int)
    halves = np.diff(t)
    if len(halves) >= 2:
        frequency = np.pi / float(np.median(halves))
    middle = _middles(x)
    # x = A cos(w t) has curvature A w^2 at its top. A slope there that is off by e, as noise makes it, moves the top by
    # e / (A w^2) and raises it by e^2 / (2 A w^2), outward whichever sign e has.
    curvature = np.maximum(_amplitudes(x), 1e-300) * frequency**2
    return TurningPoints(
        t,
        middle + (x - middle) / gain,
        sign,
        std / gain,
        slope / curvature,
        slope**2 / (2 * curvature),
        series.sigma,
        2 * np.pi / frequency if len(halves) >= 2 else float("nan"),
        samples,
    )


def _local_periods(time: Floats, period: float) -> Floats:
    """The period about each turning point, from the times to its neighbours; at most the overall one."""
    halves = np.diff(time)
    if len(halves) < 2:
        return np.full(len(time), period)
    about = halves[1:] + halves[:-1]
    return np.minimum(np.concatenate([about[:1], about, about[-1:]]), period)


def _quartic(series: UniformSeries, centre: float, half: float, frequency: float) -> tuple[float, ...] | None:
    """Time and value of the extremum near `centre`, standard errors of value and slope, gain, samples used."""
    polyval, polyder = np.polynomial.polynomial.polyval, np.polynomial.polynomial.polyder
    degree = OSCILLATION.degree
    for _ in range(2):  # the second time about the extremum found
        first, last = np.searchsorted(series.measured_time, [centre - half, centre + half])
        while last - first < degree + 3 and degree > 2:
            degree -= 1
        if (
            centre - half < series.measured_time[0]
            or centre + half > series.measured_time[-1]
            or last - first < degree + 1
        ):
            return None
        s = (series.measured_time[first:last] - centre) / half
        # `fit` takes samples to powers of s, so its first rows are the samples' weights in value and slope
        orthogonal, triangle = np.linalg.qr(np.polynomial.legendre.legvander(s, degree))
        fit = _powers(degree) @ np.linalg.solve(triangle, orthogonal.T)
        powers = fit @ series.measured_values[first:last]
        at, slope, curve = 0.0, polyder(powers), polyder(powers, 2)
        for _ in range(4):  # Newton on the quartic's slope, kept to the middle half of the window
            bend = float(polyval(at, curve))
            if bend == 0.0:
                break
            at = min(max(at - float(polyval(at, slope)) / bend, -0.5), 0.5)
        value = float(polyval(at, powers))
        weights, slopes = fit[0], fit[1] / half
        gain = float(
            weights @ np.cos(frequency * half * s)
        )  # of the fit's value at its centre for a cosine of height 1
        found = centre + at * half
        if abs(at) * half < series.spacing:
            break
        centre = found
    std = series.sigma * float(np.sqrt(weights @ weights))
    return found, value, std, series.sigma * float(np.sqrt(slopes @ slopes)), gain, float(last - first)


@lru_cache(maxsize=8)
def _powers(degree: int) -> Floats:
    """Power coefficients of the Legendre polynomials, one column each."""
    rows = [np.polynomial.legendre.leg2poly(row) for row in np.eye(degree + 1)]
    return np.stack([np.pad(row, (0, degree + 1 - len(row))) for row in rows], axis=1)


def _middles(x: Floats) -> Floats:
    """The level each turning point swings about: the mean of itself and the mean of its neighbours."""
    if len(x) < 3:
        return np.full(len(x), float(np.mean(x)) if len(x) else 0.0)
    inner = swing_levels(x)
    return np.concatenate([inner[:1], inner, inner[-1:]])


def swing_levels(x: Floats) -> Floats:
    """The level that each turning point but the first and the last swings about: (x_i-1 + 2 x_i + x_i+1) / 4.

    A steady fall of the amplitude cancels in it, peaks and valleys giving the same level.
    """
    level: Floats = (x[:-2] + 2 * x[1:-1] + x[2:]) / 4
    return level


def _amplitudes(x: Floats) -> Floats:
    """Distance from the level swung about: the mean of the half swings on both sides, continued to the ends."""
    swings = np.abs(np.diff(x)) / 2
    if len(swings) < 2:
        return np.full(len(x), float(swings[0]) if len(swings) else 0.0)
    ends = 1.5 * swings[[0, -1]] - 0.5 * swings[[1, -2]]
    return np.concatenate([ends[:1], (swings[1:] + swings[:-1]) / 2, np.maximum(ends[1:], 0.5 * swings[-1])])


def alternating(values: Floats, prominence: float) -> list[int]:
    """Indices of alternating maxima and minima such that neighbours differ by more than `prominence`.

    The ends of the series count only as what a first swing is measured from; an extremum there is left out.
    """
    found: list[int] = []
    low = high = 0
    direction = 0
    for index in _candidates(values):
        value = values[index]
        if direction >= 0 and value > values[high]:
            high = index
        if direction <= 0 and value < values[low]:
            low = index
        if direction >= 0 and values[high] - value > prominence:
            found.append(high)
            direction, low = -1, index
        elif direction <= 0 and value - values[low] > prominence:
            found.append(low)
            direction, high = 1, index
    return [index for index in found if 0 < index < len(values) - 1]


def _candidates(values: Floats) -> list[int]:
    """Ends and places where the series turns, flat tops included."""
    steps = np.sign(np.diff(values))
    moving = np.flatnonzero(steps)
    turns = np.flatnonzero(np.diff(steps[moving])) if len(moving) else np.array([], int)
    inner = (moving[turns] + 1 + moving[turns + 1]) // 2 if len(turns) else turns
    return [0, *inner.tolist(), len(values) - 1]
