"""Records sampled far more finely than their motion asks for, thinned without loss.

A smooth curve takes the motion out, and what it leaves over is averaged in blocks:

    y~_b = x(t~_b) + mean over the block of (y_k - x(t_k)),        sigma~ = sigma / sqrt(block)

Averages of the samples themselves would flatten the motion by (pi block / period)^2 / 6; here only the curve's small
errors are flattened. Whatever varies little over a block sees the same noise as before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from identikit.measurement import SmoothCurve
from identikit.method.weak_form._settings import GALERKIN
from identikit.method.weak_form._weak_curves import Curves
from identikit.method.weak_form._weak_form import Setting
from identikit.problem import Observed, Problem


@dataclass(frozen=True)
class Thinned:
    """The same problem with fewer samples, and how to get back to all of them."""

    problem: Problem
    settings: list[Setting]
    curves: Sequence[Sequence[SmoothCurve]]
    left: list[np.ndarray]  # sample minus smooth curve [outputs, samples], where the problem was thinned

    def residual(self, whole: Problem, curves: Sequence[Curves]) -> np.ndarray:
        """Sample minus curve [samples of all records, outputs] for other curves, at all samples there were."""
        if not self.left:
            pairs = zip(whole.records, curves, strict=True)
            return np.concatenate([record.values - curve(record.time).T for record, curve in pairs])
        found = []
        for record, setting, smooth, left, curve in zip(
            whole.records, self.settings, self.curves, self.left, curves, strict=True
        ):
            at = setting.record.time
            moved = curve(at) - np.stack([item(at) for item in smooth])  # small and slow: straight lines join it
            found.append((left - np.stack([np.interp(record.time, at, row) for row in moved])).T)
        return np.concatenate(found)


def thinned(problem: Problem, settings: Sequence[Setting], curves: Sequence[Sequence[SmoothCurve]]) -> Thinned:
    """Thin all records alike; not if they would not become half as long, or have gaps or jumps."""
    block = min(int(setting.resolution / (GALERKIN.kept_samples * setting.spacing)) for setting in settings)
    whole = all(np.isfinite(s.record.values).all() and not len(s.jumps) and _even(s.record.time) for s in settings)
    if block < 2 or not whole:
        return Thinned(problem, list(settings), curves, [])
    thin, lefts = [], []
    for setting, part in zip(settings, curves, strict=True):
        record = setting.record
        count = len(record.time) // block
        time = record.time[: count * block].reshape(count, block).mean(axis=1)
        left = record.values.T - np.stack([curve.at_samples() for curve in part])
        mean = left[:, : count * block].reshape(len(part), count, block).mean(axis=2)
        values = np.stack([curve(time) for curve in part]) + mean
        reduced = Observed(record.name, time, values.T, record.pieces)
        sigma = setting.sigma / np.sqrt(block)
        thin.append(replace(setting, record=reduced, spacing=block * setting.spacing, sigma=sigma))
        lefts.append(left)
    reduced_problem = problem.with_records([setting.record for setting in thin])
    return Thinned(reduced_problem, thin, curves, lefts)


def _even(time: np.ndarray) -> bool:
    steps = np.diff(time)
    return bool(steps.max() < 1.5 * np.median(steps))
