"""What each mechanism of damping takes along a record, and how fast the amplitude falls by it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from identikit.decay._settings import RANKING
from identikit.likelihood import Preparation, reconstruct
from identikit.oscillation import MECHANISMS, AmplitudeCurve, AmplitudeLoss, DampedModel
from identikit.problem import Problem


@dataclass(frozen=True)
class SmoothedMotion:
    """Time, position and velocity [points] of one record, from its smoothed curve: the same for every law, so that
    laws differ by themselves alone."""

    time: np.ndarray
    x: np.ndarray
    v: np.ndarray


def smoothed_motions(
    problem: Problem, damped: DampedModel, preparation: Preparation, vector: np.ndarray
) -> list[SmoothedMotion]:
    """The motion of every record, at parameters `vector` in the model's order."""
    states = reconstruct(problem.model, problem.outputs)
    made = []
    for record, curves in zip(problem.records, preparation.curves, strict=True):
        span = record.time[-1] - record.time[0]
        count = int(np.clip(RANKING.work_points * span / curves[0].time_scale, RANKING.work_points, 200_000))
        time = np.linspace(record.time[0], record.time[-1], count)
        found = states.values(curves, record, time, vector)
        made.append(SmoothedMotion(time, found[:, damped.position], found[:, damped.velocity]))
    return made


def work(problem: Problem, damped: DampedModel, preparation: Preparation, p: np.ndarray) -> dict[str, float]:
    """Energy over inertia that each mechanism takes in all records, int a_i(x, v) v dt, at free parameters p."""
    vector = problem.vector(p)
    total = dict.fromkeys(MECHANISMS, 0.0)
    for motion in smoothed_motions(problem, damped, preparation, vector):
        for mechanism in MECHANISMS:
            taken = damped.deceleration(mechanism, motion.x, motion.v, vector) * motion.v
            total[mechanism] += float(np.trapezoid(taken, motion.time))
    return total


def shares(work_done: Mapping[str, float]) -> dict[str, float]:
    """Parts of the whole; zero where nothing was lost."""
    whole = sum(work_done.values())
    return {name: value / whole if whole > 0 else 0.0 for name, value in work_done.items()}


def amplitude_loss(
    problem: Problem,
    damped: DampedModel,
    preparation: Preparation,
    p: np.ndarray,
    rest: float,
    envelopes: list[AmplitudeCurve],
) -> AmplitudeLoss:
    """How fast the amplitudes of the records fall by each mechanism, over the restoring force at free parameters p.

    The coefficient of a mechanism with several parameters is shared out evenly among them. Besides the mechanisms there
    are the other powers of the speed that a loss may have (`other_powers`).
    """
    vector = problem.vector(p)
    names = problem.model.parameter_names
    unit, asked = vector.copy(), []
    for mechanism, own in damped.parameters.items():
        free = [name for name in own if name in problem.free]
        for name in free:
            unit[names.index(name)] = 1 / len(free)
        asked += [mechanism] if free else []
    amplitude: list[np.ndarray] = []
    others = other_powers()
    rates: dict[str, list[np.ndarray]] = {name: [] for name in (*MECHANISMS, *others)}
    for motion, item in zip(smoothed_motions(problem, damped, preparation, vector), envelopes, strict=True):
        swing = np.gradient(item.time)
        edges = [np.searchsorted(motion.time, item.time + side * swing / 2) for side in (-1, 1)]
        begin, end = np.clip(edges[0], 0, len(motion.time) - 2), np.clip(edges[1], 1, len(motion.time) - 1)
        end = np.maximum(end, begin + 1)
        high = np.array([np.ptp(motion.x[a : b + 1]) / 2 for a, b in zip(begin, end, strict=True)])
        force = sum(np.abs(damped.restoring(rest + side * high, vector)) for side in (-1, 1)) / 2
        taken = {name: damped.deceleration(name, motion.x, motion.v, unit) * motion.v for name in MECHANISMS}
        taken |= {name: np.abs(motion.v) ** (n + 1) for name, n in others.items()}
        for mechanism, power in taken.items():
            total = np.concatenate([[0.0], np.cumsum((power[1:] + power[:-1]) / 2 * np.diff(motion.time))])
            mean = (total[end] - total[begin]) / (motion.time[end] - motion.time[begin])
            rates[mechanism].append(mean / np.maximum(force, 1e-300) * item.amplitude / np.maximum(high, 1e-300))
        amplitude.append(item.amplitude)
    order = np.argsort(np.concatenate(amplitude))
    table = {mechanism: np.concatenate(parts)[order] for mechanism, parts in rates.items()}
    always = sum((table[m] for m in MECHANISMS if m not in asked), np.zeros(len(order)))
    whole = AmplitudeLoss(np.concatenate(amplitude)[order], table, always)
    return replace(whole, powers={**whole.powers, **others})


def other_powers() -> dict[str, float]:
    """Losses that are none of the mechanisms: powers of the speed, by their names."""
    return {f"|v|^{n:g}": n for n in RANKING.other_powers}
