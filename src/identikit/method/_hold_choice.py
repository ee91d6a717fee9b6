"""How sampled inputs go on between their samples, as the residuals tell.

Zero-order hold, straight lines and a spline through the same samples differ by half a sampling step in time, or by the
curvature between samples; either moves parameters. Where nobody has said which it is, the record is asked: from the
estimate, the likelihood is maximised under each hold in a few steps, parameters and initial states free, and the best
is taken if it is better by more than chance. The holds have no parameters, so their likelihoods compare as they are;
where residuals are correlated, n samples tell as much as n over their correlation time, and so do differences.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from identikit.diagnose import autocorrelation
from identikit.likelihood import LIKELIHOOD, Outcome, Preparation, smooth_curves
from identikit.measurement import SmoothCurve
from identikit.method._settings import JUDGEMENT
from identikit.model import HOLDS
from identikit.problem import Problem
from identikit.progress import Cancelled, Progress
from identikit.result import Finding, Result, finding, ranked

Holds = dict[str, str]
WORDS = {"zero_order": "constant until the next sample", "linear": "straight lines", "cubic": "a cubic spline"}


@dataclass(frozen=True)
class Trial:
    """The best fit under one choice of holds."""

    holds: Holds
    outcome: Outcome

    @property
    def misfit(self) -> float:
        return self.outcome.misfit


def with_hold(problem: Problem, estimate: Callable[[Problem, Progress], Result], progress: Progress) -> Result:
    """Estimate, ask the record which hold it prefers, and estimate again if that is another one."""
    result = estimate(problem, progress.part(0.0, 0.6))
    values = [result.parameters[name].value for name in problem.free]
    if progress.stopped or any(value is None for value in values):
        return result
    p = np.array(values, float)
    asking = progress.stage("holds", 0.6, 0.8, "how inputs go on between samples")
    try:
        trials = _trials(problem, p, asking)
        if trials is None:
            return result
        chosen, said = _choice(problem, trials)
        if chosen is not trials[0]:
            start = dict(zip(problem.free, map(float, chosen.outcome.p), strict=True))
            again = replace(problem.held(chosen.holds), start=start)
            result = estimate(again, progress.part(0.8, 1.0))
    except Cancelled:
        return result
    misfits = {_named(trial.holds): trial.misfit for trial in trials}
    diagnostics = {**result.diagnostics, "holds": {"chosen": chosen.holds, "misfits": misfits}}
    result = replace(result, diagnostics=diagnostics, findings=ranked((*result.findings, said)))
    return _widened(result, problem.free, _doubt(problem, chosen, trials))


def as_held(problem: Problem, result: Result) -> Problem:
    """The problem with its inputs held as the fit chose."""
    chosen = result.diagnostics.get("holds", {}).get("chosen")
    return problem.held(chosen) if chosen else problem


def _trials(problem: Problem, p: np.ndarray, progress: Progress) -> list[Trial] | None:
    """Fits under the present holds, first, and under others; None where the present ones do not settle."""
    curves = smooth_curves(problem)
    first = _fitted(problem, curves, p, None, progress)
    if first is None:
        return None
    trials = [Trial(problem.holds, first)]
    names = list(problem.holds)
    groups = [[name] for name in names] if len(names) <= JUDGEMENT.most_holds_apart else [names]
    for group in groups:
        best = min(trials, key=lambda trial: trial.misfit)
        for hold in HOLDS:
            holds = {**best.holds, **dict.fromkeys(group, hold)}
            if any(holds == trial.holds for trial in trials):
                continue
            found = _fitted(problem.held(holds), curves, p, first, progress)
            if found is not None:
                trials.append(Trial(holds, found))
    return trials


def _fitted(
    problem: Problem, curves: list[list[SmoothCurve]], p: np.ndarray, near: Outcome | None, progress: Progress
) -> Outcome | None:
    """The fit from p; `near` is one under another hold, whose trajectory is a good beginning."""
    preparation = Preparation.of(problem, curves)
    if near is not None:
        own = replace(preparation, layout=near.layout)
        found = own.solver(near.nodes).run(
            near.p,
            near.nodes,
            near.sigma,
            progress,
            LIKELIHOOD.tightest_tether,
            grows=False,
            most_rounds=JUDGEMENT.hold_rounds,
        )
        if found is not None and found.converged:
            return found
    nodes = preparation.nodes(p)
    found = preparation.solver(nodes).run(
        p, nodes, preparation.sigma, progress, grows=False, most_rounds=JUDGEMENT.hold_rounds
    )
    return found if found is not None and found.converged else None


def _choice(problem: Problem, trials: list[Trial]) -> tuple[Trial, Finding]:
    """The hold to take, and what there is to say about it; the first trial is what was assumed."""
    assumed, best = trials[0], min(trials, key=lambda trial: trial.misfit)
    scale = _correlation_time(problem, best.outcome)
    chosen = best if assumed.misfit - best.misfit > JUDGEMENT.hold_preferred * scale else assumed
    manner = f"between samples of {', '.join(problem.holds)} the course is {_named(chosen.holds)}"
    others = sorted((trial for trial in trials if trial is not chosen), key=lambda trial: trial.misfit)
    if not others:
        return chosen, finding("hold_chosen", f"{manner}, as assumed", *problem.holds)
    name, shift = _shift(chosen, others[0])
    rival, gain = _named(others[0].holds), others[0].misfit - chosen.misfit
    effect = f"would move {name} by {shift:.2g} standard errors" if shift > 0.1 else "would change nothing"
    if gain > JUDGEMENT.hold_decisive * scale:
        text = f"{manner}, as the residuals tell: -2 log likelihood is {gain:.3g} below that of {rival}, which {effect}"
        return chosen, finding("hold_chosen", text, *problem.holds)
    if shift > JUDGEMENT.hold_matters:
        text = (
            f"{manner}; the record hardly tells it from {rival}, which {effect}: their spread is counted into the std"
        )
        return chosen, finding("hold_open", text, name)
    return chosen, finding("hold_chosen", f"{manner}; {rival} {effect}", *problem.holds)


def _doubt(problem: Problem, chosen: Trial, trials: list[Trial]) -> np.ndarray:
    """Root mean square [free] by which estimates under the other holds differ, each by its likelihood.

    The average over models (J. A. Hoeting et al., Statistical Science 14 (1999) 382), holds being equally likely
    beforehand.
    """
    scale = _correlation_time(problem, chosen.outcome)
    weights = np.array([np.exp(-0.5 * (trial.misfit - chosen.misfit) / scale) for trial in trials])
    moved = np.array([trial.outcome.p - chosen.outcome.p for trial in trials])
    return np.asarray(np.sqrt(weights @ moved**2 / weights.sum()))


def _widened(result: Result, free: tuple[str, ...], doubt: np.ndarray) -> Result:
    """The result with the doubt counted into standard errors, intervals and covariance."""
    parameters, factor = dict(result.parameters), {}
    for name, extra in zip(free, map(float, doubt), strict=True):
        item = parameters[name]
        if item.value is None or item.std is None or item.ci95 is None or not item.std > 0:
            continue
        factor[name] = math.hypot(item.std, extra) / item.std
        low, high = (item.value + (end - item.value) * factor[name] for end in item.ci95)
        parameters[name] = replace(item, std=item.std * factor[name], ci95=(low, high))
    covariance = result.covariance
    if covariance is not None:
        scale = np.array([factor.get(name, 1.0) for name in covariance["names"]])
        matrix = np.asarray(covariance["matrix"]) * np.outer(scale, scale)
        covariance = {**covariance, "matrix": matrix.tolist()}
    return replace(result, parameters=parameters, covariance=covariance)


def _named(holds: Mapping[str, str]) -> str:
    kinds = list(dict.fromkeys(holds.values()))
    if len(kinds) == 1:
        return f"{WORDS[kinds[0]]} ({kinds[0]})"
    return ", ".join(f"{WORDS[kind]} ({kind}) for {name}" for name, kind in holds.items())


def _shift(chosen: Trial, other: Trial) -> tuple[str, float]:
    """Which parameter the other hold moves most, and by how many standard errors."""
    spread = chosen.outcome.standard_errors
    moved = np.abs(other.outcome.p - chosen.outcome.p) / np.where(spread > 0, spread, np.inf)
    moved = np.where(np.isfinite(moved), moved, 0.0)
    k = int(np.argmax(moved))
    return chosen.outcome.iteration.segments.problem.free[k], float(moved[k])


def _correlation_time(problem: Problem, outcome: Outcome) -> float:
    """1 + 2 sum of the residuals' autocorrelation, the largest of all outputs; never below one."""
    ends = np.cumsum([len(record.time) for record in problem.records])[:-1]
    longest = 1.0
    for column in outcome.residual.T:
        found = autocorrelation(np.split(column, ends))
        if found is not None:
            total = 1 + 2 * np.cumsum(found.values[: JUDGEMENT.hold_lags])
            longest = max(longest, float(np.max(total)))
    return longest
