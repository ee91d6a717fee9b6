"""A start that oscillates faster than the record was sampled leads to an alias of the truth, which fits as well.

A sine of frequency f and one of frequency 1/dt - f take the same values at samples dt apart. From no guess the smoothed
record leads to the slow one; from a start given by hand the fast one may be reached, with perfect residuals. Whether a
start is that fast shows between the samples: there its motion is nowhere near a curve through its own samples.
"""

from __future__ import annotations

import numpy as np

from identikit.likelihood import Preparation
from identikit.method.multiple_shooting._settings import SHOOTING
from identikit.problem import Problem
from identikit.result import Finding, finding


def without_fast_start(preparation: Preparation) -> tuple[Problem, tuple[Finding, ...]]:
    """The problem, without its start if that moves faster than the record can show, and a finding that says so."""
    problem = preparation.problem
    given = np.array([problem.start.get(name, np.nan) for name in problem.free])
    if not np.isfinite(given).all() or not _faster_than_sampled(preparation, given):
        return problem, ()
    values = ", ".join(f"{name} = {value:.4g}" for name, value in zip(problem.free, given, strict=True))
    text = (
        f"with {values} the model oscillates faster than the record was sampled, so that it fits as an alias of slower "
        "motion would: this start was not used"
    )
    return problem.without_start(), (finding("start_too_fast", text, *problem.free),)


def _faster_than_sampled(preparation: Preparation, p: np.ndarray) -> bool:
    from scipy.interpolate import CubicSpline

    nodes, layout = preparation.nodes(p), preparation.layout
    segments = preparation.solver(nodes).segments
    evaluation = segments(p, nodes)
    if not evaluation.ok:
        return False
    values = segments.measured - evaluation.residual
    departed, moved = [], []
    for record in range(len(preparation.problem.records)):
        times, expected = [], []
        for k in np.nonzero(layout.record == record)[0]:
            own = slice(layout.first_sample[k], layout.first_sample[k + 1])
            known = np.isfinite(values[own]).all(axis=1)
            if known.sum() >= SHOOTING.fewest_to_interpolate:
                time = segments.time[own][known]
                times.append((time[1:] + time[:-1]) / 2)
                expected.append(CubicSpline(time, values[own][known])(times[-1]))
        if times:
            shown = segments.at_times(p, nodes, record, np.concatenate(times))[0]
            departed.append(shown - np.concatenate(expected))
            moved.append(shown - shown.mean(axis=0))
    if not departed:
        return False
    departure, motion = (np.sqrt(np.mean(np.concatenate(part) ** 2, axis=0)) for part in (departed, moved))
    return bool(np.any(departure > SHOOTING.too_fast * np.maximum(motion, 1e-300)))
