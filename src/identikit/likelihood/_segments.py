"""Cutting records into shooting segments, and evaluating all of them at once with their sensitivities."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from identikit.model import dynamics_of, observe
from identikit.problem import Problem
from identikit.simulation import Integrator, Pieces

SEGMENT_PASSES = 2048  # step attempts per segment: a segment is short, so more means absurd parameters
FEWEST_SAMPLES = 6  # per segment and unknown state: fewer would leave a segment's own start undetermined


@dataclass(frozen=True)
class Layout:
    """Segments of all records, one after the other.

    `begin`, `end` [segments] times; `first_sample` [segments + 1] into the joined samples; `record`
    [segments] which record; `chain` [segments] numbers the runs of segments that are one trajectory (at the
    end: one per record); `resting` [segments] marks those that show no motion. A segment's last sample
    belongs to it only if no segment of its record follows.
    """

    begin: np.ndarray
    end: np.ndarray
    first_sample: np.ndarray
    record: np.ndarray
    chain: np.ndarray
    resting: np.ndarray

    def of_chain(self, chain: int) -> np.ndarray:
        """The segments of one chain, in order."""
        return np.nonzero(self.chain == chain)[0]

    def joined(self, keep: np.ndarray) -> Layout:
        """Segments with `keep` [segments] false become part of the one before; a chain's first always stays."""
        first = np.append(True, np.diff(self.chain) != 0)
        kept = np.nonzero(keep | first)[0]
        last = np.append(kept[1:], len(self.begin)) - 1
        samples = np.append(self.first_sample[kept], self.first_sample[-1])
        resting = np.minimum.reduceat(self.resting, kept)
        return Layout(self.begin[kept], self.end[last], samples, self.record[kept], self.chain[kept], resting)

    def grown(self, factor: int) -> tuple[Layout, np.ndarray]:
        """Segments `factor` times as long, and which of the present ones begin them."""
        place = np.concatenate([np.arange(np.sum(self.chain == c)) for c in np.unique(self.chain)])
        keep = place % factor == 0
        return self.joined(keep), keep

    def apart(self) -> Layout:
        """The same segments with every rest a chain of its own, not tied to the motion before and after it."""
        breaks = (np.diff(self.record) != 0) | (self.resting[1:] != self.resting[:-1])
        return replace(self, chain=np.append(0, np.cumsum(breaks)))


def cut(problem: Problem, lengths: list[float]) -> Layout:
    """Cut each record into segments of about the given length (one per record), never too short for their
    data."""
    begin, end, first, which = [], [], [0], []
    offset = 0
    for index, (record, length) in enumerate(zip(problem.records, lengths, strict=True)):
        count = len(record.time)
        span = record.time[-1] - record.time[0]
        fewest = FEWEST_SAMPLES * len(problem.model.states)
        measured = np.isfinite(record.values).any(axis=1).sum()
        segments = int(np.clip(np.ceil(span / length), 1, max(1, measured // fewest)))
        # edges at sample times, equal in time; a segment that would be empty is merged into the one before
        edges = np.searchsorted(record.time, record.time[0] + span * np.arange(segments + 1) / segments - 1e-12 * span)
        edges[-1] = count - 1
        edges = np.unique(np.clip(edges, 0, count - 1))
        begin.append(record.time[edges[:-1]])
        end.append(record.time[edges[1:]])
        first.extend(offset + edge for edge in [*edges[1:-1], count])
        which.append(np.full(len(edges) - 1, index))
        offset += count
    owner = np.concatenate(which)
    still = np.zeros(len(owner), dtype=np.bool_)
    return Layout(np.concatenate(begin), np.concatenate(end), np.array(first), owner, owner, still)


@dataclass(frozen=True)
class Evaluation:
    """All segments at one set of parameters and node states.

    `residual` [samples, outputs] = measured - modelled, NaN where nothing was measured; `slope` [samples,
    outputs, states + free] its modelled part's derivative towards the segment's own start and the free
    parameters; `final` [segments, states] and `transition` [segments, states, states + free] the same for
    the segment's end.
    """

    residual: np.ndarray
    slope: np.ndarray
    final: np.ndarray
    transition: np.ndarray
    ok: bool


class SegmentModel:
    """Evaluates the segments of a problem; compiled once, called many times."""

    def __init__(
        self, problem: Problem, layout: Layout, tolerance: float, scale: np.ndarray, width: int | None = None
    ) -> None:
        self.problem = problem
        # grown segments run on as many lanes as before, most of them idle: a narrower kernel would have to be
        # compiled
        self.width = width or len(layout.begin)
        self.tolerance = tolerance
        self.layout = layout
        self.scale = scale
        self.observation = observe(problem.model, problem.outputs, problem.free)
        dynamics = dynamics_of(problem.model, problem.free)
        self._integrator = Integrator(dynamics, self.observation.wanted, True, tolerance, SEGMENT_PASSES)
        self.time = np.concatenate([record.time for record in problem.records])
        self.measured = np.concatenate([record.values for record in problem.records])
        self._inputs = np.concatenate([record.pieces(record.time) for record in problem.records], axis=1)
        self._pieces, offsets = _joined([record.pieces for record in problem.records])
        self._piece = np.array(
            [
                problem.records[r].pieces.index(np.array([t]))[0] + offsets[r]
                for r, t in zip(layout.record, layout.begin, strict=True)
            ]
        )
        self._uncounted = np.zeros(len(self.time), bool)
        self._step: np.ndarray | None = None

    def with_layout(self, layout: Layout) -> SegmentModel:
        """The same problem cut or tied in another way."""
        return SegmentModel(self.problem, layout, self.tolerance, self.scale, self.width)

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
            full = np.stack([self.problem.vector(free) for free in p[part]])
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

    def __call__(self, free: np.ndarray, nodes: np.ndarray) -> Evaluation:
        """Integrate every segment from its node."""
        p = self.problem.vector(free)
        run = self._integrator.run(
            self.layout.begin,
            self.layout.end,
            nodes,
            p,
            self._pieces,
            self._piece,
            self.scale,
            self._step,
            self.width,
        )
        if run.failed.any():
            empty = np.full((len(self.time), len(self.problem.outputs)), np.nan)
            return Evaluation(empty, empty[..., None], run.final[:, :, 0], run.final[:, :, 1:], ok=False)
        self._step = run.longest_step
        X = run.sample(self.time, self.layout.first_sample)
        value, slope = self.observation.with_derivatives(self.time, X, self._inputs, p)
        finite = bool(np.isfinite(run.final).all() and np.isfinite(value).all() and np.isfinite(slope).all())
        residual = self.measured - value
        residual[self._uncounted] = np.nan
        return Evaluation(residual, slope, run.final[:, :, 0], run.final[:, :, 1:], ok=finite)


def _joined(pieces: list[Pieces]) -> tuple[Pieces, np.ndarray]:
    """The input tables of all records in one, and where each record's begins."""
    offsets = np.cumsum([0] + [len(part.begins) for part in pieces])
    joined = Pieces(
        np.concatenate([part.begins for part in pieces]),
        np.concatenate([part.ends for part in pieces]),
        np.concatenate([part.coefficients for part in pieces]),
    )
    return joined, offsets
