"""Setting up multiple shooting: segment lengths, first node states, sizes. Shared by every method that integrates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from identikit.measurement import SmoothCurve
from identikit.method._lifted import Lifted
from identikit.method._reconstruction import reconstruct, smooth_curves
from identikit.method._segments import Layout, SegmentModel, cut
from identikit.problem import Problem

# Half an oscillation or so: long enough to fix a segment's own start, short enough for a poor start to follow the data.
RELATIVE_LENGTH = 0.4
FIT_TOLERANCE = 1e-8


@dataclass(frozen=True)
class Preparation:
    """Curves, segments, first guesses of the node states and their sizes."""

    problem: Problem
    curves: Sequence[Sequence[SmoothCurve]]
    layout: Layout
    tolerance: float

    @classmethod
    def of(
        cls,
        problem: Problem,
        curves: Sequence[Sequence[SmoothCurve]] | None = None,
        relative_length: float = RELATIVE_LENGTH,
        tolerance: float = FIT_TOLERANCE,
    ) -> Preparation:
        curves = curves if curves is not None else smooth_curves(problem)
        lengths = [
            relative_length * float(np.median([curve.time_scale for curve in part])) for part in curves
        ]
        return cls(problem, curves, cut(problem, lengths), tolerance)

    def nodes(self, free: np.ndarray) -> np.ndarray:
        """State estimates at every segment's beginning; states that cannot be derived start at the ready experiment's."""
        problem = self.problem
        found = reconstruct(problem.model, problem.outputs)
        p = problem.vector(free)
        parts = []
        for index, (record, curves) in enumerate(zip(problem.records, self.curves, strict=True)):
            begin = self.layout.begin[self.layout.record == index]
            parts.append(found.values(curves, record, begin, p))
        nodes = np.concatenate(parts)
        ready = problem.model.ready.initial if problem.model.ready else {}
        usual = np.array([ready.get(name, 0.0) for name in problem.model.state_names])
        return np.where(np.isfinite(nodes), nodes, usual)

    def solver(self, nodes: np.ndarray, frozen: bool = False) -> Lifted:
        """The iteration for this problem, with the states' sizes taken from the nodes."""
        problem = self.problem
        sizes = np.sqrt(np.mean(nodes**2, axis=0))
        sizes = np.where(
            sizes > 1e-9 * sizes.max(initial=0.0), sizes, max(float(sizes.max(initial=0.0)), 1.0)
        )
        segments = SegmentModel(problem, self.layout, self.tolerance, sizes)
        low = np.array([problem.bounds[name][0] for name in problem.free])
        high = np.array([problem.bounds[name][1] for name in problem.free])
        return Lifted(segments, low, high, sizes, frozen)

    @property
    def sigma(self) -> np.ndarray:
        """First guess of the noise of each output."""
        outputs = len(self.problem.outputs)
        guess = [np.mean([part[j].sigma for part in self.curves]) for j in range(outputs)]
        spread = [
            np.nanstd(np.concatenate([r.values[:, j] for r in self.problem.records])) for j in range(outputs)
        ]
        return np.maximum(guess, 1e-9 * np.array(spread))
