"""Initial states and noise levels at their best for given parameters; many sets of parameters at once.

Gauss-Newton on the node states alone, with the gaps between segments closed to first order in every round. Where that
does not come to an end, the same search as for a fit is made with the parameters frozen: segments apart at first.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from identikit.likelihood._band import FittedMotion
from identikit.likelihood._compression import compress
from identikit.likelihood._elimination import LinearProblem, eliminate
from identikit.likelihood._iteration import Iteration, joined_rows
from identikit.likelihood._layout import Layout
from identikit.likelihood._noise_model import NoiseModel
from identikit.likelihood._parameter_step import coefficients, tangents
from identikit.likelihood._preparation import Preparation
from identikit.likelihood._segments import Evaluation, SegmentModel
from identikit.likelihood._settings import LIKELIHOOD
from identikit.numerics import CORES, middle, side_by_side
from identikit.problem import Problem
from identikit.progress import silent


@dataclass(frozen=True)
class Profile:
    """The best initial states for n sets of parameters; arrays with the set first. `ok` [n] tells which exist."""

    p: np.ndarray
    nodes: np.ndarray
    residual: np.ndarray
    sigma: np.ndarray
    information_rows: np.ndarray
    gradient: np.ndarray
    gain: np.ndarray  # of log L by the last linear step, which is not taken but counted
    ok: np.ndarray


@dataclass(frozen=True)
class Anchor:
    """Nodes at one set of parameters, how they follow it [free, segments, states], and step lengths that fit there."""

    problem: Problem
    p: np.ndarray
    nodes: np.ndarray
    slopes: np.ndarray
    step: np.ndarray | None

    @classmethod
    def at(cls, profiler: Profiler, p: np.ndarray) -> Anchor | None:
        """None where the model cannot be integrated."""
        motion = profiler.motion(p)
        return None if motion is None else cls.of(motion)

    @classmethod
    def of(cls, motion: FittedMotion) -> Anchor:
        """At a motion that is at its best."""
        p, linear, layout, states = motion.p, motion.linear, motion.segments.layout, motion.nodes.shape[1]
        base = linear.nodes(np.zeros(len(p)), layout, states)
        unit = 1.0 / np.maximum(np.linalg.norm(linear.information_rows, axis=0), 1e-300)
        slopes = [
            (linear.nodes(row, layout, states) - base) / size for row, size in zip(np.diag(unit), unit, strict=True)
        ]
        table = np.array(slopes).reshape(len(p), *motion.nodes.shape)
        return cls(motion.segments.problem, p, motion.nodes, table, motion.evaluation.step)

    def nodes_at(self, p: np.ndarray) -> np.ndarray:
        """First guesses [n, segments, states] for parameters nearby."""
        return np.asarray(self.nodes + self.moved(tangents(coefficients(self.problem), self.p, p)))

    def moved(self, dp: np.ndarray) -> np.ndarray:
        """How nodes [n, segments, states] follow changes of the parameters [n, free], to first order."""
        return np.asarray(np.tensordot(dp, self.slopes, axes=1))


class Profiler:
    """Fits the initial states of a problem at fixed parameters."""

    def __init__(self, preparation: Preparation, anchor: Anchor | None = None) -> None:
        # a rest goes with the motion that led into it: a node that is at rest already knows nothing of the motion
        self.preparation = replace(preparation, layout=_without_rests(preparation.layout))
        self._anchor = anchor
        self.most = max(1, int(LIKELIHOOD.block_bytes / self._bytes_per_set()))
        self._compiled: set[tuple[bool, int]] = set()

    def anchored(self, anchor: Anchor | None) -> Profiler:
        return Profiler(self.preparation, anchor)

    @cached_property
    def _iteration(self) -> Iteration:
        """Sizes are those at a point that does not depend on what is asked, so that values vary smoothly."""
        problem = self.preparation.problem
        low, high = problem.limits
        usual = [problem.start.get(name, problem.model.parameter(name).value) for name in problem.free]
        centre = self._anchor.p if self._anchor is not None else _inside(usual, low, high)
        solver = self.preparation.solver(self.preparation.nodes(centre), frozen=True)
        return Iteration(solver.segments, low, high, solver.sizes, centre, frozen=True)

    @property
    def layout(self) -> Layout:
        return self.preparation.layout

    @property
    def segments(self) -> SegmentModel:
        return self._iteration.segments

    @cached_property
    def _lean_segments(self) -> SegmentModel:
        return self.segments.for_values()

    def at(self, p: np.ndarray, values_only: bool = False) -> Profile:
        """Profile many sets [n, free]; with `values_only` there is neither gradient nor information.

        Large numbers of sets are shared out among the processor's cores, the first block alone: it may have to compile.
        """
        segments = self._lean_segments if values_only and len(p) >= LIKELIHOOD.fewest_lean else self.segments
        most = min(self.most, max(-(-len(p) // CORES), LIKELIHOOD.fewest_shared))
        blocks = [p[first : first + most] for first in range(0, len(p), most)]
        if len(blocks) == 1:
            return self._block(blocks[0], segments)
        key = (segments is self.segments, len(blocks[0]))
        parts = []
        if key not in self._compiled:
            parts.append(self._block(blocks.pop(0), segments))
            self._compiled.add(key)
        parts += side_by_side(lambda block: self._block(block, segments), blocks)
        return Profile(*(np.concatenate([getattr(part, name) for part in parts]) for name in Profile.__annotations__))

    def _block(self, p: np.ndarray, segments: SegmentModel) -> Profile:
        n, iteration = len(p), self._iteration
        if self._anchor is not None:
            nodes, step = self.begun(p, self._anchor.nodes_at(p)), self._anchor.step
        else:
            nodes, step = np.stack([self.preparation.nodes(one) for one in p]), None
        found = _Table.empty(self.preparation, n)
        waiting = np.arange(n)
        for _ in range(LIKELIHOOD.profile_rounds):
            evaluation = segments(p[waiting], nodes[waiting], step)
            sigma = segments.noise.levels(evaluation.residual)
            good = np.asarray(evaluation.ok) & np.isfinite(sigma).all(axis=-1)
            lost, waiting = waiting[~good], waiting[good]
            found.lost[lost] = True
            if not len(waiting):
                break
            evaluation, sigma = evaluation.of_set(good), sigma[good]
            linear, gaps, squares = self.linear(p[waiting], nodes[waiting], evaluation, sigma)
            still = np.zeros((len(waiting), len(segments.sensitive)))
            ds = linear.nodes(still, self.layout, nodes.shape[-1])
            done = (gaps < LIKELIHOOD.profile_joined) & (
                np.abs(ds / iteration.sizes).max(axis=(1, 2)) < LIKELIHOOD.profile_near
            )
            found.put(waiting[done], evaluation, sigma, linear, squares, done)
            step = None if evaluation.step is None else evaluation.step[~done]
            waiting, ds = waiting[~done], ds[~done]
            nodes[waiting] += iteration.inside(nodes[waiting], ds)
            if not len(waiting):
                break
        for set_ in sorted({*waiting.tolist(), *np.nonzero(found.lost)[0].tolist()}):
            self._search(p[set_], nodes, found, set_)
        return found.profile(p, nodes)

    def begun(self, p: np.ndarray, nodes: np.ndarray) -> np.ndarray:
        """Guesses [n, segments, states] of nodes put inside the bounds of the states, known first states where they
        are known to be."""
        inside = np.stack([self.preparation.inside(one) for one in nodes])
        return self._iteration.beginnings.put(p, inside)

    def inside(self, nodes: np.ndarray, ds: np.ndarray) -> np.ndarray:
        """A step of nodes that does not leave the bounds of the states."""
        return self._iteration.inside(nodes, ds)

    def motion(self, p: np.ndarray) -> FittedMotion | None:
        """All segments at their best for one set; None where the model cannot be integrated."""
        found = self.at(p[None])
        if not found.ok[0]:
            return None
        evaluation = self.segments(p[None], found.nodes)
        linear, _, _ = self.linear(p[None], found.nodes, evaluation, found.sigma)
        return FittedMotion(self.segments, p, found.nodes[0], evaluation.of_set(0), linear.of_set(0), found.sigma[0])

    def _search(self, p: np.ndarray, nodes: np.ndarray, found: _Table, k: int) -> None:
        """The careful way for one set: segments apart at first, tightened step by step."""
        begun = self.preparation.nodes(p)
        solver = self.preparation.solver(begun, frozen=True)
        outcome = solver.run(p, begun, self.preparation.sigma, silent, grows=False)
        found.lost[k] = outcome is None or not outcome.converged
        if outcome is None or found.lost[k]:
            return
        nodes[k] = outcome.nodes
        one = np.array([k])
        evaluation = self.segments(p[None], outcome.nodes[None])
        if not np.all(evaluation.ok):
            found.lost[k] = True
            return
        linear, _, squares = self.linear(p[None], outcome.nodes[None], evaluation, outcome.sigma[None])
        found.put(one, evaluation, outcome.sigma[None], linear, squares, np.array([True]))

    def linear(
        self,
        p: np.ndarray,
        nodes: np.ndarray,
        evaluation: Evaluation,
        sigma: np.ndarray,
        noise: NoiseModel | None = None,
    ) -> tuple[LinearProblem, np.ndarray, np.ndarray]:
        """The linear problems of n sets with the nodes removed, the widest gap [n] of each, and the sum of squares [n]
        before any step; `noise` is that of other data."""
        iteration = self._iteration
        links = iteration.links
        tau = LIKELIHOOD.profile_tether * iteration.sizes
        compressed = compress(evaluation, self.layout, noise or self.segments.noise, sigma)
        told = iteration.beginnings.rows(p, nodes, tau) if iteration.beginnings else {}
        states, columns = nodes.shape[-1], evaluation.transition.shape[-1]
        if columns == states:  # without derivatives with respect to parameters
            told = {k: np.delete(rows, np.s_[states:-1], axis=-1) for k, rows in told.items()}
        still = np.zeros(states)
        linear = eliminate(compressed, evaluation, nodes, self.layout, tau, still, told)
        ds = linear.nodes(np.zeros((len(p), columns - states)), self.layout, states)
        held = iteration.held_at_bounds(nodes, ds, tau, columns + 1)
        if held:
            linear = eliminate(compressed, evaluation, nodes, self.layout, tau, still, joined_rows(told, held))
        gaps = np.abs(nodes[:, links + 1] - evaluation.final[:, links]) / iteration.sizes
        known = np.abs(iteration.beginnings.gaps(p, nodes, iteration.sizes))
        widest = np.maximum(gaps.max(axis=(1, 2), initial=0.0), known.max(axis=1, initial=0.0))
        return linear, widest, compressed.squares

    def _bytes_per_set(self) -> float:
        problem = self.preparation.problem
        columns = 2 + len(problem.model.states) + len(problem.free)
        return 8.0 * columns * len(problem.outputs) * sum(len(record.time) for record in problem.records)


@dataclass
class _Table:
    """The profiles of one block while they come in."""

    residual: np.ndarray
    sigma: np.ndarray
    rows: np.ndarray
    right: np.ndarray
    gain: np.ndarray  # half of what the last linear step would take from the sum of squares
    lost: np.ndarray

    @classmethod
    def empty(cls, preparation: Preparation, n: int) -> _Table:
        problem = preparation.problem
        samples, outputs, free = sum(len(r.time) for r in problem.records), len(problem.outputs), len(problem.free)
        return cls(
            np.full((n, samples, outputs), np.nan),
            np.full((n, outputs), np.nan),
            np.full((n, free, free), np.nan),
            np.full((n, free), np.nan),
            np.full(n, np.nan),
            np.zeros(n, bool),
        )

    def put(
        self,
        where: np.ndarray,
        evaluation: Evaluation,
        sigma: np.ndarray,
        linear: LinearProblem,
        squares: np.ndarray,
        done: np.ndarray,
    ) -> None:
        if not done.any():
            return
        self.residual[where] = evaluation.residual[done]
        self.sigma[where] = sigma[done]
        # with the nodes moved by the last linear step, what is known beforehand included
        self.gain[where] = 0.5 * (squares[done] - np.sum(linear.right_side[done] ** 2, axis=-1))
        if linear.rows.shape[-1] == 1:
            return
        # the rows of several records reduced to a square: their number would else differ from set to set
        reduced = np.asarray(np.linalg.qr(linear.rows[done], mode="r"))[:, : self.rows.shape[1]]
        self.rows[where, : reduced.shape[1]] = reduced[..., :-1]
        self.rows[where, reduced.shape[1] :] = 0.0
        self.right[where] = np.einsum("nij,ni->nj", linear.information_rows[done], linear.right_side[done])

    def profile(self, p: np.ndarray, nodes: np.ndarray) -> Profile:
        return Profile(p, nodes, self.residual, self.sigma, self.rows, self.right, self.gain, ~self.lost)


def _without_rests(layout: Layout) -> Layout:
    """Every rest joined to the motion before it."""
    joined = layout.joined(~layout.resting)
    return replace(joined, resting=np.zeros(len(joined.begin), dtype=np.bool_))


def _inside(values: list[float | None], low: np.ndarray, high: np.ndarray) -> np.ndarray:
    usual = np.array([np.nan if value is None else value for value in values])
    return np.clip(np.where(np.isfinite(usual), usual, middle(low, high)), low, high)
