"""From fitted laws to a ranking with its evidence, and where the energy of the decay went."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from identikit.decay._evidence import criterion, deviations, inflation
from identikit.decay._laws import LAWS, DecayFits, LawFit
from identikit.decay._other_loss import other_loss
from identikit.decay._parts import widened
from identikit.decay._ranges import amplitude_ranges
from identikit.decay._settings import RANKING
from identikit.decay._work import shares
from identikit.method import canonical
from identikit.model import Relabelling
from identikit.numerics import information_weights, predicts_worse
from identikit.oscillation import MECHANISMS
from identikit.progress import Cancelled, Progress
from identikit.result import Finding, LawParameter, LawResult, MechanismResult

ONE_SIDED, TWO_SIDED = 1.645, 1.96  # standard errors: 95 % of a normal distribution, below a bound and about the middle


class Laws(Protocol):
    """Whatever fits a law and predicts with it."""

    def law(self, law: tuple[str, ...], whole: LawFit, progress: Progress) -> LawFit | None: ...

    def predicted(self, fit: LawFit, whole: LawFit, progress: Progress) -> np.ndarray | None: ...


@dataclass(frozen=True)
class LawRanking:
    """The laws, likeliest first, what speaks for each mechanism, how much the residuals repeat themselves, what a loss
    outside the laws weighs, and what there is to say of equivalent parameters."""

    laws: tuple[LawResult, ...]
    mechanisms: Mapping[str, MechanismResult]
    fits: Mapping[str, LawFit]
    inflation: float
    best_prediction: str | None
    outside: OutsideLaw | None
    findings: tuple[Finding, ...]


@dataclass(frozen=True)
class OutsideLaw:
    """A loss that none of the laws has: in words, and its weight beside theirs."""

    name: str
    mechanisms: tuple[str, ...]
    weight: float
    bic_difference: float


def law_name(law: tuple[str, ...]) -> str:
    """Its mechanisms in words."""
    return " + ".join(law) if law else "none"


def judge_laws(source: Laws, fits: DecayFits, whole: LawFit, noise: np.ndarray, progress: Progress) -> LawRanking:
    """Fit and rank every law. `noise` [outputs] is the noise level of the record.

    Cancelled, it ranks the laws that were fitted by then, if there are any.
    """
    problem = fits.problem
    found, errors = _fitted(source, fits, whole, progress)
    columns = [i for i, name in enumerate(problem.free) if fits.damped.mechanism(name)]
    inflated = inflation(whole.outcome, columns)
    criteria = {name: criterion(fit, inflated) for name, fit in found.items()}
    least = min(criteria.values())
    asked = [m for m in MECHANISMS if any(name in problem.free for name in fits.damped.parameters[m])]
    likeliest = min(criteria, key=lambda name: criteria[name])
    outside = _outside(fits, whole, found[likeliest].law, asked, least, inflated)
    shared = information_weights([*criteria.values(), np.inf if outside is None else least + outside.bic_difference])
    likely = dict(zip(criteria, shared, strict=False))
    if outside is not None:
        outside = replace(outside, weight=float(shared[-1]))
    form = canonical(problem, whole.p)
    scores = {name: float(np.sqrt(np.nanmean((error / noise) ** 2))) for name, error in errors.items()}
    best_prediction = min(scores, key=lambda name: scores[name]) if scores else None
    reference = fits.envelopes(whole)
    laws = []
    for name in sorted(found, key=lambda item: criteria[item]):
        fit = found[name]
        missed = best_prediction is not None and name in errors
        laws.append(
            LawResult(
                name=name,
                mechanisms=fit.law,
                parameters=_parameters(fits, fit, inflated, form.parameters),
                rms={output: float(s) for output, s in zip(problem.outputs, fit.outcome.sigma, strict=True)},
                bic=criteria[name],
                bic_difference=criteria[name] - least,
                weight=float(likely[name]),
                held_out=scores.get(name),
                predicts_worse=_worse(errors[name], errors[str(best_prediction)], noise) if missed else None,
                shares=shares(fits.work(fit.p)),
                converged=fit.converged,
                ranges=amplitude_ranges(fits, fit, reference, float(noise[0])),
            )
        )
    mechanisms = _mechanisms(fits, whole, found, likely, laws[0], inflated, outside)
    return LawRanking(tuple(laws), mechanisms, found, inflated, best_prediction, outside, form.findings)


def _worse(errors: np.ndarray, best: np.ndarray, noise: np.ndarray) -> bool:
    return predicts_worse(errors, best, noise, RANKING.trifle, RANKING.blocks)


def _outside(
    fits: DecayFits,
    whole: LawFit,
    best: tuple[str, ...],
    asked: list[str],
    least: float,
    inflated: float,
) -> OutsideLaw | None:
    """The best loss outside the laws; its weight is not known yet."""
    other = other_loss(fits, whole, best, asked, inflated)
    if other is None:
        return None
    name = " + ".join((*other.mechanisms, other.power))
    return OutsideLaw(name, other.mechanisms, 0.0, other.criterion - least)


def _fitted(
    source: Laws, fits: DecayFits, whole: LawFit, progress: Progress
) -> tuple[dict[str, LawFit], dict[str, np.ndarray]]:
    """Every law, and its errors where it was not fitted, by the law's name."""
    found: dict[str, LawFit] = {}
    errors: dict[str, np.ndarray] = {}
    # mechanisms that the user fixed are in every law, and no question
    asked = {m for m in MECHANISMS if any(name in fits.problem.free for name in fits.damped.parameters[m])}
    chosen = [law for law in LAWS if set(law) <= asked]
    for index, law in enumerate(chosen):
        name = law_name(law)
        part = progress.part(index / len(chosen), (index + 1) / len(chosen))
        try:
            if part(0.0, f"law: {name}") is False:
                raise Cancelled
            fit = source.law(law, whole, part.part(0.0, 0.6))
            if fit is None or part.stopped:
                continue
            found[name] = fit
            # a law that does not settle on the whole record is no candidate, and its first part takes as long again
            predicted = source.predicted(fit, whole, part.part(0.6, 1.0)) if fit.converged else None
        except Cancelled:
            if not found:
                raise
            break
        if predicted is not None and not part.stopped:
            errors[name] = predicted
    return found, errors


def _parameters(fits: DecayFits, fit: LawFit, inflated: float, to: Relabelling) -> dict[str, LawParameter]:
    """What the law estimates, in the parameters that `to` makes of its own."""
    p, spread = to(fit.p), to.sizes(widened(fit, deviations(fit, inflated)))
    made: dict[str, LawParameter] = {}
    for i, name in enumerate(fits.problem.free):
        if name in fit.pinned:
            continue
        std = float(spread[i])
        made[name] = {
            "value": float(p[i]),
            "std": std if np.isfinite(std) else None,
            "unit": fits.problem.model.parameter(name).unit,
        }
    return made


def _mechanisms(
    fits: DecayFits,
    whole: LawFit,
    found: Mapping[str, LawFit],
    likely: Mapping[str, float],
    best: LawResult,
    inflated: float,
    outside: OutsideLaw | None,
) -> dict[str, MechanismResult]:
    """Evidence per mechanism; its part with an interval, all mechanisms allowed for."""
    spread = np.nan_to_num(widened(whole, deviations(whole, inflated)), posinf=np.inf)
    total = sum(fits.work(whole.p).values())
    made = {}
    for mechanism, names in fits.damped.parameters.items():
        columns = [i for i, name in enumerate(fits.problem.free) if name in names]
        if not columns:
            continue
        beside = outside.weight if outside is not None and mechanism in outside.mechanisms else 0.0
        low, high = whole.p.copy(), whole.p.copy()
        for i in columns:
            # at the bound zero only one side is left
            times = ONE_SIDED if whole.p[i] < spread[i] else TWO_SIDED
            low[i] = max(whole.p[i] - times * spread[i], 0.0)
            high[i] = whole.p[i] + times * spread[i]
        made[mechanism] = MechanismResult(
            parameters=tuple(names),
            probability=float(sum(likely[name] for name, fit in found.items() if mechanism in fit.law) + beside),
            share=float(best.shares[mechanism]),
            share_low=_part(fits.work(low)[mechanism], total),
            share_high=min(_part(fits.work(high)[mechanism], total), 1.0),
        )
    return made


def _part(work_done: float, total: float) -> float:
    return work_done / total if total > 0 and np.isfinite(work_done) else 1.0
