"""Outliers: single samples, or two or three in a row, far off what their neighbours on both sides say."""

from __future__ import annotations

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
    """Samples that a parabola through four neighbours on either side misses by more than six standard deviations.

    A sample counts only if it lies outside the range of these neighbours, and if they agree among themselves at least
    three times better; so jumps, kinks of dry friction and the fronts of a relaxation oscillation are none. Up
    to three wrong samples in a row are found. Spikes that come back in a steady rhythm, or make up more than a tenth
    of the series, are signal.

    Arguments:
        time: increasing times; values: NaN where missing.
        step: of the sensor's quantisation, 0 if there is none; less than six steps is no outlier.

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
        misses, rough, outside = _judged(t[good], y[good], burst)
        if burst == 1:
            scale = max(float(robust_std(misses[:, 0])), step)
        wild = outside & (np.abs(misses).min(axis=1) > np.maximum(SERIES.wild * scale, SERIES.rough * rough))
        if burst == 1 and not (np.abs(misses) > SERIES.wild / 2 * scale).any():
            break  # longer errors would show here too
        for row in np.flatnonzero(wild):
            for k in range(burst):
                found[int(good[row + SERIES.neighbours + k])] = float(misses[row, k])
    index = np.array(sorted(found), np.intp)
    if not len(index) or len(index) > SERIES.most_wild * len(y) or _rhythmic(t[index]):
        return Outliers(none.index, none.distance, scale)
    return Outliers(present[index], np.array([found[int(i)] for i in index]), scale)


def _judged(t: Floats, y: Floats, burst: int) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """For every run of `burst` samples: what the parabola through its neighbours misses each by [runs, burst], the
    largest miss of a neighbour itself, and whether all lie outside the neighbours' range on the same side."""
    side = SERIES.neighbours
    width = 2 * side + burst
    if len(y) < width:
        return np.zeros((0, burst)), np.zeros(0), np.zeros(0, bool)
    rows = np.lib.stride_tricks.sliding_window_view(y, width)
    # By position rather than by time: jitter is far smaller than what an outlier is off by.
    s = np.linspace(-1.0, 1.0, width)
    inner = np.arange(side, side + burst)
    outer = np.setdiff1d(np.arange(width), inner)
    basis = np.polynomial.legendre.legvander(s, 2)
    fit = basis @ np.linalg.pinv(basis[outer])
    neighbours = rows[:, outer]
    missed = rows - neighbours @ fit.T
    # Neighbours across a gap say little: their distance in time must be the usual one.
    span = t[width - 1 :] - t[: len(t) - width + 1]
    near = span < 3 * np.median(span)
    run = rows[:, inner]
    above = run.min(axis=1) > neighbours.max(axis=1)
    below = run.max(axis=1) < neighbours.min(axis=1)
    return missed[:, inner], np.abs(missed[:, outer]).max(axis=1), (above | below) & near


def _rhythmic(times: Floats) -> bool:
    """Whether the times come in one rhythm."""
    if len(times) < SERIES.fewest_recurring:
        return False
    apart = np.diff(times)
    return bool(np.std(apart) < SERIES.recurring * np.mean(apart))
