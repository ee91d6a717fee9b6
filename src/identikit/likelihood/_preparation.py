"""Setting up multiple shooting: segment lengths, first node states, sizes. Shared by every method that integrates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from identikit.likelihood._beginning import Beginnings, node_bounds
from identikit.likelihood._layout import Layout, cut
from identikit.likelihood._noise_model import NoiseModel
from identikit.likelihood._reconstruction import reconstruct, smooth_curves
from identikit.likelihood._segments import SegmentModel
from identikit.likelihood._settings import LIKELIHOOD
from identikit.likelihood._solver import MultipleShootingSolver, Outcome
from identikit.measurement import RestingCurve, SmoothCurve
from identikit.model import dynamics_of
from identikit.problem import Problem


@dataclass(frozen=True)
class Preparation:
    """Curves, segments, first guesses of the node states and their sizes."""

    problem: Problem
    curves: Sequence[Sequence[SmoothCurve]]
    layout: Layout
    tolerance: float
    shows_motion: bool

    @classmethod
    def of(
        cls,
        problem: Problem,
        curves: Sequence[Sequence[SmoothCurve]] | None = None,
        relative_length: float = LIKELIHOOD.segment_length,
        tolerance: float = LIKELIHOOD.fit_tolerance,
    ) -> Preparation:
        curves = curves if curves is not None else smooth_curves(problem)
        lengths = [relative_length * float(np.median([curve.time_scale for curve in part])) for part in curves]
        layout = cut(problem, lengths, curves)
        moving = _moving(problem, curves, layout)
        if dynamics_of(problem.model).guards:  # only friction holds a motion: what creeps is not at rest
            # a rest is one segment, with a start of its own
            layout = replace(layout, resting=~moving).joined(moving | np.append(True, moving[:-1]))
        return cls(problem, curves, layout, tolerance, bool(moving.any()))

    def nodes(self, free: np.ndarray) -> np.ndarray:
        """State estimates at every segment's beginning: from the curves, else what is known of the beginning, else the
        example experiment's; inside the bounds of every state."""
        problem = self.problem
        found = reconstruct(problem.model, problem.outputs, through_functions=True)
        p = problem.vector(free)
        nodes = np.empty((len(self.layout.begin), len(problem.model.states)))
        for index, (record, curves) in enumerate(zip(problem.records, self.curves, strict=True)):
            own = np.nonzero(self.layout.record == index)[0]
            nodes[own] = found.values(curves, record, self.layout.begin[own], p)
            for k in own[self.layout.resting[own]]:
                begin, end = self.layout.begin[k], self.layout.end[k]
                still = [RestingCurve(curve, begin, end) for curve in curves]
                nodes[k] = found.values(still, record, self.layout.begin[k : k + 1], p)[0]
        example = problem.model.ready.initial if problem.model.ready else {}
        usual = np.array([example.get(name, 0.0) for name in problem.model.state_names])
        begun = self._begun()  # where the user says that a free state starts
        told = np.isfinite(begun)
        nodes = np.where(np.isfinite(nodes), nodes, np.where(told, begun, usual)[self.layout.record])
        first = self.layout.first_of_record
        nodes[first] = np.where(told, begun, nodes[first])
        return Beginnings(problem, self.layout).put(free, self.inside(nodes))

    def _begun(self) -> np.ndarray:
        """Starting values [records, states] of states that are free at the beginning, NaN where none is given."""
        table = [
            [item.value if item.free and isinstance(item.value, float) else np.nan for item in record.values()]
            for record in self.problem.initial
        ]
        return np.array(table, float)

    def resolved(self, outcome: Outcome) -> bool:
        """Whether the integrator's own errors stay below what counts as a closed gap.

        Where a trajectory jumps (relaxation oscillations), errors before the jump shift it in time, and are magnified.
        """
        own = replace(self, layout=outcome.layout)
        coarse, fine = (part.solver(outcome.nodes).segments(outcome.p, outcome.nodes) for part in (own, own.finer))
        if not (coarse.ok and fine.ok):
            return True
        error = np.abs(coarse.final - fine.final) / outcome.iteration.sizes
        return bool(np.max(error) <= LIKELIHOOD.closed_gap)

    @property
    def finer(self) -> Preparation:
        """The same with a tolerance of the integrator that jumps do not magnify beyond a closed gap."""
        return replace(self, tolerance=LIKELIHOOD.finer_tolerance * self.tolerance)

    def inside(self, nodes: np.ndarray) -> np.ndarray:
        """The nodes a little inside the bounds of the states, so that a search can move either way."""
        bounds = node_bounds(self.problem, self.layout)
        if bounds is None:
            return nodes
        low, high = bounds
        peak = np.abs(nodes).max(axis=0)
        size = np.minimum(np.where(np.isfinite(high - low), high - low, np.inf), np.where(peak > 0, peak, 1.0))
        return np.clip(nodes, low + LIKELIHOOD.inside_bounds * size, high - LIKELIHOOD.inside_bounds * size)

    def solver(
        self, nodes: np.ndarray, frozen: bool = False, pinned: Mapping[int, float] | None = None
    ) -> MultipleShootingSolver:
        """The search for this problem, with the states' sizes taken from the nodes.

        `pinned` keeps single parameters, by their place among the free ones, at a value.
        """
        sizes = np.sqrt(np.mean(nodes**2, axis=0))
        sizes = np.where(sizes > 1e-9 * sizes.max(initial=0.0), sizes, max(float(sizes.max(initial=0.0)), 1.0))
        segments = SegmentModel(self.problem, self.layout, self.tolerance, sizes)
        low, high = self.problem.limits
        for i, value in (pinned or {}).items():
            low[i] = high[i] = value
        return MultipleShootingSolver(segments, low, high, sizes, frozen)

    @property
    def sigma(self) -> np.ndarray:
        """First guess of the noise of each output."""
        outputs = len(self.problem.outputs)
        guess = [np.mean([part[j].sigma for part in self.curves]) for j in range(outputs)]
        spread = [np.nanstd(np.concatenate([r.values[:, j] for r in self.problem.records])) for j in range(outputs)]
        level = np.maximum(guess, 1e-9 * np.array(spread))
        noise = NoiseModel.of(self.problem)
        level = level / noise.typical_scale
        return np.where(np.isfinite(noise.known), noise.known, level)


def _moving(problem: Problem, curves: Sequence[Sequence[SmoothCurve]], layout: Layout) -> np.ndarray:
    """Which segments show motion above the noise.

    At rest with dry friction the smallest error of a node would decide between stick and slip, so such segments
    are joined.
    """
    at = np.linspace(layout.begin, layout.end, 9, axis=1)
    moving = np.zeros(len(layout.begin), bool)
    for index, record_curves in enumerate(curves):
        own = layout.record == index
        for curve in record_curves:
            values = curve(at[own].ravel()).reshape(-1, at.shape[1])
            moving[own] |= values.std(axis=1) > LIKELIHOOD.quiet_spread * curve.sigma
    return moving
