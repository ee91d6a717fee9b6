"""What the observer is told: velocities, inputs and where it begins, on the grid of its Runge-Kutta steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from identikit.likelihood import reconstruct, smooth_curves
from identikit.measurement import SmoothCurve
from identikit.method._settings import OBSERVER
from identikit.model import kinematic_pairs, symbol
from identikit.problem import Observed, Problem


@dataclass(frozen=True)
class Told:
    """One record. `time` [steps + 1] are the ends of the steps; the other arrays hold every quantity at the beginning,
    in the middle and at the end of a step: `velocity` [steps, 3, pairs], `inputs` [steps, 3, inputs]."""

    time: np.ndarray
    velocity: np.ndarray
    inputs: np.ndarray
    beginning: np.ndarray  # [states]


def velocity_sources(problem: Problem) -> list[int | None]:
    """For each pair x' = v the output that is v itself; None: v is the slope of what was measured."""
    model = problem.model
    measured = [model.output(name).expression for name in problem.outputs]
    velocities = [symbol(model.state_names[v]) for _, v in kinematic_pairs(model)]
    return [measured.index(v) if v in measured else None for v in velocities]


def not_told(problem: Problem) -> tuple[str, ...]:
    """Positions and velocities that neither are measured nor follow from what is measured."""
    model = problem.model
    missing = reconstruct(model, problem.outputs).missing
    paired = [model.state_names[index] for pair in kinematic_pairs(model) for index in pair]
    return tuple(name for name in paired if name in missing)


def smoothed(problem: Problem) -> list[list[SmoothCurve]]:
    """Curves of every record and output; of its first samples alone where every velocity is measured and the curves say
    nothing but where the observer begins."""
    if None in velocity_sources(problem):
        return smooth_curves(problem)
    return smooth_curves(problem.with_records([_first_part(record) for record in problem.records]))


def _first_part(record: Observed) -> Observed:
    if len(record.time) <= OBSERVER.beginning:
        return record
    first = record.between(-np.inf, float(record.time[OBSERVER.beginning - 1]))
    enough = np.isfinite(first.values).sum(axis=0).min() >= OBSERVER.beginning // 2
    return first if enough else record


def told(problem: Problem, index: int, curves: Sequence[SmoothCurve], p: np.ndarray, steps: int) -> Told:
    """What record `index` says, with so many steps between samples; `p` are all parameters, for outputs that hold some.

    A measured velocity is taken as it is, noise and all, as the paper does, and straight between samples. One that is
    not measured is the slope of the smoothing spline through the position.
    """
    record = problem.records[index]
    share = np.arange(steps) / steps
    begins = (record.time[:-1, None] + np.diff(record.time)[:, None] * share).ravel()
    time = np.append(begins, record.time[-1])
    three = np.stack([time[:-1], 0.5 * (time[:-1] + time[1:]), time[1:]], axis=1)
    velocity = velocities(problem, index, curves, p, three.ravel()).reshape(*three.shape, -1)
    inputs = record.pieces(three.ravel()).T.reshape(*three.shape, -1)
    return Told(time, velocity, inputs, _beginning(problem, index, curves, p))


def velocities(
    problem: Problem, index: int, curves: Sequence[SmoothCurve], p: np.ndarray, time: np.ndarray
) -> np.ndarray:
    """Of all pairs, [times, pairs]: measured ones joined by straight lines, the others from smooth curves."""
    record, sources = problem.records[index], velocity_sources(problem)
    if None in sources:
        smooth = reconstruct(problem.model, problem.outputs).values(curves, record, time, p)
    columns = []
    for (_, v), source in zip(kinematic_pairs(problem.model), sources, strict=True):
        if source is None:
            columns.append(smooth[:, v])
            continue
        known = np.isfinite(record.values[:, source])
        columns.append(np.interp(time, record.time[known], record.values[known, source]))
    return np.stack(columns, axis=1)


def _beginning(problem: Problem, index: int, curves: Sequence[SmoothCurve], p: np.ndarray) -> np.ndarray:
    """Known initial states, else what the record shows, else zero."""
    record = problem.records[index]
    found = np.nan_to_num(reconstruct(problem.model, problem.outputs).values(curves, record, record.time[:1], p)[0])
    for i, name in enumerate(problem.model.state_names):
        known = problem.initial[index][name]
        if known.known and isinstance(known.value, float):
            found[i] = known.value
    return found
