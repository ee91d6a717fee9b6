"""Evenly spaced stretches of a series, as a spectrum needs them: holes filled, jitter of the clock taken out."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from identikit.measurement._clock import clock_of
from identikit.measurement._outliers import outliers
from identikit.measurement._quantisation import quantisation
from identikit.measurement._settings import SERIES

Floats = NDArray[np.float64]
Curve = Callable[[Floats], Floats]

_WIDEST_HOLE = 4  # samples that a cubic may bridge; a wider hole ends the stretch


def even_stretches(time: Floats, values: Floats, curved: Iterable[tuple[Floats, Floats, Curve]]) -> list[Floats]:
    """Stretches of a series at even times, without outliers.

    With a regular clock they are the samples themselves, single holes filled by cubics. With jitter a sample y at t
    becomes y - x(t) + x(t'), where t' is the even time nearest to it and x a smooth curve through the series: so
    the motion is moved to the even time, and the noise stays what it is.

    Arguments:
        time, values: the series, NaN where missing.
        curved: parts of the series as times, values and a curve through them, used if the clock has jitter.
    """
    if clock_of(time).regular:
        return _thinned(list(_regular(time, values)))
    made = (_moved(t, y, curve) for t, y, curve in curved)
    return [stretch for stretch in made if stretch is not None]


def _regular(time: Floats, values: Floats) -> Iterator[Floats]:
    grid = quantisation(values)
    good = np.isfinite(values)
    good[outliers(time, values, 0.0 if grid is None else grid.step).index] = False
    place = np.round((time - time[0]) / np.median(np.diff(time))).astype(int)[good]
    y = values[good]
    edges = [0, *(np.flatnonzero(np.diff(place) > _WIDEST_HOLE) + 1).tolist(), len(place)]
    for start, end in itertools.pairwise(edges):
        if end - start >= SERIES.fewest_for_colour:
            filled = _filled(place[start:end] - place[start], y[start:end])
            if filled is not None:
                yield filled


def _filled(place: NDArray[np.intp], values: Floats) -> Floats | None:
    """The series with a value at every place, holes bridged by the cubic through two values on either side."""
    count = int(place[-1]) + 1
    if len(place) < (1 - SERIES.most_filled) * count:
        return None
    filled = np.full(count, np.nan)
    filled[place] = values
    holes = np.flatnonzero(np.isnan(filled))
    after = np.clip(np.searchsorted(place, holes), 2, len(place) - 2)
    four = np.stack([after - 2, after - 1, after, after + 1], axis=1)
    bridge = np.zeros(len(holes))
    for j in range(4):
        weight = np.ones(len(holes))
        for other in range(4):
            if other != j:
                weight *= (holes - place[four[:, other]]) / (place[four[:, j]] - place[four[:, other]])
        bridge += weight * values[four[:, j]]
    filled[holes] = bridge
    return filled


def _thinned(stretches: list[Floats]) -> list[Floats]:
    """Of a long series, stretches spread over it."""
    if sum(map(len, stretches)) <= SERIES.most_for_colour:
        return stretches
    parts = [part for whole in stretches for part in np.array_split(whole, max(1, len(whole) // SERIES.stretch))]
    wanted = max(1, SERIES.most_for_colour // SERIES.stretch)
    chosen = np.unique(np.linspace(0, len(parts) - 1, wanted).round().astype(int))
    return [parts[index] for index in chosen]


def _moved(time: Floats, values: Floats, curve: Curve) -> Floats | None:
    steps = np.diff(time)
    place = np.concatenate([[0], np.cumsum(np.maximum(np.round(steps / np.median(steps)), 1)).astype(int)])
    count = int(place[-1]) + 1
    if len(place) < max((1 - SERIES.most_filled) * count, SERIES.fewest_for_colour):
        return None
    even = np.linspace(time[0], time[-1], count)
    moved = curve(even)
    moved[place] += values - curve(time)
    return moved
