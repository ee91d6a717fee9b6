"""The usual way to a neural ODE: whole trajectories, and Adam down the mean square of what they leave over.

    L = mean (y - h(x(t)))^2 over the samples,        p <- p - rate m / (sqrt(v) + floor)

from the parameters of the regression, with sign(v) as tanh(v / eps) and initial states trained too, as the pendulum
report has it (its equations 26 and 27). Gradients come from the exact sensitivities of the integrator, which are what
backpropagation through it would give. It is here for comparison: a first-order method creeps where Gauss and Newton
step, and says nothing of its errors.

References: R. T. Q. Chen, Y. Rubanova, J. Bettencourt, D. Duvenaud, Neural ordinary differential equations, NeurIPS
2018 (arXiv 1806.07366); D. P. Kingma, J. Ba, Adam: a method for stochastic optimization, ICLR 2015 (arXiv 1412.6980).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from identikit.likelihood import Preparation, SegmentModel
from identikit.method.network import Entry, Loss
from identikit.method.toolkit import Option, Variant
from identikit.problem import Problem
from identikit.progress import Cancelled, Progress
from identikit.result import Result
from identikit_published.variants._usual_way import UsualTraining, by_the_usual_way


@dataclass(frozen=True)
class DescentSettings:
    """Of the usual way to a neural ODE: whole trajectories and Adam, as the pendulum report has it."""

    steps: int = 300  # of Adam; the report does not tell how many
    rate: float = 2e-4  # of learning; the report does not tell it either
    first_decay: float = 0.9  # of Adam's mean of gradients
    second_decay: float = 0.999  # of Adam's mean of their squares
    floor: float = 1e-8  # of its denominator
    smoothed_sign: float = 0.1  # velocity eps in tanh(v / eps), which stands for sign(v); as printed
    followed: float = 0.5  # of the samples' spread: a trajectory that leaves more does not follow them


DESCENT = DescentSettings()


def descend(
    problem: Problem, preparation: Preparation, p: np.ndarray, count: int, progress: Progress
) -> UsualTraining | None:
    """Train from parameters p for `count` steps; None if their trajectory cannot be integrated. Stopped, the last
    parameters are the best so far."""
    smooth = problem
    if problem.model.symbolic:
        smooth = replace(problem, model=problem.model.with_smooth_friction(DESCENT.smoothed_sign))
    nodes = preparation.nodes(p)
    layout, keep = preparation.layout.grown(len(nodes))
    sizes = preparation.solver(nodes).sizes
    whole = replace(layout, resting=np.zeros(len(layout.begin), dtype=np.bool_))
    segments = SegmentModel(smooth, whole, preparation.tolerance, sizes)
    first, low, high = nodes[keep], *problem.limits
    unknowns = np.concatenate([p, (first / sizes).ravel()])
    mean, square = np.zeros_like(unknowns), np.zeros_like(unknowns)
    history: list[Entry] = []
    stopped = False
    try:
        for step in range(1, count + 1):
            own, begun = unknowns[: len(p)], unknowns[len(p) :].reshape(first.shape) * sizes
            found = _loss(segments, own, begun)
            if found is None:
                break
            loss, gradient = found
            gradient[len(p) :] *= np.tile(sizes, len(first))
            history.append(Entry(0, 1.0, Loss(loss, 0.0, 0.0), own.copy()))
            if progress(step / count, f"step {step} of {count}: loss {loss:.3g}", own) is False:
                stopped = True
                break
            mean += (1 - DESCENT.first_decay) * (gradient - mean)
            square += (1 - DESCENT.second_decay) * (gradient**2 - square)
            rate = DESCENT.rate * np.sqrt(1 - DESCENT.second_decay**step) / (1 - DESCENT.first_decay**step)
            unknowns = unknowns - rate * mean / (np.sqrt(square) + DESCENT.floor)
            unknowns[: len(p)] = np.clip(unknowns[: len(p)], low, high)
    except Cancelled:
        stopped = True
    if not history:
        return None
    spread = np.concatenate([record.values - np.nanmean(record.values, axis=0) for record in problem.records])
    follows = history[-1].loss.data < DESCENT.followed**2 * float(np.nanmean(spread**2))
    return UsualTraining(history[-1].p, tuple(history), stopped, follows)


def _loss(segments: SegmentModel, p: np.ndarray, nodes: np.ndarray) -> tuple[float, np.ndarray] | None:
    """The mean square and its gradient with respect to parameters and then initial states; None without a
    trajectory."""
    found = segments(p, nodes)
    if not found.ok:
        return None
    left = np.nan_to_num(found.residual)
    count = max(int(np.isfinite(found.residual).sum()), 1)
    states = nodes.shape[1]
    pull = -2 / count * np.einsum("so,soc->sc", left, found.slope)
    begun = np.add.reduceat(pull[:, :states], segments.layout.first_sample[:-1], axis=0)
    return float(np.sum(left**2) / count), np.concatenate([pull[:, states:].sum(axis=0), begun.ravel()])


def estimate(problem: Problem, *, options: Mapping[str, Any], seed: int, progress: Progress) -> Result:
    """Whole trajectories and Adam from the regression's values, which are kept beside the result."""

    def train(preparation: Preparation, p: np.ndarray, training: Progress) -> UsualTraining | None:
        return descend(problem, preparation, p, options["steps"], training)

    lost = "the trained trajectory does not follow the samples"
    return by_the_usual_way("neural_ode", problem, train, options, seed, progress, lost, {"physics": None})


REPORT = Variant("whole trajectories and Adam, for comparison", estimate,
                 (Option("steps", DESCENT.steps, "integer", "of Adam", 1, 1_000_000),), (DESCENT,))  # fmt: skip
