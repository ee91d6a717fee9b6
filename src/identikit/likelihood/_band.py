"""The model's curve between samples, and how well it is known.

With D = dx_0/dp how the best initial states follow the parameters, and S the covariance of x_0 at fixed parameters,

    var y(t) = (y_p + y_x0 D) C (y_p + y_x0 D)' + y_x0 S y_x0'

Each segment's own sensitivities are carried to the beginning of the record by the transitions between segments.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from identikit.errors import OptionError
from identikit.numerics import Information

if TYPE_CHECKING:
    from identikit.likelihood._profile import Profile, Profiler

POINTS = 2000  # of a curve, if nobody says otherwise
PER_SEGMENT = 24
MOST_POINTS = 20_000


@dataclass(frozen=True)
class Curve:
    """`values` and `std` [times, outputs] of the model at `time`; `std` is of the curve, not of a measurement.

    `std` is NaN where it cannot be had: a direction that the record does not determine, or chaos.
    """

    time: np.ndarray
    outputs: tuple[str, ...]
    values: np.ndarray
    std: np.ndarray
    noise: np.ndarray


def curve_with_band(
    profiler: Profiler, found: Profile, times: Any, record: int, covariance: np.ndarray | None
) -> Curve:
    """The curve of one record; `found` is the profile of one set of parameters."""
    problem = profiler.preparation.problem
    span = problem.records[record].time
    own = np.nonzero(profiler.layout.record == record)[0]
    if times is None:
        count = int(np.clip(PER_SEGMENT * len(own), POINTS, MOST_POINTS))
        times = np.linspace(span[0], span[-1], count)
    times = np.asarray(times, float)
    if times.ndim != 1 or not len(times) or times[0] < span[0] or times[-1] > span[-1] or (np.diff(times) < 0).any():
        raise OptionError(f"times must increase, within the record's {span[0]:g} to {span[-1]:g}")
    blank = np.full((len(times), len(problem.outputs)), np.nan)
    if not found.ok[0]:
        return Curve(times, problem.outputs, blank, blank, np.full(len(problem.outputs), np.nan))
    p, nodes = found.p[0], found.nodes[0]
    values, slope, where = profiler.segments.at_times(p, nodes, record, times)
    states, free = nodes.shape[1], len(p)
    evaluation = profiler.segments(p[None], nodes[None])
    linear, _ = profiler.linear(p[None], nodes[None], evaluation, found.sigma)
    first = linear.first[profiler.layout.chain[own[0]]][0][:states]
    # x_0 = x_0(best) + D dp + e,  e ~ N(0, S): both from the rows left at the record's first node
    with np.errstate(all="ignore"):
        inverse = np.linalg.pinv(first[:, :states])
    follow, spread = -inverse @ first[:, states:-1], inverse @ inverse.T
    if covariance is None:
        covariance = Information.of_rows(found.information_rows[0]).covariance if free else np.zeros((0, 0))
    factor = np.concatenate([_root(covariance, follow, free), _spread(spread, states, free)], axis=1)
    carried = np.concatenate([np.eye(states), np.zeros((states, free))], axis=1)  # d s_k / d(x_0, p)
    std = np.empty_like(values)
    direct = np.concatenate([np.zeros((free, states)), np.eye(free)], axis=1)
    for k in own:
        inside = where == k
        total = slope[inside][..., :states] @ carried + slope[inside][..., states:] @ direct
        with np.errstate(all="ignore"):
            std[inside] = np.sqrt(np.sum((total @ factor) ** 2, axis=-1))
            transition = evaluation.transition[0, k]
            carried = transition[:, :states] @ carried + transition[:, states:] @ direct
    return Curve(times, problem.outputs, values, np.where(np.isfinite(std), std, np.nan), found.sigma[0])


def _root(covariance: np.ndarray, follow: np.ndarray, free: int) -> np.ndarray:
    """A matrix F with F F' the covariance of (x_0, p) that comes from p."""
    if not free:
        return np.zeros((len(follow), 0))
    values, vectors = np.linalg.eigh(covariance)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    return np.concatenate([follow @ root, root])


def _spread(spread: np.ndarray, states: int, free: int) -> np.ndarray:
    """The same for what x_0 has of its own."""
    values, vectors = np.linalg.eigh(spread)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    return np.concatenate([root, np.zeros((free, states))])
