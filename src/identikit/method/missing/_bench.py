"""The bench on which candidates are tried: one model that holds them all, one kernel, the model as it is to compare."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from identikit.diagnose import residual_colour
from identikit.likelihood import LIKELIHOOD, Outcome, Preparation
from identikit.method.missing._candidates import Candidate, extended
from identikit.method.missing._disturbance import without
from identikit.method.missing._screening import Explained, Screening
from identikit.method.missing._settings import MISSING
from identikit.problem import Problem
from identikit.progress import Progress


@dataclass(frozen=True)
class Trial:
    """The model with some candidates, fitted as trajectories.

    `std` [chosen] are standard errors that allow for coloured residuals, by the factor sqrt(inflation); `ratio` is the
    mean square of the residual over that without any term; `evidence` is the corrected difference in BIC for the terms,
    `needed` the least that any of them adds to it beside the others.
    """

    chosen: tuple[int, ...]
    outcome: Outcome
    std: np.ndarray
    inflation: float
    ratio: float
    evidence: float
    needed: float

    @cached_property
    def white(self) -> bool:
        """Whether nothing but white noise is left."""
        return white(self.outcome)


@dataclass(frozen=True)
class Bench:
    """One problem with all candidates in it.

    `problem` is the extended one; `base` the model as it is at its best, `loose` the same with segments that follow the
    record.
    """

    problem: Problem
    candidates: tuple[Candidate, ...]
    preparation: Preparation
    base: Outcome
    loose: Outcome

    @classmethod
    def of(cls, problem: Problem, p: np.ndarray, found: tuple[Candidate, ...], progress: Progress) -> Bench | None:
        """None if the model cannot be integrated at p, or nothing moves."""
        model, bounds = extended(problem.model, found), {item.name: item.parameter.bounds for item in found}
        preparation = _moving_part(problem, problem.extended(model, bounds))
        if preparation is None:
            return None
        own = preparation.problem.extended(model, bounds)
        nodes = preparation.nodes(p)
        preparation = replace(preparation, problem=own)
        start = np.append(p, [item.start for item in found])
        solver = preparation.solver(nodes, frozen=True)
        loose = solver.run(
            start, nodes, preparation.sigma, progress.part(0.0, 0.4), grows=False, most_rounds=MISSING.loose_rounds
        )
        # at the estimate first: from elsewhere the way might lead to another minimum than the user was told of
        held = solver.run(start, nodes, preparation.sigma, progress.part(0.4, 0.7), grows=False)
        if loose is None or held is None:
            return None
        pinned = {len(problem.free) + i: item.start for i, item in enumerate(found)}
        settling = replace(preparation, layout=held.layout).solver(held.nodes, pinned=pinned)
        settled = settling.run(
            start, held.nodes, held.sigma, progress.part(0.7, 1.0), LIKELIHOOD.tightest_tether, False,
            MISSING.most_rounds,
        )  # fmt: skip
        base = settled if settled is not None and settled.misfit < held.misfit else held
        return cls(own, found, preparation, base, loose)

    @property
    def own(self) -> int:
        """How many parameters the model itself has free."""
        return len(self.problem.free) - len(self.candidates)

    @cached_property
    def floor(self) -> float:
        """The record's own noise in units of what the model leaves: mean squares over all outputs."""
        return float(min(np.mean((self.preparation.sigma / rms(self.base)) ** 2), 1.0))

    @cached_property
    def samples(self) -> int:
        return int(np.isfinite(self.base.residual).sum())

    @property
    def structured(self) -> bool:
        """Whether the model leaves more than white noise."""
        return not white(self.base)

    def ratio(self, outcome: Outcome) -> float:
        """Mean squares of a fit's residual in units of what the model leaves without any term, over all outputs."""
        return float(np.mean((rms(outcome) / rms(self.base)) ** 2))

    def beyond_noise(self, ratio: float) -> float:
        """Share of what is left beyond the noise that vanishes if mean squares fall to `ratio`."""
        # a level is known to 1/sqrt(2 n) of itself: less than a few of that is nothing to explain
        return float(np.clip((1 - ratio) / max(1 - self.floor, 4 / math.sqrt(2 * self.samples)), 0.0, 1.0))

    def screening(self, outcome: Outcome) -> Screening:
        return Screening.of(self.problem, outcome.point, outcome.layout, len(self.candidates))

    def evidence(self, gain: float, inflation: float, terms: int = 1) -> float:
        """Difference in BIC for terms that gain so much in -2 log L, the best among all candidates having been chosen.

        With coloured residuals the likelihood counts the same information `inflation` times.
        """
        effective = max(self.samples / inflation, MISSING.blocks)
        return gain / inflation - terms * (math.log(effective) + 2 * math.log(len(self.candidates)))

    def allowed(self, item: Explained) -> bool:
        """Whether the coefficients stay within their bounds."""
        low, high = self.problem.limits
        return all(
            low[self.own + i] <= self.candidates[i].start + item.change[self.own + i] <= high[self.own + i]
            for i in item.chosen
        )

    def pinned(self, chosen: Sequence[int] = ()) -> dict[int, float]:
        """All candidates but the chosen ones stay where they are."""
        return {self.own + i: item.start for i, item in enumerate(self.candidates) if i not in chosen}

    def fitted(self, item: Explained, progress: Progress) -> Trial | None:
        """The model with these candidates, from what the screening says; None if it does not come to one trajectory."""
        low, high = self.problem.limits
        start = np.clip(self.loose.p + item.change, low, high)
        solver = self.preparation.solver(self.loose.nodes, pinned=self.pinned(item.chosen))
        outcome = solver.run(
            start, self.loose.nodes, self.preparation.sigma, progress, grows=False, most_rounds=MISSING.most_rounds
        )
        if outcome is None or outcome.widest_gap > 10 * LIKELIHOOD.closed_gap:
            return None
        judged = self.screening(outcome).with_candidates(item.chosen)
        evidence = self.evidence(self.base.misfit - outcome.misfit, judged.inflation, len(item.chosen))
        # what the likelihood would lose without one of them, from its distance to where it has no effect
        moved = [outcome.p[self.own + i] - self.candidates[i].start for i in item.chosen]
        gain = self.samples * math.log1p(float(np.min((moved / judged.deviation) ** 2)) / self.samples)
        return Trial(
            item.chosen,
            outcome,
            judged.deviation * math.sqrt(judged.inflation),
            judged.inflation,
            self.ratio(outcome),
            evidence,
            self.evidence(gain, judged.inflation) if len(item.chosen) > 1 else evidence,
        )

    def fitted_without(self, first: int, last: int, progress: Progress) -> Outcome | None:
        """The model as it is without the segments from `first` to `last`, fitted before and after them."""
        layout = self.loose.layout
        record = int(layout.record[first])
        records = list(self.problem.records)
        time = records[record].time
        inside = (time >= layout.begin[first]) & (time <= layout.end[last])
        records[record] = replace(records[record], values=np.where(inside[:, None], np.nan, records[record].values))
        preparation = replace(
            self.preparation, problem=self.problem.with_records(records), layout=without(layout, first, last)
        )
        solver = preparation.solver(self.loose.nodes, pinned=self.pinned())
        return solver.run(
            self.loose.p, self.loose.nodes, self.preparation.sigma, progress, grows=False,
            most_rounds=MISSING.most_rounds,
        )  # fmt: skip


def rms(outcome: Outcome) -> np.ndarray:
    """Of every output's residual, whatever noise was given."""
    return np.asarray(np.sqrt(np.nanmean(outcome.residual**2, axis=0)))


def white(outcome: Outcome) -> bool:
    """Whether every output's residual passes for white noise."""
    return all(residual_colour(column)[0] for column in outcome.residual.T)


def _moving_part(problem: Problem, own: Problem) -> Preparation | None:
    """The problem prepared, without the rest at the end of a record where a candidate of `own` would make it stick.

    At rest the smallest error decides between stick and slip; a term shows while something moves.
    """
    preparation = Preparation.of(own)
    layout = preparation.layout
    if not preparation.shows_motion:
        return None
    ends = np.full(len(problem.records), np.inf)
    for index in range(len(problem.records)):
        segments = np.nonzero(layout.record == index)[0]
        if len(segments) > 1 and layout.resting[segments[-1]]:
            ends[index] = layout.begin[segments[-1]]
    if np.isfinite(ends).any():
        shorter = [record.between(-np.inf, end) for record, end in zip(problem.records, ends, strict=True)]
        return Preparation.of(problem.with_records(shorter))
    return Preparation.of(problem, preparation.curves)
