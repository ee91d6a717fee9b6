"""Which term would explain what a model leaves over: screen all candidates at once, fit the promising ones in earnest.

1. One model holds all candidates, each with coefficient zero: one kernel serves everything below.
2. `Screening` says to first order what each would explain with all parameters adjusted.
3. The most promising are fitted as trajectories, the other coefficients pinned; so is a pair with the best.
4. A term is named if it explains a good part of what is left beyond the record's own noise, and if the evidence for it
   is very strong: the difference in BIC, with coloured residuals counted as often as they are independent
   (likelihood ratio over inflation), less 2 log m for the choice among m candidates.

Not for models that are Python functions, whose equations cannot be extended.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from identikit.likelihood import LIKELIHOOD, Outcome, Preparation
from identikit.method.missing._candidates import Candidate, candidates, extended
from identikit.method.missing._disturbance import stretch, without
from identikit.method.missing._report import Disturbance, MissingTerm, MissingTermReport
from identikit.method.missing._screening import Explained, Screening
from identikit.method.missing._settings import MISSING
from identikit.model import Model
from identikit.problem import Problem
from identikit.progress import Cancelled, Progress, silent


def missing_terms(problem: Problem, p: np.ndarray, progress: Progress = silent) -> MissingTermReport:
    """Which single term, or pair, added to the model would explain what it leaves over at the estimate p.

    Arguments:
        problem: the record and the model that does not describe it well.
        p: the estimate, in the order of `problem.free`.
        progress: told often; asked to stop, the search ends with what it has.
    """
    if not problem.model.symbolic:
        return _nothing(problem, p, 0)
    found = candidates(problem, p)
    progress(0.0, f"{len(found)} terms that the model may lack")
    if not found:
        return _nothing(problem, p, 0)
    try:
        search = _Search.of(problem, p, found, progress)
        return _nothing(problem, p, len(found)) if search is None else search.report(progress)
    except Cancelled:
        return _nothing(problem, p, len(found))


def _nothing(problem: Problem, p: np.ndarray, tried: int) -> MissingTermReport:
    values = dict(zip(problem.free, map(float, p), strict=True))
    return MissingTermReport(tried, {}, {}, values, problem.model.time_unit)


@dataclass(frozen=True)
class _Fit:
    """The model with some candidates, fitted; `evidence` is the corrected difference in BIC for the last of them."""

    chosen: tuple[int, ...]
    outcome: Outcome
    std: float
    ratio: float  # of mean squares to those without any term, over all outputs
    evidence: float


@dataclass(frozen=True)
class _Search:
    """One problem with all candidates in it; `base` is the model as it is, `loose` follows the record in segments."""

    model: Model
    problem: Problem
    candidates: tuple[Candidate, ...]
    preparation: Preparation
    base: Outcome
    loose: Outcome

    @classmethod
    def of(cls, problem: Problem, p: np.ndarray, found: tuple[Candidate, ...], progress: Progress) -> _Search | None:
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
            start, nodes, preparation.sigma, progress.part(0.0, 0.2), grows=False, most_rounds=MISSING.loose_rounds
        )
        # at the estimate first, since another minimum would not be what the user was told
        held = solver.run(start, nodes, preparation.sigma, progress.part(0.2, 0.3), grows=False)
        if loose is None or held is None:
            return None
        pinned = {len(problem.free) + i: item.start for i, item in enumerate(found)}
        settled = replace(preparation, layout=held.layout).solver(held.nodes, pinned=pinned)
        base = settled.run(
            start, held.nodes, held.sigma, progress.part(0.3, 0.4), LIKELIHOOD.tightest_tether, False,
            MISSING.most_rounds,
        )  # fmt: skip
        best = base if base is not None and base.misfit < held.misfit else held
        return cls(problem.model, own, found, preparation, best, loose)

    @property
    def own(self) -> int:
        """How many parameters the model itself has free."""
        return len(self.problem.free) - len(self.candidates)

    @cached_property
    def floor(self) -> float:
        """The record's own noise, in units of what the model leaves: mean squares over all outputs."""
        return float(min(np.mean((self.preparation.sigma / _rms(self.base)) ** 2), 1.0))

    @cached_property
    def samples(self) -> int:
        return int(np.isfinite(self.base.residual).sum())

    def ratio(self, outcome: Outcome) -> float:
        """Mean squares of a fit's residual in units of what the model leaves without any term, over all outputs."""
        return float(np.mean((_rms(outcome) / _rms(self.base)) ** 2))

    def beyond_noise(self, ratio: float) -> float:
        """Share of what is left beyond the noise that vanishes if mean squares fall to `ratio`."""
        return float(np.clip((1 - ratio) / max(1 - self.floor, 1e-9), 0.0, 1.0))

    def report(self, progress: Progress) -> MissingTermReport:
        screening = Screening.of(self.problem, self.loose.point, self.loose.layout, len(self.candidates))
        screened = sorted((e for e in self._each(screening, ())), key=lambda e: e.left)
        fits: list[_Fit] = []
        stopped = False
        for item, part in zip(screened[: MISSING.refitted], progress.part(0.4, 0.8).attempts(), strict=False):
            fit = self._fitted(item, part)
            fits += [] if fit is None else [fit]
            stopped = part.stopped
            if stopped:
                break
        fits.sort(key=lambda fit: fit.ratio)
        named = [fit for fit in fits if self._convinces(fit)]
        disturbance = None if stopped else self._disturbance(progress.part(0.8, 0.9))
        best = named[0] if named else None
        if disturbance and best and self.beyond_noise(best.ratio) > disturbance.beyond_noise - MISSING.rival:
            disturbance = None  # a law that holds all along explains as much as an event does
        if disturbance is not None:
            best = None
        second = self._second(best, progress.part(0.9, 1.0)) if best and not stopped else None
        return self._written(best, second, fits, disturbance)

    def _each(self, screening: Screening, given: tuple[int, ...]) -> list[Explained]:
        """Every candidate beside those given, where its coefficient stays within its bounds."""
        low, high = self.problem.limits
        found = []
        for i in map(int, screening.separable):
            if i in given:
                continue
            item = screening.with_candidates((*given, i))
            value = self.candidates[i].start + item.change[self.own + i]
            if low[self.own + i] <= value <= high[self.own + i]:
                found.append(item)
        return found

    def _fitted(self, item: Explained, progress: Progress) -> _Fit | None:
        """The model with these candidates, as trajectories."""
        low, high = self.problem.limits
        start = np.clip(self.loose.p + item.change, low, high)
        solver = self.preparation.solver(self.loose.nodes, pinned=self._pinned(item.chosen))
        outcome = solver.run(
            start, self.loose.nodes, self.preparation.sigma, progress, grows=False, most_rounds=MISSING.most_rounds
        )
        if outcome is None or outcome.widest_gap > 10 * LIKELIHOOD.closed_gap:
            return None
        at_end = Screening.of(self.problem, outcome.point, outcome.layout, len(self.candidates))
        judged = at_end.with_candidates(item.chosen)
        effective = max(self.samples / judged.inflation, MISSING.blocks)
        gain = (self.base.misfit - outcome.misfit) / judged.inflation
        evidence = gain - math.log(effective) - 2 * math.log(len(self.candidates))
        std = judged.deviation * math.sqrt(judged.inflation)
        return _Fit(item.chosen, outcome, std, self.ratio(outcome), evidence)

    def _pinned(self, chosen: Sequence[int]) -> dict[int, float]:
        """All candidates but the chosen ones stay where they are."""
        return {self.own + i: item.start for i, item in enumerate(self.candidates) if i not in chosen}

    def _convinces(self, fit: _Fit) -> bool:
        return self.beyond_noise(fit.ratio) >= MISSING.least_share and fit.evidence > MISSING.evidence

    def _second(self, best: _Fit, progress: Progress) -> _Fit | None:
        """A second term that explains much of what the best one leaves beyond the noise."""
        screening = Screening.of(self.problem, best.outcome.point, best.outcome.layout, len(self.candidates))
        screened = sorted(self._each(screening, best.chosen), key=lambda e: e.left)
        left = best.ratio - self.floor
        if not screened or left <= 0:
            return None
        fit = replace(self, base=best.outcome, loose=best.outcome)._fitted(screened[0], progress)
        if fit is None or fit.evidence < MISSING.evidence:
            return None
        ratio = self.ratio(fit.outcome)
        return replace(fit, ratio=ratio) if best.ratio - ratio >= MISSING.second * left else None

    def _disturbance(self, progress: Progress) -> Disturbance | None:
        """A stretch in which something acts, if the model fits without it."""
        layout = self.loose.layout
        found = stretch(self.loose.point, layout)
        if found is None:
            return None
        first, last = found
        record = int(layout.record[first])
        begin, end = float(layout.begin[first]), float(layout.end[last])
        records = list(self.problem.records)
        inside = (records[record].time >= begin) & (records[record].time <= end)
        hidden = np.where(inside[:, None], np.nan, records[record].values)
        records[record] = replace(records[record], values=hidden)
        preparation = replace(
            self.preparation, problem=self.problem.with_records(records), layout=without(layout, first, last)
        )
        solver = preparation.solver(self.loose.nodes, pinned=self._pinned(()))
        outcome = solver.run(
            self.loose.p, self.loose.nodes, self.preparation.sigma, progress, grows=False,
            most_rounds=MISSING.most_rounds,
        )  # fmt: skip
        if outcome is None:
            return None
        share = self.beyond_noise(self.ratio(outcome))
        if share < MISSING.concentrated:
            return None
        rms = dict(zip(self.problem.outputs, map(float, _rms(outcome)), strict=True))
        return Disturbance(self.problem.records[record].name, begin, end, rms, share)

    def _written(
        self, best: _Fit | None, second: _Fit | None, fits: Sequence[_Fit], disturbance: Disturbance | None
    ) -> MissingTermReport:
        others = [fit for fit in fits if fit is not best]
        rivals = [fit for fit in others if best is not None and self._rivals(fit, best)]
        worse = [fit for fit in others if fit not in rivals]
        outputs = self.problem.outputs
        white = 1 - self.floor < 1 / math.sqrt(self.samples)
        return MissingTermReport(
            len(self.candidates),
            dict(zip(outputs, map(float, _rms(self.base)), strict=True)),
            {name: self.problem.model.output(name).unit for name in outputs},
            dict(zip(self.problem.free[: self.own], map(float, self.base.p), strict=False)),
            self.problem.model.time_unit,
            max((self.beyond_noise(fit.ratio) for fit in fits), default=0.0),
            not white,
            None if best is None else self._term(best),
            tuple(self._term(fit) for fit in rivals),
            self._term(worse[0]) if best is not None and worse else None,
            None if second is None else self._term(second),
            disturbance,
        )

    def _rivals(self, fit: _Fit, best: _Fit) -> bool:
        return self._convinces(fit) and self.beyond_noise(best.ratio) - self.beyond_noise(fit.ratio) <= MISSING.rival

    def _term(self, fit: _Fit) -> MissingTerm:
        chosen = [self.candidates[i] for i in fit.chosen]
        last = chosen[-1]
        values = dict(zip(self.problem.free, map(float, fit.outcome.p), strict=True))
        model = extended(self.model, chosen)
        parameters = tuple(replace(i, value=values[i.name]) if i.name in values else i for i in model.parameters)
        return MissingTerm(
            last.action,
            last.name,
            values[last.name],
            fit.std,
            last.parameter.unit,
            tuple(dict.fromkeys((*last.about, last.name))),
            dict(zip(self.problem.outputs, map(float, _rms(fit.outcome)), strict=True)),
            max(1 - fit.ratio, 0.0),
            self.beyond_noise(fit.ratio),
            fit.evidence,
            {name: values[name] for name in self.problem.free[: self.own]},
            replace(model, parameters=parameters).to_toml(),
        )


def _rms(outcome: Outcome) -> np.ndarray:
    """Of every output's residual, whatever noise was given."""
    return np.asarray(np.sqrt(np.nanmean(outcome.residual**2, axis=0)))


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
