"""The likelihood of parameters and initial states together, for whoever integrates over both instead of maximising.

    l(p, x_0) = max over sigma of
                -1/2 sum over measured values of (y - h(x(t; x_0, p)))^2 / sigma^2 + log(2 pi sigma^2)

With the prior 1/sigma on a noise level, its integral over sigma is the same function but for a constant: the sum of
squares to the power -n/2. So for normal noise nothing is lost by taking the level at its best.

A trajectory is evaluated on the segments of the fit, all at once: their starts are guessed from those of the estimate
and its sensitivities (`_node_path.py`), and Newton's method closes the gaps between them, forward from the record's
beginning.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from identikit.errors import ProblemError
from identikit.likelihood._band import FittedMotion
from identikit.likelihood._beginning import Beginnings
from identikit.likelihood._compression import Compressed, compress
from identikit.likelihood._likelihood import Likelihood
from identikit.likelihood._node_path import NodePath
from identikit.likelihood._point import Point
from identikit.likelihood._scores import Scores, carried_sensitivities
from identikit.likelihood._segments import Evaluation, SegmentModel
from identikit.likelihood._settings import LIKELIHOOD
from identikit.problem import Problem


@dataclass(frozen=True)
class UnknownState:
    """A state of a record's beginning that is estimated."""

    record: int
    state: str
    bounds: tuple[float, float]


@dataclass(frozen=True)
class JointExpansion:
    """log L, its derivative [unknowns], and the Fisher information [unknowns, unknowns] at the noise levels of the
    estimate."""

    value: float
    gradient: np.ndarray
    information: np.ndarray


@dataclass(frozen=True)
class _Anchor:
    """The trajectory of the estimate: its nodes and how these follow the unknowns, steps, the largest gap between
    segments that need not be integrated again, in units of the states' sizes, and the noise levels [outputs]."""

    path: NodePath
    step: np.ndarray | None
    closed: float
    sigma: np.ndarray


@dataclass(frozen=True)
class _Trajectory:
    """One trajectory through all segments of each record, evaluated."""

    point: Point
    sigma: np.ndarray


@dataclass(frozen=True)
class _Told:
    """What is known of one initial state: its place among those of all records, among the unknowns (None: it is known
    exactly), and its row (states, free parameters, right side) in standard deviations."""

    place: int
    unknown: int | None
    row: np.ndarray


class JointLikelihood:
    """log L of the free parameters, in the problem's order, and of the unknown initial states, record by record.

    What is known roughly of an initial state counts as measured; priors on parameters are not part of it. Evaluations
    do not depend on each other, and may be made in several threads. Where the model cannot be integrated, the value is
    -inf.

    Arguments:
        problem: data and equations.
        near: the estimate of the free parameters [free]; unknowns far from it cost more rounds.
        motion: that of the estimate, where it is known already; its integrator and segments are used then.

    Not for chaotic motion over many Lyapunov times, nor for process noise.
    """

    def __init__(self, problem: Problem, near: np.ndarray, motion: FittedMotion | None = None) -> None:
        motion = motion or Likelihood(problem, near)._profiler.motion(np.asarray(near, float))
        if motion is None:
            raise ProblemError("the model cannot be integrated at the parameters that a joint likelihood begins with")
        self.problem = problem
        self.integrations = 0  # of all segments, so far
        self._segments: SegmentModel = motion.segments
        self._beginnings = Beginnings(problem, self._segments.layout)
        self._free, self._states = len(problem.free), len(problem.model.states)
        initial = motion.nodes[self._segments.layout.first_of_record]
        self.centre = np.concatenate([np.asarray(near, float), initial[self._sampled]])
        self._anchor = self._anchored(motion.nodes, motion.evaluation)

    @cached_property
    def _sampled(self) -> np.ndarray:
        """Which states [records, states] are unknowns when a record begins."""
        return np.array([[not item.known for item in record.values()] for record in self.problem.initial])

    @cached_property
    def states(self) -> tuple[UnknownState, ...]:
        """The unknown initial states, in their order behind the free parameters."""
        names = self.problem.model.state_names
        return tuple(
            UnknownState(int(r), names[s], self.problem.initial[r][names[s]].bounds)
            for r, s in np.argwhere(self._sampled)
        )

    def followed(self, steps: np.ndarray, low: np.ndarray, high: np.ndarray) -> JointLikelihood:
        """The same with starts of segments guessed to second order around the estimate, for many evaluations.

        `steps` [unknowns, unknowns] are moves of the unknowns, one standard error say, after which it is seen how the
        motion's sensitivities have changed, to either side and as far as the bounds let it: two evaluations each.
        """
        found = copy.copy(self)
        changes = np.array([self._slope_change(step, low, high) for step in steps.T])
        found._anchor = replace(self._anchor, path=self._anchor.path.bent(steps, changes))
        return found

    # Evaluation

    def value_and_gradient(self, unknowns: np.ndarray) -> tuple[float, np.ndarray]:
        """log L and its derivative [unknowns]; -inf and NaN where the model cannot be integrated."""
        found = self.expansion(unknowns)
        return (-np.inf, np.full(len(unknowns), np.nan)) if found is None else (found.value, found.gradient)

    def information(self, unknowns: np.ndarray) -> np.ndarray:
        """Fisher information [unknowns, unknowns] of parameters and initial states, at the noise levels of the
        estimate; NaN where there is none."""
        found = self.expansion(unknowns)
        return np.full((len(unknowns), len(unknowns)), np.nan) if found is None else found.information

    def expansion(self, unknowns: np.ndarray) -> JointExpansion | None:
        """log L, its derivative and the information, all of one evaluation; None where the model cannot be
        integrated."""
        found = self._at(unknowns)
        scores = found.point.scores(self._segments.layout) if found else None
        if found is None or scores is None:
            return None
        told = self._told(found.point.p, found.point.nodes)
        following, rows = self._following(told), self._prior_rows(told)
        gradient = following.T @ scores.table.sum(axis=0) + rows[:, :-1].T @ rows[:, -1]
        value = self._segments.noise.log_likelihood(found.point.residual, found.sigma)
        weights = following.T @ self._at_anchor_levels(found, scores) @ following
        return JointExpansion(
            float(value) - 0.5 * float(rows[:, -1] @ rows[:, -1]), gradient, weights + rows[:, :-1].T @ rows[:, :-1]
        )

    def _at_anchor_levels(self, found: _Trajectory, scores: Scores) -> np.ndarray:
        """The information of the first states and parameters if the noise were that of the estimate: residuals that
        grow away from it would otherwise count as noise that does."""
        ratio = found.sigma / self._anchor.sigma
        if np.ptp(ratio) == 0:  # one output, or levels that are known
            return scores.information * ratio[0] ** 2
        point = found.point
        layout, noise = self._segments.layout, self._segments.noise
        compressed = compress(point.evaluation, layout, noise, self._anchor.sigma)
        again = replace(point, compressed=compressed).scores(layout)
        return scores.information if again is None else again.information

    def residuals(self, unknowns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Measured minus modelled [samples of all records, outputs], and the likeliest noise levels [outputs]."""
        found = self._at(unknowns)
        if found is None:
            return np.full(self._segments.measured.shape, np.nan), np.full(len(self.problem.outputs), np.nan)
        return found.point.residual, found.sigma

    def nodes(self, unknowns: np.ndarray) -> np.ndarray | None:
        """Where the segments of the trajectory begin [segments, states]; None where the model cannot be integrated."""
        found = self._at(unknowns)
        return None if found is None else found.point.nodes

    # The trajectory

    def _at(self, unknowns: np.ndarray) -> _Trajectory | None:
        """From where slopes put the nodes; far off these may lead to states that no motion has, and then the motion is
        carried on from its beginning."""
        found = self._closed(unknowns, self._anchor.path.at(unknowns))
        if found is not None:
            return found
        nodes = self._carried(unknowns)
        return None if nodes is None else self._closed(unknowns, nodes)

    def _carried(self, unknowns: np.ndarray) -> np.ndarray | None:
        """Nodes along the trajectory, near enough to be joined: each round takes every segment to where the one before
        it ends, so that after as many rounds as a record has segments all are right."""
        layout = self._segments.layout
        nodes = self._initial(unknowns)[layout.record]
        for _ in layout.begin:
            self.integrations += 1
            evaluation = self._segments(unknowns[: self._free], nodes, None)
            if not evaluation.ok:
                return None
            after = nodes.copy()
            after[layout.links + 1] = evaluation.final[layout.links]
            if np.abs((after - nodes) / self._segments.scale).max() < LIKELIHOOD.joint_gap_largest:
                break
            nodes = after
        return nodes

    def _closed(self, unknowns: np.ndarray, nodes: np.ndarray) -> _Trajectory | None:
        """The trajectory, with the nodes of all segments but the first guessed."""
        p = unknowns[: self._free]
        nodes[self._segments.layout.first_of_record] = self._initial(unknowns)
        step = self._anchor.step
        for _ in range(LIKELIHOOD.joint_rounds):
            self.integrations += 1
            evaluation = self._segments(p, nodes, step)
            if not evaluation.ok:
                return None
            step = evaluation.step
            change = self._closing(evaluation, nodes)
            largest = np.abs(change / self._segments.scale).max()
            if largest < self._anchor.closed:
                return self._joined(p, nodes, evaluation, change)
            if not np.isfinite(largest):
                return None
            nodes = nodes + change
        return None

    def _initial(self, unknowns: np.ndarray) -> np.ndarray:
        """States [records, states] at the beginning of every record."""
        layout = self._segments.layout
        nodes = np.zeros((len(layout.begin), self._states))
        nodes = self._beginnings.put(unknowns[: self._free], nodes)
        initial = nodes[layout.first_of_record]
        initial[self._sampled] = unknowns[self._free :]
        return initial

    def _closing(self, evaluation: Evaluation, nodes: np.ndarray) -> np.ndarray:
        """The change of every node that closes all gaps to first order, first nodes held."""
        layout = self._segments.layout
        change = np.zeros_like(nodes)
        across = evaluation.transition[:, :, : self._states]
        for k in layout.links:
            change[k + 1] = across[k] @ change[k] + evaluation.final[k] - nodes[k + 1]
        return change

    def _joined(
        self, p: np.ndarray, nodes: np.ndarray, evaluation: Evaluation, change: np.ndarray
    ) -> _Trajectory | None:
        """The trajectory with what is left of the gaps closed to first order, so that errors are of second order.

        None where a measured value cannot have come from it: a model below zero, noise in proportion to it.
        """
        layout, noise = self._segments.layout, self._segments.noise
        own = np.repeat(change, np.diff(layout.first_sample), axis=0)
        moved = np.einsum("nox,nx->no", evaluation.slope[..., : self._states], own)
        joined = replace(evaluation, residual=evaluation.residual - moved)
        if (np.isfinite(joined.residual) & ~np.isfinite(noise.scaled(joined.residual))).any():
            return None
        sigma = noise.levels(joined.residual)
        compressed = compress(joined, layout, noise, sigma)
        return _Trajectory(Point(p, nodes, joined, compressed, np.zeros((0, self._states)), 0.0), sigma)

    # Derivatives

    def _anchored(self, nodes: np.ndarray, evaluation: Evaluation) -> _Anchor:
        p = self.centre[: self._free]
        slopes = self._slopes(p, nodes, evaluation)
        if slopes is None:
            raise ProblemError("the motion depends too much on its beginning for a likelihood of one trajectory")
        found = self._joined(p, nodes, evaluation, np.zeros_like(nodes))
        if found is None:
            raise ProblemError("the model at the estimate cannot have given some of the measured values")
        closed = self._largest_gap(found.point.compressed)
        return _Anchor(NodePath(self.centre, nodes, slopes), evaluation.step, closed, found.sigma)

    def _slopes(self, p: np.ndarray, nodes: np.ndarray, evaluation: Evaluation) -> np.ndarray | None:
        """How all nodes follow the unknowns [segments, states, unknowns]; None where that overflows."""
        carried = carried_sensitivities(evaluation.transition, self._segments.layout)
        return None if carried is None else carried @ self._following(self._told(p, nodes))

    def _slope_change(self, step: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
        """How those of the estimate change over one step, from both its sides; zero where there is no motion."""
        ahead, behind = (_room(self.centre, way, low, high) for way in (step, -step))
        above, below = self._slopes_at(self.centre + ahead * step), self._slopes_at(self.centre - behind * step)
        if above is None or below is None or not ahead + behind > 0:
            return np.zeros_like(self._anchor.path.slopes)
        return (above - below) / (ahead + behind)

    def _slopes_at(self, unknowns: np.ndarray) -> np.ndarray | None:
        """The same elsewhere; None where there is no motion."""
        found = self._at(unknowns)
        return None if found is None else self._slopes(found.point.p, found.point.nodes, found.point.evaluation)

    def _largest_gap(self, compressed: Compressed) -> float:
        """A gap d that is closed to first order leaves an error of about d^2 in the states, and moves log L by |A| d^2,
        A [values, states] the derivatives of what is modelled in units of its noise."""
        least, largest = LIKELIHOOD.joint_gap_least, LIKELIHOOD.joint_gap_largest
        steepness = np.linalg.norm(compressed.rows[..., : self._states] * self._segments.scale)
        return float(np.clip(np.sqrt(LIKELIHOOD.joint_accuracy / steepness), least, largest)) if steepness else largest

    def _following(self, told: list[_Told]) -> np.ndarray:
        """How the first states of all records and the free parameters follow the unknowns."""
        first, count = self._sampled.size, len(self.centre)
        table = np.zeros((first + self._free, count))
        table[first:, : self._free] = np.eye(self._free)
        table[np.flatnonzero(self._sampled), np.arange(self._free, count)] = 1.0
        for item in told:
            if item.unknown is None:
                table[item.place, : self._free] = -item.row[self._states : -1]
        return table

    def _prior_rows(self, told: list[_Told]) -> np.ndarray:
        """Rows [m, unknowns + 1] of what is known roughly of initial states, right side last."""
        rough = [item for item in told if item.unknown is not None]
        rows = np.zeros((len(rough), len(self.centre) + 1))
        for row, item in zip(rows, rough, strict=True):
            row[: self._free], row[-1] = item.row[self._states : -1], item.row[-1]
            row[item.unknown] = item.row[item.place % self._states]
        return rows

    def _told(self, p: np.ndarray, nodes: np.ndarray) -> list[_Told]:
        """What is known of the beginnings of all records, state by state."""
        found = []
        rows = self._beginnings.rows(p, nodes, np.ones(self._states)) if self._beginnings else {}
        sampled = self._sampled.ravel()
        for segment, part in rows.items():
            record = int(self._segments.layout.record[segment])
            for row in part:
                place = record * self._states + int(np.argmax(row[: self._states] != 0))
                unknown = self._free + int(sampled[:place].sum()) if sampled[place] else None
                found.append(_Told(place, unknown, row))
        return found


def _room(place: np.ndarray, step: np.ndarray, low: np.ndarray, high: np.ndarray) -> float:
    """The part of a step that stays within the bounds."""
    moves = step != 0
    parts = (np.where(step > 0, high, low) - place)[moves] / step[moves]
    return float(np.clip(np.min(parts, initial=1.0), 0.0, 1.0))
