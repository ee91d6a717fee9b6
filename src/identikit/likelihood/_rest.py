"""Where a motion with dry friction comes to rest, and which parameters make it rest where it was seen to.

The rest position is a zigzag function of the parameters: each further half swing turns it round. A fit that
is to explain the rest too therefore has many local minima, close together. The motion alone gives the
parameters with some uncertainty; draws from it are continued into the rest, all at once on parallel lanes,
and the ones that end where the record does are the starts worth trying. If draws far apart do so equally
well, the rest cannot decide between them, and the motion alone has to give the answer.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from identikit.likelihood._continuation import StageOutcome, join, tighten
from identikit.likelihood._elimination import LinearProblem
from identikit.likelihood._iteration import Iteration
from identikit.likelihood._point import Point, Trace
from identikit.likelihood._settings import LIKELIHOOD
from identikit.numerics import Information, present_mean
from identikit.progress import Progress
from identikit.result import finding

REST_AMBIGUOUS = finding(
    "rest_ambiguous", "where the motion came to rest fits several sets of parameters: only the motion was used"
)


def motion_then_rest(
    iteration: Iteration, point: Point, sigma: np.ndarray, progress: Progress, trace: Trace
) -> StageOutcome | None:
    """The motion first, the rest as something apart; then both as one trajectory, if the rest can decide."""
    apart = iteration.with_segments(iteration.segments.without_rest())
    alone = apart.at(point.p, point.nodes, sigma, trace, point)
    if alone is None:
        return None
    moving = tighten(apart, alone, sigma, progress.part(0.0, 0.5), LIKELIHOOD.loosest_tether, trace)
    progress = progress.part(0.5, 1.0)
    if moving.stopped:
        return moving
    if not moving.converged:
        begun = iteration.at(moving.point.p, moving.point.nodes, moving.sigma, trace, moving.point)
        return (
            None if begun is None else join(iteration, begun, moving.sigma, progress, LIKELIHOOD.loosest_tether, trace)
        )
    draws = rest_draws(apart, moving.point, moving.sigma)
    ends = []
    for (p, nodes), attempt in zip(draws.starts, progress.attempts(), strict=False):
        begun = _start_rest_from_motion(iteration, p, nodes, moving.sigma, trace)
        if begun is not None:
            ends.append(join(iteration, begun, moving.sigma, attempt, LIKELIHOOD.tightest_tether, trace))
    if ends:
        best = min(ends, key=lambda end: (not end.converged, end.iteration.misfit(end.point) + end.point.prior_cost))
        rows = best.iteration.linear(best.point, LIKELIHOOD.tightest_tether, 0.0).information_rows
        if not draws.ambiguous(best.point.p, rows):
            return best
    trace.findings.append(REST_AMBIGUOUS)
    return moving


def _start_rest_from_motion(
    iteration: Iteration, p: np.ndarray, nodes: np.ndarray, sigma: np.ndarray, trace: Trace
) -> Point | None:
    """A point at which every rest begins where the motion before it ends.

    A node that is at rest already would tell nothing of how the rest depends on the motion.
    """
    point = iteration.at(p, nodes, sigma, trace, None)
    if point is None:
        return None
    into = np.array([k for k in iteration.links if iteration.segments.layout.resting[k + 1]], dtype=int)
    led = nodes.copy()
    led[into + 1] = point.evaluation.final[into]
    return iteration.at(p, led, sigma, trace, point)


@dataclass(frozen=True)
class RestDraws:
    """Parameters [draws, free] around the motion's own fit, their cost with the rest counted, and starts,
    best first."""

    p: np.ndarray
    cost: np.ndarray
    starts: list[tuple[np.ndarray, np.ndarray]]

    def ambiguous(self, p: np.ndarray, information_rows: np.ndarray) -> bool:
        """Whether parameters far from p, as the information at p measures it, explain the rest as well."""
        distance = np.sum((information_rows @ (self.p - p).T) ** 2, axis=0)
        return bool(np.any((self.cost < self.cost.min() + LIKELIHOOD.rest_as_good) & (distance > LIKELIHOOD.rest_far)))


def rest_draws(iteration: Iteration, point: Point, sigma: np.ndarray) -> RestDraws:
    """Continue draws of the motion's fit into every rest; `point` is that fit, with every rest a chain of its
    own."""
    layout = iteration.segments.layout
    into_rest = [
        r
        for r in range(1, len(layout.begin))
        if layout.resting[r] and not layout.resting[r - 1] and layout.record[r] == layout.record[r - 1]
    ]
    if iteration.frozen or not into_rest:
        return RestDraws(point.p[None], np.zeros(1), [(point.p, point.nodes)])
    linear = iteration.linear(point, LIKELIHOOD.tightest_tether, 0.0)
    rows = linear.information_rows
    steps = _steps(rows, iteration.low - point.p, iteration.high - point.p)
    base, slopes = _node_map(iteration, linear)
    cost = np.sum((steps @ rows.T) ** 2, axis=1)
    for r in into_rest:
        starts = point.nodes[r - 1] + base[r - 1] + steps @ slopes[:, r - 1]
        ends = iteration.segments.finals(r - 1, float(layout.end[r]), point.p + steps, starts)
        measured = iteration.segments.measured[layout.first_sample[r] : layout.first_sample[r + 1]]
        count = np.isfinite(measured).sum(axis=0)
        cost = cost + np.sum(count * ((ends - present_mean(measured)) / sigma) ** 2, axis=1)
    cost = np.where(np.isfinite(cost), cost, np.inf)
    starts = [
        (point.p + steps[i], point.nodes + base + np.tensordot(steps[i], slopes, axes=1))
        for i in np.argsort(cost)[: LIKELIHOOD.rest_starts]
    ]
    return RestDraws(point.p + steps, cost, starts)


def _steps(rows: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Steps [draws, free] from the normal distribution that the information allows, within bounds."""
    steps = Information.of_rows(rows, LIKELIHOOD.rest_spread_floor).draws(
        LIKELIHOOD.rest_draws, np.random.default_rng(0)
    )
    steps[0] = 0.0
    return np.clip(steps, low, high)


def _node_map(iteration: Iteration, linear: LinearProblem) -> tuple[np.ndarray, np.ndarray]:
    """How all nodes move with the parameters: base [segments, states] and slopes [free, segments, states]."""
    rows = linear.information_rows
    base = iteration.node_step(linear, np.zeros(rows.shape[1]))
    slopes = []
    for step in np.diag(1.0 / np.maximum(np.linalg.norm(rows, axis=0), 1e-300)):
        slopes.append((iteration.node_step(linear, step) - base) / step.max())
    return base, np.array(slopes)
