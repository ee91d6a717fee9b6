"""Samples that lie much closer together than the motion changes, averaged to one: the same information in fewer steps.

An average of m samples over a time w is worth one sample of sigma/sqrt(m) at their mean time, but for the curvature of
the motion over w. That is taken out: averaged is what samples differ from a smooth curve by, and the curve's value is
put back. A record's first and last samples stay as they are, so that it begins and ends where it did.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from identikit.likelihood import NoiseModel, smooth_curves
from identikit.measurement import SmoothCurve
from identikit.method.filtering._settings import KALMAN
from identikit.problem import Observed, Problem

Curves = Sequence[Sequence[SmoothCurve]]


@dataclass(frozen=True)
class Averaged:
    """The problem with averaged records, smooth curves of these, and the noise of single samples [outputs] about
    them."""

    problem: Problem
    curves: Curves
    noise: np.ndarray


def averaged(problem: Problem) -> Averaged:
    """The same problem with records averaged over cells of time; as it is where that would save nothing."""
    coarse = [_cells(record, _usual_step(record)) for record in problem.records]
    rough = _means(problem, coarse, None)
    curves = smooth_curves(rough)
    noise = _noise(rough, curves)
    if rough is problem:
        return Averaged(problem, curves, noise)
    cells = [
        _cells(record, KALMAN.cell * _time_scale(own)) for record, own in zip(problem.records, curves, strict=True)
    ]
    return Averaged(_means(problem, cells, curves), curves, noise)


def _noise(problem: Problem, curves: Curves) -> np.ndarray:
    """What the record itself shows, in the units of the noise model; what is known beforehand stays."""
    model = NoiseModel.of(problem)
    size = np.array([np.nanstd(column) for column in model.measured.T])
    seen = np.array([np.mean([part[j].sigma for part in curves]) for j in range(len(size))])
    level = np.maximum(seen, 1e-9 * size) / model.typical_scale
    return np.where(np.isfinite(model.known), model.known, level)


def _usual_step(record: Observed) -> float:
    """Wide enough for a first curve of a few thousand points."""
    return float(record.time[-1] - record.time[0]) / 4000


def _time_scale(curves: Sequence[SmoothCurve]) -> float:
    return float(min(curve.time_scale for curve in curves))


def _cells(record: Observed, width: float) -> np.ndarray:
    """The cell [samples] of each sample, counted from zero; the first and the last sample are alone."""
    time = record.time
    cell = np.floor((time - time[0]) / width)
    cell[0], cell[-1] = -1, np.inf
    return np.append(0, np.cumsum(np.diff(cell) != 0))


def _means(problem: Problem, cells: Sequence[np.ndarray], curves: Curves | None) -> Problem:
    """Averages where there are at most half as many as samples, and where inputs do not ask for every step anyway."""
    found = []
    for index, (record, cell) in enumerate(zip(problem.records, cells, strict=True)):
        inside = (record.pieces.begins > record.time[0]) & (record.pieces.begins < record.time[-1])
        if 2 * (cell[-1] + 1) > len(cell) or 2 * inside.sum() > cell[-1]:
            found.append(record)
            continue
        own = None if curves is None else curves[index]
        found.append(_mean(record, cell, own))
    unchanged = all(new is old for new, old in zip(found, problem.records, strict=True))
    return problem if unchanged else problem.with_records(found)


def _mean(record: Observed, cell: np.ndarray, curves: Sequence[SmoothCurve] | None) -> Observed:
    time = np.bincount(cell, record.time) / np.bincount(cell)
    values, spread = np.empty((len(time), record.values.shape[1])), np.empty((len(time), record.values.shape[1]))
    for j, column in enumerate(record.values.T):
        known = np.isfinite(column)
        weight = np.where(known, 1.0 if record.spread is None else record.spread[:, j] ** -2.0, 0.0)
        smooth = np.zeros_like(column) if curves is None else curves[j](record.time)
        total = np.bincount(cell, weight)
        off = np.bincount(cell, np.where(known, column - smooth, 0.0) * weight)
        with np.errstate(invalid="ignore", divide="ignore"):
            values[:, j] = off / total + (0.0 if curves is None else curves[j](time))
            spread[:, j] = np.where(total > 0, total, 1.0) ** -0.5
    return replace(record, time=time, values=values, spread=spread)
