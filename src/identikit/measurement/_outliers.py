"""Outliers: single samples, or two or three in a row, far off what their neighbours on both sides say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from identikit.measurement._settings import SERIES
from identikit.numerics import robust_std

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Outliers:
    """Which samples of a series are far off.

    Arguments:
        index: their positions, in order.
        distance: how far each is off what its neighbours say, in the unit of the values.
        scale: standard deviation that ordinary samples are off by.
    """

    index: NDArray[np.intp]
    distance: Floats
    scale: float

    def __len__(self) -> int:
        return len(self.index)


def outliers(time: ArrayLike, values: ArrayLike, step: float = 0.0) -> Outliers:
    """Samples that a parabola through four neighbours on either side misses by more than eight standard deviations.

    A sample counts only if it lies outside the range of these neighbours, if they agree among themselves at least five
    times better, and if those before and after it lead to the same level. So jumps,
    dips that recover, kinks of dry friction and the fronts of a relaxation oscillation are none. Up
    to three wrong samples in a row are found. Spikes that come back in a steady rhythm, or make up more than a tenth
    of the series, are signal.

    Arguments:
        time: increasing times; values: NaN where missing.
        step: of the sensor's quantisation, 0 if there is none; less than eight steps is no outlier.

    Not seen: errors longer than three samples, and outliers among others that are as close as that. A single sample on
    a pulse that is narrower than the sampling looks like an outlier; only its rhythm tells.
    """
    t, y = np.asarray(time, float), np.asarray(values, float)
    present = np.flatnonzero(np.isfinite(y))
    none = Outliers(np.zeros(0, np.intp), np.zeros(0), 0.0)
    if len(present) < 4 * SERIES.neighbours:
        return none
    t, y = t[present], y[present]
    found: dict[int, float] = {}
    scale = 0.0
    for burst in range(1, SERIES.longest_burst + 1):
        kept = np.ones(len(y), bool)
        kept[list(found)] = False
        good = np.flatnonzero(kept)
        if len(good) < 4 * SERIES.neighbours:
            break
        windows = _Windows(t[good], y[good], burst)
        misses = windows.missed()
        if burst == 1:
            scale = max(float(robust_std(misses[:, 0])), step, SERIES.visible * float(np.ptp(y)) / SERIES.wild)
        suspects = np.flatnonzero(np.abs(misses).min(axis=1, initial=np.inf) > SERIES.wild * scale)
        if burst == 1 and not (np.abs(misses) > SERIES.wild / 2 * scale).any():
            break  # longer errors would show here too
        # one of the neighbours may be an outlier itself, so each is left out in turn
        for dropped in (None, *range(2 * SERIES.neighbours)):
            for row, off in windows.wild(suspects, scale, dropped):
                for k in range(burst):
                    found.setdefault(int(good[row + SERIES.neighbours + k]), float(off[k]))
    index = np.array(sorted(found), np.intp)
    if not len(index) or len(index) > SERIES.most_wild * len(y) or _rhythmic(t[index], float(np.median(np.diff(t)))):
        return Outliers(none.index, none.distance, scale)
    return Outliers(present[index], np.array([found[int(i)] for i in index]), scale)


class _Windows:
    """Every run of `burst` samples with its neighbours on either side."""

    def __init__(self, t: Floats, y: Floats, burst: int) -> None:
        side = SERIES.neighbours
        width = 2 * side + burst
        self.rows = np.lib.stride_tricks.sliding_window_view(y, width)
        # By position rather than by time: jitter is far smaller than what an outlier is off by.
        self.basis = np.polynomial.legendre.legvander(np.linspace(-1.0, 1.0, width), 2)
        self.inner = np.arange(side, side + burst)
        self.outer = np.delete(np.arange(width), self.inner)
        # Neighbours across a gap say little: their distance in time must be the usual one.
        span = t[width - 1 :] - t[: len(t) - width + 1]
        self.near = span < 3 * np.median(span)

    def missed(self) -> Floats:
        """What the parabolas through the neighbours miss the samples of each run by [runs, burst]."""
        fit = self.basis[self.inner] @ np.linalg.pinv(self.basis[self.outer])
        return np.asarray(self.rows[:, self.inner] - self.rows[:, self.outer] @ fit.T)

    def wild(self, suspects: NDArray[np.intp], scale: float, dropped: int | None) -> Iterator[tuple[int, Floats]]:
        """Those of the suspected runs that are outliers, with how far they are off, one neighbour left out."""
        outer = self.outer if dropped is None else np.delete(self.outer, dropped)
        rows = self.rows[suspects]
        neighbours, run = rows[:, outer], rows[:, self.inner]
        fit = self.basis @ np.linalg.pinv(self.basis[outer])
        missed = rows - neighbours @ fit.T
        rough = np.abs(missed[:, outer]).max(axis=1, initial=0.0)
        least = np.abs(missed[:, self.inner]).min(axis=1, initial=np.inf)
        above = run.min(axis=1, initial=np.inf) > neighbours.max(axis=1, initial=-np.inf)
        below = run.max(axis=1, initial=-np.inf) < neighbours.min(axis=1, initial=np.inf)
        rough = np.maximum(rough, SERIES.step_share * self._step(rows, outer))
        far = least > np.maximum(SERIES.wild * scale, SERIES.rough * rough)
        for place in np.flatnonzero(far & (above | below) & self.near[suspects]):
            yield int(suspects[place]), missed[place, self.inner]

    def _step(self, rows: Floats, outer: NDArray[np.intp]) -> Floats:
        """How far the straight lines through the neighbours before and after a run miss each other in its middle."""
        middle = float(np.mean(self.inner))
        ends = []
        for side in (outer[outer < middle], outer[outer > middle]):
            line = np.stack([np.ones(len(side)), side - middle], axis=1)
            ends.append(rows[:, side] @ np.linalg.pinv(line)[0])
        return np.asarray(np.abs(ends[1] - ends[0]))


def _rhythmic(times: Floats, spacing: float) -> bool:
    """Whether the times come in one rhythm, some beats perhaps left out; neighbours count as one."""
    beats = times[np.diff(times, prepend=-np.inf) > SERIES.neighbours * spacing]
    if len(beats) < SERIES.fewest_recurring:
        return False
    apart = np.diff(beats) / np.median(np.diff(beats))
    return bool(np.all(np.abs(apart - np.maximum(np.round(apart), 1)) < SERIES.recurring))
