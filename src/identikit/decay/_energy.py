"""Where the energy of a decay went: the work of each mechanism along the record."""

from __future__ import annotations

import numpy as np

from identikit.decay._laws import DecayFits
from identikit.likelihood import reconstruct
from identikit.oscillation import MECHANISMS

POINTS = 64  # per oscillation


def work(fits: DecayFits, p: np.ndarray) -> dict[str, float]:
    """Energy over inertia that each mechanism takes in all records, int a_i(x, v) v dt, at free parameters p.

    Position and velocity are those of the smoothed record, the same for every law, so that the shares differ by the
    law alone.
    """
    problem, damped = fits.problem, fits.damped
    vector = problem.vector(p)
    states = reconstruct(problem.model, problem.outputs)
    total = dict.fromkeys(MECHANISMS, 0.0)
    for record, curves in zip(problem.records, fits.preparation.curves, strict=True):
        span = record.time[-1] - record.time[0]
        count = int(np.clip(POINTS * span / curves[0].time_scale, POINTS, 200_000))
        time = np.linspace(record.time[0], record.time[-1], count)
        found = states.values(curves, record, time, vector)
        x, v = found[:, damped.position], found[:, damped.velocity]
        for mechanism in MECHANISMS:
            taken = damped.deceleration(mechanism, x, v, vector) * v
            total[mechanism] += float(np.trapezoid(taken, time))
    return total


def shares(work_done: dict[str, float]) -> dict[str, float]:
    """Parts of the whole; zero where nothing was lost."""
    whole = sum(work_done.values())
    return {name: value / whole if whole > 0 else 0.0 for name, value in work_done.items()}
