"""Lifespans of an oscillation's valleys, from a record: the chain of turning points that they begin and end at."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from identikit.oscillation._half_cycle import smoothing_bias
from identikit.oscillation._oscillator import Oscillator
from identikit.oscillation._persistence import sublevel_lifespans
from identikit.oscillation._settings import OSCILLATION
from identikit.oscillation._turning_points import TurningPoints, refined, smoother, turning_points, uniform_series


@dataclass(frozen=True, eq=False)
class Decline:
    """The turning points that lifespans begin and end at, in the model's position; every other swing is a lifespan.

    `births`, `deaths` and their times list all valleys above the cut-off, as measured; `points` the chain peak, valley,
    peak, ... of those used.
    """

    points: TurningPoints
    births: np.ndarray
    deaths: np.ndarray
    birth_times: np.ndarray
    death_times: np.ndarray
    used: np.ndarray
    cutoff: float
    half_window: np.ndarray
    raised: np.ndarray  # what smoothing adds to each turning point's value, as found from the model
    delayed: np.ndarray  # and to its time

    @property
    def raw(self) -> bool:
        return not self.half_window.any()

    def calibrated(self, oscillator: Oscillator, p: np.ndarray) -> Decline:
        """The same with what smoothing does to each turning point computed from the model at p, to be taken off."""
        if self.raw:
            return self
        centre = oscillator.equilibrium(p, self.level - oscillator.reading_at_zero(p) / oscillator.gain)
        amplitude = self.distances
        raised, delayed = smoothing_bias(oscillator, p, centre, amplitude, self.points.sign > 0, self.half_window)
        # a model that is far off at the start may not oscillate at all: then nothing is taken off
        usable = np.isfinite(raised) & np.isfinite(delayed) & (np.abs(raised) < 0.1 * amplitude)
        return replace(self, raised=np.where(usable, raised, 0.0), delayed=np.where(usable, delayed, 0.0))

    @property
    def level(self) -> float:
        """The rest position, offset included, from the last turning points; weighted so that an even decay cancels."""
        last = self.points.value[-4:]
        return float(np.array([1, 3, 3, 1]) @ last / 8) if len(last) == 4 else float(np.mean(last))

    @property
    def last_amplitude(self) -> float:
        """Distance of the last peak from the rest position: half the lifespan and half of what half a cycle costs."""
        return float(self.lengths[-1] / 2 + max(self.lengths[-2] - self.lengths[-1], 0.0) / 8)

    @property
    def distances(self) -> np.ndarray:
        """Of the turning points from the rest position; the two sides of a lopsided well differ."""
        return np.maximum(np.abs(self.points.value - self.level), 0.5 * self.points.amplitudes)

    @property
    def times(self) -> np.ndarray:
        """Times of the turning points without what smoothing changes."""
        return self.points.time - self.delayed

    @property
    def lengths(self) -> np.ndarray:
        """Lifespans without what smoothing changes and noise adds on average, unless they are raw."""
        if self.raw:
            return self.points.swings[::2]
        values = self.points.value - self.raised
        return np.abs(np.diff(values))[::2] - (self.points.excess[:-1] + self.points.excess[1:])[::2]

    @property
    def length_std(self) -> np.ndarray:
        std: np.ndarray = np.hypot(self.points.std[:-1], self.points.std[1:])[::2]
        return std

    @property
    def frequency(self) -> float:
        """Angular frequency: slope of the turning points' times, each weighted by how well it is known."""
        weight = 1.0 if self.raw else 1 / self.points.time_std
        count = np.arange(len(self.points.time))
        return float(np.pi / np.polyfit(count, self.points.time, 1, w=np.broadcast_to(weight, count.shape))[0])


def decline_of(time: np.ndarray, values: np.ndarray, gain: float, window: float) -> Decline:
    """Lifespans of a record: smoothed, valleys paired by persistence, cut off at the noise, those at an edge left out.

    Arguments:
        gain: measured value per unit of position; a negative one turns the record over.
        window: smoothing in periods; 0 = none.
    """
    values = values / gain
    series = uniform_series(time, values)
    period = turning_points(time, values, series=series).period
    local = smoother(series, period, window)
    smooth = local.smooth(series.values)
    cutoff = (OSCILLATION.prominence if local.half else OSCILLATION.raw_prominence) * local.std(series.sigma)
    found = sublevel_lifespans(smooth, cutoff)
    edge = len(smooth) - 1
    inner = (found.valley > 0) & (found.valley < edge) & (found.peak > 0) & (found.peak < edge)
    # each from a peak to the valley after it, and the next peak after that: else a drive or noise has the last word
    order = inner & (found.peak < found.valley)
    order[1:] &= found.peak[1:] > found.valley[:-1]
    begin = int(np.argmax(order)) if order.any() else len(order)
    end = begin + int(np.argmin(np.append(order[begin:], False)))
    chosen = np.arange(begin, min(end, begin + OSCILLATION.longest_chain))
    indices = np.stack([found.peak[chosen], found.valley[chosen]], axis=1).ravel() + local.half
    points = refined(series, indices, period, window, calibrated=False)
    if len(points.time) % 2 or (len(points.sign) and points.sign[0] < 0):
        indices = indices[2:] if len(points.sign) and points.sign[0] < 0 else indices[:-2]
        points = refined(series, indices, period, window, calibrated=False)
    used = np.zeros(len(order), bool)
    used[chosen] = True
    at = series.time[local.half : len(series.time) - local.half]
    return Decline(
        points,
        smooth[found.valley],
        smooth[found.peak],
        at[found.valley],
        at[found.peak],
        used,
        cutoff,
        points.samples * series.spacing / 2 if window > 0 else np.zeros(len(points.time)),
        np.zeros(len(points.time)),
        np.zeros(len(points.time)),
    )
