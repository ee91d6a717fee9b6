"""A second opinion: the same parameters from a method that shares nothing with the first.

A trajectory fit and the weak form (or the balance of energy) use the same samples, but neither the integrator nor its
errors, nor the way in which noise and missing terms enter. Where both are right their difference d is small against

    z = |d| / sqrt(std_1^2 + std_2^2)

which is conservative: for an efficient first estimate the variance of d is std_2^2 - std_1^2 (J. A. Hausman,
Econometrica 46 (1978) 1251). Where they differ, what is known of either says why: the second did not come to an end,
its own check failed, residuals are coloured, or the model misses something, which the two methods weigh differently.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

from identikit.method._registry import METHODS
from identikit.method._settings import JUDGEMENT
from identikit.problem import Problem
from identikit.progress import Progress
from identikit.result import Code, Finding, Result, finding

WITNESSES = ("galerkin", "energy")  # neither integrates the model; the first that applies is asked
IGNORES_RECORD = "estimate_ignores_record"
# what a method says of itself that explains why its estimate is off
TELLING = {
    IGNORES_RECORD: "its values follow from its bounds and options, whatever the record shows",
    "biased_by_noise": "noise biases the states that it is made from",
    "states_not_cleared": "its states could not be cleared of noise, which biases it",
    "bias_counted": "it is biased on simulated records like this one",
    "damping_law_doubtful": "the decay departs from the law that it goes by",
    "process_noise_ignored": "it does not count with the noise that moves the states",
    "other_explanation": "other values explain the record as well",
    "parts_disagree": "parts of the record ask for different values",
}


@dataclass(frozen=True)
class SecondOpinion:
    """What the second method says; `z` by parameter, `method` empty if none applies."""

    method: str
    finding: Finding
    status: Code | None
    z: dict[str, float]

    def as_dict(self) -> dict[str, Any]:
        return {"method": self.method, "status": self.status and self.status.value, "z": self.z}


def second_opinion(problem: Problem, result: Result, seed: int, progress: Progress) -> SecondOpinion:
    """Ask the first witness that applies, beginning at the estimate: only its own equations are then solved."""
    values = {name: result.parameters[name].value for name in problem.free}
    start = {name: value for name, value in values.items() if value is not None}
    posed = replace(problem, start=start)
    for name in WITNESSES:
        method = METHODS.find(name)()
        if not method.objections(posed):
            other = method.estimate(posed, options=method.resolve_options(), seed=seed, progress=progress)
            return _compared(result, other)
    text = "no second method applies: the numbers rest on the trajectory alone"
    return SecondOpinion("", finding("no_second_opinion", text), None, {})


def _compared(result: Result, other: Result) -> SecondOpinion:
    z = {}
    for name in result.free:
        one, two = result.parameters[name], other.parameters[name]
        if one.identifiable and two.identifiable and None not in (one.value, two.value, one.std, two.std):
            spread = math.hypot(one.std or 0.0, two.std or 0.0)
            z[name] = abs((two.value or 0.0) - (one.value or 0.0)) / spread if spread > 0 else 0.0
    return SecondOpinion(other.method, _told(result, other, z), other.status.code, z)


def _told(result: Result, other: Result, z: dict[str, float]) -> Finding:
    who = f"{other.method}, which integrates nothing,"
    if not z or other.status.code is Code.NOT_CONVERGED:
        return finding("no_second_opinion", f"{who} came to no estimate that could be compared")
    name = max(z, key=z.__getitem__)
    if z[name] < JUDGEMENT.opinions_differ:
        within = max(math.ceil(10 * z[name]), 1) / 10  # rounded up: "within 0.0" would be said of what is not the same
        return finding("second_opinion_agrees", f"{who} agrees within {within:.1f} standard errors")
    differing = [item for item in z if z[item] >= JUDGEMENT.opinions_differ]
    values = ", ".join(f"{item} = {other.value(item):.4g}" for item in differing)
    text = f"{who} finds {values}, up to {z[name]:.1f} standard errors away"
    why = likely_reason(result, other)
    if why:
        return finding("second_opinion_explained", f"{text}: {why}", *differing)
    return finding("second_opinion_differs", f"{text}, and nothing in either fit tells why", *differing)


def likely_reason(result: Result, other: Result) -> str:
    """Why `other` differs from `result`, from status, findings and residuals of both; empty if these do not tell."""
    if any(item.code == IGNORES_RECORD for item in other.findings):
        return TELLING[IGNORES_RECORD]
    if result.status.code is Code.MISFIT:
        return "the model misses something in the record, which the two methods weigh differently"
    if other.status.code is not Code.OK:
        return f"its own check failed ({other.status.message.rstrip('.')})"
    coloured = [name for name, noise in result.noise.items() if noise.white is False or noise.memory]
    if coloured:
        return f"the residuals of {', '.join(coloured)} are coloured, which it takes for motion"
    told = _first(other.findings) or _first(result.findings)
    return TELLING[told.code] if told else ""


def _first(findings: tuple[Finding, ...]) -> Finding | None:
    return next((item for code in TELLING for item in findings if item.code == code), None)
