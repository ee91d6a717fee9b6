"""Training of windowed networks: Levenberg and Marquardt at a slack of the physics that is annealed.

At first the equations may be off by much, and networks and nodes follow the samples; then less and less, until the
trajectory is one of the model's own. The sum of squares is chi squared of samples and physics together, so that its
curvature is the information of the parameters: at the end it is that of maximum likelihood.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from identikit.likelihood import Beginnings, node_bounds
from identikit.method.network._averaged_samples import AveragedSamples
from identikit.method.network._elimination import NormalEquations, Step
from identikit.method.network._settings import PINN
from identikit.method.network._window_kernel import (
    HiddenLayer,
    WindowEquations,
    WindowShape,
    WindowTask,
    gauss_points,
    window_kernel,
)
from identikit.method.network._windows import Windows
from identikit.model import dynamics_of
from identikit.problem import Problem
from identikit.progress import Progress

SAMPLE_CLASSES = (16, 32, 64)  # averages per window that a kernel is compiled for; beyond, multiples of the last


@dataclass(frozen=True)
class Trained:
    """Networks as they are: weights [windows, weights], node states [nodes, states], parameters, noise levels."""

    windows: Windows
    weights: np.ndarray
    nodes: np.ndarray
    p: np.ndarray
    sigma: np.ndarray


@dataclass(frozen=True)
class Loss:
    """Chi squared of the samples, of the physics (switches that pass zero included), and of what is known besides."""

    data: float
    physics: float
    known: float

    @property
    def total(self) -> float:
        return self.data + self.physics + self.known


@dataclass(frozen=True)
class Entry:
    """One line of the training's history."""

    stage: int
    slack: float
    loss: Loss
    p: np.ndarray


@dataclass(frozen=True)
class Point:
    """Networks with the equations for their next step."""

    trained: Trained
    equations: NormalEquations
    loss: Loss
    strain: np.ndarray  # [windows] chi squared of the physics
    rows: np.ndarray  # data rows of all averages that a window holds [rows, outputs]
    values: np.ndarray  # [outputs] averages that count
    middle: np.ndarray  # [windows, states]


class Trainer:
    """The windows of one problem."""

    def __init__(
        self,
        problem: Problem,
        samples: AveragedSamples,
        sizes: np.ndarray,
        hidden: HiddenLayer,
    ) -> None:
        self.problem, self.samples, self.sizes = problem, samples, sizes
        self.hidden = hidden
        self.shape = WindowShape.of(problem.model, len(problem.free))
        self._kernel = window_kernel(problem.model, problem.outputs, problem.free)
        self._low, self._high = problem.limits
        switch_states = dynamics_of(problem.model).switch_states
        self._guard_sizes = np.array([1.0 if state is None else sizes[state] for state in switch_states])
        self._places = np.concatenate([gauss_points()[0], [0.0, 1.0]])

    def at(self, trained: Trained, slack: float) -> Point | None:
        """The equations at some networks; None where the model has no values."""
        found = self._evaluated(trained, slack)
        data = found.data.reshape(-1, len(self.problem.outputs))
        extra, known = self._beginnings(trained, slack)
        prior, cost = self._prior(trained.p)
        loss = Loss(float(np.sum(data**2)), float(np.sum(found.physics) + np.sum(found.pinned)), known + cost)
        if not (np.isfinite(loss.total) and np.isfinite(found.matrix).all()):
            return None
        held = np.zeros((len(trained.windows.time), self.shape.node), bool)
        held[:, -1] = ~trained.windows.moves
        equations = NormalEquations(self.shape, found.matrix, found.gradient, trained.windows.left, held, extra, prior)
        return Point(trained, equations, loss, found.physics, data, np.count_nonzero(data, axis=0), found.middle)

    def _evaluated(self, trained: Trained, slack: float) -> WindowEquations:
        task = self._task(trained, slack)
        windows, left = trained.windows, trained.windows.left
        nodes = np.column_stack([trained.nodes, windows.time])
        unknowns = np.concatenate([trained.weights, nodes[left], nodes[left + 1]], axis=1)
        every = self.problem.vector(trained.p)
        count = len(left)
        parts = []
        for begin in range(0, count, PINN.chunk):
            own = np.arange(begin, begin + PINN.chunk).clip(max=count - 1)  # the last chunk is filled up with its last
            part = WindowTask(*(np.asarray(item)[own] for item in task))
            parts.append(self._kernel(unknowns[own], trained.p, every, self.sizes, self.hidden, part))
        joined = [
            np.concatenate([np.asarray(getattr(part, name)) for part in parts])[:count]
            for name in WindowEquations._fields
        ]
        return WindowEquations(*joined)

    def _task(self, trained: Trained, slack: float) -> WindowTask:
        windows, samples = trained.windows, self.samples
        count = len(windows.left)
        first, last = samples.of_windows(windows)
        most = int((last - first).max(initial=1))
        width = next((size for size in SAMPLE_CLASSES if most <= size), -(-most // 64) * 64)
        index = first[:, None] + np.arange(width)
        inside = index < last[:, None]
        index = np.where(inside, index, np.minimum(first, len(samples.time) - 1)[:, None])
        weight = np.where(inside[..., None], np.sqrt(samples.count[index]), 0.0) / trained.sigma
        begin, length = windows.time[windows.left], windows.length
        at = begin[:, None] + self._places * length[:, None]
        coefficients = np.empty((count, len(self.problem.model.inputs), 4, len(self._places)))
        origin = np.empty(at.shape)
        # a little inside, so that a window sees the piece that is in force in it
        seen = begin[:, None] + (0.5 + (self._places - 0.5) * (1 - 1e-9)) * length[:, None]
        for k in np.unique(windows.window_record):
            own, pieces = windows.window_record == k, self.problem.records[k].pieces
            where = pieces.index(seen[own])
            coefficients[own] = np.moveaxis(pieces.coefficients[where], 1, -1)
            origin[own] = pieces.begins[where]
        time = np.where(inside, samples.time[index], begin[:, None])
        inputs = np.moveaxis(samples.inputs[:, index], 0, 1)
        pin = windows.pinned / (PINN.pinned * np.sqrt(slack) * self._guard_sizes)
        stiffness = np.full(count, 1 / np.sqrt(slack))
        return WindowTask(
            windows.mode, pin, coefficients, origin, time, inputs, samples.values[index], weight, stiffness
        )

    def _beginnings(
        self, trained: Trained, slack: float
    ) -> tuple[tuple[tuple[int, np.ndarray, np.ndarray], ...], float]:
        """What is known of the first states, as normal equations of their nodes, and what it costs."""
        layout = trained.windows.layout
        beginnings = Beginnings(self.problem, layout)
        found, cost = [], 0.0
        for node, rows in beginnings.rows(trained.p, trained.nodes, PINN.pinned * np.sqrt(slack) * self.sizes).items():
            record = self.problem.records[int(trained.windows.record[node])]
            if trained.windows.time[node] > record.time[0]:
                continue  # the record's beginning is not part of any window
            states = self.shape.states
            slope = np.concatenate([rows[:, :states], np.zeros((len(rows), 1)), rows[:, states:-1]], axis=1)
            residual = -rows[:, -1]
            found.append((node, slope.T @ slope, slope.T @ residual))
            cost += float(residual @ residual)
        return tuple(found), cost

    def _prior(self, p: np.ndarray) -> tuple[tuple[np.ndarray, np.ndarray], float]:
        matrix, gradient, cost = np.zeros((len(p), len(p))), np.zeros(len(p)), 0.0
        for name, (mean, std) in self.problem.priors.items():
            i = self.problem.free.index(name)
            matrix[i, i] += std**-2.0
            gradient[i] += (p[i] - mean) / std**2
            cost += float((p[i] - mean) / std) ** 2
        return (matrix, gradient), cost

    # Steps

    def moved(self, trained: Trained, step: Step) -> Trained:
        """The networks after a step; nodes stay within the bounds of their states, reversals within their windows."""
        windows = trained.windows
        length = np.full(len(windows.time), np.inf)
        np.minimum.at(length, windows.left, windows.length)
        np.minimum.at(length, windows.left + 1, windows.length)
        limit = PINN.node_shift * length
        time = windows.time + np.clip(step.nodes[:, -1], -limit, limit) * windows.moves
        nodes = trained.nodes + step.nodes[:, :-1]
        bounds = node_bounds(self.problem, windows.layout)
        nodes = nodes if bounds is None else np.clip(nodes, *bounds)
        return replace(
            trained,
            windows=replace(windows, time=time),
            weights=trained.weights + step.weights,
            nodes=nodes,
            p=np.clip(trained.p + step.p, self._low, self._high),
        )

    def descend(
        self, point: Point, slack: float, stage: int, last: bool, progress: Progress, history: list[Entry]
    ) -> tuple[Point, bool, bool]:
        """Steps until chi squared settles; the last point, and whether it settled and whether it was stopped."""
        rounds = PINN.last_rounds if last else PINN.rounds
        settled = PINN.last_settled if last else PINN.settled
        bearable = PINN.last_strained if last else PINN.strained
        damping, growth = PINN.first_damping if stage == 0 else PINN.stage_damping, PINN.increase
        for index in range(rounds):
            told = f"training, stage {stage + 1}, slack {slack:.0e}: chi squared {point.loss.total:.6g}"
            if progress(index / rounds, told, point.trained.p) is False:
                return point, False, True
            hoped = 0.0
            while True:
                p = point.trained.p
                step = point.equations.step(damping, self._low - p, self._high - p)
                if step is not None:
                    hoped = max(hoped, step.gain)
                trial = None if step is None or step.gain < 0 else self.at(self.moved(point.trained, step), slack)
                if trial is not None and trial.loss.total <= point.loss.total:
                    break
                damping, growth = damping * growth, PINN.increase * growth
                if damping > PINN.most_damping:
                    return point, hoped < settled, False
            gain = point.loss.total - trial.loss.total
            point = trial
            history.append(Entry(stage, slack, point.loss, point.trained.p))
            damping, growth = max(PINN.relief * damping, PINN.least_damping), PINN.increase
            beyond = float(np.sum(point.strain[point.strain > bearable]))
            if gain < settled or (index >= PINN.patience and gain < PINN.futile * beyond):
                return point, gain < settled, False
        return point, False, False

    def divided(self, point: Point, bearable: float) -> Trained | None:
        """The same trajectory with windows halved where the physics costs more than is bearable; None if nowhere."""
        trained = point.trained
        # where one window cannot follow, its neighbours suffer: only the worst are at fault
        strained = point.strain > max(bearable, PINN.at_fault * float(point.strain.max()))
        if not strained.any() or len(strained) + strained.sum() > PINN.most_windows:
            return None
        windows, origin = trained.windows.divided(strained)
        made = np.repeat(np.arange(len(strained)), 1 + strained)
        fresh = np.repeat(strained, 1 + strained)
        weights = trained.weights[made]
        weights[fresh] = 0.0
        nodes = np.empty((len(windows.time), self.shape.states))
        nodes[origin >= 0] = trained.nodes[origin[origin >= 0]]
        nodes[origin < 0] = point.middle[strained]
        return replace(trained, windows=windows, weights=weights, nodes=nodes)

    def relevelled(self, point: Point) -> Trained:
        """The same networks with the noise levels that their residuals show."""
        trained = point.trained
        known = [self.problem.noise[name].known_level for name in self.problem.outputs]
        squares = np.sum(point.rows**2, axis=0) / np.maximum(point.values, 1)
        found = trained.sigma * np.sqrt(np.maximum(squares, 1e-12))
        levels = np.array([f if k is None else k for f, k in zip(found, known, strict=True)])
        return replace(trained, sigma=np.maximum(levels, self.samples.least_noise))


def training_artifacts(
    problem: Problem,
    history: Sequence[Entry],
    measure: str = "chi squared",
    every: int = 1,
    physics: str | None = "physics",
    known: str | None = None,
) -> dict[str, dict[str, Any]]:
    """A history of losses and parameters; `stage` counts from one, `slack` is the variance of the physics residual.

    `measure` says what losses are; one entry was kept `every` so many steps; `physics` and `known` are what the second
    and the third loss are called, None if there is none.
    """
    losses = {"data": [entry.loss.data for entry in history]}
    if physics is not None:
        losses[physics] = [entry.loss.physics for entry in history]
    if known is not None:
        losses[known] = [entry.loss.known for entry in history]
    return {
        "training": {
            "kind": "history",
            "what": "training",
            "measure": measure,
            "every": every,
            "stage": [entry.stage + 1 for entry in history],
            "slack": [entry.slack for entry in history],
            "losses": losses,
            "parameters": {name: [float(entry.p[i]) for entry in history] for i, name in enumerate(problem.free)},
        }
    }
