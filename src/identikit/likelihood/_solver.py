"""Multiple shooting from a start to one trajectory per record, with a frozen outcome."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from identikit.likelihood._band import FittedMotion
from identikit.likelihood._continuation import StageOutcome, join, tighten
from identikit.likelihood._elimination import LinearProblem
from identikit.likelihood._iteration import Iteration
from identikit.likelihood._layout import Layout
from identikit.likelihood._point import Point, Trace
from identikit.likelihood._rest import motion_then_rest
from identikit.likelihood._scores import Scores
from identikit.likelihood._segments import SegmentModel
from identikit.likelihood._settings import LIKELIHOOD
from identikit.numerics import standard_errors
from identikit.progress import Cancelled, Progress
from identikit.result import Finding


@dataclass(frozen=True)
class Outcome:
    """Where a search ended: the point, the noise there, and the linear problem whose rows are the information."""

    point: Point
    sigma: np.ndarray
    linear: LinearProblem
    iteration: Iteration
    converged: bool
    stopped: bool
    history: tuple[np.ndarray, ...]
    rounds: int
    lowest: float
    most_links: int
    losses: tuple[tuple[float, float], ...]  # after every step of the history: chi squared of data, and of gaps
    findings: tuple[Finding, ...] = ()

    @property
    def p(self) -> np.ndarray:
        return self.point.p

    @property
    def nodes(self) -> np.ndarray:
        """States at the beginning of every segment."""
        return self.point.nodes

    @property
    def residual(self) -> np.ndarray:
        """Measured minus modelled [samples of all records, outputs]."""
        return self.point.residual

    @cached_property
    def left_over(self) -> np.ndarray:
        """Level of the residuals [outputs] in the scale of their noise: `sigma` where that is not known beforehand."""
        return self.iteration.segments.noise.levels_left(self.residual)

    @property
    def layout(self) -> Layout:
        """The segments at the end: a hard case may have ended with longer ones."""
        return self.iteration.segments.layout

    @property
    def moves(self) -> np.ndarray:
        """Which free parameters were not pinned."""
        return self.iteration.moves

    @property
    def information_rows(self) -> np.ndarray:
        """Rows A with Fisher information A'A of the free parameters, initial states profiled out."""
        return self.linear.information_rows

    @cached_property
    def misfit(self) -> float:
        """-2 log likelihood, and what the point costs against what is known beforehand."""
        return self.iteration.misfit(self.point) + self.point.prior_cost

    @cached_property
    def standard_errors(self) -> np.ndarray:
        """Of all free parameters from the information, pinned or not."""
        return standard_errors(self.information_rows)

    @property
    def widest_gap(self) -> float:
        return self.point.widest_gap

    def joined_by_chance(self, deviations: float) -> bool:
        """Whether the segments, each with a start of its own, had been better by no more than chance.

        They had one start too many per link, so by a chi-square of that many degrees of freedom.
        """
        spare = self.most_links * len(self.iteration.sizes)
        return self.misfit - self.lowest <= spare + deviations * np.sqrt(2 * spare)

    def node_step(self, dp: np.ndarray) -> np.ndarray:
        """How the nodes follow a change of the parameters, to first order."""
        still = self.iteration.node_step(self.linear, np.zeros(len(dp)))
        return self.iteration.node_step(self.linear, dp) - still

    @property
    def motion(self) -> FittedMotion:
        """The fitted trajectory, to draw it."""
        segments, point = self.iteration.segments, self.point
        return FittedMotion(segments, point.p, point.nodes, point.evaluation, self.linear, self.sigma)

    def scores(self) -> Scores | None:
        """How each segment pulls at the parameters and first states; None where that overflows."""
        return self.point.scores(self.layout)

    def initial_states(self, record: int) -> tuple[np.ndarray, np.ndarray]:
        """Values and standard errors [states] at the beginning of a record, parameters estimated too."""
        states = len(self.iteration.sizes)
        first = int(self.layout.first_of_record[record])
        rows = self.linear.first[self.layout.chain[first]][:, :-1]
        # the record's own rows in (first node, p), with what the other records say about p
        own = np.zeros((len(self.information_rows), rows.shape[1]))
        own[:, states:] = self.information_rows
        return self.nodes[first], standard_errors(np.concatenate([rows[:states], own]))[:states]


@dataclass(frozen=True)
class MultipleShootingSolver:
    """One multiple-shooting problem; see `Iteration` for the arguments.

    `frozen` keeps the parameters where they are and fits the node states alone: how well another method's
    estimate fits, and what the bound is there.
    """

    segments: SegmentModel
    low: np.ndarray
    high: np.ndarray
    sizes: np.ndarray
    frozen: bool = False

    def run(
        self,
        p: np.ndarray,
        nodes: np.ndarray,
        sigma: np.ndarray,
        progress: Progress,
        tether: float = LIKELIHOOD.loosest_tether,
        grows: bool = True,
        most_rounds: float = np.inf,
        patience: float = np.inf,
    ) -> Outcome | None:
        """Tighten the tether until there is one trajectory, with longer segments if need be.

        `tether` is the first one; a start near the end, as from a similar fit, may begin with the tightest. Without
        `grows`, segments stay as they are. After `most_rounds` evaluations the search stops with its best so far, and
        after `patience` steps in a row that had to be shortened it ends where it is: it creeps along a narrow valley.
        Returns None if the model cannot even be integrated from the start, and is Cancelled only before that is known.
        """
        trace = Trace(most_rounds, patience)
        iteration = Iteration(self.segments, self.low, self.high, self.sizes, p, self.frozen)
        point = iteration.at(p, nodes, sigma, trace, None)
        if point is None:
            return None

        resting = self.segments.layout.resting
        ended: StageOutcome | None
        try:
            if resting.any() and not resting.all():
                ended = motion_then_rest(iteration, point, sigma, progress, trace)
            else:
                ended = (join if grows else tighten)(iteration, point, sigma, progress, tether, trace)
        except Cancelled:
            ended = trace.latest or StageOutcome(point, sigma, False, True, iteration)
        if ended is None:
            return None
        last = ended.iteration
        sigma = last.noise(ended.point)
        point = last.reweighted(ended.point, sigma)
        return Outcome(
            point,
            sigma,
            last.linear(point, LIKELIHOOD.tightest_tether, 0.0),
            last,
            ended.converged,
            ended.stopped,
            tuple(trace.history),
            trace.rounds,
            trace.lowest,
            len(iteration.links),
            tuple(trace.losses),
            tuple(trace.findings),
        )
