"""A smooth curve through noisy samples, with derivatives: a least-squares spline as coarse as the noise
allows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from identikit.measurement._adaptive_knots import adaptive_edges
from identikit.measurement._spline_fit import SplineFit
from identikit.progress import poll

CURVE_DEGREE = 5  # of the spline: its third derivative is still smooth
HIGHEST_DERIVATIVE = 3  # that a curve gives
# Intervals between knots that are tried, coarse to fine.
_PIECES_GROWTH = 1.6
_FEWEST_PIECES = 4  # of the coarsest curve that is tried
# The search needs no more samples than this; the curve itself uses them all.
_SEARCHED = 3000
_REGULAR = 1e-6  # relative scatter of the steps of a clock that counts as regular
_CLOSE_ENOUGH = 1.05  # residual over noise at which the search ends
_AS_GOOD = 1.02  # scores of cross-validation whose difference says nothing
# Where the residual is just at the noise the curve's bias is still of the size of its standard deviation; with this
# many times the pieces a curve of degree 5 has 1.6^-6 = 0.06 of that bias, at 1.6 times the variance.
_FINER = 1.6
# Knots at unequal distances are worth it where so many times fewer do.
_MUCH_FEWER = 3.0
_MANY_PIECES = 64  # of equal length, from which unequal ones are tried
# Noise from the departures of samples from their neighbours, where a few depart by far more than the others.
_KEPT = 0.9  # of all departures, the smallest
_KEPT_SHARE = 0.5607  # of their sum of squares that these hold, for normal noise
_CONTAMINATED = 0.8  # ratio to the plain level below which the others are not noise
_LONG_GAP = 20.0  # median steps between samples: a longer one is a gap
_COARSE = 0.3  # share of departures that are zero where the resolution is coarser than the noise
_ZERO = 1e-4  # of the mean square, that counts as zero


class SmoothCurve:
    """x(t) of degree 5 with x' and x'': the coarsest spline whose residual is at the noise level.

    Works for irregular times and NaN. Not for signals that jump, nor with fewer than about four samples per
    oscillation: such records need a method that integrates the model.

    Arguments:
        time: increasing times; values: samples, NaN where there is none.
        sigma: noise level; None = estimated from the samples.
        spacing: time between knots; None = as coarse as the noise allows.
    """

    def __init__(
        self,
        time: NDArray[np.float64],
        values: NDArray[np.float64],
        sigma: float | None = None,
        spacing: float | None = None,
    ) -> None:
        known = np.isfinite(values)
        self.time, self.values = time[known], values[known]
        degree = min(CURVE_DEGREE, max(1, len(self.time) - 2))
        self.sigma = neighbour_noise(self.time, self.values) if sigma is None else sigma
        span = float(self.time[-1] - self.time[0])
        most = max(1, (len(self.time) - degree) // 2)
        pieces = self._choose_pieces(degree) if spacing is None else min(max(1, round(span / spacing)), most)
        self.spacing = span / pieces
        uneven = self._uneven_knots(pieces, degree) if spacing is None else None
        self._fit = SplineFit(self.time, len(self.time) / pieces if uneven is None else uneven, degree)
        self._derivatives = [self._fit.spline(self.values)]
        for _ in range(min(HIGHEST_DERIVATIVE, degree)):
            self._derivatives.append(self._derivatives[-1].derivative())

    def _choose_pieces(self, degree: int) -> int:
        """Refine until the residual stops exceeding the noise.

        If that takes a curve so fine that it follows the noise (the noise was taken for smaller than it is), or never
        happens, generalised cross-validation decides.
        """
        every = max(1, len(self.time) // _SEARCHED)
        time, values = self.time[::every], self.values[::every]
        most = max(1, (len(time) - degree) // 2)
        size = float(np.std(values)) or 1.0
        pieces = float(_FEWEST_PIECES)
        best, best_deviation, best_score = 1, np.inf, np.inf
        validated, least = 1, np.inf
        while True:
            poll()
            count = min(int(pieces), most)
            residual = values - SplineFit(time, len(time) / count, degree).fitted(values)
            freedom = max(len(time) - count - degree, 1)
            deviation = float(np.sqrt(residual @ residual / freedom))
            score = deviation * float(np.sqrt(len(time) / freedom))
            if deviation < best_deviation * 0.98:
                best, best_deviation, best_score = count, deviation, score
            if score < least:
                validated, least = count, score
            if deviation <= _CLOSE_ENOUGH * self.sigma + 1e-9 * size or count >= most:
                chosen = best if best_score <= _AS_GOOD * least else validated
                return min(round(_FINER * chosen), max(1, (len(self.time) - degree) // 2))
            pieces *= _PIECES_GROWTH

    def _uneven_knots(self, pieces: int, degree: int) -> NDArray[np.float64] | None:
        """Positions of knots where a few short intervals do instead of many; None for records that are alike
        throughout."""
        if pieces < _MANY_PIECES or not self.sigma > 0:
            return None
        every = max(1, len(self.time) // _SEARCHED)
        edges = adaptive_edges(self.time[::every], self.values[::every], self.sigma, degree)
        if _FINER * (len(edges) - 1) * _MUCH_FEWER > pieces:
            return None
        finer = np.linspace(0, len(edges) - 1, round(_FINER * (len(edges) - 1)) + 1)
        positions = np.interp(finer, np.arange(len(edges)), edges)
        return np.asarray(positions * (len(self.time) - 1) / positions[-1])

    def __call__(self, time: NDArray[np.float64], derivative: int = 0) -> NDArray[np.float64]:
        """The curve or one of its derivatives; beyond the samples it is held at the ends."""
        inside = np.clip(time, self.time[0], self.time[-1])
        if derivative >= len(self._derivatives):
            return np.zeros(np.shape(inside))
        return self._derivatives[derivative](inside)

    def at_samples(self) -> NDArray[np.float64]:
        """The curve at the times of its samples, the basis there being known."""
        return self._fit.at_samples(self._derivatives[0].coefficients[:, None])[:, 0]

    def variance(self, time: NDArray[np.float64], weights: Sequence[NDArray[np.float64]]) -> float:
        """Variance that the samples' noise gives to sum_d sum_g weights[d][g] x^(d)(time[g]), for white noise of
        standard deviation sigma."""
        return self.sigma**2 * self._fit.variance(time, weights[: len(self._derivatives)])

    @cached_property
    def time_scale(self) -> float:
        """2 pi rms(x - mean) / rms(x'): the period, for an oscillation of one frequency."""
        at = sampled_places(self.time, 4001)
        position, velocity = self(at), self(at, 1)
        speed = float(np.sqrt(np.mean(velocity**2)))
        span = float(self.time[-1] - self.time[0])
        return span if speed == 0 else min(2 * np.pi * float(np.std(position)) / speed, span)


def sampled_places(time: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """Places evenly over the samples' span, but for long gaps: a curve there shows nothing that was measured."""
    at = np.linspace(time[0], time[-1], count)
    steps = np.diff(time)
    long = steps > _LONG_GAP * np.median(steps)
    if not long.any():
        return at
    kept = at[~long[np.clip(np.searchsorted(time, at, side="right") - 1, 0, len(steps) - 1)]]
    return kept if len(kept) > 1 else at


class RestingCurve:
    """A curve that stays at the mean of another one's samples over an interval: what a record at rest shows."""

    def __init__(self, curve: SmoothCurve, begin: float, end: float) -> None:
        inside = (curve.time >= begin) & (curve.time <= end)
        self._level = float(np.mean(curve.values[inside])) if inside.any() else float(curve(np.array([begin]))[0])

    def __call__(self, time: NDArray[np.float64], derivative: int = 0) -> NDArray[np.float64]:
        return np.full(np.shape(time), 0.0 if derivative else self._level)


def neighbour_noise(time: NDArray[np.float64], values: NDArray[np.float64]) -> float:
    """Noise level from how far each sample lies off the polynomial through its neighbours, of rising degree.

    With weights w_j of the neighbours the standard deviation is sigma sqrt(1 + sum w_j^2) for white noise; more
    neighbours leave less of the signal, so the smallest estimate counts. A thousand times quicker than
    `noise_level` and good to a few per cent; it makes a curve's resolution, never a reported figure.
    """
    smallest = np.inf
    steps = np.diff(time)
    regular = len(steps) > 0 and float(np.ptp(steps)) <= _REGULAR * float(steps[0])
    for reach in (1, 2, 3, 4):
        count = len(values) - 2 * reach
        if count < 8:
            break
        offsets = [j for j in range(2 * reach + 1) if j != reach]
        # at regular times the weights are the same everywhere
        grid = [np.array([float(j)]) if regular else time[j : j + count] for j in range(2 * reach + 1)]
        predicted, spread = np.zeros(count), np.ones(len(grid[0]))
        for j in offsets:
            weight = np.ones(len(grid[0]))
            for other in offsets:
                if other != j:
                    weight *= (grid[reach] - grid[other]) / (grid[j] - grid[other])
            predicted += weight * values[j : j + count]
            spread += weight**2
        departure = (values[reach : reach + count] - predicted) ** 2 / spread
        smallest = min(smallest, _level(departure))
    return smallest if np.isfinite(smallest) else 0.0


def _level(departure: NDArray[np.float64]) -> float:
    """Root mean square, or what it would be by the lower nine tenths where jumps or outliers make up the rest.

    The tenth of the largest squares holds 0.44 of their sum for normal noise. A resolution coarser than the noise, with
    many departures of zero, looks alike and is left as it is.
    """
    plain = float(np.sqrt(np.mean(departure)))
    kept = np.sort(departure)[: int(_KEPT * len(departure))]
    trimmed = float(np.sqrt(np.sum(kept) / (_KEPT_SHARE * len(departure))))
    coarse = kept[int(_COARSE * len(kept))] < _ZERO * plain**2
    return trimmed if trimmed < _CONTAMINATED * plain and not coarse else plain
