"""Where a motion with dry friction comes to rest, and which parameters make it rest where it was seen to.

The rest position is a zigzag function of the parameters: each further half swing turns it round. A fit that
is to explain the rest too therefore has many local minima, close together. The motion alone gives the
parameters with some uncertainty; draws from it are continued into the rest, all at once on parallel lanes,
and the ones that end where the record does are the starts worth trying. If draws far apart do so equally
well, the rest cannot decide between them, and the motion alone has to give the answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from identikit.result import finding

if TYPE_CHECKING:
    from identikit.likelihood import LinearProblem
    from identikit.method.multiple_shooting._lifted import Iterate, Lifted

TIGHTEST = 1e-7  # the tether at which a chain is one trajectory, in units of the states' sizes
DRAWS = 512
MOST_STARTS = 2
AS_GOOD = 9.0  # difference in chi-square up to which another explanation counts as equally good
FAR = 100.0  # squared distance in local deviations from which it is another explanation
REST_AMBIGUOUS = finding(
    "rest_ambiguous", "where the motion came to rest fits several sets of parameters: only the motion was used"
)


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
        return bool(np.any((self.cost < self.cost.min() + AS_GOOD) & (distance > FAR)))


def rest_draws(solver: Lifted, point: Iterate, sigma: np.ndarray) -> RestDraws:
    """Continue draws of the motion's fit into every rest; `point` is that fit, with every rest a chain of its
    own."""
    layout = solver.segments.layout
    into_rest = [
        r
        for r in range(1, len(layout.begin))
        if layout.resting[r] and not layout.resting[r - 1] and layout.record[r] == layout.record[r - 1]
    ]
    if solver.frozen or not into_rest:
        return RestDraws(point.p[None], np.zeros(1), [(point.p, point.nodes)])
    linear = solver.linear(point, TIGHTEST, 0.0)
    rows = linear.parameter_rows[:, :-1]
    steps = _steps(rows, solver.low - point.p, solver.high - point.p)
    base, slopes = _node_map(solver, linear)
    cost = np.sum((steps @ rows.T) ** 2, axis=1)
    for r in into_rest:
        starts = point.nodes[r - 1] + base[r - 1] + steps @ slopes[:, r - 1]
        ends = solver.segments.finals(r - 1, float(layout.end[r]), point.p + steps, starts)
        measured = solver.segments.measured[layout.first_sample[r] : layout.first_sample[r + 1]]
        count = np.isfinite(measured).sum(axis=0)
        cost = cost + np.sum(count * ((ends - np.nanmean(measured, axis=0)) / sigma) ** 2, axis=1)
    cost = np.where(np.isfinite(cost), cost, np.inf)
    starts = [
        (point.p + steps[i], point.nodes + base + np.tensordot(steps[i], slopes, axes=1))
        for i in np.argsort(cost)[:MOST_STARTS]
    ]
    return RestDraws(point.p + steps, cost, starts)


def _steps(rows: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Steps [draws, free] from the normal distribution that the information allows, within bounds."""
    scale = np.maximum(np.sqrt(np.einsum("ij,ij->j", rows, rows)), 1e-300)
    _, singular, vt = np.linalg.svd(rows / scale, full_matrices=False)
    inverse = (vt.T / np.maximum(singular, 1e-6 * singular.max())).T / scale
    steps = np.random.default_rng(0).standard_normal((DRAWS, len(singular))) @ inverse
    steps[0] = 0.0
    return np.clip(steps, low, high)


def _node_map(solver: Lifted, linear: LinearProblem) -> tuple[np.ndarray, np.ndarray]:
    """How all nodes move with the parameters: base [segments, states] and slopes [free, segments, states]."""
    layout, states = solver.segments.layout, len(solver.sizes)
    rows = linear.parameter_rows[:, :-1]
    base = linear.nodes(np.zeros(rows.shape[1]), layout, states)
    slopes = []
    for step in np.diag(1.0 / np.maximum(np.linalg.norm(rows, axis=0), 1e-300)):
        slopes.append((linear.nodes(step, layout, states) - base) / step.max())
    return base, np.array(slopes)
