"""Multiple shooting as a nonlinear least-squares problem in parameters and node states.

    minimise  sum |residual / sigma|^2 + sum |gap / tau|^2      over p and all nodes, p within bounds

The tether tau starts loose, so that every short segment follows its own data and the problem is nearly a
regression; then it is tightened step by step until the segments are one trajectory. Each step is a damped
Gauss-Newton step with exact sensitivities. This is Bock's lifted Newton method with the growth of segments
made continuous.

References: H. G. Bock, in: Progress in Scientific Computing 2, Birkhauser 1983, 95-121; D. W. Marquardt, J.
SIAM 11 (1963) 431.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from identikit.likelihood import Compressed, Evaluation, LinearProblem, SegmentModel, compress, eliminate
from identikit.method.multiple_shooting._rest import REST_AMBIGUOUS, TIGHTEST, rest_draws
from identikit.numerics import bounded_least_squares, standard_errors
from identikit.progress import Progress
from identikit.result import Finding

# Allowed gap in units of each state's size: at first next to free, in the end none to speak of.
LOOSEST = 0.3
CLOSED = 1e-6  # a gap, in the same units, that counts as closed
MOST_STAGES = 12
GROWTH = 6  # how much longer segments become when the short ones do not come to one trajectory
STAGE_ROUNDS = 6
FINAL_ROUNDS = 40
MOST_DAMPING = 1e10
LEAST_DAMPING = 1e-7  # after a step was refused: less would not change it
DECADES = 100.0  # ratio of positive bounds from which a parameter moves by factors
HELD = 1.0  # deviation of the logarithm of such a parameter about its start while segments are not joined
LARGEST = 1.5  # logarithm of the largest such factor in one step


@dataclass(frozen=True)
class Iterate:
    """A point of the iteration: parameters, nodes, and what the model says there."""

    p: np.ndarray
    nodes: np.ndarray
    evaluation: Evaluation
    compressed: Compressed
    gaps: np.ndarray  # [links, states]


@dataclass(frozen=True)
class Outcome:
    """Where the iteration ended, and the linear problem there, whose parameter rows are the information."""

    best: Iterate
    sigma: np.ndarray
    linear: LinearProblem
    converged: bool
    stopped: bool
    history: list[np.ndarray]
    rounds: int


class Reached(NamedTuple):
    """The end of one tightening: the point, the noise level there, and how it ended."""

    point: Iterate
    sigma: np.ndarray
    converged: bool
    stopped: bool


class Lifted:
    """Solves one multiple-shooting problem; `sizes` are the typical sizes of the states.

    A parameter whose bounds are equal stays there: it is pinned, as if it were not free, and needs no kernel of
    its own. `frozen` keeps the parameters where they are and fits the node states alone: how well another method's
    estimate fits, and what the bound is there.
    """

    def __init__(
        self,
        segments: SegmentModel,
        low: np.ndarray,
        high: np.ndarray,
        sizes: np.ndarray,
        frozen: bool = False,
    ) -> None:
        self.frozen = frozen
        self.low, self.high = low, high
        self._moves = high > low
        self._scales = scale_like(low, high)
        self.sizes = sizes
        self.history: list[np.ndarray] = []
        self.findings: list[Finding] = []
        self.rounds = 0
        self._begun = np.maximum(low, np.finfo(float).tiny)
        self._lowest = np.inf
        self._use(segments)
        self._most_links = len(self._links)

    def _use(self, segments: SegmentModel) -> None:
        self.segments = segments
        self._links = np.nonzero(np.diff(segments.layout.chain) == 0)[0]

    def at(self, p: np.ndarray, nodes: np.ndarray, sigma: np.ndarray) -> Iterate | None:
        """Evaluate a point; None if the model cannot be integrated there."""
        evaluation = self.segments(p, nodes)
        self.rounds += 1
        if not evaluation.ok:
            return None
        gaps = nodes[self._links + 1] - evaluation.final[self._links]
        return Iterate(p, nodes, evaluation, compress(evaluation, self.segments.layout, sigma), gaps)

    def misfit(self, point: Iterate) -> float:
        """-2 log likelihood up to a constant, each output weighed by its own residuals."""
        count = np.isfinite(point.evaluation.residual).sum(axis=0)
        return float(2 * np.sum(count * np.log(self.deviation(point))))

    def joined_by_chance(self, point: Iterate, deviations: float) -> bool:
        """Whether the segments, each with a start of its own, had been better by no more than chance.

        They had one start too many per link, so by a chi-square of that many degrees of freedom.
        """
        spare = self._most_links * len(self.sizes)
        return self.misfit(point) - self._lowest <= spare + deviations * np.sqrt(2 * spare)

    def deviation(self, point: Iterate) -> np.ndarray:
        """Standard deviation of the residuals of each output."""
        outputs = point.evaluation.residual.shape[1]
        found = np.empty(outputs)
        for j in range(outputs):
            residual = point.evaluation.residual[:, j]
            residual = residual[np.isfinite(residual)]
            spread = np.nanstd(self.segments.measured[:, j])
            found[j] = max(np.sqrt(np.mean(residual**2)), 1e-12 * spread, 1e-300)
        return found

    def merit(self, point: Iterate, tether: float) -> float:
        held = 0.0 if tether == TIGHTEST else float(np.sum(self._held(point.p) ** 2))
        return point.compressed.cost + float(np.sum((point.gaps / (tether * self.sizes)) ** 2)) + held

    def _held(self, p: np.ndarray) -> np.ndarray:
        """How far parameters that are compared by ratios are from the start, in units of what is usual.

        Short segments with starts of their own say little about some of them, and would let them wander off to where
        whole trajectories no longer lead back. So they are held near the start until there is one trajectory: by a
        factor e, as one more measured value would, which is nothing against a record that does know them.
        """
        scales = self._scales & self._moves
        return np.asarray(np.log(p[scales] / self._begun[scales]) / HELD)

    def widest(self, point: Iterate) -> float:
        """The widest gap in units of the states' sizes."""
        return float(np.max(np.abs(point.gaps) / self.sizes)) if len(point.gaps) else 0.0

    def better(self, new: Iterate, old: Iterate, tether: float, final: bool) -> bool:
        """Whether a step may be taken.

        While the tether is loose the merit decides. At the end it would not do: gaps of second order, which
        the next step closes, would outweigh everything. There a step must close gaps or lower the cost (a
        filter).
        """
        if not final or not len(new.gaps):
            return self.merit(new, tether) <= self.merit(old, tether) * (1 + 1e-12) + 1e-9
        wide, was = self.widest(new), self.widest(old)
        closes = was > CLOSED and wide <= max(0.3 * was, CLOSED) and new.compressed.cost <= 4 * old.compressed.cost
        lowers = new.compressed.cost <= old.compressed.cost and wide <= max(2 * was, CLOSED)
        # two runs of an adaptive integrator differ by a little: a hundredth of one degree of freedom is no
        # change
        level = wide <= CLOSED and new.compressed.cost <= old.compressed.cost + 0.01
        return closes or lowers or level

    def reweighted(self, point: Iterate, sigma: np.ndarray) -> Iterate:
        return replace(point, compressed=compress(point.evaluation, self.segments.layout, sigma))

    def linear(self, point: Iterate, tether: float, damping: float) -> LinearProblem:
        states = len(self.sizes)
        columns = point.compressed.rows[:, :, :states]
        weight = np.sqrt(damping * np.mean(np.einsum("kij,kij->kj", columns, columns), axis=0))
        return eliminate(
            point.compressed, point.evaluation, point.nodes, self.segments.layout, tether * self.sizes, weight
        )

    def _step(
        self, point: Iterate, linear: LinearProblem, damping: float, held: bool = False
    ) -> tuple[np.ndarray, np.ndarray]:
        """The step of the parameters and of the nodes.

        A parameter whose bounds are positive and decades apart moves by a factor, and not by a large one: a weakly
        determined one would otherwise be thrown against a bound, and some models hardly move there (a friction's
        Stribeck speed near zero).
        """
        rows = linear.parameter_rows
        moves = self._moves
        dp, tangent = np.zeros(len(moves)), np.zeros(len(moves))
        if not self.frozen and moves.any():
            scales = self._scales[moves]
            p, low, high = point.p[moves], self.low[moves], self.high[moves]
            unit = np.where(scales, p, 1.0)
            a, b = rows[:, :-1][:, moves] * unit, rows[:, -1]
            size = np.sqrt(np.einsum("ij,ij->j", a, a))
            a = np.concatenate([a, np.diag(np.sqrt(damping) * size)])
            b = np.concatenate([b, np.zeros(len(size))])
            if held:
                a = np.concatenate([a, np.eye(len(p))[scales] / HELD])
                b = np.concatenate([b, -self._held(point.p)])
            least = np.where(scales, np.maximum(np.log(np.where(scales, low, 1.0) / unit), -LARGEST), low - p)
            most = np.where(scales, np.minimum(np.log(np.where(scales, high, 1.0) / unit), LARGEST), high - p)
            step = bounded_least_squares(a, b, np.minimum(least, 0.0), np.maximum(most, 0.0))
            tangent[moves] = unit * step
            moved = np.clip(np.where(scales, p * np.exp(np.where(scales, step, 0.0)), p + step), low, high)
            dp[moves] = moved - p
        return dp, linear.nodes(tangent, self.segments.layout, len(self.sizes))

    def run(
        self,
        p: np.ndarray,
        nodes: np.ndarray,
        sigma: np.ndarray,
        progress: Progress,
        tether: float = LOOSEST,
        grows: bool = True,
    ) -> Outcome | None:
        """Tighten the tether until there is one trajectory, with longer segments if need be.

        `tether` is the first one; a start near the end, as from a similar fit, may begin with the tightest. Without
        `grows`, segments stay as they are.
        Returns None if the model cannot even be integrated from the start.
        """
        self._begun = p
        point = self.at(p, nodes, sigma)
        if point is None:
            return None
        resting = self.segments.layout.resting
        if resting.any() and not resting.all():
            ended = self._with_rest(point, sigma, progress)
        else:
            ended = (
                self._joined(point, sigma, progress, tether) if grows else self._tighten(point, sigma, progress, tether)
            )
        if ended is None:
            return None
        sigma = self.deviation(ended.point)
        point = self.reweighted(ended.point, sigma)
        linear = self.linear(point, TIGHTEST, 0.0)
        return Outcome(point, sigma, linear, ended.converged, ended.stopped, self.history, self.rounds)

    def _with_rest(self, point: Iterate, sigma: np.ndarray, progress: Progress) -> Reached | None:
        """The motion first, the rest as something apart; then both as one trajectory, if the rest can decide."""
        whole, apart = self.segments, self.segments.without_rest()
        self._use(apart)
        alone = self.at(point.p, point.nodes, sigma)
        if alone is None:
            return None
        moving = self._tighten(alone, sigma, progress, LOOSEST)
        if moving.stopped:
            return moving
        if not moving.converged:
            self._use(whole)
            begun = self.at(moving.point.p, moving.point.nodes, moving.sigma)
            return None if begun is None else self._joined(begun, moving.sigma, progress, LOOSEST)
        draws = rest_draws(self, moving.point, moving.sigma)
        ends: list[tuple[Reached, SegmentModel]] = []
        for p, nodes in draws.starts:
            self._use(whole)
            begun = self._led_into_rest(p, nodes, moving.sigma)
            if begun is not None:
                ends.append((self._joined(begun, moving.sigma, progress, TIGHTEST), self.segments))
        if ends:
            best, segments = min(ends, key=lambda end: (not end[0].converged, np.sum(np.log(end[0].sigma))))
            self._use(segments)
            rows = self.linear(best.point, TIGHTEST, 0.0).parameter_rows[:, :-1]
            if not draws.ambiguous(best.point.p, rows):
                return best
        self.findings.append(REST_AMBIGUOUS)
        self._use(apart)
        return moving

    def _led_into_rest(self, p: np.ndarray, nodes: np.ndarray, sigma: np.ndarray) -> Iterate | None:
        """A point at which every rest begins where the motion before it ends.

        A node that is at rest already would tell nothing of how the rest depends on the motion.
        """
        point = self.at(p, nodes, sigma)
        if point is None:
            return None
        into = np.array([k for k in self._links if self.segments.layout.resting[k + 1]], dtype=int)
        led = nodes.copy()
        led[into + 1] = point.evaluation.final[into]
        return self.at(p, led, sigma)

    def _joined(self, point: Iterate, sigma: np.ndarray, progress: Progress, tether: float) -> Reached:
        """Tighten, and if that does not come to an end, tighten with longer segments."""
        while True:
            reached = self._tighten(point, sigma, progress, tether)
            if reached.converged or reached.stopped or not len(self._links):
                return reached
            grown, keep = self.segments.layout.grown(GROWTH)
            self._use(self.segments.with_layout(grown))
            longer = self.at(reached.point.p, reached.point.nodes[keep], reached.sigma)
            if longer is None:
                return reached
            point, sigma = longer, reached.sigma

    def _tighten(self, point: Iterate, sigma: np.ndarray, progress: Progress, tether: float) -> Reached:
        """Stages of ever tighter tether."""
        damping = 1e-3
        tether = tether if len(self._links) else TIGHTEST
        for stage in range(1, MOST_STAGES + 1):
            final = tether == TIGHTEST
            for _ in range(FINAL_ROUNDS if final else STAGE_ROUNDS):
                found = self.deviation(point)
                if np.max(np.abs(found / sigma - 1)) > 0.02:
                    sigma, point = found, self.reweighted(point, found)
                left = ", ".join(f"{s:.4g}" for s in sigma)
                sentence = f"round {self.rounds}: residual {left}, widest gap {self.widest(point):.1e}"
                if progress(0.95 * (1 - 0.6**stage), sentence) is False:
                    return Reached(point, sigma, False, True)
                moved = self._advance(point, sigma, tether, damping, final)
                if moved is None:
                    break
                new, dp, damping = moved
                done = self._settled(point, new, dp, tether, final)
                point = new
                self._lowest = min(self._lowest, self.misfit(point))
                self.history.append(point.p)
                if done:
                    if final:
                        return Reached(point, sigma, True, False)
                    break
            if final:
                break
            tether = self._tighter(point, tether) if stage < MOST_STAGES - 1 else TIGHTEST
        return Reached(point, sigma, self._at_bottom(point), False)

    def _at_bottom(self, point: Iterate) -> bool:
        """Whether no step is left to take although none was accepted: the bottom, within the integrator's own
        noise."""
        if self.widest(point) > 10 * CLOSED:
            return False
        linear = self.linear(point, TIGHTEST, 0.0)
        dp, _ = self._step(point, linear, 0.0)
        return bool(np.max(np.abs(dp) / self._deviations(linear)) < 0.05)

    def _tighter(self, point: Iterate, tether: float) -> float:
        """The next tether: such that the present gaps would weigh as much as the data do."""
        typical = float(np.sqrt(np.mean((point.gaps / self.sizes) ** 2)))
        share = np.sqrt(len(self._links) * len(self.sizes) / point.compressed.count)
        tighter = min(tether / 10, typical * share)
        return TIGHTEST if self.widest(point) < CLOSED or tighter < 10 * TIGHTEST else tighter

    def _advance(
        self, point: Iterate, sigma: np.ndarray, tether: float, damping: float, final: bool
    ) -> tuple[Iterate, np.ndarray, float] | None:
        """One accepted step, or None if none can be found."""
        while damping < MOST_DAMPING:
            linear = self.linear(point, tether, damping)
            dp, ds = self._step(point, linear, damping, held=not final)
            new = self.at(point.p + dp, point.nodes + ds, sigma)
            if new is not None and final and self.widest(new) > CLOSED and not self.better(new, point, tether, final):
                new = self._closed(new, sigma)
            if new is not None and self.better(new, point, tether, final):
                return new, dp, max(damping / 10, 1e-14)
            if not self.frozen and self._negligible(dp, linear):
                return None
            damping = max(10 * damping, LEAST_DAMPING)
        return None

    def _closed(self, point: Iterate, sigma: np.ndarray) -> Iterate | None:
        """The same parameters with the gaps closed to first order.

        A long step along a weakly determined direction opens gaps of second order, by which it would be refused.
        """
        linear = self.linear(point, TIGHTEST, 0.0)
        still = np.zeros(len(point.p))
        return self.at(point.p, point.nodes + linear.nodes(still, self.segments.layout, len(self.sizes)), sigma)

    def _deviations(self, linear: LinearProblem) -> np.ndarray:
        """Standard deviations of the parameters that move; infinite for those that are pinned."""
        found = np.full(len(self._moves), np.inf)
        found[self._moves] = standard_errors(linear.parameter_rows[:, :-1][:, self._moves])
        return found

    def _negligible(self, dp: np.ndarray, linear: LinearProblem) -> bool:
        return bool(np.max(np.abs(dp) / self._deviations(linear)) < 0.02)

    def _settled(self, old: Iterate, new: Iterate, dp: np.ndarray, tether: float, final: bool) -> bool:
        """In between: the merit has stopped falling much. At the end: the step is far below the uncertainty."""
        before, after = self.merit(old, tether), self.merit(new, tether)
        if not final:
            return before - after < 0.02 * after
        linear = self.linear(new, tether, 0.0)
        return bool(np.max(np.abs(dp) / self._deviations(linear)) < 0.02) and self.widest(new) <= 10 * CLOSED


def scale_like(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Which parameters are positive by their bounds and may be of any size: they are compared by ratios."""
    return np.asarray((low > 0) & (high > DECADES * low))
