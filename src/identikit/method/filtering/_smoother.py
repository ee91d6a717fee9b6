"""The iterated extended Kalman smoother of states and parameters, as what it is: Gauss-Newton on blocks of the record.

    x_k+1 = F(x_k, p) + w_k,      y = h(x_k, p) + v,      w_k ~ N(0, Q_k), v ~ N(0, sigma^2)

All blocks are linearised side by side around the last smoothed trajectory; a square-root information filter, backward
through the blocks, removes one state after the other and leaves rows in the parameters; the states follow forward. What
the smoother minimises is the sum of squares of all v and w, so its steps are accepted, damped and kept within bounds as
those of any Gauss-Newton method. With Q = 0 it is multiple shooting.

The likelihood of levels q and sigma integrates the states out,

    -2 log L = min(sum of squares) + sum log det Q_k + sum log 2 pi sigma^2 + 2 sum log |det R_k|,

R_k the triangular factors that removed the states: the innovation likelihood of the linearised model.

References: B. M. Bell, SIAM J. Optim. 4 (1994) 626 (the smoother is Gauss-Newton); G. J. Bierman, Factorization Methods
for Discrete Sequential Estimation, Academic Press 1977.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from identikit.likelihood import LIKELIHOOD, BlockModel, Iteration, Layout, LinearProblem, Point, Trace
from identikit.method.filtering._blocks import resolved
from identikit.method.filtering._collapse import marginal_misfit
from identikit.method.filtering._process_roots import disturbances, process_roots
from identikit.method.filtering._settings import KALMAN
from identikit.numerics import Information, pseudo_inverse
from identikit.progress import Progress


@dataclass(frozen=True)
class Smoother:
    """One problem in blocks, with levels of noise.

    Arguments:
        intensity: of process noise on the rate of each state [states], in its unit per square root of time.
        sigma: of measurement noise [outputs].
    """

    blocks: BlockModel
    sizes: np.ndarray
    begun: np.ndarray
    intensity: np.ndarray
    sigma: np.ndarray

    def iteration(self, process: np.ndarray | None, spread: float = LIKELIHOOD.held_spread) -> Iteration:
        low, high = self.blocks.problem.limits
        return Iteration(self.blocks, low, high, self.sizes, self.begun, process=process, spread=spread)

    def at(self, point: Point, looseness: float, spread: float, disturbed: np.ndarray | None = None) -> Smoothed:
        """What is known at a point, with deviations of `looseness` between blocks besides process noise; `disturbed`
        are the `disturbances` there, if they are known."""
        if disturbed is None and self.disturbed:
            disturbed = disturbances(self.blocks, point.p, point.nodes, point.evaluation)
        roots = process_roots(len(point.nodes), disturbed, self.intensity, looseness * self.sizes)
        return Smoothed(self, point, self.iteration(roots, spread), looseness, disturbed)

    @property
    def disturbed(self) -> bool:
        return bool(self.intensity.any())


@dataclass(frozen=True)
class Smoothed:
    """Smoothed states and parameters, and the linear problem there."""

    smoother: Smoother
    point: Point
    iteration: Iteration
    looseness: float
    disturbed: np.ndarray | None
    converged: bool = False
    stopped: bool = False

    def ready_for_levels(self) -> Smoothed:
        """The same with the disturbances that process noise makes, which trials of its level have in common."""
        if self.disturbed is not None:
            return self
        point = self.point
        found = disturbances(self.smoother.blocks, point.p, point.nodes, point.evaluation)
        return replace(self, disturbed=found)

    @cached_property
    def linear(self) -> LinearProblem:
        return self.iteration.linear(self.point, LIKELIHOOD.tightest_tether, 0.0)

    @property
    def p(self) -> np.ndarray:
        return self.point.p

    @cached_property
    def misfit(self) -> float:
        """-2 log likelihood of the levels of noise, states integrated out, parameters at their best."""
        return marginal_misfit(self)

    @property
    def tied(self) -> bool:
        """Whether blocks deviate from each other by no more than is let pass, or all but."""
        return bool(np.mean(self.iteration.draws(self.point) ** 2) < KALMAN.tied) if len(self.iteration.links) else True

    def at_bottom(self, share: float) -> bool:
        """Whether no step is left to take, but for this share of a standard error."""
        dp, _ = self.iteration.step(self.point, self.linear, 0.0, held=True)
        return self.iteration.negligible(dp, self.linear, share)

    def recut(self, layout: Layout, steps: np.ndarray, trace: Trace) -> Smoothed | None:
        """The same in other blocks, by other integration steps [samples]; None if the model cannot be integrated so."""
        states = self.point.evaluation.states
        assert states is not None
        nodes = self.point.nodes if layout is self.smoother.blocks.layout else states[layout.first_sample[:-1]]
        smoother = replace(self.smoother, blocks=self.smoother.blocks.recut(layout, steps))
        point = smoother.iteration(None).at(self.p, nodes, smoother.sigma, trace, None)
        return None if point is None else smoother.at(point, self.looseness, self.iteration.spread)

    def joining_step(self, lowest: float, damping: float, trace: Trace) -> tuple[Point, np.ndarray, float] | None:
        """One step towards a single trajectory, with its change of the parameters and the next damping; None if no
        damping helps. `lowest` is the least merit so far.

        A step opens gaps of second order, which the next one closes. Where blocks are all but tied they would outweigh
        everything, so what is reached is judged as if more were let pass (a watchdog: J. Nocedal, S. Wright, Numerical
        Optimization, 15.6).
        """
        judge = self.smoother.at(self.point, KALMAN.judged, self.iteration.spread).iteration
        while damping < LIKELIHOOD.most_damping:
            linear = self.iteration.linear(self.point, self.looseness, damping)
            dp, ds = self.iteration.step(self.point, linear, damping, held=True)
            new = self.iteration.at(self.p + dp, self.point.nodes + ds, self.smoother.sigma, trace, self.point)
            if new is not None and judge.merit(new, self.looseness) <= lowest + KALMAN.last_gain:
                return new, dp, max(damping / 10, LIKELIHOOD.least_damping)
            if self.iteration.negligible(dp, linear):
                return None
            damping = max(10 * damping, LIKELIHOOD.least_damping)
        return None

    def with_levels(self, intensity: np.ndarray, sigma: np.ndarray) -> Smoothed:
        """The same linearisation with other levels of noise."""
        smoother = replace(self.smoother, intensity=intensity, sigma=sigma)
        point = self.point
        if not np.array_equal(sigma, self.smoother.sigma):
            point = self.iteration.reweighted(point, sigma)
        return smoother.at(point, self.looseness, self.iteration.spread, self.disturbed)


def smooth(begun: Smoothed, progress: Progress, trace: Trace, rounds: int, final: bool) -> Smoothed:
    """Gauss-Newton steps until the next looseness is worth a try, or, at the end, until nothing is left to gain."""
    now, damping = begun, LIKELIHOOD.first_damping
    tether, lowest = now.looseness, np.inf
    for index in range(rounds):
        if not now.smoother.disturbed:
            sigma = now.iteration.noise(now.point)
            if np.max(np.abs(sigma / now.smoother.sigma - 1)) > LIKELIHOOD.reweight_change:
                now, lowest = now.with_levels(now.smoother.intensity, sigma), np.inf
        before = now.iteration.merit(now.point, tether)
        lowest = min(lowest, before)
        left = ", ".join(f"{s:.4g}" for s in now.smoother.sigma)
        if progress(1 - 0.8**index, f"round {trace.rounds}: noise {left}, blocks within {tether:g}", now.p) is False:
            return replace(now, stopped=True)
        if final and now.tied and now.at_bottom(KALMAN.settled):
            return replace(now, converged=True)
        tried = trace.rounds
        if final and index < KALMAN.joining_rounds and not now.smoother.disturbed:
            moved = now.joining_step(lowest, damping, trace)
        else:
            moved = now.iteration.advance(now.point, now.smoother.sigma, tether, damping, trace)
        if moved is None:
            if now.at_bottom(KALMAN.settled):
                return replace(now, converged=now.tied)
            finer = resolved(now, trace)  # long steps may be what no step of the search leads on from
            if finer is None:
                return now
            now, damping = finer, LIKELIHOOD.first_damping
            continue
        point, _, less = moved
        trace.history.append(point.p)
        now = now.smoother.at(point, tether, now.iteration.spread)
        gain = before - now.iteration.merit(point, tether)
        # after a step that was refused at first, or that went too far, the next one is damped as much or more
        damping = 100 * less if gain < 0 else 10 * less if trace.rounds - tried > 2 else less
        if final and (finer := resolved(now, trace)) is not None:
            now, lowest = finer, np.inf
        elif 0 <= gain < (KALMAN.last_gain if final else KALMAN.stage_gain * before) and (now.tied or not final):
            return replace(now, converged=now.tied)
    return now


def state_deviations(smoothed: Smoothed) -> np.ndarray:
    """Standard deviations [blocks, states] of the states at the blocks' beginnings, parameters estimated too.

    Forward through a chain, a state follows from the one before and the parameters, x_k = M (x_k-1, p) + R^-1 e, with e
    of unit size; so does its covariance: the smoothing pass of Rauch, Tung and Striebel in information form.
    """
    linear, layout = smoothed.linear, smoothed.smoother.blocks.layout
    states, free = len(smoothed.smoother.sizes), len(smoothed.p)
    own = Information.of_rows(linear.information_rows).covariance if free else np.zeros((0, 0))
    found = np.empty((len(layout.begin), states))
    for number, (first, following) in enumerate(zip(linear.first, linear.following, strict=True)):
        chain = layout.of_chain(number)
        joint = np.zeros((states + free, states + free))
        joint[states:, states:] = own
        # columns of `first`: first state | free | right side; of a following pair: state before | free | right side
        pairs = [(first[:states, :states], first[:states, states:-1], False)]
        pairs += [(r, other[:, :-1], True) for r, other in reversed(following)]
        for k, (r, other, tied) in zip(chain, pairs, strict=True):
            inverse = pseudo_inverse(r)
            move = np.eye(states + free)
            move[:states] = 0.0
            move[:states, (0 if tied else states) :] = -inverse @ other
            joint = move @ joint @ move.T
            joint[:states, :states] += inverse @ inverse.T
            found[k] = np.sqrt(np.maximum(np.diag(joint)[:states], 0.0))
    return found
