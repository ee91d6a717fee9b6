"""Where the reference points lie and how wide their windows are, chosen from the record where not given.

A record is a stretch of samples without long pauses, or several (a record sampled only around its reference points).
Every stretch is cut into equal windows, as wide as a polynomial of the wanted degree can be without showing in what it
leaves over.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from identikit.method._local_fits import LocalFits, clusters, fit_windows

ORDERS = 24  # of the series of exp(A s) within a window
SIGNIFICANT = 3.0  # deviations by which a misfit must exceed the noise to count
QUIET_RUNGS = 2  # finer cuts without a gain after which none is expected


@dataclass(frozen=True)
class Wanted:
    """The user's choices; 0 = chosen from the record."""

    degree: int
    spacing: float = 0.0
    half: float = 0.0
    points: int = 0


Series = tuple[np.ndarray, Sequence[np.ndarray]]
"""Times, and the values of every state."""


def choose(records: Sequence[Series], wanted: Wanted) -> list[LocalFits]:
    """Local fits at the reference points of every record."""
    stretches = [clusters(time) for time, _ in records]
    if wanted.spacing or wanted.half:
        given = [
            _fit(series, *_regular(parts, wanted), wanted.degree)
            for series, parts in zip(records, stretches, strict=True)
        ]
        return [_first(fit, wanted.points) for fit in given]
    size = len(records[0][1])
    fewest = 1 if sum(map(len, stretches)) >= size else -(-2 * size // len(stretches[0]))
    rungs: list[tuple[float, float, list[LocalFits]]] = []
    cut = fewest
    while True:
        fits = [_fit(series, *_tiles(parts, cut), wanted.degree) for series, parts in zip(records, stretches, strict=True)]
        spare = float(sum(fit.spare.sum() for fit in fits))
        complete = all(fit.count >= 0.5 * cut * len(parts) for fit, parts in zip(fits, stretches, strict=True))
        if not complete or spare <= 0:
            break
        # every channel counts by its own noise: compare the mean logarithm of the variances
        squares, freedom = sum(fit.squares for fit in fits), sum(fit.spare for fit in fits)
        level = float(np.mean(np.log(np.maximum(squares / np.maximum(freedom, 1), 1e-300))))
        rungs.append((level, SIGNIFICANT * np.sqrt(2 / spare), fits))
        if len(rungs) > QUIET_RUNGS and all(
            rungs[-1 - QUIET_RUNGS][0] - rung[0] < rungs[-1 - QUIET_RUNGS][1] for rung in rungs[-QUIET_RUNGS:]
        ):
            break
        cut *= 2
    if not rungs:
        return fits
    lowest = min(level for level, _, _ in rungs)
    chosen = next(fits for level, tolerance, fits in rungs if level <= lowest + tolerance)
    return [_first(fit, wanted.points) for fit in chosen]


def _fit(series: Series, at: np.ndarray, half: np.ndarray, degree: int) -> LocalFits:
    return fit_windows(series[0], series[1], at, half, degree, ORDERS)


def _tiles(stretches: list[tuple[float, float]], cut: int) -> tuple[np.ndarray, np.ndarray]:
    """Centres and half-widths of `cut` equal windows in every stretch."""
    at, half = [], []
    for begin, end in stretches:
        width = (end - begin) / (2 * cut)
        at.extend(begin + width * (2 * k + 1) for k in range(cut))
        half.extend([width] * cut)
    return np.array(at), np.array(half)


def _regular(stretches: list[tuple[float, float]], wanted: Wanted) -> tuple[np.ndarray, np.ndarray]:
    """An arithmetic progression from the first place where a whole window fits, to the last."""
    begin, end = stretches[0]
    final = stretches[-1][1]
    half = wanted.half
    if not half:
        half = (end - begin) / 2 if len(stretches) > 1 else wanted.spacing / 2
        half = min(half, wanted.spacing / 2)
    spacing = wanted.spacing
    if not spacing:
        middles = np.array([(a + b) / 2 for a, b in stretches])
        spacing = float(np.median(np.diff(middles))) if len(stretches) > 1 else 2 * half
    first = (begin + end) / 2 if len(stretches) > 1 else begin + half
    count = int((final - half - first) / spacing + 1 + 1e-6)
    at = first + spacing * np.arange(max(count, 0))
    return at, np.full(len(at), half)


def _first(fit: LocalFits, points: int) -> LocalFits:
    """The first so many windows; the noise is known from all of them."""
    if not points or points >= fit.count:
        return fit
    part = slice(0, points)
    return LocalFits(
        fit.at[part],
        fit.half[part],
        fit.features[part],
        fit.moments[part],
        fit.value[part],
        fit.slope[part],
        fit.covariance[part],
        fit.squares,
        fit.spare,
    )

