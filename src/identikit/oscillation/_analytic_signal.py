"""Envelope and phase of an oscillation by the analytic signal, the same for a record and for a simulation of it.

    z(t) = x(t) + j H[x](t),      x with its mean removed, H the Hilbert transform;
    z is averaged over a window of W after turning back by exp(-j w t), w the record's frequency;
    A = |z|,      phase = arg z.

Averaging before the modulus is taken, over one period, leaves the fundamental alone: a constant and all harmonics
average to nothing, and so does most of the noise, which would bias the envelope (the modulus of a noisy number is too
large by sigma^2/2A). All of it up to the modulus is one linear filter, applied by FFT, so sensitivities pass through it
too.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from identikit.measurement import SplineFit
from identikit.oscillation._settings import OSCILLATION
from identikit.oscillation._turning_points import turning_points, uniform_series


@dataclass(frozen=True, eq=False)
class AnalyticSignal:
    """The processing of one record, fixed by the record, and what it makes of the record itself.

    Arguments:
        at: times at which the model is to be read: those of the samples.
        rows: times of the rows used, where the record's own envelope stands clear of the noise.
        z: the record's analytic signal there.
        noise: standard deviation of the real and imaginary part of z.
        sigma: that of the samples.
        period: of the record.
        inner: which rows lie half a window off the record's ends. At the ends the average runs over the edge: good
            enough to compare with a simulation that does the same, but no envelope to look at.
    """

    at: np.ndarray
    rows: np.ndarray
    z: np.ndarray
    noise: float
    sigma: float
    period: float
    inner: np.ndarray
    _filter: np.ndarray
    _size: int
    _kept: np.ndarray
    _spline: tuple[SplineFit, np.ndarray] | None

    @classmethod
    def of(cls, time: np.ndarray, values: np.ndarray, window: float, floor: float) -> AnalyticSignal:
        """Arguments: window: averaged over so many periods, 0 = not; floor: rows whose envelope is below so many
        standard deviations sigma of the noise are left out, and all after the first of them."""
        from scipy.fft import next_fast_len

        series = uniform_series(time, values)
        period = turning_points(time, values, series=series).period
        spline, at = None, series.time
        even = series.values
        if series.resampled:
            known = np.isfinite(values)
            at = time[known]
            per_piece = max(len(at) * period / OSCILLATION.pieces_per_period / (at[-1] - at[0]), 1.5)
            fit = SplineFit(at, per_piece)
            spline = fit, series.time
            even = fit.spline(values[known])(series.time)
        count = len(even)
        # a window's length of zeros keeps the record's end out of its beginning
        size = next_fast_len(count + int(window * period / series.spacing))
        frequency = np.fft.fftfreq(size, series.spacing)
        # Hilbert transform: twice the positive frequencies, none of the negative ones. Averaging over W after turning
        # back by the record's frequency 1/T multiplies a line at f by sinc(W (f - 1/T)), which vanishes at f = 0 and
        # at all harmonics for W = T.
        response = np.where(frequency > 0, 2 * np.sinc(window * period * (frequency - 1 / period)), 0.0)
        stride = max(1, int(window * period / series.spacing / OSCILLATION.rows_per_window))
        every = np.arange(0, count, stride)
        draft = cls(at, every, np.empty(0), 0.0, 0.0, period, np.empty(0), response, size, every, spline)
        z = draft.transform(even[:, None], even=True)[:, 0]
        # a white sequence through the filter: variance of each part
        noise = series.sigma * float(np.sqrt(np.mean(response**2) / 2))
        half = window * period / 2
        inner = (series.time[every] - series.time[0] >= half) & (series.time[-1] - series.time[every] >= half)
        low = inner & (np.abs(z) < max(floor * series.sigma, 3 * noise))
        last = int(np.argmax(low)) if low.any() else len(z)
        kept = every[:last]
        return cls(
            at, series.time[kept], z[:last], noise, series.sigma, period, inner[:last], response, size, kept, spline,
        )  # fmt: skip

    def transform(self, values: np.ndarray, even: bool = False) -> np.ndarray:
        """The rows of the analytic signal of each column of `values` [times, columns], read at `at`."""
        from scipy.fft import fft, ifft

        if self._spline is not None and not even:
            fit, grid = self._spline
            values = fit.splines(values)(grid)
        spectrum = fft(values - values.mean(axis=0), self._size, axis=0)
        found: np.ndarray = ifft(self._filter[:, None] * spectrum, axis=0)[self._kept]
        return found

    @property
    def modulus(self) -> np.ndarray:
        return np.abs(self.z)
