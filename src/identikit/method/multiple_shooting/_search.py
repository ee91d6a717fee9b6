"""Fit from one start after the other until a fit is believed.

A fit is believed if its segments came to one trajectory and what it leaves over is the record's own noise: hardly above
the level that the samples show among themselves, or white. Anything else may be a wrong minimum, so other starts
are tried: those of other methods, other minima of the regression, longer segments, a finer integrator where jumps
magnify its errors. A wrong model leaves the same signs, and no start helps it; so the search has a budget in units of
what the first fit took.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import Enum, auto
from itertools import chain, islice

import numpy as np

from identikit.diagnose import residual_colour
from identikit.likelihood import LIKELIHOOD, Outcome, Preparation
from identikit.method.multiple_shooting._held_start import begun_at_rest
from identikit.method.multiple_shooting._quasi_newton import followed_down
from identikit.method.multiple_shooting._settings import SHOOTING
from identikit.method.multiple_shooting._start import Start
from identikit.method.multiple_shooting._valley import descended
from identikit.method.multiple_shooting._whole import fitted_whole
from identikit.progress import Cancelled, Progress
from identikit.result import Finding, finding


class Effort(Enum):
    """How much an attempt may cost: a few rounds, as many as short segments need, or longer segments too."""

    GLANCE = auto()
    SHORT = auto()
    LONG = auto()


_ROUNDS = {
    Effort.GLANCE: SHOOTING.glance_rounds,
    Effort.SHORT: SHOOTING.attempt_rounds,
    Effort.LONG: SHOOTING.most_rounds,
}


@dataclass(frozen=True)
class SearchResult:
    """The best end of all starts that were tried.

    `preparation` is the one it was found with, and `assumed` what it takes for known; `tried` says where each attempt
    began; `ready` is the clock when the first start was known.
    """

    outcome: Outcome
    how: str
    ready: float
    preparation: Preparation
    tried: tuple[str, ...] = ()
    believed: bool = False
    assumed: tuple[Finding, ...] = ()

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What was assumed, and that better was looked for, where what is left over is more than noise."""
        if self.believed or self.outcome.stopped:
            return self.assumed
        kinds = dict.fromkeys(self.tried)
        listed = ", ".join(
            f"{kind} ({self.tried.count(kind)})" if self.tried.count(kind) > 1 else kind for kind in kinds
        )
        text = (
            f"what is left over is more than the record's own noise, so a better fit was looked for: the best of "
            f"{len(self.tried)} attempts, begun at {listed}, is the one from {self.how}"
        )
        return (*self.assumed, finding("better_looked_for", text))


def search(preparation: Preparation, candidates: Iterable[Start], progress: Progress) -> SearchResult | None:
    """The best fit that the budget allows; None if the model cannot be integrated from any start.

    The first, or the better of a user's guess and a regression, is given a few rounds, which is often enough, before
    others are even looked for. The first few are tried with short segments, which takes a few seconds each, and one
    that leaves only noise but does not settle goes on in longer ones; only if none of them comes to one trajectory are
    longer segments from the start worth their time. Cancelled, it gives the best so far, if there is one.
    """
    found = _Search(preparation)
    early: list[Start] = []
    source = iter(candidates)
    tries = chain(found.ordered(source, early), ((start, Effort.LONG) for start in chain(early, source)))
    for (start, effort), attempt in zip(tries, progress.attempts(), strict=False):
        try:
            if found.ended_by(start, effort, attempt):
                break
        except Cancelled:
            if found.best is None:
                raise
            break
    return found.best and replace(found.best, tried=tuple(found.tried))


class _Search:
    """The best so far, and what it has cost."""

    def __init__(self, preparation: Preparation) -> None:
        self.preparation = preparation
        self.best: SearchResult | None = None
        self.tried: list[str] = []
        self._assumed: tuple[Finding, ...] = ()
        self._ready, self._spent, self._budget = 0.0, 0, float(SHOOTING.most_rounds)
        columns = np.concatenate([record.values for record in preparation.problem.records])
        self._spread = np.nanstd(columns, axis=0)

    def ordered(self, source: Iterator[Start], early: list[Start]) -> Iterator[tuple[Start, Effort]]:
        """The first few starts, each as soon as it is known if segments begun at the smoothed record follow it well
        enough, else the best of them first; they are listed in `early`."""
        waiting: list[tuple[float, int, Start]] = []
        for place, start in enumerate(islice(source, SHOOTING.early_starts)):
            early.append(start)
            departure = self._departure(start)
            if departure < (SHOOTING.promising_given if start.given else SHOOTING.promising):
                yield start, Effort.SHORT
                continue
            waiting.append((departure, place, start))
            # what comes next is dear: before that a few rounds from the best that was cheap to have
            if place == int(early[0].rivalled) == len(waiting) - 1:
                departure, _, start = min(waiting)
                if np.isfinite(departure):
                    yield start, Effort.GLANCE
        for _, _, start in sorted(waiting):
            yield start, Effort.SHORT

    def _departure(self, start: Start) -> float:
        """How far segments that begin at the smoothed record leave it, in units of its noise; root mean square."""
        nodes = self.preparation.nodes(start.p)
        evaluation = self.preparation.solver(nodes).segments(start.p, nodes)
        if not evaluation.ok:
            return math.inf
        return float(np.sqrt(np.nanmean((evaluation.residual / self.preparation.sigma) ** 2)))

    def ended_by(self, start: Start, effort: Effort, progress: Progress) -> bool:
        """Fit from a start; whether the search is over. Where jumps magnify the integrator's errors, the same start is
        tried again with a finer one, which all later fits then have too."""
        self._ready = self._ready or time.perf_counter()
        outcome = self._fit(start, effort, progress)
        if effort is Effort.GLANCE and (outcome is None or not outcome.converged):
            return outcome is not None and outcome.stopped
        doubtful = outcome is not None and not (outcome.stopped or (outcome.converged and _white(outcome)))
        if outcome is not None and doubtful and not self.preparation.resolved(outcome):
            self.preparation = self.preparation.finer
            outcome = self._polished(start, outcome, progress) or self._fit(start, effort, progress)
        if outcome is not None and not outcome.converged and not self._over(outcome):
            outcome = self._begun_at_rest(start, outcome, progress) or self._led_on(start, outcome, progress) or outcome
        return outcome is not None and self._over(outcome)

    def _fit(self, start: Start, effort: Effort, progress: Progress) -> Outcome | None:
        nodes = self.preparation.nodes(start.p)
        outcome = self.preparation.solver(nodes).run(
            start.p,
            nodes,
            self.preparation.sigma,
            progress,
            grows=effort is Effort.LONG,
            most_rounds=_ROUNDS[effort],
            patience=SHOOTING.patience,
        )
        return None if outcome is None else self._counted(outcome, start.how, progress)

    def _polished(self, start: Start, reached: Outcome, progress: Progress) -> Outcome | None:
        """One trajectory that the coarse integrator could not settle, settled by the finer one; None if it was none."""
        if reached.widest_gap > SHOOTING.nearly_joined:
            return None
        own = replace(self.preparation, layout=reached.layout)
        outcome = own.solver(reached.nodes).run(
            reached.p,
            reached.nodes,
            reached.sigma,
            progress,
            LIKELIHOOD.tightest_tether,
            False,
            SHOOTING.attempt_rounds,
        )
        return None if outcome is None else self._counted(outcome, f"{start.how}, integrated more finely", progress)

    def _begun_at_rest(self, start: Start, reached: Outcome, progress: Progress) -> Outcome | None:
        """One trajectory that does not settle since friction holds its beginning; all later fits begin at rest too."""
        if reached.widest_gap > SHOOTING.nearly_joined:
            return None
        found = begun_at_rest(self.preparation, reached, progress)
        if found is None:
            return None
        self.preparation, outcome, said = found
        self._assumed = (*self._assumed, said)
        return self._counted(outcome, f"{start.how}, begun at rest", progress)

    def _led_on(self, start: Start, reached: Outcome, progress: Progress) -> Outcome | None:
        """What becomes of a fit whose segments did not come to one trajectory, in other ways."""
        if np.all(reached.left_over < SHOOTING.followed_noise * self.preparation.sigma):
            longer = self._lengthen(start, reached, progress)
            if longer is not None and (longer.converged or longer.stopped):
                return longer
            nearer = longer if longer is not None and longer.widest_gap < SHOOTING.followed_gap else reached
            outcome = self._follow_down(start, nearer, progress)
            if outcome is not None and (outcome.converged or outcome.stopped):
                return outcome
        if reached.widest_gap < SHOOTING.nearly_joined:
            return self._descend(start, reached, progress)
        outcome = self._fit_whole(start, progress)
        if outcome is None:
            return self._fit_held(start, reached, progress)
        return outcome if outcome.converged or outcome.stopped else self._descend(start, outcome, progress)

    def _lengthen(self, start: Start, reached: Outcome, progress: Progress) -> Outcome | None:
        """Go on with longer segments, which have fewer starts of their own to make up for wrong parameters with."""
        if not len(reached.layout.links) or reached.layout.resting.any():
            return None
        layout, keep = reached.layout.grown(LIKELIHOOD.segment_growth)
        nodes = reached.nodes[keep]
        short = replace(self.preparation, layout=reached.layout).solver(reached.nodes)
        outcome = replace(short, segments=short.segments.with_layout(layout)).run(
            reached.p,
            nodes,
            reached.sigma,
            progress,
            grows=False,
            most_rounds=SHOOTING.fewest_rounds,
            patience=SHOOTING.patience,
        )
        return None if outcome is None else self._counted(outcome, f"{start.how}, in longer segments", progress)

    def _follow_down(self, start: Start, reached: Outcome, progress: Progress) -> Outcome | None:
        if reached.widest_gap > SHOOTING.followed_gap:
            return None
        outcome = followed_down(self.preparation, reached, progress)
        return None if outcome is None else self._counted(outcome, f"{start.how}, followed downhill", progress)

    def _fit_whole(self, start: Start, progress: Progress) -> Outcome | None:
        outcome = fitted_whole(self.preparation, start, progress)
        if outcome is None:
            return None
        return self._counted(outcome, f"{start.how}, whole records at once", progress)

    def _descend(self, start: Start, reached: Outcome, progress: Progress) -> Outcome:
        """Go on from one trajectory that came to rest on its way down a narrow valley."""
        return self._counted(descended(self.preparation, reached, progress), f"{start.how}, down its valley", progress)

    def _fit_held(self, start: Start, failed: Outcome, progress: Progress) -> Outcome | None:
        """Fit with the least known parameter kept at the start, then down the valley that it lies in.

        Short segments may disagree with whole trajectories about a parameter that they hardly know, and lead away.
        """
        relative = failed.standard_errors / np.maximum(np.abs(failed.p), 1e-300)
        i = int(np.argmax(np.where(np.isfinite(relative), relative, 0.0)))
        nodes = self.preparation.nodes(start.p)
        outcome = self.preparation.solver(nodes, pinned={i: float(start.p[i])}).run(
            start.p, nodes, self.preparation.sigma, progress, grows=False, most_rounds=SHOOTING.fewest_rounds
        )
        if outcome is None or not outcome.converged:
            return None
        how = f"{start.how} with {self.preparation.problem.free[i]} held at first"
        return self._counted(descended(self.preparation, outcome, progress), how, progress)

    def _counted(self, outcome: Outcome, how: str, progress: Progress) -> Outcome:
        """The outcome, which is kept if it is the best so far."""
        if not progress.stopped:  # by its budget, if at all
            outcome = replace(outcome, stopped=False)
        self._spent += outcome.rounds
        self.tried.append(how)
        if self.best is None or self._score(outcome) < self._score(self.best.outcome):
            self.best = SearchResult(
                outcome, how, self._ready, self.preparation, (), believed(outcome, self.preparation), self._assumed
            )
        if self.best.outcome.converged and self._budget == SHOOTING.most_rounds:
            self._budget = max(SHOOTING.search_effort * self._spent, SHOOTING.fewest_rounds)
        return outcome

    def _score(self, outcome: Outcome) -> float:
        """Compared in units of what was measured, since each outcome weighs by its own residuals."""
        penalty = 0.0 if outcome.converged else SHOOTING.not_joined
        return float(np.sum(np.log(outcome.left_over / self._spread))) + penalty

    def _over(self, outcome: Outcome) -> bool:
        return outcome.stopped or self._spent > self._budget or believed(outcome, self.preparation)


def believed(outcome: Outcome, preparation: Preparation) -> bool:
    """Whether a fit came to one trajectory and leaves only noise: the record's own, or whatever is white and not more
    than a constant would leave."""
    if not outcome.converged:
        return False
    measured = np.concatenate([record.values for record in preparation.problem.records])
    left = np.sqrt(np.nanmean(outcome.residual**2, axis=0))
    if (left > SHOOTING.worse_than_constant * np.nanstd(measured, axis=0)).any():
        return False
    return bool(np.all(outcome.left_over < SHOOTING.near_noise * preparation.sigma)) or _white(outcome)


def _white(outcome: Outcome) -> bool:
    """Whether the residuals of every output are white."""
    return all(residual_colour(column)[0] for column in outcome.residual.T)
