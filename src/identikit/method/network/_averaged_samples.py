"""Samples averaged over short stretches of time, so that a window has a few dozen rows however fast it was sampled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from identikit.measurement import SmoothCurve
from identikit.method.network._settings import PINN
from identikit.method.network._windows import Windows
from identikit.problem import NoiseKind, Problem


@dataclass(frozen=True)
class AveragedSamples:
    """Averages of all records, one after the other, in the order of time.

    Arguments:
        time, record: [averages].
        values: [averages, outputs].
        count: [averages, outputs] samples of unit spread that each is worth; 0 = none.
        inputs: [inputs, averages].
    """

    time: np.ndarray
    record: np.ndarray
    values: np.ndarray
    count: np.ndarray
    inputs: np.ndarray

    @classmethod
    def of(cls, problem: Problem, curves: Sequence[Sequence[SmoothCurve]], windows: Windows) -> AveragedSamples:
        """Averages are taken of what the samples differ from their smooth curve by, so that bends do no harm."""
        times, records, values, counts, inputs = [], [], [], [], []
        for index, (record, own) in enumerate(zip(problem.records, curves, strict=True)):
            here = windows.window_record == index
            if not here.any():
                continue
            left = windows.left[here]
            inside = np.searchsorted(record.time, windows.time[left + 1]) - np.searchsorted(
                record.time, windows.time[left]
            )
            group = np.arange(len(record.time)) // max(1, int(np.ceil(inside.max() / PINN.averaged)))
            size = np.bincount(group)
            time = np.bincount(group, record.time) / size
            smooth = np.stack([curve(record.time) for curve in own], axis=1)
            spread = _spread(problem, record.spread, smooth)
            known = np.isfinite(record.values)
            weight = np.where(known, spread**-2.0, 0.0)
            off = np.where(known, record.values - smooth, 0.0) * weight
            count = np.stack([np.bincount(group, column) for column in weight.T], axis=1)
            mean = np.stack([np.bincount(group, column) for column in off.T], axis=1) / np.where(count > 0, count, 1.0)
            times.append(time)
            records.append(np.full(len(time), index))
            values.append(mean + np.stack([curve(time) for curve in own], axis=1))
            counts.append(count)
            inputs.append(record.pieces(time))
        return cls(
            np.concatenate(times),
            np.concatenate(records),
            np.concatenate(values),
            np.concatenate(counts),
            np.concatenate(inputs, axis=1),
        )

    @property
    def least_noise(self) -> np.ndarray:
        """Noise [outputs] below which the networks' own errors would count: levels are taken as no less."""
        return np.asarray(PINN.precision * np.std(self.values, axis=0) + 1e-300)

    def of_windows(self, windows: Windows) -> tuple[np.ndarray, np.ndarray]:
        """First and last average [windows] of each, the last not included, unless no window follows."""
        first, last = np.empty(len(windows.left), int), np.empty(len(windows.left), int)
        follows = np.append(windows.left[1:] == windows.left[:-1] + 1, False)
        for index in np.unique(windows.window_record):
            own = np.nonzero(self.record == index)[0]
            here = windows.window_record == index
            left, right = windows.time[windows.left[here]], windows.time[windows.left[here] + 1]
            first[here] = own[0] + np.searchsorted(self.time[own], left)
            ends = np.where(
                follows[here], np.searchsorted(self.time[own], right), np.searchsorted(self.time[own], right, "right")
            )
            last[here] = own[0] + ends
        return first, last


def _spread(problem: Problem, given: np.ndarray | None, smooth: np.ndarray) -> np.ndarray:
    """Standard deviation [samples, outputs] of every sample, in units of its output's level."""
    spread = np.ones_like(smooth) if given is None else given.copy()
    for j, name in enumerate(problem.outputs):
        if problem.noise[name].kind is NoiseKind.LOGNORMAL:
            size = np.abs(smooth[:, j])
            spread[:, j] = spread[:, j] * np.maximum(size, 1e-3 * np.median(size) + 1e-300)
    return spread
