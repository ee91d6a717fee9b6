"""Where in the fall of its amplitude a law fails: what it misses at large, middle and small swings."""

from __future__ import annotations

import numpy as np

from identikit.decay._laws import DecayFits, LawFit
from identikit.decay._settings import RANKING
from identikit.oscillation import AmplitudeCurve, turning_points
from identikit.result import AmplitudeRange


def amplitude_ranges(
    fits: DecayFits, fit: LawFit, reference: list[AmplitudeCurve | None], noise: float
) -> tuple[AmplitudeRange, ...]:
    """Ranges of equal ratio between the largest and the smallest swing, of the first output, largest first.

    Arguments:
        reference: amplitudes along every record, which say when a swing was how large.
        noise: standard deviation of the record's noise.
    """
    known = [item for item in reference if item is not None]
    if not known:
        return ()
    largest = max(float(item.amplitude.max()) for item in known)
    smallest = max(min(float(item.amplitude.min()) for item in known), RANKING.smallest_swing * largest)
    edges = np.geomspace(largest, smallest, RANKING.ranges + 1)
    left = np.split(fit.residual[:, 0], np.cumsum([len(record.time) for record in fits.problem.records])[:-1])
    sums, counts = np.zeros(RANKING.ranges), np.zeros(RANKING.ranges)
    logs: list[list[tuple[float, float, float]]] = [[] for _ in range(RANKING.ranges)]
    for record, residual, item, own in zip(fits.problem.records, left, reference, fits.envelopes(fit), strict=True):
        if item is None:
            continue
        place = _place(np.interp(record.time, item.time, item.amplitude), edges)
        seen = np.isfinite(residual)
        sums += np.bincount(place[seen], residual[seen] ** 2, RANKING.ranges)
        counts += np.bincount(place[seen], minlength=RANKING.ranges)
        if own is None:
            continue
        points = turning_points(record.time, record.values[:, 0])
        at = (points.time[1:] + points.time[:-1]) / 2
        measured, law = points.swings / 2, np.interp(at, own.time, own.amplitude)
        for k in range(RANKING.ranges):
            inside = (_place(np.interp(at, item.time, item.amplitude), edges) == k) & (law > 0)
            if inside.sum() >= RANKING.fewest_swings:
                logs[k].append(_falls(at[inside], measured[inside], law[inside], points.value_std))
    made = []
    for k in range(RANKING.ranges):
        if not counts[k]:
            continue
        weight = sum(w for _, _, w in logs[k])
        loss = sum(w * a for a, _, w in logs[k]) / weight if weight > 0 else 0.0
        of_law = sum(w * b for _, b, w in logs[k]) / weight if weight > 0 else 0.0
        # a law that hardly falls there has nothing to be compared with
        ratio = loss / of_law if of_law > RANKING.least_fall * loss > 0 else None
        std = float(1 / np.sqrt(weight) / of_law) if ratio is not None else None
        rms = float(np.sqrt(sums[k] / counts[k])) / noise
        made.append(AmplitudeRange(float(edges[k]), float(edges[k + 1]), rms, ratio, std))
    return tuple(made)


def _place(amplitude: np.ndarray, edges: np.ndarray) -> np.ndarray:
    return np.clip(np.searchsorted(-edges, -amplitude) - 1, 0, RANKING.ranges - 1)


def _falls(at: np.ndarray, measured: np.ndarray, law: np.ndarray, std: float) -> tuple[float, float, float]:
    """How fast the logarithms of measured and modelled swings fall, and the weight of the first."""
    weight = measured / std
    line = np.polyfit(at, np.log(measured), 1, w=weight)[0]
    modelled = np.polyfit(at, np.log(law), 1, w=weight)[0]
    centred = at - np.average(at, weights=weight**2)
    return -float(line), -float(modelled), float(np.sum((weight * centred) ** 2))
