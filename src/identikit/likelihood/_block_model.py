"""Segments by short fixed steps: the same evaluation as `SegmentModel`, quicker where samples are dense.

All blocks march together from sample to sample (`ShortSteps`), so one evaluation costs as many compiled steps as the
longest block has samples. The grid of a record is the times of its samples and of where its inputs change pieces.
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
    """Evaluates blocks of a problem by steps of fixed length; `substeps` between neighbouring grid times."""

    def __init__(
        self, problem: Problem, layout: Layout, tolerance: float, scale: np.ndarray, substeps: int = 1
    ) -> None:
        super().__init__(problem, layout, tolerance, scale)
        self.substeps = substeps
        self._steps = ShortSteps(dynamics_of(problem.model, self.sensitive), self.observation.wanted)
        self._grid, self._places, self._row = self._marching()

    def with_layout(self, layout: Layout) -> BlockModel:
        return BlockModel(self.problem, layout, self.tolerance, self.scale, self.substeps)

    def with_substeps(self, substeps: int) -> BlockModel:
        """The same by shorter steps."""
        return BlockModel(self.problem, self.layout, self.tolerance, self.scale, substeps)

    def _marching(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Grid times [grid + 1, blocks], input pieces [grid, blocks], and the grid row [samples] of every sample.

        Blocks that are done wait at their end. Shapes are rounded up, since every shape is compiled once.
        """
        layout = self.layout
        grids: list[np.ndarray] = []
        row = np.empty(len(self.time), np.intp)
        for k, (begin, end) in enumerate(zip(layout.begin, layout.end, strict=True)):
            record = self.problem.records[layout.record[k]]
            own = slice(layout.first_sample[k], layout.first_sample[k + 1])
            breaks = record.pieces.begins[(record.pieces.begins > begin) & (record.pieces.begins < end)]
            times = self.time[own]
            if len(breaks) or not len(times) or times[0] > begin or times[-1] < end:
                times = np.unique(np.concatenate([[begin], times, breaks, [end]]))
            row[own] = np.searchsorted(times, self.time[own])
            grids.append(times)
        steps, lanes = _rounded(max(len(times) for times in grids) - 1), _rounded(len(grids))
        grid = np.empty((steps + 1, lanes))
        piece = np.zeros((steps, lanes), np.int32)
        for lane in range(lanes):
            k = min(lane, len(grids) - 1)
            times = grids[k]
            grid[: len(times), lane] = times
            grid[len(times) :, lane] = times[-1]
            if lane >= len(grids):  # lanes that idle
                grid[:, lane] = times[0]
            pieces = self.problem.records[layout.record[k]].pieces
            offset = self._piece[k] - pieces.index(times[:1])[0]
            piece[:, lane] = offset + pieces.index(grid[:-1, lane])
        return grid, piece, row

    def states(self, free: np.ndarray, nodes: np.ndarray) -> np.ndarray:
        """States [samples, states] at every sample."""
        problem = self.problem
        every = ShortSteps(dynamics_of(problem.model), tuple(range(nodes.shape[1])), sensitivities=False)
        initial = self._padded(nodes)
        values, _ = every.run(self._grid, initial, problem.vector(free), self._pieces, self._places, self.substeps)
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
        blocks = len(nodes)
        p = self.problem.vector(free)
        initial = self._padded(nodes)
        values, final = self._steps.run(self._grid, initial, p, self._pieces, self._places, self.substeps)
        begun = np.zeros((1, *values.shape[1:3], values.shape[3]))
        wanted = list(self.observation.wanted)
        begun[0, :, 0] = initial.T[wanted]
        for i, state in enumerate(wanted):
            begun[0, i, 1 + state] = 1.0
        table = np.concatenate([begun, values])
        X = table[self._row, :, :, self._lane]
        value, slope = self.observation.with_derivatives(self.time, X, self._inputs, p)
        final = np.moveaxis(final[..., :blocks], -1, 0)
        with np.errstate(invalid="ignore"):
            fine = bool((np.abs(final) < LIKELIHOOD.steepest).all() and (np.abs(slope) < LIKELIHOOD.steepest).all())
        residual = self.measured - value
        residual[self._uncounted] = np.nan
        ok = np.bool_(fine and bool(np.isfinite(value).all()))
        return Evaluation(residual, slope, final[:, :, 0], final[:, :, 1:], None, ok)


def _rounded(count: int) -> int:
    """The next number of two binary digits: 1, 2, 3, 4, 6, 8, 12, 16, ..."""
    size = 1
    while size < count:
        size = size * 3 // 2 if size & (size - 1) == 0 and size > 1 else size * 4 // 3 if size > 1 else 2
    return size
