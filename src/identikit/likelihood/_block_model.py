"""Segments by short fixed steps: the same evaluation as `SegmentModel`, quicker where samples are dense.

All blocks march together along their grids (`ShortSteps`), so one evaluation costs as many compiled steps as the
longest grid has. The grid of a record is the times of its samples and of where its inputs change pieces, with as many
steps in between as each interval asks for (`steps_asked_for`).
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from identikit.likelihood._layout import Layout
from identikit.likelihood._segments import Evaluation, SegmentModel
from identikit.likelihood._settings import LIKELIHOOD
from identikit.model import dynamics_of
from identikit.problem import Problem
from identikit.simulation import ShortSteps


class BlockModel(SegmentModel):
    """Evaluates blocks of a problem by given steps.

    `steps` [samples] are taken from each sample to the next grid time. `room` is the least number of rows of the grid
    that a kernel is compiled for: a finer grid then needs no other one, and rows in which nothing moves cost nothing.
    """

    def __init__(
        self,
        problem: Problem,
        layout: Layout,
        tolerance: float,
        scale: np.ndarray,
        steps: np.ndarray,
        room: int = 0,
    ) -> None:
        super().__init__(problem, layout, tolerance, scale)
        self.steps = steps
        self._march = ShortSteps(dynamics_of(problem.model, self.sensitive), tuple(range(len(scale))))
        self._grid, self._places, self._row = self._marching(room)

    def recut(self, layout: Layout, steps: np.ndarray) -> BlockModel:
        """The same in other blocks, by other steps."""
        room = len(self._places) if len(layout.begin) == len(self.layout.begin) else 0
        return BlockModel(self.problem, layout, self.tolerance, self.scale, steps, room)

    def resampled(self, problem: Problem) -> BlockModel:
        """The same blocks and, at most, the same length of steps, where records have other samples."""
        steps, offset = [], 0
        for ours, theirs in zip(self.problem.records, problem.records, strict=True):
            own = slice(offset, offset + len(ours.time))
            length = np.diff(ours.time, append=np.inf) / self.steps[own]
            within = length[np.clip(np.searchsorted(ours.time, theirs.time, "right") - 1, 0, None)]
            apart = np.diff(theirs.time, append=theirs.time[-1])
            steps.append(np.maximum(np.ceil(apart / within - LIKELIHOOD.same_step), 1))
            offset = own.stop
        layout, counts = self.layout.sampled(problem), np.concatenate(steps).astype(int)
        return BlockModel(problem, layout, self.tolerance, self.scale, counts)

    def _marching(self, room: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Grid times [grid + 1, blocks], input pieces [grid, blocks], and the grid row [samples] of every sample.

        Blocks that are done wait at their end. Shapes are rounded up, since every shape is compiled once.
        """
        layout = self.layout
        fine, pieces, offset, sample = [], [], 0, 0
        first, last = np.empty(len(layout.begin), int), np.empty(len(layout.begin), int)
        row = np.empty(len(self.time), np.intp)
        for index, record in enumerate(self.problem.records):
            own = layout.record == index
            begins = record.pieces.begins
            inside = begins[(begins > layout.begin[own][0]) & (begins < layout.end[own][-1])]
            knots = np.unique(np.concatenate([record.time, inside, layout.begin[own], layout.end[own]]))
            before = np.clip(np.searchsorted(record.time, knots[:-1], "right") - 1, 0, None)
            counts = self.steps[sample + before]
            part = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
            times = np.repeat(knots[:-1], counts) + part * np.repeat(np.diff(knots) / counts, counts)
            times = np.append(times, knots[-1])
            fine.append(times)
            pieces.append(self._piece[own][0] - record.pieces.index(times[:1])[0] + record.pieces.index(times))
            first[own] = offset + np.searchsorted(times, layout.begin[own])
            last[own] = offset + np.searchsorted(times, layout.end[own])
            samples = slice(sample, sample + len(record.time))
            row[samples] = offset + np.searchsorted(times, record.time)
            offset, sample = offset + len(times), samples.stop
        row -= np.repeat(first, np.diff(layout.first_sample))
        rows, lanes = _rounded(max(int((last - first).max()), room)), _rounded(len(first))
        idle = np.full(lanes - len(first), first[-1])
        first, last = np.concatenate([first, idle]), np.concatenate([last, idle])
        place = np.minimum(first + np.arange(rows + 1)[:, None], last)
        return np.concatenate(fine)[place], np.concatenate(pieces)[place[:-1]].astype(np.int32), row

    def states(self, free: np.ndarray, nodes: np.ndarray) -> np.ndarray:
        """States [samples, states] at every sample, without derivatives."""
        every = ShortSteps(dynamics_of(self.problem.model), tuple(range(nodes.shape[1])), sensitivities=False)
        initial = self._padded(nodes)
        values, _ = every.run(self._grid, initial, self.problem.vector(free), self._pieces, self._places)
        table = np.concatenate([initial.T[None], values[:, :, 0]])
        return np.asarray(table[self._row, :, self._lane])

    def outputs(self, free: np.ndarray, nodes: np.ndarray) -> np.ndarray:
        """Outputs [samples, outputs] at every sample, without derivatives."""
        x = self.states(free, nodes)[:, list(self.observation.wanted)]
        return self.observation(self.time, x, self._inputs, self.problem.vector(free))

    @cached_property
    def _lane(self) -> np.ndarray:
        """The lane [samples] of every sample."""
        return np.repeat(np.arange(len(self.layout.begin)), np.diff(self.layout.first_sample))

    def _padded(self, nodes: np.ndarray) -> np.ndarray:
        """Nodes for all lanes, those that idle too."""
        return np.concatenate([nodes, np.repeat(nodes[-1:], self._grid.shape[1] - len(nodes), axis=0)])

    def __call__(self, free: np.ndarray, nodes: np.ndarray, step: np.ndarray | None = None) -> Evaluation:
        """As `SegmentModel`; first steps to try mean nothing here. Many sets at once go by adaptive steps."""
        if free.ndim > 1:
            return super().__call__(free, nodes, step)
        blocks, states = nodes.shape
        p = self.problem.vector(free)
        initial = self._padded(nodes)
        values, final = self._march.run(self._grid, initial, p, self._pieces, self._places)
        begun = np.zeros((1, *values.shape[1:]))
        begun[0, :, 0] = initial.T
        begun[0, np.arange(states), 1 + np.arange(states)] = 1.0
        X = np.concatenate([begun, values])[self._row, :, :, self._lane]
        seen = X[:, list(self.observation.wanted)]
        value, slope = self.observation.with_derivatives(self.time, seen, self._inputs, p)
        final = np.moveaxis(final[..., :blocks], -1, 0)
        with np.errstate(invalid="ignore"):
            fine = bool((np.abs(final) < LIKELIHOOD.steepest).all() and (np.abs(slope) < LIKELIHOOD.steepest).all())
        residual = self.measured - value
        residual[self._uncounted] = np.nan
        ok = np.bool_(fine and bool(np.isfinite(value).all()))
        return Evaluation(residual, slope, final[:, :, 0], final[:, :, 1:], None, ok, X[:, :, 0])


def _rounded(count: int) -> int:
    """The next number of two binary digits: 1, 2, 3, 4, 6, 8, 12, 16, ..."""
    size = 1
    while size < count:
        size = size * 3 // 2 if size & (size - 1) == 0 and size > 1 else size * 4 // 3 if size > 1 else 2
    return size
