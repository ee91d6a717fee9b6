"""Evenly spaced stretches of a series, as a spectrum needs them: holes filled, jitter of the clock taken out."""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray

from identikit.measurement._clock import clock_of
from identikit.measurement._outliers import outliers
from identikit.measurement._quantisation import quantisation
from identikit.measurement._settings import SERIES
from identikit.measurement._spline_fit import SplineFit

Floats = NDArray[np.float64]


def even_stretches(time: Floats, values: Floats, pieces: float, sigma: float) -> list[Floats]:
    """Stretches of a series at even times, without outliers.

    Where the clock is regular and no sample is missing they are the samples themselves. Otherwise a spline x goes
    through the stretch: a sample y at t becomes y - x(t) + x(t'), t' the even time next to it, so that the motion is
    moved to the even time and the noise stays what it is; a missing sample becomes x(t') and noise of level sigma,
    since the smooth curve alone would feign colour.

    Arguments:
        time, values: the series, NaN where missing.
        pieces: samples between the knots of the spline; sigma: what it leaves over, as `noise_level` finds them.
    """
    grid = quantisation(values)
    good = np.isfinite(values)
    good[outliers(time, values, 0.0 if grid is None else grid.step).index] = False
    clock = clock_of(time)
    t, y = time[good], values[good]
    edges = [0, *(np.flatnonzero(np.diff(t) > SERIES.pause * clock.spacing) + 1).tolist(), len(t)]
    parts: list[NDArray[np.intp]] = []
    for start, end in itertools.pairwise(edges):
        parts.extend(np.array_split(np.arange(start, end), max(1, (end - start) // SERIES.stretch)))
    parts = [part for part in parts if len(part) >= SERIES.fewest_for_colour]
    complete = clock.regular and clock.lost == 0 and bool(good.all())
    wanted = max(1, (SERIES.most_for_colour if complete else SERIES.most_moved) // SERIES.stretch)
    chosen = np.unique(np.linspace(0, len(parts) - 1, min(wanted, len(parts))).round().astype(int))
    if complete:
        return [y[parts[index]] for index in chosen]
    moved = (_moved(t[parts[index]], y[parts[index]], clock.spacing, pieces, sigma) for index in chosen)
    return [stretch for stretch in moved if stretch is not None]


def _moved(time: Floats, values: Floats, spacing: float, pieces: float, sigma: float) -> Floats | None:
    steps = np.maximum(np.round(np.diff(time) / spacing), 1).astype(int)
    place = np.concatenate([[0], np.cumsum(steps)])
    count = int(place[-1]) + 1
    if len(place) < (1 - SERIES.most_filled) * count:
        return None
    stamps = (time - time[0]) / (time[-1] - time[0]) * count
    try:
        curve = SplineFit(stamps, pieces).spline(values)
    except np.linalg.LinAlgError:
        return None  # times so uneven that some coefficients are not determined
    even = curve(np.linspace(0.0, count, count))
    moved = even + sigma * np.random.default_rng(0).standard_normal(count)
    moved[place] = even[place] + values - curve(stamps)
    return moved
