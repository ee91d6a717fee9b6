"""Peaks and valleys of an oscillation, smoothed in proportion to its period, with their standard deviations."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from identikit.measurement._noise import noise_level
from identikit.measurement._smooth import SmoothCurve

Floats = NDArray[np.float64]

WINDOW = 0.4  # of the period: a quartic over it follows a cosine to 2e-4, and the factor is divided out
DEGREE = 4
PROMINENCE = 8.0  # deviations of the smoothed curve: a smaller swing may be noise
EVEN = 1e-3  # relative: a spacing that varies by less counts as constant
FEWEST_SAMPLES = 24
_TOO_FINE = 1e-12  # of the range: below it a noise level is rounding


@dataclass(frozen=True, eq=False)
class TurningPoints:
    """Alternating peaks and valleys of a record, first to last, without those at its edges.

    Arguments:
        time, value: where they are; `value` in the unit of the record.
        sign: +1 peak, -1 valley.
        value_deviation: standard deviation of each value from the noise.
        time_deviation: of each time, larger where the curve is flatter.
        excess: how far noise moves a value outward on average (a maximum of a noisy curve is too large).
        sigma: noise of the samples.
        period: median time from peak to peak; NaN with fewer than three turning points.
        samples: number of samples smoothed over; 1 = not smoothed.
    """

    time: Floats
    value: Floats
    sign: NDArray[np.int_]
    value_deviation: float
    time_deviation: Floats
    excess: Floats
    sigma: float
    period: float
    samples: int

    @property
    def cycles(self) -> float:
        """How many oscillations lie between the first and the last turning point."""
        return max(len(self.time) - 1, 0) / 2

    @property
    def swings(self) -> Floats:
        """Distance from each turning point to the next, twice the amplitude."""
        return np.abs(np.diff(self.value))


@dataclass(frozen=True, eq=False)
class UniformSeries:
    """A series on a constant spacing; `resampled` if a smooth curve had to be laid through the samples first."""

    time: Floats
    values: Floats
    spacing: float
    sigma: float
    resampled: bool


def uniform_series(time: Floats, values: Floats) -> UniformSeries:
    """The samples themselves where they are evenly spaced and complete; else a smooth curve at the median spacing."""
    known = np.isfinite(values)
    steps = np.diff(time)
    spacing = float(np.median(steps))
    sigma = noise_level(time, values).sigma
    sigma = max(sigma, _TOO_FINE * float(np.ptp(values[known])))
    if known.all() and float(np.max(np.abs(steps - spacing))) <= EVEN * spacing:
        return UniformSeries(time, values, float(time[-1] - time[0]) / (len(time) - 1), sigma, False)
    curve = SmoothCurve(time, values, sigma)
    first, last = time[known][0], time[known][-1]
    grid = np.linspace(first, last, max(round((last - first) / spacing) + 1, FEWEST_SAMPLES))
    return UniformSeries(grid, curve(grid), float(grid[1] - grid[0]), sigma, True)


def dominant_period(series: UniformSeries) -> float:
    """Period of the strongest line of the spectrum, trend removed; to a few per cent."""
    values = series.values - np.polyval(
        np.polyfit(series.time - series.time[0], series.values, 1), series.time - series.time[0]
    )
    size = 8 * len(values)
    power = np.abs(np.fft.rfft(values * np.hanning(len(values)), size)) ** 2
    # three cycles of a short record still stand apart from the slow rest of a trend
    first = max(int(1.2 * size / len(values)), 1)
    best = first + int(np.argmax(power[first:]))
    return size * series.spacing / best


class LocalPolynomial:
    """Smoothing by the least-squares quartic over a window, with value, slope and curvature at its centre.

    Reference: A. Savitzky, M. J. E. Golay, Analytical Chemistry 36 (1964) 1627. The basis is Legendre's, so that long
    windows lose no digits.
    """

    def __init__(self, samples: int, spacing: float, degree: int = DEGREE) -> None:
        self.half = max(samples // 2, 0)
        self.samples, self.spacing = 2 * self.half + 1, spacing
        self.degree = min(degree, self.samples - 1)
        self._project: Floats = np.ones((1, 1))
        self._to_powers: Floats = np.ones((1, 1))
        if self.half == 0:
            return
        s = np.linspace(-1.0, 1.0, self.samples)
        basis = np.polynomial.legendre.legvander(s, self.degree)
        self._project = np.asarray(np.linalg.pinv(basis), np.float64)
        self._to_powers = np.stack(
            [
                np.pad(np.polynomial.legendre.leg2poly(row), (0, self.degree))[: self.degree + 1]
                for row in np.eye(self.degree + 1)
            ],
            axis=1,
        )

    @property
    def weights(self) -> Floats:
        """What each sample of the window counts for in the smoothed value."""
        row: Floats = self._to_powers[0] @ self._project
        return row

    @property
    def slope_weights(self) -> Floats:
        """The same for the slope, per unit of time."""
        row: Floats = self._to_powers[1] @ self._project / (self.half * self.spacing)
        return row

    def smooth(self, values: Floats) -> Floats:
        """The smoothed series where the window fits: `half` samples shorter at each end."""
        return np.convolve(values, self.weights[::-1], mode="valid")

    def gain(self, frequency: float) -> float:
        """By what factor a cosine of this angular frequency is passed."""
        offsets = np.arange(-self.half, self.half + 1) * self.spacing
        return float(self.weights @ np.cos(frequency * offsets))

    def extremum(self, values: Floats, index: int) -> tuple[float, float]:
        """Offset in time and value of the extremum of the quartic centred at a sample."""
        window = values[index - self.half : index + self.half + 1]
        powers = self._to_powers @ (self._project @ window)
        width = self.half * self.spacing
        slope, curve = np.polynomial.polynomial.polyder(powers), np.polynomial.polynomial.polyder(powers, 2)
        at = 0.0
        for _ in range(4):
            bend = float(np.polynomial.polynomial.polyval(at, curve))
            if bend == 0.0:
                break
            at = float(
                np.clip(at - np.polynomial.polynomial.polyval(at, slope) / bend, -1.5 / self.half, 1.5 / self.half)
            )
        return at * width, float(np.polynomial.polynomial.polyval(at, powers))


def turning_points(
    time: Floats, values: Floats, window: float = WINDOW, series: UniformSeries | None = None
) -> TurningPoints:
    """Peaks and valleys whose swing stands clear of the noise.

    The record is smoothed by local quartics over `window` periods; of the extremes that remain, those are kept
    that a swing of eight deviations of the smoothed curve separates from their neighbours. The factor by which the
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
    return LocalPolynomial(samples if samples > DEGREE else 1, series.spacing)


def _at_period(series: UniformSeries, period: float, window: float) -> TurningPoints:
    local = smoother(series, period, window)
    if len(series.values) < local.samples + 4:
        local = LocalPolynomial(1, series.spacing)
    smooth = local.smooth(series.values)
    deviation = series.sigma * float(np.sqrt(local.weights @ local.weights))
    indices = alternating(smooth, PROMINENCE * deviation)
    frequency = 2 * np.pi / period
    gain = local.gain(frequency)
    places, heights = [], []
    # a parabola through three samples where nothing is smoothed
    reader = local if local.half else LocalPolynomial(3, series.spacing, 2)
    for index in indices:
        centre = index + local.half
        if not reader.half <= centre < len(series.values) - reader.half:
            continue
        offset, height = reader.extremum(series.values, centre)
        places.append(series.time[centre] + offset)
        heights.append(height)
    t, x = np.array(places), np.array(heights)
    sign = np.sign(x - np.roll(x, 1)).astype(int) if len(x) > 1 else np.zeros(len(x), int)
    if len(x) > 1:
        sign[0] = -sign[1]
    halves = np.diff(t)
    if len(halves) >= 2:
        frequency = np.pi / float(np.median(halves))
    amplitude = _amplitudes(x)
    if len(x):
        middle = _middles(x)
        x = middle + (x - middle) / gain
    curvature = np.maximum(amplitude, 1e-300) * frequency**2
    slope = series.sigma * float(np.sqrt(reader.slope_weights @ reader.slope_weights))
    return TurningPoints(
        t,
        x,
        sign,
        deviation / gain,
        slope / curvature,
        slope**2 / (2 * curvature),
        series.sigma,
        2 * np.pi / frequency if len(halves) >= 2 else float("nan"),
        local.samples,
    )


def _middles(x: Floats) -> Floats:
    """The level each turning point swings about: the mean of itself and the mean of its neighbours."""
    if len(x) < 3:
        return np.full(len(x), float(np.mean(x)))
    inner = (x[:-2] + 2 * x[1:-1] + x[2:]) / 4
    return np.concatenate([inner[:1], inner, inner[-1:]])


def _amplitudes(x: Floats) -> Floats:
    swings = np.abs(np.diff(x)) / 2
    if len(swings) == 0:
        return np.zeros(len(x))
    return np.concatenate([swings[:1], (swings[1:] + swings[:-1]) / 2, swings[-1:]])


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
