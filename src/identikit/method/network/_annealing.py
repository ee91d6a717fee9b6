"""From a smoothed record to a trajectory of the model: stages of ever less slack in the physics."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from identikit.likelihood import Layout, Preparation
from identikit.method.network._averaged_samples import AveragedSamples
from identikit.method.network._settings import PINN
from identikit.method.network._training import Entry, Loss, Point, Trained, Trainer
from identikit.method.network._window_kernel import HiddenLayer, WindowShape
from identikit.method.network._windows import Windows
from identikit.numerics import standard_errors
from identikit.problem import Problem
from identikit.progress import Cancelled, Progress


@dataclass(frozen=True)
class Annealed:
    """How an annealing ended.

    Arguments:
        trained: the networks.
        root: [parameters, parameters] R with R'R their information.
        loss, misfit: at the end; misfit is chi squared per average over the noise that the record shows by itself.
        history: of losses and parameters.
        slack: of the last stage that was complete.
        settled: whether the last stage came to its end, and the networks obey the equations there.
        stopped: whether it was asked to stop.
        middles: states [windows, states] in the middle of every window.
    """

    trained: Trained
    root: np.ndarray
    loss: Loss
    misfit: float
    history: tuple[Entry, ...]
    slack: float
    settled: bool
    stopped: bool
    middles: np.ndarray

    def states(self, layout: Layout, otherwise: np.ndarray) -> np.ndarray:
        """States at the beginnings of segments, [segments, states], by a spline through what the networks say at the
        ends and in the middle of windows; outside of windows they are `otherwise`."""
        from scipy.interpolate import CubicSpline

        windows, found = self.trained.windows, otherwise.copy()
        for chain in np.split(np.arange(len(windows.left)), np.nonzero(np.diff(windows.left) != 1)[0] + 1):
            left = windows.left[chain]
            nodes = np.append(left, left[-1] + 1)
            time = np.empty(2 * len(left) + 1)
            states = np.empty((len(time), otherwise.shape[1]))
            time[::2], time[1::2] = windows.time[nodes], windows.time[left] + windows.length[chain] / 2
            states[::2], states[1::2] = self.trained.nodes[nodes], self.middles[chain]
            within = (layout.record == windows.record[left[0]]) & (layout.begin >= time[0]) & (layout.begin <= time[-1])
            found[within] = CubicSpline(time, states)(layout.begin[within])
        return found

    def near(self, other: Annealed) -> bool:
        """Whether another start ended at the same parameters."""
        return self.settled and other.settled and np.allclose(self.trained.p, other.trained.p, PINN.same_end, 0.0)

    @property
    def deviation(self) -> np.ndarray:
        """Standard errors of the parameters."""
        return standard_errors(self.root)

    @property
    def explains(self) -> bool:
        """Whether the networks obey the equations and leave no more than noise."""
        return self.settled and self.misfit < PINN.noise_like

    @property
    def rank(self) -> tuple[bool, float]:
        """By which the best of several is chosen, the least first."""
        return (not self.settled, self.misfit)


def anneal(
    problem: Problem, preparation: Preparation, windows: Windows, p: np.ndarray, seed: int, progress: Progress
) -> Annealed | None:
    """Train networks from the smoothed record and parameters p; None if the model has no values there."""
    hidden = HiddenLayer.drawn(np.random.default_rng(seed))
    shape = WindowShape.of(problem.model, len(problem.free))
    nodes = replace(preparation, layout=windows.layout).nodes(p)
    # at reversals velocities are zero: their size shows in the middle of a window
    middles = replace(preparation, layout=windows.middle_layout).nodes(p)
    sizes = np.sqrt(np.mean(np.concatenate([nodes, middles]) ** 2, axis=0))
    samples = AveragedSamples.of(problem, preparation.curves, windows)
    largest = float(sizes.max()) or float(np.sqrt(np.mean(samples.values**2))) or 1.0  # nothing is known of any state
    sizes = np.where(sizes > PINN.least_size * largest, sizes, largest)
    trainer = Trainer(problem, samples, sizes, hidden)
    own_noise = np.maximum(preparation.sigma, samples.least_noise)
    weights = np.zeros((len(windows.left), shape.weights))
    trained = Trained(windows, weights, nodes, p, own_noise)
    slacks = _slacks(samples, len(windows.left), own_noise)
    history: list[Entry] = []
    best: tuple[Point, float, bool] | None = None
    stopped, stage, divisions = False, 0, 0
    costs: dict[int, float] = {}  # of the physics, by stage, when windows were last divided there
    try:
        while stage < len(slacks) and not stopped:
            last = stage == len(slacks) - 1
            point = trainer.at(trained, slacks[stage])
            if point is None:
                break
            part = progress.part(*_share(stage, divisions, len(slacks)))
            point, settled, stopped = trainer.descend(point, slacks[stage], stage, last, part, history)
            best = (point, slacks[stage], settled)
            helped = point.loss.physics < PINN.helpful * costs.get(stage, np.inf)
            dividing = helped and divisions < PINN.most_divisions
            divided = trainer.divided(point, PINN.last_strained if last else PINN.strained) if dividing else None
            if divided is not None and len(divided.weights) <= PINN.most_growth * len(windows.left):
                costs[stage] = point.loss.physics
                trained, stage, divisions = divided, min(stage, PINN.back), divisions + 1
            else:
                # levels are taken from a trajectory that follows both, samples and physics
                trained = trainer.relevelled(point) if settled else point.trained
                stage += 1
    except Cancelled:
        stopped = True
    if best is None:
        if stopped:
            raise Cancelled
        return None
    point, slack, settled = best
    complete = settled and slack == slacks[-1] and float(point.strain.max()) < PINN.obeyed
    return Annealed(
        point.trained,
        point.equations.information_rows(),
        point.loss,
        _misfit(point, own_noise),
        tuple(history),
        slack,
        complete,
        stopped,
        point.middle,
    )


def _share(stage: int, divisions: int, stages: int) -> tuple[float, float]:
    """Which part of the progress a stage is; every division begins anew within half of what was left."""
    begin, size = 1 - 0.5**divisions, 0.5 ** (divisions + 1)
    return begin + size * stage / stages, begin + size * (stage + 1) / stages


def _slacks(samples: AveragedSamples, windows: int, sigma: np.ndarray) -> list[float]:
    """Slack of every stage; the last is so small that all windows together add little to what the noise leaves."""
    spread = np.nanstd(samples.values, axis=0)
    per_window = np.maximum(samples.count.sum(axis=0) / windows, 1.0)
    wanted = float(np.min((sigma / np.maximum(spread, 1e-300)) ** 2 / per_window)) * PINN.noise_share / windows
    last = float(np.clip(wanted, PINN.least_slack, PINN.last_slack))
    stages = int(np.ceil(np.log(PINN.first_slack / last) / -np.log(PINN.slack_step) - 1e-9))
    return [PINN.first_slack * PINN.slack_step**k for k in range(stages)] + [last]


def _misfit(point: Point, own_noise: np.ndarray) -> float:
    squares = np.sum(point.rows**2, axis=0) / np.maximum(point.values, 1) * (point.trained.sigma / own_noise) ** 2
    return float(np.max(squares))
