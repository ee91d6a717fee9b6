"""Levels of process and measurement noise at which the innovations are likeliest.

The linearisation stays as it is while levels are sought: only weights change, so one value of the likelihood costs one
elimination. First one factor for all states whose level is open, over many decades; no process noise is the answer
unless some gains clearly. Then all levels together; what gains nothing by itself is dropped.
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
    """The same linearisation with the likeliest levels."""
    told = smoothed.smoother.intensity.copy()
    told[list(wanted.states)] = 0.0
    sigma = smoothed.smoother.sigma
    without = smoothed.with_levels(told, sigma)
    if not wanted.states:
        return _refined(without, wanted, ()) if told.any() else without
    best, least = without, without.misfit - KALMAN.worth_a_level
    for factor in np.geomspace(KALMAN.largest_level, KALMAN.smallest_level, KALMAN.level_steps):
        poll()
        trial = told.copy()
        trial[list(wanted.states)] = factor * wanted.unit[list(wanted.states)]
        found = smoothed.with_levels(trial, sigma)
        if found.misfit < least:
            best, least = found, found.misfit
    if best is without:
        return _refined(without, wanted, ()) if told.any() else without
    best = _refined(best, wanted, wanted.states)
    kept = [i for i in wanted.states if _matters(best, i)]
    if len(kept) < len(wanted.states):
        intensity = best.smoother.intensity.copy()
        intensity[[i for i in wanted.states if i not in kept]] = 0.0
        best = _refined(best.with_levels(intensity, best.smoother.sigma), wanted, kept)
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
    base = begun.misfit
    found = minimize(
        lambda logs: at(logs).misfit - base,
        np.clip(start, low, high),
        method="L-BFGS-B",
        bounds=list(zip(low, high, strict=True)),
        options={"maxiter": KALMAN.search_rounds, "ftol": 1e-9, "eps": KALMAN.search_step},
    )
    return at(found.x)
