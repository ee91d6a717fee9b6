"""Levels of process and measurement noise at which the innovations are likeliest.

The linearisation stays as it is while levels are sought: only weights change, so one value of the likelihood costs one
elimination. First one state after the other, over many decades of its level, the one that gains most first; no process
noise is the answer unless some gains clearly. Then all levels together; what gains nothing by itself is dropped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from identikit.method.filtering._settings import KALMAN
from identikit.method.filtering._smoother import Smoothed
from identikit.progress import poll


@dataclass(frozen=True)
class OpenLevels:
    """Whose level is to be found: states by index, `unit` [states] in the state's unit per square root of time."""

    states: Sequence[int]
    unit: np.ndarray


def with_best_levels(smoothed: Smoothed, wanted: OpenLevels) -> Smoothed:
    """The same linearisation with the likeliest levels, sought from none on."""
    smoothed = smoothed.ready_for_levels()
    told = smoothed.smoother.intensity.copy()
    told[list(wanted.states)] = 0.0
    sigma = smoothed.smoother.sigma
    without = smoothed.with_levels(told, sigma)
    best, left = without, list(wanted.states)
    while left:
        trials = [(state, _scanned(best, state, wanted.unit[state])) for state in left]
        state, found = min(trials, key=lambda trial: trial[1].misfit)
        if found.misfit > best.misfit - KALMAN.worth_a_level:
            break
        best = found
        left.remove(state)
    return with_better_levels(best, wanted) if best.smoother.disturbed else best


def _scanned(begun: Smoothed, state: int, unit: float) -> Smoothed:
    """With the best level for one state, among some over many decades."""
    found = []
    for factor in np.geomspace(KALMAN.largest_level, KALMAN.smallest_level, KALMAN.level_steps):
        poll()
        intensity = begun.smoother.intensity.copy()
        intensity[state] = factor * unit
        found.append(begun.with_levels(intensity, begun.smoother.sigma))
    return min(found, key=lambda trial: trial.misfit)


def with_better_levels(smoothed: Smoothed, wanted: OpenLevels) -> Smoothed:
    """The same linearisation with the likeliest levels, sought from the present ones on."""
    intensity = smoothed.smoother.intensity
    best = _refined(smoothed, wanted, [i for i in wanted.states if intensity[i] > 0])
    dropped = [i for i in wanted.states if best.smoother.intensity[i] > 0 and not _matters(best, i)]
    if dropped:
        intensity = best.smoother.intensity.copy()
        intensity[dropped] = 0.0
        kept = [i for i in wanted.states if intensity[i] > 0]
        best = best.with_levels(intensity, best.smoother.sigma)
        best = _refined(best, wanted, kept) if best.smoother.disturbed else best
    return best


def _matters(best: Smoothed, state: int) -> bool:
    """Whether the noise of one state gains anything by itself."""
    intensity = best.smoother.intensity.copy()
    intensity[state] = 0.0
    return best.with_levels(intensity, best.smoother.sigma).misfit > best.misfit + KALMAN.worth_a_level


def _refined(begun: Smoothed, wanted: OpenLevels, states: Sequence[int]) -> Smoothed:
    """Levels of these states and of all outputs whose noise is not known, by a quasi-Newton search in logarithms."""
    from scipy.optimize import minimize

    outputs = np.nonzero(~np.isfinite(begun.smoother.blocks.noise.known))[0]
    chosen = list(states)
    intensity, sigma = begun.smoother.intensity, begun.smoother.sigma

    def at(logs: np.ndarray) -> Smoothed:
        poll()
        q, s = intensity.copy(), sigma.copy()
        q[chosen] = np.exp(logs[: len(chosen)])
        s[outputs] = np.exp(logs[len(chosen) :])
        return begun.with_levels(q, s)

    start = np.log(np.concatenate([intensity[chosen], sigma[outputs]]))
    if not len(start):
        return begun
    low = np.concatenate([np.log(KALMAN.smallest_level * wanted.unit[chosen]), start[len(chosen) :] - 3])
    high = np.concatenate([np.log(KALMAN.largest_level * wanted.unit[chosen]), start[len(chosen) :] + 3])
    # n draws tell the logarithm of their level to 1/sqrt(2 n): in such units the search sees a round valley
    noise = begun.smoother.blocks.noise
    draws = np.append(
        np.full(len(chosen), len(begun.iteration.links)), np.isfinite(noise.measured).sum(axis=0)[outputs]
    )
    unit, base = 1 / np.sqrt(2 * np.maximum(draws, 1)), begun.misfit
    found = minimize(
        lambda z: at(start + unit * z).misfit - base,
        np.zeros(len(start)),
        method="L-BFGS-B",
        bounds=list(zip((low - start) / unit, (high - start) / unit, strict=True)),
        options={"maxiter": KALMAN.search_rounds, "ftol": KALMAN.search_gain, "eps": KALMAN.search_step},
    )
    return at(start + unit * found.x)
