"""Where the reference points lie and how wide their windows are, chosen from the record where not given.

A record is a stretch of samples without long pauses, or several (a record sampled only around its reference points).
Every stretch is cut into 1, 2, 4, ... equal windows. Connected points have no bias from the width, and the widest
windows count whose polynomials leave nothing but noise over. Slopes alone have one; there the cut counts whose
predicted error, noise and bias together, is least.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from identikit.method.reference._linear_matrix import Pattern
from identikit.method.reference._local_fits import LocalFits, clusters, fit_windows
from identikit.method.reference._reference_solve import by_slopes, noise_of
from identikit.method.reference._settings import REFERENCE

Series = tuple[np.ndarray, Sequence[np.ndarray]]
"""Times, and the values of every state."""
Stretches = list[tuple[float, float]]


@dataclass(frozen=True)
class Wanted:
    """The user's choices; 0 = chosen from the record."""

    degree: int
    spacing: float = 0.0
    half: float = 0.0
    points: int = 0
    connect: bool = True


@dataclass(frozen=True)
class _Rung:
    """One cut: `variances` are those of each channel's residuals, `level` the mean of their logarithms, `tolerance` its
    own scatter."""

    fits: list[LocalFits]
    variances: np.ndarray
    tolerance: float

    @property
    def level(self) -> float:
        return float(np.mean(np.log(np.maximum(self.variances, 1e-300))))

    def follows(self, noise: np.ndarray) -> bool:
        """Whether the polynomials follow the motion: their misfit beyond the noise is small against its rise."""
        rise = np.concatenate([fit.slope * fit.half[:, None] for fit in self.fits])
        misfit = np.maximum(self.variances - noise, 0.0)
        return bool(np.median(misfit / np.maximum(np.mean(rise**2, axis=0), 1e-300)) < REFERENCE.gross**2)


def choose(records: Sequence[Series], wanted: Wanted) -> list[LocalFits]:
    """Local fits at the reference points of every record."""
    stretches = [clusters(time) for time, _ in records]
    size = len(records[0][1])
    clustered = [len(parts) >= size for parts in stretches]
    if wanted.points:  # a record sampled around its points has them where the samples are
        stretches = [p[: wanted.points] if many else p for p, many in zip(stretches, clustered, strict=True)]
    if wanted.spacing or wanted.half:
        return _progression(records, stretches, wanted.spacing, wanted.half, wanted)
    if wanted.points and all(clustered):
        return [_tiled(series, parts, 1, wanted) for series, parts in zip(records, stretches, strict=True)]
    rungs = _ladder(records, stretches, wanted, size)
    fits = rungs[-1].fits if len(rungs) == 1 else _best(rungs, wanted)
    if not wanted.points or min(fit.count for fit in fits) < size:
        return fits
    # few points of a long record: a quarter turn of the fastest mode apart, so that the states differ
    A = Pattern.full(size).matrix(by_slopes(fits, Pattern.full(size), noise_of(fits)).q)[0]
    half = float(np.median(np.concatenate([fit.half for fit in fits])))
    quarter = np.pi / 2 / max(float(np.abs(np.linalg.eigvals(A)).max()), 1e-300)
    span = min(parts[-1][1] - parts[0][0] for parts in stretches)
    spacing = float(np.clip(quarter, 2 * half, max((span - 2 * half) / max(wanted.points - 1, 1), 2 * half)))
    return _progression(records, stretches, spacing, half, wanted)


def _ladder(records: Sequence[Series], stretches: Sequence[Stretches], wanted: Wanted, size: int) -> list[_Rung]:
    """Cuts into ever shorter windows, as long as they bring anything and hold samples enough."""
    cut = 1 if sum(map(len, stretches)) >= size else -(-2 * size // sum(map(len, stretches)))
    rungs: list[_Rung] = []
    while True:
        fits = [_tiled(series, parts, cut, wanted) for series, parts in zip(records, stretches, strict=True)]
        squares, spare = sum(fit.squares for fit in fits), sum(fit.spare for fit in fits)
        whole = all(fit.count >= 0.5 * cut * len(parts) for fit, parts in zip(fits, stretches, strict=True))
        if rungs and not (whole and np.all(spare > 0)):
            return rungs
        scatter = REFERENCE.significant * float(np.sqrt(2 / max(np.sum(spare), 1)))
        rungs.append(_Rung(fits, squares / np.maximum(spare, 1), scatter))
        if not whole:
            return rungs
        if len(rungs) > REFERENCE.quiet_rungs:
            before = rungs[-1 - REFERENCE.quiet_rungs]
            if all(before.level - rung.level < before.tolerance for rung in rungs[-REFERENCE.quiet_rungs :]):
                return rungs
        cut *= 2


def _best(rungs: list[_Rung], wanted: Wanted) -> list[LocalFits]:
    lowest = min(rung.level for rung in rungs)
    if wanted.connect:
        return next(rung.fits for rung in rungs if rung.level <= lowest + rung.tolerance)
    finest = min(rungs, key=lambda rung: rung.level)
    usable = [rung for rung in rungs if rung.follows(finest.variances)] or [finest]
    return min(usable, key=lambda rung: _predicted_error(rung.fits)).fits


def _predicted_error(fits: list[LocalFits]) -> float:
    """Mean square error of the entries of A by slopes: what noise gives, and what the windows' width gives."""
    sigma = noise_of(fits)
    pattern = Pattern.full(len(sigma))
    found = by_slopes(fits, pattern, sigma)
    bias = window_bias(fits, pattern, found.q, sigma)
    return float(np.mean(np.diag(found.covariance)) + np.mean(bias**2))


def window_bias(fits: Sequence[LocalFits], pattern: Pattern, q: np.ndarray, sigma: np.ndarray) -> np.ndarray:
    """How far slopes alone are off because the motion bends within the windows, predicted at q."""
    A, _ = pattern.matrix(q)
    return by_slopes([fit.expected(A) for fit in fits], pattern, 1e-6 * sigma).q - q


def _tiled(series: Series, stretches: Stretches, cut: int, wanted: Wanted) -> LocalFits:
    """Every stretch cut into `cut` equal windows."""
    at: list[float] = []
    half: list[float] = []
    for begin, end in stretches:
        width = (end - begin) / (2 * cut)
        at.extend(begin + width * (2 * k + 1) for k in range(cut))
        half.extend([width] * cut)
    return fit_windows(series[0], series[1], np.array(at), np.array(half), wanted.degree, REFERENCE.orders)


def _progression(
    records: Sequence[Series], stretches: Sequence[Stretches], spacing: float, half: float, wanted: Wanted
) -> list[LocalFits]:
    """Points in arithmetic progression, from the first place where a whole window fits to the last."""
    found = []
    for (time, channels), parts in zip(records, stretches, strict=True):
        (begin, end), final = parts[0], parts[-1][1]
        several = len(parts) > 1
        middles = np.array([(a + b) / 2 for a, b in parts])
        own = half or min((end - begin) / 2 if several else np.inf, spacing / 2)
        step = spacing or (float(np.median(np.diff(middles))) if several else 2 * own)
        first = middles[0] if several else begin + own
        count = max(int((final - own - first) / step + 1 + 1e-6), 0)
        at = first + step * np.arange(min(count, wanted.points) if wanted.points else count)
        found.append(fit_windows(time, channels, at, np.full(len(at), own), wanted.degree, REFERENCE.orders))
    return found
