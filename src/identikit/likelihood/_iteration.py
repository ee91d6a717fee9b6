"""Multiple shooting as a nonlinear least-squares problem in parameters and node states: one damped step.

    minimise  sum |residual / sigma|^2 + sum |gap / tau|^2      over p and all nodes, p within bounds

with the tether tau allowed between segments. Each step is a damped Gauss-Newton step with exact sensitivities (Bock's
lifted Newton method; Marquardt's damping).

References: H. G. Bock, in: Progress in Scientific Computing 2, Birkhauser 1983, 95-121; D. W. Marquardt, J.
SIAM 11 (1963) 431.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from identikit.likelihood._beginning import Beginnings, node_bounds
from identikit.likelihood._compression import compress
from identikit.likelihood._elimination import LinearProblem, eliminate
from identikit.likelihood._parameter_step import Coordinates, Hold, StepProblem, coefficients
from identikit.likelihood._point import Point, Trace
from identikit.likelihood._segments import SegmentModel
from identikit.likelihood._settings import LIKELIHOOD
from identikit.numerics import standard_errors


def scale_like(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Which parameters are positive by their bounds and may be of any size: they are compared by ratios."""
    return np.asarray((low > 0) & (high > LIKELIHOOD.decades * low))


@dataclass(frozen=True)
class Iteration:
    """Steps of one layout of segments.

    Arguments:
        low, high: bounds of the free parameters; equal ones pin a parameter, as if it were not free, without a kernel
            of its own.
        sizes: typical sizes of the states, the unit of gaps.
        begun: where the search started; parameters that may be of any size are held near it while segments are apart.
        frozen: the parameters stay, the node states alone are fitted.
        process: [segments, states, states] W with W w white, w what process noise does to the end of each segment;
            gaps then count as such draws instead of being closed. None = there is no process noise.
        spread: standard deviation of the logarithm of parameters that may be of any size, about where they began.
    """

    segments: SegmentModel
    low: np.ndarray
    high: np.ndarray
    sizes: np.ndarray
    begun: np.ndarray
    frozen: bool = False
    process: np.ndarray | None = None
    spread: float = LIKELIHOOD.held_spread

    @cached_property
    def links(self) -> np.ndarray:
        return self.segments.layout.links

    @cached_property
    def beginnings(self) -> Beginnings:
        return Beginnings(self.segments.problem, self.segments.layout)

    @cached_property
    def moves(self) -> np.ndarray:
        return self.high > self.low

    @cached_property
    def _scales(self) -> np.ndarray:
        return scale_like(self.low, self.high)

    @cached_property
    def state_bounds(self) -> tuple[np.ndarray, np.ndarray] | None:
        return node_bounds(self.segments.problem, self.segments.layout)

    def with_segments(self, segments: SegmentModel) -> Iteration:
        return replace(self, segments=segments)

    def at(self, p: np.ndarray, nodes: np.ndarray, sigma: np.ndarray, trace: Trace, near: Point | None) -> Point | None:
        """Evaluate a point; None if the model cannot be integrated there. `near` lends its step lengths."""
        known_steps = near is not None and near.nodes.shape == nodes.shape
        evaluation = self.segments(p, nodes, near.evaluation.step if near is not None and known_steps else None)
        trace.rounds += 1
        if not evaluation.ok:
            return None
        gaps = (nodes[self.links + 1] - evaluation.final[self.links]) / self.sizes
        told = self.beginnings.gaps(p, nodes, self.sizes)
        if len(told):
            table = np.zeros((-(-len(told) // len(self.sizes)), len(self.sizes)))
            table.flat[: len(told)] = told
            gaps = np.concatenate([gaps, table])
        weighted = compress(evaluation, self.segments.layout, self.segments.noise, sigma)
        with np.errstate(over="ignore"):
            if not np.isfinite(np.sum(weighted.rows**2) + np.sum(evaluation.transition**2)):
                return None  # sensitivities beyond what can be added up: no step leads on from here
        return Point(p, nodes, evaluation, weighted, gaps, self.prior_cost(p, nodes))

    def prior_cost(self, p: np.ndarray, nodes: np.ndarray) -> float:
        problem = self.segments.problem
        own = sum(((p[problem.free.index(n)] - mean) / std) ** 2 for n, (mean, std) in problem.priors.items())
        return float(own + self.beginnings.prior_cost(p, nodes))

    def noise(self, point: Point) -> np.ndarray:
        """The noise level of each output: known beforehand, or that of the residuals."""
        return self.segments.noise.levels(point.residual)

    def misfit(self, point: Point) -> float:
        """-2 log likelihood with each output's noise at its best."""
        return -2 * float(self.segments.noise.log_likelihood(point.residual, self.noise(point)))

    def reweighted(self, point: Point, sigma: np.ndarray) -> Point:
        return replace(point, compressed=compress(point.evaluation, self.segments.layout, self.segments.noise, sigma))

    def merit(self, point: Point, tether: float) -> float:
        """What a step must lower while segments are apart."""
        if self.process is not None:
            tied = float(np.sum(self.draws(point) ** 2)) + self._known_gaps(point, tether)
            return point.cost + tied + float(np.sum(self._hold.residual(point.p) ** 2))
        held = 0.0 if tether == LIKELIHOOD.tightest_tether else float(np.sum(self._hold.residual(point.p) ** 2))
        return point.cost + float(np.sum((point.gaps / tether) ** 2)) + held

    def draws(self, point: Point) -> np.ndarray:
        """What process noise did between segments [links, states], as draws of unit size."""
        assert self.process is not None
        gaps = point.gaps[: len(self.links)] * self.sizes
        return np.asarray(np.einsum("kij,kj->ki", self.process[self.links], gaps))

    def _known_gaps(self, point: Point, tether: float) -> float:
        """Squared distances of exactly known first states from their values, in units of the tether."""
        return float(np.sum((point.gaps[len(self.links) :] / tether) ** 2))

    @cached_property
    def _hold(self) -> Hold:
        """Parameters that are compared by ratios, held near the start.

        Short segments with starts of their own say little about some of them, and would let them wander off to where
        whole trajectories no longer lead back. So they are held near the start until there is one trajectory: by a
        factor e, as one more measured value would, which is nothing against a record that does know them.
        """
        return Hold(self._scales & self.moves, self.begun, self.spread)

    @cached_property
    def _coordinates(self) -> Coordinates | None:
        return coefficients(self.segments.problem)

    def _better(self, new: Point, old: Point, tether: float, final: bool) -> bool:
        """Whether a step may be taken.

        While the tether is loose the merit decides. At the end it would not do: gaps of second order, which
        the next step closes, would outweigh everything. There a step must close gaps or lower the cost (a
        filter).
        """
        if not final or not len(new.gaps):
            return self.merit(new, tether) <= self.merit(old, tether) * (1 + 1e-12) + 1e-9
        wide, was = new.widest_gap, old.widest_gap
        closes = (
            was > LIKELIHOOD.closed_gap and wide <= max(0.3 * was, LIKELIHOOD.closed_gap) and new.cost <= 4 * old.cost
        )
        lowers = new.cost <= old.cost and wide <= max(2 * was, LIKELIHOOD.closed_gap)
        # two runs of an adaptive integrator differ by a little: a hundredth of one degree of freedom is no
        # change
        level = wide <= LIKELIHOOD.closed_gap and new.cost <= old.cost + 0.01
        return closes or lowers or level

    def linear(self, point: Point, tether: float, damping: float) -> LinearProblem:
        """The linearised problem with all nodes removed."""
        tau = tether * self.sizes
        states = len(self.sizes)
        columns = point.compressed.rows[:, :, :states]
        weight = np.sqrt(damping * np.mean(np.einsum("kij,kij->kj", columns, columns), axis=0))
        told = self.beginnings.rows(point.p, point.nodes, tau) if self.beginnings else {}
        layout, free = self.segments.layout, len(self.low)
        tie = tau if self.process is None else self.process
        found = eliminate(point.compressed, point.evaluation, point.nodes, layout, tie, weight, told)
        held = {}
        if self.state_bounds is not None:
            held = self.held_at_bounds(point.nodes, self.node_step(found, np.zeros(free)), tau, states + free + 1)
        if held:
            found = eliminate(
                point.compressed, point.evaluation, point.nodes, layout, tie, weight, joined_rows(told, held)
            )
        problem = self.segments.problem
        if not problem.priors:
            return found
        rows = np.zeros((len(problem.priors), len(problem.free) + 1))
        for row, (name, (mean, std)) in zip(rows, problem.priors.items(), strict=True):
            i = problem.free.index(name)
            row[i], row[-1] = 1 / std, (mean - point.p[i]) / std
        return replace(found, rows=np.concatenate([found.rows, rows]))

    def step(
        self, point: Point, linear: LinearProblem, damping: float, held: bool = False
    ) -> tuple[np.ndarray, np.ndarray]:
        """The step of the parameters, and of the nodes. In which coordinates it is straight: `StepProblem`.

        A parameter whose bounds are positive and decades apart moves by a factor, and not by a large one: a weakly
        determined one would otherwise be thrown against a bound, and some models hardly move there (a friction's
        Stribeck speed near zero). So does one that may be zero but is known to be far from it.
        """
        tangent = dp = np.zeros(len(self.moves))
        if not self.frozen and self.moves.any():
            p, spread = point.p, self.standard_errors(linear)
            by_factor = self._scales | ((self.low >= 0) & (p > self.low) & (spread < LIKELIHOOD.far_from_zero * p))
            problem = StepProblem(
                linear.information_rows,
                linear.right_side,
                p,
                self.low,
                self.high,
                by_factor & self.moves,
                damping,
                self._hold if held else None,
            )
            found = problem.solved(self._coordinates)
            dp, tangent = found.dp, found.tangent
        return dp, self.inside(point.nodes, self.node_step(linear, tangent))

    def carried_on(self, point: Point, linear: LinearProblem, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Where parameters that move and nodes follow to, if those that are pinned go to q; q is where all would go in
        a straight line."""
        rows, never = linear.information_rows, np.zeros(len(q), bool)
        valley = StepProblem(rows, np.zeros(len(rows)), point.p, self.low, self.high, never, 0.0)
        step = valley.carried_on(self._coordinates, q)
        still = self.node_step(linear, np.zeros(len(q)))
        return point.p + step.dp, point.nodes + self.node_step(linear, step.tangent) - still

    def node_step(self, linear: LinearProblem, dp: np.ndarray) -> np.ndarray:
        return linear.nodes(dp, self.segments.layout, len(self.sizes))

    def inside(self, nodes: np.ndarray, ds: np.ndarray) -> np.ndarray:
        """A step of the nodes that goes at most most of the way to a bound of a state: beyond it the equations cannot
        be evaluated (the level of a tank below its outlet)."""
        if self.state_bounds is None:
            return ds
        low, high = self.state_bounds
        with np.errstate(invalid="ignore"):
            return np.clip(
                ds,
                np.minimum(LIKELIHOOD.bound_approach * (low - nodes), 0.0),
                np.maximum(LIKELIHOOD.bound_approach * (high - nodes), 0.0),
            )

    def held_at_bounds(self, nodes: np.ndarray, ds: np.ndarray, tau: np.ndarray, width: int) -> dict[int, np.ndarray]:
        """Rows [..., states, width] that hold first states at a bound which their step ds would leave.

        Without them parameters would be fitted to an initial state that is not allowed. Where no state of a record is
        at a bound there are none, and where one is, the rows of the others are zero.
        """
        if self.state_bounds is None:
            return {}
        found, place = {}, np.arange(nodes.shape[-1])
        for k in map(int, self.segments.layout.first_of_record):
            low, high = self.state_bounds[0][k], self.state_bounds[1][k]
            s, step = nodes[..., k, :], ds[..., k, :]
            near = LIKELIHOOD.at_bound * self.sizes
            lower, upper = (s - low <= near) & (step < 0), (high - s <= near) & (step > 0)
            if (lower | upper).any():
                weight = np.where(lower | upper, 1.0 / tau, 0.0)
                rows = np.zeros((*s.shape, width))
                rows[..., place, place] = weight
                rows[..., -1] = weight * (np.where(lower, low, np.where(upper, high, s)) - s)
                found[k] = rows
        return found

    def advance(
        self, point: Point, sigma: np.ndarray, tether: float, damping: float, trace: Trace
    ) -> tuple[Point, np.ndarray, float] | None:
        """One accepted step with its change of the parameters and the next damping, or None if none can be found."""
        final = tether == LIKELIHOOD.tightest_tether
        while damping < LIKELIHOOD.most_damping:
            linear = self.linear(point, tether, damping)
            dp, ds = self.step(point, linear, damping, held=not final)
            new = self.at(point.p + dp, point.nodes + ds, sigma, trace, point)
            if (
                new is not None
                and (final or self.process is not None)
                and new.widest_gap > LIKELIHOOD.closed_gap
                and not self._better(new, point, tether, final)
            ):
                opened, new = new, self._closed(new, sigma, trace)
                if new is not None and self._settles(point, opened, new):
                    return new, dp, max(damping / 10, 1e-14)
            if new is not None and final and not self.frozen and not self._better(new, point, tether, final):
                new = self._corrected(new, sigma, trace)
            if new is not None and self._better(new, point, tether, final):
                return new, dp, max(damping / 10, 1e-14)
            if not self.frozen and self.negligible(dp, linear):
                return None
            damping = max(10 * damping, LIKELIHOOD.least_damping)
        return None

    def _closed(self, point: Point, sigma: np.ndarray, trace: Trace) -> Point | None:
        """The same parameters with the gaps closed to first order.

        A long step along a weakly determined direction opens gaps of second order, by which it would be refused.
        """
        ds = self.node_step(self.linear(point, LIKELIHOOD.tightest_tether, 0.0), np.zeros(len(point.p)))
        return self.at(point.p, point.nodes + self.inside(point.nodes, ds), sigma, trace, point)

    @staticmethod
    def _settles(old: Point, opened: Point, closed: Point) -> bool:
        """Whether a step that opened gaps has gained more than closing them costs, and they close quickly: the steps
        that follow will close the rest."""
        quickly = closed.widest_gap < LIKELIHOOD.closes_quickly * opened.widest_gap
        return quickly and old.cost - closed.cost > abs(closed.cost - opened.cost)

    def _corrected(self, point: Point, sigma: np.ndarray, trace: Trace) -> Point | None:
        """The point moved back in what the record knows well, but not along what it hardly knows.

        A valley may be so narrow (the time of a jump, known to a thousandth of a sample) that a step along it is
        refused for errors of second order across it. One more step, damped so much that it does not move along the
        valley, leads back to its bottom (second-order correction: J. Nocedal, S. Wright, Numerical Optimization, 15.6).
        """
        linear = self.linear(point, LIKELIHOOD.tightest_tether, 0.0)
        dp, ds = self.step(point, linear, LIKELIHOOD.across_damping)
        return self.at(point.p + dp, point.nodes + ds, sigma, trace, point)

    def standard_errors(self, linear: LinearProblem) -> np.ndarray:
        """Of the parameters that move; infinite for those that are pinned."""
        found = np.full(len(self.moves), np.inf)
        found[self.moves] = standard_errors(linear.information_rows[:, self.moves])
        return found

    def negligible(self, dp: np.ndarray, linear: LinearProblem, share: float = LIKELIHOOD.negligible_step) -> bool:
        """Whether a step is far below the uncertainty."""
        return bool(np.max(np.abs(dp) / self.standard_errors(linear), initial=0.0) < share)

    def has_converged(self, old: Point, new: Point, dp: np.ndarray, tether: float) -> bool:
        """In between: the merit has stopped falling much. At the end: the step is far below the uncertainty."""
        if tether != LIKELIHOOD.tightest_tether:
            before, after = self.merit(old, tether), self.merit(new, tether)
            return before - after < 0.02 * after
        linear = self.linear(new, tether, 0.0)
        if self.frozen and self._left_to_gain(linear) > LIKELIHOOD.negligible_step:
            return False
        if not self.negligible(dp, linear) or new.widest_gap > 10 * LIKELIHOOD.closed_gap:
            return False
        # a step may be small because it was damped, half way down a narrow valley
        return self.frozen or self.negligible(self.step(new, linear, 0.0)[0], linear, LIKELIHOOD.bottom_step)

    def _left_to_gain(self, linear: LinearProblem) -> float:
        """By how much better first states would lower the sum of squares, at these parameters."""
        return float(sum(np.sum(first[: len(self.sizes), -1] ** 2) for first in linear.first))

    def with_limits(self, low: np.ndarray, high: np.ndarray) -> Iteration:
        """The same with other bounds of the parameters."""
        return replace(self, low=low, high=high)

    def at_bottom(self, point: Point) -> bool:
        """Whether no step is left to take although none was accepted: the bottom, within the integrator's own
        noise."""
        if point.widest_gap > 10 * LIKELIHOOD.closed_gap:
            return False
        linear = self.linear(point, LIKELIHOOD.tightest_tether, 0.0)
        return self.negligible(self.step(point, linear, 0.0)[0], linear, LIKELIHOOD.bottom_step)


def joined_rows(first: Mapping[int, np.ndarray], second: Mapping[int, np.ndarray]) -> dict[int, np.ndarray]:
    """The rows of both, segment by segment."""
    both = {k: [rows[k] for rows in (first, second) if k in rows] for k in {*first, *second}}
    return {k: np.concatenate(parts, axis=-2) for k, parts in both.items()}
