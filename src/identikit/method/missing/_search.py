"""Which term would explain what a model leaves over: screen all candidates at once, fit the promising ones in earnest.

1. One model holds all candidates, each with coefficient zero: one kernel serves everything below.
2. `Screening` says to first order what each candidate, and each pair, would explain with all parameters adjusted.
3. The most promising are fitted as trajectories, the other coefficients pinned.
4. A term is named if it explains a good part of what is left beyond the record's own noise, and if the evidence for it
   is very strong: the difference in BIC, with coloured residuals counted as often as they are independent, less
   2 log m for the choice among m candidates. A pair is named if each of both is needed by the same measure.
5. Where what is left comes from one stretch of the record, and the model fits without it, no term is named.

References: G. Schwarz, Annals of Statistics 6 (1978) 461; C. Varin, P. Vidoni, Biometrika 92 (2005) 519 (coloured
residuals).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from identikit.method.missing._bench import Bench, Trial, rms
from identikit.method.missing._candidates import candidates, extended
from identikit.method.missing._disturbance import stretch
from identikit.method.missing._report import Disturbance, Explanation, MissingTerm, MissingTermReport
from identikit.method.missing._screening import Explained, Screening
from identikit.method.missing._settings import MISSING
from identikit.model import Model
from identikit.problem import Problem
from identikit.progress import Cancelled, Progress, silent


def missing_terms(problem: Problem, p: np.ndarray, progress: Progress = silent) -> MissingTermReport:
    """Which single term, or pair, added to the model would explain what it leaves over at the estimate p.

    Not for models that are Python functions, whose equations cannot be extended: then the report is empty.

    Arguments:
        problem: the record, and the model that does not describe it well.
        p: the estimate, in the order of `problem.free`.
        progress: told often; asked to stop, the search ends with what it has.
    """
    found = candidates(problem, p) if problem.model.symbolic else ()
    nothing = MissingTermReport(len(found), {}, {}, {}, problem.model.time_unit)
    if not found:
        return nothing
    progress(0.0, f"trying {len(found)} terms that the model may lack")
    try:
        bench = Bench.of(problem, p, found, progress.part(0.0, 0.4))
        return nothing if bench is None else _Search(problem.model, bench).report(progress.part(0.4, 1.0))
    except Cancelled:
        return nothing


class _Search:
    """Chooses among the candidates on a bench; `model` is the one without any of them."""

    def __init__(self, model: Model, bench: Bench) -> None:
        self.model, self.bench = model, bench

    def report(self, progress: Progress) -> MissingTermReport:
        bench = self.bench
        screening = bench.screening(bench.loose)
        singles = [screening.with_candidates([i]) for i in map(int, screening.separable)]
        singles = sorted((item for item in singles if bench.allowed(item)), key=lambda item: item.left)
        whole = max(screening.left_of(()), 1e-300)
        most = max((bench.beyond_noise(item.left / whole) for item in singles), default=0.0)
        promising = [item for item in singles if self._promises(screening, item)]
        found = self._fitted(promising[: MISSING.refitted], progress.part(0.0, 0.5))
        best = found[0] if found and self._convinces(found[0]) else None
        pair = self._pair(screening, best, progress.part(0.5, 0.8))
        if pair is not None and (best is None or pair.white):
            best, pair = pair, None  # nothing but noise is left: there is no better explanation
        disturbance = None if progress.stopped else self._disturbance(progress.part(0.8, 1.0))
        if disturbance and best and bench.beyond_noise(best.ratio) > disturbance.beyond_noise - MISSING.lawlike:
            disturbance = None  # a law that holds all along explains as much as an event does
        if disturbance is not None:
            best = pair = None
        return self._written(best, pair, found, disturbance, most)

    def _promises(self, screening: Screening, item: Explained) -> bool:
        """Whether candidates are worth a fit, by what they would gain to first order."""
        gain = screening.count * float(np.log(screening.left_of(()) / max(item.left, 1e-300)))
        return self.bench.evidence(gain, item.inflation, len(item.chosen)) > 0

    def _fitted(self, chosen: Sequence[Explained], progress: Progress) -> list[Trial]:
        """Fits of these candidates, the best first; of those that are as good as it, the usual ones first."""
        trials = []
        for item, part in zip(chosen, progress.attempts(), strict=False):
            trial = self.bench.fitted(item, part)
            trials += [] if trial is None else [trial]
            if progress.stopped:
                break
        trials.sort(key=lambda trial: trial.ratio)
        return sorted(
            trials, key=lambda trial: (not self._as_good(trial, trials[0]), self._rank(trial.chosen), trial.ratio)
        )

    def _as_good(self, trial: Trial, closest: Trial) -> bool:
        """Whether a term may be named in place of the one that comes closest to the record.

        It may if the record does not decide, or if neither is the whole truth and they explain about as much: in a
        decay, for one, a drift in time imitates every law of the amplitude that there is.
        """
        if _rivals(trial, closest) or closest.white:
            return _rivals(trial, closest)
        return self.bench.beyond_noise(closest.ratio) - self.bench.beyond_noise(trial.ratio) <= MISSING.about_as_much

    def _rank(self, chosen: Iterable[int]) -> int:
        return sum(self.bench.candidates[i].rank for i in chosen)

    def _convinces(self, trial: Trial) -> bool:
        strong = min(trial.evidence, trial.needed) > MISSING.evidence
        return strong and self.bench.beyond_noise(trial.ratio) >= MISSING.least_share

    def _pair(self, screening: Screening, best: Trial | None, progress: Progress) -> Trial | None:
        """Two terms that explain much of what the best one alone leaves beyond the noise."""
        bench = self.bench
        left = (best.ratio if best else 1.0) - bench.floor
        if progress.stopped or left * bench.samples < MISSING.second_chi_square * bench.floor:
            return None
        pairs = sorted(combinations(map(int, screening.separable), 2), key=screening.left_of)
        allowed = [item for item in map(screening.with_candidates, pairs) if bench.allowed(item)]
        usual = [item for item in allowed if self._rank(item.chosen) == 0]
        chosen = {item.chosen: item for item in (*allowed[: MISSING.refitted_pairs], *usual[: MISSING.refitted_pairs])}
        found = self._fitted(list(chosen.values()), progress)
        if not found or not self._convinces(found[0]):
            return None
        return found[0] if (best.ratio if best else 1.0) - found[0].ratio >= MISSING.second * left else None

    def _disturbance(self, progress: Progress) -> Disturbance | None:
        """A stretch in which something acts, if the model fits without it."""
        bench, layout = self.bench, self.bench.loose.layout
        found = stretch(bench.loose.point, layout)
        outcome = None if found is None else bench.fitted_without(*found, progress)
        if found is None or outcome is None:
            return None
        share = bench.beyond_noise(bench.ratio(outcome))
        if share < MISSING.concentrated:
            return None
        record = bench.problem.records[int(layout.record[found[0]])].name
        begin, end = float(layout.begin[found[0]]), float(layout.end[found[1]])
        return Disturbance(record, begin, end, self._by_output(rms(outcome)), share)

    def _by_output(self, values: np.ndarray) -> dict[str, float]:
        return dict(zip(self.bench.problem.outputs, map(float, values), strict=True))

    def _written(
        self,
        best: Trial | None,
        pair: Trial | None,
        singles: Sequence[Trial],
        disturbance: Disturbance | None,
        most: float,
    ) -> MissingTermReport:
        bench, problem = self.bench, self.bench.problem
        others = [trial for trial in singles if trial is not best]
        rivals = [trial for trial in others if best and self._convinces(trial) and _rivals(trial, best)]
        worse = sorted((trial for trial in others if trial not in rivals), key=lambda trial: trial.ratio)
        return MissingTermReport(
            tried=len(bench.candidates),
            rms=self._by_output(rms(bench.base)),
            units={name: problem.model.output(name).unit for name in problem.outputs},
            parameters=dict(zip(problem.free[: bench.own], map(float, bench.base.p), strict=False)),
            time_unit=problem.model.time_unit,
            most=max((bench.beyond_noise(trial.ratio) for trial in singles), default=most),
            structured=bench.structured,
            best=self._explanation(best),
            pair=self._explanation(pair),
            rivals=tuple(item for item in map(self._explanation, rivals) if item is not None),
            next_best=self._explanation(worse[0]) if worse else None,
            disturbance=disturbance,
        )

    def _explanation(self, trial: Trial | None) -> Explanation | None:
        if trial is None:
            return None
        problem = self.bench.problem
        chosen = [self.bench.candidates[i] for i in trial.chosen]
        values = dict(zip(problem.free, map(float, trial.outcome.p), strict=True))
        model = extended(self.model, chosen)
        parameters = tuple(replace(i, value=values[i.name]) if i.name in values else i for i in model.parameters)
        terms = tuple(
            MissingTerm(i.action, i.name, values[i.name], float(std), i.parameter.unit, i.about, i.same)
            for i, std in zip(chosen, trial.std, strict=True)
        )
        return Explanation(
            terms=terms,
            rms=self._by_output(rms(trial.outcome)),
            explained=max(1 - trial.ratio, 0.0),
            beyond_noise=self.bench.beyond_noise(trial.ratio),
            evidence=trial.evidence,
            white=trial.white,
            parameters={name: values[name] for name in problem.free[: self.bench.own]},
            model_text=replace(model, parameters=parameters).to_toml(),
        )


def _rivals(trial: Trial, best: Trial) -> bool:
    """Whether the record does not decide between the two."""
    difference = (trial.outcome.misfit - best.outcome.misfit) / min(best.inflation, trial.inflation)
    return abs(difference) < MISSING.evidence
