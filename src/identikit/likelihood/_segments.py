"""All segments of a problem integrated at once, with their sensitivities; for one set of parameters or many."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from identikit.likelihood._layout import Layout
from identikit.likelihood._noise_model import NoiseModel
from identikit.likelihood._settings import LIKELIHOOD
from identikit.model import dynamics_of, observe
from identikit.problem import Problem
from identikit.simulation import Integrator, Pieces, Trajectories


@dataclass(frozen=True)
class Evaluation:
    """All segments at one set of parameters and node states; for many sets, every array has one axis more, first.

    `residual` [samples, outputs] = measured - modelled, NaN where nothing was measured; `slope` [samples,
    outputs, states + free] the derivative of what is modelled with respect to the segment's own start and the free
    parameters; `final` [segments, states] and `transition` [segments, states, states + free] the same for
    the segment's end. `step` [segments] is the longest step that was taken: a first step for a point nearby. `states`
    [samples, states] are given where they are known anyway.
    """

    residual: np.ndarray
    slope: np.ndarray
    final: np.ndarray
    transition: np.ndarray
    step: np.ndarray | None
    ok: np.ndarray | np.bool_
    states: np.ndarray | None = None

    def repeated(self, sets: int) -> Evaluation:
        """One set as so many alike."""
        return Evaluation(
            np.broadcast_to(self.residual, (sets, *self.residual.shape)),
            np.broadcast_to(self.slope, (sets, *self.slope.shape)),
            np.broadcast_to(self.final, (sets, *self.final.shape)),
            np.broadcast_to(self.transition, (sets, *self.transition.shape)),
            None if self.step is None else np.broadcast_to(self.step, (sets, *self.step.shape)),
            np.full(sets, bool(self.ok)),
        )

    def of_set(self, which: int | np.ndarray) -> Evaluation:
        """One of many, or some."""
        return Evaluation(
            self.residual[which],
            self.slope[which],
            self.final[which],
            self.transition[which],
            None if self.step is None else self.step[which],
            np.asarray(self.ok)[which],
        )


class SegmentModel:
    """Evaluates the segments of a problem; compiled once, called many times, the same call giving the same bits."""

    def __init__(
        self,
        problem: Problem,
        layout: Layout,
        tolerance: float,
        scale: np.ndarray,
        width: int | None = None,
        sensitive: tuple[str, ...] | None = None,
    ) -> None:
        """`sensitive` are the parameters with respect to which derivatives are wanted; None = all free ones."""
        self.problem = problem
        self.sensitive = problem.free if sensitive is None else sensitive
        # grown segments run on as many lanes as before, most of them idle: a narrower kernel would have to be
        # compiled
        self.width = width or len(layout.begin)
        self.tolerance = tolerance
        self.layout = layout
        self.scale = scale
        self.observation = observe(problem.model, problem.outputs, self.sensitive)
        dynamics = dynamics_of(problem.model, self.sensitive)
        joined = -(-self.width // len(layout.begin))  # a grown segment may take as many steps as those it is made of
        passes = joined * LIKELIHOOD.segment_passes
        self._integrator = Integrator(dynamics, self.observation.wanted, True, tolerance, passes)
        self.noise = NoiseModel.of(problem)
        self.time, self.measured = self.noise.time, self.noise.measured
        self._inputs = np.concatenate([record.pieces(record.time) for record in problem.records], axis=1)
        self._pieces, offsets = _joined([record.pieces for record in problem.records])
        self._piece = np.array(
            [
                problem.records[r].pieces.index(np.array([t]))[0] + offsets[r]
                for r, t in zip(layout.record, layout.begin, strict=True)
            ]
        )
        self._uncounted = np.zeros(len(self.time), bool)

    def with_layout(self, layout: Layout) -> SegmentModel:
        """The same problem cut or tied in another way."""
        return SegmentModel(self.problem, layout, self.tolerance, self.scale, self.width)

    def for_values(self) -> SegmentModel:
        """The same without derivatives with respect to parameters: a leaner kernel, for values alone."""
        return SegmentModel(self.problem, self.layout, self.tolerance, self.scale, self.width, ())

    def without_rest(self) -> SegmentModel:
        """The motion alone: rests are chains of their own and do not count."""
        alone = self.with_layout(self.layout.apart())
        alone._uncounted = np.repeat(self.layout.resting, np.diff(self.layout.first_sample))
        return alone

    def finals(self, segment: int, end: float, p: np.ndarray, nodes: np.ndarray) -> np.ndarray:
        """Outputs [replicates, outputs] at `end` of one segment continued to there, from many parameters and
        starts at once."""
        found = []
        for first in range(0, len(p), self.width):
            part = slice(first, min(first + self.width, len(p)))
            count = part.stop - part.start
            full = self.problem.vector(p[part])
            begin, stop = np.full(count, self.layout.begin[segment]), np.full(count, end)
            piece = np.full(count, self._piece[segment])
            run = self._integrator.run(
                begin, stop, nodes[part], full, self._pieces, piece, self.scale, None, self.width
            )
            states = run.final[:, list(self.observation.wanted), 0]
            inputs = self.problem.records[self.layout.record[segment]].pieces(stop)
            outputs = self.observation(stop, states, inputs, full.T)
            found.append(np.where(run.failed[:, None], np.nan, outputs))
        return np.concatenate(found)

    def __call__(self, free: np.ndarray, nodes: np.ndarray, step: np.ndarray | None = None) -> Evaluation:
        """Integrate every segment from its node; `step` [segments] are first steps to try.

        `free` [sets, free] with `nodes` [sets, segments, states] evaluates many sets in one call.
        """
        if free.ndim > 1:
            return self._many(free, nodes, step)
        p = self.problem.vector(free)
        run = self._run(p, nodes, step, 1)
        if run.failed.any():
            empty = np.full(self.measured.shape, np.nan)
            final, transition = run.final[:, :, 0], run.final[:, :, 1:]
            return Evaluation(empty, empty[..., None], final, transition, None, np.False_)
        X = run.sample(self.time, self.layout.first_sample)
        value, slope = self.observation.with_derivatives(self.time, X, self._inputs, p)
        finite = np.isfinite(run.final).all() and np.isfinite(value).all() and np.isfinite(slope).all()
        residual = self.measured - value
        residual[self._uncounted] = np.nan
        return Evaluation(residual, slope, run.final[:, :, 0], run.final[:, :, 1:], run.longest_step, np.bool_(finite))

    def _many(self, free: np.ndarray, nodes: np.ndarray, step: np.ndarray | None) -> Evaluation:
        """The lanes of all sets side by side; a set that cannot be integrated does not spoil the others."""
        sets, samples = len(free), len(self.time)
        p = self.problem.vector(free)
        segments = len(self.layout.begin)
        run = self._run(np.repeat(p, segments, axis=0), nodes.reshape(sets * segments, -1), step, sets)
        time = np.tile(self.time, sets)
        first = (self.layout.first_sample[:-1] + samples * np.arange(sets)[:, None]).ravel()
        X = run.sample(time, np.append(first, sets * samples))
        # constants stay numbers: as arrays they would cost as much as the states
        used = self.observation.parameters
        spread = [np.repeat(p[:, i], samples) if i in used else p[0, i] for i in range(p.shape[1])]
        value, slope = self.observation.with_derivatives(time, X, np.tile(self._inputs, sets), spread)
        outputs = value.shape[1]
        value, slope = value.reshape(sets, samples, outputs), slope.reshape(sets, samples, outputs, -1)
        final = run.final.reshape(sets, segments, *run.final.shape[1:])
        failed = run.failed.reshape(sets, segments).any(axis=1)
        ok = ~failed
        ok &= np.isfinite(value).all(axis=(1, 2))
        for table in (slope, final):
            with np.errstate(invalid="ignore"):
                ok &= (np.abs(table) < LIKELIHOOD.steepest).all(axis=(1, 2, 3))
        residual = self.measured - value
        residual[:, self._uncounted] = np.nan
        longest = run.longest_step.reshape(sets, segments)
        return Evaluation(residual, slope, final[..., 0], final[..., 1:], longest, ok)

    def _run(self, p: np.ndarray, nodes: np.ndarray, step: np.ndarray | None, sets: int) -> Trajectories:
        layout = self.layout
        first = None if step is None else np.broadcast_to(step, (sets, len(layout.begin))).ravel()
        begin, end, piece = (np.tile(part, sets) for part in (layout.begin, layout.end, self._piece))
        return self._integrator.run(begin, end, nodes, p, self._pieces, piece, self.scale, first, self.width)

    def at_times(self, free: np.ndarray, nodes: np.ndarray, record: int, times: np.ndarray) -> tuple[np.ndarray, ...]:
        """Outputs [times, outputs] of one record at any times within it, their derivatives with respect to the start
        of the segment they lie in and the free parameters, and that segment [times]."""
        layout = self.layout
        own = np.nonzero(layout.record == record)[0]
        p = self.problem.vector(free)
        run = self._integrator.run(
            layout.begin[own], layout.end[own], nodes[own], p, self._pieces, self._piece[own], self.scale, None,
            self.width,
        )  # fmt: skip
        first = np.append(np.searchsorted(times, layout.begin[own][1:], side="left"), len(times))
        X = run.sample(times, np.append(0, first))
        u = self.problem.records[record].pieces(times)
        value, slope = self.observation.with_derivatives(times, X, u, p)
        return value, slope, np.repeat(own, np.diff(np.append(0, first)))


def _joined(pieces: list[Pieces]) -> tuple[Pieces, np.ndarray]:
    """The input tables of all records in one, and where each record's begins."""
    offsets = np.cumsum([0] + [len(part.begins) for part in pieces])
    joined = Pieces(
        np.concatenate([part.begins for part in pieces]),
        np.concatenate([part.ends for part in pieces]),
        np.concatenate([part.coefficients for part in pieces]),
    )
    return joined, offsets
